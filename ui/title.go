package ui

import (
	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// title is the first screen: what one can play.
type title struct {
	screen Screen
	world  World
	next   Scene
}

func newTitle(w World) *title {
	t := &title{world: w}
	go1 := func(to func() Scene) func() { return func() { t.next = to() } }
	t.screen.Build = func(e *Env) (*widget.Container, widget.Focuser) {
		practise := e.Button("title.practice", Primary, go1(func() Scene { return newPractice(w) }))
		root, scroll := e.Page(
			e.emblem(),
			e.Centred(e.T("title.motto"), Body, e.Theme.Faint, e.ColumnWidth()),
			practise,
		)
		t.screen.Scroll = scroll
		return root, practise
	}
	return t
}

// Update waits for a choice.
func (t *title) Update(e *Env, c *Controls) Scene {
	t.next = t
	t.screen.Update(e, c)
	return t.next
}

// Draw draws the widgets.
func (t *title) Draw(e *Env, dst *ebiten.Image) { t.screen.Draw(e, dst) }
