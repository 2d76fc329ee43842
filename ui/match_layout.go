package ui

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// matchLayout says where everything of a match is, in pixels. It depends on
// the size, the settings and one thing more: while one splits or chooses, the
// friend's board is as large as one's own, and the block or the two pieces have
// the room that is left.
type matchLayout struct {
	rounds Rect    // a line of one mark for each round
	head   Rect    // the round, and who splits next
	plates [2]Rect // name, total and clock: one's own, the friend's
	lead   Rect    // the difference, between the plates; none in landscape
	banner Rect    // what is to do
	mine   Rect    // one's own board
	theirs Rect    // the friend's
	block  Rect    // the block, or the piece to place
	cards  [2]Rect // the pieces to choose from
	action [3]Rect // three buttons; the last confirms
	leave  Rect
	hint   Rect
	pause  Rect

	centred bool // head and banner are in the middle of their areas
}

// frameWidth is how far the edge around a board or block lies outside it, in
// design pixels.
const frameWidth = 5

// layoutMatch lays a match out; lines is how many lines of the smallest text the
// banner has to hold at least.
func layoutMatch(e *Env, pieces bool, lines int) matchLayout {
	if e.Portrait() {
		return layoutPortrait(e, pieces, lines)
	}
	return layoutLandscape(e, pieces, lines)
}

// cut cuts a rectangle in two of one width, side by side.
func cut(r Rect, between float64) [2]Rect {
	w := (r.W - between) / 2
	return [2]Rect{{r.X, r.Y, w, r.H}, {r.X + w + between, r.Y, w, r.H}}
}

// square is the largest square in the middle of a rectangle.
func square(r Rect) Rect {
	side := min(r.W, r.H)
	return Rect{r.X + (r.W-side)/2, r.Y + (r.H-side)/2, side, side}
}

// actionHigh is the height of a button of a match.
func (e *Env) actionHigh() float64 { return max(e.Px(target), e.Type.Line(Strong)+e.Px(10)) }

// terse says that plates are too narrow for the seconds, which then stand
// beside what is to do.
func (e *Env) terse() bool { return (e.Portrait() || e.low()) && e.textScale() > 1.2 }

// total is the style of the totals.
func (e *Env) total() Style {
	switch {
	case e.terse():
		return Strong
	case e.Portrait() || e.low():
		return Heading
	}
	return Figure
}

// low says that a screen is so low that the plates stand beside the round.
func (e *Env) low() bool { return !e.Portrait() && e.H < e.Px(520)*min(e.textScale(), 1.3) }

// plateHigh is the height of a plate: its words, and the bar of the clock.
func (e *Env) plateHigh() float64 { return e.Type.Line(e.total()) + e.Px(18) }

// leadWidth is the width of the difference between two plates.
func (e *Env) leadWidth() float64 { return e.Type.Width("+00", Small) + e.Px(12) }

func layoutPortrait(e *Env, pieces bool, lines int) matchLayout {
	m, g, edge, key := e.Px(12), e.Px(8), e.Px(frameWidth), e.Px(target)
	var l matchLayout
	w := e.W - 2*m
	l.rounds = Rect{m, e.Px(6), w, e.Px(4)}
	y := e.Px(15)
	high := max(key, e.Type.Line(Strong)+e.Type.Line(Small))
	l.leave = Rect{m, y + (high-key)/2, key, key}
	l.pause = Rect{e.W - m - key, l.leave.Y, key, key}
	l.hint = Rect{l.pause.X - key, l.leave.Y, key, key}
	l.head = Rect{m + key + g, y, w - 3*key - 2*g, high}
	y += high + e.Px(2)
	lead := e.leadWidth()
	plates := cut(Rect{m, y, w, e.plateHigh()}, lead)
	l.plates = plates
	l.lead = Rect{plates[0].X + plates[0].W, y, lead, plates[0].H}
	y += plates[0].H + e.Px(4)
	l.banner = Rect{m, y, w, max(e.Type.Line(Body)*1.25, float64(max(lines, 2))*e.Type.Line(Small)+e.Px(2))}
	y += l.banner.H + e.Px(4)
	button := e.actionHigh()
	bottom := e.H - e.Px(10) - button
	l.action = sides(e, Rect{m, bottom, w, button}, g)
	room := Rect{m, y, w, bottom - y - g}
	if pieces {
		both := cut(Rect{room.X, room.Y, room.W, min((room.W-g)/2, room.H*0.5)}, g)
		l.mine, l.theirs = square(both[0].Inset(edge)), square(both[1].Inset(edge))
		low := Rect{room.X, room.Y + both[0].H + g, room.W, room.H - both[0].H - g}
		l.cards = cut(low, g)
		l.block = square(low)
		return l
	}
	upper := min(room.H*0.3, (room.W-g)/2)
	half := cut(Rect{room.X, room.Y, room.W, upper}, g)
	l.block, l.theirs = square(half[0]), square(half[1].Inset(edge))
	if e.Settings.LeftHanded {
		l.block, l.theirs = square(half[1]), square(half[0].Inset(edge))
	}
	l.mine = square(Rect{room.X, room.Y + upper + g, room.W, room.H - upper - g}.Inset(edge))
	return l
}

// Landscape has three columns: one's own board, the block and the buttons, the
// friend's board.
func layoutLandscape(e *Env, pieces bool, lines int) matchLayout {
	m, g, edge, key := e.Px(20), e.Px(20), e.Px(frameWidth), e.Px(target)
	l := matchLayout{centred: true}
	text := e.textScale()
	w := e.W - 2*m
	l.rounds = Rect{m, e.Px(8), w, e.Px(4)}
	y := e.Px(16)
	high := max(key, e.Type.Line(Strong)+e.Type.Line(Small))
	l.leave = Rect{m, y + (high-key)/2, key, key}
	l.pause = Rect{e.W - m - key, l.leave.Y, key, key}
	l.hint = Rect{l.pause.X - key, l.leave.Y, key, key}
	l.head = Rect{m + 2*key, y, w - 4*key, high}
	// On a low screen the plates stand beside the round.
	low, plate := e.low(), 0.0
	if low {
		all := Rect{l.leave.X + key + e.Px(4), y, l.hint.X - l.leave.X - key - e.Px(8), max(high, e.plateHigh())}
		middle := e.Type.Width(e.Say("match.round", "", 8), Strong) + e.Px(16)
		if text > 1.2 {
			middle = max(e.Type.Width(e.Say("match.round", "", 8), Small), e.Type.Width(e.Say("match.next_other", "", 0), Small)) + e.Px(12)
		}
		side := min(e.Px(260)*text, (all.W-middle)/2)
		high = all.H
		l.plates = [2]Rect{{all.X, y, side, high}, {all.X + all.W - side, y, side, high}}
		l.head = Rect{all.X + side + e.Px(4), y, all.W - 2*side - e.Px(8), high}
	} else {
		plate = e.plateHigh() + e.Px(12)
	}
	y += high + e.Px(8)
	room := Rect{m, y, w, e.H - y - e.Px(12)}
	middle := max(e.Px(180)*min(text, 1.6), w*0.22)
	if pieces {
		middle = max(middle, w*0.26)
	}
	mine := min(room.H-plate, (w-middle-2*g)*0.6)
	theirs := min((room.H-plate)*0.72, w-middle-2*g-mine)
	if pieces {
		mine = min(room.H-plate, (w-middle-2*g)/2)
		theirs = mine
	}
	button := e.actionHigh()
	banner := max(2*e.Type.Line(Body), float64(max(lines, 3))*e.Type.Line(Small)) + e.Px(8)
	buttons := 2*button + e.Px(8)
	if low {
		buttons = button
		banner = float64(max(lines, 2))*e.Type.Line(Small) + e.Px(4)
		g = e.Px(10)
	}
	least := banner + buttons + 2*g + min(middle, e.Px(220))
	tall := min(max(mine+plate, least), room.H)
	x, top := (e.W-mine-middle-theirs-2*g)/2, room.Y+(room.H-tall)*0.4
	board := Rect{x, top + plate + (tall-plate-mine)/2, mine, mine}
	l.mine = board.Inset(edge)
	l.theirs = Rect{x + mine + middle + 2*g, board.Y, theirs, theirs}.Inset(edge)
	if !low {
		l.plates = [2]Rect{{x, board.Y - plate, mine, plate - e.Px(12)}, {x + mine + middle + 2*g, board.Y - plate, theirs, plate - e.Px(12)}}
	}
	inner := Rect{x + mine + g, top, middle, tall}
	l.banner = Rect{inner.X, inner.Y, inner.W, banner}
	first := inner.Y + inner.H - buttons
	pair := cut(Rect{inner.X, first, inner.W, button}, e.Px(8))
	l.action = [3]Rect{pair[0], pair[1], {inner.X, first + button + e.Px(8), inner.W, button}}
	if low {
		l.action = sides(e, Rect{inner.X, first, inner.W, button}, e.Px(8))
	}
	upper := Rect{inner.X, inner.Y + banner + e.Px(8), inner.W, inner.H - banner - buttons - e.Px(8) - g}
	l.block = square(upper)
	half := (upper.H - e.Px(10)) / 2
	l.cards = [2]Rect{{upper.X, upper.Y, upper.W, half}, {upper.X, upper.Y + half + e.Px(10), upper.W, half}}
	if e.Settings.LeftHanded {
		l.mirror(e.W)
	}
	return l
}

// mirror swaps the sides of the boards and what is between them.
func (l *matchLayout) mirror(width float64) {
	for _, r := range [...]*Rect{&l.mine, &l.theirs, &l.block, &l.banner, &l.plates[0], &l.plates[1],
		&l.action[0], &l.action[1], &l.action[2], &l.cards[0], &l.cards[1]} {
		r.X = width - r.X - r.W
	}
}

// sides cuts a row into three buttons, the confirming one last, under the
// thumb of the hand in use. It is wider than the others.
func sides(e *Env, r Rect, between float64) [3]Rect {
	w := (r.W - 2*between) / 3.2
	b := [3]Rect{{r.X, r.Y, w, r.H}, {r.X + w + between, r.Y, w, r.H}, {r.X + 2*(w+between), r.Y, r.W - 2*(w+between), r.H}}
	if e.Settings.LeftHanded {
		for i := range b {
			b[i].X = r.X + r.W - (b[i].X - r.X) - b[i].W
		}
	}
	return b
}

// cellOf is the area of one cell of a board of n rows in a square.
func cellOf(r Rect, n, cell int) Rect {
	size := r.W / float64(n)
	return Rect{r.X + float64(cell%n)*size, r.Y + float64(cell/n)*size, size, size}
}

// grid is where the 4x4 frame of a block lies, so that the block is in the
// middle of its area, with air around it.
func (l *matchLayout) grid(b duel.Block) Rect {
	p := engine.NewPiece(b.Cells())
	in := l.block.Inset(l.block.W * 0.08)
	size := in.W / duel.Frame
	in.X += size * float64(duel.Frame-p.Width()) / 2
	in.Y += size * float64(duel.Frame-p.Height()) / 2
	return in
}

// frameCell returns the cell of the block's frame at a point.
func (l *matchLayout) frameCell(b duel.Block, x, y float64) (int, bool) {
	r := l.grid(b)
	if !r.Has(x, y) {
		return 0, false
	}
	size := r.W / duel.Frame
	return int((y-r.Y)/size)*duel.Frame + int((x-r.X)/size), true
}

// twoActions is the room of the three buttons for two.
func (l *matchLayout) twoActions(e *Env) [2]Rect {
	x0, y0 := l.action[0].X, l.action[0].Y
	x1, y1 := x0, y0
	for _, r := range l.action {
		x0, y0 = min(x0, r.X), min(y0, r.Y)
		x1, y1 = max(x1, r.X+r.W), max(y1, r.Y+r.H)
	}
	high := l.action[0].H
	if y1-y0 < 2*high {
		both := cut(Rect{x0, y0, x1 - x0, high}, e.Px(8))
		return [2]Rect{both[0], both[1]}
	}
	return [2]Rect{{x0, y1 - 2*high - e.Px(8), x1 - x0, high}, {x0, y1 - high, x1 - x0, high}}
}
