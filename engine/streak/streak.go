// Package streak is a solo game: the ruleset "streak/1".
//
// # Rules
//
// One player, an empty 8x8 board, and three pieces in hand that never turn.
// Any of them is placed anywhere it fits; its slot of the hand refills at
// once. The run ends when none of the three fits, judged on the board after
// clears and refill. There is no timer.
//
// Points. Placing gives 4 points a cell. Then all full rows and columns clear
// together; n lines by one placement are its combo and give base points 80,
// 240, 460, 740, 1060, 1400 for 1 to 6, times the multiplier. No piece of at
// most 5 cells completes more than 6.
//
// Streak. The game counts in rounds of three pieces placed. The first clear in
// a round extends the streak by one, and clears in that round are multiplied
// by the streak, at most 5. A second clear in one round pays the same and
// extends nothing. One round without a clear is forgiven and the streak holds;
// two in a row reset it to zero. The score is the sum of all placements; empty
// cells count nothing.
//
// Deal. Piece n (0, 1, 2 fill the hand, then each refill in order) is slot b
// of a table of 256, b being engine.Deal.Draw(n). The deal does not look at
// the board or the player.
//
// Second chances. A training run has three: when none of the three pieces
// fits, a Chance empties the board and goes on with score, streak, hand, round
// counter and deal. Other runs have none.
//
// A run of 65,535 placements ends there.
//
// # Moves
//
// Place: Data is slot<<8 | cell, slot 0 to 2 of the hand, cell 8*row + column
// of the top left corner of the piece's smallest rectangle. Chance: Data is 0.
// All by seat 0.
//
// # Params
//
// One byte: 0 for a run that counts, 1 for training.
//
// # Encoding of a state
//
// 57 bytes, numbers big-endian, each state one encoding:
//
//	 0  32  seed of the deal
//	32   8  board; cell (r, c) is bit 8r+c
//	40   3  hand: the table's slot of each piece
//	43   1  mode: the params
//	44   4  score
//	48   2  placements; the next piece dealt is this number + 3
//	50   2  streak, in rounds
//	52   1  pieces placed in this round, 0 to 2
//	53   1  bit 0: this round has had a clear; bit 1: the round before had none
//	        and was forgiven
//	54   1  best combo
//	55   1  second chances taken
//	56   1  1 when the run is over, else 0
//
// The digest is SHA-256("cleave/state/streak/1" || encoding).
package streak

import (
	"errors"

	"github.com/cleavegame/cleave/engine"
)

// Rules is the name and version of this ruleset.
const Rules = "streak/1"

// The measures of a run.
const (
	Size          = 8      // rows and columns of the board
	Hand          = 3      // pieces in hand
	RoundLen      = 3      // pieces of a round
	CellPoints    = 4      // points of a cell placed
	MaxMultiplier = 5      // of a clear
	MaxChances    = 3      // second chances of a training run
	MaxPlacements = 65_535 // of a run
)

// linePoints are the base points of a combo.
var linePoints = [...]int{0, 80, 240, 460, 740, 1060, 1400}

// LinePoints returns the base points of n lines by one placement, 0 to 6.
func LinePoints(n int) int { return linePoints[n] }

// table is what pieces are dealt from.
var table = engine.MustSlots(256, `1:8 I2:6 I3:6 V3:6 I4:5 O4:5 L4:5 J4:5 T4:5 S4:5 Z4:5
	I5:3 V5:3 L5:3 J5:3 P5:3 Q5:3 U5:3 T5:3 W5:3 X5:3`)

// A Mode is what a run is for.
type Mode uint8

// The modes.
const (
	Counting Mode = 0 // a daily challenge, an arena: no second chance
	Training Mode = 1 // up to three
)

// Params returns the params of a mode.
func (m Mode) Params() []byte { return []byte{byte(m)} }

// Game is the ruleset as an engine.Game.
type Game struct{}

var (
	_ engine.Game     = Game{}
	_ engine.Position = State{}
)

// Rules returns "streak/1".
func (Game) Rules() string { return Rules }

// Seats returns 1.
func (Game) Seats() int { return 1 }

// ErrParams says that params are not those of a mode.
var ErrParams = errors.New("streak: params are one byte, 0 or 1")

// Start returns the first position of a run on that deal, a State.
func (Game) Start(seed [32]byte, params []byte) (engine.Position, error) {
	if len(params) != 1 || Mode(params[0]) > Training {
		return nil, ErrParams
	}
	return New(seed, Mode(params[0])), nil
}

// New returns the state before the first placement.
func New(seed [32]byte, mode Mode) State {
	s := State{seed: seed, mode: mode}
	for i := range s.hand {
		s.hand[i] = s.seed.Draw(uint32(i))
	}
	return s
}

// DealtPiece returns piece n of a deal, counted from 0. The first three are
// the first hand.
func DealtPiece(seed [32]byte, n uint32) engine.Piece { return table[engine.Deal(seed).Draw(n)] }
