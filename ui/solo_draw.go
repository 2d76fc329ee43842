package ui

import (
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
)

// Draw draws the game.
func (s *solo) Draw(e *Env, dst *ebiten.Image) {
	s.drawWords(e, dst)
	s.drawBoard(e, dst)
	s.drawTray(e, dst)
	s.drawCarried(e, dst)
	if s.asking != askNothing {
		e.Paint.Fill(dst, Rect{0, 0, e.W, e.H}, 0, fade(e.Theme.Ground, 0.8))
		head, text := s.question(e)
		ids := s.answers()
		e.dialog(dst, head, text, e.T(ids[0]), e.T(ids[1]))
	}
	s.screen.Draw(e, dst)
}

// drawWords draws which game it is, the score, and how things stand.
func (s *solo) drawWords(e *Env, dst *ebiten.Image) {
	l, t := &s.place, e.Theme
	align := Left
	at := func(r Rect) float64 {
		if l.centred {
			return r.X + r.W/2
		}
		return r.X
	}
	if l.centred {
		align = Centre
	}
	for _, name := range [...]string{soloName(e, s.choice), soloLevel(e, s.choice)} {
		if e.Type.Width(name, Strong) <= l.name.W {
			e.Type.Draw(dst, name, at(l.name), l.name.Y+l.name.H/2, Strong, align, t.Faint)
			break
		}
	}
	score := Display
	for score < Small && e.Type.Line(score) > l.score.H+1 {
		score++
	}
	e.fitted(dst, number(s.state.Score()), at(l.score), l.score.Y+l.score.H/2, l.score.W, align, t.Ink, score, max(score, Heading), Strong)
	s.drawExtra(e, dst)
	text := s.task(e)
	r := l.banner
	if text == "" || s.asking != askNothing || r.H < e.Type.Line(Small)-1 {
		return
	}
	s.said.lay(e, text, r)
	y := r.Y + e.Type.Line(s.said.style)/2
	if !l.centred {
		y = r.Y + r.H/2 - e.Type.Line(s.said.style)*float64(len(s.said.lines)-1)/2
	}
	ink := t.Ink
	if st, ok := s.state.(streak.State); ok && s.bannerUntil == 0 && s.hold.slot == noSlot && endangered(st.Tally()) {
		ink = t.Danger
	}
	for _, line := range s.said.lines {
		e.Type.Draw(dst, line, at(r), y, s.said.style, align, ink)
		y += e.Type.Line(s.said.style)
	}
}

// endangered says that the streak is lost without a clear in this round.
func endangered(t streak.Tally) bool {
	return t.Streak() > 0 && t.Forgiven() && !t.ClearedInRound()
}

// drawExtra draws the streak with its round, or the combo.
func (s *solo) drawExtra(e *Env, dst *ebiten.Image) {
	r, t := s.place.extra, e.Theme
	if r.H == 0 {
		return
	}
	x, align := r.X+r.W, Right
	if s.place.centred {
		x, align = r.X+r.W/2, Centre
	}
	y := r.Y + e.Type.Line(Strong)/2
	low := y + (e.Type.Line(Strong)+e.Type.Line(Small))/2
	switch st := s.state.(type) {
	case classic.State:
		if n := st.Combo(); n > 0 {
			e.fitted(dst, e.Say("classic.combo", "", n), x, y, r.W, align, t.Ink, Strong, Small)
		}
		if both := e.Type.Line(Strong) + e.Type.Line(Small); r.H > both-1 {
			e.fitted(dst, s.besides(e), x, low, r.W, align, t.Faint, Small)
		}
	case streak.State:
		ink := t.Ink
		if endangered(st.Tally()) {
			ink = t.Danger
		}
		now := e.T("streak.now", Vars{"N": st.Tally().Streak(), "Times": st.Tally().Multiplier()})
		if e.Type.Width(now, Small) > r.W {
			now = e.Say("streak.short", "", st.Tally().Streak())
		}
		e.fitted(dst, now, x, y, r.W, align, ink, Strong, Small)
		if both := e.Type.Line(Strong) + e.Px(12); r.H > both {
			s.drawRound(e, dst, x, low, align, st.Tally())
		}
	}
}

// besides is how many pieces lie, and the best score at this level.
func (s *solo) besides(e *Env) string {
	pieces := e.Say("solo.pieces", "", s.state.Placements())
	if s.best == 0 {
		return pieces
	}
	if both := e.Say("solo.best_is", pieces, s.best); e.Type.Width(both, Small) <= s.place.extra.W {
		return both
	}
	return pieces
}

// drawRound draws a mark for each piece of the round.
func (s *solo) drawRound(e *Env, dst *ebiten.Image, x, y float64, align Align, tally streak.Tally) {
	size, space := e.Px(10), e.Px(6)
	w := streak.RoundLen*size + (streak.RoundLen-1)*space
	left := x - w*float64(align)/2
	for i := range streak.RoundLen {
		r := Rect{left + float64(i)*(size+space), y - size/2, size, size}
		switch {
		case i < tally.PlacedInRound() && tally.ClearedInRound():
			e.Paint.Fill(dst, r, size/2, e.Theme.Gold)
		case i < tally.PlacedInRound():
			e.Paint.Fill(dst, r, size/2, e.Theme.Faint)
		default:
			e.Paint.Stroke(dst, r, size/2, max(e.Px(1.5), 1), e.Theme.Faint)
		}
	}
}

// drawBoard draws the board, what flashes on it, and the ghost.
func (s *solo) drawBoard(e *Env, dst *ebiten.Image) {
	r, h := s.place.board, &s.hold
	cells := s.state.Board()
	e.board(dst, r, cells, 0, soloSize)
	for _, f := range s.anims {
		e.flashOn(dst, r, f)
	}
	if s.asking != askNothing {
		return
	}
	if s.given && (!h.aimed || s.hint.Move.Data != streak.PlaceData(max(h.slot, 0), h.r, h.c)) {
		slot, cell := int(s.hint.Move.Data>>8), int(s.hint.Move.Data&0xff)
		e.outline(dst, r, s.state.Piece(slot).At(cell/soloSize, cell%soloSize), e.Theme.Gold)
	}
	if h.slot == noSlot || !h.aimed {
		return
	}
	if h.fits {
		e.soloGhost(dst, r, cells, tryPlace(s.state, h.slot, h.r, h.c), !h.carried)
		return
	}
	e.refused(dst, r, s.piece().At(h.r, h.c))
}

// refused shows cells on which a piece does not fit.
func (e *Env) refused(dst *ebiten.Image, r Rect, cells engine.Board) {
	for i := range soloSize * soloSize {
		if cells.Has(i/soloSize, i%soloSize) {
			at := cellOf(r, soloSize, i).Inset(1)
			e.Paint.Fill(dst, at, at.W*0.16, mix(e.Theme.Well, e.Theme.Danger, 0.3))
			e.Paint.Stroke(dst, at, at.W*0.16, max(e.Px(3.5), 2), e.Theme.Danger)
		}
	}
}

// outline draws a dashed frame around each cell of a set.
func (e *Env) outline(dst *ebiten.Image, r Rect, cells engine.Board, c color.NRGBA) {
	for i := range soloSize * soloSize {
		if cells.Has(i/soloSize, i%soloSize) {
			at := cellOf(r, soloSize, i)
			e.Paint.Stroke(dst, at.Inset(max(at.W*0.035, 1)), at.W*0.16, max(e.Px(3), 2), c)
		}
	}
}

// soloGhost draws a piece where it would lie, the lines that it would complete
// in gold, and its points; one that is not firm has a piece over it, which is to
// be drawn before the points.
func (e *Env) soloGhost(dst *ebiten.Image, r Rect, board engine.Board, would trial, firm bool) {
	t := e.Theme
	alpha := 0.45
	if firm {
		alpha = 0.85
	}
	for i := range soloSize * soloSize {
		row, col := i/soloSize, i%soloSize
		laid, gone := would.placed.Has(row, col), would.cleared.Has(row, col)
		c := cellOf(r, soloSize, i)
		in := c.Inset(max(c.W*0.035, 1))
		switch {
		case gone:
			e.Paint.Fill(dst, in, c.W*0.16, t.Gold)
			e.Paint.Fill(dst, c.Inset(c.W*0.3), c.W*0.1, t.Seat[0])
		case laid:
			e.Paint.Fill(dst, in, c.W*0.16, t.Well)
			e.Paint.Fill(dst, in, c.W*0.16, fade(t.Seat[0], alpha))
		}
		if laid {
			e.Paint.Stroke(dst, in, c.W*0.16, max(e.Px(2.5), 1), t.Ink)
		}
	}
	if firm {
		e.soloPoints(dst, r, would)
	}
}

// soloPoints draws what a placement would bring, if it completes a line.
func (e *Env) soloPoints(dst *ebiten.Image, r Rect, would trial) {
	if would.lines > 0 {
		e.points(dst, above(e, r, soloBounds(r, would.placed)), would.points, e.Theme.Gold)
	}
}

// soloBounds is the area of a set of cells on an 8x8 board.
func soloBounds(r Rect, cells engine.Board) Rect {
	p := engine.NewPiece(cells)
	row, _ := cells.First()
	col := 0
	for col < soloSize-1 && engine.NewPiece(cells)<<(row*soloSize+col) != engine.Piece(cells) {
		col++
	}
	size := r.W / soloSize
	return Rect{r.X + float64(col)*size, r.Y + float64(row)*size, float64(p.Width()) * size, float64(p.Height()) * size}
}

// flashOn draws what a placement changed a moment ago.
func (e *Env) flashOn(dst *ebiten.Image, r Rect, f flash) {
	t := e.Theme
	age := e.Now - f.start
	if !f.still && age < clearTicks {
		left := 1 - float64(age)/clearTicks
		for i := range soloSize * soloSize {
			c := cellOf(r, soloSize, i).Inset(2)
			switch row, col := i/soloSize, i%soloSize; {
			case f.cleared.Has(row, col):
				e.Paint.Fill(dst, c, c.W*0.16, fade(t.Gold, left))
			case f.placed.Has(row, col):
				e.Paint.Stroke(dst, c, c.W*0.16, max(e.Px(3), 1), fade(t.Ink, left))
			}
		}
	}
	if f.points != 0 && f.placed != 0 {
		tint := t.Edge
		if f.cleared != 0 {
			tint = t.Gold
		}
		e.points(dst, above(e, r, soloBounds(r, f.placed)), f.points, tint)
	}
}

// drawTray draws the three pieces in hand.
func (s *solo) drawTray(e *Env, dst *ebiten.Image) {
	t, h := e.Theme, &s.hold
	size := s.trayCell(e)
	for i, r := range s.place.slots {
		edge, width, fill := t.Edge, 1.0, t.Surface
		p := s.state.Piece(i)
		switch {
		case p == 0:
			fill = t.Ground
		case h.slot == i:
			edge, width, fill = t.Accent, 3, mix(t.Surface, t.Accent, 0.12)
		case s.keyed && h.slot == noSlot && s.cursor == i && !s.onButtons():
			edge, width = t.Ink, 3
		}
		e.Paint.Fill(dst, r, e.Px(corner), fill)
		e.Paint.Stroke(dst, r, e.Px(corner), max(e.Px(width), 1), edge)
		if p == 0 || h.slot == i && h.carried {
			continue
		}
		tint := t.Seat[0]
		if p.Fits(s.state.Board(), soloSize) == 0 {
			tint = mix(t.Faint, t.Well, 0.5) // it fits nowhere now
		}
		e.shapeIn(dst, r, p, size, tint)
	}
}

// trayCell is the size of a cell of the hand: one for all pieces, as large as
// the largest leaves room for, and no larger than on the board.
func (s *solo) trayCell(e *Env) float64 {
	wide, high := 3, 3
	for i := range streak.Hand {
		p := s.state.Piece(i)
		wide, high = max(wide, p.Width()), max(high, p.Height())
	}
	in := s.place.slots[0].Inset(e.Px(9))
	return min(s.place.board.W/soloSize*0.9, in.W/float64(wide), in.H/float64(high))
}

// shapeIn draws a piece in the middle of an area.
func (e *Env) shapeIn(dst *ebiten.Image, r Rect, p engine.Piece, size float64, c color.NRGBA) {
	w, h := float64(p.Width()), float64(p.Height())
	e.shapeAt(dst, r.X+(r.W-w*size)/2, r.Y+(r.H-h*size)/2, p, size, c)
}

func (e *Env) shapeAt(dst *ebiten.Image, x, y float64, p engine.Piece, size float64, c color.NRGBA) {
	for row := range p.Height() {
		for col := range p.Width() {
			if p.Cells().Has(row, col) {
				e.cell(dst, Rect{x + float64(col)*size, y + float64(row)*size, size, size}, c, seatPattern(e, 0))
			}
		}
	}
}

// drawCarried draws the piece under the pointer: smaller over a spot of the
// board where it does not fit.
func (s *solo) drawCarried(e *Env, dst *ebiten.Image) {
	h := &s.hold
	if h.slot == noSlot || !h.carried {
		return
	}
	cell := s.place.board.W / soloSize
	p, size := s.piece(), cell
	tint := e.Theme.Seat[0]
	if h.aimed && !h.fits {
		size = cell * 0.7
	}
	off := (cell - size) / 2
	// An edge of the ground's colour keeps it apart from what lies below.
	edge := max(e.Px(2.5), 2)
	for row := range p.Height() {
		for col := range p.Width() {
			if p.Cells().Has(row, col) {
				at := Rect{h.x + off*float64(p.Width()) + float64(col)*size, h.y + off*float64(p.Height()) + float64(row)*size, size, size}
				e.Paint.Fill(dst, at.Inset(-edge), size*0.2, e.Theme.Ground)
			}
		}
	}
	e.shapeAt(dst, h.x+off*float64(p.Width()), h.y+off*float64(p.Height()), p, size, tint)
	if h.aimed && h.fits {
		e.soloPoints(dst, s.place.board, tryPlace(s.state, h.slot, h.r, h.c))
	}
}

// soloLevel is the shorter name of a game where one knows which it is.
func soloLevel(e *Env, c SoloChoice) string {
	if c.Game == "classic" {
		return e.T("solo.level_" + c.Level)
	}
	return e.T("solo.streak")
}

// soloName is the name of a game with its level.
func soloName(e *Env, c SoloChoice) string { return e.T("solo." + c.Game + "_" + c.Level) }
