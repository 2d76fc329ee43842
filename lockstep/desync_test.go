package lockstep

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep/record"
)

// skewed is a Duel whose author read the rules wrongly: a flagged placement
// costs one point more.
type skewed struct{ duel.Game }

func (skewed) Start(id [32]byte, params []byte) (engine.Position, error) {
	return skewedState{State: duel.New(id)}, nil
}

type skewedState struct {
	duel.State
	off [2]int // points that this engine takes off beside
}

func (s skewedState) Apply(m engine.Move) (engine.Position, error) {
	next, r, err := duel.Apply(s.State, m)
	if err != nil {
		return nil, err
	}
	if r.Flagged && r.Split == 0 && !r.Chosen {
		s.off[m.Seat]++
	}
	s.State = next
	return s, nil
}

func (s skewedState) Digest() [32]byte {
	if s.off == [2]int{} {
		return s.State.Digest()
	}
	return sha256.Sum256(fmt.Appendf(s.State.Append(nil), "%v", s.off))
}

func (s skewedState) Fields() []engine.Field {
	list := s.State.Fields()
	for i := range list {
		for seat, off := range s.off {
			if list[i].Name == fmt.Sprintf("score %d", seat) {
				list[i].Value = fmt.Sprint(s.Score(seat) - off)
			}
		}
	}
	return list
}

// bundles are what each side was shown of a disagreement.
func bundles(p *pair) (out [2]Bundle, raw [2][]byte) {
	p.t.Helper()
	for i := range 2 {
		for _, e := range p.events[i] {
			if d, ok := e.(Desync); ok {
				var err error
				if out[i], err = ParseBundle(d.Bundle); err != nil {
					p.t.Fatal(err)
				}
				if again := out[i].Append(nil); !bytes.Equal(again, d.Bundle) {
					p.t.Errorf("side %d: the bundle does not encode back to its bytes", i)
				}
				raw[i] = d.Bundle
			}
		}
	}
	return out, raw
}

// unlike plays a pair in which side odd has the skewed engine, until a
// placement is flagged.
func unlike(t *testing.T, odd int, change func(i int, c *Config)) *pair {
	p := newPair(t, func(i int, c *Config) {
		if i == odd {
			c.Games = record.Games{duel.Rules: skewed{}}
		}
		if change != nil {
			change(i, c)
		}
	})
	p.connect()
	p.ready()
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	for p.duel().Awaits() != engine.Place {
		i := p.side(p.duel().Owes())
		m := randomMove(p.duel(), p.s[i].match.seat, p.rng)
		p.do(i, func(s *Session) []Action { return s.Decide(p.now(), m) })
	}
	return p
}

// duel is the position without a skewed engine around it.
func (p *pair) duel() duel.State {
	if s, ok := p.s[0].match.chain.Position().(skewedState); ok {
		return s.State
	}
	return p.state()
}

func TestEnginesThatDifferFreezeAFriendlyMatch(t *testing.T) {
	for odd := range 2 {
		t.Run(fmt.Sprintf("side %d is wrong", odd), func(t *testing.T) {
			p := unlike(t, odd, nil)
			at := p.s[0].match.chain.Len() + 1
			author := p.s[0].match.chain.Position().Owes()
			p.wait(duel.PlaceMs + 100)
			b, raw := bundles(p)
			if !bytes.Equal(raw[0], raw[1]) || raw[0] == nil {
				t.Fatalf("the bundles are not the same: %d and %d bytes", len(raw[0]), len(raw[1]))
			}
			if b[0].Index != at {
				t.Errorf("frozen at %d, want %d", b[0].Index, at)
			}
			if want := []string{fmt.Sprintf("score %d", author)}; !slices.Equal(b[0].Differ(), want) {
				t.Errorf("the bundle names %v, want %v", b[0].Differ(), want)
			}
			if b[0].Halves[0].Client != "test 1" || b[0].Halves[1].Client != "test 1" || b[0].Terms.ID() != p.s[0].match.id {
				t.Error("the bundle lacks versions or terms")
			}
			for i := range 2 {
				last := p.events[i][len(p.events[i])-1]
				if o, ok := last.(RoomChanged); ok {
					t.Log(o)
				}
				if !p.s[i].match.over() || p.s[i].match.result.End != Desynced {
					t.Errorf("side %d goes on: %s", i, p.said(i))
				}
			}
			// Nothing more is signed, whatever time passes.
			n := [2]int{p.s[0].match.chain.Len(), p.s[1].match.chain.Len()}
			p.wait(120_000)
			if m := [2]int{p.s[0].match.chain.Len(), p.s[1].match.chain.Len()}; m != n {
				t.Errorf("entries were added: %v, %v", n, m)
			}
			// A restart finds it as it was.
			for i := range 2 {
				saved, err := ReadJournal(p.journal[i][p.last[i]])
				if err != nil || !saved.Over {
					t.Errorf("side %d: the journal would go on (%v)", i, err)
				}
			}
		})
	}
}

func TestEnginesThatDifferInARatedMatch(t *testing.T) {
	p := unlike(t, 1, rated)
	for i := range 2 {
		if !p.s[i].match.terms.Rated {
			t.Fatal("not rated")
		}
		p.do(i, func(s *Session) []Action { return s.Opened(p.now(), true) })
	}
	p.playFrom(t)
	p.clear()
	author := p.side(p.duel().Owes())
	n := p.s[1-author].match.chain.Len()
	p.wait(duel.PlaceMs + 100)
	b, _ := bundles(p)
	for i := range 2 {
		if want := []string{fmt.Sprintf("score %d", p.s[author].match.seat)}; !slices.Equal(b[i].Differ(), want) {
			t.Errorf("side %d's bundle names %v, want %v", i, b[i].Differ(), want)
		}
		if p.s[i].match.over() {
			t.Errorf("side %d has ended a rated match by itself", i)
		}
	}
	if p.s[1-author].match.chain.Len() != n {
		t.Error("the entry was taken")
	}
	// Its author still owes one: in time that is a claim, with the evidence.
	p.clear()
	p.wait(60_000)
	found := false
	for _, e := range p.events[1-author] {
		if c, ok := e.(ClaimDue); ok {
			found = true
			if c.Claim.Index != n+1 || c.Claim.Evidence == nil || !c.Claim.Opened {
				t.Errorf("claim %d, opened %v, evidence of %d bytes", c.Claim.Index, c.Claim.Opened, len(c.Claim.Evidence))
			}
		}
	}
	if !found {
		t.Errorf("no claim: %s", p.said(1-author))
	}
}

// playFrom plays on to the next placement after the match was opened.
func (p *pair) playFrom(t *testing.T) {
	t.Helper()
	for p.duel().Awaits() != engine.Place {
		i := p.side(p.duel().Owes())
		m := randomMove(p.duel(), p.s[i].match.seat, p.rng)
		p.do(i, func(s *Session) []Action { return s.Decide(p.now(), m) })
	}
}

// A peer in a friendly match that owes an entry and is late cannot turn its
// loss into no result by saying that the engines differ.
func TestDisagreementDoesNotUndoAClaim(t *testing.T) {
	p := newPair(t, nil)
	choosing(p)
	p.step()
	for p.state().Awaits() != engine.Choose || p.decider() != 1 {
		p.step() // so that the last entry is the honest side's
	}
	p.hook = func(from int, k FrameKind, f []byte) [][]byte {
		if from == 1 && k == FrameEntries {
			return nil // the liar sends pings only
		}
		return [][]byte{f}
	}
	p.wait(45_000)
	p.s[1].link.sent = p.s[0].link.next - 1
	m := p.s[0].match
	if m.claim == 0 {
		t.Fatal("no claim is due")
	}
	for n := 1; n <= m.chain.Len(); n++ {
		h := Half{Client: "liar", Digest: [32]byte{1}}
		p.forge(0, FrameDesync, desyncFrame{m.id, uint32(n), 0, 1, h.append(nil)}.append(nil))
	}
	if m.over() {
		t.Fatalf("ended as %d", m.result.End)
	}
	p.do(0, func(s *Session) []Action { return s.Claim(p.now()) })
	if m.result.End != Abandoned || m.result.By != 1 {
		t.Errorf("%+v", m.result)
	}
}

// TestDisagreementWithoutAnAnswer freezes all the same, with one's own half.
func TestDisagreementWithoutAnAnswer(t *testing.T) {
	p := unlike(t, 1, nil)
	reader := 1 - p.side(p.duel().Owes())
	p.hook = func(from int, k FrameKind, f []byte) [][]byte {
		if k == FrameDesync {
			return nil
		}
		return [][]byte{f}
	}
	p.wait(duel.PlaceMs + 100)
	if b, _ := bundles(p); b[0].Index+b[1].Index != 0 {
		t.Error("a bundle was shown before the time for the other half had passed")
	}
	p.wait(halfWaitMs)
	b, _ := bundles(p)
	if own := b[reader].Halves[p.s[reader].match.seat]; own.Client == "" || b[reader].Halves[1-p.s[reader].match.seat].Client != "" {
		t.Errorf("halves %+v", b[reader].Halves)
	}
	if p.s[reader].match.result.End != Desynced {
		t.Error("not ended")
	}
}
