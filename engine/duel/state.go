package duel

import (
	"github.com/cleavegame/cleave/engine"
)

// A phase says what is awaited next. Its numbers are part of the encoding.
type phase uint8

const (
	phaseReveal1 phase = 1
	phaseReveal2 phase = 2
	phaseSplit   phase = 3
	phaseChoose  phase = 4
	phasePlace   phase = 5
	phaseDone    phase = 6
)

// unknownSeat stands for the first splitter until round 1's reveals.
const unknownSeat = 2

// A State is one state of a match. It is a value: = copies, == compares, and
// Apply never changes the one it is given. New and Apply make states; the zero
// State is none.
type State struct {
	match    [32]byte
	layer    [32]byte // first reveal of the round, while the second is awaited
	boards   [2]engine.Board
	scores   [2]int16
	block    Block
	split    uint16
	round    uint8
	phase    phase
	first    uint8
	choice   uint8 // 0 none yet, 1 the smaller was taken, 2 the larger
	owed     uint8 // placements owed, bit by seat
	idle     [2]idle
	end      engine.End
	departed uint8 // who resigned or forfeited: seat+1, or 0
}

// idle is one seat's idleness, as in the encoding.
type idle uint8

const (
	idleFlagged idle = 1 << iota
	idleDecided
	idleRow // times the rounds in a row
)

func (i idle) row() int { return int(i / idleRow) }

// Match returns the match id.
func (s State) Match() [32]byte { return s.match }

// Round returns the number of the round, 1 to 8. It goes on to the next when
// the last placement of a round is applied, and stays after the last round.
func (s State) Round() int { return int(s.round) }

// RoundsPlayed returns how many whole rounds have been played, 0 to 8.
func (s State) RoundsPlayed() int {
	if s.phase == phaseDone {
		return int(s.round)
	}
	return int(s.round) - 1
}

// Over reports whether the match has ended.
func (s State) Over() bool { return s.end != engine.Unfinished }

// Board returns the board of a seat.
func (s State) Board(seat int) engine.Board { return s.boards[seat] }

// Score returns the points of a seat.
func (s State) Score(seat int) int { return int(s.scores[seat]) }

// Splitter returns the seat that splits in this round, engine.Nobody until the
// reveals of round 1 have settled who splits first.
func (s State) Splitter() int {
	if s.first == unknownSeat {
		return engine.Nobody
	}
	return s.splitter()
}

// Chooser returns the seat that chooses in this round, or engine.Nobody as for
// Splitter.
func (s State) Chooser() int {
	if s.first == unknownSeat {
		return engine.Nobody
	}
	return 1 - s.splitter()
}

// splitter is Splitter once it is known.
func (s *State) splitter() int { return int(s.first+s.round+1) & 1 }

// Block returns the block of the round, 0 until it is dealt.
func (s State) Block() Block { return s.block }

// Split returns the mask of the smaller part in the block's frame, 0 until the
// splitter has decided.
func (s State) Split() uint16 { return s.split }

// Parts returns the two pieces of the split, the smaller and the larger as
// they lie in the block (not turned), zero until the splitter has decided.
// Index them with the Data of a Choose.
func (s State) Parts() [2]engine.Piece {
	if s.split == 0 {
		return [2]engine.Piece{}
	}
	return [2]engine.Piece{PartPiece(s.split), PartPiece(uint16(s.block) ^ s.split)}
}

// Choice returns the Data of the round's Choose, 0 for the smaller and 1 for
// the larger piece, and whether the chooser has decided.
func (s State) Choice() (taken int, decided bool) {
	if s.choice == 0 {
		return 0, false
	}
	return int(s.choice) - 1, true
}

// Piece returns the piece that a seat got in this round, as it lies in the
// block, zero until the chooser has decided. It stays until the round ends,
// though the seat may have placed it, or lost it; see Owed.
func (s State) Piece(seat int) engine.Piece {
	if s.choice == 0 {
		return 0
	}
	return PartPiece(s.part(seat))
}

// part returns the part of the block that a seat got, once there is a choice.
func (s *State) part(seat int) uint16 {
	smaller := s.choice == 1
	if seat == s.splitter() {
		smaller = !smaller
	}
	if smaller {
		return s.split
	}
	return uint16(s.block) ^ s.split
}

// Owed reports whether a seat still has to place its piece in this round.
func (s State) Owed(seat int) bool {
	return s.phase == phasePlace && s.end == engine.Unfinished && s.owed>>seat&1 != 0
}

// IdleRounds returns how many rounds in a row, up to the last whole one, a
// seat decided nothing but flags. At 2 it has forfeited.
func (s State) IdleRounds(seat int) int { return s.idle[seat].row() }

// Owes returns the seat that must author the next entry, engine.Nobody when
// the match is over.
func (s State) Owes() int {
	if s.end != engine.Unfinished {
		return engine.Nobody
	}
	switch s.phase {
	case phaseReveal1, phaseReveal2:
		first := 0
		if s.round > 1 {
			first = 1 - s.splitter()
		}
		return first ^ int(s.phase-phaseReveal1)
	case phaseSplit:
		return s.splitter()
	case phaseChoose:
		return 1 - s.splitter()
	case phasePlace:
		chooser := 1 - s.splitter()
		if s.owed>>chooser&1 != 0 {
			return chooser
		}
		return 1 - chooser
	}
	panic("duel: a state that nobody made")
}

// Awaits returns the kind of the next entry, engine.None when the match is
// over. A Flag may stand for a Split, a Choose or a Place.
func (s State) Awaits() engine.Kind {
	if s.end != engine.Unfinished {
		return engine.None
	}
	switch s.phase {
	case phaseReveal1, phaseReveal2:
		return engine.Reveal
	case phaseSplit:
		return engine.Split
	case phaseChoose:
		return engine.Choose
	case phasePlace:
		return engine.Place
	}
	panic("duel: a state that nobody made")
}

// MayDecide returns the timed decision that a seat can make up its mind about
// now: Split, Choose or Place, else None. A Reveal is made by the program, so
// it is none. After the choice it is Place for each seat that is not blocked
// and has not placed yet.
func (s State) MayDecide(seat int) engine.Kind {
	if s.end != engine.Unfinished || uint(seat) > 1 {
		return engine.None
	}
	switch {
	case s.phase == phaseSplit && seat == s.splitter():
		return engine.Split
	case s.phase == phaseChoose && seat != s.splitter():
		return engine.Choose
	case s.phase == phasePlace && s.owed>>seat&1 != 0:
		return engine.Place
	}
	return engine.None
}

// Outcome says how the match ended.
func (s State) Outcome() engine.Outcome {
	o := engine.Outcome{
		Over:   s.end != engine.Unfinished,
		End:    s.end,
		Winner: engine.Nobody,
		Score:  [2]int32{int32(s.scores[0]), int32(s.scores[1])},
		Rounds: s.RoundsPlayed(),
	}
	switch s.end {
	case engine.Resigned, engine.Forfeited:
		o.Winner = 2 - int(s.departed)
	case engine.Played:
		if s.scores[0] > s.scores[1] {
			o.Winner = 0
		} else if s.scores[1] > s.scores[0] {
			o.Winner = 1
		}
	}
	return o
}
