package world

import (
	"context"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/contest"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/ui"
)

// lookEvery is how often a server is asked for something while it is looked at.
const lookEvery = 30 * time.Second

// A glance is something that a server is asked for in the background, now and
// then while somebody looks.
type glance[T any] struct {
	mu      sync.Mutex
	server  string // its address
	asked   time.Time
	at      time.Time // when it was answered
	looking bool
	known   bool
	told    T
	err     error // the last answer's
}

// A seen is what a glance knows.
type seen[T any] struct {
	told    T
	known   bool
	at      time.Time
	looking bool
	trouble ui.Notice
}

// look is what is known; it asks again when that is old. Of another server than
// before nothing is known.
func look[T any](w *World, g *glance[T], ask func(context.Context, *table.Ranking) (T, error)) seen[T] {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.server != w.server {
		var none T
		g.server, g.asked, g.known, g.told, g.err, g.looking = w.server, time.Time{}, false, none, nil, false
	}
	if w.server == "" {
		return seen[T]{trouble: ui.Notice{ID: "trouble.no_server"}}
	}
	if !g.looking && time.Since(g.asked) > lookEvery {
		g.looking, g.asked = true, time.Now()
		server := w.server
		w.work.Go(func() {
			ctx, cancel := context.WithTimeout(w.ctx, askFor)
			defer cancel()
			var told T
			r, err := table.OpenRanking(ctx, w.vault, server)
			if err == nil {
				told, err = ask(ctx, r)
			}
			g.mu.Lock()
			defer g.mu.Unlock()
			if g.server != server || w.ctx.Err() != nil {
				return
			}
			g.looking, g.err = false, err
			if err == nil {
				g.told, g.known, g.at = told, true, time.Now()
			}
			w.changed()
		})
	}
	s := seen[T]{told: g.told, known: g.known, at: g.at, looking: g.looking}
	s.trouble = notice(g.err)
	return s
}

// soon makes the next look ask.
func (g *glance[T]) soon() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = time.Time{}
}

// A door is a run that is being begun in the background.
type door struct {
	mu   sync.Mutex
	of   string // what it is a run of
	busy bool
	seat *soloSeat
	err  error
}

// through begins a run, or returns the seat of the one that was begun. One that
// was begun for something else is left to be gone on with.
func (w *World) through(d *door, of string, begin func(context.Context) (*soloSeat, error)) (ui.SoloSeat, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of != of && d.seat != nil {
		d.seat.Leave()
	}
	if d.of != of {
		d.seat, d.err = nil, nil
	}
	if seat, err := d.seat, d.err; seat != nil || err != nil {
		d.seat, d.err = nil, nil
		if err != nil {
			return nil, told(err)
		}
		return seat, nil
	}
	if d.busy {
		return nil, nil
	}
	d.of, d.busy = of, true
	w.work.Go(func() {
		ctx, cancel := context.WithTimeout(w.ctx, workFor) // a new key's proof of work takes a while
		defer cancel()
		seat, err := begin(ctx)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.busy, d.seat, d.err = false, seat, err
		w.changed()
	})
	return nil, nil
}

// handIn hands in the runs that wait at a server.
func (w *World) handIn(ctx context.Context, r *table.Ranking) error {
	if _, err := contest.New(w.vault, r.Client, r.Key).Hand(ctx); err != nil {
		return err
	}
	_, err := contest.NewArenas(w.vault, r.Client, r.Key).Hand(ctx)
	return err
}

// handSoon hands a run in that has just ended, and makes the next looks ask.
func (w *World) handSoon() {
	server := w.server
	w.work.Go(func() {
		ctx, cancel := context.WithTimeout(w.ctx, askFor)
		defer cancel()
		r, err := table.OpenRanking(ctx, w.vault, server)
		if err == nil {
			err = w.handIn(ctx, r)
		}
		if err != nil && w.ctx.Err() == nil {
			w.note("handing a run in", err) // it waits, and goes with the next look
		}
		w.contests.soon()
	})
}
