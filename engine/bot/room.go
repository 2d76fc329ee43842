package bot

import (
	"math/bits"

	"github.com/cleavegame/cleave/engine"
)

// An evaluation is how plans are compared.
type evaluation struct {
	// worth is that of a plan which has made so many points, in the unit of room,
	// and leaves a board. It is an integer, in a unit of its own.
	worth func(points int, b engine.Board) int
	// merges says that of two plans which lead to one board only the first is
	// followed, even where the next clear is worth more after the other.
	merges bool
}

var (
	// byRoom is how medium and hard compare, and how the expert of SoloVersion 1
	// did, and medium in a Classic before version 3.
	byRoom = evaluation{worth: func(points int, b engine.Board) int { return points + room(b) }, merges: true}
	// byOutlook is how the expert does, and medium in a Classic.
	byOutlook = evaluation{worth: outlook}
)

// room is how good a board is to go on with: the pairs of neighbouring empty
// cells, and the empty 2x2 squares. Few of them mean that what is empty lies in
// corners and slits where no piece goes.
func room(b engine.Board) int { return pairsAndSquares(^uint64(b)) }

const (
	leftmost  = 0x0101010101010101
	rightmost = 0x8080808080808080
)

func pairsAndSquares(empty uint64) int {
	beside := empty & (empty >> 1 &^ rightmost)
	below := empty & (empty >> engine.Stride)
	return bits.OnesCount64(beside) + bits.OnesCount64(below) + bits.OnesCount64(beside&(beside>>engine.Stride))
}

// The terms of outlook, in halves of a pair of neighbouring empty cells. They were
// found by playing some hundreds of games each on the hard Classic.
const (
	holeLoss   = 6 // an empty cell without an empty neighbour
	deadLoss   = 2 // an empty cell with exactly one
	squareRoom = 4 // a 3x3 fits
	barRoom    = 2 // a bar of five fits, lying or standing, for each
	nearLine   = 1 // a line lacks one cell
)

// outlook looks also at the mobility of the hardest pieces, at holes and dead
// ends, and at lines that are close to clearing. With it the expert lasts a third
// longer at the hard Classic than with room alone, and four times as long at the
// Streak: 380 and 7,200 placements in the median.
func outlook(points int, b engine.Board) int {
	empty := ^uint64(b)
	left, right := empty<<1&^leftmost, empty>>1&^rightmost
	up, down := empty<<engine.Stride, empty>>engine.Stride
	// One neighbour: one beside and not both, or one above or below and not both,
	// and not one of each.
	one := (left ^ right ^ up ^ down) &^ (left&right | up&down)
	v := 2 * (points + pairsAndSquares(empty))
	v -= holeLoss * bits.OnesCount64(empty&^(left|right|up|down))
	v -= deadLoss * bits.OnesCount64(empty&one)
	// A cell that three more follow to the right, and two more of such rows below.
	three := empty & right & (right >> 1 &^ rightmost)
	if three&(three>>engine.Stride)&(three>>(2*engine.Stride)) != 0 {
		v += squareRoom
	}
	if three&(three>>2&^(rightmost|rightmost>>1)) != 0 {
		v += barRoom
	}
	if two := empty & down; two&(two>>(2*engine.Stride))&(down>>(3*engine.Stride)) != 0 {
		v += barRoom
	}
	return v + nearLine*nearlyFull(empty)
}

// nearlyFull counts the lines that lack one cell, or none.
func nearlyFull(empty uint64) int {
	// Folding the eight cells of a line together, some says that one of them is
	// empty, and more that two are.
	some, more := empty, uint64(0)
	for _, half := range [3]int{4, 2, 1} {
		more |= more>>half | some&(some>>half)
		some |= some >> half
	}
	rows := ^more & leftmost
	some, more = empty, 0
	for _, half := range [3]int{4 * engine.Stride, 2 * engine.Stride, engine.Stride} {
		more |= more>>half | some&(some>>half)
		some |= some >> half
	}
	return bits.OnesCount64(rows) + bits.OnesCount8(^uint8(more))
}
