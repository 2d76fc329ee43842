package table

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/p2p/memnet"
)

// Both claim while the line is cut, and the owed entry comes when it is whole
// again: what was claimed is withdrawn at the server before anything is signed,
// and the match is played to its end and counts.
func TestAMootClaimIsWithdrawn(t *testing.T) {
	b := newBench(t)
	b.slow = 2 * time.Second
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(5, memnet.Conditions{Delay: 10 * time.Millisecond})
		x, y, stop := openedPair(t, b, link)
		defer stop()
		cut := time.AfterFunc(9300*time.Millisecond, func() {
			link.Cut()
			time.AfterFunc(45*time.Second, link.Heal)
		})
		defer cut.Stop()
		fx, fy, err := both(t.Context(), x, y, Sitting{Player: easy(1, time.Second)}, Sitting{Player: easy(2, time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		checkLogs(t, fx, fy)
		time.Sleep(time.Minute) // the outboxes
		story := b.story()
		claims, withdrawn := 0, 0
		for i, what := range story {
			switch {
			case what == "withdrawal":
				withdrawn++
			case what != "log":
				claims++
				if i > 1 && story[i-1] == "log" {
					t.Error("a claim after the end")
				}
			}
		}
		if claims == 0 || withdrawn < claims || !slices.Contains(story, "log") {
			t.Errorf("the server got %v\n%s\n%s", story, x.story(), y.story())
		}
		for i, s := range []*seat{x, y} {
			seat := [][]Finished{fx, fy}[i][0].Seat
			if waited := s.afterClaimGone(seat); waited < b.slow {
				t.Errorf("seat %d signed %v after its claim was moot", seat, waited)
			}
			if left, err := s.vault.Parcels(time.Now()); err != nil || len(left) != 0 {
				t.Errorf("in the outbox: %+v %v", left, err)
			}
		}
	})
}

// afterClaimGone is how long after its claim was moot the seat made an entry.
func (s *seat) afterClaimGone(seat int) time.Duration {
	var gone time.Time
	for i, e := range s.events {
		from, ok := e.(FromSession)
		if !ok {
			continue
		}
		switch e := from.Event.(type) {
		case lockstep.ClaimGone:
			gone = s.times[i]
		case lockstep.Applied:
			if !gone.IsZero() && int(e.Entry.Move.Seat) == seat {
				return s.times[i].Sub(gone)
			}
		}
	}
	return 0
}

// A server that is away keeps nobody from playing on for long, and gets to know
// when it is back.
func TestWithdrawingWithoutTheServer(t *testing.T) {
	b := newBench(t)
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(5, memnet.Conditions{Delay: 10 * time.Millisecond})
		x, y, stop := openedPair(t, b, link)
		defer stop()
		cut := time.AfterFunc(9300*time.Millisecond, func() {
			link.Cut()
			time.AfterFunc(40*time.Second, func() { b.set(func() { b.away = true }) }) // the claims are there
			time.AfterFunc(45*time.Second, link.Heal)
		})
		defer cut.Stop()
		fx, fy, err := both(t.Context(), x, y, Sitting{Player: easy(1, time.Second)}, Sitting{Player: easy(2, time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		checkLogs(t, fx, fy)
		if slices.Contains(b.story(), "withdrawal") {
			t.Error("a server that is away has got a withdrawal")
		}
		b.set(func() { b.away = false })
		time.Sleep(2 * time.Hour)
		if story := b.story(); !slices.Contains(story, "withdrawal") || !slices.Contains(story, "log") {
			t.Errorf("the server got %v", story)
		}
	})
}

// person sits at a new table of the seat and does what a sitter does, but for
// the events that own takes.
func (s *seat) person(ctx context.Context, p Decider, own func(*Table, lockstep.Event) bool) error {
	table, err := New(s.config())
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- table.Run(ctx) }()
	sit := &sitter{Sitting: Sitting{Player: p}, table: table, decided: make(chan decision), gone: make(chan struct{})}
	defer close(sit.gone)
	for {
		select {
		case e, ok := <-table.Events():
			if !ok {
				sit.stopThinking()
				return <-done
			}
			if from, ok := e.(FromSession); ok && !own(table, from.Event) {
				sit.answer(ctx, from.Event)
			}
		case d := <-sit.decided:
			sit.decide(d)
		}
	}
}

// Who goes away when a claim is due has filed it, if the server can hear it.
func TestGoingAwayFilesTheClaimThatIsDue(t *testing.T) {
	for _, how := range []string{"leaving", "closing the window", "a friendly match"} {
		t.Run(how, func(t *testing.T) {
			b := newBench(t)
			synctest.Test(t, func(t *testing.T) {
				link := memnet.NewLink(5, memnet.Conditions{Delay: 10 * time.Millisecond})
				x, y, stop := openedPair(t, b, link)
				defer stop()
				x.room.Friendly = how == "a friendly match"
				peer, kill := context.WithCancel(t.Context())
				ctx, closeWindow := context.WithCancel(t.Context())
				defer closeWindow()
				var wg sync.WaitGroup
				wg.Go(func() { y.sit(peer, Sitting{Player: easy(2, time.Second)}) })
				cut := time.AfterFunc(9300*time.Millisecond, func() { link.Cut(); kill() })
				defer cut.Stop()
				err := x.person(ctx, easy(1, time.Second), func(table *Table, e lockstep.Event) bool {
					_, due := e.(lockstep.ClaimDue)
					if due && how == "closing the window" {
						closeWindow()
					} else if due {
						table.Leave()
					}
					return due
				})
				wg.Wait()
				if !errors.Is(err, ErrLeft) && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				time.Sleep(time.Minute)
				story := b.story()
				if how == "a friendly match" {
					if len(story) != 0 {
						t.Errorf("the server got %v", story)
					}
					return
				}
				if len(story) != 1 || story[0] != "claim silence" && story[0] != "claim overdue" {
					t.Errorf("the server got %v", story)
				}
				// The match can be gone on with, and is claimed once.
				if u, err := Unfinish(x.vault, time.Now()); err != nil || len(u) != 1 {
					t.Errorf("unfinished: %+v %v", u, err)
				}
				began := time.Now()
				x.sit(t.Context(), Sitting{Player: easy(1, time.Second)})
				if took := time.Since(began); took > claimPatience+5*time.Second {
					t.Errorf("gone on with, the claim is waited on for %v", took)
				}
				time.Sleep(time.Minute)
				if again := b.story(); !slices.Equal(again, append(story, story[0])) {
					t.Errorf("then the server got %v", again)
				}
			})
		})
	}
}
