package classic

import "github.com/cleavegame/cleave/engine"

// A Report says what one move brought about, for the screen. It is not part of
// the state.
type Report struct {
	Move engine.Move

	// Placed is the set of cells that a placement filled before any line
	// cleared, Cleared the cells that the Lines took away.
	Placed  engine.Board
	Cleared engine.Board
	Lines   engine.Lines

	Points int
	Combo  int // clearing moves in a row with this one, 0 when it cleared nothing

	Dealt bool // a new set of three appeared
	Over  bool
}

// PlaceData returns the Data of a Place: a slot of the tray, and the cell of
// the top left corner of the shape's smallest rectangle.
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
		return "a game has one seat"
	case s.over:
		return "the game is over"
	case m.Layer != [32]byte{}:
		return "only a reveal has a layer"
	}
	switch m.Kind {
	case engine.Place:
		if m.Data>>8 >= Tray || m.Data&0xff >= Size*Size {
			return "no such slot or cell"
		}
		slot, cell := int(m.Data>>8), int(m.Data&0xff)
		p := s.Piece(slot)
		if p == 0 {
			return "this shape has been placed"
		}
		if !p.Fits(s.board, Size).Has(cell/Size, cell%Size) {
			return "the shape does not fit there"
		}
		return ""
	case engine.Hint:
		switch {
		case m.Data != 0:
			return "a hint has no data"
		case s.hints == MaxHints:
			return "all hints have been taken"
		}
		return ""
	}
	return "a game has placements and hints only"
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
	if m.Kind == engine.Hint {
		s.hints++
		return s, r, nil
	}
	s.place(int(m.Data>>8), int(m.Data&0xff), &r)
	s.over = s.placements == MaxPlacements || s.Stuck()
	r.Over = s.over
	return s, r, nil
}

// place carries out a placement that fits.
func (s *State) place(slot, cell int, r *Report) {
	p := s.Piece(slot)
	r.Placed = p.At(cell/Size, cell%Size)
	full := s.board | r.Placed
	s.board, r.Lines = full.Clear(Size)
	r.Cleared = full &^ s.board
	n := r.Lines.Count()
	r.Points = Points(p.Size(), n, int(s.combo))
	if n > 0 {
		s.combo++
		s.best = max(s.best, s.combo)
	} else {
		s.combo = 0
	}
	r.Combo = int(s.combo)
	s.score = addUpTo(s.score, r.Points)
	s.placements++
	s.tray[slot] = placedSlot
	if s.tray == [Tray]uint8{placedSlot, placedSlot, placedSlot} {
		s.deal()
		r.Dealt = true
	}
}

// maxScore is where the score stands still.
const maxScore = 1<<31 - 1

func addUpTo(score int32, points int) int32 {
	return int32(min(int64(score)+int64(points), maxScore))
}

// deal fills the tray with the next set.
func (s *State) deal() {
	for i := range s.tray {
		s.tray[i] = s.seed.Draw(uint32(s.placements)+uint32(i)) % slots
	}
}
