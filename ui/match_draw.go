package ui

import (
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// A flash is the short show of what a move changed: cells that were placed, a
// line that cleared, points that were won. It never stands in the way of input.
type flash struct {
	seat            int
	placed, cleared engine.Board
	points          int
	start           int64
	still           bool // less motion: the points show, nothing moves
}

// Ticks of a sixtieth of a second: a line is gone within 15, 250 ms.
const (
	clearTicks  = 15
	placeTicks  = 10
	pointsTicks = 55
)

func (f flash) over(now int64) bool { return now-f.start > pointsTicks }

func live(fs []flash, now int64) []flash {
	kept := fs[:0]
	for _, f := range fs {
		if !f.over(now) {
			kept = append(kept, f)
		}
	}
	return kept
}

// cell draws one filled cell: a tile that lies on the board.
func (e *Env) cell(dst *ebiten.Image, r Rect, c color.NRGBA, p pattern) {
	in := inCell(r)
	e.Paint.Tile(dst, in, round(r), c)
	e.Paint.Pattern(dst, in.Inset(r.W*0.06), p, fade(e.Theme.Ground, 0.55))
}

// inCell is where a tile lies in its cell, and round the radius of its corners.
func inCell(r Rect) Rect   { return r.Inset(max(r.W*0.035, 1)) }
func round(r Rect) float64 { return r.W * 0.16 }

// well draws one empty cell.
func (e *Env) well(dst *ebiten.Image, r Rect) {
	in := inCell(r)
	e.Paint.Hollow(dst, in, round(r), e.Theme.Well)
	if e.Theme.Outlines {
		e.Paint.Stroke(dst, in, round(r), max(e.Px(1), 1), e.Theme.WellEdge)
	}
}

// board draws an empty board and what lies on it.
func (e *Env) board(dst *ebiten.Image, r Rect, cells engine.Board, who int, size int) {
	t := e.Theme
	e.panel(dst, r.Inset(-e.Px(frameWidth)), t.Surface, t.Seat[who], 1.5)
	for i := range size * size {
		c := cellOf(r, size, i)
		if cells.Has(i/size, i%size) {
			e.cell(dst, c, t.Seat[who], seatPattern(e, who))
			continue
		}
		e.well(dst, c)
	}
}

// panel draws a surface that lies above the ground.
func (e *Env) panel(dst *ebiten.Image, r Rect, fill, edge color.NRGBA, width float64) {
	e.Paint.Shadow(dst, r, e.Px(corner), e.Px(14), e.Theme.Shade)
	e.Paint.Fill(dst, r, e.Px(corner), fill)
	e.Paint.Stroke(dst, r, e.Px(corner), max(e.Px(width), 1), edge)
}

// who turns a seat into the index of its colour: one's own first.
func (m *match) who(seat int) int {
	if seat == m.me() {
		return 0
	}
	return 1
}

func (m *match) draw(e *Env, dst *ebiten.Image) {
	l := &m.place
	if m.view.Paused {
		m.drawPaused(e, dst)
		m.screen.Draw(e, dst)
		return
	}
	m.drawHead(e, dst, l)
	m.drawPlates(e, dst, l)
	m.drawBoard(e, dst, l.mine, m.me())
	m.drawBoard(e, dst, l.theirs, m.them())
	switch m.step.kind {
	case engine.Choose:
		m.drawCards(e, dst)
	case engine.Place:
		m.drawPiece(e, dst)
	default:
		m.drawBlock(e, dst)
	}
	m.drawBanner(e, dst, l)
	if m.leaving {
		m.drawLeaving(e, dst)
	}
	m.screen.Draw(e, dst)
}

// drawPaused stands in place of the boards: a pause is no time to think.
func (m *match) drawPaused(e *Env, dst *ebiten.Image) {
	e.dialog(dst, e.T("match.paused"), e.T("match.paused_explained"), e.T("match.resume"))
}

func (m *match) drawLeaving(e *Env, dst *ebiten.Image) {
	e.Paint.Fill(dst, Rect{0, 0, e.W, e.H}, 0, fade(e.Theme.Ground, 0.85))
	cost, explained := m.leaveCosts()
	e.dialog(dst, e.T("match.leave_question"), e.T(explained), e.T("match.stay"), e.T(cost))
}

// drawBoard draws a player's board with the ghost and what flashes on it.
func (m *match) drawBoard(e *Env, dst *ebiten.Image, r Rect, seat int) {
	who := m.who(seat)
	cells := m.view.State.Board(seat)
	e.board(dst, r, cells, who, duel.Size)
	for _, f := range m.anims {
		if f.seat == seat {
			m.drawFlash(e, dst, r, f)
		}
	}
	switch {
	case seat == m.me() && m.step.kind == engine.Place && m.step.ghost != 0:
		e.ghost(dst, r, cells, m.step.ghost, who, m.step.pinned || m.step.keyed)
	case m.better.Kind == engine.Place && int(m.better.Seat) == seat:
		e.ghost(dst, r, cells, engine.Board(m.better.Data), who, false)
	case seat == m.them() && m.step.kind == engine.None && !m.watch:
		// The other one's ghost, once one's own piece lies.
		if g := m.view.Peer.Ghost; g != 0 && g&cells == 0 && m.view.State.MayDecide(seat) == engine.Place {
			e.ghost(dst, r, cells, g, who, false)
		}
	case m.step.kind == engine.Choose && m.looked() != 0:
		part := m.looked() - 1
		if seat != m.me() {
			part = 1 - part
		}
		spot, _, ok := m.best(seat, part)
		if !ok {
			e.points(dst, r, duel.BlockedPoints, e.Theme.Danger)
		} else if m.view.Friendly {
			e.ghost(dst, r, cells, spot, who, false)
		} else {
			e.shadow(dst, r, m.spots[seat][part].first)
		}
	}
}

// shadow draws where a piece would lie first of all places, and nothing of
// what it would bring there: where it goes is for the player to find.
func (e *Env) shadow(dst *ebiten.Image, r Rect, spot engine.Board) {
	for i := range duel.Size * duel.Size {
		if spot.Has(i/duel.Size, i%duel.Size) {
			c := cellOf(r, duel.Size, i)
			e.Paint.Dash(dst, c.Inset(c.W*0.08), max(e.Px(2), 1), max(c.W*0.1, 2), e.Theme.Ink)
		}
	}
}

// looked is the piece that is hovered, or else taken: 0 none, 1 smaller, 2
// larger.
func (m *match) looked() int {
	if m.step.hover != 0 {
		return m.step.hover
	}
	return m.step.taken
}

// A spotting is where a piece does best on a board, as it was found once for
// the whole choice.
type spotting struct {
	board  engine.Board
	piece  engine.Piece
	spot   engine.Board
	points int
	ok     bool
	first  engine.Board // the first place of all
}

// firstSpot is the first place where a piece fits, as it lies or turned; 0 if
// there is none.
func firstSpot(board engine.Board, p engine.Piece) engine.Board {
	for range 4 {
		if spots := p.Fits(board, duel.Size); spots != 0 {
			return p.At((spots & -spots).First())
		}
		p = p.Turn()
	}
	return 0
}

// best is bestSpot for a seat and a part of the split.
func (m *match) best(seat, part int) (spot engine.Board, points int, ok bool) {
	f := &m.spots[seat][part]
	board, piece := m.view.State.Board(seat), m.view.State.Parts()[part]
	if f.board != board || f.piece != piece {
		*f = spotting{board: board, piece: piece}
		f.spot, f.points, f.ok = bestSpot(board, piece)
		f.first = firstSpot(board, piece)
	}
	return f.spot, f.points, f.ok
}

// bestSpot is where a piece makes the most points on a board, and how many.
func bestSpot(board engine.Board, p engine.Piece) (spot engine.Board, points int, ok bool) {
	turns := p.Turns()
	points = -1
	for _, cells := range turns.AppendPlacements(nil, board, duel.Size) {
		_, lines := (board | cells).Clear(duel.Size)
		if k := duel.LinePoints(lines.Count()); k > points {
			spot, points = cells, k
		}
	}
	if points < 0 {
		return 0, duel.BlockedPoints, false
	}
	return spot, points, true
}

// ghost draws a piece where it would lie, the lines that it would clear, and
// the points.
func (e *Env) ghost(dst *ebiten.Image, r Rect, board, ghost engine.Board, who int, firm bool) {
	t := e.Theme
	after, lines := (board | ghost).Clear(duel.Size)
	gone := (board | ghost) &^ after
	alpha := 0.5
	if firm {
		alpha = 0.85
	}
	for i := range duel.Size * duel.Size {
		c := cellOf(r, duel.Size, i)
		in := c.Inset(max(c.W*0.035, 1))
		row, col := i/duel.Size, i%duel.Size
		laid := ghost.Has(row, col)
		switch {
		case gone.Has(row, col):
			// Gold all over, and in the middle the colour of whose it is.
			e.Paint.Tile(dst, in, round(c), t.Gold)
			e.Paint.Fill(dst, c.Inset(c.W*0.3), c.W*0.1, t.Seat[who])
			if !laid {
				e.Paint.Dash(dst, in.Inset(e.Px(1)), max(e.Px(2), 1), max(c.W*0.11, 2), t.Ink)
			}
		case laid:
			e.Paint.Fill(dst, in, c.W*0.16, t.Well)
			e.Paint.Fill(dst, in, c.W*0.16, fade(t.Seat[who], alpha))
		}
		if laid {
			e.Paint.Stroke(dst, in, c.W*0.16, max(e.Px(3), 1), t.Ink)
		}
	}
	if k := lines.Count(); k > 0 {
		e.points(dst, above(e, r, boundsOf(r, ghost)), duel.LinePoints(k), t.Gold)
	}
}

// above is where a label stands so that it hides least of a piece: at its
// upper edge, or the lower one at the top of the board.
func above(e *Env, board, piece Rect) Rect {
	h := e.Type.Line(Heading)
	y := piece.Y - h
	if y < board.Y {
		y = piece.Y + piece.H
	}
	return Rect{piece.X, min(max(y, board.Y), board.Y+board.H-h), piece.W, h}
}

// boundsOf is the area of a set of cells on a board.
func boundsOf(r Rect, cells engine.Board) Rect {
	row, col := corner0(cells)
	p := engine.NewPiece(cells)
	size := r.W / duel.Size
	return Rect{r.X + float64(col)*size, r.Y + float64(row)*size, float64(p.Width()) * size, float64(p.Height()) * size}
}

// points draws points on a label in the middle of an area.
func (e *Env) points(dst *ebiten.Image, r Rect, points int, tint color.NRGBA) {
	text := signed(points)
	x, y := r.Mid()
	w, h := e.Type.Width(text, Heading)+e.Px(18), e.Type.Line(Heading)
	label := Rect{x - w/2, y - h/2, w, h}
	e.Paint.Fill(dst, label, h/2, e.Theme.Surface)
	e.Paint.Stroke(dst, label, h/2, max(e.Px(2), 1), tint)
	ink := e.Theme.Ink
	if points < 0 {
		ink = e.Theme.Danger
	}
	e.Type.Draw(dst, text, x, y, Heading, Centre, ink)
}

// drawFlash draws what a move changed a moment ago.
func (m *match) drawFlash(e *Env, dst *ebiten.Image, r Rect, f flash) {
	t := e.Theme
	age := e.Now - f.start
	if !f.still && age < clearTicks {
		who := m.who(f.seat)
		settled := ease(float64(age) / placeTicks)
		for i := range duel.Size * duel.Size {
			c := cellOf(r, duel.Size, i)
			switch row, col := i/duel.Size, i%duel.Size; {
			case f.cleared.Has(row, col):
				// Gold that goes from one end of the line to the other.
				late := float64(row+col) / (2*duel.Size - 2) * 0.35
				gone := min(max(float64(age)/clearTicks-late, 0)/(1-0.35), 1)
				e.Paint.Grown(dst, inCell(c), round(c), 1-gone*gone, t.Gold)
			case f.placed.Has(row, col):
				// The piece comes down from above the board.
				e.Paint.Grown(dst, inCell(c), round(c), 1.18-0.18*settled, t.Seat[who])
				e.Paint.Stroke(dst, inCell(c), round(c), max(e.Px(3), 1), fade(t.Ink, 1-float64(age)/clearTicks))
			}
		}
	}
	if f.points != 0 {
		tint := t.Gold
		if f.points < 0 {
			tint = t.Danger
		}
		at := r
		if f.placed != 0 {
			at = above(e, r, boundsOf(r, f.placed))
		}
		if !f.still {
			at.Y -= e.Px(12) * ease(float64(age)/pointsTicks)
		}
		e.points(dst, at, f.points, tint)
	}
}
