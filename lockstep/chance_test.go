package lockstep

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep/record"
)

// blocks counts how often each block was dealt.
type blocks map[duel.Block]int

func (b blocks) chiSquare(rounds int) float64 {
	const kinds = 952
	want := float64(rounds) / kinds
	sum := float64(kinds-len(b)) * want
	for _, n := range b {
		sum += (float64(n) - want) * (float64(n) - want) / want
	}
	return sum
}

// deal plays rounds of matches between an honest host and a guest that bends
// what it can. The guest answers last: it knows the host's anchor and nonce,
// and draws secret and nonce anew until the match pleases it by what it can
// know. honest gives the host's secrets; leak tells the guest the host's first
// layer, which no anchor does.
func deal(rounds int, leak bool) blocks {
	rng := rand.New(rand.NewPCG(2, 3))
	secret := func() (b [32]byte) {
		for i := 0; i < 32; i += 8 {
			binary.BigEndian.PutUint64(b[i:], rng.Uint64())
		}
		return b
	}
	terms := record.Terms{
		Version: record.Protocol, Rules: duel.Rules, Limits: record.StandardLimits,
		Keys: [2]record.Key{{1}, {2}},
	}
	seen := blocks{}
	for n := 0; n < rounds; {
		host := record.NewChance(secret(), duel.Rounds)
		terms.Anchors[0] = host.Anchor()
		nonce := secret()
		copy(terms.Nonces[0][:], nonce[:])
		// What the guest takes the host's first layer for: the anchor is all
		// that it has.
		guess := host.Anchor()
		if leak {
			guess = host.Layer(1)
		}
		var best record.Chance
		var id record.ID
		lowest := duel.Block(math.MaxUint16)
		for range 8 {
			guest := record.NewChance(secret(), duel.Rounds)
			nonce := secret()
			copy(terms.Nonces[1][:], nonce[:])
			terms.Anchors[1] = guest.Anchor()
			at := terms.ID()
			if b := duel.Draw(duel.RoundBytes(at, 1, guess, guest.Layer(1))); b < lowest {
				lowest, best, id = b, guest, at
			}
		}
		for round := 1; round <= duel.Rounds && n < rounds; round++ {
			seen[duel.Draw(duel.RoundBytes(id, round, host.Layer(round), best.Layer(round)))]++
			n++
			if leak {
				n += 7 // only the first is bent
				break
			}
		}
	}
	return seen
}

// TestChanceCannotBeBent: a guest that picks its secret and nonce after it has
// seen the host's anchor gets every block as often as chance gives it. The
// chi-square of 951 degrees of freedom has mean 951 and deviation 43.6.
func TestChanceCannotBeBent(t *testing.T) {
	const rounds = 100_000
	if x := deal(rounds, false).chiSquare(rounds); math.Abs(x-951) > 4*43.6 {
		t.Errorf("chi-square %.0f", x)
	} else {
		t.Logf("chi-square %.0f of 951 +- 44", x)
	}
	// The same measure finds a guest that knows the host's layer.
	if x := deal(rounds, true).chiSquare(rounds / 8); x < 951+20*43.6 {
		t.Errorf("a bent chance goes unnoticed: chi-square %.0f", x)
	}
}

// A host that copies the guest's commitment, or a guest that copies the
// host's, gets no match: with equal anchors both would show the same layers.
// See also the rows of TestLyingPeer.
func TestCopiedCommitment(t *testing.T) {
	p := newPair(t, nil)
	ready(p)
	var answer accept
	heard := false
	p.hook = func(from int, k FrameKind, f []byte) [][]byte {
		if k == FrameAccept && !heard {
			_, body, _ := parseFrame(f)
			answer, _ = parseAccept(body)
			heard = true
			return nil
		}
		return [][]byte{f}
	}
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	// The host has seen the guest's anchor and begins anew with it.
	p.do(0, func(s *Session) []Action { return s.SetRoom(p.now(), Room{Name: "again"}) })
	p.ready()
	p.forge(1, FrameStart, start{rev: p.s[1].rev, half: half{anchor: answer.half.anchor, nonce: [16]byte{1}}}.append(nil))
	// A fresh secret for each terms: the copied anchor is not this answer's.
	if p.s[1].phase != phaseAccepted {
		t.Fatal("not answered")
	}
	if a := p.s[1].offer.accept.half; a.anchor == answer.half.anchor || a.nonce == answer.half.nonce {
		t.Error("a secret was used for two terms")
	}
}

// A peer that withholds its layer owes it: nobody's block is dealt, and in
// time it can be claimed against. It knows the host's layer then, and cannot
// get out of the terms.
func TestWithheldLayer(t *testing.T) {
	p := newPair(t, nil)
	ready(p)
	mute(p, 1)
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	p.wait(34_000)
	m := p.s[0].match
	if m.chain.Len() != 1 || m.chain.Position().Awaits() != engine.Reveal || m.claim != ClaimOwed {
		t.Errorf("%d entries, claim %d", m.chain.Len(), m.claim)
	}
	// A new START does not undo it.
	p.clear()
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	if got := p.said(0); got != "Refused(that cannot be done just now)" {
		t.Error(got)
	}
}

// Layers are shown in their order and none twice; each fits the one before,
// up to the anchor of the terms.
func TestLayersFollowTheirAnchor(t *testing.T) {
	p := newPair(t, nil).begin().playOut()
	m := p.s[0].match
	link := m.terms.Anchors
	count := [2]int{}
	for n := 1; n <= m.chain.Len(); n++ {
		if e := m.chain.EntryAt(n).Entry; e.Move.Kind == engine.Reveal {
			seat := e.Move.Seat
			if sha256.Sum256(append([]byte("cleave/layer/1"), e.Move.Layer[:]...)) != link[seat] {
				t.Fatalf("entry %d does not fit", n)
			}
			link[seat] = e.Move.Layer
			count[seat]++
		}
	}
	if count != [2]int{duel.Rounds, duel.Rounds} {
		t.Errorf("%v reveals", count)
	}
}

func TestChat(t *testing.T) {
	p := newPair(t, nil)
	p.connect()
	p.clear()
	for _, text := range []string{"", "line\nbreak", strings.Repeat("x", 281), "\xff"} {
		p.do(0, func(s *Session) []Action { return s.Say(p.now(), text) })
		if got := word(p.events[0][len(p.events[0])-1]); got != "Refused(that is too long)" {
			t.Errorf("%q: %s", text, got)
		}
	}
	p.clear()
	for range 8 {
		p.do(0, func(s *Session) []Action { return s.Say(p.now(), "hello") })
	}
	if got := p.said(0); got != "Refused(too much at once; wait a moment) Refused(too much at once; wait a moment) Refused(too much at once; wait a moment)" {
		t.Error(got)
	}
	var last ChatLine
	for i, e := range p.events[1] {
		line := e.(Said).Line
		if !line.Check() || line.Author != p.key[0] || line.Counter <= last.Counter || line.Match != (record.ID{}) {
			t.Errorf("line %d: %+v", i, line)
		}
		last = line
	}
	// A line of the lobby cannot be quoted into a match, and a line cannot be
	// said twice.
	p.begin()
	p.clear()
	p.mono += 5000
	var raw []byte
	p.onFrame = func(from int, f []byte) {
		if h, b, _ := parseFrame(f); h.kind == FrameChat {
			raw = b
		}
	}
	p.do(0, func(s *Session) []Action { return s.Say(p.now(), "good luck") })
	if got := p.said(1); got != "Said" {
		t.Error(got)
	}
	if p.events[1][0].(Said).Line.Match != p.s[0].match.id {
		t.Error("a line in a match does not name it")
	}
	p.clear()
	p.forge(1, FrameChat, raw)
	if got := p.said(1); got != "" {
		t.Error(got)
	}
	moved := p.s[1]
	moved.heardCounter = 0
	lobby := last
	lobby.Match = p.s[0].match.id
	p.forge(1, FrameChat, lobby.append(nil))
	if got := p.said(1); got != "Bad(chat: signature does not match)" {
		t.Error(got)
	}
	// Nobody is flooded: the receiver drops what comes too fast.
	p.clear()
	for n := range 100 {
		c := ChatLine{Author: p.key[0], Other: p.key[1], Match: p.s[0].match.id, Counter: 1<<60 + uint64(n), Text: "spam"}
		c.Sig = p.cfg[0].Sign(c.Message())
		p.forge(1, FrameChat, c.append(nil))
	}
	if n := len(p.events[1]); n > heardBurstFactor*chatBurst {
		t.Errorf("%d lines at once", n)
	}
}

func TestPreviewsAndExpressions(t *testing.T) {
	p := newPair(t, nil)
	splitting(p)
	p.clear()
	p.do(1, func(s *Session) []Action { return s.Preview(p.now(), []byte("ghost")) })
	p.do(1, func(s *Session) []Action { return s.Express(p.now(), 7) })
	if got := p.said(0); got != "Previewed Expressed" {
		t.Error(got)
	}
	if e := p.events[0][0].(Previewed); string(e.Data) != "ghost" || e.Index != p.s[0].match.chain.Len()+1 {
		t.Errorf("%+v", e)
	}
	p.clear()
	for range 100 {
		p.do(1, func(s *Session) []Action { return s.Preview(p.now(), []byte{1}) })
	}
	if n := len(p.events[0]); n == 0 || n > previewBurst {
		t.Errorf("%d previews at once", n)
	}
	p.do(1, func(s *Session) []Action { return s.Preview(p.now(), make([]byte, 65)) })
	if got := p.said(1); got != "Refused(that is too long)" {
		t.Error(got)
	}
}
