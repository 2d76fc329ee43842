// Package duel is the match of two: the ruleset "duel/1".
//
// # Rules
//
// Two players, seats 0 and 1, play 8 rounds. Each has a 6x6 board of its own,
// which both see. Cells are (row, column) from the top left.
//
// Reveal. Each round both seats open one layer of 32 bytes of a commitment
// made before the match; whether a layer fits its commitment is the business
// of whoever keeps the record. In round 1 seat 0 reveals first, then seat 1;
// in later rounds the chooser of that round first, then its splitter. The
// round's 32 bytes are
//
//	SHA-256("cleave/round/1" || match id || round, one byte, 1 to 8 ||
//	        layer of seat 0 || layer of seat 1)
//
// The first splitter is the low bit of the first byte of
// SHA-256("cleave/first/1" || round 1's 32 bytes); then the roles alternate.
//
// Block. A block is 9 connected cells in a 4x4 grid, cell (r, c) being bit
// r*4+c of a 16-bit mask, drawn uniformly from a table of 952: all that touch
// the top row and the left column, have no hole (every empty cell of the grid
// reaches an empty border cell of it through empty cells), and have 3 to 6
// legal splits; ascending. The round's 32 bytes are read as 16 big-endian
// numbers; the first below 64736 = 68*952, mod 952, is the index. If none is,
// the 32 bytes are replaced by their SHA-256 and read again.
//
// Split. The splitter divides the block into two pieces of 3 to 6 cells, each
// connected along cell edges. A split is the mask of its smaller part.
//
// Choose. The other player takes one piece, 0 the smaller or 1 the larger, and
// the splitter gets the other.
//
// Place. A piece may be turned by quarters, never mirrored, and must lie whole
// on empty cells of its owner's board. A placement is the set of its cells.
// Then all full rows and columns of that board clear at the same time; k lines
// give 5*k*(k+1) points. Nothing falls. Both may make up their minds at the
// same time; in the record the chooser's placement stands first.
//
// Blocked. Whose piece fits nowhere, in any turn, gets -8 and loses the piece.
// This is settled in the step that applies the choice and makes no entry; when
// both are blocked the round ends there.
//
// Flag. A time that ran out. Split: the split into 4 and 5 cells whose smaller
// part has the lowest mask. Choice: the larger piece. Placement: -5, and the
// piece is lost. A player all of whose decisions in two rounds in a row were
// flags has forfeited, judged at the end of the second; when both have, the
// match has no result. A round in which a player had nothing to decide neither
// counts nor breaks the row.
//
// Resign. Either seat, at any time before the end. A forfeit or resignation
// loses whatever the score.
//
// End. After round 8 the higher total wins; equal totals are a draw. Totals
// may be negative.
//
// # Encoding of a state
//
// 96 bytes, numbers big-endian, each state one encoding:
//
//	 0  32  match id
//	32  32  the layer of the round's first reveal while the second is awaited,
//	        else zero
//	64   8  board of seat 0; cell (r, c) is bit 8r+c
//	72   8  board of seat 1
//	80   2  score of seat 0, two's complement
//	82   2  score of seat 1
//	84   2  the round's block, zero until it is dealt
//	86   2  the split: mask of the smaller part, zero until it is made
//	88   1  round, 1 to 8
//	89   1  phase: 1 first reveal awaited, 2 second reveal, 3 split, 4 choice,
//	        5 placements, 6 no more (the last round has ended)
//	90   1  first splitter, 0 or 1; 2 until it is known
//	91   1  choice: 0 none yet, 1 the chooser took the smaller, 2 the larger
//	92   1  placements still owed: bit 0 by seat 0, bit 1 by seat 1
//	93   1  idleness of seat 0: bit 0 it has flagged in this round, bit 1 it has
//	        decided in this round, bits 2 and 3 how many rounds in a row before
//	        this one it decided nothing but flags
//	94   1  idleness of seat 1
//	95   1  end: low 4 bits as engine.End, high 4 bits who resigned or
//	        forfeited (1 seat 0, 2 seat 1, else 0)
//
// When a round ends its block, split and choice go back to zero, and the next
// round's reveals are awaited; after the last, or a forfeit, phase is 6. A
// resignation changes byte 95 only. The digest is
// SHA-256("cleave/state/duel/1" || encoding).
package duel

import (
	"errors"

	"github.com/cleavegame/cleave/engine"
)

// Rules is the name and version of this ruleset.
const Rules = "duel/1"

// The measures of a match.
const (
	Rounds = 8 // rounds of a match
	Size   = 6 // rows and columns of a board

	// BlockedPoints is the score of a player whose piece fits nowhere.
	BlockedPoints = -8
	// FlagPoints is the score of a player who let the time to place run out.
	FlagPoints = -5
)

// The published limits of a decision, in milliseconds. The engine knows no
// clock; whoever keeps one asks here.
const (
	SplitMs  = 12_000
	ChooseMs = 6_000
	PlaceMs  = 10_000
)

// LinePoints returns the points for k lines cleared by one placement.
func LinePoints(k int) int { return 5 * k * (k + 1) }

// Game is the ruleset as an engine.Game. Its params are empty.
type Game struct{}

var (
	_ engine.Game     = Game{}
	_ engine.Position = State{}
)

// Rules returns "duel/1".
func (Game) Rules() string { return Rules }

// Seats returns 2.
func (Game) Seats() int { return 2 }

// ErrParams says that params were given; a Duel has none.
var ErrParams = errors.New("duel: params must be empty")

// Start returns the first position of the match with that id, a State.
func (Game) Start(matchID [32]byte, params []byte) (engine.Position, error) {
	if len(params) != 0 {
		return nil, ErrParams
	}
	return New(matchID), nil
}

// New returns the state before the first reveal of the match with that id.
func New(matchID [32]byte) State {
	return State{match: matchID, round: 1, phase: phaseReveal1, first: unknownSeat}
}
