package duel

import (
	"github.com/cleavegame/cleave/engine"
)

// A Report says what one move brought about. The screen animates from it and
// nothing is ever read back from it; it is not part of the state. Whoever has
// the state before a move and the move can have its report again from Apply.
type Report struct {
	Move    engine.Move
	Round   int  // the round that the move belongs to, 1 to 8
	Flagged bool // the move was a Flag; the rest tells what the rule made of it

	// Dealt is the block that a second reveal dealt, else 0.
	Dealt Block
	// Split is the mask of the smaller part that this move split off, by
	// decision or by flag, else 0.
	Split uint16
	// Chosen says that this move took a piece, by decision or by flag: Taken
	// is 0 for the smaller, 1 for the larger.
	Chosen bool
	Taken  int

	// Placed is the set of cells that this move filled on its author's board
	// before any line cleared, Cleared the cells that the Lines took away.
	Placed  engine.Board
	Cleared engine.Board
	Lines   engine.Lines

	// Points is what the move added to each seat's score: lines, a flag's -5,
	// and the -8 of those whom the choice found Blocked.
	Points  [2]int
	Blocked [2]bool

	// RoundEnded says that the round was over with this move, Over that the
	// match was.
	RoundEnded bool
	Over       bool
}

// Check reports whether m is something that its author may decide now, whether
// or not that seat owes the next entry: nil, or an *engine.IllegalMove. While
// both place, it takes the placement, or the Flag, of either. A Reveal is
// taken from the seat that owes it.
func (s State) Check(m engine.Move) error {
	if reason := s.illegal(m); reason != "" {
		return &engine.IllegalMove{Move: m, Reason: reason}
	}
	return nil
}

// illegal says why the author of m may not decide it, "" when he may.
func (s *State) illegal(m engine.Move) string {
	switch {
	case m.Seat > 1:
		return "no such seat"
	case s.end != engine.Unfinished:
		return "the match is over"
	case m.Kind != engine.Reveal && m.Layer != [32]byte{}:
		return "only a reveal has a layer"
	}
	seat := int(m.Seat)
	switch m.Kind {
	case engine.Resign:
		if m.Data != 0 {
			return "a resignation has no data"
		}
		return ""
	case engine.Reveal:
		switch {
		case s.phase > phaseReveal2:
			return "no reveal is awaited"
		case seat != s.Owes():
			return "the other seat reveals next"
		case m.Data != 0:
			return "a reveal has no data"
		}
		return ""
	}
	decision := s.MayDecide(seat)
	if decision == engine.None {
		return "this seat has nothing to decide"
	}
	if m.Kind == engine.Flag {
		if m.Data != 0 {
			return "a flag has no data"
		}
		return ""
	}
	if m.Kind != decision {
		return "another kind of decision is awaited"
	}
	switch m.Kind {
	case engine.Split:
		if m.Data > 0xffff || !s.block.IsSplit(uint16(m.Data)) {
			return "not a split of this block into two pieces of three to six cells"
		}
	case engine.Choose:
		if m.Data > 1 {
			return "a choice is 0 or 1"
		}
	case engine.Place:
		return s.illegalPlace(seat, engine.Board(m.Data))
	}
	return ""
}

func (s *State) illegalPlace(seat int, cells engine.Board) string {
	if cells&^engine.Full(Size) != 0 {
		return "the piece lies off the board"
	}
	if cells&s.boards[seat] != 0 {
		return "the piece lies on filled cells"
	}
	if shapes[shapeOf[s.part(seat)]].Has(engine.NewPiece(cells)) {
		return ""
	}
	return "these cells are not the piece in any turn"
}

// Apply returns the state after m, which must be made by the seat that Owes,
// of the kind that Awaits says, or a Flag in place of a timed decision, or a
// Resign of either seat. The error is an *engine.IllegalMove.
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
	reason := s.illegal(m)
	if reason == "" && m.Kind != engine.Resign && int(m.Seat) != s.Owes() {
		reason = "the other seat's entry comes first"
	}
	if reason != "" {
		return State{}, Report{}, &engine.IllegalMove{Move: m, Reason: reason}
	}
	r := Report{Move: m, Round: int(s.round), Flagged: m.Kind == engine.Flag}
	s.apply(m, &r)
	r.Over = s.end != engine.Unfinished
	return s, r, nil
}

// apply carries out a move that is legal.
func (s *State) apply(m engine.Move, r *Report) {
	seat := int(m.Seat)
	if m.Kind == engine.Resign {
		s.end = engine.Resigned
		s.departed = m.Seat + 1
		return
	}
	if s.phase > phaseReveal2 {
		if r.Flagged {
			s.idle[seat] |= idleFlagged
		} else {
			s.idle[seat] |= idleDecided
		}
	}
	switch s.phase {
	case phaseReveal1:
		s.layer = m.Layer
		s.phase = phaseReveal2
	case phaseReveal2:
		s.deal(m, r)
	case phaseSplit:
		s.split = uint16(m.Data)
		if r.Flagged {
			s.split = s.block.flagSplit()
		}
		r.Split = s.split
		s.phase = phaseChoose
	case phaseChoose:
		s.choose(m, r)
	case phasePlace:
		if r.Flagged {
			s.score(seat, FlagPoints, r)
		} else {
			s.place(seat, engine.Board(m.Data), r)
		}
		s.owed &^= 1 << seat
		s.endRound(r)
	}
}

// deal applies the second reveal of a round.
func (s *State) deal(m engine.Move, r *Report) {
	layers := [2][32]byte{s.layer, s.layer}
	layers[m.Seat] = m.Layer
	random := RoundBytes(s.match, int(s.round), layers[0], layers[1])
	if s.round == 1 {
		s.first = uint8(FirstSplitter(random))
	}
	s.layer = [32]byte{}
	s.block = Draw(random)
	s.phase = phaseSplit
	r.Dealt = s.block
}

// choose applies a choice and settles who is blocked.
func (s *State) choose(m engine.Move, r *Report) {
	r.Chosen, r.Taken = true, int(m.Data)
	if r.Flagged {
		r.Taken = 1
	}
	s.choice = uint8(r.Taken) + 1
	s.phase = phasePlace
	for seat := range 2 {
		if shapes[shapeOf[s.part(seat)]].Fits(s.boards[seat], Size) {
			s.owed |= 1 << seat
		} else {
			r.Blocked[seat] = true
			s.score(seat, BlockedPoints, r)
		}
	}
	s.endRound(r)
}

// place puts the cells of a piece on a seat's board and clears lines.
func (s *State) place(seat int, cells engine.Board, r *Report) {
	before := s.boards[seat] | cells
	after, lines := before.Clear(Size)
	s.boards[seat] = after
	r.Placed, r.Cleared, r.Lines = cells, before&^after, lines
	if k := lines.Count(); k > 0 {
		s.score(seat, LinePoints(k), r)
	}
}

// score gives points. A match gives no seat more than 8*5*6*7 or less than
// 8*-8, which an int16 holds.
func (s *State) score(seat, points int, r *Report) {
	s.scores[seat] += int16(points)
	r.Points[seat] += points
}

// endRound ends the round when no placement is owed any more, and judges who
// has been idle.
func (s *State) endRound(r *Report) {
	if s.owed != 0 {
		return
	}
	r.RoundEnded = true
	var gone uint8
	for seat, i := range s.idle {
		row := idle(i.row())
		switch {
		case i&idleDecided != 0:
			row = 0
		case i&idleFlagged != 0:
			row++
		}
		s.idle[seat] = row * idleRow
		if row == 2 {
			gone |= 1 << seat
		}
	}
	s.block, s.split, s.choice = 0, 0, 0
	s.phase = phaseDone
	switch {
	case gone == 3:
		s.end = engine.NoResult
	case gone != 0:
		s.end = engine.Forfeited
		s.departed = gone
	case s.round == Rounds:
		s.end = engine.Played
	default:
		s.round++
		s.phase = phaseReveal1
	}
}
