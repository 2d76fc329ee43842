package table

import (
	"context"
	"fmt"
	"time"

	"github.com/cleavegame/cleave/lockstep"
)

// loop lets the session live until it is closed.
func (t *Table) loop(ctx context.Context) error {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	leaving := t.leaving
	for !t.closed {
		t.publish()
		t.resetTimer(timer)
		out, head := t.next()
		var actions []lockstep.Action
		select {
		case <-ctx.Done():
			return ctx.Err()
		case out <- head:
			t.queue = t.queue[1:]
			continue
		case in := <-t.in:
			if in.number != t.number {
				continue
			}
			if in.err != nil {
				actions = t.lost(ctx)
			} else {
				actions = t.session.Receive(t.now(), in.frame)
			}
		case a := <-t.found:
			if err := t.arrived(ctx, a); err != nil {
				return err
			}
			continue
		case <-t.wake:
			if err := t.obey(ctx); err != nil {
				return err
			}
			continue
		case f := <-t.answers:
			var err error
			if actions, err = f(); err != nil {
				return err
			}
		case <-leaving:
			leaving = nil
			actions = t.session.Leave(t.now())
		case <-timer.C:
			actions = t.session.Tick(t.now())
		}
		if err := t.carryOut(ctx, actions); err != nil {
			return err
		}
	}
	t.stopSeeking()
	return ErrLeft
}

func (t *Table) resetTimer(timer *time.Timer) {
	now, next := t.now().Mono, t.session.NextTick()
	wait := time.Hour
	if ms := next - now; ms < wait.Milliseconds() {
		wait = time.Duration(max(ms, 0)) * time.Millisecond
	}
	timer.Reset(wait)
}

// carryOut does what the session asks for, in order. An error means that the
// session must not go on: something that had to be kept is not.
func (t *Table) carryOut(ctx context.Context, actions []lockstep.Action) error {
	for i := 0; i < len(actions); i++ {
		switch a := actions[i].(type) {
		case lockstep.Persist:
			batch := []lockstep.Persist{a}
			for i+1 < len(actions) {
				p, ok := actions[i+1].(lockstep.Persist)
				if !ok || p.Journal != a.Journal || p.First {
					break
				}
				batch = append(batch, p)
				i++
			}
			if err := t.persist(batch); err != nil {
				return err
			}
		case lockstep.Send:
			if t.conn != nil {
				// A frame that the pipe drops is sent again by the session.
				_ = t.conn.Send(a.Frame)
			}
		case lockstep.Show:
			if err := t.happened(ctx, a.Event); err != nil {
				return err
			}
		default:
			panic(fmt.Sprintf("table: unknown action %T", a))
		}
	}
	return nil
}
