package ui

// soloLayout says where everything of a solo game is, in pixels.
type soloLayout struct {
	leave, hint, restart Rect
	name                 Rect // which game it is
	score                Rect
	extra                Rect // the streak or the combo
	banner               Rect // what is to do, or has just happened
	board                Rect
	tray                 Rect
	slots                [3]Rect
	centred              bool // the words stand in the middle of their areas
}

// soloSize is the rows and columns of a solo game's board.
const soloSize = 8

func layoutSolo(e *Env) soloLayout {
	if e.Portrait() {
		return layoutSoloPortrait(e, 0)
	}
	return layoutSoloLandscape(e)
}

// Portrait has the board above, and the hand below it, under the thumb. So much
// is left free below the hand.
func layoutSoloPortrait(e *Env, below float64) soloLayout {
	m, g, edge, key := e.Px(12), e.Px(8), e.Px(frameWidth), e.Px(target)
	var l soloLayout
	w := e.W - 2*m
	y := e.Px(8)
	l.leave = Rect{m, y, key, key}
	hint := e.hintWidth()
	l.restart = Rect{e.W - m - key, y, key, key}
	l.hint = Rect{l.restart.X - hint, y, hint, key}
	l.name = Rect{m + key + g, y, l.hint.X - m - key - 2*g, key}
	y += key + e.Px(2)
	high := max(e.Type.Line(Figure), e.Type.Line(Strong)+e.Type.Line(Small))
	l.score, l.extra = Rect{m, y, w*0.4 - g, high}, Rect{m + w*0.4, y, w * 0.6, high}
	y += high + e.Px(2)
	l.banner = Rect{m, y, w, e.bannerLines()*e.Type.Line(Small) + e.Px(2)}
	y += l.banner.H + g
	room := e.H - y - e.Px(10) - below
	// The hand is as high as three and a half cells, so that a bar of five is
	// seen as large as can be.
	side := min(w-2*edge, (room-g-2*edge)/(1+2.7/soloSize))
	l.board = Rect{(e.W - side) / 2, y + edge, side, side}
	top := l.board.Y + side + edge + g
	l.tray = Rect{m, top, w, min(e.H-top-e.Px(10)-below, e.Px(150))}
	for i := range l.slots {
		third := (w - 2*g) / 3
		l.slots[i] = Rect{m + float64(i)*(third+g), top, third, l.tray.H}
	}
	return l
}

// bannerLines is how many lines of words a game shows above its board.
func (e *Env) bannerLines() float64 {
	if e.textScale() <= 1.2 {
		return 2
	}
	return 3
}

// hintWidth is the width of the button for a hint: its icon and a number.
func (e *Env) hintWidth() float64 {
	return max(e.Px(target), e.Px(34)+e.Type.Width("3", Strong)+e.Px(12))
}

// Landscape has three columns: the words, the board, the hand.
func layoutSoloLandscape(e *Env) soloLayout {
	m, g, edge, key := e.Px(16), e.Px(16), e.Px(frameWidth), e.Px(target)
	l := soloLayout{centred: true}
	text := e.textScale()
	words := max(e.W*0.22, e.Px(150)*min(text, 1.7))
	hand := max(e.W*0.15, e.Px(96))
	side := min(e.H-2*m-2*edge, e.W-2*m-2*g-words-hand-2*edge)
	x := (e.W - words - hand - side - 2*edge - 2*g) / 2
	top := (e.H - side) / 2
	left := Rect{x, max(top-edge, m), words, min(side+2*edge, e.H-2*m)}
	if left.H < e.Px(380)*text {
		left.Y, left.H = m, e.H-2*m // all the height there is, for words
	}
	l.board = Rect{x + words + g + edge, top, side, side}
	l.tray = Rect{l.board.X + side + edge + g, top - edge, hand, side + 2*edge}
	third := (l.tray.H - 2*e.Px(8)) / 3
	for i := range l.slots {
		l.slots[i] = Rect{l.tray.X, l.tray.Y + float64(i)*(third+e.Px(8)), hand, third}
	}
	if e.Settings.LeftHanded {
		l.tray.X = x
		for i := range l.slots {
			l.slots[i].X = x
		}
		l.board.X = x + hand + g + edge
		left.X = l.board.X + side + edge + g
	}
	y := left.Y
	l.leave = Rect{left.X, y, key, key}
	hint := e.hintWidth()
	l.restart = Rect{left.X + left.W - key, y, key, key}
	l.hint = Rect{l.restart.X - hint, y, hint, key}
	y += key + e.Px(6)
	score, extra := e.Type.Line(Display), e.Type.Line(Strong)+e.Type.Line(Small)
	if left.H < e.Px(380)*text {
		// A low screen has no name and no pieces, and a smaller score.
		score, extra = e.Type.Line(Heading), e.Type.Line(Strong)
	} else {
		l.name = Rect{left.X, y, left.W, e.Type.Line(Strong)}
		y += l.name.H + e.Px(4)
	}
	l.score = Rect{left.X, y, left.W, score}
	y += l.score.H + e.Px(4)
	l.extra = Rect{left.X, y, left.W, extra}
	y += l.extra.H + e.Px(8)
	l.banner = Rect{left.X, y, left.W, left.Y + left.H - y}
	return l
}

// slotAt is the slot of the hand at a point.
func (l *soloLayout) slotAt(x, y float64) (int, bool) {
	for i, r := range l.slots {
		if r.Has(x, y) {
			return i, true
		}
	}
	return 0, false
}

// reach is how many cells below the board a press still belongs to it, so that
// the last row can be reached by a finger that must not hide it.
const reach = 3

// pressable is where a press belongs to the board.
func (l *soloLayout) pressable() Rect {
	r := l.board
	r.H += reach * r.W / soloSize
	return r
}

// lift is how many cells above a finger the lowest row of its piece rides: two,
// and less where the screen ends too soon below the board.
func (l *soloLayout) lift(e *Env, y float64) float64 {
	const lift = 2.0
	cell := l.board.W / soloSize
	// The lowest point at which a finger is surely felt, and where the last
	// row is reached with the whole lift, in cells from the board's top.
	lowest := (e.H-e.Px(6)-l.board.Y)/cell - 0.25
	const last = soloSize - 0.5
	if lowest >= last+lift {
		return lift
	}
	const over = 3 // cells in which the lift gives way
	at := (y - l.board.Y) / cell
	t := min(max((at-(lowest-over))/over, 0), 1)
	return lift + t*(lowest-last-lift)
}
