package table

import (
	"context"

	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/p2p"
)

// meet waits for the first pipe, and meanwhile tells what it learns.
func (t *Table) meet(ctx context.Context) (p2p.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type met struct {
		conn p2p.Conn
		err  error
	}
	done := make(chan met, 1)
	told := make(chan Event)
	t.carriers.Go(func() {
		conn, err := t.cfg.Path.Meet(ctx, func(e Event) {
			select {
			case told <- e:
			case <-ctx.Done():
			}
		})
		done <- met{conn, err}
	})
	abandon := func() {
		cancel()
		if m := <-done; m.conn != nil {
			m.conn.Close()
		}
	}
	for {
		out, head := t.next()
		select {
		case m := <-done:
			return m.conn, m.err
		case e := <-told:
			t.tell(e)
		case out <- head:
			t.queue = t.queue[1:]
		case <-t.leaving:
			abandon()
			return nil, ErrLeft
		case <-ctx.Done():
			abandon()
			return nil, ctx.Err()
		}
	}
}

// sit begins a session with the peer at the other end of conn. visit ends when
// that peer has gone.
func (t *Table) sit(ctx, visit context.Context, conn p2p.Conn) error {
	info := conn.Info()
	cfg := t.sessionConfig()
	cfg.Peer, cfg.Secret = info.Peer, info.Session
	tickets, err := t.tickets()
	if err != nil {
		conn.Close()
		return err
	}
	cfg.Tickets = tickets
	t.secret = info.Session
	t.session = lockstep.New(cfg)
	t.cfg.Path.Show(p2p.RoomFull)
	if t.cfg.Ranking != nil && len(tickets) == 0 {
		t.carriers.Go(func() { t.awaitTickets(visit) })
	}
	return t.connect(ctx, conn)
}

// connect makes conn the pipe of the session, in place of any other.
func (t *Table) connect(ctx context.Context, conn p2p.Conn) error {
	if t.conn != nil {
		old := t.conn
		t.carriers.Go(func() { old.Close() })
	}
	t.number++
	t.conn = conn
	number := t.number
	t.carriers.Go(func() {
		for {
			frame, err := conn.Receive(ctx)
			select {
			case t.in <- inbound{number, frame, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	})
	t.tell(Joined{Info: conn.Info(), Again: t.again})
	t.again = true
	return t.carryOut(ctx, t.session.Connected(t.now()))
}
