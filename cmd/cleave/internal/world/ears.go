package world

import (
	"context"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/signal"
	"github.com/cleavegame/cleave/ui"
)

// ears listens for rooms in the background.
type ears struct {
	stop context.CancelFunc

	mu    sync.Mutex
	heard ui.Earshot
}

func (e *ears) set(h ui.Earshot) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard = h
}

func (e *ears) get() ui.Earshot {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.heard
}

// Earshot returns the rooms on the LAN.
func (w *World) Earshot() ui.Earshot {
	if w.lan == nil {
		ctx, stop := context.WithCancel(w.ctx)
		e := &ears{stop: stop, heard: ui.Earshot{Looking: true}}
		w.lan = e
		w.work.Go(func() {
			err := table.BrowseLAN(ctx, w.id, nil, func(rooms []p2p.Room, trouble error) {
				h := ui.Earshot{Trouble: notice(trouble)}
				for _, r := range rooms {
					h.Rooms = append(h.Rooms, lanRoom(r))
				}
				e.set(h)
			})
			if ctx.Err() == nil && err != nil {
				e.set(ui.Earshot{Trouble: notice(err)})
			}
		})
	}
	return w.lan.get()
}

func lanRoom(r p2p.Room) ui.RoomView {
	return ui.RoomView{ID: r.Name, Room: r.Name, Player: r.Player, Code: record.PlayerCode(r.Key),
		State: string(r.State), Clocks: r.Clocks, Rated: r.Rated}
}

// Deafen ends all listening.
func (w *World) Deafen() {
	for _, e := range []**ears{&w.lan, &w.listed} {
		if *e != nil {
			(*e).stop()
			*e = nil
		}
	}
}

// listEvery is how often the server's list is asked for while it is looked at.
const listEvery = 3 * time.Second

// Listed returns the rooms listed at the server.
func (w *World) Listed() ui.Earshot {
	if w.server == "" {
		return ui.Earshot{Trouble: ui.Notice{ID: "problem.no_server"}}
	}
	if w.listed == nil {
		ctx, stop := context.WithCancel(w.ctx)
		e := &ears{stop: stop, heard: ui.Earshot{Looking: true}}
		w.listed = e
		w.work.Go(func() {
			for ctx.Err() == nil {
				e.set(w.askList(ctx))
				select {
				case <-ctx.Done():
				case <-time.After(listEvery):
				}
			}
		})
	}
	return w.listed.get()
}

func (w *World) askList(ctx context.Context) ui.Earshot {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	rooms, err := table.ServerRooms(ctx, w.server)
	if err != nil {
		return ui.Earshot{Trouble: notice(err)}
	}
	var h ui.Earshot
	for _, r := range rooms {
		h.Rooms = append(h.Rooms, serverRoom(r))
	}
	return h
}

func serverRoom(r signal.Listing) ui.RoomView {
	return ui.RoomView{ID: r.Name, Room: r.Name, Player: r.Player, Code: record.PlayerCode(r.Key),
		State: r.State, Clocks: r.Clocks, Rated: r.Rated}
}
