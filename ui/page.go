package ui

import (
	"image"
	"image/color"
	"math"

	eimage "github.com/ebitenui/ebitenui/image"
	"github.com/ebitenui/ebitenui/widget"
)

// Page is a screen's root: its content in a column in the middle, scrolling
// when it is higher than the screen.
func (e *Env) Page(content ...widget.PreferredSizeLocateableWidget) (root *widget.Container, scroll *widget.ScrollContainer) {
	return e.page(math.Inf(1), content)
}

// page is a Page whose top is at most so far from the screen's.
func (e *Env) page(top float64, content []widget.PreferredSizeLocateableWidget) (root *widget.Container, scroll *widget.ScrollContainer) {
	column, scroll := e.scrolling(content)
	root = widget.NewContainer(widget.ContainerOpts.Layout(&pageLayout{env: e, content: column, top: top}))
	root.AddChild(scroll)
	return root, scroll
}

// scrolling is content in a column, within what scrolls it.
func (e *Env) scrolling(content []widget.PreferredSizeLocateableWidget) (column *widget.Container, scroll *widget.ScrollContainer) {
	column = widget.NewContainer(
		widget.ContainerOpts.Layout(widget.NewRowLayout(
			widget.RowLayoutOpts.Direction(widget.DirectionVertical), widget.RowLayoutOpts.Spacing(e.px(gap)),
			widget.RowLayoutOpts.Padding(&widget.Insets{Top: e.px(margin), Bottom: e.px(margin)}))),
		widget.ContainerOpts.WidgetOpts(widget.WidgetOpts.MinSize(int(e.ColumnWidth()), 0)))
	column.AddChild(content...)
	none := eimage.NewNineSliceColor(color.NRGBA{})
	scroll = widget.NewScrollContainer(
		widget.ScrollContainerOpts.Content(column),
		widget.ScrollContainerOpts.StretchContentWidth(),
		widget.ScrollContainerOpts.WidgetOpts(widget.WidgetOpts.CustomData(column)), // for the Mirror
		widget.ScrollContainerOpts.Image(&widget.ScrollContainerImage{Idle: none, Disabled: none, Mask: eimage.NewNineSliceColor(color.White)}),
	)
	return column, scroll
}

// beside is a Page with a picture on its left.
func (e *Env) beside(left *picture, content []widget.PreferredSizeLocateableWidget) (root *widget.Container, scroll *widget.ScrollContainer) {
	column, scroll := e.scrolling(content)
	root = widget.NewContainer(widget.ContainerOpts.Layout(&besideLayout{env: e, left: left, content: column}))
	root.AddChild(left, scroll)
	return root, scroll
}

// besideLayout puts a picture and a column side by side in the middle of the
// screen.
type besideLayout struct {
	env     *Env
	left    *picture
	content *widget.Container
}

// PreferredSize is the whole screen.
func (b *besideLayout) PreferredSize([]widget.PreferredSizeLocateableWidget) (int, int) {
	return int(b.env.W), int(b.env.H)
}

// Layout gives both their own heights, the column the whole screen if it is
// higher.
func (b *besideLayout) Layout(ws []widget.PreferredSizeLocateableWidget, r image.Rectangle) {
	e := b.env
	between, width := e.Px(72), e.ColumnWidth()
	x := (e.W - float64(b.left.w) - between - width) / 2
	for _, w := range ws {
		if w == widget.PreferredSizeLocateableWidget(b.left) {
			y := r.Min.Y + (r.Dy()-b.left.h)/2
			w.SetLocation(image.Rect(int(x), y, int(x)+b.left.w, y+b.left.h))
			continue
		}
		_, height := b.content.PreferredSize()
		height = min(height, r.Dy())
		left, y := int(x+float64(b.left.w)+between), r.Min.Y+(r.Dy()-height)/2
		w.SetLocation(image.Rect(left, y, left+int(width), y+height))
	}
}

// ColumnWidth is the width of a page's column in pixels.
func (e *Env) ColumnWidth() float64 {
	return min(e.W-2*e.Px(margin), e.Px(measure)*max(1, e.textScale()*0.8))
}

// pageLayout puts a page's column in the middle of the screen.
type pageLayout struct {
	env     *Env
	content *widget.Container
	top     float64
}

// PreferredSize is the whole screen.
func (p *pageLayout) PreferredSize([]widget.PreferredSizeLocateableWidget) (int, int) {
	return int(p.env.W), int(p.env.H)
}

// Layout gives the column its own height if it fits, else the whole screen.
func (p *pageLayout) Layout(ws []widget.PreferredSizeLocateableWidget, r image.Rectangle) {
	width := int(p.env.ColumnWidth())
	_, height := p.content.PreferredSize()
	height = min(height, r.Dy())
	x := r.Min.X + (r.Dx()-width)/2
	y := r.Min.Y + int(min(float64(r.Dy()-height)/2, p.top))
	for _, w := range ws {
		w.SetLocation(image.Rect(x, y, x+width, y+height))
	}
}
