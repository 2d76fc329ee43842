package streak

// A Tally is where the streak of a run stands: what the points of the next
// placement depend on, besides what it clears. The zero Tally is that of a new
// run.
type Tally struct {
	streak   uint16 // in rounds
	placed   uint8  // pieces of this round, 0 to 2
	cleared  bool   // in this round
	forgiven bool   // the round before had no clear
}

// Streak returns the streak in rounds.
func (t Tally) Streak() int { return int(t.streak) }

// PlacedInRound returns how many of the round's three pieces have been placed.
func (t Tally) PlacedInRound() int { return int(t.placed) }

// ClearedInRound reports whether this round has had a clear.
func (t Tally) ClearedInRound() bool { return t.cleared }

// Forgiven reports whether the round before had no clear, so that this one
// needs one for the streak to hold.
func (t Tally) Forgiven() bool { return t.forgiven }

// Multiplier returns what the next clear is multiplied by.
func (t Tally) Multiplier() int {
	n := int(t.streak)
	if !t.cleared {
		n++
	}
	return min(n, MaxMultiplier)
}

// Points are those of one placement.
type Points struct {
	Cells      int // for the cells placed
	Clear      int // for the lines, multiplied
	Multiplier int // 0 without lines
}

// Sum returns all of them.
func (p Points) Sum() int { return p.Cells + p.Clear }

// Place returns the tally after a piece of so many cells has been placed and
// has cleared so many lines, and its points.
func (t Tally) Place(cells, lines int) (Tally, Points) {
	p := Points{Cells: CellPoints * cells}
	if lines > 0 {
		p.Multiplier = t.Multiplier()
		p.Clear = LinePoints(lines) * p.Multiplier
		if !t.cleared {
			t.cleared = true
			t.streak++
		}
	}
	if t.placed++; t.placed < RoundLen {
		return t, p
	}
	// The round ends: a first round without a clear is forgiven, a second
	// ends the streak, and the count begins again.
	switch {
	case t.cleared:
		t.forgiven = false
	case !t.forgiven:
		t.forgiven = true
	default:
		t.streak, t.forgiven = 0, false
	}
	t.placed, t.cleared = 0, false
	return t, p
}
