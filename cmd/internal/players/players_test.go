package players

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
)

func matchID(n int) [32]byte {
	return sha256.Sum256(binary.BigEndian.AppendUint32([]byte("players test match"), uint32(n)))
}

func apply(t testing.TB, s duel.State, m engine.Move) (duel.State, duel.Report) {
	t.Helper()
	next, r, err := duel.Apply(s, m)
	if err != nil {
		t.Fatal(err)
	}
	return next, r
}

// reveal makes both reveals of a round.
func reveal(t testing.TB, s duel.State) duel.State {
	t.Helper()
	id := s.Match()
	for s.Awaits() == engine.Reveal {
		seat := s.Owes()
		s, _ = apply(t, s, engine.Move{Seat: uint8(seat), Kind: engine.Reveal, Layer: sha256.Sum256(append(id[:], byte(s.Round()), byte(seat)))})
	}
	return s
}

// start is the first position of a match in which seat 0 splits first.
func start(t testing.TB) duel.State {
	t.Helper()
	for n := 0; ; n++ {
		if s := reveal(t, duel.New(matchID(n))); s.Splitter() == 0 {
			return s
		}
	}
}

// playMatch plays a whole match, both watching.
func playMatch(t testing.TB, s duel.State, seats [2]Player) engine.Outcome {
	t.Helper()
	for !s.Over() {
		s = reveal(t, s)
		seat := s.Owes()
		m, err := seats[seat].Decide(t.Context(), s, seat)
		if err != nil {
			t.Fatalf("round %d: %v", s.Round(), err)
		}
		var r duel.Report
		s, r = apply(t, s, m)
		for _, p := range seats {
			Watch(p, s, r)
		}
	}
	return s.Outcome()
}

func fault(t *testing.T, err error, want Fault) *Failure {
	t.Helper()
	var f *Failure
	if !errors.As(err, &f) || f.Fault != want {
		t.Fatalf("%v, want a failure: %s", err, faultTexts[want])
	}
	return f
}

func TestParse(t *testing.T) {
	o := Options{In: strings.NewReader(""), Out: io.Discard}
	for _, spec := range []string{"bot:beginner", "bot:expert", "human", "exec:read line; echo ready; cat"} {
		if err := Check(spec); err != nil {
			t.Errorf("Check(%q): %v", spec, err)
		}
		p, err := Parse(t.Context(), spec, o)
		if err != nil {
			t.Errorf("%q: %v", spec, err)
			continue
		}
		if err := p.Close(); err != nil {
			t.Errorf("%q: %v", spec, err)
		}
	}
	for _, spec := range []string{"", "bot", "bot:", "bot:genius", "Human", "human:", "exec", "exec:", "exec: ", "robot:easy"} {
		if _, err := Parse(t.Context(), spec, o); !errors.Is(err, ErrSpec) {
			t.Errorf("%q: %v", spec, err)
		}
		if err := Check(spec); !errors.Is(err, ErrSpec) {
			t.Errorf("Check(%q): %v", spec, err)
		}
	}
	if _, err := Parse(t.Context(), "human", Options{}); !errors.Is(err, ErrSpec) {
		t.Errorf("a person without a terminal: %v", err)
	}
}

func TestBotsPlay(t *testing.T) {
	var seats [2]Player
	for i, spec := range []string{"bot:hard", "bot:beginner"} {
		p, err := Parse(t.Context(), spec, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		seats[i] = p
	}
	if o := playMatch(t, duel.New(matchID(1)), seats); o.End != engine.Played {
		t.Errorf("%+v", o)
	}
}

func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := Parse(t.Context(), "bot:easy", Options{Think: 1500 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		s := start(t)
		before := time.Now()
		m, err := p.Decide(t.Context(), s, 0)
		if err != nil || s.Check(m) != nil {
			t.Fatalf("%+v, %v", m, err)
		}
		if took := time.Since(before); took != 1500*time.Millisecond {
			t.Errorf("took %v", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = p.Decide(ctx, s, 0)
		fault(t, err, TooSlow)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error("the failure hides the deadline")
		}
		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		if _, err = p.Decide(ctx, s, 0); err != context.Canceled {
			t.Errorf("cancelled: %v", err)
		}
	})
}

// watcher counts what it is told.
type watcher struct {
	computer
	told int
}

func (w *watcher) Watch(duel.State, duel.Report) { w.told++ }

func TestWatchReachesThroughSlow(t *testing.T) {
	w := &watcher{computer: computer{bot.New(bot.Easy, 1)}}
	Watch(Slow(w, time.Second), duel.State{}, duel.Report{})
	Watch(computer{}, duel.State{}, duel.Report{})
	if w.told != 1 {
		t.Errorf("told %d times", w.told)
	}
}
