package judge

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

const now = int64(1_790_000_000) // Unix seconds

var server, alice, bob = judgetest.NewSigner("server"), judgetest.NewSigner("alice"), judgetest.NewSigner("bob")

func sit(name string) *judgetest.Table { return judgetest.Sit(server, alice, bob, now, name) }

func read(t *testing.T, log []byte) Verdict {
	t.Helper()
	v, err := Read(log, games.All(), server.Key, now*1000)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestVerdicts(t *testing.T) {
	friendly := func() *judgetest.Table {
		terms, chances := judgetest.RatedTerms(server, alice, bob, [2]record.Ticket{}, "friendly")
		terms.Rated, terms.Server = false, record.Key{}
		return judgetest.Begin(alice, bob, terms, chances)
	}
	for _, c := range []struct {
		name         string
		table        *judgetest.Table
		want         ranking.Reason
		over, sealed bool
	}{
		{name: "sealed", table: sit("a").PlayOut().Seal(), want: ranking.None, over: true, sealed: true},
		{name: "unsealed", table: sit("a").PlayOut(), want: ranking.None, over: true},
		{name: "unfinished", table: sit("a").Play(20), want: ranking.Unfinished},
		{name: "terms alone", table: sit("a"), want: ranking.Unfinished},
		{name: "resigned", table: sit("a").Play(9).Resign(1).Seal(), want: ranking.None, over: true, sealed: true},
		{name: "forfeited by both", table: sit("a").Flag(1000).Seal(), want: ranking.NoResult, over: true, sealed: true},
		{name: "friendly", table: friendly().PlayOut().Seal(), want: ranking.Friendly, over: true, sealed: true},
	} {
		v := read(t, c.table.Log())
		if v.Reason != c.want || v.Outcome.Over != c.over || v.Verified.Sealed() != c.sealed || v.Outcome != c.table.Match.Outcome() {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

func TestLateDecisionsAreCounted(t *testing.T) {
	table := sit("late").Play(2)
	// Round 1: the chooser waits for the split, then the splitter for the
	// choice, and for the chooser's placement.
	waits := []uint16{0, 15_001, 9_000, 13_001, 0, 0}
	var authors []uint8
	for n, w := range waits {
		table.Wait = w
		m := table.Next()
		authors = append(authors, m.Seat)
		table.Add(m)
		if n == 3 {
			break
		}
	}
	if authors[0] == authors[1] || authors[2] != authors[1] || authors[3] != authors[0] {
		t.Fatalf("the round went another way: %v", authors)
	}
	v := read(t, table.Log())
	splitter, chooser := authors[0], authors[1]
	// The split was late. The choice's wait is told by nobody, since its
	// author also makes the next entry; the placement was late.
	if v.Decisions[splitter] != 1 || v.Late[splitter] != 1 || v.Decisions[chooser] != 1 || v.Late[chooser] != 1 {
		t.Errorf("decisions %v, late %v", v.Decisions, v.Late)
	}
	calm := read(t, sit("calm").PlayOut().Log())
	if calm.Late != [2]uint16{} || calm.Decisions[0] < 6 || calm.Decisions[1] < 6 {
		t.Errorf("a calm match: decisions %v, late %v", calm.Decisions, calm.Late)
	}
}

// TestRefusals is every way in which a log can be bad, and its number.
func TestRefusals(t *testing.T) {
	whole := sit("bad").PlayOut().Seal()
	good := whole.Log()
	terms := len(whole.Terms.Append(nil))
	const head = 6 + 2 + 2 // magic, seats and format, length of the terms
	sigs := head + terms
	entries := sigs + 128 + 2
	// terms returns the log of a match under changed terms, signed by both
	// and played as far as it can be.
	altered := func(change func(*record.Terms)) []byte {
		tm, _ := judgetest.RatedTerms(server, alice, bob, whole.Terms.Tickets, "altered")
		change(&tm)
		return raw(tm)
	}
	patched := func(at int, b ...byte) []byte {
		c := bytes.Clone(good)
		if at < 0 {
			at += len(c)
		}
		copy(c[at:], b)
		return c
	}
	mallory := judgetest.NewSigner("mallory")
	// Where every signature is spoilt, seat 0's is the first to be found.
	first, firstAt := ranking.WrongSeal, whole.Match.Len()+1
	if whole.Match.EntryAt(whole.Match.Len()).Entry.Move.Seat == 0 {
		first, firstAt = ranking.EntryNotSigned, whole.Match.Len()
	}
	for _, c := range []struct {
		name  string
		log   []byte
		want  ranking.Reason
		entry int
	}{
		{"nothing", nil, ranking.NotALog, 0},
		{"a picture", []byte("\x89PNG\r\n\x1a\n0000000000000000"), ranking.NotALog, 0},
		{"cut short", good[:len(good)-1], ranking.NotALog, 0},
		{"cut in the terms", good[:40], ranking.NotALog, 0},
		{"a byte more", append(bytes.Clone(good), 0), ranking.NotALog, 0},
		{"too large", make([]byte, record.MaxMatch+1), ranking.LogTooLarge, 0},
		{"layout of tomorrow", patched(7, 2), ranking.UnknownFormat, 0},
		{"protocol of tomorrow", altered(func(t *record.Terms) { t.Version = 99 }), ranking.UnknownFormat, 0},
		{"a run", patched(6, 1), ranking.NotAMatch, 0},
		{"rules of tomorrow", altered(func(t *record.Terms) { t.Rules = "duel/99" }), ranking.UnknownRules, 0},
		{"unknown parameters", altered(func(t *record.Terms) { t.Params = []byte{1} }), ranking.UnknownRules, 0},
		{"key of small order", altered(func(t *record.Terms) { t.Keys[0] = record.Key{1} }), ranking.BadKey, 0},
		{"one player", altered(func(t *record.Terms) { t.Keys[1] = t.Keys[0] }), ranking.SameKeys, 0},
		{"one anchor", altered(func(t *record.Terms) { t.Anchors[1] = t.Anchors[0] }), ranking.SameChance, 0},
		{"one nonce", altered(func(t *record.Terms) { t.Nonces[1] = t.Nonces[0] }), ranking.SameChance, 0},
		{"limits of their own", altered(func(t *record.Terms) { t.Limits.SplitMs = 13_000 }), ranking.BadLimits, 0},
		{"rated without clocks", altered(func(t *record.Terms) { t.Limits = record.NoLimits }), ranking.BadLimits, 0},
		{"another's ticket", altered(func(t *record.Terms) { t.Tickets[0] = judgetest.Ticket(server, mallory, "x", now) }), ranking.BadTickets, 0},
		{"one ticket for both", altered(func(t *record.Terms) { t.Tickets[1] = t.Tickets[0] }), ranking.BadTickets, 0},
		{"forged ticket", altered(func(t *record.Terms) { t.Tickets[0].Expires++ }), ranking.TicketNotGenuine, 0},
		{"another server", judgetest.Sit(mallory, alice, bob, now, "other").PlayOut().Seal().Log(), ranking.OtherServer, 0},
		{"old ticket", judgetest.Sit(server, alice, bob, now-14*86400-1, "old").PlayOut().Seal().Log(), ranking.TicketTooOld, 0},
		{"terms signed by another", flip(sit("t").Log(), sigs), ranking.TermsNotSigned, 0},
		{"terms' signature changed later", flip(good, sigs), first, firstAt},
		{"seal changed", flip(good, -1-64*int(whole.Match.EntryAt(whole.Match.Len()).Entry.Move.Seat)), ranking.WrongSeal, whole.Match.Len() + 1},
		{"entry's signature changed", flip(good, -1-64*int(1-whole.Match.EntryAt(whole.Match.Len()).Entry.Move.Seat)), ranking.EntryNotSigned, whole.Match.Len()},
		{"an entry changed", flip(good, entries+3), first, firstAt},
	} {
		v, err := Read(c.log, games.All(), server.Key, now*1000)
		r, ok := errors.AsType[*ranking.Refusal](err)
		if !ok || r.Reason != c.want || r.Entry != c.entry {
			t.Errorf("%s: %v (entry %d), want %d (entry %d); %v", c.name, err, r.Entry, c.want, c.entry, v.Reason)
		}
	}
}

// TestSignedNonsenseIsRefused is logs that both players signed, each against
// its own rules.
func TestSignedNonsenseIsRefused(t *testing.T) {
	base := sit("nonsense").Play(2) // both reveals; the splitter is known
	n := base.Match.Len()
	splitter := uint8(base.Match.Position().Owes())
	split := base.Next()
	for _, c := range []struct {
		name  string
		entry record.Entry
		want  ranking.Reason
	}{
		{"the wrong player", record.Entry{Move: engine.Move{Seat: 1 - splitter, Kind: engine.Split, Data: split.Data}}, ranking.WrongAuthor},
		{"the wrong kind", record.Entry{Move: engine.Move{Seat: splitter, Kind: engine.Choose}}, ranking.WrongKind},
		{"a split that is none", record.Entry{Move: engine.Move{Seat: splitter, Kind: engine.Split, Data: 1}}, ranking.IllegalMove},
		{"another state", record.Entry{Move: split, Digest: [32]byte{1}}, ranking.WrongDigest},
	} {
		log := forge(base, c.entry)
		_, err := Read(log, games.All(), server.Key, now*1000)
		if r, ok := errors.AsType[*ranking.Refusal](err); !ok || r.Reason != c.want || r.Entry != n+1 {
			t.Errorf("%s: %v, want %d at entry %d", c.name, err, c.want, n+1)
		}
	}
	first := sit("layers")
	layer := first.Next()
	layer.Layer[0] ^= 1
	_, err := Read(forge(first, record.Entry{Move: layer}), games.All(), server.Key, now*1000)
	if r, ok := errors.AsType[*ranking.Refusal](err); !ok || r.Reason != ranking.WrongLayer {
		t.Errorf("a wrong layer: %v", err)
	}
	over := sit("over").Play(5).Resign(0)
	_, err = Read(forge(over, record.Entry{Move: engine.Move{Seat: 1, Kind: engine.Resign}}), games.All(), server.Key, now*1000)
	if r, ok := errors.AsType[*ranking.Refusal](err); !ok || r.Reason != ranking.AfterTheEnd {
		t.Errorf("an entry after the end: %v", err)
	}
}

func TestTerms(t *testing.T) {
	table := sit("terms")
	check := func(name string, tm record.Terms, sigs [2]record.Signature, at int64, want ranking.Reason) {
		t.Helper()
		err := Terms(tm, sigs, games.All(), server.Key, at*1000)
		r, _ := errors.AsType[*ranking.Refusal](err)
		if want == ranking.None && err != nil || want != ranking.None && (r == nil || r.Reason != want) {
			t.Errorf("%s: %v, want %d", name, err, want)
		}
	}
	check("good", table.Terms, table.Sigs, now, ranking.None)
	check("signed by one", table.Terms, [2]record.Signature{table.Sigs[0], table.Sigs[0]}, now, ranking.WrongSignatures)
	check("old", table.Terms, table.Sigs, now+15*86400, ranking.TicketTooOld)
	other := judgetest.Sit(bob, alice, judgetest.NewSigner("carol"), now, "x")
	check("another server", other.Terms, other.Sigs, now, ranking.OtherServer)
	tm := table.Terms
	tm.Limits = record.DoubleLimits
	check("bad", tm, table.Sigs, now, ranking.BadLimits)
	tm.Rated = false
	check("friendly", tm, table.Sigs, now, ranking.Friendly)
}

func flip(log []byte, at int) []byte {
	c := bytes.Clone(log)
	if at < 0 {
		at += len(c)
	}
	c[at] ^= 1
	return c
}

// raw is a log without entries under any terms at all, signed by both.
func raw(t record.Terms) []byte {
	b := append([]byte("CLEAVE"), 2, 1)
	enc := t.Append(nil)
	b = binary.BigEndian.AppendUint16(b, uint16(len(enc)))
	b = append(b, enc...)
	for _, p := range []judgetest.Signer{alice, bob} {
		sig := t.Sign(p.Sign)
		b = append(b, sig[:]...)
	}
	return append(b, 0, 0, 0)
}

// forge is the log of a match with one entry more, which no honest program
// would make, signed by its author.
func forge(t *judgetest.Table, e record.Entry) []byte {
	m := t.Match
	log := m.Log().Append(nil)
	signed := record.SignedEntry{Match: m.ID(), Index: uint32(m.Len() + 1), Prev: m.Head(), Entry: e}
	// The signature is over "cleave/entry/1" || match id || index || head.
	msg := append([]byte("cleave/entry/1"), signed.Match[:]...)
	msg = binary.BigEndian.AppendUint32(msg, signed.Index)
	head := signed.Head()
	signed.Sig = t.Players[e.Move.Seat].Sign(append(msg, head[:]...))
	if err := signed.Check(t.Players[e.Move.Seat].Key); err != nil {
		panic("judge: the test does not sign as record does: " + err.Error())
	}
	enc := signed.Append(nil)
	// A signed entry is match, index, head before it, entry, signature.
	entry := enc[32+4+32 : len(enc)-64]
	terms := len(m.Terms().Append(nil))
	at := 6 + 2 + 2 + terms + 128
	count := binary.BigEndian.Uint16(log[at:])
	out := bytes.Clone(log[:at])
	out = binary.BigEndian.AppendUint16(out, count+1)
	var lasts [2][]byte
	made := [2]bool{}
	for i := 1; i <= m.Len(); i++ {
		s := m.EntryAt(i)
		lasts[s.Entry.Move.Seat], made[s.Entry.Move.Seat] = bytes.Clone(s.Sig[:]), true
	}
	tail := 0
	for seat := range 2 {
		if made[seat] {
			tail += 64
		}
	}
	out = append(out, log[at+2:len(log)-tail-1]...)
	out = append(out, entry...)
	out = append(out, 0)
	lasts[e.Move.Seat] = signed.Sig[:]
	return append(append(out, lasts[0]...), lasts[1]...)
}

func FuzzRead(f *testing.F) {
	whole := sit("fuzz").PlayOut()
	f.Add(whole.Log())
	f.Add(whole.Seal().Log())
	f.Add(sit("fuzz").Play(9).Resign(1).Log())
	f.Add(sit("fuzz").Log())
	f.Fuzz(func(t *testing.T, log []byte) {
		v, err := Read(log, games.All(), server.Key, now*1000)
		if err != nil {
			if _, ok := errors.AsType[*ranking.Refusal](err); !ok {
				t.Errorf("refused without a number: %v", err)
			}
			return
		}
		if got := v.Verified.Log().Append(nil); !bytes.Equal(got, log) {
			t.Error("a log that holds has another form")
		}
	})
}
