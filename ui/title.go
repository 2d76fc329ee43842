package ui

import (
	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// menu is what the scenes of widgets have in common: a Screen, the world, and
// where to go next.
type menu struct {
	screen Screen
	world  World
	next   Scene
	back   func() Scene // nil where there is nowhere to go back to
}

// to returns a function that goes to a scene.
func (m *menu) to(scene func() Scene) func() { return func() { m.next = scene() } }

// update runs the widgets; self is the scene that the menu is part of.
func (m *menu) update(self Scene, e *Env, c *Controls) Scene {
	m.next = self
	if m.back != nil && c.take(Back) {
		return m.back()
	}
	m.screen.Update(e, c)
	return m.next
}

// Draw draws the widgets.
func (m *menu) Draw(e *Env, dst *ebiten.Image) { m.screen.Draw(e, dst) }

// Typing reports whether a text field has the focus.
func (m *menu) Typing() bool { return m.screen.Typing() }

// backButton goes back.
func (m *menu) backButton(e *Env) *widget.Button {
	return e.Button("back", Quiet, func() { m.next = m.back() })
}

// Start is the scene that the game begins with: the title, or at the very
// first start the question for a name.
func Start(w World) Scene {
	if w.Account().Fresh {
		return newWelcome(w)
	}
	return newTitle(w)
}

// title is what one can play.
type title struct {
	menu
	table Table // of a match that is not finished
}

func newTitle(w World) *title {
	t := &title{menu: menu{world: w}}
	w.Deafen()
	t.screen.Build = t.build
	return t
}

func (t *title) build(e *Env) (*widget.Container, widget.Focuser) {
	w := t.world
	practise := e.Button("title.practice", Primary, t.to(func() Scene { return newPractice(w) }))
	content := []widget.PreferredSizeLocateableWidget{
		e.emblem(),
		e.Centred(e.T("title.motto"), Body, e.Theme.Faint, e.ColumnWidth()),
		practise,
		e.menuOf(
			entry{"title.lan", t.to(func() Scene { return newLobby(w, "lan") })},
			entry{"title.internet", t.to(func() Scene { return newLobby(w, "server") })},
			entry{"title.hotseat", t.to(func() Scene { return newHotseat(w) })},
			entry{"title.learn", t.to(func() Scene { return newLearn(w) })},
			entry{"title.history", t.to(func() Scene { return newHistory(w) })},
			entry{"title.ladder", t.to(func() Scene { return newLadder(w) })},
			entry{"title.account", t.to(func() Scene { return newAccount(w) })},
			entry{"title.settings", t.to(func() Scene { return newSettings(w) })},
		),
	}
	first := practise
	if w.HasUnfinished() {
		first = e.Button("title.resume", Primary, t.resume)
		content = append(content[:2:2], append([]widget.PreferredSizeLocateableWidget{first}, content[2:]...)...)
	}
	root, scroll := e.Page(content...)
	t.screen.Scroll = scroll
	return root, first
}

func (t *title) resume() {
	if table, ok := t.world.Unfinished(); ok {
		t.next = newWaiting(t.world, table)
		return
	}
	t.screen.Stale()
}

// Update waits for a choice.
func (t *title) Update(e *Env, c *Controls) Scene { return t.update(t, e, c) }

// welcome is the first start: a name, or none.
type welcome struct {
	menu
	name, fault string
	then        func() Scene // where to go on, if not to the title
}

func newWelcome(w World) *welcome {
	s := &welcome{menu: menu{world: w}}
	s.screen.Build = s.build
	return s
}

func (s *welcome) build(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	begin := e.Button("welcome.begin", Primary, func() { s.save(s.name) })
	content := []widget.PreferredSizeLocateableWidget{
		e.emblem(),
		e.Centred(e.T("welcome.ask"), Body, e.Theme.Ink, width),
		e.Field("welcome.name", s.name, e.T("welcome.name"), func(v string) { s.name = v }, func() { s.save(s.name) }),
		begin,
		e.Button("welcome.skip", Quiet, func() { s.save("") }),
		e.Words(e.T("welcome.device"), Small, e.Theme.Faint, width),
	}
	if s.fault != "" {
		content = append(content, e.Words(s.fault, Body, e.Theme.Danger, width))
	}
	root, scroll := e.Page(content...)
	s.screen.Scroll = scroll
	return root, begin
}

func (s *welcome) save(name string) {
	if err := s.world.SetName(name); err != nil {
		s.fault = err.Error()
		s.screen.Stale()
		return
	}
	s.next = newTitle(s.world)
	if s.then != nil {
		s.next = s.then()
	}
}

// Update waits for a name.
func (s *welcome) Update(e *Env, c *Controls) Scene { return s.update(s, e, c) }
