package bot

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
)

const (
	soloWidth   = 16     // plans that the expert follows at each depth
	soloSamples = 200    // plans that the hard level tries
	soloNodes   = 20_000 // most placements that the expert values; a usual decision takes some 3,000
)

// Streak returns the next move of a run that is not over: a Place, or the
// Chance where it is all that is left. A player sees the board, the hand and
// the streak, and never the pieces to come.
func (p *Player) Streak(s streak.State) engine.Move {
	if s.Awaits() == engine.Chance {
		return engine.Move{Kind: engine.Chance}
	}
	h := hand{s.Piece(0), s.Piece(1), s.Piece(2)}
	return decideSolo(p, byRoom, s.Digest(), s.Board(), h, streakCount(s.Tally())).move()
}

// streakCount counts the points of a Streak.
type streakCount streak.Tally

func (c streakCount) place(s step) (streakCount, int) {
	next, points := streak.Tally(c).Place(s.cells, s.lines)
	return streakCount(next), points.Clear / streakUnit
}

// Classic returns the next placement of a game that is not over.
func (p *Player) Classic(s classic.State) engine.Move {
	h := hand{s.Piece(0), s.Piece(1), s.Piece(2)}
	return decideSolo(p, p.greedy, s.Digest(), s.Board(), h, classicCount(s.Combo())).move()
}

// classicCount counts the points of a Classic: clearing moves in a row.
type classicCount int

func (c classicCount) place(s step) (classicCount, int) {
	points := classic.Points(0, s.lines, int(c)) / classicUnit
	if s.lines == 0 {
		return 0, points
	}
	return c + 1, points
}

// How many points of clears are worth giving up one pair of empty cells for.
// The points of cells come anyhow.
const (
	streakUnit  = 200
	classicUnit = 20
)

// decideSolo is the levels: any placement that fits; most lines, else the
// first that fits; the best board; the best of sampled plans for the hand; a
// search of the whole hand over all orders.
func decideSolo[T scorer[T]](p *Player, greedy evaluation, digest [32]byte, b engine.Board, h hand, count T) step {
	rng := seeded(p.seed, digest, 0)
	switch p.level {
	case Hard:
		return sampleHand(byRoom, b, h, count, soloSamples, &rng)
	case Expert:
		return searchHand(p.judge, b, h, count, soloWidth, p.soloNodes)
	}
	steps := appendSteps(nil, b, &h)
	if p.level == Beginner {
		return steps[rng.below(len(steps))]
	}
	now := plan[T]{board: b, left: h, count: count}
	best, most := steps[0], 0
	for i, s := range steps {
		value := s.lines
		if p.level == Medium {
			value = follow(greedy, &now, s, true).value
		}
		if i == 0 || value > most {
			best, most = s, value
		}
	}
	return best
}
