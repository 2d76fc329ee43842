package bot

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/classic"
)

// A Hint is a placement to show to a player of a Classic, and why.
type Hint struct {
	Move engine.Move // the first of the best plan for the tray
	Why  Why
	N    int // of Lines, Combo and Ready: how many lines
}

// A Why is a reason that anybody can check on the board. It is true, and of the
// true ones the first that says most.
type Why uint8

// The reasons.
const (
	// OnlyWay: no other placement of this shape lets the rest of the tray be
	// placed after it.
	OnlyWay Why = 1 + iota
	// ManyLines: it completes N lines, two or more.
	ManyLines
	// Combo: it completes N lines right after a move that did.
	Combo
	// OneLine: it completes a line.
	OneLine
	// RoomForSquare: a 3x3 still fits after it, and there are placements of
	// this shape after which none does.
	RoomForSquare
	// RoomForBar: a bar of five still fits after it, lying and standing, and
	// there are placements of this shape after which one of them does not.
	RoomForBar
	// Ready: with it, another shape of the tray can complete N lines at once,
	// more than any can now.
	Ready
	// NoHole: it leaves no more empty cells without an empty neighbour than
	// there were, and there are placements of this shape that do.
	NoHole
	// BestPlan: none of the above; it begins the best plan that was found.
	BestPlan
)

var (
	square = mustPiece("###/###/###")
	lying  = mustPiece("#####")
	upward = lying.Turn()
)

func mustPiece(picture string) engine.Piece {
	p, err := engine.ParsePiece(picture)
	if err != nil {
		panic("bot: " + err.Error())
	}
	return p
}

// ClassicHint returns the strongest placement that the expert finds in a game
// that is not over, and a reason for it.
func ClassicHint(s classic.State) Hint {
	m := New(Expert, 0).Classic(s)
	h := Hint{Move: m, Why: BestPlan}
	slot, spot := int(m.Data>>8), int(m.Data&0xff)
	board, tray := s.Board(), hand{s.Piece(0), s.Piece(1), s.Piece(2)}
	shape := tray[slot]
	after, lines := (board | shape.Cells()<<spot).Clear(soloSize)
	rest := tray
	rest[slot] = 0
	// others are the boards that the other placements of this shape leave.
	var others []engine.Board
	for spots := shape.Fits(board, soloSize); spots != 0; spots &= spots - 1 {
		r, c := spots.First()
		if r*soloSize+c != spot {
			b, _ := (board | shape.At(r, c)).Clear(soloSize)
			others = append(others, b)
		}
	}
	some := func(bad func(engine.Board) bool) bool {
		for _, b := range others {
			if bad(b) {
				return true
			}
		}
		return false
	}
	n := lines.Count()
	now, then := mostLines(board, rest), mostLines(after, rest)
	noSquare := func(b engine.Board) bool { return square.Fits(b, soloSize) == 0 }
	noBar := func(b engine.Board) bool { return lying.Fits(b, soloSize) == 0 || upward.Fits(b, soloSize) == 0 }
	holes := lonely(board)
	switch {
	case rest != (hand{}) && placeable(after, rest) && !some(func(b engine.Board) bool { return placeable(b, rest) }):
		h.Why = OnlyWay
	case n > 1:
		h.Why, h.N = ManyLines, n
	case n > 0 && s.Combo() > 0:
		h.Why, h.N = Combo, n
	case n > 0:
		h.Why, h.N = OneLine, n
	case !noSquare(after) && some(noSquare):
		h.Why = RoomForSquare
	case !noBar(after) && some(noBar):
		h.Why = RoomForBar
	case then > now:
		h.Why, h.N = Ready, then
	case lonely(after) <= holes && some(func(b engine.Board) bool { return lonely(b) > holes }):
		h.Why = NoHole
	}
	return h
}

// placeable reports whether all of a hand can be placed, in some order.
func placeable(b engine.Board, h hand) bool {
	if h == (hand{}) {
		return true
	}
	for slot, p := range h {
		rest := h
		rest[slot] = 0
		for spots := p.Fits(b, soloSize); spots != 0; spots &= spots - 1 {
			r, c := spots.First()
			after, _ := (b | p.At(r, c)).Clear(soloSize)
			if placeable(after, rest) {
				return true
			}
		}
	}
	return false
}

// mostLines is how many lines one placement of a hand can complete.
func mostLines(b engine.Board, h hand) int {
	most := 0
	for _, s := range appendSteps(nil, b, &h) {
		most = max(most, s.lines)
	}
	return most
}

// lonely counts the empty cells that have no empty neighbour.
func lonely(b engine.Board) int {
	const left, right = 0x0101010101010101, 0x8080808080808080
	e := ^b
	beside := e>>1&^right | e<<1&^left | e>>engine.Stride | e<<engine.Stride
	return (e &^ beside).Count()
}
