package bot

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/cleavegame/cleave/engine"
)

// The solo games share this: a hand of up to three pieces, which do not turn,
// on an 8x8 board. A slot without a piece is 0. All values are integers, so
// that a run which a bot played can be played again anywhere.
type hand [3]engine.Piece

const soloSize = 8

// A step is one placement of a plan.
type step struct {
	slot  int
	spot  int // 8*row + column of the corner
	cells int // how many it fills
	lines int // how many it clears
	after engine.Board
}

// move is the step as a move of either solo game.
func (s step) move() engine.Move {
	return engine.Move{Kind: engine.Place, Data: uint64(s.slot)<<8 | uint64(s.spot)}
}

// appendSteps appends every placement of the pieces in hand, by slot, then in
// reading order.
func appendSteps(dst []step, b engine.Board, h *hand) []step {
	for slot, p := range h {
		for spots := p.Fits(b, soloSize); spots != 0; spots &= spots - 1 {
			spot := bits.TrailingZeros64(uint64(spots))
			after, lines := (b | p.Cells()<<spot).Clear(soloSize)
			dst = append(dst, step{slot, spot, p.Size(), lines.Count(), after})
		}
	}
	return dst
}

// A scorer counts points along a plan, by the rules of its game. It is a
// value: a plan that branches copies it.
type scorer[T any] interface {
	comparable
	// place returns the scorer after a step, and its points in the unit of
	// room.
	place(step) (T, int)
}

// A plan is the beginning of a way to place a hand.
type plan[T any] struct {
	first step
	board engine.Board
	left  hand
	count T
	worth int // its points
	value int // with the board it leaves
}

// follow is the plan after one more step.
func follow[T scorer[T]](judge evaluation, p *plan[T], s step, isFirst bool) plan[T] {
	next := plan[T]{first: p.first, board: s.after, left: p.left, worth: p.worth}
	if isFirst {
		next.first = s
	}
	next.left[s.slot] = 0
	var points int
	next.count, points = p.count.place(s)
	next.worth += points
	next.value = judge.worth(next.worth, next.board)
	return next
}

// fork is what makes two plans the same to go on from.
type fork[T scorer[T]] struct {
	board engine.Board
	left  hand
	count T
}

// searchHand looks for the best way to place all of a hand, over all orders:
// at each depth the best plans are followed, as many as width. It returns the
// first step. A plan that places more pieces is preferred to any that leaves
// more in hand. Nodes bounds the placements valued. Something must fit.
func searchHand[T scorer[T]](judge evaluation, b engine.Board, h hand, count T, width, nodes int) step {
	level := []plan[T]{{board: b, left: h, count: count}}
	var best step
	var steps []step
	var next []plan[T]
	var order []ranked
	seen := map[fork[T]]int{}
	for depth := 0; len(level) > 0 && nodes > 0; depth++ {
		next = next[:0]
		clear(seen)
		for i := range level {
			steps = appendSteps(steps[:0], level[i].board, &level[i].left)
			nodes -= len(steps)
			for _, s := range steps {
				child := follow(judge, &level[i], s, depth == 0)
				// Two orders often lead to one board.
				at := fork[T]{board: child.board, left: child.left}
				if !judge.merges {
					at.count = child.count
				}
				if k, known := seen[at]; !known {
					seen[at] = len(next)
					next = append(next, child)
				} else if child.value > next[k].value {
					next[k] = child
				}
			}
			if nodes <= 0 {
				break
			}
		}
		if len(next) == 0 {
			break
		}
		order = order[:0]
		for at := range next {
			order = append(order, ranked{next[at].value, at})
		}
		slices.SortFunc(order, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.at, b.at)) })
		best = next[order[0].at].first
		level = level[:0]
		for _, o := range order[:min(len(order), width)] {
			level = append(level, next[o.at])
		}
	}
	return best
}

// ranked is where a plan is, and its value: less to move than the plan.
type ranked struct{ value, at int }

// sampleHand tries plans at random and returns the first step of the best: of
// those that place most, the one of most value. Something must fit.
func sampleHand[T scorer[T]](judge evaluation, b engine.Board, h hand, count T, samples int, rng *generator) step {
	var best plan[T]
	most := 0
	var steps []step
	for range samples {
		p := plan[T]{board: b, left: h, count: count}
		placed := 0
		for {
			steps = appendSteps(steps[:0], p.board, &p.left)
			if len(steps) == 0 {
				break
			}
			p = follow(judge, &p, steps[rng.below(len(steps))], placed == 0)
			placed++
		}
		if placed > most || placed == most && p.value > best.value {
			best, most = p, placed
		}
	}
	return best.first
}
