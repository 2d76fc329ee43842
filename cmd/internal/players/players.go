// Package players is who decides at a seat of a Duel: one of the computer's
// levels, a person at a terminal, or a program of somebody else's that speaks
// the line protocol below.
//
// # The line protocol, version 1
//
// The tool starts the program ("exec:COMMAND" runs COMMAND with sh -c), writes
// lines to its standard input and reads lines from its standard output. Lines
// are ASCII, words parted by single spaces, ended by \n (a \r before it is
// ignored). A line of the program has at most 4096 bytes. What it writes to
// standard error is its own: the last of it is shown when the program fails.
//
// The tool begins with
//
//	cleave 1
//
// where 1 is the version, and the program answers, within 10 seconds,
//
//	ready NAME
//
// NAME is optional, the rest of the line. For each decision the tool writes
// the position, one thing a line, and ends it with a line "go":
//
//	match ID            64 hex digits; another ID is another match
//	round N             1 to 8
//	you SEAT            your seat, 0 or 1
//	splitter SEAT       who splits in this round; the other chooses
//	score A B           points of seat 0 and of seat 1, may be negative
//	board SEAT ROWS     ROWS are six pictures of six cells with / between,
//	                    # filled and . empty; one line for each seat
//	block ROWS          the block: four rows of four cells
//	part N ROWS         once it is split: part 0 is the smaller piece, part 1
//	                    the larger, as they lie in the block, four rows of four
//	piece SEAT ROWS     once it is chosen: the piece of each seat, in the
//	                    smallest rectangle
//	go NUMBER KIND MS   decide: KIND is split, choose or place; an answer is
//	                    due MS milliseconds after this line, 0 for no limit
//
// A program must ignore lines that begin with a word it does not know. A place
// may be asked while the other seat is placing too; its board is then as it
// was before. The program answers one of
//
//	move NUMBER CELL CELL ...   split: the cells of either part, in the frame
//	                            of the block. place: the cells to fill on the
//	                            own board
//	move NUMBER 0               choose: the smaller part; 1: the larger
//	resign NUMBER               gives the match up
//	info TEXT                   is ignored, at any time
//
// A CELL is two digits, row and column from 0: 00 is the top left. NUMBER is
// that of the go; an answer with the number of an earlier go came too late and
// is ignored. Any other line, a move that is not legal, more than 1000 lines
// or 256 KiB for one decision, or none within the time, is an error: the seat
// loses that decision by a flag, or the match where there are no clocks. Where
// there is no limit a program has 60 seconds. The tool ends with
//
//	quit
//
// and the end of input, and kills the program and all that it started half a
// second later.
//
// An example, > to the program and < from it:
//
//	> cleave 1
//	< ready Greedy
//	> match 6b0e…
//	> round 1
//	> you 0
//	> splitter 0
//	> score 0 0
//	> board 0 ....../....../....../....../....../......
//	> board 1 ....../....../....../....../....../......
//	> block #.##/####/##../....
//	> go 1 split 12000
//	< info looking
//	< move 1 00 10 20 21
//
// The program in examplebot speaks it, and needs nothing of this module.
package players

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
)

// A Player decides at a seat. One decision is asked at a time.
type Player interface {
	// Decide returns the decision of a seat that has one to make (see
	// duel.State.MayDecide), or a Resign. The move is one that s.Check
	// accepts. It returns soon after ctx is done. The error is a *Failure, or
	// that of ctx when ctx ended for another reason than its deadline.
	Decide(ctx context.Context, s duel.State, seat int) (engine.Move, error)
	// Close ends the player and all that it started. It does not close
	// readers and writers that it was given.
	Close() error
}

// A Watcher is a Player that wants to see every entry of its match, its own
// too. Watch may be called while Decide runs.
type Watcher interface {
	// Watch is told what a move made of a match, and the state after it.
	Watch(s duel.State, r duel.Report)
}

// Watch tells a player of an entry, if it wants to know.
func Watch(p Player, s duel.State, r duel.Report) {
	if w, ok := p.(Watcher); ok {
		w.Watch(s, r)
	}
}

// A Fault says what was wrong with a player.
type Fault uint8

// The faults.
const (
	NotStarted  Fault = 1 + iota // the program could not be run, or never said that it is ready
	TooSlow                      // no decision before the deadline
	Exited                       // the program ended
	Rubbish                      // an answer that is none, or a move that is not legal
	Flooding                     // more output than any answer needs
	InputClosed                  // the person's input has ended
)

var faultTexts = [...]string{
	NotStarted:  "could not be started",
	TooSlow:     "did not decide in time",
	Exited:      "has ended",
	Rubbish:     "gave an answer that is none",
	Flooding:    "wrote too much",
	InputClosed: "has no more input",
}

// A Failure is a player that did not decide. Who runs the match flags the
// decision, or resigns where there are no clocks.
type Failure struct {
	Fault  Fault
	Player string // its spec
	Detail string // for a person; may be empty, may have several lines
	Err    error  // what was behind it, or nil
}

func (f *Failure) Error() string {
	text := "players: " + f.Player + " " + faultTexts[f.Fault]
	if f.Err != nil {
		text += ": " + f.Err.Error()
	}
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	return text
}

func (f *Failure) Unwrap() error { return f.Err }

// Options are what players are made with.
type Options struct {
	In    io.Reader     // what the person types; nil where there is none. Two at one keyboard share a bufio.Reader of 4096 bytes
	Out   io.Writer     // what the person sees
	Names [2]string     // the players' names by seat, for the person; may be empty
	Seed  uint64        // of a bot
	Think time.Duration // the least time of a decision
}

// ErrSpec says that a spec names no player.
var ErrSpec = errors.New("players: a player is bot:LEVEL, human or exec:COMMAND")

// Parse makes the player that a spec names: "bot:LEVEL", "human", or
// "exec:COMMAND", which is started at once and has to say that it is ready
// before Parse returns.
func Parse(ctx context.Context, spec string, o Options) (Player, error) {
	p, err := parse(ctx, spec, o)
	if err == nil && o.Think > 0 {
		p = Slow(p, o.Think)
	}
	return p, err
}

func parse(ctx context.Context, spec string, o Options) (Player, error) {
	kind, rest, _ := strings.Cut(spec, ":")
	switch {
	case kind == "bot":
		level, err := bot.ParseLevel(rest)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrSpec, err)
		}
		return computer{bot.New(level, o.Seed)}, nil
	case spec == "human":
		if o.In == nil || o.Out == nil {
			return nil, fmt.Errorf("%w: there is no terminal for a person", ErrSpec)
		}
		return NewHuman(o.In, o.Out, o.Names), nil
	case kind == "exec" && strings.TrimSpace(rest) != "":
		return StartProgram(ctx, rest)
	}
	return nil, fmt.Errorf("%w, not %q", ErrSpec, spec)
}

// Check reports whether a spec names a player, without making it.
func Check(spec string) error {
	kind, rest, _ := strings.Cut(spec, ":")
	if spec == "human" || kind == "exec" && strings.TrimSpace(rest) != "" {
		return nil
	}
	if kind == "bot" {
		if _, err := bot.ParseLevel(rest); err != nil {
			return fmt.Errorf("%w: %w", ErrSpec, err)
		}
		return nil
	}
	return fmt.Errorf("%w, not %q", ErrSpec, spec)
}

// computer is a bot of this program. It decides within milliseconds, so it
// does not look at the context.
type computer struct{ bot *bot.Player }

func (c computer) Decide(_ context.Context, s duel.State, seat int) (engine.Move, error) {
	return c.bot.Decide(s, seat), nil
}

func (computer) Close() error { return nil }

// slow gives each decision a least time.
type slow struct {
	Player
	least time.Duration
}

// Slow returns a player that decides as p does, but takes at least so long.
// When that is more than there is, the decision is too slow.
func Slow(p Player, least time.Duration) Player { return slow{p, least} }

func (w slow) Decide(ctx context.Context, s duel.State, seat int) (engine.Move, error) {
	due := time.NewTimer(w.least)
	defer due.Stop()
	m, err := w.Player.Decide(ctx, s, seat)
	if err != nil {
		return m, err
	}
	select {
	case <-due.C:
		return m, nil
	case <-ctx.Done():
		return engine.Move{}, ended(ctx, "a player that thinks for "+w.least.String())
	}
}

func (w slow) Watch(s duel.State, r duel.Report) { Watch(w.Player, s, r) }

// ended turns a context that is done into the error of Decide.
func ended(ctx context.Context, player string) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &Failure{Fault: TooSlow, Player: player, Err: context.DeadlineExceeded}
	}
	return ctx.Err()
}
