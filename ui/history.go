package ui

import (
	"fmt"
	"image/color"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// line is a row of three words: left, middle, right.
func (e *Env) line(words [3]string, tint color.NRGBA) *picture {
	return newPicture(e.ColumnWidth(), e.Type.Line(Body)*1.3, func(dst *ebiten.Image, at Rect) {
		_, y := at.Mid()
		e.Type.Draw(dst, words[0], at.X, y, Body, Left, tint)
		e.Type.Draw(dst, words[1], at.X+e.Px(56), y, Body, Left, tint)
		e.Type.Draw(dst, words[2], at.X+at.W, y, Strong, Right, tint)
	}).saying(words[:]...)
}

// history lists what was played, and the record against each friend.
type history struct {
	menu
	fault string
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
	content := []widget.PreferredSizeLocateableWidget{e.Title("history.title", width)}
	if len(played) == 0 {
		content = append(content, e.Words(e.T("history.empty"), Body, e.Theme.Faint, width))
	}
	if h.fault != "" {
		content = append(content, e.Words(h.fault, Body, e.Theme.Danger, width))
	}
	content = append(content, h.friends(e, played)...)
	for _, p := range played[:min(len(played), maxShown)] {
		content = append(content, h.match(e, p))
	}
	back := h.backButton(e)
	root, scroll := e.Page(append(content, back)...)
	h.screen.Scroll = scroll
	var first widget.Focuser = back
	return root, first
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

func (h *history) match(e *Env, p Played) *widget.Button {
	outcome := map[int]string{1: "history.won", 0: "history.drawn", -1: "history.lost", 2: "history.none"}[p.Won]
	label := fmt.Sprintf("%s  %d : %d  %s", e.T(outcome), p.Score[0], p.Score[1], p.Against.Name)
	if p.Status != "" {
		label += " · " + p.Status
	}
	label += " · " + p.At.Local().Format("2 Jan 15:04")
	label = e.Type.Shorten(label, Strong, e.ColumnWidth()-e.Px(32))
	return e.Labelled("history/"+p.ID, label, Plain, func() {
		r, err := h.world.Replay(p.ID)
		if err != nil {
			h.fault = e.T("history.broken", Vars{"Why": err.Error()})
			h.screen.Stale()
			return
		}
		h.next = newReplay(h.world, p.ID, r, func() Scene { return newHistory(h.world) })
	})
}

// Update waits for a choice.
func (h *history) Update(e *Env, c *Controls) Scene { return h.update(h, e, c) }
