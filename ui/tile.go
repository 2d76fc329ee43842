package ui

import (
	"image/color"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// A tile is a button that draws its own face: words that break where they are
// too long, an icon, or whatever a scene shows on it.
type tile struct {
	*widget.Button
	env   *Env
	kind  Kind
	label string
	icon  icon
	lines []string
	high  float64
	on    bool // of a Toggle
	lead  bool // the icon stands at the left end, and the words after it
	// paint draws the face in place of the label; ink is the colour of words.
	paint func(dst *ebiten.Image, r Rect, ink color.NRGBA)
}

// tile returns a button with a label, for the width of the page's column.
func (e *Env) tile(id, label string, k Kind, do func()) *tile {
	t := &tile{env: e, kind: k, label: label}
	t.Button = widget.NewButton(
		widget.ButtonOpts.Image(e.look(k).images),
		widget.ButtonOpts.DisableDefaultKeys(),
		widget.ButtonOpts.WidgetOpts(name(id), widget.WidgetOpts.MinSize(e.px(target), e.px(target)), stretch()),
		widget.ButtonOpts.ClickedHandler(func(*widget.ButtonClickedEventArgs) { do() }),
	)
	t.fit(e.ColumnWidth(), textPad)
	return t
}

// fit breaks the label for a width, less some design pixels at each end.
func (t *tile) fit(width, pad float64) {
	e := t.env
	t.lines = e.Type.Wrap(t.label, Strong, width-2*e.Px(pad))
	t.high = max(e.Px(target), float64(len(t.lines))*e.Type.Line(Strong)+e.Px(18))
}

// face gives a tile a height and a face of its own.
func (t *tile) face(high float64, paint func(dst *ebiten.Image, r Rect, ink color.NRGBA)) *tile {
	t.high, t.paint = max(high, t.env.Px(target)), paint
	return t
}

// with gives an action an icon, that stands alone where the words do not fit.
func (t *tile) with(k icon) *tile {
	t.icon = k
	return t
}

// PreferredSize is the least width, and the height of the words.
func (t *tile) PreferredSize() (w, h int) { return t.env.px(target), int(t.high + 0.5) }

// Focus does nothing: the Screen draws the ring, and an event of the button's own
// would reach the UI later than the next one's where it lies deeper, and take the
// focus from that.
func (t *tile) Focus(bool) {}

// ink is the colour of the words on a tile.
func (t *tile) ink() color.NRGBA {
	colours := t.env.look(t.kind)
	if t.GetWidget().Disabled {
		return colours.disabled
	}
	return colours.ink
}

// Render draws the button and its face.
func (t *tile) Render(dst *ebiten.Image) {
	t.Button.Render(dst)
	e, at := t.env, t.GetWidget().Rect
	r := Rect{float64(at.Min.X), float64(at.Min.Y), float64(at.Dx()), float64(at.Dy())}
	if e.pressed != nil {
		e.pressed(t, r)
	}
	if lip := e.look(t.kind).lip; !t.GetWidget().Disabled {
		r.H -= lip
	}
	ink := t.ink()
	if t.paint != nil {
		t.paint(dst, r, ink)
		return
	}
	if t.icon != noIcon {
		t.action(dst, r, ink)
		return
	}
	x, y := r.Mid()
	y -= e.Type.Line(Strong) * float64(len(t.lines)-1) / 2
	for _, line := range t.lines {
		e.Type.Draw(dst, line, x, y, Strong, Centre, ink)
		y += e.Type.Line(Strong)
	}
}

// action draws an icon with its word, or what of both there is room for.
func (t *tile) action(dst *ebiten.Image, r Rect, ink color.NRGBA) {
	e := t.env
	size := min(e.Px(20)*min(e.textScale(), 1.4), r.H*0.6)
	word, room := e.Type.Width(t.label, Strong), r.W-e.Px(16)
	x, y := r.Mid()
	if t.lead {
		left := r.X + e.Px(textPad)
		e.Paint.Icon(dst, t.icon, Rect{left, r.Y, size, r.H}, size, t.mark(ink))
		e.Type.Draw(dst, t.label, left+size+e.Px(10), y, Strong, Left, ink)
		return
	}
	switch {
	case t.label != "" && word+size+e.Px(8) <= room:
		left := x - (word+size+e.Px(8))/2
		e.Paint.Icon(dst, t.icon, Rect{left, r.Y, size, r.H}, size, ink)
		e.Type.Draw(dst, t.label, left+size+e.Px(8), y, Strong, Left, ink)
	case t.label != "" && word <= room:
		e.Type.Draw(dst, t.label, x, y, Strong, Centre, ink)
	default:
		e.Paint.Icon(dst, t.icon, r, size, ink)
	}
}

// mark is the colour of an icon beside words of a colour.
func (t *tile) mark(ink color.NRGBA) color.NRGBA {
	if t.kind == Plain && !t.GetWidget().Disabled {
		return t.env.Theme.Accent
	}
	return ink
}

// leads gives tiles in columns icons at their left ends, if there is room for
// all of them.
func (e *Env) leads(columns int, tiles ...*tile) bool {
	size := e.Px(20) * min(e.textScale(), 1.4)
	for _, t := range tiles {
		if e.Type.Width(t.label, Strong) > e.part(columns)-2*e.Px(textPad)-size-e.Px(10) {
			for _, t := range tiles {
				t.icon = noIcon
			}
			return false
		}
	}
	for _, t := range tiles {
		t.lead = true
	}
	return true
}

// Toggle is a line that is on or off.
func (e *Env) Toggle(id string, on bool, set func(bool)) *tile {
	t := e.tile(id, e.T(id), Plain, func() { set(!on) })
	t.on = on
	width := e.Px(46)
	lines := e.Type.Wrap(t.label, Body, e.ColumnWidth()-2*e.Px(textPad)-width-e.Px(gap))
	return t.face(float64(len(lines))*e.Type.Line(Body)+e.Px(18), func(dst *ebiten.Image, r Rect, ink color.NRGBA) {
		_, y := r.Mid()
		knob := Rect{r.X + r.W - e.Px(textPad) - width, y - e.Px(13), width, e.Px(26)}
		fill, dot, at := e.Theme.Faint, e.Theme.Surface, knob.X+e.Px(3)
		if on {
			fill, at = e.Theme.Accent, knob.X+knob.W-e.Px(23)
		}
		e.Paint.Fill(dst, knob, knob.H/2, fill)
		e.Paint.Fill(dst, Rect{at, knob.Y + e.Px(3), e.Px(20), e.Px(20)}, e.Px(10), dot)
		y -= e.Type.Line(Body) * float64(len(lines)-1) / 2
		for _, line := range lines {
			e.Type.Draw(dst, line, r.X+e.Px(textPad), y, Body, Left, ink)
			y += e.Type.Line(Body)
		}
	})
}

// spoken is what the tile says, for the Mirror.
func (t *tile) spoken() (label string, chosen bool) { return t.label, t.kind == Chosen || t.on }
