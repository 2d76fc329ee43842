package lockstep

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

// mute drops a side's entries: it pings, and signs nothing that arrives.
func mute(p *pair, side int) {
	p.hook = func(from int, k FrameKind, f []byte) [][]byte {
		if from == side && k == FrameEntries {
			return nil
		}
		return [][]byte{f}
	}
}

func claimsDue(p *pair, i int) (due []Claim) {
	for _, e := range p.events[i] {
		if c, ok := e.(ClaimDue); ok {
			due = append(due, c.Claim)
		}
	}
	return due
}

// Pings alone do not put a claim off: the entry that is owed is due at 30 s
// over its limit, a reveal's included.
func TestClaimIsDueThoughThePeerPings(t *testing.T) {
	for _, c := range []struct {
		name string
		at   func(p *pair)
		ms   int64
		kind engine.Kind
	}{
		{"split", splitting, 42_000, engine.Split},
		{"choice", func(p *pair) {
			splitting(p)
			for p.decider() != 1 || p.state().Awaits() != engine.Choose {
				p.step()
			}
		}, 36_000, engine.Choose},
		{"reveal", func(p *pair) {
			ready(p)
			mute(p, 1)
			p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
		}, 33_000, engine.Reveal},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPair(t, nil)
			c.at(p)
			mute(p, 1)
			p.clear()
			p.wait(c.ms - 100)
			if d := claimsDue(p, 0); len(d) != 0 {
				t.Fatalf("due too early: %s", p.said(0))
			}
			p.wait(200)
			d := claimsDue(p, 0)
			if len(d) != 1 || d[0].Reason != ClaimOwed || d[0].Kind != c.kind || d[0].Index != p.s[0].match.chain.Len()+1 {
				t.Fatalf("%+v", d)
			}
			log, err := record.ParseLog(d[0].Log)
			if err != nil {
				t.Fatal(err)
			}
			if v, err := record.Verify(log, p.cfg[0].Games); err != nil || v.Complete() || v.Len() != d[0].Index-1 {
				t.Errorf("the claim's log: %v", err)
			}
			if d := claimsDue(p, 1); len(d) != 0 {
				t.Error("who owes the next entry claims")
			}
		})
	}
}

// 30 s without any frame are enough, without clocks too; and who owes the next
// entry never has a claim.
func TestClaimIsDueAfterSilence(t *testing.T) {
	p := newPair(t, nil)
	splittingWithoutClocks(p)
	p.down = true
	p.clear()
	p.wait(29_900)
	if len(claimsDue(p, 0)) != 0 {
		t.Fatal("due too early")
	}
	p.wait(1200)
	if d := claimsDue(p, 0); len(d) != 1 || d[0].Reason != ClaimSilence {
		t.Fatalf("%+v", d)
	}
	p.wait(300_000)
	if len(claimsDue(p, 1)) != 0 {
		t.Error("who owes the next entry claims")
	}
	// The peer is heard again: silence is over.
	p.down = false
	p.clear()
	p.connect()
	if p.s[0].match.claim != 0 {
		t.Error("the claim is still due")
	}
	p.do(0, func(s *Session) []Action { return s.Claim(p.now()) })
	if got := word(p.events[0][len(p.events[0])-1]); got != "Refused(there is nothing to claim)" {
		t.Error(got)
	}
}

// Who slept himself does not take the sleep for the other's silence.
func TestOwnSleepIsNotThePeersSilence(t *testing.T) {
	p := newPair(t, nil)
	splitting(p)
	p.clear()
	p.mono += 100_000
	p.do(0, func(s *Session) []Action { return s.Tick(p.now()) })
	if len(claimsDue(p, 0)) != 0 {
		t.Error("claimed after one's own sleep")
	}
}

// A friendly match, or one that is not opened, ends as abandoned by the peer;
// when the peer comes back it learns so, and believes it because it owed.
func TestAbandoned(t *testing.T) {
	p := newPair(t, nil)
	splittingWithoutClocks(p)
	p.down = true
	p.wait(31_000)
	p.clear()
	p.do(0, func(s *Session) []Action { return s.Claim(p.now()) })
	if got := p.said(0); got != "Over(2 by 1) RoomChanged" {
		t.Error(got)
	}
	p.down = false
	p.clear()
	p.connect()
	if got := p.s[1].match.result; got.End != Abandoned || got.By != 1 {
		t.Errorf("%+v: %s", got, p.said(1))
	}
}

// In an opened match the claimer signs nothing while its claim stands, over a
// restart too, and plays on when it has withdrawn.
func TestClaimerSignsNothing(t *testing.T) {
	p := newPair(t, func(i int, c *Config) { rated(i, c) }).begin()
	for i := range 2 {
		p.do(i, func(s *Session) []Action { return s.Opened(p.now(), true) })
	}
	for p.state().Awaits() != engine.Split || p.decider() != 1 {
		p.step()
	}
	mute(p, 1)
	p.wait(43_000)
	p.clear()
	p.do(0, func(s *Session) []Action { return s.Claim(p.now()) })
	made, ok := p.events[0][0].(ClaimMade)
	if !ok || !made.Claim.Opened {
		t.Fatal(p.said(0))
	}
	p.restart(0)
	p.hook = nil
	p.connect() // the peer's flag comes now, and the choice is this side's
	if p.s[0].match.deciding != engine.Choose {
		t.Fatalf("deciding %d: %s", p.s[0].match.deciding, p.said(0))
	}
	n := p.s[0].match.chain.Len()
	p.clear()
	p.do(0, func(s *Session) []Action { return s.Decide(p.now(), engine.Move{Kind: engine.Choose}) })
	p.do(0, func(s *Session) []Action { return s.Resign(p.now()) })
	if got := p.said(0); got != "Refused(your claim stands; withdraw it first) Refused(your claim stands; withdraw it first)" {
		t.Error(got)
	}
	p.wait(7000)
	if p.s[0].match.chain.Len() != n {
		t.Fatal("the claimer has signed")
	}
	p.do(0, func(s *Session) []Action { return s.WithdrawClaim(p.now()) })
	if p.s[0].match.chain.Len() != n+1 || p.s[0].match.chain.EntryAt(n+1).Entry.Move.Kind != engine.Flag {
		t.Error("nothing was signed after withdrawing, though the time had passed")
	}
}

// A claim that is moot is told of, so that the driver withdraws it, and the turn
// that this side has meanwhile is its to take once that is done: also where the
// program was started again before the owed entry came, or after.
func TestAMootClaimIsTold(t *testing.T) {
	for name, restart := range map[string][2]bool{"": {}, "started again before": {true, false}, "started again after": {false, true}} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t, func(i int, c *Config) { rated(i, c) }).begin()
			for i := range 2 {
				p.do(i, func(s *Session) []Action { return s.Opened(p.now(), true) })
			}
			for p.state().Awaits() != engine.Split || p.decider() != 1 {
				p.step()
			}
			mute(p, 1)
			p.wait(43_000)
			p.do(0, func(s *Session) []Action { return s.Claim(p.now()) })
			if restart[0] {
				p.restart(0)
				p.clear()
				p.do(0, func(s *Session) []Action { return s.Tick(p.now()) })
				made, ok := p.events[0][len(p.events[0])-1].(ClaimMade)
				if !ok || made.Claim.Reason != ClaimOwed || !made.Claim.Opened || made.Claim.Index != p.s[0].match.chain.Len()+1 {
					t.Errorf("a claim that stands is not shown: %s", p.said(0))
				}
			}
			p.hook = nil
			p.clear()
			p.connect() // the peer's flag comes now, and the choice is this side's
			if restart[1] {
				p.restart(0)
				p.clear()
				p.do(0, func(s *Session) []Action { return s.Tick(p.now()) })
			}
			gone, turn := 0, false
			for _, e := range p.events[0] {
				switch e.(type) {
				case ClaimGone:
					gone++
				case YourTurn:
					turn = true
				}
			}
			if gone != 1 || turn {
				t.Fatalf("told %d times, turn shown %v: %s", gone, turn, p.said(0))
			}
			if restart[1] {
				p.connect()
			}
			p.clear()
			p.do(0, func(s *Session) []Action { return s.WithdrawClaim(p.now()) })
			if got := p.said(0); got != "YourTurn(3)" && got != "YourTurn" {
				t.Errorf("after withdrawing: %s", got)
			}
			p.do(0, func(s *Session) []Action { return s.Decide(p.now(), engine.Move{Kind: engine.Choose}) })
			m := p.s[0].match
			if e := m.chain.EntryAt(m.chain.Len()).Entry.Move; e.Kind != engine.Choose || int(e.Seat) != m.seat {
				t.Errorf("the choice was not taken: %+v: %s", e, p.said(0))
			}
			// A restart now finds no claim.
			p.restart(0)
			p.clear()
			p.connect()
			if v := p.s[0].View(); v.Claiming || v.ClaimDue {
				t.Errorf("%+v", v)
			}
		})
	}
}

// Who has claimed and then gets the other's resignation at the claimed index,
// or before it, is told so too: the seal waits for the withdrawal.
func TestAClaimIsMootWhenThePeerResigns(t *testing.T) {
	p := newPair(t, func(i int, c *Config) { rated(i, c) }).begin()
	for i := range 2 {
		p.do(i, func(s *Session) []Action { return s.Opened(p.now(), true) })
	}
	for p.state().Awaits() != engine.Choose || p.decider() != 1 {
		p.step()
	}
	// Side 1 has not seen the split when it resigns.
	n := p.s[0].match.chain.Len()
	p.hook = func(int, FrameKind, []byte) [][]byte { return nil }
	p.wait(37_000)
	p.do(0, func(s *Session) []Action { return s.Claim(p.now()) })
	if !p.s[0].View().Claiming {
		t.Fatal(p.said(0))
	}
	p.clear()
	e := p.signed(1, func(e *record.SignedEntry) {
		e.Index, e.Prev = uint32(n), p.s[0].match.chain.EntryAt(n).Prev
		e.Entry.Move = engine.Move{Seat: 1, Kind: engine.Resign}
		next, err := p.s[0].match.positions[n-1].Apply(e.Entry.Move)
		if err != nil {
			t.Fatal(err)
		}
		e.Entry.Digest = next.Digest()
	})
	p.s[1].link.sent = p.s[0].link.next - 1
	p.forge(0, FrameEntries, entriesBody(e))
	m := p.s[0].match
	if !m.over() || m.chain.Len() != n || m.chain.Sealed() {
		t.Fatalf("over %v, %d entries of %d, sealed %v: %s", m.over(), m.chain.Len(), n, m.chain.Sealed(), p.said(0))
	}
	gone := 0
	for _, e := range p.events[0] {
		if _, ok := e.(ClaimGone); ok {
			gone++
		}
	}
	if gone != 1 {
		t.Fatal(p.said(0))
	}
	p.do(0, func(s *Session) []Action { return s.WithdrawClaim(p.now()) })
	if !m.chain.Sealed() {
		t.Error("not sealed after withdrawing")
	}
}

func TestEndpointDecides(t *testing.T) {
	p := newPair(t, nil).begin()
	p.clear()
	p.do(0, func(s *Session) []Action { return s.Decided(p.now(), 1) })
	if got := p.said(0); got != "Refused(that cannot be done just now)" {
		t.Error("a friendly match was decided: " + got)
	}
	p = newPair(t, func(i int, c *Config) { rated(i, c) }).begin()
	p.do(0, func(s *Session) []Action { return s.Opened(p.now(), true) })
	p.clear()
	p.do(0, func(s *Session) []Action { return s.Decided(p.now(), 1) })
	if got := p.said(0); got != "Over(6 by 1) RoomChanged" {
		t.Error(got)
	}
}

// Calling a match off needs both, at one head.
func TestCallOff(t *testing.T) {
	p := newPair(t, nil)
	splitting(p)
	p.clear()
	p.do(0, func(s *Session) []Action { return s.CallOff(p.now()) })
	if got := p.said(0); got != "Refused(there is nothing to claim)" {
		t.Error(got)
	}
	mute(p, 1)
	p.wait(43_000)
	p.clear()
	p.do(0, func(s *Session) []Action { return s.CallOff(p.now()) })
	if p.s[0].match.over() {
		t.Error("called off by one")
	}
	// The peer has gone on meanwhile (its flag is on the way): the offer is of
	// an older head and lapses.
	if got := p.said(1); got != "" {
		t.Error(got)
	}

	p = newPair(t, nil)
	splittingWithoutClocks(p)
	p.down = true
	p.wait(31_000)
	p.do(0, func(s *Session) []Action { return s.CallOff(p.now()) })
	p.down = false
	p.clear()
	p.connect()
	if got := p.said(1); got != "Back Met Resumed CallOffOffered" && got != "Back Resumed CallOffOffered" {
		t.Error(got)
	}
	p.clear()
	p.do(1, func(s *Session) []Action { return s.CallOff(p.now()) })
	for i := range 2 {
		if got := p.said(i); got != "CallOffSigned Over(3 by -1) RoomChanged" {
			t.Errorf("side %d: %s", i, got)
		}
		c := p.events[i][0].(CallOffSigned)
		for seat, sig := range c.Sigs {
			m := callOff{id: c.ID, index: uint32(c.Index), head: c.Head}
			if !p.s[0].match.terms.Keys[seat].Verify(m.message(), sig) {
				t.Errorf("side %d: signature of seat %d does not hold", i, seat)
			}
		}
	}
}

// TestNoWayOutForWhoOwes tries, once the time to claim has come, everything
// that a peer who owes the next entry can send: none of it gives that peer
// better than a loss. Only its entry does, or its goodbye to both.
func TestNoWayOutForWhoOwes(t *testing.T) {
	tries := []struct {
		name string
		send func(p *pair)
	}{
		{"ended", func(p *pair) {
			m := p.s[0].match
			for n := 0; n <= m.chain.Len(); n++ {
				h, _ := m.chain.HeadAt(n)
				p.forge(0, FrameEnded, ended{m.id, uint32(n), h, Abandoned}.append(nil))
				p.forge(0, FrameEnded, ended{m.id, uint32(n), h, NotBegun}.append(nil))
			}
		}},
		{"call-off", func(p *pair) {
			m := p.s[0].match
			c := callOff{id: m.id, index: uint32(m.chain.Len()), head: m.chain.Head()}
			c.sig = p.cfg[1].Sign(c.message())
			p.forge(0, FrameCallOff, c.append(nil))
		}},
		{"goodbye", func(p *pair) { p.forge(0, FrameBye, []byte{0}) }},
		{"lost journal", func(p *pair) { p.forge(0, FrameResume, resume{}.append(nil)) }},
		{"another match", func(p *pair) {
			p.forge(0, FrameResume, resume{stands: standsMatch, ref: [32]byte{5}}.append(nil))
		}},
		{"rematch", func(p *pair) { p.forge(0, FrameRematch, rematch{p.s[0].match.id, true}.append(nil)) }},
		{"start", func(p *pair) { p.forge(0, FrameStart, start{}.append(nil)) }},
		{"a longer chain than it has", func(p *pair) {
			m := p.s[0].match
			p.forge(0, FrameResume, resume{stands: standsMatch, ref: m.id, index: 60}.append(nil))
		}},
		{"a resignation that is older than its last entry", func(p *pair) {
			p.forge(0, FrameEntries, entriesBody(p.signed(1, func(e *record.SignedEntry) {
				e.Index, e.Prev = 1, p.s[0].match.chain.EntryAt(1).Prev
				e.Entry.Move = engine.Move{Seat: 1, Kind: engine.Resign}
			})))
		}},
		{"an entry with a digest of its own", func(p *pair) {
			p.forge(0, FrameEntries, entriesBody(p.signed(1, func(e *record.SignedEntry) { e.Entry.Digest[3] ^= 1 })))
		}},
		{"a disagreement", func(p *pair) {
			m := p.s[0].match
			h := Half{Client: "liar", Digest: [32]byte{1}}
			for n := 1; n <= m.chain.Len()+1; n++ {
				p.forge(0, FrameDesync, desyncFrame{m.id, uint32(n), 0, 1, h.append(nil)}.append(nil))
			}
		}},
		{"an illegal entry", func(p *pair) {
			p.forge(0, FrameEntries, entriesBody(p.signed(1, func(e *record.SignedEntry) { e.Entry.Move.Data = 1 })))
		}},
	}
	for _, opened := range []bool{true, false} {
		for _, try := range tries {
			name := try.name
			if opened {
				name += ", opened"
			}
			t.Run(name, func(t *testing.T) {
				p := newPair(t, func(i int, c *Config) {
					if opened {
						rated(i, c)
					}
				}).begin()
				if opened {
					p.do(0, func(s *Session) []Action { return s.Opened(p.now(), true) })
				}
				for p.state().Awaits() != engine.Split || p.decider() != 1 {
					p.step()
				}
				mute(p, 1)
				p.wait(43_000)
				p.hook = func(int, FrameKind, []byte) [][]byte { return nil }
				p.s[1].link.sent = p.s[0].link.next - 1
				p.s[1].match.chain = p.s[0].match.chain // it signs from there
				try.send(p)
				m := p.s[0].match
				if m == nil {
					t.Fatal("the match is gone")
				}
				if m.over() || m.claim == 0 {
					t.Fatalf("over %v (%+v), claim %d: %s", m.over(), m.result, m.claim, p.said(0))
				}
				p.clear()
				p.do(0, func(s *Session) []Action { return s.Claim(p.now()) })
				if opened {
					if _, ok := p.events[0][0].(ClaimMade); !ok {
						t.Error(p.said(0))
					}
					try.send(p)
					p.do(0, func(s *Session) []Action { return s.Decided(p.now(), 1) })
				}
				if m.result.By != m.terms.Seat(p.key[1]) || m.result.End != Claimed && m.result.End != Abandoned {
					t.Errorf("%+v", m.result)
				}
			})
		}
	}
}

// TestNoWayOutAtRandom has a peer that owes the next entry and is late send
// anything at all but that entry: true frames changed in a byte, bodies of its
// own, things that it signs in any place. None of it is better than a loss.
func TestNoWayOutAtRandom(t *testing.T) {
	first, count := seeds(150)
	for seed := first; seed < first+count; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		var seen [][]byte
		p := newPair(t, func(i int, c *Config) {
			if seed%2 == 0 {
				rated(i, c)
			}
		})
		p.onFrame = func(_ int, f []byte) { seen = append(seen, bytes.Clone(f)) }
		p.begin()
		opened := p.s[0].match.terms.Rated
		if opened {
			p.do(0, func(s *Session) []Action { return s.Opened(p.now(), true) })
		}
		for range 2 + r.IntN(12) {
			p.step()
		}
		for p.decider() != 1 {
			p.step()
		}
		p.onFrame = nil // what follows would be the owed entry
		mute(p, 1)
		p.wait(43_000)
		m := p.s[0].match
		if m.claim == 0 {
			t.Fatalf("seed %d: no claim", seed)
		}
		p.hook = func(int, FrameKind, []byte) [][]byte { return nil }
		p.s[1].link.sent = p.s[0].link.next - 1
		n := m.chain.Len()
		for range 40 {
			h, body, err := parseFrame(seen[r.IntN(len(seen))])
			if err != nil {
				continue
			}
			switch r.IntN(4) {
			case 0:
			case 1:
				if len(body) > 0 {
					body = bytes.Clone(body)
					body[r.IntN(len(body))] ^= 1 << r.IntN(8)
				}
			case 2:
				kinds := []engine.Kind{engine.Reveal, engine.Split, engine.Choose, engine.Place, engine.Flag, engine.Resign}
				e := record.SignedEntry{Match: m.id, Index: uint32(1 + r.IntN(n+2))}
				e.Prev, _ = m.chain.HeadAt(int(e.Index) - 1)
				e.Entry.Move = engine.Move{Seat: 1, Kind: kinds[r.IntN(len(kinds))]}
				if next, err := m.chain.Position().Apply(e.Entry.Move); err == nil {
					if int(e.Index) == n+1 && e.Entry.Move.Kind != engine.Resign {
						continue // this would be the entry that it owes
					}
					e.Entry.Digest = next.Digest()
				}
				h.kind, body = FrameEntries, entriesBody(p.resign(1, e))
			case 3:
				h.kind = FrameKind(1 + r.IntN(37))
				body = make([]byte, r.IntN(200))
				for i := range body {
					body[i] = byte(r.IntN(256))
				}
			}
			p.forge(0, h.kind, body)
		}
		loser := engine.Nobody
		if m.result.End == ByEngine {
			loser = 1 - m.result.Outcome.Winner // it has resigned
		} else {
			if m.chain.Len() != n || m.over() {
				t.Fatalf("seed %d: %d entries, %+v: %s", seed, m.chain.Len(), m.result, p.said(0))
			}
			p.do(0, func(s *Session) []Action { return s.Claim(p.now()) })
			if opened {
				p.do(0, func(s *Session) []Action { return s.Decided(p.now(), 1) })
			}
			loser = m.result.By
		}
		if loser != 1 {
			t.Fatalf("seed %d: %+v: %s", seed, m.result, p.said(0))
		}
	}
}

// In an opened match nobody's word ends it, not even against who owes.
func TestOpenedMatchIsNotEndedByWord(t *testing.T) {
	p := newPair(t, func(i int, c *Config) { rated(i, c) }).begin()
	p.do(0, func(s *Session) []Action { return s.Opened(p.now(), true) })
	for p.decider() != 0 {
		p.step()
	}
	m := p.s[0].match
	p.forge(0, FrameEnded, ended{m.id, uint32(m.chain.Len()), m.chain.Head(), Abandoned}.append(nil))
	if m.over() {
		t.Errorf("%+v", m.result)
	}
}
