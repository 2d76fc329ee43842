package record

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

// makeVectors makes all vectors from fixed keys.
func makeVectors(t *testing.T) []vector {
	var all []vector
	add := func(v vector) { all = append(all, v) }
	nameOf := func(r Reason) string {
		if r == 0 {
			return ""
		}
		return r.Name()
	}
	for _, c := range keyCases {
		h := c.hex
		if h == "" {
			h = hexOf(host.key[:])
		}
		add(vector{Object: "key", Name: c.name, Hex: strings.Trim(h, "-"), Error: nameOf(c.want)})
	}
	for _, c := range []struct {
		name, text string
		want       Reason
	}{
		{"the host's", PlayerCode(host.key), 0},
		{"forgiven", " OlaB--oooo illz\tYXo1", 0},
		{"a U", "U1AB-0000-111Z-YX01", ErrPlayerCode},
		{"too short", "01AB-0000-111Z-YX0", ErrPlayerCode},
		{"too long", "01AB-0000-111Z-YX011", ErrPlayerCode},
		{"nothing", "", ErrPlayerCode},
	} {
		add(vector{Object: "player code", Name: c.name, Text: c.text, Error: nameOf(c.want)})
	}
	ticket := rated(1).Tickets[0]
	for _, c := range ticketTimes {
		add(vector{Object: "ticket", Name: c.name, Hex: hexOf(ticket.Append(nil)), Key: hexOf(host.key[:]), Server: hexOf(server.key[:]), Now: c.now, Error: nameOf(c.want)})
	}
	for _, c := range []struct {
		name   string
		want   Reason
		change func(t *Ticket)
	}{
		{"of another player", ErrTicketPlayer, func(t *Ticket) { t.Player = guest.key }},
		{"of another server", ErrTicketServer, func(t *Ticket) { t.Server = guest.key }},
		{"changed", ErrTicketSignature, func(t *Ticket) { t.Serial[0]++ }},
		{"ends when it begins", ErrTicketTimes, func(t *Ticket) { t.Expires = t.Issued }},
		{"issued before time", ErrTicketTimes, func(t *Ticket) { t.Issued = -5 }},
	} {
		x := ticket
		c.change(&x)
		add(vector{Object: "ticket", Name: c.name, Hex: hexOf(x.Append(nil)), Key: hexOf(host.key[:]), Server: hexOf(server.key[:]), Now: issued, Error: nameOf(c.want)})
	}
	for _, c := range termsCases {
		if c.inMemory {
			continue
		}
		x := friendly(1)
		if c.rated {
			x = rated(1)
		}
		c.change(&x)
		add(vector{Object: "terms", Name: c.name, Hex: hexOf(x.Append(nil)), Error: nameOf(c.want)})
	}
	good := friendly(1).Append(nil)
	for _, c := range []struct {
		name  string
		want  Reason
		bytes []byte
	}{
		{"cut", ErrShort, good[:len(good)-1]},
		{"nothing", ErrShort, nil},
		{"a byte more", ErrTrailing, append(good[:len(good):len(good)], 0)},
		{"a flag without meaning", ErrReserved, replace(good, 2, 2)},
		{"rules in capitals", ErrRulesName, replace(good, 4, 'D')},
		{"rules without a name", ErrRulesName, slices.Concat(good[:3], []byte{0}, good[10:])},
		{"said to be rated", ErrShort, replace(good, 2, 1)},
	} {
		add(vector{Object: "terms", Name: c.name, Hex: hexOf(c.bytes), Error: nameOf(c.want)})
	}
	add(vector{Object: "terms", Name: "over 4 KiB", Hex: hexOf(good), Zeros: MaxObject + 1 - len(good), Error: "too-large"})

	all = append(all, statementVectors(nameOf)...)
	all = append(all, matchVectors(t, nameOf)...)
	all = append(all, runVectors(t, nameOf)...)
	return append(all, chainVectors(t)...)
}

// replace is b with one byte changed.
func replace(b []byte, at int, c byte) []byte {
	b = bytes.Clone(b)
	b[at] = c
	return b
}

func statementVectors(nameOf func(Reason) string) (all []vector) {
	key := hexOf(guest.key[:])
	e := SignedEntry{Match: fill(0x11), Index: 5, Prev: fill(0x22), Entry: Entry{
		Move: engine.Move{Seat: 1, Kind: engine.Resign}, ThinkMs: 1000, WaitMs: 20, Digest: fill(0x33)}}
	for _, m := range []engine.Move{
		{Seat: 1, Kind: engine.Reveal, Layer: fill(7)}, {Seat: 1, Kind: engine.Split, Data: 0x1234}, {Seat: 1, Kind: engine.Choose, Data: 1},
		{Seat: 1, Kind: engine.Place, Data: 0x030100}, {Seat: 1, Kind: engine.Flag}, {Seat: 1, Kind: engine.Resign},
	} {
		e.Entry.Move = m
		e.Sig = guest.sign(signed(entryDomain, e.Match, e.Index, e.Head()))
		all = append(all, vector{Object: "entry", Name: fmt.Sprintf("of kind %d", m.Kind), Hex: hexOf(e.Append(nil)), Key: key})
	}
	s := Seal{Match: e.Match, Index: 6, Prev: e.Prev, Last: e.Entry}
	s.Last.Move.Seat = 0
	s.Sig = guest.sign(signed(sealDomain, s.Match, s.Index, s.Head()))
	entry, seal := e.Append(nil), s.Append(nil)
	all = append(all, vector{Object: "seal", Name: "good", Hex: hexOf(seal), Key: key})
	first := 32 + 4 + 32 // offset of the entry's first byte
	for _, c := range []struct {
		object, name string
		want         Reason
		bytes        []byte
	}{
		{"entry", "cut", ErrShort, entry[:len(entry)-1]},
		{"entry", "a byte more", ErrTrailing, append(entry[:len(entry):len(entry)], 0)},
		{"entry", "index 0", ErrReserved, replace(entry, 35, 0)},
		{"entry", "kind 0", ErrKind, replace(entry, first, 0x80)},
		{"entry", "kind 7, a second chance", ErrKind, replace(entry, first, 0x87)},
		{"entry", "kind 127", ErrKind, replace(entry, first, 0xff)},
		{"entry", "signature of another", ErrSignature, replace(entry, first, 0x85)},
		{"entry", "a seal", ErrSignature, seal},
		{"seal", "cut", ErrShort, seal[:len(seal)-1]},
		{"seal", "a byte more", ErrTrailing, append(seal[:len(seal):len(seal)], 0)},
		{"seal", "index 1", ErrReserved, replace(seal, 35, 1)},
		{"seal", "kind 8, a hint", ErrKind, replace(seal, first, 8)},
		{"seal", "an entry", ErrSealSignature, entry},
	} {
		all = append(all, vector{Object: c.object, Name: c.name, Hex: hexOf(c.bytes), Key: key, Error: nameOf(c.want)})
	}
	for _, c := range fraudCases {
		all = append(all, vector{Object: "fraud", Name: c.name, Hex: hexOf(NewFraud(friendly(1), 0, c.a, c.b).Append(nil)), Error: nameOf(c.want)})
	}
	f := NewFraud(friendly(1), 0, fraudCases[0].a, fraudCases[0].b)
	proof := f.Append(nil)
	seat := 1 + 2 + len(f.Terms.Append(nil))
	f.Both[0], f.Both[1] = f.Both[1], f.Both[0]
	other := NewFraud(friendly(2), 0, fraudCases[0].a, fraudCases[0].b)
	for _, c := range []struct {
		name  string
		want  Reason
		bytes []byte
	}{
		{"cut", ErrShort, proof[:len(proof)-1]},
		{"a byte more", ErrTrailing, append(proof[:len(proof):len(proof)], 0)},
		{"another layout", ErrFormat, replace(proof, 0, 2)},
		{"seat 2", ErrReserved, replace(proof, seat, 2)},
		{"a statement of kind 3", ErrReserved, replace(proof, seat+1, 3)},
		{"the other way round", ErrProofOrder, f.Append(nil)},
		{"terms shorter than they say", ErrTrailing, replace(proof, 2, proof[2]+1)},
		{"of another match", ErrSignature, other.Append(nil)},
	} {
		all = append(all, vector{Object: "fraud", Name: c.name, Hex: hexOf(c.bytes), Error: nameOf(c.want)})
	}
	return append(all, vector{Object: "fraud", Name: "over 4 KiB", Zeros: MaxObject + 1, Error: "too-large"},
		vector{Object: "entry", Name: "over 4 KiB", Zeros: MaxObject + 1, Error: "too-large"})
}

func matchVectors(t *testing.T, nameOf func(Reason) string) (all []vector) {
	for _, name := range []string{"sealed", "rated", "unsealed", "open", "begun", "one", "drawn", "resigned"} {
		all = append(all, vector{Object: "match", Name: name, Hex: hexOf(logs(t)[name])})
	}
	for _, c := range logCases {
		l := shortLog(t)
		c.change(&l)
		all = append(all, vector{Object: "match", Name: c.name, Hex: hexOf(l.Append(nil)), Error: nameOf(c.want)})
	}
	b := shortLog(t).Append(nil)
	drawn := logs(t)["drawn"]
	begun := logs(t)["begun"]
	terms := len(friendly(2).Append(nil))
	count := 10 + terms + 128 // offset of the number of entries
	for _, c := range []struct {
		name  string
		want  Reason
		bytes []byte
	}{
		{"nothing", ErrShort, nil},
		{"another magic", ErrMagic, replace(b, 0, 'c')},
		{"three seats", ErrSeats, replace(b, 6, 3)},
		{"a run", ErrSeats, shortRun(t).Append(nil)},
		{"another layout", ErrFormat, replace(b, 7, 2)},
		{"cut", ErrShort, b[:len(b)-1]},
		{"a byte more", ErrTrailing, append(b[:len(b):len(b)], 0)},
		{"terms longer than they are", ErrTrailing, replace(b, 9, b[9]+1)},
		{"a key of small order", ErrKeySmallOrder, slices.Concat(b[:21], make([]byte, 32), b[53:])},
		{"too many entries", ErrEntryCount, replace(b, count, 0xff)},
		{"one entry more than there are", ErrKind, replace(b, count+1, 9)},
		{"end without meaning", ErrEnd, replace(begun, count+2, 3)},
		{"a seal on nothing", ErrEnd, replace(begun, count+2, 1)},
		{"drawn without resignations", ErrEnd, replace(b, len(b)-129, 2)},
		{"drawn, seat 1 first", ErrEnd, replace(replace(drawn, len(drawn)-129-39, 0x06), len(drawn)-129-78, 0x86)},
	} {
		all = append(all, vector{Object: "match", Name: c.name, Hex: hexOf(c.bytes), Error: nameOf(c.want)})
	}
	return append(all, vector{Object: "match", Name: "over 64 KiB", Hex: hexOf(b), Zeros: MaxMatch + 1 - len(b), Error: "too-large"})
}

func runVectors(t *testing.T, nameOf func(Reason) string) (all []vector) {
	for _, c := range runCases {
		l := shortRun(t)
		c.change(&l)
		all = append(all, vector{Object: "run", Name: c.name, Hex: hexOf(l.Append(nil)), Error: nameOf(c.want)})
	}
	b := shortRun(t).Append(nil)
	terms := botTerms().Append(nil)
	count := 10 + len(terms)
	for _, c := range []struct {
		name  string
		want  Reason
		bytes []byte
	}{
		{"cut", ErrShort, b[:len(b)-1]},
		{"a byte more", ErrTrailing, append(b[:len(b):len(b)], 0)},
		{"no entries", ErrEntryCount, replace(b, count+3, 0)},
		{"too many entries", ErrEntryCount, replace(b, count, 1)},
		{"a flag", ErrKind, replace(b, count+4, 0x50)},
		{"a hint with a cell", ErrKind, replace(replace(b, count+4, 0x80), count+5, 1)},
		{"a match", ErrSeats, shortLog(t).Append(nil)},
		{"another layout", ErrFormat, replace(b, 7, 0)},
	} {
		all = append(all, vector{Object: "run", Name: c.name, Hex: hexOf(c.bytes), Error: nameOf(c.want)})
	}
	all = append(all, vector{Object: "run", Name: "over 512 KiB", Hex: hexOf(b), Zeros: MaxRun + 1 - len(b), Error: "too-large"})
	bot := len(terms) - 4 - 32 - 2 - len("bot:expert")
	for _, c := range []struct {
		name  string
		want  Reason
		bytes []byte
	}{
		{"with an attempt and a bot", 0, terms},
		{"of a person, for training", 0, toyTerms().Append(nil)},
		{"a flag without meaning", ErrReserved, replace(terms, 2, 7)},
		{"an attempt of no bytes", ErrReserved, slices.Concat(terms[:bot-1-6], []byte{0}, terms[bot-1:])},
		{"a bot with a control character", ErrBotName, replace(terms, bot, 7)},
		{"another protocol", ErrProtocol, replace(terms, 1, 2)},
		{"a byte more", ErrTrailing, append(terms[:len(terms):len(terms)], 0)},
		{"cut", ErrShort, terms[:len(terms)-1]},
	} {
		all = append(all, vector{Object: "run terms", Name: c.name, Hex: hexOf(c.bytes), Error: nameOf(c.want)})
	}
	return all
}

// chainVectors are what a side that holds some entries says of one more.
func chainVectors(t *testing.T) (all []vector) {
	const n = 3
	terms := friendly(n)
	sigs := signTerms(terms)
	add := func(name string, want Reason, held ...any) {
		v := vector{Object: "chain", Name: name, Hex: hexOf(terms.Append(nil)), Sigs: []string{hexOf(sigs[0][:]), hexOf(sigs[1][:])}}
		if want != 0 {
			v.Error = want.Name()
		}
		for _, h := range held {
			switch h := h.(type) {
			case SignedEntry:
				v.Held = append(v.Held, "entry "+hexOf(h.Append(nil)))
			case Seal:
				v.Held = append(v.Held, "seal "+hexOf(h.Append(nil)))
			}
		}
		all = append(all, v)
	}
	m := begin(t, terms)
	playOn(t, m, n, 4)
	e := func(i int) SignedEntry { return m.EntryAt(i) }
	sign := func(x SignedEntry) SignedEntry {
		return m.forge(int(x.Entry.Move.Seat), x.Index, x.Prev, x.Entry)
	}
	changed := func(i int, f func(x *SignedEntry)) SignedEntry {
		x := e(i)
		f(&x)
		return sign(x)
	}
	add("four entries", 0, e(1), e(2), e(3), e(4))
	add("one is missing", ErrIndex, e(1), e(3))
	add("one again", ErrHeld, e(1), e(2), e(1))
	add("another match", ErrWrongMatch, func() SignedEntry { x := e(1); x.Match[0]++; return x }())
	add("another signature", ErrSignature, func() SignedEntry { x := e(1); x.Sig[0]++; return x }())
	add("another history", ErrHead, e(1), changed(2, func(x *SignedEntry) { x.Prev[0]++ }))
	add("by the other seat", ErrAuthor, changed(1, func(x *SignedEntry) { x.Entry.Move.Seat = 1; x.Entry.Move.Layer = chances(n)[1].Layer(1) }))
	add("another kind", ErrNotAwaited, changed(1, func(x *SignedEntry) { x.Entry.Move = engine.Move{Kind: engine.Flag} }))
	add("another layer", ErrLayer, changed(1, func(x *SignedEntry) { x.Entry.Move.Layer = chances(n)[0].Layer(2) }))
	add("an illegal move", ErrIllegal, e(1), e(2), changed(3, func(x *SignedEntry) { x.Entry.Move.Data = 0xffff }))
	add("another digest", ErrDigest, e(1), e(2), changed(3, func(x *SignedEntry) { x.Entry.Digest[0]++ }))
	add("another entry in its place", ErrFork, e(1), e(2), changed(1, func(x *SignedEntry) { x.Entry.WaitMs++ }))
	add("a seal before the end", ErrNotOver, e(1), func() Seal {
		s := Seal{Match: m.id, Index: 2, Prev: e(1).Prev, Last: e(1).Entry}
		s.Sig = guest.sign(signed(sealDomain, s.Match, s.Index, s.Head()))
		return s
	}())
	// Seat 0 resigns at 2, where seat 1 has made an entry.
	r := resignAt(t, m, 0, 1)
	s := Seal{Match: m.id, Index: 3, Prev: r.Prev, Last: r.Entry}
	s.Sig = guest.sign(signed(sealDomain, s.Match, s.Index, s.Head()))
	add("a resignation in a taken place", 0, e(1), e(2), r)
	add("what it dropped", ErrDropped, e(1), r, e(2))
	add("and sealed", 0, e(1), e(2), r, s)
	add("a seal with another signature", ErrSealSignature, e(1), r, func() Seal { x := s; x.Sig[0]++; return x }())
	add("two resignations", 0, e(1), r, resignAt(t, m, 1, 1))
	add("an entry of who has resigned", ErrFork, e(1), r, func() SignedEntry {
		return m.forge(0, 3, r.Head(), Entry{Move: resignation(0)})
	}())
	// The seal of a resignation excludes no entry that it dropped.
	add("an entry where one's seal stands", ErrDropped, e(1), r, s, m.forge(1, 3, r.Head(), Entry{Move: engine.Move{Seat: 1, Kind: engine.Flag}}))
	// At the end of a whole match, the last author signs on.
	long := whole(t, terms, n)
	var held []any
	for i := 1; i <= long.Len(); i++ {
		held = append(held, long.EntryAt(i))
	}
	author := int(long.last().Entry.Move.Seat)
	add("an entry after the end", ErrOver, append(held, long.forge(author, uint32(long.Len()+1), long.Head(), Entry{Move: resignation(author)}))...)
	bad := sigs
	bad[1][0]++
	all = append(all, vector{Object: "chain", Name: "terms that seat 1 did not sign", Hex: hexOf(terms.Append(nil)),
		Sigs: []string{hexOf(bad[0][:]), hexOf(bad[1][:])}, Error: ErrTermsSignature.Name()})
	return all
}
