package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/memnet"
)

func TestTwoTablesPlayAMatch(t *testing.T) {
	for name, c := range map[string]memnet.Conditions{
		"perfect":   {},
		"distant":   {Delay: 80 * time.Millisecond, Jitter: 40 * time.Millisecond},
		"satellite": {Delay: 600 * time.Millisecond},
		"dreadful":  {Delay: 50 * time.Millisecond, Jitter: 100 * time.Millisecond, Loss: 250, Duplicate: 200, Reorder: 200, Hold: 300 * time.Millisecond},
		"lossy LAN": {Delay: time.Millisecond, Loss: 50},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				link := memnet.NewLink(3, c)
				a, b := newSeat(t, link, 0), newSeat(t, link, 1)
				fa, fb, err := both(t.Context(), a, b,
					Sitting{Player: easy(1, time.Second)}, Sitting{Player: easy(2, 1500*time.Millisecond)})
				if err != nil {
					t.Fatal(err)
				}
				v := checkLogs(t, fa, fb)
				if out := v.Outcome(); out.End != engine.Played || out.Rounds != duel.Rounds {
					t.Errorf("outcome %+v", out)
				}
				for _, s := range []*seat{a, b} {
					if logs, _ := s.vault.Logs(); len(logs) != 1 || !logs[0].Sealed || !logs[0].Complete || logs[0].Opponent == "" {
						t.Errorf("index: %+v", logs)
					}
					if left, _ := Unfinish(s.vault, time.Now()); len(left) != 0 {
						t.Errorf("unfinished: %+v", left)
					}
					if left, _ := s.vault.Journals(); len(left) != 0 {
						t.Errorf("journals: %v", left)
					}
					if n := s.happened(func(e lockstep.Event) bool { _, bad := e.(lockstep.Bad); return bad }); n != 0 {
						t.Errorf("%d frames of an honest peer were bad", n)
					}
					if n := s.happened(func(e lockstep.Event) bool { _, refused := e.(lockstep.Refused); return refused }); n != 0 {
						t.Errorf("%d commands of who sat there were refused", n)
					}
				}
			})
		})
	}
}

func TestACutIsSurvived(t *testing.T) {
	for _, length := range []time.Duration{2 * time.Second, 5 * time.Second, 10 * time.Second, 24 * time.Second} {
		t.Run(length.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				link := memnet.NewLink(5, memnet.Conditions{Delay: 10 * time.Millisecond})
				a, b := newSeat(t, link, 0), newSeat(t, link, 1)
				cut := time.AfterFunc(7300*time.Millisecond, func() {
					link.Cut()
					time.AfterFunc(length, link.Heal)
				})
				defer cut.Stop()
				fa, fb, err := both(t.Context(), a, b,
					Sitting{Player: easy(1, time.Second)}, Sitting{Player: easy(2, time.Second)})
				if err != nil {
					t.Fatal(err)
				}
				checkLogs(t, fa, fb)
				offline := func(e lockstep.Event) bool { _, ok := e.(lockstep.Offline); return ok }
				if want := length > 7*time.Second; (a.happened(offline) > 0) != want {
					t.Errorf("offline seen: %v", !want)
				}
			})
		})
	}
}

// A program that is killed at any moment, and started again, finishes its
// match; the vault is what it finds.
func TestKilledAtAnyMomentTheMatchIsFinished(t *testing.T) {
	for seed := range uint64(24) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 1))
				link := memnet.NewLink(seed, memnet.Conditions{Delay: 20 * time.Millisecond, Jitter: 20 * time.Millisecond})
				seats := [2]*seat{newSeat(t, link, 0), newSeat(t, link, 1)}
				var wg sync.WaitGroup
				var finished [2][]Finished
				var errs [2]error
				for i, s := range seats {
					player := easy(seed+uint64(i), 700*time.Millisecond)
					kills := 0
					if i == int(seed%2) {
						kills = 1 + rng.IntN(2)
					}
					var moments []time.Duration
					for range kills {
						moments = append(moments, time.Duration(rng.Int64N(int64(22*time.Second))))
					}
					wg.Go(func() {
						for _, m := range moments {
							ctx, cancel := context.WithTimeout(t.Context(), m)
							finished[i], errs[i] = s.sit(ctx, Sitting{Player: player})
							cancel()
							if len(finished[i]) > 0 {
								errs[i] = nil
								return // it was over before
							}
							time.Sleep(time.Second) // to start again
						}
						finished[i], errs[i] = s.sit(t.Context(), Sitting{Player: player})
					})
				}
				wg.Wait()
				if errs != [2]error{} {
					for _, s := range seats {
						t.Log(s.story())
					}
					t.Fatal(errs)
				}
				a, b := finished[0], finished[1]
				if len(a) == 0 || len(b) == 0 {
					t.Fatalf("finished: %d and %d", len(a), len(b))
				}
				if a[0].ID != b[0].ID || a[0].Result != b[0].Result {
					t.Fatalf("%+v\n%+v", a[0].Result, b[0].Result)
				}
				if a[0].Sealed && b[0].Sealed && !bytes.Equal(a[0].Log, b[0].Log) {
					t.Error("the logs differ")
				}
			})
		})
	}
}

func TestRematchesSwapSeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(1, memnet.Conditions{Delay: time.Millisecond})
		a, b := newSeat(t, link, 0), newSeat(t, link, 1)
		fa, fb, err := both(t.Context(), a, b,
			Sitting{Player: easy(1, 0), Matches: 5}, Sitting{Player: easy(2, 0), Matches: 4})
		if err != nil {
			t.Fatal(err)
		}
		if len(fa) != 4 {
			t.Errorf("%d matches, want 4: the fourth rematch is refused", len(fa))
		}
		checkLogs(t, fa, fb)
		for i, f := range fa {
			if f.Seat != i%2 {
				t.Errorf("match %d: the host has seat %d", i, f.Seat)
			}
		}
	})
}

func TestASeatThatNeverAnswersForfeits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(1, memnet.Conditions{Delay: time.Millisecond})
		a, b := newSeat(t, link, 0), newSeat(t, link, 1)
		asleep := decider(func(ctx context.Context, _ duel.State, _ int) (engine.Move, error) {
			<-ctx.Done()
			return engine.Move{}, ctx.Err()
		})
		fa, fb, err := both(t.Context(), a, b, Sitting{Player: easy(1, 0)}, Sitting{Player: asleep})
		if err != nil {
			t.Fatal(err)
		}
		v := checkLogs(t, fa, fb)
		if out := v.Outcome(); out.End != engine.Forfeited || out.Winner != 0 || out.Rounds != 2 {
			t.Errorf("outcome %+v", out)
		}
		limit := map[engine.Kind]uint32{engine.Split: 12_000, engine.Choose: 6_000, engine.Place: 10_000}
		for n := 1; n <= v.Len(); n++ {
			e := v.EntryAt(n)
			if e.Move.Kind != engine.Flag {
				continue
			}
			awaited := v.PositionAt(n - 1).Awaits()
			if got := e.ThinkMs; got < limit[awaited] || got > limit[awaited]+50 {
				t.Errorf("entry %d: flagged for kind %d after %d ms", n, awaited, got)
			}
		}
	})
}

func TestAPlayerThatFails(t *testing.T) {
	rubbish := decider(func(context.Context, duel.State, int) (engine.Move, error) {
		return engine.Move{Kind: engine.Place, Data: 1 << 63}, nil
	})
	crashed := decider(func(context.Context, duel.State, int) (engine.Move, error) {
		return engine.Move{}, errors.New("crashed")
	})
	resigns := decider(func(_ context.Context, s duel.State, seat int) (engine.Move, error) {
		return engine.Move{Seat: uint8(seat), Kind: engine.Resign}, nil
	})
	for name, tc := range map[string]struct {
		player Decider
		clocks lockstep.Clocks
		end    engine.End
	}{
		"rubbish is flagged":           {rubbish, lockstep.ClocksStandard, engine.Forfeited},
		"a crash is flagged":           {crashed, lockstep.ClocksStandard, engine.Forfeited},
		"rubbish resigns, no clocks":   {rubbish, lockstep.ClocksOff, engine.Resigned},
		"a crash resigns, no clocks":   {crashed, lockstep.ClocksOff, engine.Resigned},
		"a player that resigns":        {resigns, lockstep.ClocksStandard, engine.Resigned},
		"rubbish on doubled clocks":    {rubbish, lockstep.ClocksDouble, engine.Forfeited},
		"resignation without a clock":  {resigns, lockstep.ClocksOff, engine.Resigned},
		"resignation on doubled clock": {resigns, lockstep.ClocksDouble, engine.Resigned},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				link := memnet.NewLink(1, memnet.Conditions{Delay: time.Millisecond})
				a, b := newSeat(t, link, 0), newSeat(t, link, 1)
				a.room.Clocks = tc.clocks
				fa, fb, err := both(t.Context(), a, b, Sitting{Player: easy(1, 0)}, Sitting{Player: tc.player})
				if err != nil {
					t.Fatal(err)
				}
				v := checkLogs(t, fa, fb)
				if out := v.Outcome(); out.End != tc.end || out.Winner != 0 {
					t.Errorf("outcome %+v", out)
				}
			})
		})
	}
}

// Nothing is sent that is not on the disk: when it is full, the table stops,
// and the match goes on when there is room again.
func TestAFullDiskStopsTheTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(1, memnet.Conditions{Delay: time.Millisecond})
		a, b := newSeat(t, link, 0), newSeat(t, link, 1)
		var wg sync.WaitGroup
		var fb []Finished
		var errB error
		wg.Go(func() { fb, errB = b.sit(t.Context(), Sitting{Player: easy(2, time.Second)}) })
		applied := 0
		_, err := a.sit(t.Context(), Sitting{Player: easy(1, time.Second), Tell: func(e Event) {
			if from, ok := e.(FromSession); ok {
				if _, ok := from.Event.(lockstep.Applied); ok {
					if applied++; applied == 9 {
						a.vault.Limit(0)
					}
				}
			}
		}})
		if !errors.Is(err, vault.ErrDiskFull) {
			t.Fatalf("got %v", err)
		}
		// The other must not hold an entry that this side may forget.
		time.Sleep(time.Second)
		own := func(e lockstep.Event) bool {
			applied, ok := e.(lockstep.Applied)
			return ok && applied.Entry.Move.Seat == 0
		}
		if here, there := a.happened(own), b.happened(own); there > here {
			t.Errorf("%d own entries are kept here, %d were sent", here, there)
		}
		a.vault.Limit(-1)
		fa, err := a.sit(t.Context(), Sitting{Player: easy(1, time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		if errB != nil {
			t.Fatal(errB)
		}
		checkLogs(t, fa, fb)
	})
}

func TestAHostWaitsForTheNextVisitor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(1, memnet.Conditions{Delay: time.Millisecond})
		a, b, c := newSeat(t, link, 0), newSeat(t, link, 1), newSeat(t, link, 1)
		var wg sync.WaitGroup
		var fa []Finished
		var errA error
		wg.Go(func() { fa, errA = a.sit(t.Context(), Sitting{Player: easy(1, 0)}) })
		// The first visitor insists on a rated match, and goes.
		_, err := b.sit(t.Context(), Sitting{Player: easy(2, 0), MustRate: true})
		var notRated *NotRatedError
		if !errors.As(err, &notRated) || len(notRated.Why) == 0 {
			t.Fatalf("got %v", err)
		}
		fc, err := c.sit(t.Context(), Sitting{Player: easy(3, 0)})
		if err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		if errA != nil {
			t.Fatal(errA)
		}
		checkLogs(t, fa, fc)
		if fa[0].Terms.Keys[1] != record.Key(c.id.Key()) {
			t.Error("the match was not against the second visitor")
		}
	})
}

func TestLeavingBeforeAnybodyCame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newSeat(t, memnet.NewLink(1, memnet.Conditions{}), 0)
		tb, err := New(a.config())
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- tb.Run(t.Context()) }()
		time.Sleep(time.Second)
		if s := tb.Snapshot(); s.Stage != Finding {
			t.Errorf("stage %d", s.Stage)
		}
		tb.Ready(true) // to nobody
		tb.Leave()
		tb.Leave()
		for range tb.Events() {
		}
		if err := <-done; !errors.Is(err, ErrLeft) {
			t.Errorf("got %v", err)
		}
	})
}
