package record

import (
	"bytes"
	"errors"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

func verified(t *testing.T, m *Match) Verified {
	t.Helper()
	v, err := Verify(m.Log(), games)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// played is match n with so many entries.
func played(t *testing.T, n uint64, entries int) *Match {
	t.Helper()
	m := begin(t, friendly(n))
	playOn(t, m, n, entries)
	return m
}

// accept adds what must be accepted.
func (m *Match) accept(t *testing.T, e SignedEntry) *Match {
	t.Helper()
	if err := m.Accept(e); err != nil {
		t.Fatal(err)
	}
	return m
}

// sealedUp adds the seal that is missing.
func (m *Match) sealedUp(t *testing.T) *Match {
	t.Helper()
	s, err := m.SignSeal(both[m.SealOwner()].sign)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.AcceptSeal(s); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCompare(t *testing.T) {
	const n = 6
	// After 8 entries the next is by some seat, the mover, and it may be
	// followed by more of its own.
	mover := played(t, n, 8).Position().Owes()
	other := 1 - mover
	long := played(t, n, 9)
	resigned := func(seat, after int) *Match {
		return played(t, n, after).accept(t, resignAt(t, played(t, n, after), seat, after))
	}
	drawn := resigned(0, 8).accept(t, resignAt(t, played(t, n, 8), 1, 8))
	forked := played(t, n, 8)
	e := long.EntryAt(9)
	e.Entry.ThinkMs++
	forked.accept(t, forked.forge(mover, 9, forked.Head(), e.Entry))
	forkedOn := played(t, n, 9)
	forkedOn.rewind(8)
	forkedOn.accept(t, forked.EntryAt(9))
	playOn(t, forkedOn, n, 14)
	// longer is long enough for both seats to have signed behind entry 9.
	longer := played(t, n, 14)
	resealed := func(sig byte) *Match { // other signatures on the same terms
		m := begin(t, friendly(n))
		m.sigs[0][0] ^= sig
		m.first = firstHead(m.id, &m.sigs)
		m.rewind(0)
		playOn(t, m, n, 1000)
		return m.sealedUp(t)
	}

	for _, c := range []struct {
		name   string
		a, b   *Match
		rel    Relation
		index  int
		stands *Match // nil for none
		fraud  []int
	}{
		{"the same", long, played(t, n, 9), Same, 10, long, nil},
		{"sealed by one", whole(t, friendly(n), n), played(t, n, 1000), Same, 1 + whole(t, friendly(n), n).Len(), whole(t, friendly(n), n), nil},
		{"one goes on", played(t, n, 3), long, Longer, 4, long, nil},
		{"nothing yet", begin(t, friendly(n)), long, Longer, 1, long, nil},
		{"a resignation meets an entry", resigned(other, 8), long, Crossed, 9, resigned(other, 8), nil},
		{"and is sealed", resigned(other, 8).sealedUp(t), long, Crossed, 9, resigned(other, 8).sealedUp(t), nil},
		{"two resignations", resigned(0, 8), resigned(1, 8), Crossed, 9, drawn, nil},
		{"one of two has come", resigned(0, 8), drawn, Crossed, 9, drawn, nil},
		{"the other of two has come", resigned(1, 8), drawn, Crossed, 9, drawn, nil},
		{"sealed, and yet resigned at the same index", resigned(0, 8).sealedUp(t), drawn, Forked, 9, nil, []int{1}},
		{"resigned before entries of one's own", resigned(other, 8), longer, Forked, 9, nil, []int{other}},
		{"resigned instead of an entry of one's own", resigned(mover, 8), long, Forked, 9, nil, []int{mover}},
		{"a draw, and an entry instead", drawn, long, Forked, 9, nil, []int{mover}},
		{"two entries at one index", long, forked, Forked, 9, nil, []int{mover}},
		{"and both went on", longer, forkedOn, Forked, 9, nil, []int{0, 1}},
		{"a draw, and another resignation of one of both", drawn, drawnMatch(t, n, 8), Forked, 9, nil, []int{0, 1}},
		{"other signatures on the terms", whole(t, friendly(n), n), resealed(1), Forked, 0, nil, []int{0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, swap := range []bool{false, true} {
				a, b := verified(t, c.a), verified(t, c.b)
				if swap {
					a, b = b, a
				}
				got, err := Compare(a, b)
				if err != nil {
					t.Fatal(err)
				}
				var fraud [2]bool
				for _, seat := range c.fraud {
					fraud[seat] = true
				}
				if got.Relation != c.rel || got.Index != c.index || got.Fraud != fraud || got.Holds != (c.stands != nil) {
					t.Fatalf("swap %v: relation %d index %d fraud %v holds %v", swap, got.Relation, got.Index, got.Fraud, got.Holds)
				}
				if c.stands != nil {
					if !bytes.Equal(got.Stands.Append(nil), c.stands.Log().Append(nil)) {
						t.Error("another log stands")
					}
					if _, err := Verify(got.Stands, games); err != nil {
						t.Errorf("what stands does not verify: %v", err)
					}
				}
			}
		})
	}
	if _, err := Compare(verified(t, long), verified(t, played(t, n+1, 3))); !errors.Is(err, ErrWrongMatch) {
		t.Error(err)
	}
	if mover == engine.Nobody {
		t.Fatal("nobody moves")
	}
}
