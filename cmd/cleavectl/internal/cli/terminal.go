package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A terminal is a person who plays alone by lines. What is drawn goes to
// standard error: standard output is for the result.
type terminal struct {
	s       *soloRun
	ctx     context.Context
	n       int // of the game
	greeted bool
	hinted  record.Solo // the position for which a hint was taken
}

const soloHelp = `
  2 3 5     puts piece 2 so that the first square of its top row is in row 3,
            column 5
  hint      shows a strong placement (a Classic has three)
  again     empties the board when nothing fits (a Streak in training)
  board     draws the board again
  quit      ends the game here; its log holds, unfinished
`

// A placing is a run that takes moves.
type placing interface {
	Position() record.Solo
	Apply(engine.Move) error
}

// move asks until there is a move, and makes it.
func (t *terminal) move(r placing) error {
	if !t.greeted {
		t.greeted = true
		if t.s.games > 1 {
			t.say("\nGame %d of %d.\n", t.n, t.s.games)
		}
		t.say("Full rows and columns clear. Type help for what you can type.\n")
	}
	t.say("%s", drawRun(r.Position()))
	for {
		prompt := "piece row column"
		if r.Position().Awaits() == engine.Chance {
			prompt = "nothing fits: again, or quit"
		}
		t.say("%s > ", prompt)
		line, err := t.read()
		if err != nil {
			return err
		}
		switch words := strings.Fields(strings.ToLower(line)); {
		case len(words) == 0:
		case words[0] == "help":
			t.say("%s", soloHelp)
		case words[0] == "board":
			t.say("%s", drawRun(r.Position()))
		case words[0] == "quit":
			return errStopped
		case words[0] == "again":
			if err := r.Apply(engine.Move{Kind: engine.Chance}); err == nil {
				return nil
			} else {
				t.say("%s.\n", whyNot(err))
			}
		case words[0] == "hint":
			s, ok := r.Position().(classic.State)
			if !ok {
				t.say("A Streak has no hints.\n")
				continue
			}
			if r.Position() != t.hinted {
				if err := r.Apply(engine.Move{Kind: engine.Hint}); err != nil {
					t.say("%s.\n", whyNot(err))
					continue
				}
				t.hinted = r.Position()
			}
			t.say("%s\n", hintWords(s, bot.ClassicHint(s)))
		default:
			m, err := parsePlacement(r.Position(), words)
			if err == nil {
				err = r.Apply(m)
			}
			if err == nil {
				return nil
			}
			t.say("%s.\n", whyNot(err))
		}
	}
}

func (t *terminal) say(format string, a ...any) { fmt.Fprintf(t.s.Stderr, format, a...) }

// read returns the next line; the end of the input is the wish to stop.
func (t *terminal) read() (string, error) {
	type typed struct {
		line string
		err  error
	}
	got := make(chan typed, 1)
	go func() {
		line, err := t.s.in.ReadString('\n')
		got <- typed{line, err}
	}()
	select {
	case <-t.ctx.Done():
		return "", t.ctx.Err()
	case g := <-got:
		if errors.Is(g.err, io.EOF) && g.line == "" {
			return "", errStopped
		}
		if g.err != nil && !errors.Is(g.err, io.EOF) {
			return "", g.err
		}
		return g.line, nil
	}
}

// whyNot is an engine's reason without where it came from.
func whyNot(err error) string {
	var illegal *engine.IllegalMove
	if errors.As(err, &illegal) {
		return strings.ToUpper(illegal.Reason[:1]) + illegal.Reason[1:]
	}
	return err.Error()
}

var errPlacement = errors.New("Type three numbers: the piece (1 to 3), a row and a column (1 to 8)")

// parsePlacement reads "PIECE ROW COLUMN".
func parsePlacement(pos record.Solo, words []string) (engine.Move, error) {
	if len(words) != 3 {
		return engine.Move{}, errPlacement
	}
	var n [3]int
	for i, w := range words {
		var err error
		if n[i], err = strconv.Atoi(w); err != nil || n[i] < 1 || n[i] > 8 {
			return engine.Move{}, errPlacement
		}
	}
	if n[0] > 3 {
		return engine.Move{}, errPlacement
	}
	p := handOf(pos)[n[0]-1]
	if p == 0 {
		return engine.Move{}, fmt.Errorf("There is no piece %d any more", n[0])
	}
	r, c := n[1]-1, n[2]-1-firstColumn(p)
	if c < 0 {
		return engine.Move{}, errors.New("There the piece is beyond the left edge")
	}
	return engine.Move{Kind: engine.Place, Data: streak.PlaceData(n[0]-1, r, c)}, nil
}

// firstColumn is the column of the first cell of a piece's top row.
func firstColumn(p engine.Piece) int {
	_, c := p.Cells().First()
	return c
}

// handOf is the three pieces of a position, 0 where there is none.
func handOf(pos record.Solo) (h [3]engine.Piece) {
	for i := range h {
		switch s := pos.(type) {
		case classic.State:
			h[i] = s.Piece(i)
		case streak.State:
			h[i] = s.Piece(i)
		}
	}
	return h
}

// drawRun draws where a run stands.
func drawRun(pos record.Solo) string {
	var t strings.Builder
	fmt.Fprintf(&t, "\n%s\n\n    1 2 3 4 5 6 7 8\n", standing(pos))
	for r := range streak.Size {
		fmt.Fprintf(&t, "  %d", r+1)
		for c := range streak.Size {
			mark := " ."
			if pos.Board().Has(r, c) {
				mark = " #"
			}
			t.WriteString(mark)
		}
		t.WriteByte('\n')
	}
	t.WriteString(drawHand(handOf(pos)))
	return t.String()
}

// standing says the score and what the next clear depends on.
func standing(pos record.Solo) string {
	text := fmt.Sprintf("%d points, %d %s", pos.Outcome().Score[0], pos.Outcome().Rounds, plural(pos.Outcome().Rounds, "piece"))
	switch s := pos.(type) {
	case classic.State:
		if s.Combo() > 0 {
			text += fmt.Sprintf(", combo %d", s.Combo())
		}
		if n := s.HintsTaken(); n > 0 {
			text += fmt.Sprintf(", %d %s taken", n, plural(n, "hint"))
		}
	case streak.State:
		tally := s.Tally()
		text += fmt.Sprintf(", streak %d, piece %d of the round, the next clear counts x%d", tally.Streak(), tally.PlacedInRound()+1, tally.Multiplier())
		if tally.Forgiven() && !tally.ClearedInRound() && tally.Streak() > 0 {
			text += ", lost without a clear in this round"
		}
	}
	if pos.Outcome().Over {
		text += ". Nothing fits any more: the game is over."
	}
	return text
}

// drawHand draws the pieces side by side, numbered.
func drawHand(h [3]engine.Piece) string {
	var t strings.Builder
	t.WriteByte('\n')
	for line := -1; line < 5; line++ {
		row := ""
		for i, p := range h {
			cell := ""
			switch {
			case p == 0:
			case line < 0:
				cell = fmt.Sprintf("%d", i+1)
			case line < p.Height():
				for c := range p.Width() {
					if p.Cells().Has(line, c) {
						cell += "# "
					} else {
						cell += "  "
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

// hintWords is a hint as it would be typed, and its reason.
func hintWords(s classic.State, h bot.Hint) string {
	slot, cell := int(h.Move.Data>>8), int(h.Move.Data&0xff)
	why := ""
	switch h.Why {
	case bot.OnlyWay:
		why = "put anywhere else now, it leaves no way to place the others"
	case bot.ManyLines:
		why = fmt.Sprintf("%d lines at once", h.N)
	case bot.Combo:
		why = "goes on with the combo"
	case bot.OneLine:
		why = "completes a line"
	case bot.RoomForSquare:
		why = "keeps room for a 3x3"
	case bot.RoomForBar:
		why = "keeps room for a bar of five, lying and standing"
	case bot.Ready:
		why = fmt.Sprintf("makes %d %s ready for another shape", h.N, plural(h.N, "line"))
	case bot.NoHole:
		why = "leaves no new hole"
	case bot.BestPlan:
		why = "begins the best plan found"
	}
	return fmt.Sprintf("Hint: %d %d %d (%s)", slot+1, cell/8+1, cell%8+1+firstColumn(s.Piece(slot)), why)
}
