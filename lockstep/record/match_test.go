package record

import (
	"bytes"
	"errors"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

func TestBothSidesOfAMatchHaveTheSameBytes(t *testing.T) {
	for n := range uint64(40) {
		terms := friendly(n)
		if n%2 == 1 {
			terms = rated(n)
		}
		sides := [2]*Match{begin(t, terms), begin(t, terms)}
		d := dice(n)
		for !sides[0].Over() {
			e := next(t, sides[0], n, &d)
			own := sides[e.Entry.Move.Seat]
			if err := own.Apply(e); err != nil {
				t.Fatal(err)
			}
			travelled, err := ParseSignedEntry(e.Append(nil))
			if err != nil {
				t.Fatal(err)
			}
			if err := sides[1-e.Entry.Move.Seat].Accept(travelled); err != nil {
				t.Fatal(err)
			}
		}
		owner := sides[0].SealOwner()
		s, err := sides[owner].SignSeal(both[owner].sign)
		if err != nil {
			t.Fatal(err)
		}
		travelled, err := ParseSeal(s.Append(nil))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(sides[owner].ApplySeal(s), sides[1-owner].AcceptSeal(travelled)); err != nil {
			t.Fatal(err)
		}
		file := sides[0].Log().Append(nil)
		if !bytes.Equal(file, sides[1].Log().Append(nil)) {
			t.Fatal("logs differ")
		}
		l, err := ParseLog(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(l.Append(nil), file) {
			t.Fatal("log does not encode to the bytes it was read from")
		}
		v, err := Verify(l, games)
		if err != nil {
			t.Fatal(err)
		}
		if !v.Complete() || !v.Sealed() || v.Head() != sides[0].Head() || v.Outcome() != sides[1].Outcome() || v.Len() != sides[1].Len() {
			t.Fatalf("verified %+v, head %x; played %+v, head %x", v.Outcome(), v.Head(), sides[1].Outcome(), sides[1].Head())
		}
		for i := range v.Len() + 1 {
			h, ok := sides[1].HeadAt(i)
			if i > 0 && (v.EntryAt(i) != sides[1].EntryAt(i).Entry || v.PositionAt(i).Digest() != v.EntryAt(i).Digest) {
				t.Fatalf("entry %d differs", i)
			}
			if !ok || i > 0 && h != sides[1].EntryAt(i).Head() {
				t.Fatalf("head %d differs", i)
			}
		}
	}
}

// refusal holds what a Match must refuse with, and that it is then as before.
func refusal(t *testing.T, m *Match, want Reason, do func() error) {
	t.Helper()
	before, file := *m, m.Log().Append(nil)
	err := do()
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
	if !bytes.Equal(file, m.Log().Append(nil)) || m.Head() != before.head || m.Position().Digest() != before.chain.pos.Digest() || m.chain.reveals != before.chain.reveals {
		t.Errorf("%v: the match has changed", want)
	}
}

func TestAMatchRefuses(t *testing.T) {
	const n = 3
	played := begin(t, friendly(n))
	playOn(t, played, n, 2)
	splitter := played.Position().Owes()
	splits, _ := played.Position().(duel.State).Block().Splits()
	split := engine.Move{Seat: uint8(splitter), Kind: engine.Split, Data: uint64(splits[0])}

	type change func(m *Match, e *SignedEntry)
	// resign signs what was changed with the key of the seat that it names.
	sign := func(m *Match, e *SignedEntry) {
		e.Sig = both[e.Entry.Move.Seat&1].sign(signed(entryDomain, e.Match, e.Index, e.Head()))
	}
	for _, c := range []struct {
		name   string
		want   Reason
		change change
	}{
		{"of another match", ErrWrongMatch, func(m *Match, e *SignedEntry) { e.Match[0]++; sign(m, e) }},
		{"one too far on", ErrIndex, func(m *Match, e *SignedEntry) { e.Index++; sign(m, e) }},
		{"index 0", ErrIndex, func(m *Match, e *SignedEntry) { e.Index = 0; sign(m, e) }},
		{"signed by the other", ErrSignature, func(m *Match, e *SignedEntry) {
			e.Sig = both[1-splitter].sign(signed(entryDomain, e.Match, e.Index, e.Head()))
		}},
		{"a flipped bit of the signature", ErrSignature, func(m *Match, e *SignedEntry) { e.Sig[40] ^= 1 }},
		{"signed as a seal", ErrSignature, func(m *Match, e *SignedEntry) {
			e.Sig = both[splitter].sign(signed(sealDomain, e.Match, e.Index, e.Head()))
		}},
		{"signature made for another index", ErrSignature, func(m *Match, e *SignedEntry) { e.Index++; sign(m, e); e.Index-- }},
		{"signature made for another match", ErrSignature, func(m *Match, e *SignedEntry) { id := e.Match; e.Match[3]++; sign(m, e); e.Match = id }},
		{"another history", ErrHead, func(m *Match, e *SignedEntry) { e.Prev[0]++; sign(m, e) }},
		{"by the other seat", ErrAuthor, func(m *Match, e *SignedEntry) { e.Entry.Move.Seat ^= 1; sign(m, e) }},
		{"by no seat", ErrAuthor, func(m *Match, e *SignedEntry) { e.Entry.Move.Seat = 2 }},
		{"a choice", ErrNotAwaited, func(m *Match, e *SignedEntry) {
			e.Entry.Move = engine.Move{Seat: e.Entry.Move.Seat, Kind: engine.Choose}
			sign(m, e)
		}},
		{"no split of this block", ErrIllegal, func(m *Match, e *SignedEntry) { e.Entry.Move.Data = 1; sign(m, e) }},
		{"a digest of another state", ErrDigest, func(m *Match, e *SignedEntry) { e.Entry.Digest[31]++; sign(m, e) }},
		{"a kind that matches do not have", ErrSignature, func(m *Match, e *SignedEntry) { e.Entry.Move.Kind = engine.Hint }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := begin(t, friendly(n))
			playOn(t, m, n, 2)
			e := mustSign(t, m, split)
			c.change(m, &e)
			refusal(t, m, c.want, func() error { return m.Accept(e) })
		})
	}
	t.Run("a layer that does not fit", func(t *testing.T) {
		m := begin(t, friendly(n))
		for _, layer := range [][32]byte{{}, chances(n)[0].Layer(2), chances(n)[0].Anchor(), chances(n)[1].Layer(1)} {
			move := engine.Move{Kind: engine.Reveal, Layer: layer}
			refusal(t, m, ErrLayer, func() error { _, _, err := m.Next(move, 0, 0); return err })
			refusal(t, m, ErrLayer, func() error { return m.Accept(m.forge(0, 1, m.Head(), Entry{Move: move})) })
		}
	})
	t.Run("a flag for a reveal", func(t *testing.T) {
		m := begin(t, friendly(n))
		refusal(t, m, ErrNotAwaited, func() error { _, _, err := m.Next(engine.Move{Kind: engine.Flag}, 0, 0); return err })
	})
	t.Run("a flag without a limit", func(t *testing.T) {
		terms := friendly(n)
		terms.Limits = NoLimits
		m := begin(t, terms)
		playOn(t, m, n, 2)
		refusal(t, m, ErrNoClock, func() error {
			_, _, err := m.Next(engine.Move{Seat: uint8(m.Position().Owes()), Kind: engine.Flag}, 0, 0)
			return err
		})
	})
	t.Run("held", func(t *testing.T) {
		m := begin(t, friendly(n))
		playOn(t, m, n, 20)
		for i := 1; i <= m.Len(); i++ {
			refusal(t, m, ErrHeld, func() error { return m.Accept(m.EntryAt(i)) })
			refusal(t, m, ErrHeld, func() error { return m.Apply(m.EntryAt(i)) })
		}
	})
	t.Run("a fork", func(t *testing.T) {
		m := begin(t, friendly(n))
		playOn(t, m, n, 20)
		for i := 1; i <= m.Len(); i++ {
			e := m.EntryAt(i)
			e.Entry.ThinkMs++
			sign(m, &e)
			refusal(t, m, ErrFork, func() error { return m.Accept(e) })
			fork, ok := errors.AsType[*ForkError](m.Accept(e))
			if !ok || fork.Fraud.Seat != int(e.Entry.Move.Seat) || fork.Fraud.Check() != nil {
				t.Fatalf("entry %d: no proof in %v", i, m.Accept(e))
			}
			e.Sig[0] ^= 1
			refusal(t, m, ErrSignature, func() error { return m.Accept(e) })
		}
	})
	t.Run("over", func(t *testing.T) {
		m := whole(t, friendly(n), n)
		refusal(t, m, ErrOver, func() error { _, _, err := m.Next(resignation(0), 0, 0); return err })
		for seat := range 2 {
			e := m.forge(seat, uint32(m.Len()+1), m.Head(), Entry{Move: resignation(seat)})
			want := ErrOver // of the last author: it signed nothing else at this index
			if s, _ := m.Seal(); int(s.Last.Move.Seat) != seat {
				want = ErrFork
			}
			refusal(t, m, want, func() error { return m.Accept(e) })
		}
	})
	t.Run("the other seat in a taken place", func(t *testing.T) {
		m := begin(t, friendly(n))
		playOn(t, m, n, 5)
		e := m.EntryAt(5)
		e.Entry.Move.Seat ^= 1
		sign(m, &e)
		refusal(t, m, ErrAuthor, func() error { return m.Accept(e) })
	})
	t.Run("a full match", func(t *testing.T) {
		m := begin(t, friendly(n))
		m.size = MaxMatch - minEntry + 1
		refusal(t, m, ErrFull, func() error { _, _, err := m.Next(resignation(0), 0, 0); return err })
		pos, _ := m.Position().Apply(resignation(1))
		e := m.forge(1, 1, m.Head(), Entry{Move: resignation(1), Digest: pos.Digest()})
		refusal(t, m, ErrFull, func() error { return m.Accept(e) })
		m.size--
		if err := m.Accept(e); err != nil {
			t.Error(err)
		}
	})
}

func TestTheSizeOfAMatchIsThatOfItsLog(t *testing.T) {
	for n := range uint64(20) {
		m := whole(t, friendly(n), n)
		if got := len(m.Log().Append(nil)); got != m.size {
			t.Errorf("size %d, log %d bytes", m.size, got)
		}
	}
}

func TestAMatchRefusesSeals(t *testing.T) {
	const n = 4
	m := begin(t, friendly(n))
	playOn(t, m, n, 1000)
	owner := m.SealOwner()
	good, err := m.SignSeal(both[owner].sign)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(s *Seal, seat int) { s.Sig = both[seat].sign(signed(sealDomain, s.Match, s.Index, s.Head())) }
	for _, c := range []struct {
		name   string
		want   Reason
		change func(s *Seal)
	}{
		{"of another match", ErrWrongMatch, func(s *Seal) { s.Match[0]++; sign(s, owner) }},
		{"flipped bit", ErrSealSignature, func(s *Seal) { s.Sig[0] ^= 1 }},
		{"of the last author", ErrSealSignature, func(s *Seal) { sign(s, 1-owner) }},
		{"signed as an entry", ErrSealSignature, func(s *Seal) { s.Sig = both[owner].sign(signed(entryDomain, s.Match, s.Index, s.Head())) }},
		{"another head", ErrHead, func(s *Seal) { s.Prev[0]++; sign(s, owner) }},
		{"another last entry", ErrHead, func(s *Seal) { s.Last.WaitMs++; sign(s, owner) }},
		{"another index", ErrHead, func(s *Seal) { s.Index++; sign(s, owner) }},
		{"no such last entry", ErrSealSignature, func(s *Seal) { s.Last.Move.Seat = 3 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := good
			c.change(&s)
			refusal(t, m, c.want, func() error { return m.AcceptSeal(s) })
		})
	}
	if err := m.AcceptSeal(good); err != nil {
		t.Fatal(err)
	}
	refusal(t, m, ErrHeld, func() error { return m.AcceptSeal(good) })
	if m.SealOwner() != engine.Nobody || !m.Sealed() {
		t.Error("not sealed")
	}
	refusal(t, m, ErrNotOver, func() error { _, err := m.SignSeal(both[owner].sign); return err })
	second := good
	second.Last.WaitMs++
	sign(&second, owner)
	refusal(t, m, ErrFork, func() error { return m.AcceptSeal(second) })

	open := begin(t, friendly(n))
	playOn(t, open, n, 7)
	refusal(t, open, ErrNotOver, func() error { _, err := open.SignSeal(host.sign); return err })
	last := open.EntryAt(7)
	early := Seal{Match: open.ID(), Index: 8, Prev: last.Prev, Last: last.Entry}
	sign(&early, 1-int(last.Entry.Move.Seat))
	refusal(t, open, ErrNotOver, func() error { return open.AcceptSeal(early) })
}

func TestBeginRefusesTermsThatAreNotSigned(t *testing.T) {
	terms := friendly(1)
	for seat := range 2 {
		sigs := signTerms(terms)
		sigs[seat][3] ^= 1
		if _, err := Begin(terms, sigs, games); !errors.Is(err, ErrTermsSignature) {
			t.Errorf("seat %d: %v", seat, err)
		}
	}
	sigs := signTerms(terms)
	sigs[0], sigs[1] = sigs[1], sigs[0]
	if _, err := Begin(terms, sigs, games); !errors.Is(err, ErrTermsSignature) {
		t.Error(err)
	}
}
