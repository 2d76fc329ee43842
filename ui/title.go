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

// sheet is a page with a name and a way back. Without a first widget the way
// back has the focus.
func (m *menu) sheet(e *Env, title string, first widget.Focuser, content ...widget.PreferredSizeLocateableWidget) (*widget.Container, widget.Focuser) {
	head, arrow := e.head(title, func() { m.next = m.back() })
	root, scroll := e.page(e.Px(72), append([]widget.PreferredSizeLocateableWidget{head}, content...))
	m.screen.Scroll = scroll
	if first == nil {
		first = arrow
	}
	return root, first
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
	content := []widget.PreferredSizeLocateableWidget{e.emblem(), e.Centred(e.T("title.motto"), Body, e.Theme.Faint, e.ColumnWidth()), e.air(4)}
	first := practise
	if w.HasUnfinished() {
		first = e.Button("title.resume", Primary, t.resume)
		practise = e.Button("title.practice", Plain, t.to(func() Scene { return newPractice(w) }))
		content = append(content, first)
	}
	entry := func(id string, scene func() Scene) *tile { return e.Button(id, Plain, t.to(scene)) }
	content = append(content, practise, e.rows([]*tile{
		entry("title.lan", func() Scene { return newLobby(w, "lan") }),
		entry("title.internet", func() Scene { return newLobby(w, "server") }),
		entry("title.classic", func() Scene { return newSoloMenu(w, "classic") }),
		entry("title.streak", func() Scene { return newSoloMenu(w, "streak") }),
		entry("title.hotseat", func() Scene { return newHotseat(w) }),
		entry("title.learn", func() Scene { return newLearn(w) }),
		entry("title.history", func() Scene { return newHistory(w) }),
		entry("title.ladder", func() Scene { return newLadder(w) }),
		entry("title.account", func() Scene { return newAccount(w) }),
		entry("title.settings", func() Scene { return newSettings(w) }),
	}, 2, 1))
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
	name  string
	fault error
	then  func() Scene // where to go on, if not to the title
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
		e.Centred(e.T("welcome.ask"), Strong, e.Theme.Ink, width),
		e.Field("welcome.name", s.name, e.T("welcome.name"), func(v string) { s.name = v }, func() { s.save(s.name) }),
		begin,
		e.Button("welcome.skip", Quiet, func() { s.save("") }),
		e.Button("welcome.adopt", Quiet, s.to(func() Scene { return newAdopt(s.world, func() Scene { return newWelcome(s.world) }) })),
		e.air(8),
		e.Centred(e.T("welcome.device"), Small, e.Theme.Faint, width),
	}
	content = append(content, e.fault(s.fault)...)
	root, scroll := e.Page(content...)
	s.screen.Scroll = scroll
	return root, begin
}

func (s *welcome) save(name string) {
	if err := s.world.SetName(name); err != nil {
		s.fault = err
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
