package lockstep

import (
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A side that never answers is flagged at 12, 6 and 10 s with the stated option
// and has forfeited at the end of round two, by both engines alike.
func TestSilentSeatIsFlaggedByItsOwnClient(t *testing.T) {
	p := newPair(t, nil).begin()
	limits := map[engine.Kind]int64{engine.Split: duel.SplitMs, engine.Choose: duel.ChooseMs, engine.Place: duel.PlaceMs}
	silent := 1
	for !p.state().Over() {
		state := p.state()
		n := p.s[0].match.chain.Len()
		for i := range 2 {
			kind := p.s[i].match.deciding
			if kind == engine.None || p.s[i].match.held != nil {
				continue
			}
			if i != silent {
				m := randomMove(state, p.s[i].match.seat, p.rng)
				p.do(i, func(s *Session) []Action { return s.Decide(p.now(), m) })
				continue
			}
		}
		if p.s[0].match.chain.Len() != n {
			continue
		}
		kind := p.s[silent].match.deciding
		p.wait(limits[kind] - 1)
		if p.s[silent].match.deciding != kind || p.s[silent].match.held != nil {
			t.Fatalf("flagged before %d ms", limits[kind])
		}
		p.wait(1)
		if p.s[silent].match.deciding == kind && p.s[silent].match.held == nil {
			t.Fatalf("not flagged at %d ms", limits[kind])
		}
		if p.s[0].match.chain.Len() == n {
			continue // held: the chooser's comes first
		}
		e := p.s[0].match.chain.EntryAt(n + 1).Entry
		if e.Move.Kind == engine.Flag {
			if int64(e.ThinkMs) != limits[kind] {
				t.Errorf("a flag after %d ms of %d", e.ThinkMs, limits[kind])
			}
		}
	}
	o := p.s[0].match.result.Outcome
	if o.End != engine.Forfeited || o.Winner != p.s[0].match.seat || o.Rounds != 2 {
		t.Errorf("%+v", o)
	}
}

func TestClocksDoubleAndOff(t *testing.T) {
	for _, c := range []struct {
		clocks Clocks
		flagMs int64 // of a split, 0 never
	}{{ClocksStandard, 12_000}, {ClocksDouble, 24_000}, {ClocksOff, 0}} {
		p := newPair(t, func(i int, cfg *Config) { cfg.Room.Clocks = c.clocks }).begin()
		i := p.decider()
		if c.flagMs == 0 {
			p.wait(600_000)
			if p.s[i].match.chain.Len() != 2 {
				t.Error("flagged without a clock")
			}
			continue
		}
		p.wait(c.flagMs - 1)
		if p.s[i].match.chain.Len() != 2 {
			t.Error("flagged too early")
		}
		p.wait(2)
		if p.s[i].match.chain.Len() != 3 {
			t.Error("not flagged in time")
		}
	}
}

// What a player thinks and what it waited for the other are in the record,
// less the round trip.
func TestThinkingAndWaitingTimes(t *testing.T) {
	p := newPair(t, nil).begin()
	p.s[0].link.rttMs, p.s[1].link.rttMs = 300, 300
	split := p.decider()
	p.mono += 4000
	p.wall += 4000
	p.step()
	e := p.s[0].match.chain.EntryAt(3).Entry
	if e.ThinkMs != 4000 || e.WaitMs != 0 {
		t.Errorf("split: thought %d, waited %d", e.ThinkMs, e.WaitMs)
	}
	p.mono += 1500
	p.wall += 1500
	p.step()
	e = p.s[0].match.chain.EntryAt(4).Entry
	if e.ThinkMs != 1500 || e.WaitMs != 3700 {
		t.Errorf("choice: thought %d, waited %d", e.ThinkMs, e.WaitMs)
	}
	// The splitter decides first; its entry stands second and has its own time.
	p.mono += 2000
	p.wall += 2000
	m := randomMove(p.state(), p.s[split].match.seat, p.rng)
	p.do(split, func(s *Session) []Action { return s.Decide(p.now(), m) })
	if p.s[split].match.held == nil || p.s[split].match.chain.Len() != 4 {
		t.Fatal("the splitter's placement was not held")
	}
	p.do(split, func(s *Session) []Action { return s.Decide(p.now(), m) })
	if got := word(p.events[split][len(p.events[split])-1]); got != "Refused(that is decided already)" {
		t.Error(got)
	}
	p.mono += 3000
	p.wall += 3000
	p.s[split].link.rttMs = 300 // a ping has been answered meanwhile
	p.step()
	chooser, splitter := p.s[0].match.chain.EntryAt(5).Entry, p.s[0].match.chain.EntryAt(6).Entry
	if chooser.ThinkMs != 5000 || splitter.ThinkMs != 2000 || splitter.WaitMs != 4700 {
		t.Errorf("placements: chooser %d, splitter %d, waited %d", chooser.ThinkMs, splitter.ThinkMs, splitter.WaitMs)
	}
	// The chooser of the next round, the splitter of this, reveals in one
	// frame with its last entry.
	if p.s[0].match.chain.EntryAt(7).Entry.Move.Kind != engine.Reveal {
		t.Error("no reveal behind the last placement")
	}
}

// TestRevealGoesWithTheLastEntry counts the frames that carry entries.
func TestRevealGoesWithTheLastEntry(t *testing.T) {
	p := newPair(t, nil).begin()
	var frames [][]record.SignedEntry
	p.onFrame = func(from int, f []byte) {
		if h, b, _ := parseFrame(f); h.kind == FrameEntries {
			e, _ := parseEntries(b)
			frames = append(frames, e)
		}
	}
	for p.state().Round() == 1 {
		p.step()
	}
	last := frames[len(frames)-2] // the splitter's of the new round comes after
	if len(last) != 2 || last[0].Entry.Move.Kind != engine.Place || last[1].Entry.Move.Kind != engine.Reveal {
		t.Errorf("%d entries", len(last))
	}
}

// While a machine sleeps only the wall clock goes on: the larger counts. A
// wall clock set back gives no time, and one set forward takes at most the
// limit.
func TestTheLargerClockCounts(t *testing.T) {
	for _, c := range []struct {
		name       string
		mono, wall int64
		flagged    bool
	}{
		{"asleep for 13 s", 0, 13_000, true},
		{"asleep for 3 s", 0, 3000, false},
		{"set back", 11_000, -50_000, false},
		{"set back, and the time over", 12_000, -50_000, true},
		{"set forward by a day", 10, 86_400_000, true},
	} {
		p := newPair(t, nil).begin()
		i := p.decider()
		p.mono += c.mono
		p.wall += c.wall
		p.do(i, func(s *Session) []Action { return s.Tick(p.now()) })
		if got := p.s[i].match.chain.Len() == 3; got != c.flagged {
			t.Errorf("%s: flagged %v", c.name, got)
		}
		if c.flagged {
			if e := p.s[i].match.chain.EntryAt(3).Entry; e.ThinkMs != duel.SplitMs {
				t.Errorf("%s: thought %d", c.name, e.ThinkMs)
			}
		}
	}
}

// Killing and restarting gives no new time.
func TestRestartGivesNoTime(t *testing.T) {
	p := newPair(t, nil).begin()
	i := p.decider()
	p.wait(9000)
	p.restart(i)
	v := p.s[i].View()
	if !v.Waiting || v.DueMono-p.mono != 3000 {
		t.Errorf("waiting %v, %d ms left", v.Waiting, v.DueMono-p.mono)
	}
	p.do(i, func(s *Session) []Action {
		return s.Decide(p.now(), randomMove(p.state(), p.s[i].match.seat, p.rng))
	})
	if got := word(p.events[i][len(p.events[i])-1]); got != "Refused(the match is being restored; wait until the other side has answered)" {
		t.Error(got)
	}
	p.connect()
	if p.s[i].View().Waiting {
		t.Fatal("still waiting")
	}
	p.wait(2990)
	if p.s[i].match.chain.Len() != 2 {
		t.Error("flagged too early")
	}
	p.wait(20)
	if p.s[i].match.chain.Len() != 3 || p.s[1-i].match.chain.Len() != 3 {
		t.Error("not flagged")
	}
}

// restart kills side i and resumes it from its journal, in a process with
// another monotonic clock; it has no pipe yet.
func (p *pair) restart(i int) {
	p.t.Helper()
	s, err := Resume(p.cfg[i], Now{Mono: p.mono, Wall: p.wall}, p.journal[i][p.last[i]])
	if err != nil {
		p.t.Fatal(err)
	}
	p.s[i] = s
	p.events[i] = nil
}

func TestLateDecisionIsRefused(t *testing.T) {
	p := newPair(t, nil).begin()
	i := p.decider()
	m := randomMove(p.state(), p.s[i].match.seat, p.rng)
	p.mono += 12_000
	p.clear()
	p.do(i, func(s *Session) []Action { return s.Decide(p.now(), m) })
	if got := p.said(i); got != "ClaimGone Applied(3) Refused(the time for that has passed)" && got != "Applied(3) Refused(the time for that has passed)" {
		t.Error(got)
	}
}

// A monotonic clock that runs backwards all the same does no harm.
func TestMonotonicClockThatIsNot(t *testing.T) {
	p := newPair(t, nil)
	splitting(p)
	p.wait(3000)
	due := p.s[1].View().DueMono
	p.do(1, func(s *Session) []Action { return s.Tick(Now{Mono: 5, Wall: p.wall}) })
	if got := p.s[1].View().DueMono; got != due {
		t.Errorf("due at %d, was %d", got, due)
	}
}
