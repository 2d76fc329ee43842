package lockstep

import (
	"bytes"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

// scenes bring a pair to where a frame of each kind is sent by side 1.
var scenes = []struct {
	kind FrameKind
	play func(p *pair)
}{
	{FrameHello, func(p *pair) { p.connect() }},
	{FrameResume, func(p *pair) { p.connect() }},
	{FrameReady, func(p *pair) { p.connect(); p.ready() }},
	{FrameRefuse, func(p *pair) {
		p.connect()
		p.ready()
		p.s[1].ready[ownSide] = false // as if NOT READY had crossed
		p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	}},
	{FrameAccept, func(p *pair) { p.connect(); p.ready(); p.do(0, func(s *Session) []Action { return s.Start(p.now()) }) }},
	{FrameEntries, func(p *pair) { p.begin() }},
	{FrameSeal, func(p *pair) { p.begin(); p.do(0, func(s *Session) []Action { return s.Resign(p.now()) }) }},
	{FrameRematch, func(p *pair) {
		p.begin()
		p.do(0, func(s *Session) []Action { return s.Resign(p.now()) })
		p.wait(5000)
		p.do(1, func(s *Session) []Action { return s.Rematch(p.now(), true) })
	}},
	{FrameTerms, func(p *pair) {
		p.begin()
		j := p.journal[0][p.last[0]]
		p.journal[0][p.last[0]] = j[:1] // the host has lost the signed terms
		p.restart(0)
		p.connect()
	}},
	{FrameCallOff, func(p *pair) {
		owedByZero(p)
		p.s[1].match.claim = ClaimOwed // as if its time had come
		p.do(1, func(s *Session) []Action { return s.CallOff(p.now()) })
	}},
	{FrameEnded, func(p *pair) {
		owedByZero(p)
		p.s[1].match.claim = ClaimOwed
		p.do(1, func(s *Session) []Action { return s.Claim(p.now()) })
	}},
	{FrameDesync, func(p *pair) {
		owedByZero(p)
		p.do(1, func(s *Session) []Action { // as if its engine were another
			s.begin(p.now())
			m := s.match
			f := &freeze{index: m.chain.Len(), reason: BadDigest, entry: m.chain.EntryAt(m.chain.Len()), untilMs: p.mono + halfWaitMs}
			f.halves[m.seat] = Half{Client: "another", Digest: [32]byte{1}}.append(nil)
			s.freeze(f)
			s.sendHalf()
			return s.finish()
		})
	}},
	{FrameBye, func(p *pair) { p.connect(); p.do(1, func(s *Session) []Action { return s.Leave(p.now()) }) }},
	{FramePing, func(p *pair) { p.connect(); p.wait(1500) }},
	{FramePong, func(p *pair) { p.connect(); p.wait(1500) }},
	{FrameAck, func(p *pair) { p.connect() }},
	{FramePreview, func(p *pair) {
		p.begin()
		p.do(1, func(s *Session) []Action { return s.Preview(p.now(), []byte{1, 2}) })
	}},
	{FrameChat, func(p *pair) { p.connect(); p.do(1, func(s *Session) []Action { return s.Say(p.now(), "hello") }) }},
	{FrameExpression, func(p *pair) { p.connect(); p.do(1, func(s *Session) []Action { return s.Express(p.now(), 3) }) }},
}

// owedByZero is a match in which side 0 has made the last entry and owes the
// next.
func owedByZero(p *pair) {
	p.begin()
	last := func() int {
		m := p.s[0].match
		return p.side(int(m.chain.EntryAt(m.chain.Len()).Entry.Move.Seat))
	}
	for p.state().Awaits() != engine.Place || p.decider() != 0 || last() != 0 {
		p.step()
	}
}

// hostScenes are those of frames that only the host sends; there side 0 is
// the peer.
var hostScenes = []struct {
	kind FrameKind
	play func(p *pair)
}{
	{FrameRoom, func(p *pair) {
		p.connect()
		p.do(0, func(s *Session) []Action { return s.SetRoom(p.now(), Room{Clocks: ClocksDouble}) })
	}},
	{FrameStart, func(p *pair) { p.connect(); p.ready(); p.do(0, func(s *Session) []Action { return s.Start(p.now()) }) }},
	{FrameSign, func(p *pair) { p.begin() }},
}

// noisy lists what frames of a scene must not bring about, whatever the link
// does to them.
func noisy(events []Event) (out []string) {
	for _, e := range events {
		switch e := e.(type) {
		case Bad, Fraud, Forgotten, Dropped:
			out = append(out, word(e))
		}
	}
	return out
}

// TestFramesLostRepeatedAndOvertaken has the link lose, repeat or delay the
// frames of one kind: nothing is shown of it, and both end where they would
// have.
func TestFramesLostRepeatedAndOvertaken(t *testing.T) {
	type fault struct {
		name string
		make func() func(frame []byte, mine bool) [][]byte
	}
	faults := []fault{
		{"missing", func() func([]byte, bool) [][]byte {
			dropped := false
			return func(f []byte, mine bool) [][]byte {
				if mine && !dropped {
					dropped = true
					return nil
				}
				return [][]byte{f}
			}
		}},
		{"repeated", func() func([]byte, bool) [][]byte {
			return func(f []byte, mine bool) [][]byte {
				if mine {
					return [][]byte{f, f, f}
				}
				return [][]byte{f}
			}
		}},
		{"overtaken", func() func([]byte, bool) [][]byte {
			var kept []byte
			return func(f []byte, mine bool) [][]byte {
				switch {
				case kept != nil:
					out := [][]byte{f, kept}
					kept = nil
					return out
				case mine:
					kept = f
					return nil
				}
				return [][]byte{f}
			}
		}},
	}
	run := func(t *testing.T, from int, kind FrameKind, play func(*pair), f *fault) (p *pair) {
		p = newPair(t, func(i int, c *Config) { c.Room.Clocks = ClocksOff })
		if f != nil {
			do := f.make()
			p.hook = func(i int, k FrameKind, frame []byte) [][]byte {
				if i != from {
					return [][]byte{frame}
				}
				return do(frame, k == kind)
			}
		}
		// The scene itself may need the frame to arrive: time helps.
		func() {
			defer func() { p.wait(4000) }()
			play(p)
		}()
		return p
	}
	check := func(from int, kind FrameKind, play func(*pair)) {
		for _, f := range faults {
			t.Run(kind.String()+" "+f.name, func(t *testing.T) {
				slow := func(p *pair) { // the scene, with time for each step
					p.hookWait = 4000
					play(p)
				}
				plain := run(t, from, kind, slow, nil)
				bad := run(t, from, kind, slow, &f)
				for i := range 2 {
					if n := noisy(bad.events[i]); len(n) > 0 {
						t.Errorf("side %d: %v", i, n)
					}
					if a, b := lasting(plain, i), lasting(bad, i); a != b {
						t.Errorf("side %d\nplain %s\nhere  %s", i, a, b)
					}
				}
			})
		}
	}
	for _, s := range scenes {
		check(1, s.kind, s.play)
	}
	for _, s := range hostScenes {
		check(0, s.kind, s.play)
	}
	// No kind is forgotten.
	have := map[FrameKind]bool{}
	for _, s := range append(scenes, hostScenes...) {
		have[s.kind] = true
	}
	for k := range FrameKind(64) {
		if named := frameNames[k] != ""; named != have[k] {
			t.Errorf("frames of kind %v: there are %v, tested %v", k, named, have[k])
		}
	}
}

// lasting lists what side i was shown and what must come of it once and in
// order; what may be lost is left out.
func lasting(p *pair, i int) (out string) {
	for _, e := range p.events[i] {
		switch e.(type) {
		case Previewed, Said, Expressed, RoomChanged, Trouble, Back:
		default:
			out += word(e) + " "
		}
	}
	return out
}

// TestFramesTruncated cuts a true body of every kind at every length, and adds
// a byte to it: each is one Bad of that kind and changes nothing else.
func TestFramesTruncated(t *testing.T) {
	check := func(from int, kind FrameKind, play func(*pair)) {
		t.Run(kind.String(), func(t *testing.T) {
			var body []byte
			p := newPair(t, nil)
			p.onFrame = func(i int, frame []byte) {
				if h, b, _ := parseFrame(frame); i == from && h.kind == kind && body == nil {
					body = bytes.Clone(b)
				}
			}
			play(p)
			if body == nil {
				t.Fatal("the scene has no such frame")
			}
			q := newPair(t, nil)
			q.connect()
			for n := 0; n <= len(body)+1; n++ {
				if n == len(body) {
					continue
				}
				b := append(bytes.Clone(body), 0)[:n]
				q.clear()
				q.mono += 1100
				q.forge(1-from, kind, b)
				if got, want := q.said(1-from), word(Bad{kind, BadFrame}); got != want {
					t.Fatalf("%d of %d bytes: %s, want %s", n, len(body), got, want)
				}
			}
		})
	}
	for _, s := range scenes {
		check(1, s.kind, s.play)
	}
	for _, s := range hostScenes {
		check(0, s.kind, s.play)
	}
}

// Nothing heard for 3 s is trouble, for 6 s offline; a frame ends both.
func TestTroubleAndOffline(t *testing.T) {
	p := newPair(t, nil)
	p.connect()
	p.clear()
	p.wait(10_000)
	if p.said(0) != "" {
		t.Fatal(p.said(0))
	}
	p.down = true
	p.clear()
	heard := p.mono - p.s[0].link.silentMs // when the last frame came
	for _, due := range []struct {
		ms   int64
		want string
	}{{3000, "Trouble"}, {6000, "Trouble Offline"}, {60_000, "Trouble Offline"}} {
		p.wait(heard + due.ms - p.mono - 1)
		before := p.said(0)
		p.wait(1)
		p.do(0, func(s *Session) []Action { return s.Tick(p.now()) })
		if got := p.said(0); got != due.want || due.ms < 60_000 && before == got {
			t.Errorf("after %d ms %q, a moment before %q", due.ms, got, before)
		}
	}
	p.down = false
	p.wait(3000)
	if got := p.said(0); got != "Trouble Offline Back" {
		t.Error(got)
	}
	if p.s[0].RoundTripMs() > 1 {
		t.Errorf("round trip %d", p.s[0].RoundTripMs())
	}
}
