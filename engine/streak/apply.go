package streak

import "github.com/cleavegame/cleave/engine"

// A Report says what one move brought about, for the screen. It is not part of
// the state.
type Report struct {
	Move engine.Move

	// Placed is the set of cells that a placement filled before any line
	// cleared, Cleared the cells that went: the Lines, or with a second chance
	// the whole board.
	Placed  engine.Board
	Cleared engine.Board
	Lines   engine.Lines

	Points Points

	// Dealt is the piece that refilled the slot.
	Dealt engine.Piece

	RoundEnded bool // with this piece
	StreakLost bool // by a second round without a clear
	Stuck      bool // none of the three pieces fits now
	Over       bool
}

// PlaceData returns the Data of a Place: a slot of the hand, and the cell of
// the top left corner of the piece's smallest rectangle.
func PlaceData(slot, r, c int) uint64 { return uint64(slot)<<8 | uint64(Size*r+c) }

// Check reports whether m may be made now: nil, or an *engine.IllegalMove.
func (s State) Check(m engine.Move) error {
	if reason := s.illegal(m); reason != "" {
		return &engine.IllegalMove{Move: m, Reason: reason}
	}
	return nil
}

func (s *State) illegal(m engine.Move) string {
	switch {
	case m.Seat != 0:
		return "a run has one seat"
	case s.over:
		return "the run is over"
	case m.Layer != [32]byte{}:
		return "only a reveal has a layer"
	}
	switch m.Kind {
	case engine.Place:
		if m.Data>>8 >= Hand || m.Data&0xff >= Size*Size {
			return "no such slot or cell"
		}
		slot, cell := int(m.Data>>8), int(m.Data&0xff)
		if !s.Piece(slot).Fits(s.board, Size).Has(cell/Size, cell%Size) {
			return "the piece does not fit there"
		}
		return ""
	case engine.Chance:
		switch {
		case m.Data != 0:
			return "a second chance has no data"
		case !s.Stuck():
			return "a piece fits, so there is no second chance"
		}
		return ""
	}
	return "a run has placements and second chances only"
}

// Apply returns the state after m. The error is an *engine.IllegalMove.
func (s State) Apply(m engine.Move) (engine.Position, error) {
	next, _, err := Apply(s, m)
	if err != nil {
		return nil, err
	}
	return next, nil
}

// Apply is State.Apply for those who want the State, and the report of what
// happened. With an error both are zero.
func Apply(s State, m engine.Move) (State, Report, error) {
	if reason := s.illegal(m); reason != "" {
		return State{}, Report{}, &engine.IllegalMove{Move: m, Reason: reason}
	}
	r := Report{Move: m}
	if m.Kind == engine.Chance {
		r.Cleared = s.board
		s.board = 0
		s.chances++
		return s, r, nil
	}
	s.place(int(m.Data>>8), int(m.Data&0xff), &r)
	r.Stuck = s.Stuck()
	s.over = s.placements == MaxPlacements || r.Stuck && !s.chanceLeft()
	r.Over = s.over
	return s, r, nil
}

// chanceLeft reports whether the board may be emptied once more.
func (s *State) chanceLeft() bool { return s.mode == Training && s.chances < MaxChances }

// place carries out a placement that fits.
func (s *State) place(slot, cell int, r *Report) {
	p := s.Piece(slot)
	r.Placed = p.At(cell/Size, cell%Size)
	full := s.board | r.Placed
	s.board, r.Lines = full.Clear(Size)
	r.Cleared = full &^ s.board
	n := r.Lines.Count()
	before := s.tally
	s.tally, r.Points = before.Place(p.Size(), n)
	r.RoundEnded = s.tally.placed == 0
	r.StreakLost = before.streak > 0 && s.tally.streak == 0
	s.best = max(s.best, uint8(n))
	// 65,535 placements of at most 7,020 points stay below 2^31.
	s.score += int32(r.Points.Sum())
	s.placements++
	s.hand[slot] = s.seed.Draw(uint32(s.placements) + Hand - 1)
	r.Dealt = s.Piece(slot)
}
