package world

import (
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/solo"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/ui"
)

// slotOf is where the run in progress of a choice is kept.
func slotOf(c ui.SoloChoice) string { return c.Game + "-" + c.Level }

// dealOf is the ruleset of a choice with a seed. The error is of a choice that
// no screen offers.
func dealOf(c ui.SoloChoice, seed [32]byte) (solo.Deal, error) {
	switch c {
	case ui.SoloChoice{Game: "streak", Level: "training"}:
		return solo.Training(seed), nil
	case dailyChoice, arenaChoice:
		return solo.Counting(seed), nil
	}
	for d := classic.Easy; d <= classic.Hard; d++ {
		if c == (ui.SoloChoice{Game: "classic", Level: d.String()}) {
			return solo.Classic(d, seed), nil
		}
	}
	return solo.Deal{}, fmt.Errorf("there is no game %s %s", c.Game, c.Level)
}

// choiceOf is the choice of a kept run, false for one that no screen offers.
func choiceOf(r vault.RunInfo) (ui.SoloChoice, bool) {
	if len(r.Params) != 1 {
		return ui.SoloChoice{}, false
	}
	level := r.Params[0]
	switch {
	case r.Rules == classic.Rules && classic.Difficulty(level) <= classic.Hard:
		return ui.SoloChoice{Game: "classic", Level: classic.Difficulty(level).String()}, true
	case r.Rules == streak.Rules && streak.Mode(level) == streak.Training:
		return ui.SoloChoice{Game: "streak", Level: "training"}, true
	case r.Rules == streak.Rules && streak.Mode(level) == streak.Counting:
		if a, err := ranking.ParseAttempt(r.Attempt); err == nil && a.Contest.Kind == ranking.ArenaContest {
			return arenaChoice, true
		}
		return dailyChoice, true
	}
	return ui.SoloChoice{}, false
}

// PlaySolo goes on with the run in progress of a choice, or begins one.
func (w *World) PlaySolo(c ui.SoloChoice) (ui.SoloSeat, error) {
	deal, err := dealOf(c, solo.NewSeed())
	if err != nil {
		return nil, told(err)
	}
	if c.Contest() {
		return nil, ui.Notice{ID: "trouble.counts"}
	}
	run, err := solo.Resume(w.vault, slotOf(c))
	var spoilt *vault.CorruptError
	if errors.As(err, &spoilt) {
		// It is kept in quarantine; the player can play on all the same.
		w.note("going on with a game", err)
		err = vault.ErrNotFound
	}
	if errors.Is(err, vault.ErrNotFound) {
		run, err = solo.Begin(w.vault, slotOf(c), deal)
	}
	if err != nil {
		return nil, told(err)
	}
	return &soloSeat{w: w, choice: c, run: run}, nil
}

// SoloInProgress says whether a choice has a run that can be gone on with.
func (w *World) SoloInProgress(c ui.SoloChoice) (int, bool) {
	pos, err := solo.Peek(w.vault, slotOf(c))
	if err != nil {
		if !errors.Is(err, vault.ErrNotFound) {
			w.note("looking at a game in progress", err)
		}
		return 0, false
	}
	return int(pos.Outcome().Score[0]), pos.Outcome().Rounds > 0
}

// SoloBest lists the best ten runs of a choice, of arenas those of all.
func (w *World) SoloBest(c ui.SoloChoice) []ui.SoloPlayed {
	c.Arena = ""
	runs, err := w.vault.BestRuns(func(r vault.RunInfo) bool {
		of, ok := choiceOf(r)
		return ok && of == c
	})
	if err != nil {
		w.note("reading the best games", err)
	}
	return soloPlayed(runs)
}

// SoloRuns lists what was played alone, newest first.
func (w *World) SoloRuns() []ui.SoloPlayed {
	runs, err := w.vault.SavedRuns()
	if err != nil {
		w.note("reading the games", err)
	}
	list := soloPlayed(runs)
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

func soloPlayed(runs []vault.RunInfo) []ui.SoloPlayed {
	var list []ui.SoloPlayed
	for _, r := range runs {
		if c, ok := choiceOf(r); ok {
			list = append(list, playedOf(c, r))
		}
	}
	return list
}

func playedOf(c ui.SoloChoice, r vault.RunInfo) ui.SoloPlayed {
	p := ui.SoloPlayed{ID: r.ID, Choice: c, At: r.Saved, Score: int(r.Score), Combo: int(r.Combo), Placements: r.Placements, Helped: r.Helped, Complete: r.Complete}
	if a, err := ranking.ParseAttempt(r.Attempt); err == nil {
		if c == arenaChoice {
			p.Choice.Arena = a.Contest.String()
		} else {
			p.Chance = int(a.Number)
		}
	}
	return p
}

// SoloReplay opens a run and checks its record.
func (w *World) SoloReplay(id string) (ui.SoloReplay, error) {
	file, err := w.vault.RunLog(id)
	if err != nil {
		return ui.SoloReplay{}, told(err)
	}
	var name record.ID
	if _, err := hex.Decode(name[:], []byte(id)); err != nil {
		return ui.SoloReplay{}, told(err)
	}
	r, err := replayOf(file, name)
	r.File = filepath.Join(w.vault.Where(), "runlog-"+id)
	return r, told(err)
}

// replayOf checks the record of a run, which must be the one with that id.
func replayOf(file []byte, id record.ID) (ui.SoloReplay, error) {
	log, err := record.ParseRunLog(file)
	if err != nil {
		return ui.SoloReplay{}, err
	}
	v, err := record.VerifyRun(log, games.All())
	if err != nil {
		return ui.SoloReplay{}, err
	}
	if v.ID() != id {
		return ui.SoloReplay{}, ui.Notice{ID: "trouble.other_run"}
	}
	t := v.Terms()
	start, err := games.All()[t.Rules].Start(t.Seed, t.Params)
	if err != nil {
		return ui.SoloReplay{}, err
	}
	state, ok := start.(ui.SoloState)
	if !ok {
		return ui.SoloReplay{}, ui.Notice{ID: "problem.run"}
	}
	r := ui.SoloReplay{Start: state}
	for n := 1; n <= v.Len(); n++ {
		r.Moves = append(r.Moves, v.MoveAt(n))
	}
	return r, nil
}

// soloSeat is one's place at a run that the vault keeps.
type soloSeat struct {
	w      *World
	choice ui.SoloChoice
	run    *solo.Run
	entry  entry // of a run that counts, else nil
}

// An entry is what hands a run in: a *contest.Daily or a *contest.Arenas.
type entry interface {
	Finish(*solo.Run, time.Time) (vault.RunInfo, bool, error)
}

func (s *soloSeat) Choice() ui.SoloChoice    { return s.choice }
func (s *soloSeat) State() ui.SoloState      { return s.run.Position().(ui.SoloState) }
func (s *soloSeat) Hint() (bot.Hint, bool)   { return s.run.Hint() }
func (s *soloSeat) Play(m engine.Move) error { return told(s.run.Play(m)) }

func (s *soloSeat) TakeHint() (bot.Hint, error) {
	h, err := s.run.TakeHint()
	return h, told(err)
}

// Finish keeps the run.
func (s *soloSeat) Finish() (ui.SoloPlayed, bool, error) {
	if s.entry != nil {
		info, ok, err := s.entry.Finish(s.run, time.Now())
		s.w.handSoon()
		return playedOf(s.choice, info), ok, told(err)
	}
	info, _, ok, err := s.run.Finish(time.Now())
	return playedOf(s.choice, info), ok, told(err)
}

// Leave leaves the run to be gone on with.
func (s *soloSeat) Leave() {
	if err := s.run.Close(); err != nil {
		s.w.note("leaving a game", err)
	}
}
