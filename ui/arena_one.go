package ui

import (
	"reflect"
	"strconv"

	"github.com/ebitenui/ebitenui/widget"
)

// arena is one arena: who stands where, one's own run, and once it is closed
// everybody's.
type arena struct {
	menu
	watch   watch
	id      string
	view    ArenaView
	asked   bool   // a seat is being waited for
	fetched string // the run that is being waited for, "" for none
	fault   error
}

func newArena(w World, id string) *arena {
	a := &arena{menu: menu{world: w, back: func() Scene { return newArenas(w) }}, id: id, view: w.Arena(id)}
	a.screen.Build = a.build
	return a
}

// entering asks for the run at once.
func (a *arena) entering() *arena {
	a.asked = true
	return a
}

func (a *arena) build(e *Env) (*widget.Container, widget.Focuser) {
	v, w := a.view, e.ColumnWidth()
	var content []widget.PreferredSizeLocateableWidget
	add := func(p ...widget.PreferredSizeLocateableWidget) { content = append(content, p...) }
	var first widget.Focuser
	if v.Known {
		text := timeLeft(e, v.ArenaLine) + " · " + e.T("arena.seats", Vars{"Taken": v.Taken, "Seats": v.Seats})
		if v.Closed {
			text = e.T("arena.is_closed")
		}
		add(e.Words(text, Body, e.Theme.Faint, w))
	}
	switch {
	case a.asked:
		b := e.Button("daily.opening", Primary, func() {})
		b.GetWidget().Disabled = true
		add(b)
	case v.Status == "playing" && !v.Closed:
		b := e.Labelled("solo.go_on", e.T("solo.go_on", scored(v.Score)), Primary, a.play)
		first = b
		add(b)
	case v.Known && v.Status == "" && !v.Closed && v.Taken < v.Seats:
		b := e.Button("arena.enter", Primary, a.play)
		first = b
		add(b, e.Words(e.T("arena.one_run"), Small, e.Theme.Faint, w))
	case v.Known && v.Status == "" && !v.Closed:
		add(e.plaque(e.T("arena.full")))
	}
	switch {
	case a.fault != nil:
		add(e.Words(e.Sorry(a.fault), Body, e.Theme.Danger, w))
	case v.Trouble != (Notice{}):
		add(e.Words(e.Tell(v.Trouble), Body, e.Theme.Danger, w))
	case v.Looking && !v.Known:
		add(e.Words(e.T("arena.looking"), Body, e.Theme.Faint, w))
	}
	switch {
	case v.Rank > 0:
		add(e.plaque(e.T("arena.place", Vars{"Rank": v.Rank, "N": ranked(v.Board)})))
	case v.Status != "" && v.Status != "counted" && (v.Closed || v.Status != "playing"):
		add(e.plaque(sentence(v.status(e))))
	}
	if a.fetched != "" {
		add(e.Words(e.T("arena.fetching"), Body, e.Theme.Faint, w))
	}
	if len(v.Board) > 0 {
		caption := "arena.board"
		if v.Closed {
			caption = "arena.board_closed"
		}
		add(e.air(4), e.caption(caption))
	}
	for _, l := range v.Board {
		if l.Run == "" {
			add(a.entrant(e, l))
			continue
		}
		run := l.Run
		t := e.runTile("run/"+run, l, a.name(e, l), func() { a.fetched, a.fault = run, nil; a.screen.Stale() })
		if first == nil {
			first = t
		}
		add(t)
	}
	return a.sheet(e, arenaName(e, a.id), first, content...)
}

// ranked is how many of a board have played.
func ranked(board []DailyLine) int {
	n := 0
	for _, l := range board {
		if l.Rank > 0 {
			n++
		}
	}
	return n
}

// name says who an entrant is, and what an AI player is.
func (a *arena) name(e *Env, l DailyLine) string {
	switch id := "level." + l.Bot; {
	case l.Bot == "":
	case e.texts.Has(id):
		return e.T("arena.ai", Vars{"Level": e.T(id)})
	default: // of a server that is newer than this program
		return e.T("arena.ai", Vars{"Level": l.Bot})
	}
	return playerName(e, l)
}

// playerName is who a line of a board is.
func playerName(e *Env, l DailyLine) string {
	who := shortCode(l.Code)
	if l.Me {
		who = e.T("daily.you")
	}
	if l.Country != "" {
		who += " · " + l.Country
	}
	return who
}

func (a *arena) entrant(e *Env, l DailyLine) *picture {
	if l.Rank == 0 {
		return e.dailyLine(" ", l, a.name(e, l)+" · "+e.T("arena.not_played"))
	}
	return e.dailyLine(strconv.Itoa(l.Rank), l, a.name(e, l))
}

func (a *arena) play() {
	a.asked, a.fault = true, nil
	a.screen.Stale()
}

// Update looks at the server's answers, and goes where they lead.
func (a *arena) Update(e *Env, c *Controls) Scene {
	fail := func(err error) {
		a.asked, a.fetched, a.fault = false, "", err
		a.screen.Stale()
		e.Redraw()
	}
	if a.asked {
		seat, err := a.world.PlayArena(a.id)
		switch {
		case err != nil:
			fail(err)
		case seat != nil:
			return newSolo(a.world, seat.Choice(), seat)
		}
	}
	if a.fetched != "" {
		replay, err := a.world.Published(a.fetched)
		switch {
		case err != nil:
			fail(err)
		case replay != nil:
			return newSoloReplay(a.world, SoloChoice{Game: "streak", Level: "arena", Arena: a.id}, *replay, func() Scene { return newArena(a.world, a.id) })
		}
	}
	if a.watch.due(e) {
		if v := a.world.Arena(a.id); !reflect.DeepEqual(v, a.view) {
			if a.screen.Stale(); !a.view.Known {
				a.arrived()
			}
			a.view = v
			e.Redraw()
		}
	}
	return a.update(a, e, c)
}
