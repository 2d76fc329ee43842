package ui

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// A Seat is one's place at a match, as the match scene needs it. Its methods
// return at once; what they lead to is seen in a later View.
type Seat interface {
	// View returns what is to be seen now.
	View() View
	// Decide hands in a decision that the state would take.
	Decide(m engine.Move)
	// Preview lets the other side see what one is painting or hovering.
	Preview(p Preview)
	// Resign gives the match up.
	Resign()
	// Rematch asks for another match, or agrees to one.
	Rematch()
	// Pause stops or restarts both clocks, where the match allows it.
	Pause(on bool)
	// Claim claims the match from who has been silent too long, when
	// View.ClaimDue says so; CallOff offers to end it without a result, or
	// agrees to it.
	Claim()
	CallOff()
	// Leave goes away from the table for good.
	Leave()
}

// A Preview is what a player is about to decide.
type Preview struct {
	Part  uint16       // cells of the block that are painted
	Hover int          // 1 the smaller, 2 the larger piece, 0 none
	Ghost engine.Board // cells that a placement would take
	Away  bool         // the game is not in front of them
}

// A Clock is the time that a seat has for its decision.
type Clock struct {
	Running bool
	LeftMs  int64
	LimitMs int64 // 0: no limit
}

// A Link says how the other side is reached.
type Link uint8

// The states of a connection.
const (
	LinkGood Link = iota
	LinkTrouble
	LinkOffline
)

// A View is what is to be seen of a match at one moment.
type View struct {
	State duel.State
	// Moves are all moves so far, in order; from them the scene knows what
	// is new.
	Moves []engine.Move
	Me    int       // one's own seat
	Names [2]string // by seat
	Clock [2]Clock  // by seat
	Peer  Preview   // what the other side is about to decide
	Link  Link
	// GoneMs is how long the other side has been silent, when Link is not
	// good.
	GoneMs int64

	Friendly bool // best points may be shown, and hints given
	CanPause bool
	Paused   bool
	// Verdict says what became of the result, nothing where none is rated.
	Verdict Notice
	// Rematch says who wants another match, by seat.
	Rematch [2]bool
	// Ended says that nothing more will happen here, and why.
	Ended string

	// Over says that the match is over though the state need not be, and
	// Outcome how: two who resigned at once have drawn.
	Over    bool
	Outcome engine.Outcome
	// Stopped says in one word why a match ended without a result:
	// "they_left", "you_left", "called_off", "not_begun", "desync", "claimed"
	// or "closed"; "" if it did not.
	Stopped string
	// ClaimDue says that the other side has owed its decision so long that
	// the match can be claimed, Claiming that this was done, CallOff that the
	// other side would call it off.
	ClaimDue, Claiming, CallOff bool
	// Refused counts the decisions that were not taken.
	Refused int
}

// over reports whether nothing more can be decided.
func (v *View) over() bool { return v.Over || v.Stopped != "" || v.State.Over() }

// outcome is how it ended.
func (v *View) outcome() engine.Outcome {
	if v.Over {
		return v.Outcome
	}
	return v.State.Outcome()
}
