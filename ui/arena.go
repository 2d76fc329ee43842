package ui

import (
	"reflect"
	"strings"

	"github.com/ebitenui/ebitenui/widget"
)

// arenas lists the arenas that can be entered, and one's own.
type arenas struct {
	menu
	watch watch
	view  ArenasView
	asked bool // a seat is being waited for
	fault error
}

func newArenas(w World) *arenas {
	a := &arenas{menu: menu{world: w, back: func() Scene { return newSoloMenu(w, "streak") }}, view: w.Arenas()}
	a.screen.Build = a.build
	return a
}

// arenaName is what an arena is called: the beginning of its id.
func arenaName(e *Env, id string) string {
	return e.T("arena.name", Vars{"Name": strings.ToUpper(id[:min(len(id), 4)])})
}

// timeLeft says how long it is until an arena closes.
func timeLeft(e *Env, l ArenaLine) string {
	switch {
	case l.Closed:
		return e.T("arena.closed")
	case l.Left >= 60:
		return e.T("arena.closes_hours", Vars{"Hours": l.Left / 60, "Minutes": l.Left % 60})
	}
	return e.T("arena.closes_minutes", Vars{"N": l.Left})
}

func (a *arenas) build(e *Env) (*widget.Container, widget.Focuser) {
	v, w := a.view, e.ColumnWidth()
	content := []widget.PreferredSizeLocateableWidget{e.Words(e.T("arena.explained"), Body, e.Theme.Faint, w)}
	add := func(p ...widget.PreferredSizeLocateableWidget) { content = append(content, p...) }
	var first widget.Focuser
	var playing *ArenaLine
	for i, l := range v.Mine {
		if l.Status == "playing" && !l.Closed && playing == nil {
			playing = &v.Mine[i]
		}
	}
	switch {
	case a.asked:
		b := e.Button("daily.opening", Primary, func() {})
		b.GetWidget().Disabled = true
		add(b)
	case playing != nil:
		id := playing.ID
		b := e.Labelled("arena.go_on", e.T("solo.go_on", scored(playing.Score)), Primary, func() { a.next = newArena(a.world, id).entering() })
		first = b
		add(b)
	case v.Known:
		b := e.Button("arena.enter_any", Primary, func() { a.asked, a.fault = true, nil; a.screen.Stale() })
		first = b
		add(b, e.Words(e.T("arena.one_run"), Small, e.Theme.Faint, w))
	}
	switch {
	case a.fault != nil:
		add(e.Words(e.Sorry(a.fault), Body, e.Theme.Danger, w))
	case v.Trouble != (Notice{}):
		add(e.Words(e.Tell(v.Trouble), Body, e.Theme.Danger, w))
	case v.Looking && !v.Known:
		add(e.Words(e.T("arena.looking"), Body, e.Theme.Faint, w))
	}
	list := func(caption string, lines []ArenaLine) {
		if len(lines) == 0 {
			return
		}
		add(e.air(4), e.caption(caption))
		for _, l := range lines {
			add(a.line(e, l))
		}
	}
	list("arena.mine", v.Mine)
	list("arena.open", v.Open)
	if v.Known && len(v.Open) == 0 {
		add(e.Words(e.T("arena.none_open"), Small, e.Theme.Faint, w))
	}
	return a.sheet(e, e.T("arena.title"), first, content...)
}

// line is one arena of a list, which leads to it.
func (a *arenas) line(e *Env, l ArenaLine) *tile {
	right := ""
	if l.Status != "" && l.Status != "empty" {
		right = number(l.Score)
	}
	low := timeLeft(e, l)
	if !l.Closed {
		low += " · " + e.T("arena.seats", Vars{"Taken": l.Taken, "Seats": l.Seats})
	}
	if l.Rank > 0 {
		low += " · " + e.T("arena.rank", Vars{"Rank": l.Rank})
	} else if l.Status != "" {
		low += " · " + l.status(e)
	}
	return e.listed("arena/"+l.ID, arenaName(e, l.ID), right, low, func() { a.next = newArena(a.world, l.ID) })
}

// status is what became of one's own run in an arena.
func (l ArenaLine) status(e *Env) string {
	if l.Closed && l.Status == "playing" {
		return e.T("arena.too_late")
	}
	return runStatus(e, l.Status, l.Why)
}

// runStatus is what became of a run of one's own.
func runStatus(e *Env, status string, why Notice) string {
	if why != (Notice{}) {
		return e.T("daily.refused_why", Vars{"Why": e.Tell(why)})
	}
	return e.T("daily." + status)
}

// Update looks at the server's answers, and goes into the game once there is
// one.
func (a *arenas) Update(e *Env, c *Controls) Scene {
	if a.asked {
		seat, err := a.world.PlayArena("")
		switch {
		case err != nil:
			a.asked, a.fault = false, err
			a.screen.Stale()
			e.Redraw()
		case seat != nil:
			return newSolo(a.world, seat.Choice(), seat)
		}
	}
	if a.watch.due(e) {
		if v := a.world.Arenas(); !reflect.DeepEqual(v, a.view) {
			if a.screen.Stale(); !a.view.Known {
				a.arrived()
			}
			a.view = v
			e.Redraw()
		}
	}
	return a.update(a, e, c)
}
