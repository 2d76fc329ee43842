package world

import (
	"encoding/hex"
	"errors"
	"path/filepath"

	"github.com/cleavegame/cleave/cmd/internal/contest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/ui"
)

// SoloProof is what a kept run was dealt from.
func (w *World) SoloProof(id string) (ui.SoloProof, error) {
	p, err := w.proof(id)
	return p, told(err)
}

func (w *World) proof(id string) (ui.SoloProof, error) {
	file, err := w.vault.RunLog(id)
	if err != nil {
		return ui.SoloProof{}, err
	}
	log, err := record.ParseRunLog(file)
	if err != nil {
		return ui.SoloProof{}, err
	}
	t := log.Terms()
	p := ui.SoloProof{Seed: hex.EncodeToString(t.Seed[:]), Check: "cleavectl verify " + filepath.Join(w.vault.Where(), "runlog-"+id)}
	if p.Command, err = dealCommand(t); err != nil {
		return p, err
	}
	attempt, err := ranking.ParseAttempt(t.Attempt)
	if err == nil {
		if attempt.Contest.Kind == ranking.DailyContest {
			err = w.proveDay(&p, contest.New(w.vault, nil, attempt.Server), attempt.Contest.Day(), t.Seed)
		}
		return p, err
	}
	// A run that was begun offline names no day: the list of one's own does.
	key, met := w.serverKey(w.server)
	if !met || len(t.Attempt) > 0 {
		return p, nil
	}
	d := contest.New(w.vault, nil, key)
	name, err := d.DayOf(id)
	if err != nil {
		return p, err
	}
	if day, ok := ranking.ParseDay(name); ok {
		err = w.proveDay(&p, d, day, t.Seed)
	}
	return p, err
}

// proveDay adds what a day's deal is held against.
func (w *World) proveDay(p *ui.SoloProof, d *contest.Daily, day ranking.Day, seed [32]byte) error {
	p.Day, p.Layer = day.String(), day.YearDay()
	anchor, ok, err := d.Anchor(day.Year())
	if err != nil || !ok {
		return err
	}
	p.Anchor, p.Leads = hex.EncodeToString(anchor[:]), ranking.SeedFits(anchor, day, seed)
	return nil
}

// dealCommand is what deals the same again in a terminal.
func dealCommand(t record.RunTerms) (string, error) {
	if len(t.Params) != 1 {
		return "", errors.New("this run has no level")
	}
	game, level := "streak", "counting"
	switch {
	case t.Rules == classic.Rules:
		game, level = "classic", classic.Difficulty(t.Params[0]).String()
	case streak.Mode(t.Params[0]) == streak.Training:
		level = "training"
	}
	return "cleavectl " + game + " --level " + level + " --seed " + hex.EncodeToString(t.Seed[:]) + " --player human", nil
}
