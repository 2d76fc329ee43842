package ui

import (
	"fmt"
	"image/color"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// history lists what was played, and the record against each friend.
type history struct {
	menu
	fault error
}

func newHistory(w World) *history {
	h := &history{menu: menu{world: w, back: func() Scene { return newTitle(w) }}}
	h.screen.Build = h.build
	return h
}

// maxShown is how many matches the list shows.
const maxShown = 100

func (h *history) build(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	played := h.world.Matches()
	var content []widget.PreferredSizeLocateableWidget
	var first widget.Focuser
	if len(played) == 0 {
		play := e.Button("history.practise", Primary, h.to(func() Scene { return newPractice(h.world) }))
		first = play
		content = append(content, e.Words(e.T("history.empty"), Body, e.Theme.Faint, width), play)
	}
	if h.fault != nil {
		content = append(content, e.Words(e.T("history.broken", Vars{"Why": e.Sorry(h.fault)}), Body, e.Theme.Danger, width))
	}
	content = append(content, h.friends(e, played)...)
	for _, p := range played[:min(len(played), maxShown)] {
		m := h.match(e, p)
		if first == nil {
			first = m
		}
		content = append(content, m)
	}
	return h.sheet(e, e.T("history.title"), first, content...)
}

// friends is the record against each opponent who was met more than once.
func (h *history) friends(e *Env, played []Played) []widget.PreferredSizeLocateableWidget {
	type record struct {
		name             string
		won, drawn, lost int
	}
	records := map[string]*record{}
	var order []string
	for _, p := range played {
		r := records[p.Against.Code]
		if r == nil {
			r = &record{name: p.Against.Name}
			records[p.Against.Code] = r
			order = append(order, p.Against.Code)
		}
		switch p.Won {
		case 1:
			r.won++
		case 0:
			r.drawn++
		case -1:
			r.lost++
		}
	}
	var rows []widget.PreferredSizeLocateableWidget
	for _, code := range order {
		if r := records[code]; r.won+r.drawn+r.lost > 1 {
			rows = append(rows, e.Words(e.T("history.record", Vars{"Name": r.name, "Won": r.won, "Drawn": r.drawn, "Lost": r.lost}), Small, e.Theme.Faint, e.ColumnWidth()))
		}
	}
	return rows
}

func (h *history) match(e *Env, p Played) *tile {
	outcome := e.T(map[int]string{1: "history.won", 0: "history.drawn", -1: "history.lost", 2: "history.none"}[p.Won])
	score := number(p.Score[0]) + " : " + number(p.Score[1])
	when := p.At.Local().Format("2 Jan 15:04")
	t := e.Labelled("history/"+p.ID, fmt.Sprintf("%s, %s, %s, %s, %s", outcome, p.Against.Name, score, e.Tell(p.Status), when), Plain, func() {
		r, err := h.world.Replay(p.ID)
		if err != nil {
			h.fault = err
			h.screen.Stale()
			return
		}
		h.next = newReplay(h.world, p.ID, r, func() Scene { return newHistory(h.world) })
	})
	pad := e.Px(textPad)
	status := []string{}
	if p.Status.ID != "" {
		status = e.Type.Wrap(e.Tell(p.Status), Small, e.ColumnWidth()-2*pad-e.Px(8))
	}
	status = append(e.Type.Wrap(outcome+" · "+when, Small, e.ColumnWidth()-2*pad-e.Px(8)), status...)
	high := e.Type.Line(Strong) + float64(len(status))*e.Type.Line(Small) + e.Px(20)
	return t.face(high, func(dst *ebiten.Image, at Rect, ink color.NRGBA) {
		tint := map[int]color.NRGBA{1: e.Theme.Seat[0], 0: e.Theme.Faint, -1: e.Theme.Seat[1], 2: e.Theme.Edge}[p.Won]
		e.Paint.Fill(dst, Rect{at.X + e.Px(7), at.Y + e.Px(8), e.Px(4), at.H - e.Px(16)}, e.Px(2), tint)
		x, y := at.X+pad+e.Px(8), at.Y+e.Px(10)+e.Type.Line(Strong)/2
		e.Type.Draw(dst, score, at.X+at.W-pad, y, Strong, Right, ink)
		room := at.W - 3*pad - e.Px(8) - e.Type.Width(score, Strong)
		e.Type.Draw(dst, e.Type.Shorten(p.Against.Name, Strong, room), x, y, Strong, Left, ink)
		y += (e.Type.Line(Strong) + e.Type.Line(Small)) / 2
		for _, line := range status {
			e.Type.Draw(dst, line, x, y, Small, Left, e.Theme.Faint)
			y += e.Type.Line(Small)
		}
	})
}

// Update waits for a choice.
func (h *history) Update(e *Env, c *Controls) Scene { return h.update(h, e, c) }
