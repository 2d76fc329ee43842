package record

import (
	"bytes"
	"errors"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

// state signs a statement of seat 0 about the match of friendly(1).
func state(sealed bool, index uint32, prev byte, kind engine.Kind) Statement {
	s := Statement{Sealed: sealed, Index: index, Prev: fill(prev), Entry: Entry{Move: engine.Move{Kind: kind}}}
	domain := entryDomain
	if sealed {
		domain = sealDomain
		s.Entry.Move.Seat = 1
	}
	s.Sig = host.sign(signed(domain, friendly(1).ID(), index, s.head()))
	return s
}

// fraudCases are pairs of statements of one seat, and whether they are fraud;
// they are vectors too.
var fraudCases = []struct {
	name string
	a, b Statement
	want Reason
}{
	{"two entries at one index", state(false, 5, 1, engine.Choose), state(false, 5, 1, engine.Flag), 0},
	{"one entry after two histories", state(false, 5, 1, engine.Choose), state(false, 5, 2, engine.Choose), 0},
	{"a resignation and an entry at one index", state(false, 5, 1, engine.Choose), state(false, 5, 1, engine.Resign), 0},
	{"two seals at one index", state(true, 5, 1, engine.Choose), state(true, 5, 2, engine.Choose), 0},
	{"seals of two resignations at one index", state(true, 5, 1, engine.Resign), state(true, 5, 2, engine.Resign), 0},
	{"a seal and an entry at one index", state(true, 5, 1, engine.Choose), state(false, 5, 1, engine.Choose), 0},
	{"a seal and one's resignation at one index", state(true, 5, 1, engine.Choose), state(false, 5, 1, engine.Resign), 0},
	{"an entry after one's resignation", state(false, 5, 1, engine.Resign), state(false, 7, 1, engine.Choose), 0},
	{"a resignation after one's resignation", state(false, 5, 1, engine.Resign), state(false, 6, 1, engine.Resign), 0},
	{"a seal after one's resignation", state(false, 5, 1, engine.Resign), state(true, 6, 1, engine.Resign), 0},

	{"the same entry", state(false, 5, 1, engine.Choose), state(false, 5, 1, engine.Choose), ErrNotFraud},
	{"the same seal", state(true, 5, 1, engine.Choose), state(true, 5, 1, engine.Choose), ErrNotFraud},
	{"entries at two indices", state(false, 5, 1, engine.Choose), state(false, 6, 1, engine.Choose), ErrNotFraud},
	{"an entry, then a resignation", state(false, 5, 1, engine.Choose), state(false, 6, 1, engine.Resign), ErrNotFraud},
	{"the seal of a resignation that dropped one's entry", state(true, 5, 1, engine.Resign), state(false, 5, 1, engine.Choose), ErrNotFraud},
	{"the seal of a resignation that dropped one's resignation", state(true, 5, 1, engine.Resign), state(false, 5, 1, engine.Resign), ErrNotFraud},
	{"the seal of a resignation before one's own", state(true, 5, 1, engine.Resign), state(false, 6, 1, engine.Resign), ErrNotFraud},
	{"an entry, then a seal", state(false, 5, 1, engine.Choose), state(true, 6, 1, engine.Choose), ErrNotFraud},

	{"the other seat's entry", state(false, 5, 1, engine.Choose), by1(state(false, 5, 1, engine.Flag)), ErrAuthor},
	{"a seal of one's own entry", state(true, 5, 1, engine.Choose), by0(state(true, 5, 2, engine.Choose)), ErrSealAuthor},
	{"an entry that the seat did not sign", state(false, 5, 1, engine.Choose), unsigned(state(false, 5, 1, engine.Flag)), ErrSignature},
	{"a seal that the seat did not sign", state(false, 5, 1, engine.Choose), unsigned(state(true, 5, 1, engine.Choose)), ErrSealSignature},
	{"an entry signed for a seal", state(false, 5, 1, engine.Choose), asSeal(state(false, 5, 1, engine.Choose)), ErrSealSignature},
}

func by0(s Statement) Statement { s.Entry.Move.Seat = 0; return s }
func by1(s Statement) Statement { s.Entry.Move.Seat = 1; return s }
func unsigned(s Statement) Statement {
	s.Sig[7] ^= 1
	return s
}
func asSeal(s Statement) Statement { s.Sealed, s.Entry.Move.Seat = true, 1; return s }

func TestFraud(t *testing.T) {
	for _, c := range fraudCases {
		t.Run(c.name, func(t *testing.T) {
			f := NewFraud(friendly(1), 0, c.a, c.b)
			if back := NewFraud(friendly(1), 0, c.b, c.a); back.Both != f.Both {
				t.Error("the order matters")
			}
			b := f.Append(nil)
			got, err := ParseFraud(b)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Append(nil), b) {
				t.Error("does not encode to what it was read from")
			}
			if err := got.Check(); reasonOf(err) != c.want {
				t.Errorf("%v, want %v", err, c.want)
			}
			if Conflict(c.a, c.b) != Conflict(c.b, c.a) {
				t.Error("Conflict depends on the order")
			}
		})
	}
	if err := (Fraud{Terms: friendly(1), Seat: 2}).Check(); !errors.Is(err, ErrAuthor) {
		t.Error(err)
	}
}

func TestNoByteOfAProofCanBeChanged(t *testing.T) {
	good := NewFraud(friendly(1), 0, fraudCases[0].a, fraudCases[0].b).Append(nil)
	for i := range good {
		b := bytes.Clone(good)
		b[i] ^= 1
		if f, err := ParseFraud(b); err == nil && f.Check() == nil {
			t.Errorf("byte %d can be changed", i)
		}
	}
}

func TestAProofOfAnotherMatchDoesNotHold(t *testing.T) {
	f := NewFraud(friendly(2), 0, fraudCases[0].a, fraudCases[0].b)
	if err := f.Check(); !errors.Is(err, ErrSignature) {
		t.Error(err)
	}
}

func TestTheLargestProofFitsAFrame(t *testing.T) {
	terms := rated(1)
	terms.Rules, terms.Params = string(bytes.Repeat([]byte("x"), maxRules)), make([]byte, maxParams)
	s := state(false, 5, 1, engine.Reveal)
	if n := len(NewFraud(terms, 0, s, s).Append(nil)); n > MaxObject {
		t.Errorf("%d bytes", n)
	}
}
