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

// emblem is the picture of the game: a block, cloven, and its name.
func (e *Env) emblem() *picture {
	size := min(e.Px(22)+max(0, (e.H-e.Px(640))*0.09), e.Px(40), e.W/12)
	high := size*3.5 + e.Px(10) + e.Type.Line(Display)
	return newPicture(e.ColumnWidth(), high, func(dst *ebiten.Image, r Rect) {
		mid, _ := r.Mid()
		split := size * 0.3
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
		e.Type.Draw(dst, "Cleave", mid, r.Y+high-e.Type.Line(Display)/2, Display, Centre, e.Theme.Ink)
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

// dialogRect is where a question stands: as high as its words and a row of
// buttons.
func (e *Env) dialogRect(lines int) Rect {
	w := min(e.W-2*e.Px(margin), e.Px(420)*max(1, e.textScale()*0.8))
	h := min(e.H-2*e.Px(8), 3*e.Px(margin)+e.Type.Line(Heading)+float64(lines)*e.Type.Line(Body)+e.actionHigh())
	return Rect{(e.W - w) / 2, (e.H - h) / 2, w, h}
}

// dialogLines breaks the sentence of a question.
func (e *Env) dialogLines(text string) []string {
	return e.Type.Wrap(text, Body, e.dialogRect(0).W-2*e.Px(margin))
}

// dialog draws a question and the sentence below it, above where the buttons
// are.
func (e *Env) dialog(dst *ebiten.Image, question, text string) {
	lines := e.dialogLines(text)
	d := e.dialogRect(len(lines))
	e.Paint.Fill(dst, d, e.Px(corner), e.Theme.Surface)
	e.Paint.Stroke(dst, d, e.Px(corner), max(e.Px(1), 1), e.Theme.Edge)
	mid, _ := d.Mid()
	y := d.Y + e.Px(margin) + e.Type.Line(Heading)/2
	e.fitted(dst, question, mid, y, d.W-2*e.Px(margin), Centre, e.Theme.Ink, Heading, Strong, Small)
	y += (e.Type.Line(Heading) + e.Type.Line(Body)) / 2
	for _, line := range lines {
		e.Type.Draw(dst, line, mid, y, Body, Centre, e.Theme.Faint)
		y += e.Type.Line(Body)
	}
}

// dialogButtons is the row below the words of a question.
func (e *Env) dialogButtons(text string) Rect {
	d := e.dialogRect(len(e.dialogLines(text)))
	h := e.actionHigh()
	return Rect{d.X + e.Px(margin), d.Y + d.H - e.Px(margin) - h, d.W - 2*e.Px(margin), h}
}
