package streak

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/cleavegame/cleave/engine"
)

// A State is one state of a run. It is a value: = copies, == compares, and
// Apply never changes the one it is given. New and Apply make states.
type State struct {
	seed       engine.Deal
	board      engine.Board
	score      int32
	placements uint16
	tally      Tally
	hand       [Hand]uint8 // slots of the table
	mode       Mode
	best       uint8
	chances    uint8
	over       bool
}

// Seed returns the seed of the deal.
func (s State) Seed() [32]byte { return s.seed }

// Mode returns what the run is for.
func (s State) Mode() Mode { return s.mode }

// Board returns the board.
func (s State) Board() engine.Board { return s.board }

// Piece returns the piece in a slot of the hand, 0 to 2.
func (s State) Piece(slot int) engine.Piece { return table[s.hand[slot]] }

// Score returns the points so far.
func (s State) Score() int { return int(s.score) }

// Placements returns how many pieces have been placed.
func (s State) Placements() int { return int(s.placements) }

// Tally returns where the streak stands.
func (s State) Tally() Tally { return s.tally }

// BestCombo returns the most lines that one placement cleared.
func (s State) BestCombo() int { return int(s.best) }

// ChancesTaken returns how many second chances were taken.
func (s State) ChancesTaken() int { return int(s.chances) }

// Stuck reports whether no piece in hand fits; the run is over, or waits for
// a second chance.
func (s State) Stuck() bool {
	for slot := range Hand {
		if s.Piece(slot).Fits(s.board, Size) != 0 {
			return false
		}
	}
	return true
}

// Owes returns 0, engine.Nobody when the run is over.
func (s State) Owes() int {
	if s.over {
		return engine.Nobody
	}
	return 0
}

// Awaits returns Place, Chance when no piece fits and a second chance is left,
// or engine.None when the run is over.
func (s State) Awaits() engine.Kind {
	switch {
	case s.over:
		return engine.None
	case s.Stuck():
		return engine.Chance
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

// Outcome says how the run ended, or stands: its score, and as rounds its
// placements.
func (s State) Outcome() engine.Outcome {
	o := engine.Outcome{Over: s.over, Winner: engine.Nobody, Score: [2]int32{s.score}, Rounds: int(s.placements)}
	if s.over {
		o.End = engine.Played
	}
	return o
}

const (
	digestDomain = "cleave/state/streak/1"
	encodedLen   = 57
)

// Append appends the encoding of the state, 57 bytes.
func (s State) Append(b []byte) []byte {
	var e [encodedLen]byte
	s.encode(&e)
	return append(b, e[:]...)
}

func (s *State) encode(e *[encodedLen]byte) {
	copy(e[0:], s.seed[:])
	binary.BigEndian.PutUint64(e[32:], uint64(s.board))
	copy(e[40:], s.hand[:])
	e[43] = uint8(s.mode)
	binary.BigEndian.PutUint32(e[44:], uint32(s.score))
	binary.BigEndian.PutUint16(e[48:], s.placements)
	binary.BigEndian.PutUint16(e[50:], s.tally.streak)
	e[52] = s.tally.placed
	e[53] = bit(s.tally.cleared) | bit(s.tally.forgiven)<<1
	e[54] = s.best
	e[55] = s.chances
	e[56] = bit(s.over)
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// Digest returns SHA-256("cleave/state/streak/1" || encoding).
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
		{Name: "hand", Value: fmt.Sprint(s.hand)},
		{Name: "mode", Value: fmt.Sprint(s.mode)},
		{Name: "score", Value: fmt.Sprint(s.score)},
		{Name: "placements", Value: fmt.Sprint(s.placements)},
		{Name: "streak", Value: fmt.Sprint(s.tally.streak)},
		{Name: "placed in round", Value: fmt.Sprint(s.tally.placed)},
		{Name: "cleared in round", Value: fmt.Sprint(s.tally.cleared)},
		{Name: "forgiven", Value: fmt.Sprint(s.tally.forgiven)},
		{Name: "best combo", Value: fmt.Sprint(s.best)},
		{Name: "chances", Value: fmt.Sprint(s.chances)},
		{Name: "over", Value: fmt.Sprint(s.over)},
	}
}
