package ui

import (
	"github.com/cleavegame/cleave/engine/duel"
)

// matchLayout says where everything of a match is, in pixels. It depends on
// the size and the settings alone, so nothing jumps when the roles change;
// while one chooses, the friend's board is as large as one's own.
type matchLayout struct {
	head    Rect    // names, scores, round
	clock   Rect    // the bar of one's own clock
	banner  Rect    // what is to do
	mine    Rect    // one's own board
	theirs  Rect    // the friend's
	equal   [2]Rect // both while choosing: mine, theirs
	frame   Rect    // the block, while it is split
	cards   [2]Rect // the pieces to choose from
	piece   Rect    // the piece to place
	action  [3]Rect // turn, undo, confirm
	leave   Rect
	pause   Rect
	compact bool // a small screen: short words
}

func layoutMatch(e *Env) matchLayout {
	if e.Portrait() {
		return layoutPortrait(e)
	}
	return layoutLandscape(e)
}

// row cuts a rectangle into n of one width.
func row(r Rect, n int, between float64) []Rect {
	w := (r.W - between*float64(n-1)) / float64(n)
	cut := make([]Rect, n)
	for i := range cut {
		cut[i] = Rect{r.X + float64(i)*(w+between), r.Y, w, r.H}
	}
	return cut
}

// square is the largest square in the middle of a rectangle.
func square(r Rect) Rect {
	side := min(r.W, r.H)
	return Rect{r.X + (r.W-side)/2, r.Y + (r.H-side)/2, side, side}
}

func layoutPortrait(e *Env) matchLayout {
	m, g := e.Px(12), e.Px(8)
	l := matchLayout{compact: true}
	w := e.W - 2*m
	text := e.textScale()
	y := e.Px(6)
	l.leave = Rect{m, y, e.Px(84) * min(text, 1.4), e.Px(target)}
	l.pause = Rect{e.W - m - e.Px(84)*min(text, 1.4), y, e.Px(84) * min(text, 1.4), e.Px(target)}
	y += e.Px(target) + e.Px(2)
	l.head = Rect{m, y, w, e.Type.Line(Heading) + e.Type.Line(Small)}
	y += l.head.H + e.Px(4)
	l.clock = Rect{m, y, w, e.Px(8)}
	y += l.clock.H + e.Px(4)
	l.banner = Rect{m, y, w, e.Type.Line(Body) * 1.1}
	y += l.banner.H + e.Px(4)
	bottom := e.H - e.Px(10) - e.Px(target)
	actions := Rect{m, bottom, w, e.Px(target)}
	order(e, &l, row(actions, 3, g))
	room := bottom - y - 2*g
	upper := room * 0.36
	lower := room - upper
	half := row(Rect{m, y, w, upper}, 2, g)
	l.theirs = square(half[1])
	l.frame = square(half[0])
	l.piece = l.frame
	l.mine = square(Rect{m, y + upper + g, w, lower})
	boards := row(Rect{m, y, w, min((w-g)/2, room*0.5)}, 2, g)
	l.equal = [2]Rect{square(boards[0]), square(boards[1])}
	cards := row(Rect{m, y + boards[0].H + g, w, room - boards[0].H}, 2, g)
	l.cards = [2]Rect{cards[0], cards[1]}
	if e.Settings.LeftHanded {
		l.theirs, l.frame, l.piece = square(half[0]), square(half[1]), square(half[1])
	}
	return l
}

func layoutLandscape(e *Env) matchLayout {
	m, g := e.Px(20), e.Px(16)
	l := matchLayout{compact: e.H < e.Px(520)}
	text := e.textScale()
	w := e.W - 2*m
	top := e.Px(10)
	bw := e.Px(104) * min(text, 1.5)
	l.leave = Rect{m, top, bw, e.Px(target)}
	l.pause = Rect{e.W - m - bw, top, bw, e.Px(target)}
	l.head = Rect{m + bw + g, top, w - 2*bw - 2*g, max(e.Px(target), e.Type.Line(Heading)+e.Type.Line(Small))}
	y := top + l.head.H + e.Px(6)
	l.clock = Rect{m, y, w, e.Px(8)}
	y += l.clock.H + e.Px(6)
	l.banner = Rect{m, y, w, e.Type.Line(Body) * 1.2}
	y += l.banner.H + e.Px(8)
	high := e.H - y - e.Px(14)
	// Three columns: one's own board, the block and the buttons, the friend's
	// board. The middle is as wide as its buttons need.
	middle := max(e.Px(210)*min(text, 1.5), w*0.24)
	side := (w - middle - 2*g)
	mine := min(high, side*0.6)
	theirs := min(high*0.72, side-mine)
	span := mine + middle + theirs + 2*g
	x := (e.W - span) / 2
	l.mine = Rect{x, y + (high-mine)/2, mine, mine}
	mid := Rect{x + mine + g, y, middle, high}
	l.theirs = Rect{x + mine + middle + 2*g, y + (high-theirs)/2, theirs, theirs}
	buttons := e.Px(target)*3 + g
	col := mid.Y + mid.H - buttons
	for i := range 3 {
		l.action[i] = Rect{mid.X, col + float64(i)*(e.Px(target)+g/2), middle, e.Px(target)}
	}
	block := square(Rect{mid.X, mid.Y, middle, min(col-g-mid.Y, middle)})
	block.Y = mid.Y + (col-g-mid.Y-block.H)/2
	l.frame, l.piece = block, block
	equal := min(high, (w-middle-2*g)/2)
	ex := (e.W - 2*equal - middle - 2*g) / 2
	l.equal = [2]Rect{{ex, y + (high-equal)/2, equal, equal}, {ex + equal + middle + 2*g, y + (high-equal)/2, equal, equal}}
	cards := Rect{ex + equal + g, mid.Y, middle, col - g - mid.Y}
	ch := (cards.H - g/2) / 2
	l.cards = [2]Rect{{cards.X, cards.Y, cards.W, ch}, {cards.X, cards.Y + ch + g/2, cards.W, ch}}
	if e.Settings.LeftHanded {
		flip := func(r *Rect) { r.X = e.W - r.X - r.W }
		for _, r := range []*Rect{&l.mine, &l.theirs, &l.frame, &l.piece, &l.action[0], &l.action[1], &l.action[2], &l.cards[0], &l.cards[1]} {
			flip(r)
		}
	}
	return l
}

// order puts the confirming button under the thumb of the hand in use.
func order(e *Env, l *matchLayout, rects []Rect) {
	if e.Settings.LeftHanded {
		rects[0], rects[2] = rects[2], rects[0]
	}
	l.action = [3]Rect{rects[0], rects[1], rects[2]}
}

// cellOf is the area of one cell of a board of n rows in a square.
func cellOf(r Rect, n, cell int) Rect {
	size := r.W / float64(n)
	return Rect{r.X + float64(cell%n)*size, r.Y + float64(cell/n)*size, size, size}
}

// frameCell returns the cell of the block's frame at a point.
func (l *matchLayout) frameCell(x, y float64) (int, bool) {
	if !l.frame.Has(x, y) {
		return 0, false
	}
	size := l.frame.W / duel.Frame
	return int((y-l.frame.Y)/size)*duel.Frame + int((x-l.frame.X)/size), true
}
