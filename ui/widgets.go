package ui

import (
	"image"
	"strings"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// absolute puts each widget where its layout data, a Rect, says.
type absolute struct{}

// PreferredSize is nothing: the screen's size is given.
func (absolute) PreferredSize([]widget.PreferredSizeLocateableWidget) (int, int) { return 0, 0 }

// Layout places the widgets.
func (absolute) Layout(ws []widget.PreferredSizeLocateableWidget, _ image.Rectangle) {
	for _, w := range ws {
		r := w.GetWidget().LayoutData.(Rect)
		w.SetLocation(image.Rect(int(r.X), int(r.Y), int(r.X+r.W), int(r.Y+r.H)))
	}
}

// picture is a widget that only shows something drawn by a function.
type picture struct {
	widget *widget.Widget
	w, h   int
	draw   func(dst *ebiten.Image, r Rect)
	words  string // what it says, for the Mirror
}

// saying gives a picture that shows words those words, for the Mirror.
func (p *picture) saying(words ...string) *picture {
	p.words = strings.Join(words, " ")
	return p
}

func newPicture(w, h float64, draw func(dst *ebiten.Image, r Rect)) *picture {
	return &picture{widget: widget.NewWidget(stretch()), w: int(w), h: int(h), draw: draw}
}

// GetWidget is the widget that ebitenui lays out.
func (p *picture) GetWidget() *widget.Widget { return p.widget }

// PreferredSize is the size that the picture was made for.
func (p *picture) PreferredSize() (int, int) { return p.w, p.h }

// SetLocation says where it is.
func (p *picture) SetLocation(r image.Rectangle) { p.widget.Rect = r }

// Validate has nothing to check.
func (p *picture) Validate() {}

// Render draws it.
func (p *picture) Render(dst *ebiten.Image) {
	r := p.widget.Rect
	p.draw(dst, Rect{float64(r.Min.X), float64(r.Min.Y), float64(r.Dx()), float64(r.Dy())})
}

// emblemRows are the two pieces of the game's sign, in a 4x4 frame.
var emblemRows = [2][4]string{{"##..", "#...", "##..", "...."}, {"..##", ".###", "..##", "...."}}

// emblem is the picture of the game: a block, that cleaves as it opens, and its
// name.
func (e *Env) emblem() *picture {
	size := min(e.Px(22)+max(0, (e.H-e.Px(640))*0.09), e.Px(40), e.W/12)
	return e.emblemOf(size, e.ColumnWidth(), Display)
}

// emblemOf is the emblem with cells of a size, in a width, and its name in a
// style.
func (e *Env) emblemOf(size, width float64, style Style) *picture {
	high := size*3.5 + e.Px(10) + e.Type.Line(style)
	return newPicture(width, high, func(dst *ebiten.Image, r Rect) {
		mid, _ := r.Mid()
		split := size * 0.5 * e.Opening()
		x, y := mid-size*2-split/2, r.Y+size*0.2
		for i, rows := range emblemRows {
			for row, cells := range rows {
				for col, c := range cells {
					if c == '#' {
						at := Rect{x + float64(col)*size + split*float64(i), y + float64(row)*size, size, size}
						e.cell(dst, at, e.Theme.Seat[i], seatPattern(e, i))
					}
				}
			}
		}
		e.Type.Draw(dst, "Cleave", mid, r.Y+high-e.Type.Line(style)/2, style, Centre, e.Theme.Ink)
	}).saying("Cleave")
}

func seatPattern(e *Env, who int) pattern {
	if !e.Theme.Patterns {
		return plain
	}
	return [2]pattern{stripes, dots}[who]
}

func partPattern(e *Env, part int) pattern {
	if !e.Theme.Patterns {
		return plain
	}
	return [2]pattern{cross, rings}[part]
}

// A dialogue is where the words and the buttons of a question stand.
type dialogue struct {
	rect    Rect
	lines   []string
	buttons []Rect
}

// ask lays out a question: a heading, a sentence, and buttons with labels, side
// by side where they fit.
func (e *Env) ask(text string, labels ...string) dialogue {
	w := min(e.W-2*e.Px(margin), e.Px(420)*max(1, e.textScale()*0.8))
	in := w - 2*e.Px(margin)
	q := dialogue{lines: e.Type.Wrap(text, Body, in)}
	each := (in - e.Px(gap)*float64(len(labels)-1)) / float64(len(labels))
	rows := 1
	for _, l := range labels {
		if e.Type.Width(l, Strong) > each-2*e.Px(tightPad) {
			rows = len(labels)
		}
	}
	high := e.actionHigh()
	least := 3*e.Px(margin) + float64(len(q.lines))*e.Type.Line(Body) + float64(rows)*(high+e.Px(gap)) - e.Px(gap)
	h := min(e.H-2*e.Px(8), least+e.Type.Line(Heading))
	q.rect = Rect{(e.W - w) / 2, (e.H - h) / 2, w, h}
	y := q.rect.Y + h - e.Px(margin) - high
	for i := range labels {
		at := Rect{q.rect.X + e.Px(margin), y, in, high}
		if rows == 1 {
			at.X, at.W = at.X+float64(i)*(each+e.Px(gap)), each
		} else {
			at.Y -= float64(len(labels)-1-i) * (high + e.Px(gap))
		}
		q.buttons = append(q.buttons, at)
	}
	return q
}

// dialogButtons is where the buttons of a question stand.
func (e *Env) dialogButtons(text string, labels ...string) []Rect {
	return e.ask(text, labels...).buttons
}

// dialog draws a question and the sentence below it.
func (e *Env) dialog(dst *ebiten.Image, asked, text string, labels ...string) {
	q := e.ask(text, labels...)
	e.Paint.Fill(dst, q.rect, e.Px(corner), e.Theme.Surface)
	e.Paint.Stroke(dst, q.rect, e.Px(corner), max(e.Px(1), 1), e.Theme.Edge)
	mid, _ := q.rect.Mid()
	y := q.rect.Y + e.Px(margin) + e.Type.Line(Heading)/2
	e.fitted(dst, asked, mid, y, q.rect.W-2*e.Px(margin), Centre, e.Theme.Ink, Heading, Strong, Small)
	y += (e.Type.Line(Heading) + e.Type.Line(Body)) / 2
	for _, line := range q.lines {
		e.Type.Draw(dst, line, mid, y, Body, Centre, e.Theme.Faint)
		y += e.Type.Line(Body)
	}
}
