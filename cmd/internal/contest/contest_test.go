package contest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/solo"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

// desk is an endpoint that counts chances as the real one does.
type desk struct {
	day    ranking.Day
	away   bool
	liar   bool // its seed does not lead to the anchor
	opened map[[16]byte]int
	runs   map[record.ID]int32
	refuse error
}

var (
	deskKey = record.Key{9}
	noon    = time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC)
)

func newDesk() *desk {
	day, _ := ranking.ParseDay("2026-12-31")
	return &desk{day: day, opened: map[[16]byte]int{}, runs: map[record.ID]int32{}}
}

// seedOf is any number for a day; anchor is what it leads to.
func seedOf(d ranking.Day) [32]byte { return sha256.Sum256([]byte(d.String())) }

func (s *desk) anchor() [32]byte { return record.NewChance(seedOf(s.day), s.day.YearDay()).Anchor() }

func (s *desk) gone() error {
	if s.away {
		return fmt.Errorf("%w: it is away", ranking.ErrUnreachable)
	}
	return nil
}

func (s *desk) Daily(context.Context, string) (ranking.Daily, error) {
	seed, anchor := seedOf(s.day), s.anchor()
	if s.liar {
		seed[0]++
	}
	return ranking.Daily{Day: s.day.String(), Seed: hex.EncodeToString(seed[:]), Anchor: hex.EncodeToString(anchor[:]), Rules: streak.Rules, Params: streak.Counting.Params(), Attempts: 3}, s.gone()
}

func (s *desk) Anchors(context.Context) ([]ranking.YearAnchor, error) {
	return []ranking.YearAnchor{{Year: s.day.Year(), Anchor: s.anchor()}}, s.gone()
}

func (s *desk) OpenAttempt(_ context.Context, day string, nonce [16]byte) (ranking.Attempt, ranking.AttemptAnswer, error) {
	if err := s.gone(); err != nil {
		return ranking.Attempt{}, ranking.AttemptAnswer{}, err
	}
	n := s.opened[nonce]
	if n == 0 {
		if n = len(s.opened) + 1; n > ranking.DailyAttempts {
			return ranking.Attempt{}, ranking.AttemptAnswer{}, &ranking.Refusal{Text: "no chance left"}
		}
		s.opened[nonce] = n
	}
	return ranking.Attempt{Contest: ranking.ContestOf(s.day), Server: deskKey, Nonce: nonce, Seed: seedOf(s.day), Number: uint8(n)}, ranking.AttemptAnswer{}, nil
}

func (s *desk) UploadRun(_ context.Context, file []byte) (ranking.RunAnswer, error) {
	if err := s.gone(); err != nil {
		return ranking.RunAnswer{}, err
	}
	if s.refuse != nil {
		return ranking.RunAnswer{}, s.refuse
	}
	log, err := record.ParseRunLog(file)
	if err != nil {
		return ranking.RunAnswer{}, err
	}
	v, err := record.VerifyRun(log, games.All())
	if err != nil {
		return ranking.RunAnswer{}, err
	}
	s.runs[v.ID()] = v.Claim().Score
	var a ranking.RunAnswer
	a.State, a.Score = ranking.RunCounted, v.Claim().Score
	return a, nil
}

// atDesk is a daily whose challenge was fetched.
func atDesk(t *testing.T, v *vault.Vault, s *desk) *Daily {
	t.Helper()
	d := &Daily{vault: v, client: s, server: deskKey}
	if _, err := d.Fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// move is what a player of no great skill does.
func move(r *solo.Run) engine.Move { return bot.New(bot.Easy, 1).Streak(r.Position().(streak.State)) }

// play plays a run to its end.
func play(t *testing.T, r *solo.Run) {
	t.Helper()
	for !r.Over() {
		if err := r.Play(move(r)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestThreeChancesOnOneDeal(t *testing.T) {
	s, v := newDesk(), vault.Memory("p")
	d := atDesk(t, v, s)
	for n := 1; n <= 3; n++ {
		r, err := d.Begin(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Terms().Seed != seedOf(s.day) || r.Position().(streak.State).Seed() != seedOf(s.day) {
			t.Error("another deal")
		}
		// Killed and gone on with, again and again: no other chance is opened.
		for range 3 {
			if err := r.Play(move(r)); err != nil {
				t.Fatal(err)
			}
			was := r.Position()
			r.Close()
			if r, err = d.Resume(); err != nil || r.Position() != was {
				t.Fatalf("gone on with: %v", err)
			}
		}
		play(t, r)
		if _, ok, err := d.Finish(r, noon); !ok || err != nil {
			t.Fatal(err)
		}
		if len(s.opened) != n {
			t.Errorf("%d chances opened, want %d", len(s.opened), n)
		}
	}
	if _, err := d.Begin(t.Context(), nil); err == nil {
		t.Error("a fourth chance")
	}
	if runs, _ := d.Runs(s.day.String()); len(runs) != 3 || runs[2].State != Waiting {
		t.Errorf("%+v", runs)
	}
	if _, err := d.Hand(t.Context()); err != nil {
		t.Fatal(err)
	}
	runs, err := d.Runs(s.day.String())
	if err != nil || len(runs) != 3 || len(s.runs) != 3 {
		t.Fatalf("%+v, %v", runs, err)
	}
	for i, r := range runs {
		if r.Chance != i+1 || r.State != Counted || r.Score == 0 {
			t.Errorf("chance %d: %+v", i+1, r)
		}
	}
	// The next day has three of its own.
	s.day++
	if runs, _ := atDesk(t, v, s).Runs(s.day.String()); len(runs) != 0 {
		t.Errorf("%+v", runs)
	}
}

// Killed after the server was asked and before the run was begun, after that
// and before it was listed, and before it was noted that it has ended: the
// chance is the same one, and it is handed in.
func TestAKillUsesNoChanceUp(t *testing.T) {
	s, v := newDesk(), vault.Memory("p")
	d := atDesk(t, v, s)
	r, err := d.Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	nonce := r.Terms().Nonce
	asked := func(k *kept) { k.Runs, k.Asked, k.AskedDay = nil, hex.EncodeToString(nonce[:]), s.day.String() }
	// As if nothing of it had been kept but what was asked.
	if _, _, _, err := r.Finish(noon); err != nil {
		t.Fatal(err)
	}
	if err := d.change(asked); err != nil {
		t.Fatal(err)
	}
	if r, err = d.Begin(t.Context(), nil); err != nil || len(s.opened) != 1 {
		t.Fatalf("%d opened, %v", len(s.opened), err)
	}
	// As if it had not been listed.
	r.Close()
	if err := d.change(asked); err != nil {
		t.Fatal(err)
	}
	if r, err = d.Resume(); err != nil {
		t.Fatal(err)
	}
	runs, _ := d.Runs(s.day.String())
	if k, _ := d.kept(); len(runs) != 1 || runs[0].Chance != 1 || k.Asked != "" {
		t.Errorf("%+v", k)
	}
	play(t, r)
	if _, _, err := d.Finish(r, noon); err != nil {
		t.Fatal(err)
	}
	// As if that had not been noted.
	if err := d.change(func(k *kept) { k.Runs[0].Score, k.Runs[0].State = 0, Playing }); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Hand(t.Context()); err != nil {
		t.Fatal(err)
	}
	if runs, _ := d.Runs(s.day.String()); runs[0].State != Counted || len(s.runs) != 1 || runs[0].Score == 0 {
		t.Errorf("%+v", runs)
	}
}

// A challenge that was fetched is played without the server, and handed in
// later.
func TestADailyOffline(t *testing.T) {
	s, v := newDesk(), vault.Memory("p")
	if _, err := (&Daily{vault: v, server: deskKey}).BeginOffline(s.day, nil); !errors.Is(err, ErrNotFetched) {
		t.Errorf("unfetched: %v", err)
	}
	d := atDesk(t, v, s)
	s.away = true
	for range 3 {
		if _, err := d.Begin(t.Context(), nil); !errors.Is(err, ranking.ErrUnreachable) {
			t.Errorf("with the server away: %v", err)
		}
		if _, err := d.BeginOffline(s.day+1, nil); !errors.Is(err, ErrNotFetched) {
			t.Errorf("tomorrow's: %v", err)
		}
		r, err := d.BeginOffline(s.day, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Terms().Attempt) != 0 {
			t.Error("an attempt that nobody opened")
		}
		play(t, r)
		if _, _, err := d.Finish(r, noon); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Hand(t.Context()); !errors.Is(err, ranking.ErrUnreachable) {
			t.Errorf("handed in: %v", err)
		}
	}
	if _, err := d.BeginOffline(s.day, nil); !errors.Is(err, ErrNoChance) {
		t.Errorf("a fourth: %v", err)
	}
	s.away = false
	if _, err := d.Hand(t.Context()); err != nil || len(s.runs) != 3 {
		t.Errorf("%d handed in, %v", len(s.runs), err)
	}
	if runs, _ := d.Runs(s.day.String()); runs[0].Chance != 0 || runs[0].State != Counted || runs[0].Day != s.day.String() {
		t.Errorf("%+v", runs)
	}
}

func TestADealThatWasNotPromisedIsRefused(t *testing.T) {
	s := newDesk()
	s.liar = true
	d := &Daily{vault: vault.Memory("p"), client: s, server: deskKey}
	if _, err := d.Fetch(t.Context()); !errors.Is(err, ranking.ErrAnchor) {
		t.Errorf("%v", err)
	}
	if _, err := d.Fetched(); !errors.Is(err, ErrNotFetched) {
		t.Errorf("it is kept: %v", err)
	}
}

func TestARefusedRunIsNotHandedInAgain(t *testing.T) {
	s, v := newDesk(), vault.Memory("p")
	d := atDesk(t, v, s)
	r, err := d.Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	play(t, r)
	if _, _, err := d.Finish(r, noon); err != nil {
		t.Fatal(err)
	}
	// Something that passes is tried again.
	s.refuse = &ranking.Refusal{Reason: ranking.SlowDown, Text: "slow down"}
	if _, err := d.Hand(t.Context()); err == nil {
		t.Error("what passes is not told")
	}
	if runs, _ := d.Runs(s.day.String()); runs[0].State != Waiting {
		t.Errorf("%+v", runs)
	}
	s.refuse = &ranking.Refusal{Reason: ranking.NoContest, Text: "the day is over"}
	if _, err := d.Hand(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.refuse = nil
	if _, err := d.Hand(t.Context()); err != nil || len(s.runs) != 0 {
		t.Errorf("handed in again: %v", err)
	}
	if runs, _ := d.Runs(s.day.String()); runs[0].State != Refused || runs[0].Text == "" {
		t.Errorf("%+v", runs)
	}
}

// A run that is given up before anything was placed is a chance gone.
func TestAnEmptyRunIsAChance(t *testing.T) {
	s, v := newDesk(), vault.Memory("p")
	d := atDesk(t, v, s)
	r, err := d.Begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := d.Finish(r, noon); ok || err != nil {
		t.Fatal(ok, err)
	}
	if runs, _ := d.Runs(s.day.String()); len(runs) != 1 || runs[0].State != Empty {
		t.Errorf("%+v", runs)
	}
	if handed, err := d.Hand(t.Context()); err != nil || len(handed) != 0 {
		t.Errorf("%v, %v", handed, err)
	}
}
