package cli

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/memnet"
)

type decide func(context.Context, duel.State, int) (engine.Move, error)

func (f decide) Decide(ctx context.Context, s duel.State, seat int) (engine.Move, error) {
	return f(ctx, s, seat)
}

// TestMakeLogs makes the logs of testdata that no program would leave by
// itself; they are kept, because what they show must not change.
func TestMakeLogs(t *testing.T) {
	if !*update {
		t.Skip("only with -update")
	}
	synctest.Test(t, func(t *testing.T) {
		play := func(seed uint64, players [2]table.Decider) []byte {
			link := memnet.NewLink(seed, memnet.Conditions{Delay: 20 * time.Millisecond})
			var group errgroup.Group
			var log []byte
			for seat := range 2 {
				v := vault.Memory("p")
				if err := v.Import(vault.FromSeed([32]byte{byte(seat + 1)}), false); err != nil {
					t.Fatal(err)
				}
				id, _ := v.Identity()
				n := byte(0)
				tb, err := table.New(table.Config{
					Vault: v, Path: table.Memory(link, seat, id.Key()), Name: "P", Room: lockstep.Room{Name: "r", Friendly: true},
					Fresh: func() [32]byte { n++; return [32]byte{byte(seed), byte(seat), n} },
				})
				if err != nil {
					t.Fatal(err)
				}
				group.Go(func() error {
					done, err := table.Play(t.Context(), tb, table.Sitting{Player: players[seat]})
					if len(done) > 0 && seat == 0 {
						log = done[0].Log
					}
					return err
				})
			}
			if err := group.Wait(); err != nil {
				t.Fatal(err)
			}
			return log
		}
		easy := func(seed uint64) table.Decider {
			b := bot.New(bot.Easy, seed)
			return decide(func(ctx context.Context, s duel.State, seat int) (engine.Move, error) {
				time.Sleep(1300 * time.Millisecond)
				return b.Decide(s, seat), nil
			})
		}
		asleep := decide(func(context.Context, duel.State, int) (engine.Move, error) {
			return engine.Move{}, errors.New("asleep")
		})
		write := func(name string, b []byte) {
			if err := os.WriteFile("testdata/"+name, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write("match.cleave", play(1, [2]table.Decider{easy(1), easy(2)}))
		write("flags.cleave", play(2, [2]table.Decider{easy(1), asleep}))
		whole := play(3, [2]table.Decider{easy(5), easy(6)})
		write("unsealed.cleave", shorten(t, whole, 0))
		write("unfinished.cleave", shorten(t, whole, 25))
	})
}

// shorten plays a log again up to the end, or to so many entries, and leaves
// the seal away.
func shorten(t *testing.T, log []byte, entries int) []byte {
	t.Helper()
	l, err := record.ParseLog(log)
	if err != nil {
		t.Fatal(err)
	}
	v, err := record.Verify(l, games.All())
	if err != nil {
		t.Fatal(err)
	}
	terms := v.Terms()
	signers := [2]record.Signer{}
	for seat := range signers {
		id := vault.FromSeed([32]byte{byte(seat + 1)})
		signers[seat] = func(m []byte) record.Signature { return id.Sign(m) }
	}
	m, err := record.Begin(terms, [2]record.Signature{terms.Sign(signers[0]), terms.Sign(signers[1])}, games.All())
	if err != nil {
		t.Fatal(err)
	}
	if entries == 0 {
		entries = v.Len()
	}
	for n := 1; n <= entries; n++ {
		e := v.EntryAt(n)
		signed, err := m.Sign(e.Move, e.ThinkMs, e.WaitMs, signers[e.Move.Seat])
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Apply(signed); err != nil {
			t.Fatal(err)
		}
	}
	return m.Log().Append(nil)
}
