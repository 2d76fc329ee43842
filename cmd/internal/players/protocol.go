package players

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// kindWords are the kinds of decisions as the protocol writes them.
var kindWords = map[engine.Kind]string{engine.Split: "split", engine.Choose: "choose", engine.Place: "place"}

// appendRequest appends a position and its go line.
func appendRequest(b []byte, s duel.State, seat, number int, ms int64) []byte {
	line := func(format string, args ...any) { b = fmt.Appendf(b, format+"\n", args...) }
	line("match %x", s.Match())
	line("round %d", s.Round())
	line("you %d", seat)
	line("splitter %d", s.Splitter())
	line("score %d %d", s.Score(0), s.Score(1))
	for i := range 2 {
		line("board %d %s", i, rows(s.Board(i).Text(duel.Size)))
	}
	line("block %s", rows(s.Block().Text()))
	if s.Split() != 0 {
		line("part 0 %s", rows(duel.Block(s.Split()).Text()))
		line("part 1 %s", rows((s.Block() ^ duel.Block(s.Split())).Text()))
	}
	if _, chosen := s.Choice(); chosen {
		for i := range 2 {
			line("piece %d %s", i, rows(s.Piece(i).Text()))
		}
	}
	line("go %d %s %d", number, kindWords[s.MayDecide(seat)], ms)
	return b
}

// rows writes a picture in one line.
func rows(picture string) string { return strings.ReplaceAll(picture, "\n", "/") }

// An answer is one line of a program that answers a go.
type answer struct {
	number int
	resign bool
	words  []string // of a move
}

// parseAnswer reads a line of a program. Without an error and an answer the
// line is to be ignored. The error is for a person.
func parseAnswer(line string) (*answer, error) {
	words := strings.Split(line, " ")
	if words[0] == "info" {
		return nil, nil
	}
	if words[0] != "move" && words[0] != "resign" || len(words) < 2 {
		return nil, fmt.Errorf("not a line of the protocol: %q", short(line))
	}
	n, err := strconv.Atoi(words[1])
	if err != nil || n < 1 || strconv.Itoa(n) != words[1] {
		return nil, fmt.Errorf("not the number of a go: %q", short(line))
	}
	if words[0] == "resign" {
		if len(words) != 2 {
			return nil, fmt.Errorf("a resignation has only a number: %q", short(line))
		}
		return &answer{number: n, resign: true}, nil
	}
	return &answer{number: n, words: words[2:]}, nil
}

// move makes the answer the decision of a seat, one that s.Check accepts.
func (a *answer) move(s duel.State, seat int) (engine.Move, error) {
	m := engine.Move{Seat: uint8(seat), Kind: s.MayDecide(seat)}
	switch {
	case a.resign:
		m.Kind = engine.Resign
	case m.Kind == engine.Choose:
		if len(a.words) != 1 || a.words[0] != "0" && a.words[0] != "1" {
			return engine.Move{}, fmt.Errorf("a choice is 0 or 1, not %q", short(strings.Join(a.words, " ")))
		}
		m.Data = uint64(a.words[0][0] - '0')
	default:
		size := duel.Size
		if m.Kind == engine.Split {
			size = duel.Frame
		}
		cells, err := parseCells(a.words, size)
		if err != nil {
			return engine.Move{}, err
		}
		m.Data = uint64(cells)
		if m.Kind == engine.Split {
			m.Data = uint64(smallerPart(s.Block(), cells))
		}
	}
	if err := s.Check(m); err != nil {
		return engine.Move{}, err
	}
	return m, nil
}

// parseCells reads cells of a square, each two digits, none twice.
func parseCells(words []string, size int) (engine.Board, error) {
	var cells engine.Board
	for _, w := range words {
		if len(w) != 2 {
			return 0, fmt.Errorf("not a cell: %q", short(w))
		}
		// What is no digit is far out of the square.
		r, c := int(w[0])-'0', int(w[1])-'0'
		if r < 0 || c < 0 || r >= size || c >= size {
			return 0, fmt.Errorf("not a cell of %dx%d: %q", size, size, w)
		}
		if cells.Has(r, c) {
			return 0, fmt.Errorf("a cell named twice: %q", w)
		}
		cells |= engine.Cell(r, c)
	}
	return cells, nil
}

// smallerPart returns the mask of the smaller part of a split, given the cells
// of either part in the block's frame. Cells that are no part of the block
// give a mask that is no split.
func smallerPart(b duel.Block, cells engine.Board) uint16 {
	var mask uint16
	for r := range duel.Frame {
		mask |= uint16(cells>>(engine.Stride*r)&(1<<duel.Frame-1)) << (duel.Frame * r)
	}
	if mask&^uint16(b) == 0 && cells.Count() > 4 {
		return uint16(b) ^ mask
	}
	return mask
}

// short cuts what a stranger wrote to a length that can be shown.
func short(text string) string {
	if len(text) > 60 {
		return text[:60] + "…"
	}
	return text
}
