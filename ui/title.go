package ui

import (
	"image/color"

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
	root, scroll := e.pinned(append([]widget.PreferredSizeLocateableWidget{head}, content...))
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
	left := e.aside(e.Px(400))
	practise := e.Button("title.practice", Primary, t.to(func() Scene { return newPractice(w) })).with(iconPlay)
	var content []widget.PreferredSizeLocateableWidget
	first := practise
	if w.HasUnfinished() {
		first = e.Button("title.resume", Primary, t.resume)
		practise = e.Button("title.practice", Plain, t.to(func() Scene { return newPractice(w) })).with(iconPlay)
		content = append(content, first)
	}
	entry := func(id string, k icon, scene func() Scene) *tile { return e.Button(id, Plain, t.to(scene)).with(k) }
	duel := []*tile{
		entry("title.lan", iconNear, func() Scene { return newLobby(w, "lan") }),
		entry("title.internet", iconFar, func() Scene { return newLobby(w, "server") }),
		entry("title.hotseat", iconPair, func() Scene { return newHotseat(w) }),
		entry("title.learn", iconLearn, func() Scene { return newLearn(w) }),
	}
	alone := []*tile{
		entry("title.classic", iconClassic, func() Scene { return newSoloMenu(w, "classic") }),
		entry("title.streak", iconStreak, func() Scene { return newSoloMenu(w, "streak") }),
	}
	e.leads(2, append(append([]*tile{}, duel...), alone...)...)
	quiet := func(id string, k icon, scene func() Scene) *tile { return e.Button(id, Quiet, t.to(scene)).with(k) }
	own := []*tile{
		quiet("title.history", iconList, func() Scene { return newHistory(w) }),
		quiet("title.ladder", iconLadder, func() Scene { return newLadder(w) }),
		quiet("title.account", iconPerson, func() Scene { return newAccount(w) }),
		quiet("title.settings", iconSettings, func() Scene { return newSettings(w) }),
	}
	content = append(content, practise)
	if left == 0 {
		content = append([]widget.PreferredSizeLocateableWidget{e.emblem(), e.Centred(e.T("title.motto"), Body, e.Theme.Faint, e.ColumnWidth()), e.air(2)}, content...)
		content = append(content, e.rows(duel, 2, 1), e.caption("title.alone"), e.rows(alone, 2, 1), e.shelf(own))
		root, scroll := e.Page(content...)
		t.screen.Scroll = scroll
		return root, first
	}
	if e.Wide() {
		content = append(content, e.rows(duel, 2, 1), e.air(2), e.caption("title.alone"), e.rows(alone, 2, 1), e.air(8), e.shelf(own))
		content = append([]widget.PreferredSizeLocateableWidget{e.caption("title.duel")}, content...)
	} else {
		content = append(content, e.rows(duel, 2, 1), e.rows(alone, 2, 1), e.shelf(own))
	}
	root, scroll := e.beside(e.poster(left), true, content)
	t.screen.Scroll = scroll
	return root, first
}

// poster is what stands beside the entries, in a width, on a screen that has
// room for it.
func (e *Env) poster(width float64) *picture {
	name, words := Poster, Heading
	if !e.Wide() {
		name, words = Display, Body
	}
	emblem := e.emblemOf(min(e.Px(64), e.H*0.085, width/5), width, name)
	motto := e.Type.Wrap(e.T("title.motto"), words, width)
	line := e.Type.Line(words)
	high := float64(emblem.h) + e.Px(6) + line*float64(len(motto))
	return newPicture(width, high, func(dst *ebiten.Image, r Rect) {
		emblem.draw(dst, Rect{r.X, r.Y, r.W, float64(emblem.h)})
		x, _ := r.Mid()
		y := r.Y + float64(emblem.h) + e.Px(6) + line/2
		for _, l := range motto {
			e.Type.Draw(dst, l, x, y, words, Centre, e.Theme.Faint)
			y += line
		}
	}).saying("Cleave", e.T("title.motto"))
}

// shelf is a row of quiet entries, each an icon above its word, where the words
// have room.
func (e *Env) shelf(tiles []*tile) *widget.Container {
	icon := e.Px(22) * min(e.textScale(), 1.4)
	for _, t := range tiles {
		if e.Type.Width(t.label, Small) > e.part(len(tiles))-e.Px(4) {
			return e.rows(tiles, 2, 1)
		}
	}
	for _, t := range tiles {
		t.face(icon+e.Type.Line(Small)+e.Px(16), func(dst *ebiten.Image, r Rect, ink color.NRGBA) {
			x, _ := r.Mid()
			e.Paint.Icon(dst, t.icon, Rect{r.X, r.Y + e.Px(7), r.W, icon}, icon, e.Theme.Faint)
			e.Type.Draw(dst, t.label, x, r.Y+e.Px(9)+icon+e.Type.Line(Small)/2, Small, Centre, ink)
		})
	}
	return e.rows(tiles, len(tiles))
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
