package ui

import (
	"image"
	"math"
	"slices"

	"github.com/ebitenui/ebitenui"
	"github.com/ebitenui/ebitenui/input"
	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// A Screen is the part of a scene that is made of widgets. It builds them, and
// builds them again when size, look or language change; it moves the focus and
// presses what has it.
type Screen struct {
	// Build returns the widgets, and the one that has the focus at first.
	Build func(e *Env) (root *widget.Container, first widget.Focuser)
	// Scroll is the part that scrolls, if any; Build sets it.
	Scroll *scroller

	ui      *ebitenui.UI
	built   int
	stale   bool
	reach   bool // what has the focus is to be brought into sight
	grab    bool // the next widgets take the focus, wherever it was
	showing bool // the ring around the focus
	dragY   float64
	drag    bool
	moved   bool
}

// Ask asks for other widgets, that take the focus: a question opens.
func (s *Screen) Ask() { s.stale, s.grab = true, true }

// Stale asks for the widgets to be built again.
func (s *Screen) Stale() { s.stale = true }

// Longer asks for the widgets to be built again with more of them, and for what
// has the focus to stay in sight.
func (s *Screen) Longer() { s.stale, s.reach = true, true }

// pointer lets ebitenui see the pointer of Controls.
type pointer struct{ c *Controls }

func (pointer) Update()                             {}
func (pointer) AfterUpdate()                        {}
func (pointer) Draw(*ebiten.Image)                  {}
func (pointer) AfterDraw(*ebiten.Image)             {}
func (p pointer) CursorPosition() (int, int)        { return int(p.c.X), int(p.c.Y) }
func (pointer) GetCursorImage(string) *ebiten.Image { return nil }
func (pointer) GetCursorOffset(string) image.Point  { return image.Point{} }
func (p pointer) MouseButtonPressed(b ebiten.MouseButton) bool {
	return b == ebiten.MouseButtonLeft && p.c.Down
}
func (p pointer) MouseButtonJustPressed(b ebiten.MouseButton) bool {
	return b == ebiten.MouseButtonLeft && p.c.Pressed
}
func (p pointer) MouseButtonJustReleased(b ebiten.MouseButton) bool {
	return b == ebiten.MouseButtonLeft && p.c.Released
}

func (s *Screen) ensure(e *Env) {
	if s.ui != nil && s.built == e.version && !s.stale {
		return
	}
	kept, fresh := "", s.ui == nil
	top := 0.0
	if s.ui != nil {
		if f := s.ui.GetFocusedWidget(); f != nil {
			kept = nameOf(f)
		}
		if s.Scroll != nil {
			top = s.Scroll.ScrollTop
		}
	}
	s.Scroll = nil
	e.narrow = 0
	root, first := s.Build(e)
	e.narrow = 0
	s.ui = &ebitenui.UI{Container: root, DisableDefaultFocus: true}
	s.built, s.stale = e.version, false
	if s.Scroll != nil && !fresh {
		s.Scroll.scrollTo(top)
	}
	if fresh {
		s.showing = !e.pointed
	}
	for _, f := range root.GetFocusers() {
		if kept != "" && nameOf(f) == kept && !s.grab {
			first = f
		}
	}
	if first != nil && (kept != "" || fresh || s.grab) {
		s.ui.SetFocusedWidget(first)
		s.reach = s.reach || fresh || s.grab
	}
	s.grab = false
	e.Redraw()
}

func nameOf(f widget.Focuser) string {
	id, _ := f.GetWidget().CustomData.(string)
	return id
}

// Focused is the name of the widget that has the focus, "" if none has.
func (s *Screen) Focused() string {
	if s.ui == nil || s.ui.GetFocusedWidget() == nil {
		return ""
	}
	return nameOf(s.ui.GetFocusedWidget())
}

// Typing reports whether a text field has the focus.
func (s *Screen) Typing() bool {
	if s.ui == nil {
		return false
	}
	_, typing := fieldOf(s.ui.GetFocusedWidget())
	return typing
}

// Update moves the focus, presses, scrolls, and lets the widgets see the
// pointer.
func (s *Screen) Update(e *Env, c *Controls) {
	s.ensure(e)
	if c.Any {
		e.Redraw()
	}
	if c.Keys || c.Pad {
		s.showing = true
	} else if c.Down {
		s.showing = false
	}
	s.scroll(e, c)
	for _, d := range [...]struct {
		a      Action
		dx, dy float64
	}{{Up, 0, -1}, {Down, 0, 1}, {LeftWard, -1, 0}, {RightWard, 1, 0}} {
		if c.take(d.a) {
			s.step(d.dx, d.dy)
		}
	}
	if c.take(Next) {
		s.along(1)
	}
	if c.take(Previous) {
		s.along(-1)
	}
	if c.Did(Accept) || c.Did(Confirm) {
		switch f := s.ui.GetFocusedWidget().(type) {
		case interface{ Click() }:
			c.take(Accept)
			c.take(Confirm)
			f.Click()
		case interface{ Submit() }: // a text field
			c.take(Accept)
			c.take(Confirm)
			f.Submit()
		}
	}
	input.SetCursorUpdater(pointer{c})
	s.ui.Update()
	if s.reach && s.Scroll != nil && !s.Scroll.ContentRect().Empty() {
		s.reach = false
		s.reveal()
		e.Redraw()
	}
	s.settle()
	s.ensure(e)
}

// settle gives the focus to a tile rather than to the button within it, which
// takes it when it is pressed.
func (s *Screen) settle() {
	f := s.ui.GetFocusedWidget()
	b, ok := f.(*widget.Button)
	if !ok {
		return
	}
	for _, t := range s.ui.Container.GetFocusers() {
		if t.GetWidget() == b.GetWidget() {
			s.ui.SetFocusedWidget(t)
			return
		}
	}
}

// along moves the focus to the widget after or before, in the order of the
// screen, and round at its ends.
func (s *Screen) along(by int) {
	all, at := s.ui.Container.GetFocusers(), -1
	if len(all) == 0 {
		return
	}
	if f := s.ui.GetFocusedWidget(); f != nil {
		at = slices.IndexFunc(all, func(o widget.Focuser) bool { return o.GetWidget() == f.GetWidget() })
	}
	if at < 0 && by < 0 {
		at = 0
	}
	s.ui.SetFocusedWidget(all[(at+by+len(all))%len(all)])
	s.reveal()
}

// step moves the focus to the nearest widget in a direction.
func (s *Screen) step(dx, dy float64) {
	from := s.ui.GetFocusedWidget()
	if from == nil {
		s.along(1)
		return
	}
	at := centre(from.GetWidget().Rect)
	var best widget.Focuser
	bestCost := math.Inf(1)
	for _, f := range s.ui.Container.GetFocusers() {
		if f.GetWidget() == from.GetWidget() || f.GetWidget().Disabled {
			continue
		}
		to := centre(f.GetWidget().Rect)
		along := (to[0]-at[0])*dx + (to[1]-at[1])*dy
		across := math.Abs((to[0]-at[0])*dy) + math.Abs((to[1]-at[1])*dx)
		if along < 1 {
			continue
		}
		if cost := along + 2*across; cost < bestCost {
			best, bestCost = f, cost
		}
	}
	if best != nil {
		s.ui.SetFocusedWidget(best)
		s.reveal()
	}
}

func centre(r image.Rectangle) [2]float64 {
	return [2]float64{float64(r.Min.X+r.Max.X) / 2, float64(r.Min.Y+r.Max.Y) / 2}
}

// scroll follows the wheel and a dragging finger.
func (s *Screen) scroll(e *Env, c *Controls) {
	if s.Scroll == nil {
		return
	}
	view, content := s.Scroll.ViewRect(), s.Scroll.ContentRect()
	room := float64(content.Dy() - view.Dy())
	if room <= 0 {
		s.Scroll.scrollTo(0)
		return
	}
	by := -c.Wheel * e.Px(48)
	switch {
	case c.Pressed:
		s.drag, s.moved, s.dragY = true, false, c.Y
	case s.drag && c.Down && (s.moved || math.Abs(c.Y-s.dragY) > e.Px(10)):
		by += s.dragY - c.Y
		s.dragY, s.moved = c.Y, true
	case !c.Down:
		s.drag = false
	}
	if by != 0 {
		s.Scroll.scrollTo(s.Scroll.ScrollTop + by/room)
		e.Redraw()
	}
}

// reveal scrolls so that what has the focus is seen.
func (s *Screen) reveal() {
	f := s.ui.GetFocusedWidget()
	if s.Scroll == nil || f == nil {
		return
	}
	view, content, r := s.Scroll.ViewRect(), s.Scroll.ContentRect(), f.GetWidget().Rect
	room := float64(content.Dy() - view.Dy())
	if room <= 0 {
		return
	}
	by := 0.0
	if r.Min.Y < view.Min.Y {
		by = float64(r.Min.Y - view.Min.Y - r.Dy()/2)
	} else if r.Max.Y > view.Max.Y {
		by = float64(r.Max.Y - view.Max.Y + r.Dy()/2)
	}
	s.Scroll.scrollTo(s.Scroll.ScrollTop + by/room)
}

// Draw draws the widgets and the ring around the focus.
func (s *Screen) Draw(e *Env, dst *ebiten.Image) {
	s.ensure(e)
	s.ui.Draw(dst)
	if f := s.ui.GetFocusedWidget(); f != nil && s.showing {
		r := f.GetWidget().Rect
		ring := Rect{float64(r.Min.X), float64(r.Min.Y), float64(r.Dx()), float64(r.Dy())}.Inset(-e.Px(4))
		e.Paint.Stroke(dst, ring, e.Px(corner+4), e.Px(2.5), e.Theme.Accent)
	}
}
