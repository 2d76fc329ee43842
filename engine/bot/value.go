package bot

import (
	"math/bits"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// Values are in tenths of a point here. The tables were fitted to matches
// between such players; see rules §1.9.
var (
	// lineTenths[r] is what a line of 0 to 5 filled cells is worth with r
	// rounds left.
	lineTenths = [duel.Rounds][6]int16{
		1: {-18, -8, 0, 8, 15, 23},
		2: {-40, -26, -8, 8, 24, 44},
		3: {-81, -57, -30, -4, 25, 58},
		4: {-109, -78, -45, -11, 26, 67},
		5: {-96, -66, -33, 1, 36, 75},
		6: {-80, -52, -20, 12, 46, 80},
		7: {-74, -44, -15, 17, 40, 63},
	}
	// emptyTenths[r] is what one hole, adjacent pair, square and dead end is
	// worth with r rounds left.
	emptyTenths = [duel.Rounds][4]int{
		1: {-29, 2, 4, -6},
		2: {-55, 9, 0, -11},
		3: {-58, 22, -10, -13},
		4: {-40, 32, -16, -10},
		5: {-31, 29, -14, -6},
		6: {-24, 27, -13, -1},
		7: {-5, 29, -17, 7},
	}
	// maskTenths is lineTenths by the six cells of a line.
	maskTenths = makeMaskTenths()
)

func makeMaskTenths() (t [duel.Rounds][1 << duel.Size]int16) {
	for r := range t {
		for m := range t[r] {
			// A full line has been cleared before anybody asks.
			if n := bits.OnesCount(uint(m)); n < duel.Size {
				t[r][m] = lineTenths[r][n]
			}
		}
	}
	return t
}

// future is U: what a board is worth, in tenths of a point, with that many
// rounds left. Full lines must have been cleared.
func future(b engine.Board, left int) int {
	if left == 0 {
		return 0
	}
	const line = 1<<duel.Size - 1
	const column = 0x0101010101010101
	// The product gathers a column's cells in the top byte, as in
	// engine.Board.Clear.
	const gather = 0x0102040810204080
	t := &maskTenths[left]
	sum := int16(0)
	for i := range duel.Size {
		sum += t[b>>(engine.Stride*i)&line]
		sum += t[(b>>i&column)*gather>>56&line]
	}
	f := featuresOf(b)
	e := &emptyTenths[left]
	return int(sum) + e[0]*f.holes + e[1]*f.adjacent + e[2]*f.squares + e[3]*f.dead
}

// features are what the empty cells of a board look like.
type features struct {
	holes    int // empty cells without an empty neighbour
	adjacent int // pairs of neighbouring empty cells
	squares  int // empty 2x2 squares, overlapping
	dead     int // empty cells with exactly one empty neighbour
}

func featuresOf(b engine.Board) features {
	e := uint64(engine.Full(duel.Size) &^ b)
	right, left, down, up := e>>1, e<<1, e>>engine.Stride, e<<engine.Stride
	sides := e & right
	// One neighbour: one beside and not both, or one above or below and not
	// both, and not one of each.
	one := (right ^ left ^ down ^ up) &^ (right&left | down&up)
	return features{
		holes:    bits.OnesCount64(e &^ (right | left | down | up)),
		adjacent: bits.OnesCount64(sides) + bits.OnesCount64(e&down),
		squares:  bits.OnesCount64(sides & (sides >> engine.Stride)),
		dead:     bits.OnesCount64(e & one),
	}
}

// placed returns the board after a placement, and what that is worth: its
// points and the board's future, in tenths.
func placed(b, cells engine.Board, left int) (after engine.Board, tenths int) {
	after, lines := (b | cells).Clear(duel.Size)
	return after, 10*duel.LinePoints(lines.Count()) + future(after, left)
}

// A side is one seat's board with so many rounds left after the piece that is
// to come, and the values of the shapes on it, each worked out when it is
// first asked for.
type side struct {
	board  engine.Board
	left   int
	nodes  int // placements valued
	known  [duel.Shapes]bool
	tenths [duel.Shapes]int32
	cells  [duel.Shapes]engine.Board // the best placement, 0 when blocked
}

// value is V: what a shape is worth on this side, in tenths.
func (s *side) value(shape int) int {
	if !s.known[shape] {
		s.work(shape)
	}
	return int(s.tenths[shape])
}

// best is the placement that value comes from, the smallest set of cells of
// those that are worth the same, or 0 when the shape fits nowhere.
func (s *side) best(shape int) engine.Board {
	s.value(shape)
	return s.cells[shape]
}

func (s *side) work(shape int) {
	turns := duel.ShapeTurns(shape)
	most := 0
	var best engine.Board
	for _, p := range turns.Pieces[:turns.N] {
		for spots := p.Fits(s.board, duel.Size); spots != 0; spots &= spots - 1 {
			cells := p.Cells() << bits.TrailingZeros64(uint64(spots))
			_, v := placed(s.board, cells, s.left)
			s.nodes++
			if best == 0 || v > most || v == most && cells < best {
				best, most = cells, v
			}
		}
	}
	if best == 0 {
		most = 10*duel.BlockedPoints + future(s.board, s.left)
	}
	s.known[shape], s.tenths[shape], s.cells[shape] = true, int32(most), best
}

// roundsLeft is how many rounds follow the one being played.
func roundsLeft(s duel.State) int { return duel.Rounds - s.Round() }
