package players

import (
	"fmt"
	"strings"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

const welcome = `
Cleave, a Duel. Each round one of you splits a block of nine cells in two, the
other takes a piece, and both place what they got on their own board. Full rows
and columns clear: 10 points for one line, 30 for two at once, 60 for three.
You are %s, the other is %s. Type help at any time.
`

const help = `
Eight rounds. Each round has a block of nine cells. One player splits it into
two pieces, the other chooses one of them, the splitter gets the other; then
both place their piece on their own 6x6 board. The roles change every round.
  A piece may be turned, never mirrored. It must lie on empty cells.
  Full rows and columns disappear, all at once; nothing falls. One line gives
  10 points, two with one piece 30, three 60, four 100.
  A piece that fits nowhere is lost and costs 8 points. Not placing in time
  costs 5 and the piece; other decisions are then made for you.
  More points after eight rounds win.

What you type, besides the answers:
  help      this text              boards    draws the boards again
  resign    gives the match up     Enter     does what was shown last
`

// frame draws the block's frame, one mark for each cell.
func frame(mark func(bit uint16) byte) string {
	var t strings.Builder
	for r := range duel.Frame {
		t.WriteString("   ")
		for c := range duel.Frame {
			t.WriteByte(' ')
			t.WriteByte(mark(1 << (r*duel.Frame + c)))
		}
		t.WriteByte('\n')
	}
	return t.String()
}

// heading says where the match stands.
func (h *Human) heading(s duel.State, seat int) string {
	role := h.name(1-seat) + " splits, you choose"
	if s.Splitter() == seat {
		role = "you split, " + h.name(1-seat) + " chooses"
	}
	lead := s.Score(seat) - s.Score(1-seat)
	standing := "Level"
	if lead > 0 {
		standing = fmt.Sprintf("You lead by %d", lead)
	} else if lead < 0 {
		standing = fmt.Sprintf("You are %d behind", -lead)
	}
	return fmt.Sprintf("Round %d of %d: %s. %s.", s.Round(), duel.Rounds, role, standing)
}

// boards draws both boards, the person's own on the left.
func (h *Human) boards(s duel.State, seat int) string {
	left := boardLines(fmt.Sprintf("You: %d", s.Score(seat)), s.Board(seat), 0, 0)
	right := boardLines(fmt.Sprintf("%s: %d", h.name(1-seat), s.Score(1-seat)), s.Board(1-seat), 0, 0)
	var t strings.Builder
	for i := range left {
		fmt.Fprintf(&t, "%-26s%s\n", left[i], right[i])
	}
	return t.String()
}

// boardLines draws a board with its title and numbers: # filled, O a cell
// being placed, * a cell that will clear.
func boardLines(title string, b, placed, cleared engine.Board) []string {
	lines := []string{"  " + title, "   " + " 1 2 3 4 5 6"}
	for r := range duel.Size {
		row := fmt.Sprintf("  %d", r+1)
		for c := range duel.Size {
			mark := " ."
			switch {
			case cleared.Has(r, c):
				mark = " *"
			case placed.Has(r, c):
				mark = " O"
			case b.Has(r, c):
				mark = " #"
			}
			row += mark
		}
		lines = append(lines, row)
	}
	return lines
}

// preview draws what a placement does.
func preview(b, cells engine.Board) string {
	full := b | cells
	after, lines := full.Clear(duel.Size)
	title := "O is your piece"
	k := lines.Count()
	text := "No line: 0 points."
	switch {
	case k == 1:
		title += ", * the line that clears"
		text = "1 line: 10 points."
	case k > 1:
		title += ", * the lines that clear"
		text = fmt.Sprintf("%d lines: %d points.", k, duel.LinePoints(k))
	}
	drawn := boardLines(title, b, cells, full&^after)
	return "\n" + strings.Join(drawn, "\n") + "\n" + text + "\n"
}

// turnsDrawn draws the turns of a piece beside each other, numbered.
func turnsDrawn(turns engine.Turns) string {
	height := 0
	for _, p := range turns.Pieces[:turns.N] {
		height = max(height, p.Height())
	}
	var t strings.Builder
	for line := -1; line < height; line++ {
		row := ""
		for i, p := range turns.Pieces[:turns.N] {
			cell := ""
			switch {
			case line < 0 && turns.N > 1:
				cell = fmt.Sprintf("turn %d", i+1)
			case line >= 0 && line < p.Height():
				for c := range p.Width() {
					if p.Cells().Has(line, c) {
						cell += "# "
					} else {
						cell += ". "
					}
				}
			}
			row += fmt.Sprintf("    %-10s", cell)
		}
		if row = strings.TrimRight(row, " "); row != "" {
			t.WriteString(row + "\n")
		}
	}
	return t.String()
}

// tell puts an entry into words.
func (h *Human) tell(s duel.State, r duel.Report) string {
	seat := int(r.Move.Seat)
	var t strings.Builder
	if r.Move.Kind == engine.Resign {
		fmt.Fprintf(&t, "%s has resigned.\n", h.name(seat))
	}
	late := ""
	if r.Flagged {
		late = " (time ran out)"
	}
	switch {
	case r.Split != 0:
		small := engine.Board(r.Split).Count()
		fmt.Fprintf(&t, "%s splits into %d and %d cells%s.\n", h.name(seat), small, 9-small, late)
	case r.Chosen:
		fmt.Fprintf(&t, "%s takes the %s piece%s.\n", h.name(seat), [2]string{"smaller", "larger"}[r.Taken], late)
		for i, blocked := range r.Blocked {
			if blocked {
				fmt.Fprintf(&t, "%s's piece fits nowhere: %d points.\n", h.name(i), duel.BlockedPoints)
			}
		}
	case r.Placed != 0 && r.Lines.Count() == 1:
		fmt.Fprintf(&t, "%s clears a line: %d points.\n", h.name(seat), r.Points[seat])
	case r.Placed != 0 && r.Lines.Count() > 1:
		fmt.Fprintf(&t, "%s clears %d lines: %d points.\n", h.name(seat), r.Lines.Count(), r.Points[seat])
	case r.Placed != 0:
		fmt.Fprintf(&t, "%s has placed.\n", h.name(seat))
	case r.Flagged:
		fmt.Fprintf(&t, "%s has not placed in time: %d points.\n", h.name(seat), duel.FlagPoints)
	}
	if r.Over {
		t.WriteString(h.result(s.Outcome()))
	} else if r.RoundEnded {
		fmt.Fprintf(&t, "Round %d is over: %s %d, %s %d.\n", r.Round, h.name(0), s.Score(0), h.name(1), s.Score(1))
	}
	return t.String()
}

// result puts the end of a match into words.
func (h *Human) result(o engine.Outcome) string {
	how := ""
	switch o.End {
	case engine.NoResult:
		return "\nNeither has played for two rounds: the match has no result.\n"
	case engine.Forfeited:
		how = ", as the other has not played for two rounds"
	case engine.Resigned:
		how = " by resignation"
	}
	if o.Winner == engine.Nobody {
		return fmt.Sprintf("\nA draw: %d each.\n", o.Score[0])
	}
	return fmt.Sprintf("\n%s wins%s: %d to %d.\n", h.name(o.Winner), how, o.Score[o.Winner], o.Score[1-o.Winner])
}
