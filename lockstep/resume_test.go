package lockstep

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

// back restarts a side with the last records of its journal gone.
func (p *pair) back(i, lost int) {
	j := p.journal[i][p.last[i]]
	p.journal[i][p.last[i]] = j[:len(j)-lost]
	p.restart(i)
}

// A journal that has lost its last record takes this side's own entry from the
// peer, and signs no other in its place.
func TestRolledBackJournalAdoptsFromThePeer(t *testing.T) {
	for _, lost := range []int{1, 2, 3} {
		p := newPair(t, nil)
		splitting(p)
		for range 9 {
			p.step()
		}
		m := p.s[1].match
		head, n := m.chain.Head(), m.chain.Len()
		p.back(1, lost)
		if got := p.s[1].match.chain.Len(); got >= n {
			t.Fatalf("nothing was lost: %d of %d", got, n)
		}
		// Time passes in which it might sign.
		p.wait(20_000)
		if len(p.wire) > 0 {
			t.Fatal("something was sent without a pipe")
		}
		p.s[0].Disconnected(p.now())
		p.connect()
		if got, _ := p.s[1].match.chain.HeadAt(n); got != head {
			t.Errorf("%d lost: another history", lost)
		}
		p.playOut()
		if !bytes.Equal(p.s[0].Log(), p.s[1].Log()) || strings.Contains(p.said(0)+p.said(1), "Bad") {
			t.Errorf("%q %q", p.said(0), p.said(1))
		}
	}
}

// A host whose journal has lost the signed terms gets them back from the
// guest, with its own signature.
func TestRolledBackTerms(t *testing.T) {
	p := newPair(t, nil).begin()
	id := p.s[0].match.id
	j := p.journal[0][p.last[0]]
	p.journal[0][p.last[0]] = j[:1]
	p.restart(0)
	if p.s[0].match != nil {
		t.Fatal("the terms are still there")
	}
	p.connect()
	m := p.s[0].match
	if m == nil || m.id != id {
		t.Fatalf("the match is gone: %s", p.said(0))
	}
	if m.recovering {
		t.Error("still recovering")
	}
	p.playOut()
	if !bytes.Equal(p.s[0].Log(), p.s[1].Log()) {
		t.Error("the logs differ")
	}
}

// Without its journal a side never signs in the match again; the other is told.
func TestWithoutAJournal(t *testing.T) {
	p := newPair(t, nil)
	splitting(p)
	p.s[1] = New(p.cfg[1])
	p.events[1] = nil
	p.clear()
	p.connect()
	if !strings.Contains(p.said(0), "Forgotten") {
		t.Error(p.said(0))
	}
	p.ready()
	n := p.s[0].match.chain.Len()
	p.wait(43_000)
	if p.s[1].match != nil || p.s[0].match.chain.Len() != n {
		t.Error("it goes on")
	}
	if p.s[0].match.claim == 0 {
		t.Error("no claim is due")
	}
}

// The splitter's decision outlives a crash, also when the chooser's entry has
// come in between.
func TestHeldDecisionSurvives(t *testing.T) {
	for _, later := range []bool{false, true} {
		p := newPair(t, nil)
		splitting(p)
		for p.state().Awaits() != engine.Place {
			p.step()
		}
		for !(p.state().Owed(0) && p.state().Owed(1)) {
			p.step()
		}
		splitter := p.side(p.state().Splitter())
		chooser := 1 - splitter
		move := randomMove(p.state(), p.s[splitter].match.seat, p.rng)
		p.do(splitter, func(s *Session) []Action { return s.Decide(p.now(), move) })
		if p.s[splitter].match.held == nil {
			t.Fatal("not held")
		}
		n := p.s[0].match.chain.Len()
		if later {
			// The chooser's entry is journaled, and then it dies.
			place := randomMove(p.state(), p.s[chooser].match.seat, p.rng)
			p.carry(chooser, p.s[chooser].Decide(p.now(), place))
			for _, w := range p.wire {
				for _, a := range p.s[splitter].Receive(p.now(), w.frame) {
					if a, ok := a.(Persist); ok {
						p.journal[splitter][a.Journal] = append(p.journal[splitter][a.Journal], a.Bytes)
						break
					}
				}
				break
			}
			p.wire = nil
		}
		p.restart(splitter)
		if h := p.s[splitter].match.held; h == nil || h.move.Data != move.Data {
			t.Fatal("the decision is lost")
		}
		p.connect()
		if !later {
			p.step()
		}
		e := p.s[0].match.chain.EntryAt(n + 2).Entry
		if e.Move.Data != move.Data || int(e.Move.Seat) != p.s[splitter].match.seat {
			t.Errorf("later %v: signed %+v", later, e.Move)
		}
	}
}

// A crash between persist and send resends identical bytes.
func TestCrashResendsIdenticalBytes(t *testing.T) {
	p := newPair(t, nil)
	splitting(p)
	move := randomMove(p.state(), p.s[1].match.seat, p.rng)
	var made []byte
	for _, a := range p.s[1].Decide(p.now(), move) {
		switch a := a.(type) {
		case Persist:
			p.journal[1][a.Journal] = append(p.journal[1][a.Journal], a.Bytes)
		case Send:
			if h, body, _ := parseFrame(a.Frame); h.kind == FrameEntries {
				made = bytes.Clone(body) // never sent: it has crashed
			}
		}
	}
	p.mono, p.wall = p.mono+3000, p.wall+3000
	p.restart(1)
	var sent []byte
	p.onFrame = func(from int, f []byte) {
		if h, body, _ := parseFrame(f); from == 1 && h.kind == FrameEntries {
			sent = body
		}
	}
	p.connect()
	if !bytes.Equal(made, sent) || made == nil {
		t.Error("other bytes are sent than were signed before the crash")
	}
}

// Damaged journals are refused, whatever is in them.
func TestDamagedJournals(t *testing.T) {
	p := newPair(t, nil)
	splitting(p)
	good := p.journal[1][p.last[1]]
	now := p.now()
	if _, err := Resume(p.cfg[1], now, good); err != nil {
		t.Fatal(err)
	}
	swap := func(change func(j [][]byte) [][]byte) [][]byte {
		j := make([][]byte, len(good))
		for i, r := range good {
			j[i] = bytes.Clone(r)
		}
		return change(j)
	}
	for name, j := range map[string][][]byte{
		"empty":           nil,
		"an empty record": {nil},
		"no beginning":    good[1:],
		"two beginnings":  append([][]byte{good[0]}, good...),
		"unknown kind":    append(swap(func(j [][]byte) [][]byte { return j }), []byte{99}),
		"entry missing":   swap(func(j [][]byte) [][]byte { return append(j[:2], j[3:]...) }),
		"signature of the terms damaged": swap(func(j [][]byte) [][]byte {
			j[1][5] ^= 1
			return j
		}),
		"entry damaged": swap(func(j [][]byte) [][]byte {
			j[3][len(j[3])-80] ^= 1
			return j
		}),
		"entry before the terms": {good[0], good[2]},
		"record cut":             swap(func(j [][]byte) [][]byte { j[2] = j[2][:20]; return j }),
	} {
		_, err := Resume(p.cfg[1], now, j)
		if !errors.Is(err, ErrJournal) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A session that takes a match up shows where it stands.
func TestResumeShowsTheMatch(t *testing.T) {
	p := newPair(t, nil)
	splitting(p)
	n := p.s[1].match.chain.Len()
	p.restart(1)
	p.do(1, func(s *Session) []Action { return s.Tick(p.now()) })
	if got := p.said(1); !strings.HasPrefix(got, "Started Applied(1) Applied(2)") || strings.Count(got, "Applied") != n {
		t.Error(got)
	}
	p.clear()
	p.connect()
	if got := p.said(1); got != "Met RoomChanged YourTurn(2) Resumed" && got != "Met YourTurn(2) Resumed" {
		t.Error(got)
	}
	saved, err := ReadJournal(p.journal[1][p.last[1]])
	if err != nil || saved.Over || !saved.Signed || saved.ID != p.s[1].match.id || saved.Peer != p.key[0] || saved.Host ||
		saved.Name != "Ann" || saved.Secret != p.cfg[1].Secret || saved.WallMs == 0 {
		t.Errorf("%+v %v", saved, err)
	}
}

// A process that comes back with a clock set back begins a lower connection
// number than its predecessor's; both come together under a higher one.
func TestClockSetBackOverARestart(t *testing.T) {
	for name, connectBoth := range map[string]bool{"one is told of the new pipe": false, "both are": true} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t, nil)
			splitting(p)
			p.wait(2000)
			number := p.s[1].link.number
			p.restart(1)
			early := Now{Mono: p.mono, Wall: p.wall - 3_600_000}
			p.carry(1, p.s[1].Connected(early))
			if p.s[1].link.number >= number {
				t.Fatal("the number is not lower")
			}
			if connectBoth {
				p.carry(0, p.s[0].Connected(early))
			}
			p.pump()
			for range 5 {
				p.mono += 1000
				for i := range 2 {
					p.carry(i, p.s[i].Tick(Now{Mono: p.mono, Wall: early.Wall}))
					p.pump()
				}
			}
			if a, b := p.s[0].link.number, p.s[1].link.number; a != b || a <= number {
				t.Errorf("numbers %x and %x after %x", a, b, number)
			}
			if p.s[1].View().Waiting {
				t.Error("still waiting")
			}
		})
	}
}

// Frames of a connection that was replaced do nothing.
func TestLateFramesOfAnOlderConnection(t *testing.T) {
	p := newPair(t, nil)
	var old [][]byte
	p.onFrame = func(from int, f []byte) {
		if from == 1 {
			old = append(old, bytes.Clone(f))
		}
	}
	splitting(p)
	p.onFrame = nil
	p.mono += 2000
	p.connect()
	p.clear()
	n := p.s[0].match.chain.Len()
	for _, f := range old {
		p.do(0, func(s *Session) []Action { return s.Receive(p.now(), f) })
	}
	if p.said(0) != "" || p.s[0].match.chain.Len() != n {
		t.Error(p.said(0))
	}
	p.playOut()
}

// A resignation that crossed several entries while the link was down is seen
// by both when they meet again, though the other has gone on beyond it.
func TestResignationCrossesACut(t *testing.T) {
	p := newPair(t, nil)
	splitting(p)
	// To where one side can make a placement and a reveal in a row.
	for p.state().Round() != 2 || p.state().Awaits() != engine.Place || p.state().Owed(0) && p.state().Owed(1) {
		p.step()
	}
	i := p.decider()
	n := p.s[0].match.chain.Len()
	move := randomMove(p.state(), p.s[i].match.seat, p.rng)
	p.down = true
	p.do(i, func(s *Session) []Action { return s.Decide(p.now(), move) })
	p.do(1-i, func(s *Session) []Action { return s.Resign(p.now()) })
	if a, b := p.s[i].match.chain.Len(), p.s[1-i].match.chain.Len(); a != n+2 || b != n+1 {
		t.Fatalf("%d and %d entries after %d", a, b, n)
	}
	p.down = false
	p.mono += 2000
	p.clear()
	p.connect()
	for side := range 2 {
		m := p.s[side].match
		if m.chain.Len() != n+1 || !m.chain.Sealed() || m.result.Outcome.Winner != p.s[i].match.seat {
			t.Errorf("side %d: %d entries, %+v: %s", side, m.chain.Len(), m.result, p.said(side))
		}
		if strings.Contains(p.said(side), "Bad") {
			t.Error(p.said(side))
		}
	}
}
