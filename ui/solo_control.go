package ui

import (
	"math"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/streak"
)

// control turns what the player did into a placement.
func (s *solo) control(e *Env, c *Controls) {
	if s.due {
		s.due = false
		s.hold.pinned = true
		s.commit(e)
	} else {
		s.pointer(e, c)
	}
	if s.settled() {
		return
	}
	s.keyboard(e, c)
}

// snapCells is how far, in cells, a carried piece may be from where it fits and
// still go there.
func (e *Env) snapCells() float64 {
	if n := e.Settings.Snap; n > 0 {
		return float64(n) / 10
	}
	return snap
}

// piece is the piece that is held.
func (s *solo) piece() engine.Piece { return s.state.Piece(s.hold.slot) }

// firstSlot is the first slot with a piece that fits, else with any.
func (s *solo) firstSlot() int {
	for _, wanted := range [2]bool{true, false} {
		for i := range streak.Hand {
			if p := s.state.Piece(i); p != 0 && (!wanted || p.Fits(s.state.Board(), soloSize) != 0) {
				return i
			}
		}
	}
	return 0
}

// pick takes a piece of the hand.
func (s *solo) pick(slot int) { s.hold = hold{slot: slot}; s.cursor = slot }

// letGo puts the piece back.
func (s *solo) letGo() { s.hold = hold{slot: noSlot} }

func (s *solo) pointer(e *Env, c *Controls) {
	h := &s.hold
	far := math.Hypot(c.X-h.px, c.Y-h.py)
	hovers := c.X != s.mx || c.Y != s.my
	s.mx, s.my = c.X, c.Y
	switch {
	case c.Pressed:
		s.seize(c)
	case c.Down || c.Released: // the last way and the end may be told at once
		s.follow(e, c, far)
		if c.Released {
			s.release(e, c)
		}
		e.Redraw()
	case h.slot != noSlot && !h.pinned && !c.Touch && hovers && !c.Down:
		s.point(c.X, c.Y)
	}
	if c.Secondary {
		s.letGo()
	}
}

// follow has what was taken hold of go where the pointer is, far from where it
// was pressed.
func (s *solo) follow(e *Env, c *Controls, far float64) {
	h, cell := &s.hold, s.place.board.W/soloSize
	least := e.Px(8)
	switch h.grab {
	case grabNothing:
		return
	case grabBoard:
		least = max(e.Px(6), cell*0.35)
	}
	if !h.moved && far > least {
		h.moved, h.pinned = true, false
	}
	switch {
	case !h.moved:
	case h.grab == grabPiece || c.Touch:
		s.carry(e, c)
	default:
		s.point(c.X, c.Y)
	}
}

// seize takes hold of what is under the pointer.
func (s *solo) seize(c *Controls) {
	h, l := &s.hold, &s.place
	h.px, h.py, h.moved, h.grab = c.X, c.Y, false, grabNothing
	if slot, ok := l.slotAt(c.X, c.Y); ok && s.state.Piece(slot) != 0 {
		if slot != h.slot {
			s.pick(slot)
			h.px, h.py, h.fresh = c.X, c.Y, true
		} else {
			h.fresh = false
		}
		h.grab = grabPiece
		return
	}
	if h.slot != noSlot && l.pressable().Has(c.X, c.Y) {
		h.grab = grabBoard
		if h.pinned && s.under(c.X, c.Y) {
			h.sure = true // the second press
		} else {
			h.pinned = false
			s.point(c.X, c.Y)
		}
	}
}

// release places what was dragged or slid, and answers a tap.
func (s *solo) release(e *Env, c *Controls) {
	h := &s.hold
	was := h.grab
	h.grab = grabNothing
	switch {
	case was == grabPiece && !h.moved:
		// A tap picks a piece, or puts it back.
		if !h.fresh {
			s.letGo()
		}
	case was == grabPiece:
		if h.aimed && h.fits {
			s.commit(e)
		} else {
			s.letGo()
		}
	case was == grabBoard && h.moved && c.Touch:
		if h.aimed && h.fits {
			s.commit(e)
		} else {
			h.aimed, h.carried = false, false
		}
	case was == grabBoard && h.aimed && h.fits && h.sure:
		s.commit(e)
	case was == grabBoard && h.aimed && h.fits:
		h.pinned = true
	case was == grabBoard:
		e.Play(SoundBlocked)
	}
}

// commit places the piece, or where a second press is wanted waits for it.
func (s *solo) commit(e *Env) {
	h := &s.hold
	h.carried = false
	if e.Settings.Confirm && !h.pinned {
		h.pinned = true
		return
	}
	s.play(e, engine.Move{Kind: engine.Place, Data: streak.PlaceData(h.slot, h.r, h.c)})
}

// under reports whether the ghost lies under a point.
func (s *solo) under(x, y float64) bool {
	b := s.place.board
	if !s.hold.aimed || !b.Has(x, y) {
		return false
	}
	cell := b.W / soloSize
	return s.piece().At(s.hold.r, s.hold.c).Has(int((y-b.Y)/cell), int((x-b.X)/cell))
}

// corner is where the top left corner of the held piece's rectangle is, in
// pixels, when a pointer carries it: a mouse has it by its middle, a finger
// below it.
func (s *solo) corner(e *Env, x, y float64, touch bool) (px, py float64) {
	p := s.piece()
	cell := s.place.board.W / soloSize
	px = x - float64(p.Width())*cell/2
	if touch {
		return px, y - s.place.lift(e, y)*cell - (float64(p.Height())-0.5)*cell
	}
	return px, y - float64(p.Height())*cell/2
}

// carry moves the piece with the pointer.
func (s *solo) carry(e *Env, c *Controls) {
	h, b := &s.hold, s.place.board
	cell := b.W / soloSize
	h.carried = true
	h.x, h.y = s.corner(e, c.X, c.Y, c.Touch)
	s.near((h.y-b.Y)/cell, (h.x-b.X)/cell, e.snapCells())
}

// near aims at the place nearest to a corner where the piece fits, or where it
// is if there is none within reach and it lies over the board.
func (s *solo) near(row, col, within float64) {
	h := &s.hold
	p := s.piece()
	h.aimed, h.fits, h.sure = false, false, true
	cost := within * within
	for rest := p.Fits(s.state.Board(), soloSize); rest != 0; rest &= rest - 1 {
		r, c := rest.First()
		if d := (float64(r)-row)*(float64(r)-row) + (float64(c)-col)*(float64(c)-col); d <= cost {
			h.aimed, h.fits, h.r, h.c, cost = true, true, r, c, d
		}
	}
	if h.fits {
		return
	}
	r, c := int(math.Round(row)), int(math.Round(col))
	if r >= 0 && c >= 0 && r+p.Height() <= soloSize && c+p.Width() <= soloSize {
		h.aimed, h.r, h.c = true, r, c
	}
}

// point aims at the cell under a pointer that carries nothing: the first cell
// of the piece's top row goes there. Where that does not fit but one placement
// alone covers the cell, it is shown for a second press; so is, where the piece
// would stick out of the board, the nearest of several.
func (s *solo) point(x, y float64) {
	h, b := &s.hold, s.place.board
	h.aimed, h.fits, h.sure, h.carried = false, false, false, false
	if !b.Has(x, y) {
		return
	}
	cell := b.W / soloSize
	row, col := int((y-b.Y)/cell), int((x-b.X)/cell)
	p := s.piece()
	spots := p.Fits(s.state.Board(), soloSize)
	first := firstColumn(p)
	if c := col - first; c >= 0 && spots.Has(row, c) {
		h.aimed, h.fits, h.sure, h.r, h.c = true, true, true, row, c
		return
	}
	covers, cost := 0, 0
	for rest := spots; rest != 0; rest &= rest - 1 {
		r, c := rest.First()
		if !p.At(r, c).Has(row, col) {
			continue
		}
		dr, dc := r-row, c-(col-first)
		if d := dr*dr + dc*dc; covers == 0 || d < cost {
			h.r, h.c, cost = r, c, d
		}
		covers++
	}
	inside := col >= first && row+p.Height() <= soloSize && col-first+p.Width() <= soloSize
	switch {
	case covers == 1, covers > 1 && !inside:
		h.aimed, h.fits = true, true
	case inside:
		h.aimed, h.r, h.c = true, row, col-first
	}
}

// onButtons reports whether the keys are on the buttons rather than the board.
func (s *solo) onButtons() bool { return s.screen.Focused() != "" }

func (s *solo) keyboard(e *Env, c *Controls) {
	h := &s.hold
	if c.take(HintKey) && s.choice.Game == "classic" {
		s.takeHint(e)
		return
	}
	if c.take(Back) {
		if h.slot != noSlot {
			s.letGo()
		} else {
			s.leave()
		}
		e.Redraw()
		return
	}
	if dr, dc := arrows(c); dr != 0 || dc != 0 {
		s.keyed = true
		if s.screen.ui != nil {
			s.screen.ui.ClearFocus()
		}
		if h.slot == noSlot {
			s.stepSlot(dr + dc)
		} else {
			s.nudge(dr, dc)
		}
		e.Redraw()
	}
	if c.take(Swap) {
		s.stepSlot(1)
		if h.slot != noSlot {
			s.take(s.cursor)
		}
		e.Redraw()
	}
	if !s.onButtons() && (c.take(Accept) || c.take(Confirm)) {
		switch {
		case h.slot == noSlot:
			s.take(s.cursor)
		case h.aimed && h.fits:
			s.commit(e)
		default:
			e.Play(SoundBlocked)
		}
		e.Redraw()
	}
}

// stepSlot moves the keys to the next piece of the hand in a direction.
func (s *solo) stepSlot(by int) {
	if by == 0 {
		return
	}
	for range streak.Hand {
		s.cursor = (s.cursor + by%streak.Hand + streak.Hand) % streak.Hand
		if s.state.Piece(s.cursor) != 0 {
			return
		}
	}
}

// take picks a piece with the keys: it goes to the place nearest to the middle.
func (s *solo) take(slot int) {
	if s.state.Piece(slot) == 0 {
		return
	}
	r, c, was := s.hold.r, s.hold.c, s.hold.aimed
	s.pick(slot)
	p := s.piece()
	row, col := float64(soloSize-p.Height())/2, float64(soloSize-p.Width())/2
	if was {
		row, col = float64(min(r, soloSize-p.Height())), float64(min(c, soloSize-p.Width()))
	}
	s.near(row, col, 99)
	if !s.hold.aimed {
		s.hold.aimed, s.hold.r, s.hold.c = true, int(row), int(col)
	}
}

// nudge moves the piece by a cell, wherever it is: a place where it does not
// fit shows in red, so that every place can be reached.
func (s *solo) nudge(dr, dc int) {
	h := &s.hold
	p := s.piece()
	if !h.aimed {
		s.take(h.slot)
		return
	}
	h.r = min(max(h.r+dr, 0), soloSize-p.Height())
	h.c = min(max(h.c+dc, 0), soloSize-p.Width())
	h.fits = p.Fits(s.state.Board(), soloSize).Has(h.r, h.c)
	h.sure, h.pinned, h.carried = true, false, false
}

// firstColumn is the column of the first cell of a piece's top row.
func firstColumn(p engine.Piece) int {
	_, c := p.Cells().First()
	return c
}
