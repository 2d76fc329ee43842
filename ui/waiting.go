package ui

import (
	"slices"
	"strings"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/skip2/go-qrcode"
)

// waiting is the room before a match: who is there, who is ready, and how the
// friend gets in.
type waiting struct {
	menu
	table Table
	room  Waiting
	said  string // what copying led to
}

func newWaiting(w World, t Table) *waiting {
	s := &waiting{menu: menu{world: w}, table: t, room: t.Room()}
	s.back = s.leave
	s.screen.Build = s.build
	return s
}

func (s *waiting) leave() Scene {
	s.table.Leave()
	return newTitle(s.world)
}

// Update follows the room.
func (s *waiting) Update(e *Env, c *Controls) Scene {
	if room := s.table.Room(); !room.same(s.room) {
		if room.Peer != s.room.Peer && room.Peer.Name != "" {
			e.Play(SoundYours)
			s.world.Attention(e.T("waiting.joined", Vars{"Name": room.Peer.Name}))
		}
		begun := room.Host && room.Ready == [2]bool{true, true}
		if room.Phase != s.room.Phase || begun && s.room.Ready != room.Ready {
			s.screen.Ask() // there is something else to do now
		} else {
			s.screen.Stale()
		}
		s.room = room
	}
	if s.room.Phase == "match" {
		return newMatch(s.world, s.table)
	}
	return s.update(s, e, c)
}

func (s *waiting) build(e *Env) (*widget.Container, widget.Focuser) {
	r, width := s.room, e.ColumnWidth()
	var content []widget.PreferredSizeLocateableWidget
	add := func(w ...widget.PreferredSizeLocateableWidget) { content = append(content, w...) }
	name := r.Name
	if name == "" {
		name = e.T("waiting.room")
	}
	for _, n := range [...]Notice{r.Failure, r.Notice} {
		if n.ID != "" {
			add(e.Words(e.Tell(n), Body, e.Theme.Danger, width))
		}
	}
	var first widget.Focuser
	switch r.Phase {
	case "opening", "meeting":
		if r.Failure.ID == "" {
			add(e.plaque(e.T("waiting." + r.Phase)))
		}
	case "waiting":
		first = s.invite(e, add)
	case "room":
		first = s.people(e, add)
	}
	leave := e.Button("waiting.leave", Quiet, func() { s.next = s.leave() })
	add(leave)
	if first == nil {
		first = leave
	}
	return s.sheet(e, name, first, content...)
}

// invite shows how a friend gets in.
func (s *waiting) invite(e *Env, add func(...widget.PreferredSizeLocateableWidget)) widget.Focuser {
	r, width := s.room, e.ColumnWidth()
	if r.Code == "" {
		add(e.plaque(e.T("waiting.lan")))
		if r.Address != "" {
			add(e.Words(e.T("waiting.address", Vars{"Address": r.Address}), Small, e.Theme.Faint, width))
		}
		return nil
	}
	style := Display
	for style < Small && e.Type.Width(r.Code, style) > width-e.Px(24) {
		style++
	}
	code := newPicture(width, e.Type.Line(style)*1.4, func(dst *ebiten.Image, at Rect) {
		x, y := at.Mid()
		e.Paint.Fill(dst, at, e.Px(corner), e.Theme.Surface)
		e.Type.Draw(dst, r.Code, x, y, style, Centre, e.Theme.Accent)
	}).saying(r.Code)
	copyCode := e.Button("waiting.copy_code", Primary, func() { s.copy(e, r.Code) })
	add(e.Words(e.T("waiting.code"), Body, e.Theme.Faint, width), code)
	if r.Link == "" {
		add(copyCode)
	} else {
		add(e.rows([]*tile{copyCode, e.Button("waiting.copy_link", Plain, func() { s.copy(e, r.Link) })}, 2, 1))
		if qr := e.qr(r.Link); qr != nil {
			add(qr)
		}
	}
	said := s.said
	if said == "" {
		said = e.T("waiting.for_friend")
	}
	add(e.Centred(said, Small, e.Theme.Faint, width))
	return copyCode
}

func (s *waiting) copy(e *Env, text string) {
	s.said = e.T("waiting.copied")
	if err := s.world.Copy(text); err != nil {
		s.said = e.Sorry(err)
	}
	s.screen.Stale()
}

// qr is a link as a picture for a phone's camera.
func (e *Env) qr(link string) *picture {
	code, err := qrcode.New(link, qrcode.Medium)
	if err != nil {
		return nil // too long: the code and the link still serve
	}
	bits := code.Bitmap()
	size := float64(int(min(e.Px(200), e.ColumnWidth()*0.6)) / len(bits) * len(bits))
	dot := size / float64(len(bits))
	return newPicture(e.ColumnWidth(), size, func(dst *ebiten.Image, at Rect) {
		x0 := at.X + (at.W-size)/2
		e.Paint.Fill(dst, Rect{x0, at.Y, size, size}, 0, rgb(0xffffff))
		for y, line := range bits {
			for x, dark := range line {
				if dark {
					e.Paint.Fill(dst, Rect{x0 + float64(x)*dot, at.Y + float64(y)*dot, dot, dot}, 0, rgb(0x000000))
				}
			}
		}
	})
}

// people shows both, who is ready, how they are connected, and whether the
// match will count.
func (s *waiting) people(e *Env, add func(...widget.PreferredSizeLocateableWidget)) widget.Focuser {
	r, width := s.room, e.ColumnWidth()
	for i, p := range [2]Person{r.Me, r.Peer} {
		add(s.person(e, p, i, r.Ready[i]))
	}
	path := e.T("waiting.path_" + r.Path)
	add(s.signal(e, path, r.Bars))
	counts := e.T("waiting.counts")
	if len(r.Counts) > 0 {
		why := make([]string, len(r.Counts))
		for i, n := range r.Counts {
			why[i] = e.T(n.ID)
		}
		counts = e.T("waiting.not_counts", Vars{"Why": strings.Join(why, "; ")})
	}
	add(e.Words(counts, Small, e.Theme.Faint, width))
	if r.Host {
		words := make([]string, len(clockWords))
		for i, w := range clockWords {
			words[i] = e.T("clocks.short_" + w)
		}
		add(e.caption("create.clocks"),
			e.Choice("waiting.clocks", words, slices.Index(clockWords, r.Clocks), func(i int) { s.table.Change(clockWords[i], r.Friendly) }),
			e.caption("create.counts"),
			e.Choice("waiting.friendly", []string{e.T("create.rated"), e.T("create.friendly")}, index(r.Friendly), func(i int) { s.table.Change(r.Clocks, i == 1) }))
	} else {
		add(e.Words(e.T("waiting.clocks_are", Vars{"Clocks": e.T("clocks." + r.Clocks)}), Small, e.Theme.Faint, width))
	}
	if r.Host && r.Ready == [2]bool{true, true} {
		start := e.Button("waiting.start", Primary, s.table.Start)
		add(start)
		return start
	}
	if r.Ready[0] {
		not := e.Button("waiting.not_ready", Plain, func() { s.table.Ready(false) })
		add(e.Words(e.T("waiting.for_peer", Vars{"Name": r.Peer.Name}), Body, e.Theme.Faint, width), not)
		return not
	}
	ready := e.Button("waiting.ready", Primary, func() { s.table.Ready(true) })
	add(ready)
	return ready
}

// person is one player with the code and whether they are ready.
func (s *waiting) person(e *Env, p Person, who int, ready bool) *picture {
	state, tint := e.T("waiting.is_not_ready"), e.Theme.Faint
	if ready {
		state, tint = e.T("waiting.is_ready"), e.Theme.Accent
	}
	code := shortCode(p.Code)
	wide := e.ColumnWidth() - e.Px(40) - e.Type.Width(state, Strong)
	// The state stands below where the words are too long for one line.
	below := max(e.Type.Width(code, Small), e.Px(60)) > wide
	high := e.Type.Line(Strong) + e.Type.Line(Small) + e.Px(20)
	if below {
		high += e.Type.Line(Strong)
		wide = e.ColumnWidth() - e.Px(28)
	}
	return newPicture(e.ColumnWidth(), high, func(dst *ebiten.Image, at Rect) {
		t := e.Theme
		e.panel(dst, at, t.Surface, t.Seat[who], 1.5)
		x, y := at.X+e.Px(14), at.Y+e.Px(10)+e.Type.Line(Strong)/2
		e.Type.Draw(dst, e.Type.Shorten(p.Name, Strong, wide), x, y, Strong, Left, t.Ink)
		y += (e.Type.Line(Strong) + e.Type.Line(Small)) / 2
		e.Type.Draw(dst, code, x, y, Small, Left, t.Faint)
		if below {
			e.Type.Draw(dst, state, x, y+(e.Type.Line(Strong)+e.Type.Line(Small))/2, Strong, Left, tint)
			return
		}
		_, mid := at.Mid()
		e.Type.Draw(dst, state, at.X+at.W-e.Px(14), mid, Strong, Right, tint)
	}).saying(p.Name, code, state)
}

// signal shows the connection in words and bars.
func (s *waiting) signal(e *Env, words string, bars int) *picture {
	line := e.Type.Line(Small)
	lines := e.Type.Wrap(words, Small, e.ColumnWidth()-e.Px(36))
	return newPicture(e.ColumnWidth(), line*float64(len(lines)), func(dst *ebiten.Image, at Rect) {
		for i := range 4 {
			tint := e.Theme.Edge
			if i < bars {
				tint = e.Theme.Accent
			}
			h := e.Px(14) * float64(i+1) / 4
			e.Paint.Fill(dst, Rect{at.X + float64(i)*e.Px(7), at.Y + line/2 + e.Px(7) - h, e.Px(5), h}, 0, tint)
		}
		for i, l := range lines {
			e.Type.Draw(dst, l, at.X+e.Px(36), at.Y+line*(float64(i)+0.5), Small, Left, e.Theme.Faint)
		}
	}).saying(words)
}
