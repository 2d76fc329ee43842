package players

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// A question is one decision that a person is asked for.
type question struct {
	state     duel.State
	seat      int
	intro     string // what is to be done, with drawings
	usage     string // what to type, for who typed nothing
	ask       string // the prompt before there is a try
	immediate bool   // a try needs no confirmation
	chosen    *engine.Move

	// try reads what was typed: the move, and a drawing of what it does. The
	// error is for the person.
	try func(typed string) (engine.Move, string, error)
}

func (q *question) prompt() string {
	if q.chosen != nil {
		return "Enter = do it, or type another"
	}
	return q.ask
}

// question makes the question of a seat that has one to answer.
func (h *Human) question(s duel.State, seat int) *question {
	q := &question{state: s, seat: seat}
	switch s.MayDecide(seat) {
	case engine.Split:
		splitQuestion(q, h.name(1-seat))
	case engine.Choose:
		h.choiceQuestion(q)
	case engine.Place:
		placeQuestion(q)
	default:
		panic("players: a seat with nothing to decide")
	}
	return q
}

// cellLetters gives each cell of a block its letter, in reading order.
func cellLetters(b duel.Block) map[byte]uint16 {
	letters := map[byte]uint16{}
	next := byte('a')
	for i := range duel.Frame * duel.Frame {
		if bit := uint16(1) << i; uint16(b)&bit != 0 {
			letters[next] = bit
			next++
		}
	}
	return letters
}

// partLetters writes a part of a block as its letters.
func partLetters(b duel.Block, part uint16) string {
	var t strings.Builder
	letters := cellLetters(b)
	for _, letter := range []byte("abcdefghi") {
		if letters[letter]&part != 0 {
			t.WriteByte(letter - 'a' + 'A')
		}
	}
	return t.String()
}

func splitQuestion(q *question, chooser string) {
	b := q.state.Block()
	masks, n := b.Splits()
	var t strings.Builder
	fmt.Fprintf(&t, "Split this block in two pieces; %s takes one of them, you get the other.\n\n", chooser)
	var letter byte = 'A'
	t.WriteString(frame(func(bit uint16) byte {
		if uint16(b)&bit == 0 {
			return '.'
		}
		letter++
		return letter - 1
	}))
	t.WriteString("\nEach piece has 3 to 6 cells that hang together. The possible splits:\n")
	for i, m := range masks[:n] {
		fmt.Fprintf(&t, "  %d  %s + %s\n", i+1, partLetters(b, m), partLetters(b, uint16(b)^m))
	}
	q.intro = t.String()
	q.usage = "Type the letters of one piece, such as " + partLetters(b, masks[0]) + ", or the number of a split.\n"
	q.ask = fmt.Sprintf("Letters of one piece, or 1-%d", n)
	q.try = func(typed string) (engine.Move, string, error) {
		part, err := readSplit(b, typed)
		if err != nil {
			return engine.Move{}, "", err
		}
		shown := "\n" + frame(func(bit uint16) byte {
			switch {
			case part&bit != 0:
				return '1'
			case uint16(b)&bit != 0:
				return '2'
			}
			return '.'
		})
		return engine.Move{Seat: uint8(q.seat), Kind: engine.Split, Data: uint64(part)}, shown, nil
	}
}

// readSplit reads the number of a split or the letters of one piece, and
// returns the smaller part.
func readSplit(b duel.Block, typed string) (uint16, error) {
	masks, n := b.Splits()
	if len(typed) == 1 && typed[0] >= '1' && typed[0] <= '9' {
		if i := int(typed[0] - '1'); i < n {
			return masks[i], nil
		}
		return 0, fmt.Errorf("the splits are numbered 1 to %d", n)
	}
	letters := cellLetters(b)
	var part uint16
	for i := range len(typed) {
		switch bit, known := letters[typed[i]]; {
		case known && part&bit != 0:
			return 0, fmt.Errorf("%s is there twice", strings.ToUpper(typed[i:i+1]))
		case known:
			part |= bit
		case typed[i] == ' ' || typed[i] == ',' || typed[i] == '+':
		default:
			return 0, fmt.Errorf("type letters A to I, or a number from 1 to %d; help explains", n)
		}
	}
	rest := uint16(b) ^ part
	smaller := part
	if engine.Board(part).Count() > 4 {
		smaller = rest
	}
	if b.IsSplit(smaller) {
		return smaller, nil
	}
	if n := engine.Board(part).Count(); n < 3 || n > 6 {
		return 0, fmt.Errorf("a piece has 3 to 6 cells: that is %d and %d", n, 9-n)
	}
	for _, m := range []uint16{part, rest} {
		if !engine.Connected(duel.PartPiece(m).Cells()) {
			return 0, fmt.Errorf("%s does not hang together along its edges", partLetters(b, m))
		}
	}
	return 0, errors.New("that is no split of this block")
}

func (h *Human) choiceQuestion(q *question) {
	s, b := q.state, q.state.Block()
	parts := s.Parts()
	var t strings.Builder
	fmt.Fprintf(&t, "%s has split the block. Which piece do you take? The other goes to %s.\n\n", h.name(1-q.seat), h.name(1-q.seat))
	t.WriteString(frame(func(bit uint16) byte {
		switch {
		case s.Split()&bit != 0:
			return '1'
		case uint16(b)&bit != 0:
			return '2'
		}
		return '.'
	}))
	t.WriteByte('\n')
	for i, p := range parts {
		turns := p.Turns()
		fmt.Fprintf(&t, "  %d  %d cells", i+1, p.Size())
		for _, seat := range []int{q.seat, 1 - q.seat} {
			if !turns.Fits(s.Board(seat), duel.Size) {
				whose := "your board"
				if seat != q.seat {
					whose = h.name(seat) + "'s board"
				}
				fmt.Fprintf(&t, "; fits nowhere on %s: %d points", whose, duel.BlockedPoints)
			}
		}
		t.WriteByte('\n')
	}
	q.intro = t.String()
	q.usage = "Type 1 or 2.\n"
	q.ask = "Take 1 or 2"
	q.immediate = true
	q.try = func(typed string) (engine.Move, string, error) {
		if typed != "1" && typed != "2" {
			return engine.Move{}, "", errors.New("type 1 or 2")
		}
		return engine.Move{Seat: uint8(q.seat), Kind: engine.Choose, Data: uint64(typed[0] - '1')}, "", nil
	}
}

func placeQuestion(q *question) {
	b := q.state.Board(q.seat)
	turns := q.state.Piece(q.seat).Turns()
	var t strings.Builder
	if turns.N == 1 {
		t.WriteString("Place your piece on your board:\n\n")
	} else {
		t.WriteString("Place your piece on your board, in one of its turns:\n\n")
	}
	t.WriteString(turnsDrawn(turns))
	example := ""
	for i, p := range turns.Pieces[:turns.N] {
		if spots := p.Fits(b, duel.Size); spots != 0 {
			r, c := spots.First()
			example = placement(turns, i, r, c)
			break
		}
	}
	if turns.N == 1 {
		fmt.Fprintf(&t, "\nRow and column of its top left corner: %s, for example.\n", example)
		q.ask = "Row column"
	} else {
		fmt.Fprintf(&t, "\nTurn, then row and column of the top left corner of its drawing: %s, for example.\n", example)
		q.ask = "Turn row column"
	}
	q.intro = t.String()
	q.usage = q.ask + ", such as " + example + ".\n"
	q.try = func(typed string) (engine.Move, string, error) {
		cells, err := readPlacement(b, turns, typed)
		if err != nil {
			return engine.Move{}, "", err
		}
		return engine.Move{Seat: uint8(q.seat), Kind: engine.Place, Data: uint64(cells)}, preview(b, cells), nil
	}
}

// placement writes a placement as a person types it; all numbers are from 0.
func placement(turns engine.Turns, turn, r, c int) string {
	if turns.N == 1 {
		return fmt.Sprintf("%d %d", r+1, c+1)
	}
	return fmt.Sprintf("%d %d %d", turn+1, r+1, c+1)
}

// readPlacement reads turn, row and column, with blanks between or without.
func readPlacement(b engine.Board, turns engine.Turns, typed string) (engine.Board, error) {
	var n []int
	for i := range len(typed) {
		switch c := typed[i]; {
		case c >= '0' && c <= '9':
			n = append(n, int(c-'0'))
		case c == ' ' || c == ',':
		default:
			return 0, errors.New("type numbers; help explains")
		}
	}
	if turns.N == 1 && len(n) == 2 {
		n = slices.Insert(n, 0, 1)
	}
	if len(n) != 3 {
		if turns.N == 1 {
			return 0, errors.New("type two numbers: row and column")
		}
		return 0, errors.New("type three numbers: turn, row and column")
	}
	turn, r, c := n[0]-1, n[1]-1, n[2]-1
	if turn < 0 || turn >= turns.N {
		return 0, fmt.Errorf("the turns are numbered 1 to %d", turns.N)
	}
	p := turns.Pieces[turn]
	spots := p.Fits(b, duel.Size)
	if r >= 0 && c >= 0 && r < duel.Size && c < duel.Size && spots.Has(r, c) {
		return p.At(r, c), nil
	}
	why := "it would lie on filled cells"
	if r < 0 || c < 0 || r+p.Height() > duel.Size || c+p.Width() > duel.Size {
		why = "it would stick out of the board"
	}
	if spots == 0 {
		return 0, errors.New("this turn fits nowhere on your board; try another turn")
	}
	var places []string
	for rest := spots; rest != 0; rest &= rest - 1 {
		r, c := rest.First()
		places = append(places, fmt.Sprintf("%d %d", r+1, c+1))
	}
	return 0, fmt.Errorf("not there: %s. This turn fits at (row column) %s", why, strings.Join(places, ", "))
}
