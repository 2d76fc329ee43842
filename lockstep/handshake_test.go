package lockstep

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep/record"
)

func TestReadyAndStart(t *testing.T) {
	p := newPair(t, nil)
	start := func(i int) string {
		p.clear()
		p.do(i, func(s *Session) []Action { return s.Start(p.now()) })
		return p.said(i)
	}
	if got := start(0); got != "Refused(nobody else is here yet)" {
		t.Error(got)
	}
	p.connect()
	if got := start(1); got != "Refused(only the host can do that)" {
		t.Error(got)
	}
	if got := start(0); got != "Refused(both players must be ready first)" {
		t.Error(got)
	}
	p.do(0, func(s *Session) []Action { return s.Ready(p.now(), true) })
	if got := start(0); got != "Refused(both players must be ready first)" {
		t.Error(got)
	}
	p.do(1, func(s *Session) []Action { return s.Ready(p.now(), true) })
	p.do(1, func(s *Session) []Action { return s.Ready(p.now(), false) })
	if got := start(0); got != "Refused(both players must be ready first)" {
		t.Error(got)
	}
	p.do(1, func(s *Session) []Action { return s.Ready(p.now(), true) })
	// The host changes the clocks: both Readys are gone.
	p.do(0, func(s *Session) []Action { return s.SetRoom(p.now(), Room{Name: "new", Clocks: ClocksDouble}) })
	for i := range 2 {
		v := p.s[i].View().Room
		if v.Ready != [2]bool{} || v.Room != (Room{Name: "new", Clocks: ClocksDouble}) {
			t.Errorf("side %d: %+v", i, v)
		}
	}
	if got := start(0); got != "Refused(both players must be ready first)" {
		t.Error(got)
	}
	p.clear()
	p.do(1, func(s *Session) []Action { return s.SetRoom(p.now(), Room{}) })
	if got := p.said(1); got != "Refused(only the host can do that)" {
		t.Error(got)
	}
	p.ready()
	start(0)
	m := p.s[1].match
	if m == nil || m.terms.Limits != record.DoubleLimits || m.terms.Keys != p.key || m.seat != 1 {
		t.Fatalf("no match as agreed: %s", p.said(0))
	}
	if got := start(0); got != "Refused(that cannot be done just now)" {
		t.Error(got)
	}
}

// NOT READY that crosses START is a refusal, and both are back in the room.
func TestNotReadyCrossesStart(t *testing.T) {
	p := newPair(t, nil)
	p.connect()
	p.ready()
	p.carry(1, p.s[1].Ready(p.now(), false))
	p.clear()
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	if !strings.Contains(p.said(0), "Refused(peer: both players must be ready first)") || p.s[0].phase != phaseLobby || p.s[0].match != nil {
		t.Error(p.said(0))
	}
	if !strings.Contains(p.said(0), "Void") {
		t.Error("the journal of a match that never was is kept")
	}
	p.ready()
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	if p.s[0].match == nil || p.s[1].match == nil {
		t.Error("no match at the second try")
	}
}

// A host that changes the room takes back a START that is not answered.
func TestStartTakenBack(t *testing.T) {
	p := newPair(t, nil)
	offered(p)
	if p.s[1].phase != phaseAccepted {
		t.Fatal("the guest has not answered")
	}
	p.clear()
	p.do(0, func(s *Session) []Action { return s.SetRoom(p.now(), Room{Clocks: ClocksOff}) })
	p.hook = nil
	p.wait(3000)
	for i := range 2 {
		if p.s[i].phase != phaseLobby || p.s[i].match != nil || !strings.Contains(p.said(i), "Void") {
			t.Errorf("side %d: phase %d: %s", i, p.s[i].phase, p.said(i))
		}
	}
	p.ready()
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	if p.s[0].match == nil || p.s[1].match == nil {
		t.Error("no match afterwards")
	}
}

func TestSameKeyIsRefused(t *testing.T) {
	p := newPair(t, func(i int, c *Config) {
		if i == 1 {
			*c = Config{Key: c.Peer, Peer: c.Peer, Name: "Ann", Games: c.Games, Rules: c.Rules, Layers: c.Layers, Fresh: c.Fresh, Sign: c.Sign}
		} else {
			c.Peer = c.Key
		}
	})
	p.connect()
	p.clear()
	for i := range 2 {
		p.do(i, func(s *Session) []Action { return s.Ready(p.now(), true) })
		if got := p.said(i); got != "Refused(the other player plays under your own account; use another on one of the two)" {
			t.Errorf("side %d: %s", i, got)
		}
	}
}

// What is committed to the disk before anything is sent that needs it.
func TestWriteAhead(t *testing.T) {
	p := newPair(t, nil)
	p.connect()
	p.ready()
	seen := map[string]bool{}
	check := func(side int, actions []Action) {
		var disk []byte
		for _, recs := range p.journal[side] {
			disk = append(disk, bytes.Join(recs, nil)...)
		}
		for _, a := range actions {
			switch a := a.(type) {
			case Persist:
				disk = append(disk, a.Bytes...)
			case Send:
				h, body, _ := parseFrame(a.Frame)
				needs := [][]byte{}
				switch h.kind {
				case FrameStart:
					m, _ := parseStart(body)
					needs = append(needs, m.half.anchor[:], m.half.nonce[:])
					secret := p.s[side].offer.secret
					needs = append(needs, secret[:])
				case FrameAccept:
					m, _ := parseAccept(body)
					secret := p.s[side].offer.secret
					needs = append(needs, m.half.anchor[:], m.half.nonce[:], m.sig[:], secret[:], p.s[side].offer.terms.Append(nil))
				case FrameSign:
					m, _ := parseSign(body)
					needs = append(needs, m.sig[:])
				case FrameEntries:
					entries, _ := parseEntries(body)
					for _, e := range entries {
						needs = append(needs, e.Append(nil))
					}
				case FrameSeal:
					needs = append(needs, body)
				}
				for _, n := range needs {
					seen[h.kind.String()] = true
					if !bytes.Contains(disk, n) {
						t.Errorf("side %d sends a %v that is not on its disk", side, h.kind)
					}
				}
			}
		}
	}
	// Every call's actions are looked at before they are carried out.
	act := func(i int, actions []Action) {
		check(i, actions)
		p.carry(i, actions)
		for len(p.wire) > 0 {
			x := p.wire[0]
			p.wire = p.wire[1:]
			a := p.s[x.to].Receive(p.now(), x.frame)
			check(x.to, a)
			p.carry(x.to, a)
		}
	}
	act(0, p.s[0].Start(p.now()))
	for !p.state().Over() {
		i := p.decider()
		act(i, p.s[i].Decide(p.now(), randomMove(p.state(), p.s[i].match.seat, p.rng)))
	}
	for _, k := range []string{"start", "accept", "sign", "entries", "seal"} {
		if !seen[k] {
			t.Errorf("no %s was sent", k)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"Ann": true, "": false, "Zoë": true, "名前": true, strings.Repeat("x", 24): true, strings.Repeat("x", 25): false,
		strings.Repeat("e\u0301", 24): true, strings.Repeat("e\u0301", 25): false,
		"👩\u200d👩\u200d👧\u200d👦": true, strings.Repeat("👩\u200d👦", 13): true, "a\nb": false, "a\x00": false, "\u202eevil": false,
		"\xff": false, strings.Repeat("🇩🇪", 19): true, "Ann Marie": true, "\u200b": false,
		strings.Repeat("🇩🇪", 25): false, "👍🏽": true,
	} {
		if got := ValidName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// Three rematches with the seats swapped each time, one refused.
func TestRematch(t *testing.T) {
	p := newPair(t, nil).begin()
	ids := map[record.ID]bool{}
	for n := range 4 {
		m := p.s[0].match
		if m.seat != n%2 || p.s[1].match.seat == m.seat || ids[m.id] || m.id != p.s[1].match.id {
			t.Fatalf("match %d: host has seat %d", n, m.seat)
		}
		ids[m.id] = true
		if n == 0 {
			p.playOut()
		} else {
			p.do(n%2, func(s *Session) []Action { return s.Resign(p.now()) })
		}
		p.clear()
		if n == 1 { // refused, and offered again
			p.do(0, func(s *Session) []Action { return s.Rematch(p.now(), true) })
			p.do(1, func(s *Session) []Action { return s.Rematch(p.now(), false) })
			if p.said(0) != "RematchRefused" || p.said(1) != "RematchOffered" {
				t.Errorf("%q %q", p.said(0), p.said(1))
			}
			p.do(1, func(s *Session) []Action { return s.Rematch(p.now(), false) })
			if p.said(0) != "RematchRefused" {
				t.Errorf("refused twice: %q", p.said(0))
			}
			p.clear()
		}
		if n == 3 {
			break
		}
		p.do(1, func(s *Session) []Action { return s.Rematch(p.now(), true) })
		if p.said(0) != "RematchOffered" || p.s[0].match.id != m.id {
			t.Errorf("match %d: one alone: %q", n, p.said(0))
		}
		p.do(0, func(s *Session) []Action { return s.Rematch(p.now(), true) })
		if !strings.Contains(p.said(0), "RematchAgreed") || !strings.Contains(p.said(1), "RematchAgreed") {
			t.Errorf("match %d: %q %q", n, p.said(0), p.said(1))
		}
	}
}

// A name is changed, and a peer comes back under another number, without a
// second introduction.
func TestMetAgainOnlyWhenSomethingIsNew(t *testing.T) {
	p := newPair(t, nil)
	p.connect()
	p.clear()
	p.mono += 2000
	p.connect()
	if strings.Contains(p.said(0)+p.said(1), "Met") {
		t.Errorf("%q %q", p.said(0), p.said(1))
	}
	p.do(1, func(s *Session) []Action { return s.SetName(p.now(), "Carol") })
	if !strings.Contains(p.said(0), "Met") || p.s[0].View().Peer.Name != "Carol" {
		t.Error(p.said(0))
	}
}

func TestLeaving(t *testing.T) {
	t.Run("answered", func(t *testing.T) {
		p := newPair(t, nil)
		p.connect()
		p.clear()
		p.do(0, func(s *Session) []Action { return s.Leave(p.now()) })
		p.do(0, func(s *Session) []Action { return s.Tick(p.now()) })
		if p.said(0) != "Closed" || p.said(1) != "PeerLeft" {
			t.Errorf("%q %q", p.said(0), p.said(1))
		}
		if p.s[0].NextTick() != never || len(p.s[0].Connected(p.now())) != 0 {
			t.Error("a closed session goes on")
		}
	})
	t.Run("not answered", func(t *testing.T) {
		p := newPair(t, nil)
		p.connect()
		p.down = true
		p.clear()
		p.do(0, func(s *Session) []Action { return s.Leave(p.now()) })
		p.wait(1900)
		if p.said(0) != "" {
			t.Error(p.said(0))
		}
		p.wait(200)
		if p.said(0) != "Closed" {
			t.Error(p.said(0))
		}
	})
	t.Run("without a pipe", func(t *testing.T) {
		p := newPair(t, nil)
		p.do(0, func(s *Session) []Action { return s.Leave(p.now()) })
		if p.said(0) != "Closed" {
			t.Error(p.said(0))
		}
	})
	t.Run("both at once", func(t *testing.T) {
		p := newPair(t, nil)
		p.connect()
		p.carry(0, p.s[0].Leave(p.now()))
		p.carry(1, p.s[1].Leave(p.now()))
		p.pump()
		p.wait(10)
		if !strings.HasSuffix(p.said(0), "Closed") || !strings.HasSuffix(p.said(1), "Closed") {
			t.Errorf("%q %q", p.said(0), p.said(1))
		}
	})
	t.Run("before the first reveal it is free", func(t *testing.T) {
		p := newPair(t, func(i int, c *Config) { rated(i, c); c.OpenWaitMs = 8000 }).begin()
		p.clear()
		p.do(1, func(s *Session) []Action { return s.Leave(p.now()) })
		for i, want := range []string{"Over(4 by -1) RoomChanged PeerLeft", "Over(4 by -1) RoomChanged Closed"} {
			if got := p.said(i); got != want {
				t.Errorf("side %d: %q", i, got)
			}
		}
	})
	t.Run("later it is not, and the match can be taken up again", func(t *testing.T) {
		p := newPair(t, nil)
		splitting(p)
		p.clear()
		p.do(1, func(s *Session) []Action { return s.Leave(p.now()) })
		if p.said(0) != "PeerLeft" || p.s[0].match.over() {
			t.Error(p.said(0))
		}
		p.wait(20)
		p.restart(1)
		p.clear()
		p.connect()
		p.playOut()
		if !p.s[0].match.chain.Sealed() || !p.s[1].match.chain.Sealed() {
			t.Error("not played to its end")
		}
	})
}

// Resignations that cross a move, or each other.
func TestResignationCrosses(t *testing.T) {
	t.Run("a move", func(t *testing.T) {
		p := newPair(t, nil)
		splitting(p)
		n := p.s[0].match.chain.Len()
		move := randomMove(p.state(), p.s[1].match.seat, p.rng)
		p.clear()
		p.carry(0, p.s[0].Resign(p.now()))
		p.carry(1, p.s[1].Decide(p.now(), move))
		p.pump()
		for i := range 2 {
			m := p.s[i].match
			if m.chain.Len() != n+1 || m.result.Outcome.Winner != 1 || m.result.Outcome.End != engine.Resigned || !m.chain.Sealed() {
				t.Errorf("side %d: %d entries, %+v: %s", i, m.chain.Len(), m.result, p.said(i))
			}
		}
		if !strings.Contains(p.said(1), "Dropped") || strings.Contains(p.said(0)+p.said(1), "Bad") {
			t.Errorf("%q %q", p.said(0), p.said(1))
		}
		if p.s[0].match.chain.Head() != p.s[1].match.chain.Head() {
			t.Error("the heads differ")
		}
	})
	t.Run("each other", func(t *testing.T) {
		p := newPair(t, nil)
		splitting(p)
		p.clear()
		p.carry(0, p.s[0].Resign(p.now()))
		p.carry(1, p.s[1].Resign(p.now()))
		p.pump()
		for i := range 2 {
			m := p.s[i].match
			if m.result.Outcome.Winner != engine.Nobody || !m.chain.Sealed() || strings.Contains(p.said(i), "Bad") || strings.Contains(p.said(i), "Dropped") {
				t.Errorf("side %d: %+v: %s", i, m.result, p.said(i))
			}
		}
		if !bytes.Equal(p.s[0].Log(), p.s[1].Log()) {
			t.Error("the logs differ")
		}
	})
	t.Run("the end", func(t *testing.T) {
		p := newPair(t, nil).begin()
		for p.state().Round() < duel.Rounds || p.state().Awaits() != engine.Place {
			p.step()
		}
		for p.s[0].match.chain.Position().Owes() == p.side(p.state().Chooser()) && p.state().Owed(0) && p.state().Owed(1) {
			p.step()
		}
		i := p.decider()
		move := randomMove(p.state(), p.s[i].match.seat, p.rng)
		p.clear()
		p.carry(1-i, p.s[1-i].Resign(p.now()))
		p.carry(i, p.s[i].Decide(p.now(), move)) // for this side the match is over
		if p.s[i].match.result.Outcome.End != engine.Played {
			t.Fatal("not the last entry")
		}
		p.pump()
		for j := range 2 {
			m := p.s[j].match
			if m.result.Outcome.End != engine.Resigned || m.result.Outcome.Winner != p.s[i].match.seat || !m.chain.Sealed() {
				t.Errorf("side %d: %+v: %s", j, m.result, p.said(j))
			}
		}
	})
}

// The survivor of the last entry stays 30 s for the seal, and takes it later.
func TestSealIsAwaited(t *testing.T) {
	p := newPair(t, nil)
	unsealed(p)
	p.clear()
	p.hook = func(int, FrameKind, []byte) [][]byte { return nil }
	p.wait(29_900)
	if strings.Contains(p.said(0), "nsealed") {
		t.Error("given up too early")
	}
	p.wait(200)
	if !strings.Contains(p.said(0), "Unsealed") {
		t.Error(p.said(0))
	}
	p.hook = nil
	p.clear()
	p.connect()
	if !strings.Contains(p.said(0), "Sealed") || !bytes.Equal(p.s[0].Log(), p.s[1].Log()) {
		t.Error(p.said(0))
	}
}
