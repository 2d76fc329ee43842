package lockstep

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

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
