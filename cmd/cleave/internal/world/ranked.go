package world

import (
	"context"
	"encoding/hex"
	"encoding/json"
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
	retryFirst   = 3 * time.Second // and twice as long each time, while it fails
	askFor       = 15 * time.Second
	// A player's first tickets cost some work, for which a phone takes its time.
	workFor = 3 * time.Minute
)

// deliver hands in what waits, to whichever server it is for.
func (w *World) deliver() {
	w.outbox = table.NewOutbox(w.vault, func(e table.Event) {
		switch e := e.(type) {
		case table.Delivered:
			w.rule(e.Match, e.Receipt)
			w.askStanding()
		case table.Undelivered:
			if e.Later {
				w.say(e.Match, waitingForServer)
			} else {
				w.say(e.Match, ui.Notice{ID: "verdict.refused", Why: notice(e.Err).ID})
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
		retry := retryFirst
		for ctx.Err() == nil {
			wait := refreshEvery
			if w.refresh(ctx, server) {
				retry = retryFirst
			} else {
				wait, retry = retry, min(2*retry, refreshEvery)
			}
			select {
			case <-ctx.Done():
			case <-time.After(wait):
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
			return told(err)
		}
		address = url
	}
	if err := w.vault.SetSetting("server", address); err != nil {
		return told(err)
	}
	w.Deafen()
	w.server = address
	w.rank()
	return nil
}

var waitingForServer = ui.Notice{ID: "verdict.waiting"}

// say notes what became of a match.
func (w *World) say(id record.ID, what ui.Notice) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.verdicts[id] = what
}

// ruling is what a receipt says of a match.
func ruling(receipt []byte) ui.Notice {
	var r ranking.Receipt
	if json.Unmarshal(receipt, &r) != nil {
		return waitingForServer
	}
	n := ui.Notice{ID: "verdict.accepted"}
	switch r.Kind {
	case ranking.Confirmed:
		n.ID = "verdict.confirmed"
	case ranking.Unrated:
		n.ID = "verdict.unrated"
	case ranking.Claimed:
		n.ID = "verdict.claimed"
	}
	if r.Reason != ranking.None {
		n.ID, n.Why = n.ID+"_why", rankingReason(r.Reason)
	}
	return n
}

// rule notes what the server said of a match it has taken, with what it did to
// the player's rating if it tells.
func (w *World) rule(id record.ID, receipt []byte) {
	said := ruling(receipt)
	w.say(id, said)
	r := w.ranking()
	if r == nil || said.ID != "verdict.confirmed" {
		return
	}
	ctx, cancel := context.WithTimeout(w.ctx, askFor)
	defer cancel()
	m, err := r.Client.Match(ctx, id)
	if err == nil {
		code := record.PlayerCode(w.id.Key())
		for _, p := range m.Players {
			switch {
			case p.Code == code && p.Reason != ranking.None:
				w.say(id, ui.Notice{ID: "verdict.confirmed_why", Why: rankingReason(p.Reason)})
			case p.Code == code && p.Before != 0 && p.After != 0:
				w.say(id, ui.Notice{ID: "verdict.moved", N: p.Before, M: p.After})
			}
		}
	}
}

// verdict is what became of a rated match.
func (w *World) verdict(id record.ID) ui.Notice {
	w.mu.Lock()
	defer w.mu.Unlock()
	if said, ok := w.verdicts[id]; ok {
		return said
	}
	return waitingForServer
}

// refresh asks the ranking server once, and says whether it was there and gave
// what was wanted.
func (w *World) refresh(life context.Context, server string) bool {
	ctx, cancel := context.WithTimeout(life, askFor)
	defer cancel()
	r, err := table.OpenRanking(ctx, w.vault, server)
	if err != nil {
		w.setTrouble(err)
		return false
	}
	w.mu.Lock()
	current := ctx.Err() == nil // no other server was chosen meanwhile
	if current {
		w.rankingAt = r
	}
	w.mu.Unlock()
	if !current {
		return false
	}
	if err := w.handIn(ctx, r); err != nil && ctx.Err() == nil {
		w.note("handing runs in", err)
	}
	work, end := context.WithTimeout(life, workFor)
	defer end()
	_, err = table.FetchTickets(work, w.vault, r)
	if err != nil {
		w.setTrouble(err)
	}
	w.askStanding()
	return err == nil
}

func (w *World) setTrouble(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.standing.Trouble = notice(err)
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
	names := w.names()
	for _, p := range ladder.Players {
		r := row(p, code)
		r.Player.Name = names[p.Code]
		s.Table = append(s.Table, r)
	}
	if me, err := r.Client.Player(ctx, code); err == nil {
		s.Rating, s.Placements = me.Rating, max(0, 5-me.Placement)
	}
	w.mu.Lock()
	w.standing = s
	w.mu.Unlock()
}

// names are those of the players whom one has met, and one's own, by player
// code. The ladder itself knows no names.
func (w *World) names() map[string]string {
	logs, err := w.vault.Logs()
	if err != nil {
		w.note("reading the history", err)
	}
	names := map[string]string{}
	for _, l := range logs {
		names[l.Opponent] = l.OpponentName
	}
	if a := w.Account(); a.Name != "" {
		names[a.Code] = a.Name
	}
	return names
}

func row(p ranking.Standing, me string) ui.Row {
	return ui.Row{Rank: p.Rank, Rating: p.Rating, Player: ui.Person{Code: p.Code}, Me: p.Code == me}
}

// Standing is the player's place.
func (w *World) Standing() ui.Standing {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.server == "" {
		return ui.Standing{Trouble: ui.Notice{ID: "problem.no_server"}}
	}
	return w.standing
}

// status is what the server said of a rated match of the history.
func (w *World) status(id string) ui.Notice {
	var match record.ID
	if _, err := hex.Decode(match[:], []byte(id)); err != nil {
		return ui.Notice{}
	}
	if said := w.verdict(match); said != waitingForServer {
		return said
	}
	if receipt, err := w.vault.Receipt(id); err == nil {
		return ruling(receipt)
	}
	return waitingForServer
}

// Outbox lists what waits for the server.
func (w *World) Outbox() []ui.Notice {
	parcels, err := w.vault.Parcels(time.Now())
	if err != nil {
		w.note("reading the outbox", err)
	}
	var list []ui.Notice
	for _, p := range parcels {
		id := "outbox.other"
		switch p.Kind {
		case "log", "claim", "fraud":
			id = "outbox." + p.Kind
		}
		list = append(list, ui.Notice{ID: id, Name: p.Server, N: p.Tries})
	}
	return list
}
