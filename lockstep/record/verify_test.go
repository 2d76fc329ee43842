package record

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"pgregory.net/rapid"
)

// reverify parses and verifies the bytes of a log.
func reverify(b []byte) (Verified, error) {
	l, err := ParseLog(b)
	if err != nil {
		return Verified{}, err
	}
	return Verify(l, games)
}

// logs are one log of every form, by name.
func logs(tb testing.TB) map[string][]byte {
	tb.Helper()
	open := begin(tb, friendly(2))
	playOn(tb, open, 2, 17)
	one := begin(tb, friendly(2))
	playOn(tb, one, 2, 1)
	all := map[string][]byte{
		"sealed":   whole(tb, friendly(2), 2).Log().Append(nil),
		"rated":    whole(tb, rated(3), 3).Log().Append(nil),
		"open":     open.Log().Append(nil),
		"begun":    begin(tb, friendly(2)).Log().Append(nil),
		"one":      one.Log().Append(nil),
		"drawn":    drawnMatch(tb, 2, 6).Log().Append(nil),
		"resigned": resignedMatch(tb, 2, 6).Log().Append(nil),
	}
	unsealed := begin(tb, friendly(2))
	playOn(tb, unsealed, 2, 1000)
	all["unsealed"] = unsealed.Log().Append(nil)
	return all
}

// drawnMatch is match n in which both resigned after so many entries.
func drawnMatch(tb testing.TB, n uint64, entries int) *Match {
	tb.Helper()
	m := begin(tb, friendly(n))
	playOn(tb, m, n, entries)
	zero, one := mustSign(tb, m, resignation(0)), mustSign(tb, m, resignation(1))
	if err := errors.Join(m.Accept(zero), m.Accept(one)); err != nil {
		tb.Fatal(err)
	}
	return m
}

// resignedMatch is match n in which seat 0 resigned after so many entries.
func resignedMatch(tb testing.TB, n uint64, entries int) *Match {
	tb.Helper()
	m := begin(tb, friendly(n))
	playOn(tb, m, n, entries)
	if err := m.Accept(mustSign(tb, m, resignation(0))); err != nil {
		tb.Fatal(err)
	}
	s, err := m.SignSeal(guest.sign)
	if err != nil {
		tb.Fatal(err)
	}
	if err := m.AcceptSeal(s); err != nil {
		tb.Fatal(err)
	}
	return m
}

func TestVerifiedLogs(t *testing.T) {
	all := logs(t)
	for name, want := range map[string]struct {
		complete, sealed, drawn bool
		end                     engine.End
	}{
		"sealed":   {true, true, false, engine.Played},
		"rated":    {true, true, false, engine.Played},
		"unsealed": {true, false, false, engine.Played},
		"open":     {false, false, false, engine.Unfinished},
		"begun":    {false, false, false, engine.Unfinished},
		"one":      {false, false, false, engine.Unfinished},
		"drawn":    {true, true, true, engine.Resigned},
		"resigned": {true, true, false, engine.Resigned},
	} {
		v, err := reverify(all[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if v.Complete() != want.complete || v.Sealed() != want.sealed || v.Drawn() != want.drawn || v.Outcome().End != want.end {
			t.Errorf("%s: complete %v, sealed %v, drawn %v, %+v", name, v.Complete(), v.Sealed(), v.Drawn(), v.Outcome())
		}
		if v.Drawn() && (v.Outcome().Winner != engine.Nobody || v.Len() != 7 || v.EntryAt(7).Move != resignation(0)) {
			t.Errorf("%s: %+v, %d entries", name, v.Outcome(), v.Len())
		}
		for i := range v.Len() {
			if i > 0 && v.PositionAt(i).Digest() != v.EntryAt(i).Digest {
				t.Errorf("%s: position %d", name, i)
			}
		}
		if v.PositionAt(v.Len()).Digest() != v.Position().Digest() {
			t.Errorf("%s: last position", name)
		}
	}
}

// A thousand matches verify, and each replayed three times in one process
// gives the same bytes.
func TestAThousandMatchesVerify(t *testing.T) {
	matches := uint64(1000)
	if runtime.GOARCH == "386" || runtime.GOARCH == "wasm" || underRace {
		matches = 50 // signatures take ten times as long there
	}
	for n := range matches {
		terms := friendly(n)
		m := whole(t, terms, n)
		file := m.Log().Append(nil)
		var state []byte
		for range 3 {
			v, err := reverify(file)
			if err != nil {
				t.Fatalf("match %d: %v", n, err)
			}
			if !v.Complete() || !v.Sealed() || v.Head() != m.Head() || !bytes.Equal(v.Log().Append(nil), file) {
				t.Fatalf("match %d comes out otherwise", n)
			}
			now := v.Position().Append(nil)
			if state != nil && !bytes.Equal(now, state) {
				t.Fatalf("match %d ends in two states", n)
			}
			state = now
		}
	}
}

// No byte of a log of any form can be changed, in any way.
func TestAFlippedByteNeverVerifies(t *testing.T) {
	for name, good := range logs(t) {
		mask, stride := byte(1), 5
		if name == "sealed" || name == "drawn" || name == "one" {
			stride = 1
		}
		for i := 0; i < len(good); i += stride {
			b := bytes.Clone(good)
			b[i] ^= mask
			if mask <<= 1; mask == 0 {
				mask = 1
			}
			if _, err := reverify(b); err == nil {
				t.Fatalf("%s: byte %d of %d can be changed", name, i, len(good))
			}
		}
	}
}

func TestAChangedLogNeverVerifies(t *testing.T) {
	all := logs(t)
	rapid.Check(t, func(t *rapid.T) {
		good := all[rapid.SampledFrom([]string{"sealed", "rated", "open", "drawn", "resigned", "unsealed"}).Draw(t, "log")]
		b := bytes.Clone(good)
		i := rapid.IntRange(0, len(b)-1).Draw(t, "at")
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			b[i] ^= rapid.ByteRange(1, 255).Draw(t, "flip")
		case 1:
			b = b[:i]
		case 2:
			b = append(b[:i], b[i+1:]...)
		case 3:
			b = append(b[:i:i], append([]byte{rapid.Byte().Draw(t, "byte")}, b[i:]...)...)
		}
		if bytes.Equal(b, good) {
			return
		}
		if _, err := reverify(b); err == nil {
			t.Fatal("verifies")
		}
	})
}

// Two signatures carry a sealed log, and no third is checked: one whose other
// signatures are rubbish, that both players nevertheless signed, holds.
func TestExactlyTwoSignaturesAreChecked(t *testing.T) {
	terms := friendly(2)
	m := begin(t, terms)
	m.sigs = [2]Signature{{1}, {2}}
	m.first = firstHead(m.id, &m.sigs)
	m.rewind(0)
	playOn(t, m, 2, 1000)
	s, err := m.SignSeal(both[m.SealOwner()].sign)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.ApplySeal(s); err != nil {
		t.Fatal(err)
	}
	l := m.Log()
	if _, err := Verify(l, games); err != nil {
		t.Errorf("a third signature is checked: %v", err)
	}
	for seat := range 2 {
		bad := l
		bad.last[seat][9] ^= 1
		if _, err := Verify(bad, games); err == nil {
			t.Errorf("the signature of seat %d is not checked", seat)
		}
	}
}

// sealAs signs a log afresh, as if both players had made and sealed what it
// says.
func (l Log) sealAs() Log {
	id := l.terms.ID()
	l.termsSigs = signTerms(l.terms)
	head := firstHead(id, &l.termsSigs)
	for i := range l.entries {
		e := &l.entries[i]
		head = e.after(&head)
		l.last[e.Move.Seat] = both[e.Move.Seat].sign(signed(entryDomain, id, uint32(i+1), head))
	}
	if l.end == endSealed {
		n := len(l.entries)
		seat := 1 - l.entries[n-1].Move.Seat
		l.last[seat] = both[seat].sign(signed(sealDomain, id, uint32(n+1), head))
	}
	return l
}

// logCases are logs that both players signed, or seem to have, and what
// Verify says of them; the vectors are made from them.
var logCases = []struct {
	name   string
	want   Reason
	entry  int
	signed bool
	change func(l *Log) // of a match of 8 entries
}{
	{"as it was", 0, 0, false, func(l *Log) {}},
	{"signed afresh", 0, 0, false, func(l *Log) { *l = l.sealAs() }},
	{"terms of other parameters", ErrUnknownParams, 0, false, func(l *Log) { l.terms.Params = []byte{9}; *l = l.sealAs() }},
	{"terms with equal nonces", ErrSameNonces, 0, false, func(l *Log) { l.terms.Nonces[1] = l.terms.Nonces[0]; *l = l.sealAs() }},
	{"signature of seat 0 changed", ErrSignature, 0, false, func(l *Log) { l.last[0][5] ^= 1 }},
	{"signature of seat 1 changed", ErrSignature, 0, false, func(l *Log) { l.last[1][5] ^= 1 }},
	{"signatures swapped", ErrSignature, 0, false, func(l *Log) { l.last[0], l.last[1] = l.last[1], l.last[0] }},
	{"terms' signature changed", ErrSignature, 0, false, func(l *Log) { l.termsSigs[0][5] ^= 1 }},
	{"thinking time changed", ErrSignature, 0, false, func(l *Log) { l.entries[0].ThinkMs++ }},
	{"an entry twice", ErrAuthor, 2, true, func(l *Log) { l.entries = append(l.entries[:1:1], l.entries...); *l = l.sealAs() }},
	{"an entry left out", ErrAuthor, 1, true, func(l *Log) { l.entries = l.entries[1:]; *l = l.sealAs() }},
	{"two entries swapped", ErrAuthor, 1, true, func(l *Log) { l.entries[0], l.entries[1] = l.entries[1], l.entries[0]; *l = l.sealAs() }},
	{"another layer", ErrLayer, 2, true, func(l *Log) { l.entries[1].Move.Layer[0] ^= 1; *l = l.sealAs() }},
	{"the wrong kind", ErrNotAwaited, 3, true, func(l *Log) {
		l.entries[2].Move = engine.Move{Seat: l.entries[2].Move.Seat, Kind: engine.Choose}
		*l = l.sealAs()
	}},
	{"no split of the block", ErrIllegal, 3, true, func(l *Log) { l.entries[2].Move.Data = 3; *l = l.sealAs() }},
	{"a wrong digest", ErrDigest, 4, true, func(l *Log) { l.entries[3].Digest[0] ^= 1; *l = l.sealAs() }},
	{"a flag without a limit", ErrNoClock, 3, true, func(l *Log) { *l = flaggedWithoutLimit() }},
	{"sealed before the end", ErrNotOver, 9, true, func(l *Log) { l.end = endSealed; *l = l.sealAs() }},
	{"the seal changed", ErrSealSignature, 9, false, func(l *Log) {
		l.end = endSealed
		*l = l.sealAs()
		l.last[1-l.entries[7].Move.Seat][0] ^= 1
	}},
	{"an entry after a resignation", ErrOver, 2, true, func(l *Log) {
		l.entries[0].Move = resignation(0)
		l.entries[0].Digest = resignDigest(l.terms, 0)
		*l = l.sealAs()
	}},
	{"two resignations, one after the other", ErrOver, 2, true, func(l *Log) {
		l.entries = []Entry{{Move: resignation(0), Digest: resignDigest(l.terms, 0)}, {Move: resignation(1), Digest: resignDigest(l.terms, 1)}}
		*l = l.sealAs()
	}},
	{"nobody made an entry, and a signature on the terms is another's", ErrTermsSignature, 0, false, func(l *Log) {
		l.entries, l.last = nil, [2]Signature{}
		*l = l.sealAs()
		l.termsSigs[1] = l.termsSigs[0]
	}},
}

// resignDigest is the digest after a seat resigns at once.
func resignDigest(t Terms, seat int) [32]byte {
	_, pos, err := t.start(games)
	if err != nil {
		panic(err)
	}
	pos, err = pos.Apply(resignation(seat))
	if err != nil {
		panic(err)
	}
	return pos.Digest()
}

// flaggedWithoutLimit is a log whose third entry is a flag, in a match whose
// terms set no limits.
func flaggedWithoutLimit() Log {
	l := Log{terms: friendly(2)}
	l.terms.Limits = NoLimits
	_, pos, err := l.terms.start(games)
	for i := 0; i < 3 && err == nil; i++ {
		move := engine.Move{Seat: uint8(pos.Owes()), Kind: engine.Flag}
		if i < 2 {
			move.Kind, move.Layer = engine.Reveal, chances(2)[move.Seat].Layer(1)
		}
		if pos, err = pos.Apply(move); err == nil {
			l.entries = append(l.entries, Entry{Move: move, Digest: pos.Digest()})
		}
	}
	if err != nil {
		panic(err)
	}
	return l.sealAs()
}

// shortLog is an open log of 8 entries, as logCases want it.
func shortLog(tb testing.TB) Log {
	m := begin(tb, friendly(2))
	playOn(tb, m, 2, 8)
	l := m.Log()
	return l
}

func TestVerifyRefuses(t *testing.T) {
	for _, c := range logCases {
		t.Run(c.name, func(t *testing.T) {
			l := shortLog(t)
			c.change(&l)
			_, err := reverify(l.Append(nil))
			if c.want == 0 {
				if err != nil {
					t.Error(err)
				}
				return
			}
			ve, ok := errors.AsType[*VerifyError](err)
			if !ok || reasonOf(err) != c.want || ve.Signed != c.signed || c.entry != 0 && ve.Entry != c.entry {
				t.Fatalf("got %+v, want %v at %d, signed %v", err, c.want, c.entry, c.signed)
			}
			if !strings.HasPrefix(err.Error(), "record: ") || strings.Count(err.Error(), "record: ") != 1 {
				t.Errorf("text %q", err)
			}
		})
	}
}

func TestVerifyNeedsTheRuleset(t *testing.T) {
	l := shortLog(t)
	if _, err := Verify(l, Games{}); !errors.Is(err, ErrUnknownRules) {
		t.Error(err)
	}
}

func TestAMatchOfOtherGamesDiffersInItsDigest(t *testing.T) {
	l := shortLog(t)
	_, err := Verify(l, Games{l.terms.Rules: otherDuel{games[l.terms.Rules]}})
	d, ok := errors.AsType[*DigestError](err)
	if !ok || d.Index != 1 || d.Want == d.Got || d.Got != l.entries[0].Digest {
		t.Errorf("%v", err)
	}
}

// otherDuel is a Duel with another digest.
type otherDuel struct{ engine.Game }
type otherPosition struct{ engine.Position }

func (g otherDuel) Start(seed [32]byte, params []byte) (engine.Position, error) {
	p, err := g.Game.Start(seed, params)
	return otherPosition{p}, err
}
func (p otherPosition) Digest() [32]byte { d := p.Position.Digest(); d[0]++; return d }
func (p otherPosition) Apply(m engine.Move) (engine.Position, error) {
	next, err := p.Position.Apply(m)
	if err != nil {
		return nil, err
	}
	return otherPosition{next}, nil
}
