package ui

import (
	"image"
	"math"

	"github.com/ebitenui/ebitenui/widget"
)

// A scroller is a column that is moved up and down where it is higher than its
// place. That place is then as high as the screen, which cuts off what lies
// beyond it: no picture as large as the screen is needed to draw it by.
type scroller struct {
	*widget.Container
	ScrollTop float64 // 0 at the top to 1 at the bottom
	column    *widget.Container
}

func newScroller(column *widget.Container) *scroller {
	s := &scroller{column: column}
	s.Container = widget.NewContainer(widget.ContainerOpts.Layout(scrollLayout{s}))
	s.AddChild(column)
	return s
}

// scrollTo moves the column.
func (s *scroller) scrollTo(top float64) {
	if top = min(max(top, 0), 1); top != s.ScrollTop {
		s.ScrollTop = top
		s.RequestRelayout()
	}
}

// ViewRect is the place of the column on the screen.
func (s *scroller) ViewRect() image.Rectangle { return s.GetWidget().Rect }

// ContentRect is where the column lies, in and beyond its place.
func (s *scroller) ContentRect() image.Rectangle { return s.column.GetWidget().Rect }

type scrollLayout struct{ s *scroller }

// PreferredSize is the column's.
func (l scrollLayout) PreferredSize([]widget.PreferredSizeLocateableWidget) (int, int) {
	return l.s.column.PreferredSize()
}

// Layout gives the column its height, and at least the width of its place.
func (l scrollLayout) Layout(_ []widget.PreferredSizeLocateableWidget, r image.Rectangle) {
	w, h := l.s.column.PreferredSize()
	y := r.Min.Y - int(math.Round(float64(h-r.Dy())*l.s.ScrollTop))
	l.s.column.SetLocation(image.Rect(r.Min.X, y, r.Min.X+max(w, r.Dx()), y+h))
}
