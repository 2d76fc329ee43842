package ui

import (
	"fmt"
	"image/color"
	"math/bits"
	"strconv"
	"strings"

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

// cell draws one filled cell.
func (e *Env) cell(dst *ebiten.Image, r Rect, c color.NRGBA, p pattern) {
	in := r.Inset(max(r.W*0.035, 1))
	e.Paint.Fill(dst, in, r.W*0.16, c)
	e.Paint.Pattern(dst, in.Inset(r.W*0.06), p, fade(e.Theme.Ground, 0.55))
}

// board draws an empty board and what lies on it.
func (e *Env) board(dst *ebiten.Image, r Rect, cells engine.Board, who int, size int) {
	t := e.Theme
	e.Paint.Fill(dst, r.Inset(-e.Px(frameWidth)), e.Px(corner), t.Surface)
	e.Paint.Stroke(dst, r.Inset(-e.Px(frameWidth)), e.Px(corner), max(e.Px(1.5), 1), t.Seat[who])
	for i := range size * size {
		c := cellOf(r, size, i)
		if cells.Has(i/size, i%size) {
			e.cell(dst, c, t.Seat[who], seatPattern(e, who))
			continue
		}
		in := c.Inset(max(c.W*0.035, 1))
		e.Paint.Fill(dst, in, c.W*0.16, t.Well)
		e.Paint.Stroke(dst, in, c.W*0.16, max(e.Px(1), 1), t.WellEdge)
	}
}

// who turns a seat into the index of its colour: one's own first.
func (m *match) who(seat int) int {
	if seat == m.me() {
		return 0
	}
	return 1
}

func (m *match) draw(e *Env, dst *ebiten.Image) {
	l := m.place
	m.drawHead(e, dst, l)
	m.drawClock(e, dst, l.clock)
	m.drawBanner(e, dst, l.banner)
	m.drawBoard(e, dst, l.mine, m.me())
	m.drawBoard(e, dst, l.theirs, m.them())
	switch m.step.kind {
	case engine.Choose:
		m.drawCards(e, dst)
	case engine.Place:
		m.drawPiece(e, dst)
	default:
		m.drawBlock(e, dst, l.block)
	}
	if m.view.Paused {
		e.Paint.Fill(dst, Rect{0, l.banner.Y + l.banner.H, e.W, e.H}, 0, fade(e.Theme.Ground, 0.92))
		e.Type.Draw(dst, e.T("match.paused"), e.W/2, e.H/2, Heading, Centre, e.Theme.Ink)
	}
	if m.leaving {
		m.drawLeaving(e, dst)
	}
	m.screen.Draw(e, dst)
}

func (m *match) drawLeaving(e *Env, dst *ebiten.Image) {
	e.Paint.Fill(dst, Rect{0, 0, e.W, e.H}, 0, fade(e.Theme.Ground, 0.85))
	d := dialogRect(e)
	e.Paint.Fill(dst, d, e.Px(corner), e.Theme.Surface)
	e.Paint.Stroke(dst, d, e.Px(corner), max(e.Px(1), 1), e.Theme.Edge)
	mid, _ := d.Mid()
	y := d.Y + e.Px(margin) + e.Type.Line(Heading)/2
	e.Type.Draw(dst, e.T("match.leave_question"), mid, y, Heading, Centre, e.Theme.Ink)
	y += e.Type.Line(Heading)
	for _, line := range e.Type.Wrap(e.T("match.leave_explained"), Body, d.W-2*e.Px(margin)) {
		e.Type.Draw(dst, line, mid, y, Body, Centre, e.Theme.Faint)
		y += e.Type.Line(Body)
	}
}

// drawHead draws both names and totals, the difference, and the round.
func (m *match) drawHead(e *Env, dst *ebiten.Image, l matchLayout) {
	t, s := e.Theme, m.view.State
	r := l.head
	mid, _ := r.Mid()
	third := r.W / 3
	top, low := r.Y+e.Type.Line(Heading)/2, r.Y+e.Type.Line(Heading)+e.Type.Line(Small)/2
	for i, seat := range [2]int{m.me(), m.them()} {
		x, align := r.X, Left
		if i == 1 {
			x, align = r.X+r.W, Right
		}
		e.Type.Draw(dst, strconv.Itoa(s.Score(seat)), x, top, Heading, align, t.Seat[i])
		name := e.Type.Shorten(m.name(seat), Small, third)
		e.Type.Draw(dst, name, x, low, Small, align, t.Ink)
	}
	e.Type.Draw(dst, e.T("match.round", Vars{"Round": s.Round(), "Of": duel.Rounds}), mid, top, Strong, Centre, t.Ink)
	diff := s.Score(m.me()) - s.Score(m.them())
	note := e.T("match.level")
	if diff != 0 {
		note = fmt.Sprintf("%+d", diff)
	}
	if who := m.nextSplitter(); who != engine.Nobody {
		id := "match.next_you"
		if who != m.me() {
			id = "match.next_them"
		}
		note += " · " + e.T(id)
	}
	e.Type.Draw(dst, e.Type.Shorten(note, Small, third*1.2), mid, low, Small, Centre, t.Faint)
}

// nextSplitter is who splits in the next round.
func (m *match) nextSplitter() int {
	s := m.view.State
	if s.Splitter() == engine.Nobody || s.Round() == duel.Rounds {
		return engine.Nobody
	}
	return s.Chooser()
}

// drawClock draws the clock that runs: a bar and a number.
func (m *match) drawClock(e *Env, dst *ebiten.Image, r Rect) {
	t := e.Theme
	e.Paint.Fill(dst, r, r.H/2, t.Well)
	for _, seat := range [2]int{m.them(), m.me()} {
		c := m.view.Clock[seat]
		if !c.Running || c.LimitMs == 0 {
			continue
		}
		part := min(max(float64(c.LeftMs)/float64(c.LimitMs), 0), 1)
		bar := Rect{r.X, r.Y, max(r.W*part, r.H), r.H}
		tint := t.Seat[m.who(seat)]
		if seat == m.me() && c.LeftMs <= 3000 {
			tint = t.Danger
		}
		if seat == m.them() {
			bar.X = r.X + r.W - bar.W
			bar.Y, bar.H = r.Y+r.H*0.65, r.H*0.35
		}
		e.Paint.Fill(dst, bar, bar.H/2, tint)
	}
}

// clockText is the time left, in whole seconds.
func clockText(c Clock) string {
	if !c.Running || c.LimitMs == 0 {
		return ""
	}
	return strconv.FormatInt((max(c.LeftMs, 0)+999)/1000, 10)
}

func (m *match) drawBanner(e *Env, dst *ebiten.Image, r Rect) {
	t := e.Theme
	_, y := r.Mid()
	text, tint := m.task(e), t.Ink
	if m.hint != "" && whyNoSplit(m.view.State.Block(), m.step.paint) == "split.start" || m.hint != "" && m.step.kind != engine.Split {
		text = m.hint
	}
	if m.banner != "" && m.bannerUntil != 0 {
		text = m.banner
	}
	if m.view.Link != LinkGood {
		id := "match.trouble"
		if m.view.Link == LinkOffline {
			id = "match.offline"
		}
		text, tint = e.T(id, Vars{"Name": m.name(m.them()), "Seconds": m.view.GoneMs / 1000}), t.Danger
	}
	room := r.W
	seat := m.me()
	if !m.view.Clock[seat].Running {
		seat = m.them()
	}
	if left := clockText(m.view.Clock[seat]); left != "" {
		tone := t.Seat[m.who(seat)]
		if seat == m.me() && m.view.Clock[seat].LeftMs <= 3000 {
			tone = t.Danger
		}
		e.Type.Draw(dst, left, r.X+r.W, y, Strong, Right, tone)
		room -= e.Type.Width(left, Strong) + e.Px(8)
	}
	if e.Type.Width(text, Body) <= room {
		e.Type.Draw(dst, text, r.X, y, Body, Left, tint)
		return
	}
	lines := e.Type.Wrap(text, Small, room)
	y -= e.Type.Line(Small) * float64(min(len(lines), 2)-1) / 2
	for i, line := range lines[:min(len(lines), 2)] {
		if i == 1 && len(lines) > 2 {
			line = e.Type.Shorten(strings.Join(lines[1:], " "), Small, room)
		}
		e.Type.Draw(dst, line, r.X, y, Small, Left, tint)
		y += e.Type.Line(Small)
	}
}

// task says in words what is to do now.
func (m *match) task(e *Env) string {
	s := m.view.State
	them := Vars{"Name": m.name(m.them())}
	switch {
	case s.Over():
		return ""
	case m.step.sent:
		return e.T("match.waiting", them)
	case m.step.kind == engine.Split:
		if id := whyNoSplit(s.Block(), m.step.paint); id != "" {
			return e.T(id)
		}
		return e.T("split.ready")
	case m.step.kind == engine.Choose:
		return e.T("choose.task")
	case m.step.kind == engine.Place:
		if m.step.ghost != 0 {
			return e.T("place.ready")
		}
		return e.T("place.task")
	}
	switch s.Awaits() {
	case engine.Split:
		return e.T("match.they_are_splitting", them)
	case engine.Choose:
		return e.T("match.they_are_choosing", them)
	case engine.Place:
		return e.T("match.they_are_placing", them)
	}
	return e.T("match.dealing")
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
	if seat == m.me() && m.step.kind == engine.Place && m.step.ghost != 0 {
		m.drawGhost(e, dst, r, cells, m.step.ghost, who, m.step.pinned || m.step.keyed)
	}
	if m.better.Kind == engine.Place && int(m.better.Seat) == seat {
		m.drawGhost(e, dst, r, cells, engine.Board(m.better.Data), who, false)
	}
	if m.step.kind == engine.Choose && m.step.hover != 0 {
		part := m.step.hover - 1
		if seat != m.me() {
			part = 1 - part
		}
		if spot, _, ok := bestSpot(cells, m.view.State.Parts()[part]); ok {
			m.drawGhost(e, dst, r, cells, spot, who, false)
		}
	}
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

// drawGhost draws a piece where it would lie, the lines that it would clear,
// and the points.
func (m *match) drawGhost(e *Env, dst *ebiten.Image, r Rect, board, ghost engine.Board, who int, firm bool) {
	t := e.Theme
	after, lines := (board | ghost).Clear(duel.Size)
	gone := (board | ghost) &^ after
	alpha := 0.55
	if firm {
		alpha = 0.85
	}
	for i := range duel.Size * duel.Size {
		c := cellOf(r, duel.Size, i)
		row, col := i/duel.Size, i%duel.Size
		if ghost.Has(row, col) {
			in := c.Inset(max(c.W*0.035, 1))
			e.Paint.Fill(dst, in, c.W*0.16, fade(t.Seat[who], alpha))
			e.Paint.Stroke(dst, in, c.W*0.16, max(e.Px(2), 1), t.Ink)
		}
		if gone.Has(row, col) {
			in := c.Inset(max(c.W*0.06, 1))
			e.Paint.Fill(dst, in, c.W*0.14, fade(t.Gold, 0.55))
			e.Paint.Dash(dst, in, max(e.Px(2), 1), max(c.W*0.11, 2), t.Gold)
		}
	}
	if k := lines.Count(); k > 0 {
		m.drawPoints(e, dst, boundsOf(r, ghost), duel.LinePoints(k), t.Gold)
	}
}

// boundsOf is the area of a set of cells on a board.
func boundsOf(r Rect, cells engine.Board) Rect {
	row, col := corner0(cells)
	p := engine.NewPiece(cells)
	size := r.W / duel.Size
	return Rect{r.X + float64(col)*size, r.Y + float64(row)*size, float64(p.Width()) * size, float64(p.Height()) * size}
}

// drawPoints draws points on a label in the middle of an area.
func (m *match) drawPoints(e *Env, dst *ebiten.Image, r Rect, points int, tint color.NRGBA) {
	text := fmt.Sprintf("%+d", points)
	x, y := r.Mid()
	w, h := e.Type.Width(text, Heading)+e.Px(16), e.Type.Line(Heading)
	label := Rect{x - w/2, y - h/2, w, h}
	e.Paint.Fill(dst, label, h/2, e.Theme.Surface)
	e.Paint.Stroke(dst, label, h/2, max(e.Px(1.5), 1), tint)
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
		left := 1 - float64(age)/clearTicks
		for i := range duel.Size * duel.Size {
			c := cellOf(r, duel.Size, i).Inset(2)
			switch row, col := i/duel.Size, i%duel.Size; {
			case f.cleared.Has(row, col):
				e.Paint.Fill(dst, c, c.W*0.16, fade(t.Gold, left))
			case f.placed.Has(row, col):
				e.Paint.Stroke(dst, c, c.W*0.16, max(e.Px(3), 1), fade(t.Ink, left))
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
			at = boundsOf(r, f.placed)
		}
		m.drawPoints(e, dst, at, f.points, tint)
	}
}

// drawBlock draws the round's block, as it is being painted by whoever splits.
func (m *match) drawBlock(e *Env, dst *ebiten.Image, r Rect) {
	t, s := e.Theme, m.view.State
	e.Paint.Fill(dst, r.Inset(-e.Px(frameWidth)), e.Px(corner), t.Surface)
	e.Paint.Stroke(dst, r.Inset(-e.Px(frameWidth)), e.Px(corner), max(e.Px(1), 1), t.Edge)
	if s.Block() == 0 {
		return
	}
	mySplit := m.step.kind == engine.Split
	paint := m.view.Peer.Part & uint16(s.Block())
	if mySplit {
		paint = m.step.paint
	}
	if s.Split() != 0 {
		paint = s.Split()
	}
	if m.better.Kind == engine.Split {
		paint = uint16(m.better.Data)
	}
	small := paint
	if part, ok := splitOf(s.Block(), paint); ok {
		small = part
	}
	whole := s.Split() != 0 || small != 0 && s.Block().IsSplit(small)
	open := addable(s.Block(), paint)
	for i := range duel.Frame * duel.Frame {
		bit := uint16(1) << i
		if uint16(s.Block())&bit == 0 {
			continue
		}
		c := cellOf(r, duel.Frame, i)
		switch {
		case whole && small&bit != 0:
			e.cell(dst, c, t.Part[0], partPattern(e, 0))
		case whole:
			e.cell(dst, c, t.Part[1], partPattern(e, 1))
		case paint&bit != 0:
			e.cell(dst, c, t.Part[0], partPattern(e, 0))
		case mySplit && open&bit == 0 && paint != 0:
			e.cell(dst, c, mix(t.Well, t.Faint, 0.25), plain)
		default:
			e.cell(dst, c, mix(t.Faint, t.Well, 0.25), plain)
		}
		if mySplit && m.step.keyed && m.step.cursor == i {
			e.Paint.Stroke(dst, c, c.W*0.16, max(e.Px(3), 2), t.Ink)
		}
	}
	if mySplit && paint != 0 {
		a := bits.OnesCount16(paint)
		e.Type.Draw(dst, fmt.Sprintf("%d + %d", a, 9-a), r.X+r.W-e.Px(2), r.Y+r.H-e.Type.Line(Small)/2, Small, Right, t.Ink)
	}
}

// drawShape draws a piece in the middle of an area, its cells no larger than
// size.
func (m *match) drawShape(e *Env, dst *ebiten.Image, r Rect, p engine.Piece, size float64, c color.NRGBA, pat pattern) {
	w, h := float64(p.Width()), float64(p.Height())
	size = min(size, r.W/w, r.H/h)
	x, y := r.X+(r.W-w*size)/2, r.Y+(r.H-h*size)/2
	for row := range p.Height() {
		for col := range p.Width() {
			if p.Cells().Has(row, col) {
				e.cell(dst, Rect{x + float64(col)*size, y + float64(row)*size, size, size}, c, pat)
			}
		}
	}
}

// drawCards draws the two pieces to choose from.
func (m *match) drawCards(e *Env, dst *ebiten.Image) {
	t, s := e.Theme, m.view.State
	for i, p := range s.Parts() {
		r := m.place.cards[i]
		edge, width := t.Edge, 1.0
		fill := t.Surface
		if m.step.hover == i+1 {
			fill = mix(t.Surface, t.Ink, 0.05)
		}
		if m.step.taken == i+1 {
			edge, width = t.Seat[0], 3
		}
		e.Paint.Fill(dst, r, e.Px(corner), fill)
		e.Paint.Stroke(dst, r, e.Px(corner), max(e.Px(width), 1), edge)
		line := e.Type.Line(Small)
		inner := Rect{r.X + e.Px(8), r.Y + e.Px(8), r.W - e.Px(16), r.H - e.Px(14) - 2*line}
		m.drawShape(e, dst, inner, p, m.place.mine.W/duel.Size, t.Part[i], partPattern(e, i))
		mid, _ := r.Mid()
		y := r.Y + r.H - e.Px(6) - line*1.5
		for k, seat := range [2]int{m.me(), m.them()} {
			part := i
			if k == 1 {
				part = 1 - i
			}
			text, tint := m.worth(e, seat, s.Parts()[part]), t.Seat[k]
			id := "choose.mine"
			if k == 1 {
				id = "choose.theirs"
			}
			if text == "" {
				continue
			}
			line := e.T(id, Vars{"Points": text})
			e.Type.Draw(dst, e.Type.Shorten(line, Small, r.W-e.Px(12)), mid, y, Small, Centre, tint)
			y += e.Type.Line(Small)
		}
	}
}

// worth is what a piece would bring a seat: its best points where they may be
// shown, and always -8 where it fits nowhere.
func (m *match) worth(e *Env, seat int, p engine.Piece) string {
	_, points, ok := bestSpot(m.view.State.Board(seat), p)
	if !ok {
		return strconv.Itoa(points)
	}
	if !m.view.Friendly {
		return ""
	}
	return fmt.Sprintf("%+d", points)
}

// drawPiece draws the piece that is to be placed.
func (m *match) drawPiece(e *Env, dst *ebiten.Image) {
	t := e.Theme
	r := m.place.block
	e.Paint.Fill(dst, r.Inset(-e.Px(frameWidth)), e.Px(corner), t.Surface)
	e.Paint.Stroke(dst, r.Inset(-e.Px(frameWidth)), e.Px(corner), max(e.Px(1), 1), t.Edge)
	alpha := 1.0
	if m.step.ghost != 0 {
		alpha = 0.35
	}
	m.drawShape(e, dst, r.Inset(e.Px(6)), m.piece(), m.place.mine.W/duel.Size, fade(t.Seat[0], alpha), seatPattern(e, 0))
}
