package ui

import (
	"slices"

	"github.com/ebitenui/ebitenui/widget"
)

// levels of practice, easiest first.
var levels = []string{"beginner", "easy", "medium", "hard", "expert"}

// practice sets up a match against the computer.
type practice struct {
	menu
	choice PracticeChoice
	fault  error
}

func newPractice(w World) *practice {
	p := &practice{menu: menu{world: w, back: func() Scene { return newTitle(w) }}, choice: PracticeChoice{Level: "easy"}}
	p.screen.Build = p.build
	return p
}

func (p *practice) build(e *Env) (*widget.Container, widget.Focuser) {
	play := e.Button("practice.play", Primary, p.play)
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = e.T("level." + l)
	}
	content := []widget.PreferredSizeLocateableWidget{
		e.caption("practice.level"),
		e.Choice("level", names, slices.Index(levels, p.choice.Level), func(i int) { p.choice.Level = levels[i]; p.screen.Stale() }),
		e.Words(e.T("level."+p.choice.Level+"_is"), Small, e.Theme.Faint, e.ColumnWidth()),
		e.air(4),
		e.caption("practice.clocks"),
		e.Choice("clocks", []string{e.T("practice.clocks_off"), e.T("practice.clocks_on")}, index(p.choice.Clocks), func(i int) { p.choice.Clocks = i == 1; p.screen.Stale() }),
		e.air(4),
		play,
	}
	content = append(content, e.fault(p.fault)...)
	return p.sheet(e, e.T("practice.title"), play, content...)
}

func (p *practice) play() {
	seat, err := p.world.Practise(p.choice)
	if err != nil {
		p.fault = err
		p.screen.Stale()
		return
	}
	p.next = newMatch(p.world, seat)
}

// Update waits for a choice.
func (p *practice) Update(e *Env, c *Controls) Scene { return p.update(p, e, c) }

// pair sets up a match of two players at this device.
type pair struct {
	menu
	names  [2]string
	clocks bool
	fault  error
}

func newHotseat(w World) *pair {
	p := &pair{menu: menu{world: w, back: func() Scene { return newTitle(w) }}}
	p.names[0] = w.Account().Name
	p.screen.Build = p.build
	return p
}

func (p *pair) build(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	play := e.Button("pair.play", Primary, func() { p.play(e) })
	content := []widget.PreferredSizeLocateableWidget{
		e.Words(e.T("pair.explained"), Body, e.Theme.Faint, width),
		e.caption("pair.first"),
		e.Field("pair.first", p.names[0], e.T("pair.hint"), func(v string) { p.names[0] = v }, nil),
		e.caption("pair.second"),
		e.Field("pair.second", p.names[1], e.T("pair.hint"), func(v string) { p.names[1] = v }, nil),
		e.caption("practice.clocks"),
		e.Choice("clocks", []string{e.T("practice.clocks_off"), e.T("practice.clocks_on")}, index(p.clocks), func(i int) { p.clocks = i == 1; p.screen.Stale() }),
		e.air(4),
		play,
	}
	content = append(content, e.fault(p.fault)...)
	return p.sheet(e, e.T("pair.title"), play, content...)
}

func (p *pair) play(e *Env) {
	names := p.names
	for i, id := range [2]string{"pair.first", "pair.second"} {
		if names[i] == "" {
			names[i] = e.T(id)
		}
	}
	seat, err := p.world.Hotseat(names, p.clocks)
	if err != nil {
		p.fault = err
		p.screen.Stale()
		return
	}
	p.next = newMatch(p.world, seat)
}

// Update waits for the names.
func (p *pair) Update(e *Env, c *Controls) Scene { return p.update(p, e, c) }
