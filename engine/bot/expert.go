package bot

import (
	"math"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

const (
	expertSamples   = 40 // blocks of the next round that outcomes are tried on
	expertShortlist = 8  // placements that are looked at more closely
)

// An expert works out one decision.
type expert struct {
	rng   generator
	nodes int // most placements to value
}

// An outcome is how a round may end, seen from the deciding seat.
type outcome struct {
	sides [2]*side // of the next round; index 0 is the deciding seat's
	lead  int      // own points less the other's, in tenths
	total float64  // sum of worth over the samples
}

// decide is for a seat that has a decision to make.
func (e expert) decide(s duel.State, seat int) engine.Move {
	left := roundsLeft(s)
	lead := 10 * (s.Score(seat) - s.Score(1-seat))
	now := [2]*side{{board: s.Board(seat), left: left}, {board: s.Board(1 - seat), left: left}}
	next := pool{left: left - 1}
	splitsNext := 1 // the deciding seat splits this round
	if s.Splitter() != seat {
		splitsNext = 0
	}
	kind := s.MayDecide(seat)
	switch kind {
	case engine.Place:
		list := Evaluate(s, seat)
		list = list[:min(len(list), expertShortlist)]
		theirs := settled{board: s.Board(1 - seat)}
		if s.Owed(1 - seat) {
			theirs = settle(now[1], shapeOfPiece(s, 1-seat))
		}
		outcomes := make([]outcome, len(list))
		for i, o := range list {
			after, _ := placed(s.Board(seat), engine.Board(o.Move.Data), left)
			outcomes[i] = next.outcome(after, theirs.board, lead+10*o.Points-theirs.tenths)
		}
		e.look(outcomes, &next, splitsNext, left)
		best := 0
		for i := range outcomes {
			if outcomes[i].total > outcomes[best].total {
				best = i
			}
		}
		return list[best].Move
	case engine.Choose:
		outcomes := make([]outcome, 2)
		parts := [2]int{duel.ShapeOf(s.Split()), duel.ShapeOf(uint16(s.Block()) ^ s.Split())}
		for taken := range outcomes {
			outcomes[taken] = next.both(now, parts[taken], parts[1-taken], lead)
		}
		e.look(outcomes, &next, splitsNext, left)
		m := engine.Move{Seat: uint8(seat), Kind: kind}
		if outcomes[1].total > outcomes[0].total {
			m.Data = 1
		}
		return m
	case engine.Split:
		masks, count := s.Block().Splits()
		outcomes := make([]outcome, 2*count)
		for i, m := range masks[:count] {
			small, large := duel.ShapeOf(m), duel.ShapeOf(uint16(s.Block())^m)
			outcomes[2*i] = next.both(now, small, large, lead)
			outcomes[2*i+1] = next.both(now, large, small, lead)
		}
		e.look(outcomes, &next, splitsNext, left)
		best, most := 0, math.Inf(-1)
		for i := range count {
			// The chooser leaves the worse of the two.
			if v := min(outcomes[2*i].total, outcomes[2*i+1].total); v > most {
				best, most = i, v
			}
		}
		return engine.Move{Seat: uint8(seat), Kind: kind, Data: uint64(masks[best])}
	}
	return engine.Move{}
}

// look fills in the totals: what each outcome is worth, summed over the same
// sampled blocks of the next round. After the last round it is exact.
func (e *expert) look(outcomes []outcome, sides *pool, splitter, left int) {
	if left == 0 {
		for i := range outcomes {
			outcomes[i].total = worth(outcomes[i].lead, 0)
		}
		return
	}
	for sample := 0; sample < expertSamples; sample++ {
		b := duel.BlockAt(e.rng.below(duel.Blocks))
		masks, count := b.Splits()
		for i := range outcomes {
			o := &outcomes[i]
			gain := searchRound(b, masks[:count], o.sides[splitter], o.sides[1-splitter])
			if splitter == 0 {
				gain = -gain
			}
			o.total += worth(o.lead+gain, left-1)
		}
		// All outcomes have met the same blocks, so stopping here is fair.
		if sides.nodes() > e.nodes {
			return
		}
	}
}

// searchRound plays a round on a block exactly: the split that leaves the
// chooser least, of his better choice. It returns the chooser's gain over the
// splitter in tenths, futures included.
func searchRound(b duel.Block, splits []uint16, splitter, chooser *side) int {
	least := math.MaxInt
	for _, m := range splits {
		small, large := duel.ShapeOf(m), duel.ShapeOf(uint16(b)^m)
		least = min(least, max(
			chooser.value(small)-splitter.value(large),
			chooser.value(large)-splitter.value(small)))
	}
	return least
}

// worth is the chance to win, from -1/2 to 1/2, of who leads by so much with
// that many rounds left; and a little for the lead itself, so that a player
// who is lost or has won goes on playing well.
func worth(lead, left int) float64 {
	diff := points(lead)
	chance := 0.0
	switch {
	case left > 0:
		chance = 0.5 * math.Erf(diff/(14*math.Sqrt(float64(left))))
	case lead > 0:
		chance = 0.5
	case lead < 0:
		chance = -0.5
	}
	return chance + diff/2000
}

// A settled side has placed, or lost, its piece.
type settled struct {
	board  engine.Board
	tenths int // the points it got, without future
}

// settle places a shape as well as it goes.
func settle(s *side, shape int) settled {
	cells := s.best(shape)
	if cells == 0 {
		return settled{s.board, 10 * duel.BlockedPoints}
	}
	after, lines := (s.board | cells).Clear(duel.Size)
	return settled{after, 10 * duel.LinePoints(lines.Count())}
}

// A pool has one side for each board that an outcome leads to, so that no
// board is worked out twice.
type pool struct {
	left  int
	sides []*side
}

func (p *pool) side(b engine.Board) *side {
	for _, s := range p.sides {
		if s.board == b {
			return s
		}
	}
	s := &side{board: b, left: p.left}
	p.sides = append(p.sides, s)
	return s
}

// nodes is how many placements the pool has valued.
func (p *pool) nodes() int {
	n := 0
	for _, s := range p.sides {
		n += s.nodes
	}
	return n
}

func (p *pool) outcome(mine, theirs engine.Board, lead int) outcome {
	if p.left < 0 {
		return outcome{lead: lead}
	}
	return outcome{sides: [2]*side{p.side(mine), p.side(theirs)}, lead: lead}
}

// both is the outcome when each places a shape as well as it goes.
func (p *pool) both(now [2]*side, mine, theirs, lead int) outcome {
	a, b := settle(now[0], mine), settle(now[1], theirs)
	return p.outcome(a.board, b.board, lead+a.tenths-b.tenths)
}

// shapeOfPiece returns the shape that a seat got in this round.
func shapeOfPiece(s duel.State, seat int) int {
	taken, _ := s.Choice()
	if (taken == 0) == (seat == s.Chooser()) {
		return duel.ShapeOf(s.Split())
	}
	return duel.ShapeOf(uint16(s.Block()) ^ s.Split())
}
