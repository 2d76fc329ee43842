package classic

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/cleavegame/cleave/engine"
)

// placedSlot stands in the tray for a shape that has been placed.
const placedSlot = 255

// A State is one state of a game. It is a value: = copies, == compares, and
// Apply never changes the one it is given. New and Apply make states.
type State struct {
	seed       engine.Deal
	board      engine.Board
	score      int32
	placements uint16
	combo      uint16      // clearing moves in a row
	best       uint16      // the most of them
	tray       [Tray]uint8 // slots of the table, or placedSlot
	difficulty Difficulty
	hints      uint8
	over       bool
}

// Seed returns the seed of the deal.
func (s State) Seed() [32]byte { return s.seed }

// Difficulty returns the table that shapes are dealt from.
func (s State) Difficulty() Difficulty { return s.difficulty }

// Board returns the board.
func (s State) Board() engine.Board { return s.board }

// Piece returns the shape in a slot of the tray, 0 to 2, or no piece where it
// has been placed.
func (s State) Piece(slot int) engine.Piece {
	if s.tray[slot] == placedSlot {
		return 0
	}
	return tables[s.difficulty][s.tray[slot]]
}

// Score returns the points so far.
func (s State) Score() int { return int(s.score) }

// Placements returns how many shapes have been placed.
func (s State) Placements() int { return int(s.placements) }

// Combo returns how many moves in a row, up to now, have cleared.
func (s State) Combo() int { return int(s.combo) }

// BestCombo returns the most clearing moves in a row.
func (s State) BestCombo() int { return int(s.best) }

// HintsTaken returns how many hints were taken.
func (s State) HintsTaken() int { return int(s.hints) }

// Stuck reports whether no shape left in the tray fits.
func (s State) Stuck() bool {
	for slot := range Tray {
		if s.Piece(slot).Fits(s.board, Size) != 0 {
			return false
		}
	}
	return true
}

// Owes returns 0, engine.Nobody when the game is over.
func (s State) Owes() int {
	if s.over {
		return engine.Nobody
	}
	return 0
}

// Awaits returns Place, or engine.None when the game is over. A Hint may stand
// before it.
func (s State) Awaits() engine.Kind {
	if s.over {
		return engine.None
	}
	return engine.Place
}

// MayDecide is Awaits for seat 0.
func (s State) MayDecide(seat int) engine.Kind {
	if seat != 0 {
		return engine.None
	}
	return s.Awaits()
}

// Outcome says how the game ended, or stands: its score, and as rounds its
// placements.
func (s State) Outcome() engine.Outcome {
	o := engine.Outcome{Over: s.over, Winner: engine.Nobody, Score: [2]int32{s.score}, Rounds: int(s.placements)}
	if s.over {
		o.End = engine.Played
	}
	return o
}

const (
	digestDomain = "cleave/state/classic/1"
	encodedLen   = 56
)

// Append appends the encoding of the state, 56 bytes.
func (s State) Append(b []byte) []byte {
	var e [encodedLen]byte
	s.encode(&e)
	return append(b, e[:]...)
}

func (s *State) encode(e *[encodedLen]byte) {
	copy(e[0:], s.seed[:])
	binary.BigEndian.PutUint64(e[32:], uint64(s.board))
	copy(e[40:], s.tray[:])
	e[43] = uint8(s.difficulty)
	binary.BigEndian.PutUint32(e[44:], uint32(s.score))
	binary.BigEndian.PutUint16(e[48:], s.placements)
	binary.BigEndian.PutUint16(e[50:], s.combo)
	binary.BigEndian.PutUint16(e[52:], s.best)
	e[54] = s.hints
	if s.over {
		e[55] = 1
	}
}

// Digest returns SHA-256("cleave/state/classic/1" || encoding).
func (s State) Digest() [32]byte {
	var b [len(digestDomain) + encodedLen]byte
	copy(b[:], digestDomain)
	s.encode((*[encodedLen]byte)(b[len(digestDomain):]))
	return sha256.Sum256(b[:])
}

// Fields lists the state by name, as the encoding orders it.
func (s State) Fields() []engine.Field {
	return []engine.Field{
		{Name: "seed", Value: fmt.Sprintf("%x", s.seed)},
		{Name: "board", Value: strings.ReplaceAll(s.board.Text(Size), "\n", "/")},
		{Name: "tray", Value: fmt.Sprint(s.tray)},
		{Name: "difficulty", Value: s.difficulty.String()},
		{Name: "score", Value: fmt.Sprint(s.score)},
		{Name: "placements", Value: fmt.Sprint(s.placements)},
		{Name: "combo", Value: fmt.Sprint(s.combo)},
		{Name: "best combo", Value: fmt.Sprint(s.best)},
		{Name: "hints", Value: fmt.Sprint(s.hints)},
		{Name: "over", Value: fmt.Sprint(s.over)},
	}
}
