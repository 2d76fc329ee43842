package ui

import (
	"image"
	"math"

	"github.com/ebitenui/ebitenui/widget"
)

// Page is a screen's root: its content in a column in the middle, scrolling
// when it is higher than the screen.
func (e *Env) Page(content ...widget.PreferredSizeLocateableWidget) (root *widget.Container, scroll *scroller) {
	return e.page(math.Inf(1), content)
}

// pinned is a Page at the top of the screen, so that its head is where those of
// all others are.
func (e *Env) pinned(content []widget.PreferredSizeLocateableWidget) (root *widget.Container, scroll *scroller) {
	return e.page(0, content)
}

// page is a Page whose top is at most so far from the screen's.
func (e *Env) page(top float64, content []widget.PreferredSizeLocateableWidget) (root *widget.Container, scroll *scroller) {
	column, scroll := e.scrolling(content)
	root = widget.NewContainer(widget.ContainerOpts.Layout(&pageLayout{env: e, content: column, top: top, width: e.ColumnWidth()}))
	root.AddChild(scroll.Container)
	return root, scroll
}

// scrolling is content in a column, within what scrolls it.
func (e *Env) scrolling(content []widget.PreferredSizeLocateableWidget) (*widget.Container, *scroller) {
	column := widget.NewContainer(
		widget.ContainerOpts.Layout(widget.NewRowLayout(
			widget.RowLayoutOpts.Direction(widget.DirectionVertical), widget.RowLayoutOpts.Spacing(e.px(gap)),
			widget.RowLayoutOpts.Padding(&widget.Insets{Top: e.px(margin), Bottom: e.px(margin)}))),
		widget.ContainerOpts.WidgetOpts(widget.WidgetOpts.MinSize(int(e.ColumnWidth()), 0)))
	column.AddChild(content...)
	return column, newScroller(column)
}

// beside is a Page with a picture on its left. It leads, or is told of after the
// page, to those who hear it.
func (e *Env) beside(left *picture, leads bool, content []widget.PreferredSizeLocateableWidget) (root *widget.Container, scroll *scroller) {
	column, scroll := e.scrolling(content)
	root = widget.NewContainer(widget.ContainerOpts.Layout(&besideLayout{env: e, left: left, content: column, width: e.ColumnWidth(), between: e.between()}))
	if leads {
		root.AddChild(left, scroll.Container)
	} else {
		root.AddChild(scroll.Container, left)
	}
	return root, scroll
}

// aside asks for room on the left of the page that is being built. It returns
// how wide that is, at most so much, and 0 where there is none: on a screen that
// is high, narrow, or has large words. The column is narrower for it where that
// is needed.
func (e *Env) aside(most float64) float64 {
	text := max(1, e.textScale()*0.8)
	if e.Portrait() || e.W < e.Px(600)*text {
		return 0
	}
	if !e.Wide() {
		e.narrow = max(e.W*0.55, e.Px(340)*text)
	}
	return min(most, e.W-2*e.Px(margin)-e.between()-e.ColumnWidth())
}

// between is the room between a picture and the column on its right.
func (e *Env) between() float64 {
	if e.Wide() {
		return e.Px(72)
	}
	return e.Px(24)
}

// besideLayout puts a picture and a column side by side in the middle of the
// screen.
type besideLayout struct {
	env            *Env
	left           *picture
	content        *widget.Container
	width, between float64
}

// PreferredSize is the whole screen.
func (b *besideLayout) PreferredSize([]widget.PreferredSizeLocateableWidget) (int, int) {
	return int(b.env.W), int(b.env.H)
}

// Layout gives both their own heights, the column the whole screen if it is
// higher.
func (b *besideLayout) Layout(ws []widget.PreferredSizeLocateableWidget, r image.Rectangle) {
	x := (b.env.W - float64(b.left.w) - b.between - b.width) / 2
	for _, w := range ws {
		if w == widget.PreferredSizeLocateableWidget(b.left) {
			y := r.Min.Y + (r.Dy()-b.left.h)/2
			w.SetLocation(image.Rect(int(x), y, int(x)+b.left.w, y+b.left.h))
			continue
		}
		_, height := b.content.PreferredSize()
		height = min(height, r.Dy())
		left, y := int(x+float64(b.left.w)+b.between), r.Min.Y+(r.Dy()-height)/2
		w.SetLocation(image.Rect(left, y, left+int(b.width), y+height))
	}
}

// ColumnWidth is the width of a page's column in pixels.
func (e *Env) ColumnWidth() float64 {
	wide := min(e.W-2*e.Px(margin), e.Px(measure)*max(1, e.textScale()*0.8))
	if e.narrow > 0 {
		return min(wide, e.narrow)
	}
	return wide
}

// pageLayout puts a page's column in the middle of the screen.
type pageLayout struct {
	env     *Env
	content *widget.Container
	top     float64
	width   float64
}

// PreferredSize is the whole screen.
func (p *pageLayout) PreferredSize([]widget.PreferredSizeLocateableWidget) (int, int) {
	return int(p.env.W), int(p.env.H)
}

// Layout gives the column its own height if it fits, else the whole screen.
func (p *pageLayout) Layout(ws []widget.PreferredSizeLocateableWidget, r image.Rectangle) {
	width := int(p.width)
	_, height := p.content.PreferredSize()
	height = min(height, r.Dy())
	x := r.Min.X + (r.Dx()-width)/2
	y := r.Min.Y + int(min(float64(r.Dy()-height)/2, p.top))
	for _, w := range ws {
		w.SetLocation(image.Rect(x, y, x+width, y+height))
	}
}
