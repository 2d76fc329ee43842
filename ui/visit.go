package ui

import (
	"github.com/ebitenui/ebitenui/widget"
)

// visit is a link that was followed: it goes to the friend's room at once, and
// says what is wrong where it cannot.
type visit struct {
	menu
	link  string
	fault error
	asked bool  // at the room's door
	since int64 // the tick of the first Update
}

// Visit is the scene that a program begins with when it was opened by a link:
// the room of whoever sent it. At a first start a name is asked for before.
func Visit(w World, link string) Scene {
	v := &visit{menu: menu{world: w, back: func() Scene { return newTitle(w) }}, link: link}
	v.screen.Build = v.build
	if w.Account().Fresh {
		welcome := newWelcome(w)
		welcome.then = func() Scene { return v }
		return welcome
	}
	return v
}

// Return is the scene that goes back to a match that is not finished, and the
// title where there is none.
func Return(w World) Scene {
	if w.HasUnfinished() {
		if t, ok := w.Unfinished(); ok {
			return newWaiting(w, t)
		}
	}
	return Start(w)
}

func (v *visit) build(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	if !v.asked {
		return v.sheet(e, e.T("visit.title"), nil, e.Words(e.T("waiting.meeting"), Body, e.Theme.Faint, width))
	}
	again := e.Button("visit.again", Primary, func() { v.asked = false })
	return v.sheet(e, e.T("visit.title"), again, e.Words(e.Sorry(v.fault), Body, e.Theme.Ink, width), again)
}

// settleTicks is how long a visit waits at most for the ranking server, from
// which a first-time player needs a ticket for a match that counts.
const settleTicks = 20 * 60

// Update goes to the room, and stays only where that fails.
func (v *visit) Update(e *Env, c *Controls) Scene {
	if v.since == 0 {
		v.since = e.Now
	}
	s := v.world.Standing()
	if settled := s.Known || s.Trouble.ID != "" || e.Now-v.since > settleTicks; settled && !v.asked {
		v.asked = true
		table, err := v.world.Join(JoinChoice{Code: v.link})
		if err == nil {
			return newWaiting(v.world, table)
		}
		v.fault = err
		v.screen.Stale()
	}
	return v.update(v, e, c)
}
