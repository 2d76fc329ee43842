// Package bot plays: the computer's levels, and the values of moves that
// hints and the review after a match are made of.
//
// A player's decision is a pure function of its level, its seed, the state and
// the seat. It keeps nothing between decisions and knows no clock: the effort
// of a decision is bounded in nodes, a node being one placement valued. It may
// compute in floats, because no replay depends on how a move was found.
//
// # How it values a Duel
//
// A board with r rounds left is worth U: for each of the 12 lines a number by
// its filled cells, and four numbers by what is empty (see future). A piece on
// a board is worth V, the best of points + U over its placements, or -8 + U
// when it fits nowhere. A placement is worth points + U, a choice is worth
// V(me, mine) - V(other, other's), and a split is worth, to the splitter, what
// the chooser's better choice leaves.
//
// The levels up to hard add noise to each value. Expert looks one round
// further: it plays the round's outcomes out against 40 sampled blocks, each
// answered by an exact search of that round, and compares by the chance to win
// rather than by points.
//
// # How it plays alone
//
// A board of a Streak or a Classic is worth its room: the pairs of neighbouring
// empty cells and the empty 2x2 squares. Beginner places anything that fits,
// easy takes most lines or else the first fit, medium the most room and points,
// hard the best of 200 plans for the hand drawn at random, and expert searches
// the whole hand over all orders; it looks also at holes and dead ends, at whether
// a 3x3 and the bars of five still fit, and at lines that lack one cell (see
// outlook), and so does medium in a Classic. None looks at the pieces to come.
package bot

import (
	"fmt"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// A Level is how strong a player is.
type Level uint8

// The levels, weakest first. Each wins at least 65 % of its matches, draws
// counted as half, against the one before.
const (
	Beginner Level = iota
	Easy
	Medium
	Hard
	Expert
)

var levelNames = [...]string{"beginner", "easy", "medium", "hard", "expert"}

// Levels are all levels, weakest first.
func Levels() []Level { return []Level{Beginner, Easy, Medium, Hard, Expert} }

func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("level %d", uint8(l))
}

// ParseLevel reads a level by its name.
func ParseLevel(name string) (Level, error) {
	for i, n := range levelNames {
		if n == name {
			return Level(i), nil
		}
	}
	return 0, fmt.Errorf("bot: no level %q: it is beginner, easy, medium, hard or expert", name)
}

// sigma is the standard deviation of the noise on each value of a Duel, in
// points.
var sigma = [...]float64{Beginner: 20, Easy: 9, Medium: 4, Hard: 1, Expert: 0}

// expertNodes bounds a decision of the expert, in placements valued. A usual
// one takes some 8,000.
const expertNodes = 100_000

// A Player decides at a seat of a Duel, or in a solo game. It may be used by
// several goroutines.
type Player struct {
	level Level
	seed  uint64
	nodes int // most nodes of an expert's decision

	// The same, and how the expert judges a board, alone; and medium one of a
	// Classic.
	soloNodes int
	judge     evaluation
	greedy    evaluation
}

// New returns a player of that level. Players of one level and seed decide
// alike.
func New(level Level, seed uint64) *Player {
	if int(level) >= len(levelNames) {
		panic("bot: no such level")
	}
	return &Player{level: level, seed: seed, nodes: expertNodes, soloNodes: soloNodes, judge: byOutlook, greedy: byOutlook}
}

// Level returns the player's level.
func (p *Player) Level() Level { return p.level }

// Decide returns the decision of a seat that has one to make (see
// duel.State.MayDecide): a Split, a Choose or a Place.
func (p *Player) Decide(s duel.State, seat int) engine.Move {
	rng := seeded(p.seed, s.Digest(), seat)
	if p.level == Expert {
		return expert{rng: rng, nodes: p.nodes}.decide(s, seat)
	}
	best := engine.Move{}
	most := 0.0
	for i, o := range options(s, seat, noise{&rng, sigma[p.level]}) {
		if i == 0 || o.Value > most {
			best, most = o.Move, o.Value
		}
	}
	return best
}

// noise adds to each value what a level misjudges.
type noise struct {
	rng   *generator
	sigma float64 // points
}

func (n noise) on(points float64) float64 {
	if n.sigma == 0 {
		return points
	}
	return points + n.sigma*n.rng.normal()
}
