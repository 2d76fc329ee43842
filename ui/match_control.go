package ui

import (
	"math"
	"math/bits"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// control turns what the player did into a step of the decision.
func (m *match) control(e *Env, c *Controls) {
	if c.take(Pause) && m.view.CanPause {
		m.seat.Pause(!m.view.Paused)
	}
	if m.step.sent || m.view.Paused {
		m.back(c)
		return
	}
	switch m.step.kind {
	case engine.Split:
		m.controlSplit(e, c)
	case engine.Choose:
		m.controlChoose(e, c)
	case engine.Place:
		m.controlPlace(e, c)
	}
	if c.take(Confirm) && m.ready() {
		m.confirm()
	}
	m.back(c)
}

// back takes back what is not confirmed yet, and else asks whether to leave.
func (m *match) back(c *Controls) {
	if !c.take(Back) {
		return
	}
	if m.undoable() {
		m.undo()
		return
	}
	m.ask()
}

// onButtons reports whether the keys are on the buttons rather than the board.
func (m *match) onButtons() bool { return m.screen.Focused() != "" }

// toBoard takes the keys to the board: an arrow was pressed.
func (m *match) toBoard() {
	if m.screen.ui != nil {
		m.screen.ui.ClearFocus()
	}
	m.step.keyed = true
}

// present shows where the keys are, in a step that has just begun.
func (m *match) present() {
	switch m.step.kind {
	case engine.Choose:
		m.step.hover = 1
	case engine.Place:
		m.nudge(0, 0)
	}
}

// swap takes the other of the two pieces.
func (m *match) swap() {
	m.step.taken = 3 - max(m.step.taken, 1)
	if m.step.hover == 0 && m.step.taken == 2 && !m.undoable() {
		m.step.taken = 1
	}
	m.step.hover = m.step.taken
}

// arrows returns where the arrows point in this tick.
func arrows(c *Controls) (dr, dc int) {
	if c.take(Up) {
		dr--
	}
	if c.take(Down) {
		dr++
	}
	if c.take(LeftWard) {
		dc--
	}
	if c.take(RightWard) {
		dc++
	}
	return dr, dc
}

// --- split

func firstCell(b duel.Block) int {
	if b == 0 {
		return 0
	}
	return bits.TrailingZeros16(uint16(b))
}

// addable is the set of cells that can be painted so that a legal split can
// still come of it.
func addable(b duel.Block, paint uint16) uint16 {
	var cells uint16
	masks, n := b.Splits()
	for _, mask := range masks[:n] {
		for _, part := range [2]uint16{mask, uint16(b) &^ mask} {
			if paint&^part == 0 {
				cells |= part
			}
		}
	}
	return cells &^ paint
}

// splitOf returns the split that the paint makes, if it is legal: the mask of
// its smaller part.
func splitOf(b duel.Block, paint uint16) (uint16, bool) {
	for _, part := range [2]uint16{paint, uint16(b) &^ paint} {
		if b.IsSplit(part) {
			return part, true
		}
	}
	return 0, false
}

// whyNoSplit is the id of the text that says what is wrong with the paint.
func whyNoSplit(b duel.Block, paint uint16) string {
	rest := uint16(b) &^ paint
	connected := func(part uint16) bool { return engine.Connected(duel.PartPiece(part).Cells()) }
	switch n := bits.OnesCount16(paint); {
	case paint == 0:
		return "split.start"
	case n < 3:
		return "split.small"
	case n > 6:
		return "split.large"
	case !connected(paint):
		return "split.apart"
	case !connected(rest):
		return "split.rest_apart"
	}
	return ""
}

func (m *match) controlSplit(e *Env, c *Controls) {
	s, block := &m.step, m.view.State.Block()
	if cell, ok := m.place.frameCell(block, c.X, c.Y); ok && block.Cells().Has(cell/duel.Frame, cell%duel.Frame) {
		bit := uint16(1) << cell
		switch {
		case c.Pressed:
			s.erasing = s.paint&bit != 0
			m.dab(bit)
			s.keyed = false
		case c.Down:
			m.dab(bit)
		}
	}
	if dr, dc := arrows(c); dr != 0 || dc != 0 {
		m.toBoard()
		m.stepFrame(dr, dc)
		e.Redraw()
	}
	if !m.onButtons() && c.take(Accept) {
		bit := uint16(1) << s.cursor
		s.erasing = s.paint&bit != 0
		m.dab(bit)
		s.keyed = true
	}
	if c.take(Swap) {
		m.cycleSplit(1)
	}
}

// dab paints or erases one cell. A cell that no legal split has together with
// the painted ones is not painted.
func (m *match) dab(bit uint16) {
	s, block := &m.step, m.view.State.Block()
	if s.erasing {
		s.paint &^= bit
	} else if addable(block, s.paint)&bit != 0 {
		s.paint |= bit
	}
}

// stepFrame moves the cursor to the nearest cell of the block in a direction.
func (m *match) stepFrame(dr, dc int) {
	block := m.view.State.Block().Cells()
	r, c := m.step.cursor/duel.Frame, m.step.cursor%duel.Frame
	best, cost := m.step.cursor, math.MaxInt
	for cell := range duel.Frame * duel.Frame {
		cr, cc := cell/duel.Frame, cell%duel.Frame
		along := (cr-r)*dr + (cc-c)*dc
		across := (cr-r)*dc + (cc-c)*dr
		if !block.Has(cr, cc) || along <= 0 {
			continue
		}
		if k := along + 3*max(across, -across); k < cost {
			best, cost = cell, k
		}
	}
	m.step.cursor = best
}

// cycleSplit paints the next legal split.
func (m *match) cycleSplit(by int) {
	block := m.view.State.Block()
	masks, n := block.Splits()
	if n == 0 {
		return
	}
	at := -by
	if part, ok := splitOf(block, m.step.paint); ok {
		for i, mask := range masks[:n] {
			if mask == part {
				at = i
			}
		}
	}
	m.step.paint = masks[((at+by)%n+n)%n]
}

// --- choose

func (m *match) controlChoose(e *Env, c *Controls) {
	s := &m.step
	for i := range 2 {
		if m.place.cards[i].Has(c.X, c.Y) {
			if c.Any && !c.Touch && s.hover != i+1 {
				s.hover = i + 1
			}
			if c.Pressed {
				if s.taken == i+1 && !e.Settings.Confirm {
					m.confirm()
					return
				}
				s.taken, s.hover = i+1, i+1
			}
		}
	}
	if dr, dc := arrows(c); dr != 0 || dc != 0 || c.take(Swap) {
		m.toBoard()
		s.hover = 3 - max(s.hover, 1)
		if dr < 0 || dc < 0 {
			s.hover = 1
		} else if dr > 0 || dc > 0 {
			s.hover = 2
		}
		e.Redraw()
	}
	if !m.onButtons() && c.take(Accept) && s.hover != 0 {
		if s.taken == s.hover {
			m.confirm()
			return
		}
		s.taken = s.hover
	}
}

// --- place

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

// --- every step

// ready reports whether the step can be confirmed.
func (m *match) ready() bool {
	if m.step.sent {
		return false
	}
	switch m.step.kind {
	case engine.Split:
		_, ok := splitOf(m.view.State.Block(), m.step.paint)
		return ok
	case engine.Choose:
		return m.step.taken != 0
	case engine.Place:
		return m.step.ghost != 0
	}
	return false
}

// undoable reports whether there is something to take back.
func (m *match) undoable() bool {
	s := m.step
	return !s.sent && (s.paint != 0 || s.taken != 0 || s.pinned || s.keyed && s.ghost != 0)
}

// undo takes back what is not confirmed.
func (m *match) undo() {
	m.step.paint, m.step.taken, m.step.hover = 0, 0, 0
	m.step.ghost, m.step.pinned = 0, false
	m.advice = ""
}

// confirm hands the decision in.
func (m *match) confirm() {
	if !m.ready() {
		return
	}
	mv := engine.Move{Seat: uint8(m.me()), Kind: m.step.kind}
	switch m.step.kind {
	case engine.Split:
		part, _ := splitOf(m.view.State.Block(), m.step.paint)
		mv.Data = uint64(part)
	case engine.Choose:
		mv.Data = uint64(m.step.taken - 1)
	case engine.Place:
		mv.Data = uint64(m.step.ghost)
	}
	m.step.sent = true
	m.seat.Decide(mv)
}
