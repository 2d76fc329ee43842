package ui

import (
	"math"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// piece is the piece that is to be placed, turned as the player turned it.
func (m *match) piece() engine.Piece {
	p := m.view.State.Piece(m.me())
	for range m.step.turn {
		p = p.Turn()
	}
	return p
}

// snap is how far, in cells, a piece may be from where it fits and still go
// there.
const snap = 0.9

// at returns where the piece fits nearest to a point of the board, given as
// the row and column of the piece's top left corner.
func (m *match) at(row, col, within float64) (engine.Board, bool) {
	p := m.piece()
	spots := p.Fits(m.view.State.Board(m.me()), duel.Size)
	var best engine.Board
	cost := within * within
	for rest := spots; rest != 0; rest &= rest - 1 {
		r, c := (rest & -rest).First()
		d := (float64(r)-row)*(float64(r)-row) + (float64(c)-col)*(float64(c)-col)
		if d <= cost {
			best, cost = p.At(r, c), d
		}
	}
	return best, best != 0
}

func (m *match) controlPlace(e *Env, c *Controls) {
	s := &m.step
	if c.take(Turn) || c.Secondary || c.Wheel < 0 {
		m.turn(1)
	} else if c.take(TurnBack) || c.Wheel > 0 {
		m.turn(-1)
	}
	board := m.place.mine
	inside := board.Has(c.X, c.Y)
	if c.Pressed && m.place.block.Has(c.X, c.Y) {
		s.drag, s.pinned, s.keyed = true, false, false
	}
	lift := 0.0
	if c.Touch {
		lift = 1.2 // cells: a piece under a finger is seen above it
	}
	follow := (c.Any && !c.Touch && inside && !s.pinned) || (c.Down && (s.drag || inside))
	if follow && (c.Any || c.Down) {
		p := m.piece()
		cell := board.W / duel.Size
		row := (c.Y-board.Y)/cell - float64(p.Height())/2 - lift
		col := (c.X-board.X)/cell - float64(p.Width())/2
		spot, ok := m.at(row, col, snap)
		if !ok && c.Pressed && inside {
			spot, ok = m.at(row, col, 2.5)
		}
		switch {
		case c.Pressed && inside && s.pinned && ok && spot == s.ghost && !e.Settings.Confirm:
			m.confirm()
			return
		case ok:
			s.ghost = spot
		case !s.pinned:
			s.ghost = 0
		}
		if c.Pressed && inside {
			s.pinned = ok
		}
		s.keyed = false
	}
	if c.Released && (s.drag || inside) {
		s.pinned = s.ghost != 0
		s.drag = false
	}
	if dr, dc := arrows(c); dr != 0 || dc != 0 {
		m.toBoard()
		m.nudge(dr, dc)
		e.Redraw()
	}
	if !m.onButtons() && c.take(Accept) {
		switch {
		case s.ghost == 0:
			m.nudge(0, 0)
		case s.pinned:
			m.confirm()
		default:
			s.pinned = true
		}
	}
}

// nudge moves the ghost to the next place where it fits in a direction; from
// nowhere it goes to the middle.
func (m *match) nudge(dr, dc int) {
	s := &m.step
	p := m.piece()
	if s.ghost == 0 {
		row, col := float64(duel.Size-p.Height())/2, float64(duel.Size-p.Width())/2
		s.ghost, _ = m.at(row, col, 99)
		return
	}
	r, c := corner0(s.ghost)
	spots := p.Fits(m.view.State.Board(m.me()), duel.Size)
	best, cost := s.ghost, math.MaxInt
	for rest := spots; rest != 0; rest &= rest - 1 {
		sr, sc := (rest & -rest).First()
		along := (sr-r)*dr + (sc-c)*dc
		across := (sr-r)*dc + (sc-c)*dr
		if along <= 0 {
			continue
		}
		if k := along + 3*max(across, -across); k < cost {
			best, cost = p.At(sr, sc), k
		}
	}
	s.ghost, s.pinned = best, false
}

// corner0 is the row and column of the top left corner of a set of cells.
func corner0(b engine.Board) (r, c int) {
	r, _ = b.First()
	for c = 0; c < duel.Size; c++ {
		for row := range duel.Size {
			if b.Has(row, c) {
				return r, c
			}
		}
	}
	return r, 0
}

// turn turns the piece by quarters; a ghost stays as near as it can.
func (m *match) turn(by int) {
	s := &m.step
	old, shown := s.ghost, s.ghost != 0
	p := m.piece()
	s.turn = ((s.turn+by)%4 + 4) % 4
	if !shown {
		return
	}
	r, c := corner0(old)
	q := m.piece()
	row := float64(r) + float64(p.Height()-q.Height())/2
	col := float64(c) + float64(p.Width()-q.Width())/2
	s.ghost, _ = m.at(row, col, 99)
	s.pinned = s.pinned && s.ghost != 0
}
