package ui

import (
	"slices"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// levels of practice, easiest first.
var levels = []string{"beginner", "easy", "medium", "hard", "expert"}

// practice sets up a match against the computer.
type practice struct {
	screen Screen
	world  World
	next   Scene
	choice PracticeChoice
	fault  string
}

func newPractice(w World) *practice {
	p := &practice{world: w, choice: PracticeChoice{Level: "easy"}}
	p.screen.Build = p.build
	return p
}

func (p *practice) build(e *Env) (*widget.Container, widget.Focuser) {
	play := e.Button("practice.play", Primary, func() { p.play() })
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = e.T("level." + l)
	}
	clocks := 1
	if p.choice.Clocks {
		clocks = 0
	}
	content := []widget.PreferredSizeLocateableWidget{
		e.Title("practice.title", e.ColumnWidth()),
		e.Words(e.T("practice.level"), Small, e.Theme.Faint, e.ColumnWidth()),
		e.Choice("level", names, slices.Index(levels, p.choice.Level), func(i int) { p.choice.Level = levels[i]; p.screen.Stale() }),
		e.Words(e.T("practice.clocks"), Small, e.Theme.Faint, e.ColumnWidth()),
		e.Choice("clocks", []string{e.T("practice.clocks_on"), e.T("practice.clocks_off")}, clocks, func(i int) { p.choice.Clocks = i == 0; p.screen.Stale() }),
		play,
		e.Button("back", Quiet, func() { p.next = newTitle(p.world) }),
	}
	if p.fault != "" {
		content = append(content, e.Words(p.fault, Body, e.Theme.Danger, e.ColumnWidth()))
	}
	root, scroll := e.Page(content...)
	p.screen.Scroll = scroll
	return root, play
}

func (p *practice) play() {
	seat, err := p.world.Practise(p.choice)
	if err != nil {
		p.fault = err.Error()
		p.screen.Stale()
		return
	}
	p.next = newMatch(p.world, seat)
}

// Update waits for a choice.
func (p *practice) Update(e *Env, c *Controls) Scene {
	p.next = p
	if c.take(Back) {
		return newTitle(p.world)
	}
	p.screen.Update(e, c)
	return p.next
}

// Draw draws the widgets.
func (p *practice) Draw(e *Env, dst *ebiten.Image) { p.screen.Draw(e, dst) }
