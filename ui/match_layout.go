package ui

import (
	"github.com/cleavegame/cleave/engine/duel"
)

// matchLayout says where everything of a match is, in pixels. It depends on
// the size, the settings and one thing more: while one splits or chooses, the
// friend's board is as large as one's own, and the block or the two pieces have
// the room that is left.
type matchLayout struct {
	head   Rect    // names, scores, round
	clock  Rect    // the bar of the clock that runs
	banner Rect    // what is to do, and the seconds left
	mine   Rect    // one's own board
	theirs Rect    // the friend's
	block  Rect    // the block, or the piece to place
	cards  [2]Rect // the pieces to choose from
	action [3]Rect // three buttons; the last confirms
	leave  Rect
	pause  Rect
}

// frameWidth is how far the edge around a board or block lies outside it, in
// design pixels.
const frameWidth = 5

func layoutMatch(e *Env, pieces bool) matchLayout {
	if e.Portrait() {
		return layoutPortrait(e, pieces)
	}
	return layoutLandscape(e, pieces)
}

// cut cuts a rectangle into n of one width, side by side.
func cut(r Rect, n int, between float64) []Rect {
	w := (r.W - between*float64(n-1)) / float64(n)
	parts := make([]Rect, n)
	for i := range parts {
		parts[i] = Rect{r.X + float64(i)*(w+between), r.Y, w, r.H}
	}
	return parts
}

// square is the largest square in the middle of a rectangle.
func square(r Rect) Rect {
	side := min(r.W, r.H)
	return Rect{r.X + (r.W-side)/2, r.Y + (r.H-side)/2, side, side}
}

func layoutPortrait(e *Env, pieces bool) matchLayout {
	m, g, edge := e.Px(12), e.Px(8), e.Px(frameWidth)
	var l matchLayout
	w := e.W - 2*m
	button := e.Px(92) * min(e.textScale(), 1.5)
	y := e.Px(4)
	l.leave = Rect{m, y, button, e.Px(target)}
	l.pause = Rect{e.W - m - button, y, button, e.Px(target)}
	y += e.Px(target)
	l.head = Rect{m, y, w, e.Type.Line(Heading) + e.Type.Line(Small)}
	y += l.head.H + e.Px(4)
	l.clock = Rect{m, y, w, e.Px(8)}
	y += l.clock.H + e.Px(2)
	l.banner = Rect{m, y, w, max(e.Type.Line(Body)*1.15, 2*e.Type.Line(Small))}
	y += l.banner.H + e.Px(2)
	bottom := e.H - e.Px(8) - e.Px(target)
	l.action = sides(e, Rect{m, bottom, w, e.Px(target)}, g)
	room := Rect{m, y, w, bottom - y - g}
	if pieces {
		both := cut(Rect{room.X, room.Y, room.W, min((room.W-g)/2, room.H*0.5)}, 2, g)
		l.mine, l.theirs = square(both[0].Inset(edge)), square(both[1].Inset(edge))
		cards := cut(Rect{room.X, room.Y + both[0].H + g, room.W, room.H - both[0].H - g}, 2, g)
		l.cards = [2]Rect{cards[0], cards[1]}
		l.block = square(Rect{room.X, cards[0].Y, room.W, cards[0].H}.Inset(edge))
		return l
	}
	upper := min(room.H*0.37, (room.W-g)/2)
	half := cut(Rect{room.X, room.Y, room.W, upper}, 2, g)
	l.block, l.theirs = square(half[0].Inset(edge)), square(half[1].Inset(edge))
	if e.Settings.LeftHanded {
		l.block, l.theirs = square(half[1].Inset(edge)), square(half[0].Inset(edge))
	}
	l.mine = square(Rect{room.X, room.Y + upper + g, room.W, room.H - upper - g}.Inset(edge))
	return l
}

// Landscape has three columns: one's own board, the block and the buttons, the
// friend's board.
func layoutLandscape(e *Env, pieces bool) matchLayout {
	m, g, edge := e.Px(20), e.Px(14), e.Px(frameWidth)
	var l matchLayout
	text := e.textScale()
	w := e.W - 2*m
	top := e.Px(8)
	button := e.Px(104) * min(text, 1.5)
	high := max(e.Px(target), e.Type.Line(Heading)+e.Type.Line(Small))
	l.leave = Rect{m, top, button, e.Px(target)}
	l.pause = Rect{e.W - m - button, top, button, e.Px(target)}
	l.head = Rect{m + button + g, top, w - 2*button - 2*g, high}
	y := top + high + e.Px(4)
	l.clock = Rect{m, y, w, e.Px(8)}
	y += l.clock.H + e.Px(4)
	l.banner = Rect{m, y, w, e.Type.Line(Body) * 1.2}
	y += l.banner.H + e.Px(6)
	room := Rect{m, y, w, e.H - y - e.Px(10)}
	middle := max(e.Px(180)*min(text, 1.6), w*0.22)
	mine := min(room.H, (w-middle-2*g)*0.6)
	theirs := min(room.H*0.72, w-middle-2*g-mine)
	if pieces {
		mine = min(room.H, (w-middle-2*g)/2)
		theirs = mine
	}
	x := (e.W - mine - middle - theirs - 2*g) / 2
	column := func(x, w float64) Rect { return Rect{x, room.Y + (room.H-w)/2, w, w} }
	l.mine = column(x, mine).Inset(edge)
	l.theirs = column(x+mine+middle+2*g, theirs).Inset(edge)
	inner := Rect{x + mine + g, room.Y, middle, room.H}
	buttons := 3*e.Px(target) + e.Px(16)
	for i := range l.action {
		l.action[i] = Rect{inner.X, inner.Y + inner.H - buttons + float64(i)*(e.Px(target)+e.Px(8)), inner.W, e.Px(target)}
	}
	upper := Rect{inner.X, inner.Y, inner.W, inner.H - buttons - g}
	l.block = square(upper.Inset(edge))
	half := (upper.H - g) / 2
	l.cards = [2]Rect{{upper.X, upper.Y, upper.W, half}, {upper.X, upper.Y + half + g, upper.W, half}}
	if e.Settings.LeftHanded {
		for _, r := range []*Rect{&l.mine, &l.theirs, &l.block, &l.action[0], &l.action[1], &l.action[2], &l.cards[0], &l.cards[1]} {
			r.X = e.W - r.X - r.W
		}
	}
	return l
}

// sides cuts a row into three buttons, the confirming one last, under the
// thumb of the hand in use.
func sides(e *Env, r Rect, between float64) [3]Rect {
	b := cut(r, 3, between)
	if e.Settings.LeftHanded {
		b[0], b[2] = b[2], b[0]
	}
	return [3]Rect{b[0], b[1], b[2]}
}

// cellOf is the area of one cell of a board of n rows in a square.
func cellOf(r Rect, n, cell int) Rect {
	size := r.W / float64(n)
	return Rect{r.X + float64(cell%n)*size, r.Y + float64(cell/n)*size, size, size}
}

// frameCell returns the cell of the block's frame at a point.
func (l *matchLayout) frameCell(x, y float64) (int, bool) {
	if !l.block.Has(x, y) {
		return 0, false
	}
	size := l.block.W / duel.Frame
	return int((y-l.block.Y)/size)*duel.Frame + int((x-l.block.X)/size), true
}
