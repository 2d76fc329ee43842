package ui

import (
	"github.com/ebitenui/ebitenui/widget"
)

// soloHistory lists what was played alone.
type soloHistory struct {
	menu
	game  string
	fault error
}

func newSoloHistory(w World, game string) *soloHistory {
	h := &soloHistory{menu: menu{world: w, back: func() Scene { return newSoloMenu(w, game) }}, game: game}
	h.screen.Build = h.build
	return h
}

func (h *soloHistory) build(e *Env) (*widget.Container, widget.Focuser) {
	w := e.ColumnWidth()
	var content []widget.PreferredSizeLocateableWidget
	var first widget.Focuser
	content = append(content, e.fault(h.fault)...)
	shown := 0
	for _, r := range h.world.SoloRuns() {
		if r.Choice.Game != h.game || shown == maxShown {
			continue
		}
		shown++
		t := h.line(e, r)
		if first == nil {
			first = t
		}
		content = append(content, t)
	}
	if shown == 0 {
		content = append(content, e.Words(e.T("solo.no_history"), Body, e.Theme.Faint, w))
	}
	return h.sheet(e, e.T("solo.history"), first, content...)
}

func (h *soloHistory) line(e *Env, r SoloPlayed) *tile {
	name, score, when := soloName(e, r.Choice), number(r.Score), r.At.Local().Format("2 Jan 15:04")
	low := when + " · " + e.Say("solo.pieces", "", r.Placements)
	if r.Chance > 0 {
		low += " · " + e.T("daily.chance", Vars{"Chance": r.Chance})
	}
	if !r.Complete {
		low += " · " + e.T("solo.given_up")
	}
	return e.listed("run/"+r.ID, name, score, low, func() {
		replay, err := h.world.SoloReplay(r.ID)
		if err != nil {
			h.fault = err
			h.screen.Stale()
			return
		}
		h.next = newSoloReplay(h.world, r.Choice, replay, func() Scene { return newSoloHistory(h.world, h.game) })
	})
}

// Update waits for a choice.
func (h *soloHistory) Update(e *Env, c *Controls) Scene { return h.update(h, e, c) }
