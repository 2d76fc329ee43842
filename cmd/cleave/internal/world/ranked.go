package world

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/ui"
)

// How often the ranking server is asked for tickets and for the table.
const (
	refreshEvery = 10 * time.Minute
	askFor       = 15 * time.Second
)

// rank meets the ranking server in the background: fetches tickets, hands in
// what waits, keeps the player's standing. Without a server it does nothing.
func (w *World) rank() {
	if w.server == "" {
		return
	}
	w.outbox = table.NewOutbox(w.vault, func(e table.Event) {
		switch e := e.(type) {
		case table.Delivered:
			w.mu.Lock()
			w.verdicts[fmt.Sprintf("%x", e.Match)] = e.Text
			w.mu.Unlock()
			w.askStanding()
		case table.Undelivered:
			w.mu.Lock()
			w.verdicts[fmt.Sprintf("%x", e.Match)] = "waiting for the server (kept, tries again)"
			if !e.Later {
				w.verdicts[fmt.Sprintf("%x", e.Match)] = "does not count: " + e.Err.Error()
			}
			w.mu.Unlock()
		}
	})
	w.work.Go(func() {
		if err := w.outbox.Run(w.ctx); err != nil && w.ctx.Err() == nil {
			w.note("handing results in", err)
		}
	})
	w.work.Go(func() {
		for w.ctx.Err() == nil {
			w.refresh()
			select {
			case <-w.ctx.Done():
			case <-time.After(refreshEvery):
			}
		}
	})
}

func (w *World) refresh() {
	ctx, cancel := context.WithTimeout(w.ctx, askFor)
	defer cancel()
	r, err := table.OpenRanking(ctx, w.vault, w.server)
	if err != nil {
		w.setTrouble(err)
		return
	}
	w.mu.Lock()
	w.rankingAt = r
	w.mu.Unlock()
	if _, err := table.FetchTickets(ctx, w.vault, r); err != nil {
		w.setTrouble(err)
	}
	w.askStanding()
}

func (w *World) setTrouble(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.standing.Trouble = err.Error()
}

// ranking is the server, once it was met.
func (w *World) ranking() *table.Ranking {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rankingAt
}

// askStanding asks for the player's place and the season's table.
func (w *World) askStanding() {
	r := w.ranking()
	if r == nil {
		return
	}
	ctx, cancel := context.WithTimeout(w.ctx, askFor)
	defer cancel()
	ladder, err := r.Client.Ladder(ctx, "", 0, 50)
	if err != nil {
		w.setTrouble(err)
		return
	}
	s := ui.Standing{Known: true, Season: ladder.Season}
	code := record.PlayerCode(w.id.Key())
	for _, p := range ladder.Players {
		s.Table = append(s.Table, row(p, code))
	}
	if me, err := r.Client.Player(ctx, code); err == nil {
		s.Rating, s.Placements = me.Rating, max(0, 5-me.Placement)
	}
	w.mu.Lock()
	w.standing = s
	w.mu.Unlock()
}

func row(p ranking.Standing, me string) ui.Row {
	return ui.Row{Rank: p.Rank, Rating: p.Rating, Player: ui.Person{Code: p.Code}, Me: p.Code == me}
}

// Standing is the player's place.
func (w *World) Standing() ui.Standing {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.server == "" {
		return ui.Standing{Trouble: "no server is set"}
	}
	return w.standing
}

// status is what the server said of a rated match.
func (w *World) status(id string) string {
	w.mu.Lock()
	said := w.verdicts[id]
	w.mu.Unlock()
	if said != "" {
		return said
	}
	receipt, err := w.vault.Receipt(id)
	if err != nil {
		return "waiting for the server (kept, tries again)"
	}
	var r struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(receipt, &r) == nil && r.Text != "" {
		return r.Text
	}
	return "confirmed"
}

// Outbox lists what waits for the server.
func (w *World) Outbox() []string {
	parcels, err := w.vault.Parcels(time.Now())
	if err != nil {
		w.note("reading the outbox", err)
	}
	var list []string
	for _, p := range parcels {
		list = append(list, fmt.Sprintf("%s for %s, tried %d times", p.Kind, p.Server, p.Tries))
	}
	return list
}
