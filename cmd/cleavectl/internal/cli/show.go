package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep/record"
)

var showCommand = &command{
	name:  "show",
	args:  "FILE",
	short: "print a match or a solo game so that a person can follow it",
	long: `
Prints the match in FILE round by round, with the block, the split, the choice
and both boards drawn. Seat 0 is A (the host), seat 1 is B. A solo game is
printed piece by piece: O is the piece, * what clears. With --json it prints one
object for each entry, with the state's digest. A log that does not hold is not
shown.`,
	exits: []exit{{exitFailed, "the log does not hold, or cannot be read"}, {exitPartial, "shown, but it is unfinished or has no seal"}},
	bind: func(fs *flag.FlagSet) func(context.Context, *call) error {
		return func(ctx context.Context, c *call) error {
			if len(c.args) != 1 {
				return usagef("show takes one file")
			}
			l, err := loadLog(ctx, c.args[0])
			var unread *unreadableError
			if errors.As(err, &unread) {
				return err
			}
			if err != nil {
				return fmt.Errorf("%s does not hold: %w", c.args[0], err)
			}
			switch {
			case l.solo && c.json:
				c.showRunEntries(l.run)
			case l.solo:
				err = showRun(c.Stdout, l.run)
			case c.json:
				c.showEntries(l.match)
			default:
				err = show(c.Stdout, l.match)
			}
			if err != nil {
				return err
			}
			if l.partial() {
				return &exitError{code: exitPartial}
			}
			return nil
		}
	},
}

// kindName is an entry's kind in one word.
func kindName(k engine.Kind) string {
	switch k {
	case engine.Reveal:
		return "reveal"
	case engine.Split:
		return "split"
	case engine.Choose:
		return "choose"
	case engine.Place:
		return "place"
	case engine.Flag:
		return "flag"
	case engine.Resign:
		return "resign"
	case engine.Chance:
		return "chance"
	case engine.Hint:
		return "hint"
	}
	return "none"
}

func (c *call) showEntries(v record.Verified) {
	c.emit(summarise(v))
	for n := 1; n <= v.Len(); n++ {
		e := v.EntryAt(n)
		line := struct {
			Entry   int    `json:"entry"`
			Seat    uint8  `json:"seat"`
			Kind    string `json:"kind"`
			Data    string `json:"data,omitempty"` // a 64-bit mask does not fit JSON's numbers
			Layer   string `json:"layer,omitempty"`
			ThinkMs uint32 `json:"think_ms"`
			WaitMs  uint16 `json:"wait_ms"`
			Digest  string `json:"digest"`
		}{Entry: n, Seat: e.Move.Seat, Kind: kindName(e.Move.Kind), ThinkMs: e.ThinkMs, WaitMs: e.WaitMs, Digest: fmt.Sprintf("%x", e.Digest)}
		switch e.Move.Kind {
		case engine.Reveal:
			line.Layer = fmt.Sprintf("%x", e.Move.Layer)
		case engine.Split, engine.Choose, engine.Place:
			line.Data = fmt.Sprintf("%d", e.Move.Data)
		}
		c.emit(line)
	}
}

var seatName = [2]string{"A", "B"}

// show prints the match for a person.
func show(w io.Writer, v record.Verified) error {
	t, id := v.Terms(), v.ID()
	fmt.Fprintf(w, "match  %x\nrules  %s, %s clocks, %s\n", id[:], t.Rules, clocksName(t.Limits), ratedWord(t.Rated))
	for seat, k := range t.Keys {
		fmt.Fprintf(w, "%s      %s\n", seatName[seat], record.PlayerCode(k))
	}
	if t.Rules != duel.Rules {
		return fmt.Errorf("this version cannot draw the rules %s", t.Rules)
	}
	s := duel.New([32]byte(id))
	round := 0
	for n := 1; n <= v.Len(); n++ {
		e := v.EntryAt(n)
		next, rep, err := duel.Apply(s, e.Move)
		if err != nil {
			return fmt.Errorf("entry %d: %w", n, err) // cannot be: it was verified
		}
		if rep.Dealt != 0 {
			round = rep.Round
			fmt.Fprintf(w, "\nRound %d of %d   A %d : %d B   %s splits\n", round, duel.Rounds, next.Score(0), next.Score(1), seatName[next.Splitter()])
			fmt.Fprint(w, indent(rep.Dealt.Text()))
		}
		showStep(w, s, next, rep, e)
		s = next
	}
	out := v.Outcome()
	fmt.Fprintf(w, "\nA %d : %d B   ", out.Score[0], out.Score[1])
	switch {
	case !out.Over:
		fmt.Fprintln(w, "unfinished")
	case out.End == engine.NoResult:
		fmt.Fprintln(w, "no result: both left it to the clock")
	case out.Winner == engine.Nobody:
		fmt.Fprintln(w, "a draw")
	case out.End == engine.Forfeited:
		fmt.Fprintf(w, "%s won, the other forfeited\n", seatName[out.Winner])
	case out.End == engine.Resigned:
		fmt.Fprintf(w, "%s won, the other resigned\n", seatName[out.Winner])
	default:
		fmt.Fprintf(w, "%s won\n", seatName[out.Winner])
	}
	if out.Over && !v.Sealed() {
		fmt.Fprintln(w, "The second signature (the seal) is missing.")
	}
	return nil
}

// showStep prints what one entry did.
func showStep(w io.Writer, before, after duel.State, rep duel.Report, e record.Entry) {
	who := seatName[e.Move.Seat]
	took := fmt.Sprintf("%d.%d s", e.ThinkMs/1000, e.ThinkMs%1000/100)
	if rep.Flagged {
		took = "time ran out"
	}
	switch {
	case rep.Split != 0:
		small, large := duel.PartPiece(rep.Split), duel.PartPiece(uint16(before.Block())&^rep.Split)
		fmt.Fprintf(w, "%s splits (%s): %d and %d cells\n", who, took, small.Size(), large.Size())
		fmt.Fprint(w, indent(drawSplit(before.Block(), rep.Split)))
	case rep.Chosen:
		name := [2]string{"smaller", "larger"}[rep.Taken]
		fmt.Fprintf(w, "%s takes the %s (%s)\n", who, name, took)
	case rep.Placed != 0:
		fmt.Fprintf(w, "%s places (%s)", who, took)
		if k := rep.Lines.Count(); k > 0 {
			fmt.Fprintf(w, ": %d %s, +%d", k, plural(k, "line"), rep.Points[e.Move.Seat])
		}
		fmt.Fprintln(w)
	case e.Move.Kind == engine.Flag:
		fmt.Fprintf(w, "%s does not place (%s): %d\n", who, took, rep.Points[e.Move.Seat])
	case e.Move.Kind == engine.Resign:
		fmt.Fprintf(w, "%s resigns\n", who)
	}
	for seat, blocked := range rep.Blocked {
		if blocked {
			fmt.Fprintf(w, "%s is blocked: %d\n", seatName[seat], rep.Points[seat])
		}
	}
	if rep.RoundEnded {
		left := strings.Split(after.Board(0).Text(6), "\n")
		right := strings.Split(after.Board(1).Text(6), "\n")
		fmt.Fprintf(w, "  A %-6d  B %d\n", after.Score(0), after.Score(1))
		for i := range left {
			fmt.Fprintf(w, "  %s    %s\n", left[i], right[i])
		}
	}
}

// drawSplit draws the block with its smaller part as 1 and its larger as 2.
func drawSplit(b duel.Block, smaller uint16) string {
	var out strings.Builder
	for i := range 16 {
		switch m := uint16(1) << i; {
		case smaller&m != 0:
			out.WriteByte('1')
		case uint16(b)&m != 0:
			out.WriteByte('2')
		default:
			out.WriteByte('.')
		}
		if i%4 == 3 && i < 15 {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func ratedWord(rated bool) string {
	if rated {
		return "rated"
	}
	return "friendly"
}

func clocksName(l record.Limits) string {
	switch l {
	case record.StandardLimits:
		return "standard"
	case record.DoubleLimits:
		return "double"
	case record.NoLimits:
		return "no"
	}
	return "other"
}
