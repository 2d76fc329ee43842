package table

import (
	"crypto/sha256"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/memnet"
)

// crooked is a Duel in which one scoring constant is another: each round that
// has ended gives seat 0 a point.
type crooked struct{ duel.Game }

type crookedPosition struct {
	duel.State
	extra int
}

func (crooked) Start(id [32]byte, params []byte) (engine.Position, error) {
	p, err := duel.Game{}.Start(id, params)
	if err != nil {
		return nil, err
	}
	return crookedPosition{State: p.(duel.State)}, nil
}

func (p crookedPosition) Apply(m engine.Move) (engine.Position, error) {
	next, r, err := duel.Apply(p.State, m)
	if err != nil {
		return nil, err
	}
	if r.RoundEnded {
		p.extra++
	}
	return crookedPosition{next, p.extra}, nil
}

func (p crookedPosition) Append(b []byte) []byte {
	return append(p.State.Append(b), byte(p.extra))
}

func (p crookedPosition) Digest() [32]byte {
	if p.extra == 0 {
		return p.State.Digest()
	}
	return sha256.Sum256(p.Append(nil))
}

func (p crookedPosition) Fields() []engine.Field {
	fields := p.State.Fields()
	for i, f := range fields {
		if strings.Contains(f.Name, "score") {
			fields[i].Value = f.Value + " and a point too many"
			break
		}
	}
	return fields
}

// Two programs whose games differ freeze a friendly match at the same entry,
// and both keep a bundle that names the field.
func TestTwoGamesThatDisagree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(1, memnet.Conditions{Delay: time.Millisecond})
		a, b := newSeat(t, link, 0), newSeat(t, link, 1)
		b.games = record.Games{duel.Rules: crooked{}}
		fa, fb, err := both(t.Context(), a, b, Sitting{Player: easy(1, 0)}, Sitting{Player: easy(2, 0)})
		if err != nil {
			t.Fatal(err)
		}
		if len(fa) != 1 || len(fb) != 1 || fa[0].Result.End != lockstep.Desynced || fb[0].Result.End != lockstep.Desynced {
			t.Fatalf("got %+v and %+v\n%s\n%s", fa, fb, a.story(), b.story())
		}
		at := [2]int{}
		for i, s := range []*seat{a, b} {
			s.happened(func(e lockstep.Event) bool {
				if d, ok := e.(lockstep.Desync); ok {
					at[i] = d.Index
				}
				return false
			})
			ids, err := s.vault.Bundles()
			if err != nil || len(ids) != 1 {
				t.Fatalf("bundles %v, %v", ids, err)
			}
			bundle, err := s.vault.Bundle(ids[0])
			if err != nil || !strings.Contains(string(bundle), "score") {
				t.Errorf("the bundle does not name the field: %q, %v", bundle, err)
			}
			if left, _ := Unfinish(s.vault, time.Now()); len(left) != 0 {
				t.Errorf("a frozen match is to be gone on with: %+v", left)
			}
			if parcels, _ := s.vault.Parcels(time.Now()); len(parcels) != 0 {
				t.Errorf("something is to be handed in: %+v", parcels)
			}
		}
		if at[0] != at[1] || at[0] == 0 {
			t.Errorf("frozen at %v", at)
		}
	})
}
