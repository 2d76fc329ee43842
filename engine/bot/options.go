package bot

import (
	"slices"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// An Option is one decision that a seat could make, and what it is worth.
type Option struct {
	Move engine.Move
	// Points is what the move scores by itself: of a placement, its lines.
	Points int
	// Value is what the move is worth to the seat in points, future included,
	// against the other seat for a split or a choice. Only differences
	// between the options of one decision mean anything.
	Value float64
}

// Evaluate returns all decisions that a seat may make now, the best first;
// those of the same value by their Data. It is empty when the seat has nothing
// to decide. This is the judgement without noise that all levels start from:
// the difference between two values is what the worse one gives away.
func Evaluate(s duel.State, seat int) []Option {
	list := options(s, seat, noise{})
	slices.SortStableFunc(list, func(a, b Option) int {
		switch {
		case a.Value > b.Value:
			return -1
		case a.Value < b.Value:
			return 1
		}
		return 0
	})
	return list
}

// options returns the decisions in ascending order of their Data, valued.
func options(s duel.State, seat int, n noise) []Option {
	switch s.MayDecide(seat) {
	case engine.Split:
		return splitOptions(s, seat, n)
	case engine.Choose:
		return choiceOptions(s, seat, n)
	case engine.Place:
		return placeOptions(s, seat, n)
	}
	return nil
}

func splitOptions(s duel.State, seat int, n noise) []Option {
	left := roundsLeft(s)
	mine := side{board: s.Board(seat), left: left}
	theirs := side{board: s.Board(1 - seat), left: left}
	masks, count := s.Block().Splits()
	list := make([]Option, count)
	for i, m := range masks[:count] {
		small, large := duel.ShapeOf(m), duel.ShapeOf(uint16(s.Block())^m)
		// The chooser takes what leaves him furthest ahead.
		takesSmall := n.on(points(theirs.value(small))) - n.on(points(mine.value(large)))
		takesLarge := n.on(points(theirs.value(large))) - n.on(points(mine.value(small)))
		list[i] = Option{
			Move:  engine.Move{Seat: uint8(seat), Kind: engine.Split, Data: uint64(m)},
			Value: -max(takesSmall, takesLarge),
		}
	}
	return list
}

func choiceOptions(s duel.State, seat int, n noise) []Option {
	left := roundsLeft(s)
	mine := side{board: s.Board(seat), left: left}
	theirs := side{board: s.Board(1 - seat), left: left}
	parts := [2]int{duel.ShapeOf(s.Split()), duel.ShapeOf(uint16(s.Block()) ^ s.Split())}
	list := make([]Option, 2)
	for taken := range list {
		list[taken] = Option{
			Move:  engine.Move{Seat: uint8(seat), Kind: engine.Choose, Data: uint64(taken)},
			Value: n.on(points(mine.value(parts[taken]))) - n.on(points(theirs.value(parts[1-taken]))),
		}
	}
	return list
}

func placeOptions(s duel.State, seat int, n noise) []Option {
	left := roundsLeft(s)
	b := s.Board(seat)
	turns := s.Piece(seat).Turns()
	var buf [160]engine.Board
	all := turns.AppendPlacements(buf[:0], b, duel.Size)
	slices.Sort(all)
	list := make([]Option, len(all))
	for i, cells := range all {
		_, v := placed(b, cells, left)
		_, lines := (b | cells).Clear(duel.Size)
		list[i] = Option{
			Move:   engine.Move{Seat: uint8(seat), Kind: engine.Place, Data: uint64(cells)},
			Points: duel.LinePoints(lines.Count()),
			Value:  n.on(points(v)),
		}
	}
	return list
}

// points turns tenths into points.
func points(tenths int) float64 { return float64(tenths) / 10 }
