package solo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

// desk is a DailyServer that counts chances as the real one does.
type desk struct {
	day    ranking.Day
	away   bool
	liar   bool // its seed does not lead to the anchor
	opened map[[16]byte]int
	runs   map[record.ID]int32
	refuse error
}

var deskKey = record.Key{9}

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
	a := ranking.RunAnswer{Place: &ranking.Place{Total: 7, Sentence: "above 3 of 7 players"}}
	a.Place.Rank, a.State = 4, ranking.RunCounted
	return a, nil
}

// fetched is a daily whose deal is there.
func fetched(t *testing.T, v *vault.Vault, s *desk) *Daily {
	t.Helper()
	d := NewDaily(v, deskKey)
	if _, err := d.Fetch(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestThreeChancesOnOneDeal(t *testing.T) {
	s, v := newDesk(), vault.Memory("p")
	d := fetched(t, v, s)
	for n := 1; n <= 3; n++ {
		r, err := d.Begin(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if r.Terms().Seed != seedOf(s.day) || r.Position().(streak.State).Seed() != seedOf(s.day) {
			t.Error("another deal")
		}
		// Killed and gone on with, again and again: no other chance is opened.
		for range 3 {
			if err := r.Play(next(r.Position())); err != nil {
				t.Fatal(err)
			}
			was := r.Position()
			r.Close()
			if r, err = d.Begin(t.Context(), s); err != nil || r.Position() != was {
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
	if _, err := d.Begin(t.Context(), s); !errors.Is(err, ErrNoChance) {
		t.Errorf("a fourth chance: %v", err)
	}
	if err := d.Deliver(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	runs, err := d.Runs(s.day.String())
	if err != nil || len(runs) != 3 || len(s.runs) != 3 {
		t.Fatalf("%+v, %v", runs, err)
	}
	for i, r := range runs {
		if r.Chance != i+1 || r.State != DailyCounted || r.Rank != 4 || r.Sentence == "" || r.Score == 0 {
			t.Errorf("chance %d: %+v", i+1, r)
		}
	}
	// The next day has three of its own.
	s.day++
	if runs, _ := fetched(t, v, s).Runs(s.day.String()); len(runs) != 0 {
		t.Errorf("%+v", runs)
	}
}

// Killed after the run was begun and before it was noted, after the server was
// asked and before the run was begun: the chance is the same one.
func TestAKillUsesNoChanceUp(t *testing.T) {
	s, v := newDesk(), vault.Memory("p")
	d := fetched(t, v, s)
	nonce, err := d.nonce(s.day.String())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.OpenAttempt(t.Context(), s.day.String(), nonce); err != nil {
		t.Fatal(err)
	}
	// Killed here.
	r, err := d.Begin(t.Context(), s)
	if err != nil || len(s.opened) != 1 {
		t.Fatalf("%d opened, %v", len(s.opened), err)
	}
	// As if it had not been noted.
	r.Close()
	if err := d.change(func(k *dailyKept) { k.Runs, k.Nonce, k.NonceDay = nil, hex.EncodeToString(nonce[:]), s.day.String() }); err != nil {
		t.Fatal(err)
	}
	if r, err = d.Begin(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	runs, _ := d.Runs(s.day.String())
	if k, _ := d.kept(); len(runs) != 1 || runs[0].Chance != 1 || k.Nonce != "" {
		t.Errorf("%+v", k)
	}
	// Kept, and killed before that was noted: it is handed in all the same.
	play(t, r)
	if _, _, _, err := r.Finish(noon); err != nil {
		t.Fatal(err)
	}
	if err := d.Deliver(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if runs, _ := d.Runs(s.day.String()); runs[0].State != DailyCounted || len(s.runs) != 1 || runs[0].Score == 0 {
		t.Errorf("%+v", runs)
	}
}

// A daily that was fetched is played without the server, and handed in later.
func TestADailyOffline(t *testing.T) {
	s, v := newDesk(), vault.Memory("p")
	if _, err := NewDaily(v, deskKey).Begin(t.Context(), s); !errors.Is(err, ErrNoDaily) {
		t.Errorf("unfetched: %v", err)
	}
	d := fetched(t, v, s)
	s.away = true
	for range 3 {
		r, err := d.Begin(t.Context(), s)
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
		if err := d.Deliver(t.Context(), s); !errors.Is(err, ranking.ErrUnreachable) {
			t.Errorf("delivered: %v", err)
		}
	}
	if _, err := d.Begin(t.Context(), s); !errors.Is(err, ErrNoChance) {
		t.Errorf("a fourth: %v", err)
	}
	s.away = false
	if err := d.Deliver(t.Context(), s); err != nil || len(s.runs) != 3 {
		t.Errorf("%d handed in, %v", len(s.runs), err)
	}
	if runs, _ := d.Runs(s.day.String()); runs[0].Chance != 0 || runs[0].State != DailyCounted || runs[0].Day != s.day.String() {
		t.Errorf("%+v", runs)
	}
}

func TestADealThatWasNotPromisedIsRefused(t *testing.T) {
	s := newDesk()
	s.liar = true
	if _, err := NewDaily(vault.Memory("p"), deskKey).Fetch(t.Context(), s); !errors.Is(err, ranking.ErrAnchor) {
		t.Errorf("%v", err)
	}
}

func TestARefusedRunIsNotHandedInAgain(t *testing.T) {
	s, v := newDesk(), vault.Memory("p")
	d := fetched(t, v, s)
	r, err := d.Begin(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	play(t, r)
	if _, _, err := d.Finish(r, noon); err != nil {
		t.Fatal(err)
	}
	s.refuse = &ranking.Refusal{Text: "the day is over"}
	if err := d.Deliver(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	s.refuse = nil
	if err := d.Deliver(t.Context(), s); err != nil || len(s.runs) != 0 {
		t.Errorf("handed in again: %v", err)
	}
	if runs, _ := d.Runs(s.day.String()); runs[0].State != DailyRefused || runs[0].Text == "" {
		t.Errorf("%+v", runs)
	}
}
