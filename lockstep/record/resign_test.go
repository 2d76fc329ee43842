package record

import (
	"bytes"
	"errors"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"pgregory.net/rapid"
)

// A side is one honest player: it signs once, sends in order, and believes
// its own chain.
type side struct {
	seat int
	m    *Match
	sent []Statement
	got  int // how many of the other's statements have arrived
}

// receive takes in a statement of the other side.
func (s *side) receive(x Statement) error {
	if x.Sealed {
		return s.m.AcceptSeal(Seal{Match: s.m.id, Index: x.Index, Prev: x.Prev, Last: x.Entry, Sig: x.Sig})
	}
	return s.m.Accept(SignedEntry{Match: s.m.id, Index: x.Index, Prev: x.Prev, Entry: x.Entry, Sig: x.Sig})
}

// say signs and applies a move of one's own.
func (s *side) say(e SignedEntry, err error) error {
	if err != nil {
		return err
	}
	s.sent = append(s.sent, e.statement())
	return s.m.Apply(e)
}

// seal seals when it is one's turn to.
func (s *side) seal() error {
	if s.m.SealOwner() != s.seat {
		return nil
	}
	x, err := s.m.SignSeal(both[s.seat].sign)
	if err != nil {
		return err
	}
	s.sent = append(s.sent, x.statement())
	return s.m.ApplySeal(x)
}

// deliver lets the next statement arrive, or all of them.
func (s *side) deliver(from *side) error {
	if s.got == len(from.sent) {
		return nil
	}
	s.got++
	err := s.receive(from.sent[s.got-1])
	if errors.Is(err, ErrDropped) {
		return nil
	}
	return err
}

// Whenever resignations cross whatever is under way, both sides come to the
// same bytes, and nobody who played by the rules can be accused.
func TestCrossingResignationsEndTheSameOnBothSides(t *testing.T) {
	t.Run("any", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			crossing(rt, t, func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(rt, what) })
		})
	})
	t.Run("fixed", func(t *testing.T) {
		draws, drops := 0, 0
		for i := range 40 {
			d := dice(i)
			drawn, dropped := crossing(t, t, func(_ string, n int) int { return d.next(n) })
			if drawn {
				draws++
			}
			drops += dropped
		}
		if draws == 0 || drops == 0 {
			t.Errorf("%d draws, %d drops: nothing was tried", draws, drops)
		}
	})
}

// crossing plays one match between two honest sides as pick says, which gives
// a number below n. It returns whether both resigned at one index, and how
// often entries were dropped.
func crossing(rt interface{ Fatalf(string, ...any) }, tb testing.TB, pick func(what string, n int) int) (drawn bool, drops int) {
	const n = 9
	terms := friendly(n)
	d := dice(pick("dice", 1<<20))
	sides := [2]*side{{seat: 0, m: begin(tb, terms)}, {seat: 1, m: begin(tb, terms)}}
	ok := func(err error) {
		if err != nil {
			rt.Fatalf("%v", err)
		}
	}
	for range 1 + pick("steps", 60) {
		s := sides[pick("side", 2)]
		o := sides[1-s.seat]
		was := s.m.Len()
		switch pick("what", 20) {
		case 0:
			if !s.m.Over() {
				ok(s.say(s.m.Sign(resignation(s.seat), 1, 1, both[s.seat].sign)))
			}
		case 1: // something old arrives again
			if s.got > 0 {
				err := s.receive(o.sent[pick("old", s.got)])
				if !errors.Is(err, ErrHeld) && !errors.Is(err, ErrDropped) {
					rt.Fatalf("old: %v", err)
				}
			}
		case 2, 3, 4, 5:
			ok(s.deliver(o))
		case 6:
			ok(s.seal())
		default:
			if !s.m.Over() && s.m.Position().Owes() == s.seat {
				ok(s.say(next(tb, s.m, n, &d), nil))
			} else {
				ok(s.deliver(o))
			}
		}
		if s.m.Len() < was {
			drops++
		}
		if pick("verify", 8) == 0 {
			_, err := Verify(s.m.Log(), games)
			ok(err)
		}
	}
	for range 2 {
		for _, s := range sides {
			for s.got < len(sides[1-s.seat].sent) {
				ok(s.deliver(sides[1-s.seat]))
			}
		}
		for _, s := range sides {
			ok(s.seal())
		}
	}
	a, b := sides[0].m, sides[1].m
	if !bytes.Equal(a.Log().Append(nil), b.Log().Append(nil)) {
		rt.Fatalf("seat 0 has %d entries, %+v; seat 1 has %d, %+v", a.Len(), a.Outcome(), b.Len(), b.Outcome())
	}
	if a.Over() && !a.Sealed() {
		rt.Fatalf("over, and not sealed")
	}
	if _, drawn = a.Resignations(); drawn {
		if o := a.Outcome(); o.Winner != engine.Nobody || o.End != engine.Resigned || !o.Over {
			rt.Fatalf("drawn: %+v", o)
		}
	}
	for _, s := range sides {
		for i, x := range s.sent {
			for _, y := range s.sent[i+1:] {
				if Conflict(x, y) {
					rt.Fatalf("honest statements %d and %d conflict", x.Index, y.Index)
				}
			}
		}
	}
	return drawn, drops
}

// resignAt has a seat resign as if it held no more than the first n entries.
func resignAt(t *testing.T, m *Match, seat, n int) SignedEntry {
	t.Helper()
	prev, _ := m.HeadAt(n)
	pos := m.start
	for i := 1; i <= n; i++ {
		var err error
		if pos, err = pos.Apply(m.EntryAt(i).Entry.Move); err != nil {
			t.Fatal(err)
		}
	}
	pos, err := pos.Apply(resignation(seat))
	if err != nil {
		t.Fatal(err)
	}
	return m.forge(seat, uint32(n+1), prev, Entry{Move: resignation(seat), Digest: pos.Digest()})
}

func TestResignations(t *testing.T) {
	const n = 5
	t.Run("before an entry of one's own", func(t *testing.T) {
		m := begin(t, friendly(n))
		playOn(t, m, n, 20)
		for i := range 20 {
			for seat := range 2 {
				own := false
				for k := i + 1; k <= 20; k++ {
					own = own || int(m.EntryAt(k).Entry.Move.Seat) == seat
				}
				e := resignAt(t, m, seat, i)
				if own {
					refusal(t, m, ErrFork, func() error { return m.Accept(e) })
					fork, _ := errors.AsType[*ForkError](m.Accept(e))
					if fork.Fraud.Seat != seat || fork.Fraud.Check() != nil {
						t.Error("no proof")
					}
					continue
				}
				fresh := begin(t, friendly(n))
				playOn(t, fresh, n, 20)
				if err := fresh.Accept(e); err != nil {
					t.Errorf("resignation of seat %d at %d: %v", seat, i+1, err)
				}
				if fresh.Len() != i+1 || fresh.Outcome().Winner != 1-seat {
					t.Errorf("%d entries, %+v", fresh.Len(), fresh.Outcome())
				}
			}
		}
	})
	t.Run("before an entry of one's own whose signature does not hold", func(t *testing.T) {
		m := begin(t, friendly(n))
		playOn(t, m, n, 4)
		e := resignAt(t, m, 0, 0)
		for i := range m.entries {
			m.entries[i].Sig[0] ^= 1
		}
		refusal(t, m, ErrStaleResign, func() error { return m.Accept(e) })
	})
	t.Run("with a wrong digest it drops nothing", func(t *testing.T) {
		m := begin(t, friendly(n))
		playOn(t, m, n, 20)
		seat := 1 - int(m.EntryAt(20).Entry.Move.Seat)
		e := resignAt(t, m, seat, 19)
		e.Entry.Digest[0]++
		e = m.forge(seat, e.Index, e.Prev, e.Entry)
		refusal(t, m, ErrDigest, func() error { return m.Accept(e) })
	})
	t.Run("on another history it drops nothing", func(t *testing.T) {
		m := begin(t, friendly(n))
		playOn(t, m, n, 20)
		seat := 1 - int(m.EntryAt(20).Entry.Move.Seat)
		e := resignAt(t, m, seat, 19)
		e = m.forge(seat, e.Index, Head{1}, e.Entry)
		refusal(t, m, ErrHead, func() error { return m.Accept(e) })
	})
	t.Run("across the end of the match", func(t *testing.T) {
		m := begin(t, friendly(n))
		playOn(t, m, n, 1000)
		owner := m.SealOwner()
		if err := m.Accept(resignAt(t, m, owner, m.Len()-1)); err != nil {
			t.Fatal(err)
		}
		if o := m.Outcome(); o.End != engine.Resigned || o.Winner != 1-owner {
			t.Errorf("%+v", o)
		}
	})
	t.Run("after one's own seal", func(t *testing.T) {
		m := whole(t, friendly(n), n)
		s, _ := m.Seal()
		e := resignAt(t, m, 1-int(s.Last.Move.Seat), m.Len()-1)
		refusal(t, m, ErrFork, func() error { return m.Accept(e) })
	})
	t.Run("after one's own seal whose signature does not hold", func(t *testing.T) {
		m := whole(t, friendly(n), n)
		s, _ := m.Seal()
		e := resignAt(t, m, 1-int(s.Last.Move.Seat), m.Len()-1)
		m.seal.Sig[0] ^= 1
		head := m.Head()
		refusal(t, m, ErrStaleResign, func() error { return m.Accept(e) })
		if m.Head() != head || !m.Sealed() {
			t.Error("a sealed match has another end")
		}
	})
	t.Run("once more, under another signature", func(t *testing.T) {
		m := begin(t, friendly(n))
		playOn(t, m, n, 10)
		for _, e := range []SignedEntry{resignAt(t, m, 0, 10), resignAt(t, m, 1, 10)} {
			if err := m.Accept(e); err != nil {
				t.Fatal(err)
			}
			e.Sig[0] ^= 1
			refusal(t, m, ErrHeld, func() error { return m.Apply(e) })
		}
	})
	t.Run("the second of two with a wrong digest draws nothing", func(t *testing.T) {
		m := begin(t, friendly(n))
		playOn(t, m, n, 10)
		one := resignAt(t, m, 1, 10)
		one.Entry.Digest[0]++
		one = m.forge(1, one.Index, one.Prev, one.Entry)
		if err := m.Accept(resignAt(t, m, 0, 10)); err != nil {
			t.Fatal(err)
		}
		refusal(t, m, ErrDigest, func() error { return m.Accept(one) })
	})
	t.Run("what no entry can hold", func(t *testing.T) {
		m := begin(t, friendly(n))
		playOn(t, m, n, 10)
		e := resignAt(t, m, 0, 9)
		e.Entry.Move.Data = 1 << 63
		refusal(t, m, ErrIllegal, func() error { return m.Apply(e) })
	})
	t.Run("a draw, then a seal of the other's resignation", func(t *testing.T) {
		m := begin(t, friendly(n))
		playOn(t, m, n, 10)
		zero, one := resignAt(t, m, 0, 10), resignAt(t, m, 1, 10)
		for _, e := range []SignedEntry{one, zero} {
			if err := m.Accept(e); err != nil {
				t.Fatal(err)
			}
		}
		pair, drawn := m.Resignations()
		if !drawn || pair != [2]SignedEntry{zero, one} || m.Len() != 11 || m.SealOwner() != engine.Nobody {
			t.Fatalf("not a draw: %v", m.Outcome())
		}
		refusal(t, m, ErrHeld, func() error { return m.Accept(one) })
		refusal(t, m, ErrHeld, func() error { return m.Accept(zero) })
		s := Seal{Match: m.id, Index: 12, Prev: zero.Prev, Last: zero.Entry}
		s.Sig = guest.sign(signed(sealDomain, s.Match, s.Index, s.Head()))
		refusal(t, m, ErrFork, func() error { return m.AcceptSeal(s) })
		later := m.forge(1, 12, m.Head(), Entry{Move: resignation(1)})
		refusal(t, m, ErrFork, func() error { return m.Accept(later) })
		other := zero
		other.Entry.ThinkMs++
		other = m.forge(0, 11, other.Prev, other.Entry)
		refusal(t, m, ErrFork, func() error { return m.Accept(other) })
	})
}
