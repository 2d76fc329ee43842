package table

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/memnet"
)

// An opened match that both call off is handed in with both signatures, by
// both.
func TestAMatchCalledOffIsHandedIn(t *testing.T) {
	b := newBench(t)
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(5, memnet.Conditions{Delay: 10 * time.Millisecond})
		x, y, stop := openedPair(t, b, link)
		defer stop()
		began := time.Now()
		y.stop(10 * time.Second)
		var wg sync.WaitGroup
		var errs [2]error
		off := [2]int{}
		wg.Go(func() {
			errs[1] = y.person(t.Context(), easy(2, 3*time.Second), func(table *Table, e lockstep.Event) bool {
				switch e.(type) {
				case lockstep.CallOffOffered:
					table.CallOff()
					return true
				case lockstep.CallOffSigned:
					off[1]++
				case lockstep.YourTurn:
					return time.Since(began) > 10*time.Second
				}
				return false
			})
		})
		errs[0] = x.person(t.Context(), easy(1, time.Second), func(table *Table, e lockstep.Event) bool {
			switch e.(type) {
			case lockstep.ClaimDue:
				table.CallOff()
				return true
			case lockstep.CallOffSigned:
				off[0]++
			}
			return false
		})
		wg.Wait()
		for i, err := range errs {
			if !errors.Is(err, ErrLeft) {
				t.Errorf("side %d: %v", i, err)
			}
		}
		time.Sleep(time.Minute)
		if off != [2]int{1, 1} || !slices.Equal(b.story(), []string{"claim call-off", "claim call-off"}) {
			t.Fatalf("called off %v; the server got %v", off, b.story())
		}
		for _, c := range b.calls {
			log, err := record.ParseLog(c.Log)
			if err != nil {
				t.Fatal(err)
			}
			v, err := record.Verify(log, games.All())
			if err != nil || v.Complete() || len(c.CalledOff) != 2 {
				t.Fatalf("%v, complete %v, %d signatures", err, v.Complete(), len(c.CalledOff))
			}
			message := record.CallOffMessage(v.ID(), uint32(v.Len()), v.Head())
			for seat, sig := range c.CalledOff {
				if !v.Terms().Keys[seat].Verify(message, record.Signature(sig)) {
					t.Errorf("the signature of seat %d does not hold", seat)
				}
			}
		}
	})
}

// stop lets the seat's clock stand still after so long: it answers, and decides
// nothing.
func (s *seat) stop(after time.Duration) {
	began := time.Now()
	s.now = func() lockstep.Now {
		ms := min(time.Since(began), after).Milliseconds()
		return lockstep.Now{Mono: ms, Wall: began.UnixMilli() + ms}
	}
}

// Who plays by himself agrees to no end without a result: whoever is about to
// lose would offer it.
func TestNobodyIsTalkedOutOfAMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(5, memnet.Conditions{Delay: 10 * time.Millisecond})
		x, y := newSeat(t, link, 0), newSeat(t, link, 1)
		y.stop(10 * time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		var wg sync.WaitGroup
		asleep := decider(func(ctx context.Context, _ duel.State, _ int) (engine.Move, error) {
			<-ctx.Done()
			return engine.Move{}, ctx.Err()
		})
		wg.Go(func() { y.sit(ctx, Sitting{Player: asleep}) })
		offered := false
		x.person(ctx, easy(1, time.Second), func(table *Table, e lockstep.Event) bool {
			if _, due := e.(lockstep.ClaimDue); !due {
				return false
			}
			offered = true
			table.CallOff()
			return true
		})
		wg.Wait()
		got, signed := 0, 0
		for _, e := range y.events {
			if from, ok := e.(FromSession); ok {
				switch from.Event.(type) {
				case lockstep.CallOffOffered:
					got++
				case lockstep.CallOffSigned:
					signed++
				}
			}
		}
		if !offered || got != 1 || signed != 0 {
			t.Errorf("offered %v, %d times there, agreed %d times\n%s", offered, got, signed, y.story())
		}
	})
}
