package lockstep

import (
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
