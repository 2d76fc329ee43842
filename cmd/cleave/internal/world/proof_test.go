package world

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/contest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/solo"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/ui"
)

// A run names its seed and what deals the same again.
func TestAProofNamesTheSeedAndTheCommand(t *testing.T) {
	w, err := Open(vault.Memory("p"), "1", "")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, c := range soloChoices {
		seat, err := w.PlaySolo(c)
		if err != nil {
			t.Fatal(err)
		}
		seed := seat.State().Seed()
		if err := seat.Play(decide(seat.State())); err != nil {
			t.Fatal(err)
		}
		run, _, err := seat.Finish()
		if err != nil {
			t.Fatal(err)
		}
		p, err := w.SoloProof(run.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := "cleavectl " + c.Game + " --level " + c.Level + " --seed " + hex.EncodeToString(seed[:]) + " --player human"
		if p.Command != want || p.Seed != hex.EncodeToString(seed[:]) || p.Anchor != "" || !strings.HasSuffix(p.Check, "runlog-"+run.ID) {
			t.Errorf("%+v", p)
		}
	}
	if _, err := w.SoloProof("none"); err == nil {
		t.Error("a run that is not there is proven")
	}
}

// A run of a day is held against the anchor that was seen, also one that was
// begun offline; an arena's is not.
func TestADayIsProvenByItsAnchor(t *testing.T) {
	const server = "http://127.0.0.1:1"
	key := record.Key{7}
	v := vault.Memory("p")
	if err := v.SetSetting("ranking_servers", map[string]string{server: hex.EncodeToString(key[:])}); err != nil {
		t.Fatal(err)
	}
	w, err := Open(v, "1", server)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	day, _ := ranking.ParseDay("2026-03-01") // layer 60
	seed := [32]byte{1, 2, 3}
	anchor := record.NewChance(seed, 60).Anchor()
	fetched := ranking.Daily{Day: day.String(), Seed: hex.EncodeToString(seed[:]), Rules: streak.Rules, Params: streak.Counting.Params()}
	if err := v.SetSetting("daily", map[string]any{key.String(): map[string]any{"anchors": map[string]string{"2026": hex.EncodeToString(anchor[:])}, "fetched": fetched}}); err != nil {
		t.Fatal(err)
	}
	play := contest.New(v, nil, key)
	finish := func(r *solo.Run, err error) ui.SoloProof {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Play(decide(r.Position().(ui.SoloState))); err != nil {
			t.Fatal(err)
		}
		info, _, err := play.Finish(r, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		p, err := w.SoloProof(info.ID)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := finish(play.BeginOffline(day, nil))
	if p.Day != "2026-03-01" || p.Layer != 60 || p.Anchor != hex.EncodeToString(anchor[:]) || !p.Leads || !strings.Contains(p.Command, "streak --level counting") {
		t.Errorf("offline: %+v", p)
	}
	attempt := func(c ranking.Contest, seed [32]byte) solo.Deal {
		d := solo.Counting(seed)
		d.Nonce = [16]byte{9}
		d.Attempt = ranking.Attempt{Contest: c, Server: key, Nonce: d.Nonce, Seed: seed, Number: 1}.Append(nil)
		return d
	}
	p = finish(solo.Begin(v, "a", attempt(ranking.ContestOf(day), seed)))
	if p.Layer != 60 || !p.Leads {
		t.Errorf("with an attempt: %+v", p)
	}
	p = finish(solo.Begin(v, "b", attempt(ranking.ContestOf(day), [32]byte{4})))
	if p.Anchor == "" || p.Leads {
		t.Errorf("another deal: %+v", p)
	}
	p = finish(solo.Begin(v, "c", attempt(ranking.Contest{Kind: ranking.ArenaContest, ID: [16]byte{8}}, seed)))
	if p.Anchor != "" || p.Day != "" {
		t.Errorf("of an arena: %+v", p)
	}
	// The history tells them apart.
	runs := w.SoloRuns()
	if runs[0].Choice.Level != "arena" || runs[0].Choice.Arena[:2] != "08" || runs[1].Choice != dailyChoice || runs[1].Chance != 1 || runs[3].Chance != 0 {
		t.Errorf("%+v", runs)
	}
	if best := w.SoloBest(runs[0].Choice); len(best) != 1 {
		t.Errorf("the best of arenas: %+v", best)
	}
	if best := w.SoloBest(dailyChoice); len(best) != 3 {
		t.Errorf("the best of days: %+v", best)
	}
}

func TestAPlaceOnABoard(t *testing.T) {
	if p := placeOf(nil); p.Rank != 0 || p.Percentile != -1 {
		t.Errorf("%+v", p)
	}
	alone := &ranking.Place{Line: ranking.Line{Rank: 1, Score: 5}}
	if near := nearOf(alone); len(near) != 1 || near[0].Score != 5 {
		t.Errorf("%+v", near)
	}
	// Of equal scores, who had it first is listed first.
	p := &ranking.Place{Line: ranking.Line{Rank: 21, Code: "me", Score: 50, TimeMs: 7}, Neighbours: []ranking.Line{
		{Rank: 20, Code: "a", Score: 60, TimeMs: 9}, {Rank: 21, Code: "b", Score: 50, TimeMs: 3}, {Rank: 21, Code: "c", Score: 50, TimeMs: 8}, {Rank: 24, Code: "d", Score: 40, TimeMs: 1}}}
	var order []string
	for _, l := range nearOf(p) {
		order = append(order, l.Code)
	}
	if strings.Join(order, " ") != "a b me c d" {
		t.Errorf("%v", order)
	}
	seventy := 70
	if p := placeOf(&ranking.Place{Line: ranking.Line{Rank: 4}, Total: 30, Above: 21, Of: 29, Percentile: &seventy}); p != (ui.Place{Rank: 4, Total: 30, Above: 21, Of: 29, Percentile: 70}) {
		t.Errorf("%+v", p)
	}
}
