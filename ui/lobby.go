package ui

import (
	"image/color"
	"slices"
	"strings"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// lobby is where one finds a room: in earshot on the local network, or by an
// invite code at the server.
type lobby struct {
	menu
	way    string // "lan" or "server"
	heard  Earshot
	typed  string // a code, or an address
	secret string // the password, once a locked room was picked
	locked RoomView
	fault  error
}

func newLobby(w World, way string) *lobby {
	l := &lobby{menu: menu{world: w}, way: way}
	l.back = func() Scene {
		if l.locked.ID != "" {
			l.locked = RoomView{}
			l.screen.Stale()
			return l
		}
		return newTitle(w)
	}
	l.heard = l.listen()
	l.screen.Build = l.build
	return l
}

func (l *lobby) listen() Earshot {
	if l.way == "lan" {
		return l.world.Earshot()
	}
	return l.world.Listed()
}

// Update listens for rooms.
func (l *lobby) Update(e *Env, c *Controls) Scene {
	h := l.listen()
	if h.Trouble != l.heard.Trouble || h.Looking != l.heard.Looking || !slices.Equal(h.Rooms, l.heard.Rooms) {
		l.heard = h
		l.screen.Stale()
	}
	return l.update(l, e, c)
}

func (l *lobby) build(e *Env) (*widget.Container, widget.Focuser) {
	if l.locked.ID != "" {
		return l.buildPassword(e)
	}
	width := e.ColumnWidth()
	id := func(s string) string { return "lobby." + l.way + "." + s }
	host := e.Button(id("host"), Primary, l.to(func() Scene { return newCreate(l.world, l.way) }))
	if server, _ := l.world.Server(); l.way == "server" && server == "" {
		host = e.Button("servers.choose", Primary, l.to(func() Scene {
			return newServers(l.world, func() Scene { return newLobby(l.world, l.way) })
		}))
	}
	content := []widget.PreferredSizeLocateableWidget{host}
	code := []widget.PreferredSizeLocateableWidget{
		e.air(4),
		e.caption(id("enter")),
		e.Field(id("field"), l.typed, e.T(id("hint")), func(v string) { l.typed = v }, l.enter),
		e.Button("lobby.join", Plain, l.enter),
	}
	content = append(content, e.fault(l.fault)...)
	if l.way == "server" {
		content = append(content, code...)
	}
	content = append(content, e.air(4), e.Words(e.T(id("rooms")), Strong, e.Theme.Ink, width))
	for _, r := range l.heard.Rooms {
		content = append(content, l.room(e, r))
	}
	if note := l.silence(e, id); note != "" {
		content = append(content, e.Words(note, Small, e.Theme.Faint, width))
	}
	if l.way == "lan" {
		content = append(content, code...)
	}
	return l.sheet(e, e.T(id("title")), host, content...)
}

// silence says why no rooms are shown, and what may be done.
func (l *lobby) silence(e *Env, id func(string) string) string {
	switch {
	case l.heard.Trouble.ID != "":
		return e.Tell(l.heard.Trouble)
	case l.heard.Looking:
		return e.T("lobby.looking")
	case len(l.heard.Rooms) == 0:
		return e.T(id("empty"))
	}
	return ""
}

// room is one room that can be joined, or says why not.
func (l *lobby) room(e *Env, r RoomView) *tile {
	state := e.T("room." + r.State)
	about := r.Player + " · " + shortCode(r.Code)
	more := e.T("clocks." + r.Clocks)
	if !r.Rated {
		more += " · " + e.T("create.friendly")
	}
	t := e.Labelled("room/"+r.Code+r.Room, strings.Join([]string{r.Room, about, state, more}, ", "), Plain, func() {
		if r.State == "locked" {
			l.locked, l.fault = r, nil
			l.screen.Stale()
			return
		}
		l.join(JoinChoice{Room: r.ID, Listed: l.way == "server"})
	})
	t.GetWidget().Disabled = r.State == "full" || r.State == "playing"
	high := e.Type.Line(Strong) + 2*e.Type.Line(Small) + e.Px(20)
	return t.face(high, func(dst *ebiten.Image, at Rect, ink color.NRGBA) {
		pad := e.Px(textPad)
		x, y := at.X+pad, at.Y+e.Px(10)+e.Type.Line(Strong)/2
		faint, tint := e.Theme.Faint, e.Theme.Accent
		if r.State != "open" {
			tint = faint
		}
		side := e.Type.Width(state, Strong)
		e.Type.Draw(dst, state, at.X+at.W-pad, y, Strong, Right, tint)
		if r.State == "locked" {
			size := e.Type.Line(Small)
			e.Paint.Icon(dst, iconLock, Rect{at.X + at.W - pad - side - size*1.4, y - size/2, size, size}, size*0.9, tint)
			side += size * 1.6
		}
		e.Type.Draw(dst, e.Type.Shorten(r.Room, Strong, at.W-3*pad-side), x, y, Strong, Left, ink)
		y += (e.Type.Line(Strong) + e.Type.Line(Small)) / 2
		e.Type.Draw(dst, e.Type.Shorten(about, Small, at.W-2*pad), x, y, Small, Left, faint)
		e.Type.Draw(dst, e.Type.Shorten(more, Small, at.W-2*pad), x, y+e.Type.Line(Small), Small, Left, faint)
	})
}

// shortCode is as much of a player code as tells two friends apart.
func shortCode(code string) string {
	if len(code) < 9 {
		return code
	}
	return code[:9]
}

func (l *lobby) buildPassword(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	enter := func() {
		l.join(JoinChoice{Room: l.locked.ID, Listed: l.way == "server", Password: l.secret})
	}
	field := e.Field("lobby.password", "", e.T("lobby.password"), func(v string) { l.secret = v }, enter)
	return l.sheet(e, l.locked.Room, field,
		e.Words(e.T("lobby.locked", Vars{"Name": l.locked.Player}), Body, e.Theme.Faint, width),
		field,
		e.Button("lobby.enter", Primary, enter))
}

// enter goes where the typed code or address leads.
func (l *lobby) enter() {
	typed := strings.TrimSpace(l.typed)
	if typed == "" {
		return
	}
	if l.way == "lan" {
		l.join(JoinChoice{Address: typed})
		return
	}
	l.join(JoinChoice{Code: typed})
}

func (l *lobby) join(c JoinChoice) {
	t, err := l.world.Join(c)
	if err != nil {
		l.fault = err
		l.locked = RoomView{}
		l.screen.Stale()
		return
	}
	l.world.Deafen()
	l.next = newWaiting(l.world, t)
}

// create sets up a room of one's own.
type create struct {
	menu
	room  RoomChoice
	fault error
}

func newCreate(w World, way string) *create {
	c := &create{menu: menu{world: w, back: func() Scene { return newLobby(w, way) }},
		room: RoomChoice{Way: way, Clocks: "standard"}}
	if name := w.Account().Name; name != "" {
		c.room.Name = name
	}
	c.screen.Build = c.build
	return c
}

var clockWords = []string{"standard", "double", "off"}

func (c *create) build(e *Env) (*widget.Container, widget.Focuser) {
	open := e.Button("create.open", Primary, c.open)
	words := make([]string, len(clockWords))
	for i, w := range clockWords {
		words[i] = e.T("clocks.short_" + w)
	}
	content := []widget.PreferredSizeLocateableWidget{
		e.caption("create.name"),
		e.Field("create.name_field", c.room.Name, e.T("create.name_hint"), func(v string) { c.room.Name = v }, nil),
		e.caption("create.password"),
		e.Field("create.password_field", c.room.Password, e.T("create.password_hint"), func(v string) { c.room.Password = v }, nil),
		e.caption("create.clocks"),
		e.Choice("create.clocks", words, slices.Index(clockWords, c.room.Clocks), func(i int) { c.room.Clocks = clockWords[i]; c.screen.Stale() }),
		e.caption("create.counts"),
		e.Choice("create.counts", []string{e.T("create.rated"), e.T("create.friendly")}, index(c.room.Friendly), func(i int) { c.room.Friendly = i == 1; c.screen.Stale() }),
	}
	if c.room.Way == "server" {
		content = append(content, e.caption("create.seen"),
			e.Choice("create.seen", []string{e.T("create.by_code"), e.T("create.listed")}, index(c.room.Listed), func(i int) { c.room.Listed = i == 1; c.screen.Stale() }))
	}
	content = append(content, e.fault(c.fault)...)
	content = append(content, e.air(4), open)
	return c.sheet(e, e.T("create.title"), open, content...)
}

func index(on bool) int {
	if on {
		return 1
	}
	return 0
}

func (c *create) open() {
	t, err := c.world.Host(c.room)
	if err != nil {
		c.fault = err
		c.screen.Stale()
		return
	}
	c.world.Deafen()
	c.next = newWaiting(c.world, t)
}

// Update waits for the room to be opened.
func (c *create) Update(e *Env, in *Controls) Scene { return c.update(c, e, in) }
