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
	if c.take(HintKey) && m.view.Friendly {
		m.advise(e)
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
