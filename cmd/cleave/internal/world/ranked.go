package world

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/signal"
	"github.com/cleavegame/cleave/ui"
)

// How often the ranking server is asked for tickets and for the table.
const (
	refreshEvery = 10 * time.Minute
	askFor       = 15 * time.Second
	// A player's first tickets cost some work, for which a phone takes its time.
	workFor = 3 * time.Minute
)

// deliver hands in what waits, to whichever server it is for.
func (w *World) deliver() {
	w.outbox = table.NewOutbox(w.vault, func(e table.Event) {
		switch e := e.(type) {
		case table.Delivered:
			w.rule(e.Match, e.Text)
			w.askStanding()
		case table.Undelivered:
			if e.Later {
				w.say(e.Match, waitingForServer)
			} else {
				w.say(e.Match, "does not count: "+e.Err.Error())
			}
		}
	})
	w.work.Go(func() {
		if err := w.outbox.Run(w.ctx); err != nil && w.ctx.Err() == nil {
			w.note("handing results in", err)
		}
	})
}

// rank begins to meet the ranking server in the background: it fetches tickets
// and keeps the player's standing. Without a server it does nothing. Called
// again, it leaves the server before.
func (w *World) rank() {
	if w.unrank != nil {
		w.unrank()
		w.unrank = nil
	}
	w.mu.Lock()
	w.rankingAt, w.standing = nil, ui.Standing{}
	w.mu.Unlock()
	if w.server == "" {
		return
	}
	ctx, cancel := context.WithCancel(w.ctx)
	w.unrank = cancel
	server := w.server
	w.work.Go(func() {
		for ctx.Err() == nil {
			w.refresh(ctx, server)
			select {
			case <-ctx.Done():
			case <-time.After(refreshEvery):
			}
		}
	})
}

// Server is the address of the server in use, "" for none, and whether it was
// given when the world was opened.
func (w *World) Server() (string, bool) { return w.server, w.fixed }

// SetServer takes another server for codes and the ladder, and keeps it; ""
// for none.
func (w *World) SetServer(address string) error {
	address = strings.TrimSpace(address)
	if address != "" {
		url, err := signal.ServerURL(address)
		if err != nil {
			return err
		}
		address = url
	}
	if err := w.vault.SetSetting("server", address); err != nil {
		return err
	}
	w.Deafen()
	w.server = address
	w.rank()
	return nil
}

const waitingForServer = "waiting for the server (kept, tries again)"

// say notes what became of a match.
func (w *World) say(id record.ID, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.verdicts[id] = text
}

// rule notes what the server said of a match it has taken, with what it did to
// the player's rating if it tells.
func (w *World) rule(id record.ID, text string) {
	r := w.ranking()
	if r == nil {
		w.say(id, text)
		return
	}
	ctx, cancel := context.WithTimeout(w.ctx, askFor)
	defer cancel()
	m, err := r.Client.Match(ctx, id)
	if err == nil {
		code := record.PlayerCode(w.id.Key())
		for _, p := range m.Players {
			if p.Code == code && p.Before != 0 && p.After != 0 {
				text = fmt.Sprintf("%s, %d to %d", text, p.Before, p.After)
			}
		}
	}
	w.say(id, text)
}

// verdict is what became of a rated match.
func (w *World) verdict(id record.ID) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if said := w.verdicts[id]; said != "" {
		return said
	}
	return waitingForServer
}

func (w *World) refresh(life context.Context, server string) {
	ctx, cancel := context.WithTimeout(life, askFor)
	defer cancel()
	r, err := table.OpenRanking(ctx, w.vault, server)
	if err != nil {
		w.setTrouble(err)
		return
	}
	w.mu.Lock()
	current := ctx.Err() == nil // no other server was chosen meanwhile
	if current {
		w.rankingAt = r
	}
	w.mu.Unlock()
	if !current {
		return
	}
	work, end := context.WithTimeout(life, workFor)
	defer end()
	if _, err := table.FetchTickets(work, w.vault, r); err != nil {
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
		return ui.Standing{Trouble: "no server is chosen yet"}
	}
	return w.standing
}

// status is what the server said of a rated match of the history.
func (w *World) status(id string) string {
	var match record.ID
	if _, err := hex.Decode(match[:], []byte(id)); err != nil {
		return ""
	}
	if said := w.verdict(match); said != waitingForServer {
		return said
	}
	if _, err := w.vault.Receipt(id); err == nil {
		return "confirmed"
	}
	return waitingForServer
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
