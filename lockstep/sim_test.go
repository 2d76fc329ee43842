package lockstep

import (
	"bytes"
	"os"
	"strconv"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A trial is one seed of the simulator: what befalls the two sides follows
// from it.
type trial struct {
	w       *world
	kind    int
	cutOnly bool // at most one cut of under 25 s, and nothing else but frames lost
}

// newTrial makes a world in which, by its seed, frames are lost, late, doubled
// and overtaken, the link is cut, programs die between persist and send, lose
// the last record of their journal, sleep, and have clocks that jump.
func newTrial(seed uint64) trial {
	w := newWorld(seed)
	t := trial{w: w}
	r := w.rng
	for _, n := range w.nodes {
		n.fast = seed%8 != 0
	}
	w.link = faults{delayMs: 1 + r.Int64N(60)}
	if r.IntN(3) > 0 {
		w.link.jitterMs = 1 + r.Int64N(400) // more than the gap between frames: they overtake
	}
	if r.IntN(2) == 0 {
		w.link.lose = r.Float64() * 0.2
		w.link.repeat = r.Float64() * 0.2
	}
	kind := r.IntN(9)
	t.kind = kind
	at := func() int64 { return w.now + 1000 + r.Int64N(90_000) }
	switch kind {
	case 0:
		t.cutOnly = true
		from := at()
		w.link.cuts = [][2]int64{{from, from + 1 + r.Int64N(24_900)}}
	case 1:
		for range 1 + r.IntN(4) {
			from := at()
			t.w.link.cutApart(from, from+1+r.Int64N(12_000))
		}
	case 2, 3: // dies behind a persist
		for _, n := range w.nodes {
			if r.IntN(2) == 0 {
				n.dieAt = 1 + r.IntN(90)
				n.restart = 100 + r.Int64N(8_000)
			}
		}
	case 4: // and the journal loses its last record
		n := w.nodes[r.IntN(2)]
		n.dieAt, n.rollBack = 1+r.IntN(90), true
		n.restart = 100 + r.Int64N(8_000)
	case 7: // someone resigns, or both do, perhaps at the same moment
		for when, i := at(), 0; i < 2; i++ {
			n := w.nodes[r.IntN(2)]
			if i > 0 {
				n = w.nodes[1-n.id]
			}
			w.after(when-w.now+r.Int64N(2*(w.link.delayMs+w.link.jitterMs)+1), func() {
				n.call(func(s *Session) []Action { return s.Resign(n.time()) })
			})
			if r.IntN(3) == 0 {
				break
			}
		}
	case 8: // all of it
		for _, n := range w.nodes {
			n.dieAt, n.deaths = 1+r.IntN(60), r.IntN(3)
			n.restart = 100 + r.Int64N(5_000)
			when, by := at(), r.Int64N(20_000)-10_000
			w.after(when-w.now, func() { n.wallOff += by })
		}
		w.nodes[r.IntN(2)].rollBack = r.IntN(2) == 0
		from := at()
		w.link.cuts = [][2]int64{{from, from + 1 + r.Int64N(9_000)}}
		n := w.nodes[r.IntN(2)]
		w.after(at()-w.now, func() { n.call(func(s *Session) []Action { return s.Resign(n.time()) }) })
	case 5: // a wall clock jumps
		for range 1 + r.IntN(3) {
			n := w.nodes[r.IntN(2)]
			by := r.Int64N(80_000) - 40_000
			w.after(at()-w.now, func() { n.wallOff += by })
		}
	case 6: // a machine sleeps; its monotonic clock may stand still meanwhile
		n := w.nodes[r.IntN(2)]
		ms, still := 1+r.Int64N(20_000), r.IntN(2) == 0
		w.after(at()-w.now, func() { n.sleep(ms, still) })
	}
	return t
}

// cutApart adds a cut, unless it lies so near to another that the two would be
// like one that is long enough for a claim.
func (f *faults) cutApart(from, to int64) {
	const apartMs = 10_000
	for _, c := range f.cuts {
		if from < c[1]+apartMs && c[0] < to+apartMs {
			return
		}
	}
	f.cuts = append(f.cuts, [2]int64{from, to})
}

// sleep suspends the machine.
func (n *node) sleep(ms int64, still bool) {
	w := n.w
	n.asleep = w.now + ms
	w.after(ms, func() {
		if still {
			n.slept += ms
		}
		queued := n.queued
		n.queued = nil
		for _, f := range queued {
			n.call(func(s *Session) []Action { return s.Receive(n.time(), f) })
		}
		n.call(func(s *Session) []Action { return s.Tick(n.time()) })
	})
}

// ended reports whether a side holds a result, and which. One that died after
// it had signed the seal has nothing to take up again.
func (n *node) ended() (Result, bool) {
	if n.s.match == nil && !n.s.resumed && n.gen > 1 {
		for _, name := range n.names {
			if saved, err := ReadJournal(n.journals[name]); err == nil && saved.Over {
				n.s, _ = Resume(n.cfg, n.time(), n.journals[name])
				n.carry(n.s.Tick(n.time()))
			}
		}
	}
	if n.s.match == nil || !n.s.match.over() {
		return Result{}, false
	}
	return n.s.match.result, true
}

// soakTimes is how many times more seeds a soak runs than an ordinary test:
// 600,000, about half an hour.
const soakTimes = 400

func seeds(def int) (first, count int) {
	first, count = 1, def
	if os.Getenv("CLEAVE_SOAK") != "" {
		count = def * soakTimes
	}
	if s := os.Getenv("CLEAVE_SEED"); s != "" {
		n, _ := strconv.Atoi(s)
		first, count = n, 1
	}
	return first, count
}

func TestSimulator(t *testing.T) {
	games := record.Games{duel.Rules: duel.Game{}}
	first, count := seeds(1500)
	finished, sealed := 0, 0
	ends := map[End]int{}
	for seed := first; seed < first+count; seed++ {
		tr := newTrial(uint64(seed))
		w := tr.w
		w.open()
		w.run(w.now+1_200_000, func() bool {
			_, a := w.nodes[0].ended()
			_, b := w.nodes[1].ended()
			return a && b && (bothSealed(w)() || w.nodes[0].s.match.sealMs == 0 && w.nodes[1].s.match.sealMs == 0)
		})
		// What is still on its way arrives.
		w.run(w.now+40_000, bothSealed(w))
		for _, x := range w.wrong {
			t.Errorf("seed %d: %s", seed, x)
		}
		ra, oka := w.nodes[0].ended()
		rb, okb := w.nodes[1].ended()
		if oka && okb {
			ends[ra.End]++
		} else {
			ends[0]++
		}
		if testing.Verbose() && (!oka || !okb || ra.End != ByEngine) {
			t.Logf("seed %d: kind %d: %v %v", seed, tr.kind, ra, rb)
		}
		if tr.cutOnly && (ra.End == Abandoned || rb.End == Abandoned) {
			t.Errorf("seed %d: a cut of %d ms ended in abandoned", seed, w.link.cuts[0][1]-w.link.cuts[0][0])
		}
		done := oka && okb && ra.End == ByEngine && rb.End == ByEngine
		if !done && w.nodes[0].lost+w.nodes[1].lost == 0 {
			// None of what befalls them lasts long enough to end a match of
			// two journals that hold.
			t.Errorf("seed %d: not finished: %+v %+v", seed, ra, rb)
		}
		if done {
			finished++
			a, b := w.nodes[0].s.match.chain, w.nodes[1].s.match.chain
			if a.Head() != b.Head() || ra != rb {
				t.Errorf("seed %d: heads differ", seed)
			}
			if bothSealed(w)() {
				sealed++
				if !bytes.Equal(w.nodes[0].sealed, w.nodes[1].sealed) {
					t.Errorf("seed %d: sealed logs differ", seed)
				}
				if !w.nodes[0].fast {
					log, err := record.ParseLog(w.nodes[0].sealed)
					if err != nil {
						t.Errorf("seed %d: %v", seed, err)
					} else if _, err := record.Verify(log, games); err != nil {
						t.Errorf("seed %d: %v", seed, err)
					}
				}
			}
		}
		for _, n := range w.nodes {
			for _, e := range n.events {
				switch e := e.(type) {
				case Fraud, Desync, Forgotten:
					if n.w.nodes[0].lost+n.w.nodes[1].lost == 0 {
						t.Errorf("seed %d: node %d: %T", seed, n.id, e)
					}
				case Bad:
					t.Errorf("seed %d: node %d: %v: %v", seed, n.id, e.Frame, e.Reason)
				}
			}
		}
		if count == 1 {
			dump(t, w)
		}
		if t.Failed() {
			if count == 1 || testing.Verbose() {
				dump(t, w)
			}
			t.Fatalf("seed %d (CLEAVE_SEED=%d runs it alone)", seed, seed)
		}
	}
	t.Logf("%d seeds: %d finished, %d sealed, ends %v", count, finished, sealed, ends)
	if count > 100 && finished*100 < count*95 {
		t.Errorf("only %d of %d finished", finished, count)
	}
}

// TestSimulatorOfRematches plays three matches of one pair in a row, with cuts
// and lost frames about where one ends and the next begins.
func TestSimulatorOfRematches(t *testing.T) {
	first, count := seeds(200)
	finished := 0
	for seed := first; seed < first+count; seed++ {
		w := newWorld(uint64(seed))
		w.link = faults{delayMs: 1 + w.rng.Int64N(60), jitterMs: 1 + w.rng.Int64N(200), lose: w.rng.Float64() * 0.3, repeat: 0.1}
		cuts := 0
		for _, n := range w.nodes {
			n.fast = true
			n.rematch = 2
			n.onEvent = func(e Event) {
				switch e.(type) {
				case Started:
					n.noStart = true // what follows is agreed by rematch alone
				case Over:
					if cuts++; cuts%2 == 1 {
						from := w.now + w.rng.Int64N(1500)
						w.link.cuts = append(w.link.cuts, [2]int64{from, from + w.rng.Int64N(9000)})
						w.after(w.rng.Int64N(1500), func() {
							for _, x := range w.nodes {
								x.call(func(s *Session) []Action { return s.Disconnected(x.time()) })
							}
							w.connect()
						})
					}
				}
			}
			// Short matches: someone resigns soon.
			n.think = func(s duel.State, seat int) (engine.Move, int64) {
				if s.Round() == 2 {
					w.after(1, func() { n.call(func(s *Session) []Action { return s.Resign(n.time()) }) })
				}
				return n.random(s, seat)
			}
		}
		w.open()
		third := func() bool {
			return len(w.nodes[0].overs) >= 3 && len(w.nodes[1].overs) >= 3 && bothSealed(w)()
		}
		ok := w.run(w.now+1_200_000, third)
		for _, x := range w.wrong {
			t.Errorf("seed %d: %s", seed, x)
		}
		if ok {
			finished++
			a, b := w.nodes[0].s.match.chain, w.nodes[1].s.match.chain
			if a.Head() != b.Head() || w.nodes[0].s.match.seat != 0 {
				t.Errorf("seed %d: heads or seats differ", seed)
			}
		} else {
			t.Errorf("seed %d does not finish", seed)
		}
		if count == 1 {
			dump(t, w)
		}
		for _, n := range w.nodes {
			for _, e := range n.events {
				switch e := e.(type) {
				case Fraud, Desync, Forgotten, Bad:
					t.Errorf("seed %d: node %d: %T %+v", seed, n.id, e, e)
				}
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d (CLEAVE_SEED=%d runs it alone)", seed, seed)
		}
	}
	t.Logf("%d seeds: %d finished", count, finished)
	if count > 100 && finished*100 < count*95 {
		t.Errorf("only %d of %d finished", finished, count)
	}
}
