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

// emblem is the picture of the game: a block, cloven, and its name.
func (e *Env) emblem() *picture {
	size := e.Px(22)
	high := size*3.6 + e.Type.Line(Display)*1.2
	return newPicture(e.ColumnWidth(), high, func(dst *ebiten.Image, r Rect) {
		mid, _ := r.Mid()
		split := size * 0.28
		x, y := mid-size*2-split, r.Y+size*0.2
		for i, rows := range [2][3]string{{"##..", ".#..", ".##."}, {"..##", "..##", "...#"}} {
			for row, cells := range rows {
				for col, c := range cells {
					if c == '#' {
						off := split * float64(i*2)
						e.cell(dst, Rect{x + float64(col)*size + off, y + float64(row)*size + off*0.3, size, size}, e.Theme.Seat[i], seatPattern(e, i))
					}
				}
			}
		}
		e.Type.Draw(dst, "Cleave", mid, r.Y+high-e.Type.Line(Display)*0.6, Display, Centre, e.Theme.Ink)
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

// dialogRect is where a question stands.
func dialogRect(e *Env) Rect {
	w := min(e.W-2*e.Px(margin), e.Px(420)*max(1, e.textScale()*0.8))
	h := min(e.H-2*e.Px(margin), e.Px(150)+4*e.Type.Line(Body))
	return Rect{(e.W - w) / 2, (e.H - h) / 2, w, h}
}
