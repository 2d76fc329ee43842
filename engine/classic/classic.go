// Package classic is a solo game: the ruleset "classic/1".
//
// # Rules
//
// One player, an empty 8x8 board, and a tray of up to three shapes that never
// turn. When all three are placed a new set of three appears. The game ends
// when no shape left in the tray fits, judged after clears and refill.
//
// Points. Placing gives 1 point a cell. Then all full rows and columns clear
// at once; n lines in one move give 10*n*n. A clear on the move right after a
// clearing move is a combo and adds 5*c*n, c being the number of clearing
// moves in a row before this one; a move without a clear resets it. A score
// that would pass 2^31-1, which no game comes near, stays there.
//
// Deal. Piece n (0, 1, 2 are the first set, and so on) is slot b of a table of
// 64, b being engine.Deal.Draw(n) mod 64. Each difficulty has its own table.
//
// Hints. A Hint notes that one was taken; there are three a game.
//
// A game of 65,535 placements ends there.
//
// # Moves
//
// Place: Data is slot<<8 | cell, slot 0 to 2 of the tray, cell 8*row + column
// of the top left corner of the shape's smallest rectangle. Hint: Data is 0.
// All by seat 0.
//
// # Params
//
// One byte: 0 easy, 1 medium, 2 hard.
//
// # Encoding of a state
//
// 56 bytes, numbers big-endian, each state one encoding:
//
//	 0  32  seed of the deal
//	32   8  board; cell (r, c) is bit 8r+c
//	40   3  tray: the table's slot of each shape, 255 where it has been placed
//	43   1  difficulty: the params
//	44   4  score
//	48   2  placements
//	50   2  clearing moves in a row, up to now
//	52   2  most clearing moves in a row
//	54   1  hints taken
//	55   1  1 when the game is over, else 0
//
// The digest is SHA-256("cleave/state/classic/1" || encoding).
package classic

import (
	"errors"

	"github.com/cleavegame/cleave/engine"
)

// Rules is the name and version of this ruleset.
const Rules = "classic/1"

// The measures of a game.
const (
	Size          = 8      // rows and columns of the board
	Tray          = 3      // shapes of a set
	MaxHints      = 3      // of a game
	MaxPlacements = 65_535 // of a game

	slots = 64 // of a table
)

// Points returns the points of a move that places cells and clears n lines
// after so many clearing moves in a row.
func Points(cells, n, before int) int { return cells + 10*n*n + 5*before*n }

// A Difficulty is a table of shapes.
type Difficulty uint8

// The difficulties. Easy has no S or Z, no bar over four and one large corner;
// hard has no single cells, and bars of five, 3x3 blocks and plus shapes.
const (
	Easy Difficulty = iota
	Medium
	Hard
)

var difficultyNames = [...]string{"easy", "medium", "hard"}

func (d Difficulty) String() string {
	if int(d) < len(difficultyNames) {
		return difficultyNames[d]
	}
	return "unknown"
}

// Params returns the params of a difficulty.
func (d Difficulty) Params() []byte { return []byte{byte(d)} }

var tables = [...][]engine.Piece{
	Easy:   engine.MustSlots(slots, "1:4 I2:3 I3:6 V3:4 O4:10 I4:2 V5:3"),
	Medium: engine.MustSlots(slots, "1:2 I2:1 I3:3 V3:2 I4:3 O4:4 L4:2 J4:2 T4:2 S4:3 Z4:3"),
	Hard:   engine.MustSlots(slots, "I2:2 I3:3 V3:2 I4:2 O4:6 L4:1 J4:1 T4:2 S4:2 Z4:2 I5:2 V5:1 B9:2 X5:2"),
}

// Game is the ruleset as an engine.Game.
type Game struct{}

var (
	_ engine.Game     = Game{}
	_ engine.Position = State{}
)

// Rules returns "classic/1".
func (Game) Rules() string { return Rules }

// Seats returns 1.
func (Game) Seats() int { return 1 }

// ErrParams says that params are not those of a difficulty.
var ErrParams = errors.New("classic: params are one byte, 0, 1 or 2")

// Start returns the first position of a game on that deal, a State.
func (Game) Start(seed [32]byte, params []byte) (engine.Position, error) {
	if len(params) != 1 || Difficulty(params[0]) > Hard {
		return nil, ErrParams
	}
	return New(seed, Difficulty(params[0])), nil
}

// New returns the state before the first placement.
func New(seed [32]byte, d Difficulty) State {
	s := State{seed: seed, difficulty: d}
	s.deal()
	return s
}
