package lockstep

import (
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

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
			if k := p.s[0].View().Kind; k != engine.None {
				t.Errorf("kind %d may be decided while the claim stands", k)
			}
			p.clear()
			p.do(0, func(s *Session) []Action { return s.WithdrawClaim(p.now()) })
			if k := p.s[0].View().Kind; k != engine.Choose {
				t.Errorf("kind %d may be decided after withdrawing", k)
			}
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
