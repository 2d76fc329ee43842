package table

import (
	"context"
	"time"

	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p"
)

// lost is told that the pipe is gone: in a match another one is looked for at
// once, outside of one the peer has left.
func (t *Table) lost(ctx context.Context) []lockstep.Action {
	conn := t.conn
	t.conn = nil
	t.carriers.Go(func() { conn.Close() })
	actions := t.session.Disconnected(t.now())
	if _, ok := t.reunion(); ok {
		t.tell(Parted{})
		t.seek(ctx)
		return actions
	}
	t.closed = true
	if !t.peerLeft { // it went without a word
		t.tell(FromSession{lockstep.PeerLeft{}})
	}
	return actions
}

// reunion says what is needed to find the peer again, and whether there is
// anything to find him for: a match that is not over, or one whose seal is
// still missing.
func (t *Table) reunion() (Reunion, bool) {
	m := t.match
	if m == nil {
		return Reunion{}, false
	}
	v := t.session.View()
	r := Reunion{Peer: v.Peer.Key, Session: t.secret, Match: m.id}
	if v.Match {
		return r, !v.Over || !v.Sealed && v.Result.End == lockstep.ByEngine
	}
	// The terms may be signed here and the match on at the other side.
	saved, err := t.saved(m)
	if err != nil || !saved.Signed {
		return Reunion{}, false
	}
	return Reunion{Peer: saved.Peer, Session: saved.Secret, Match: saved.ID}, !saved.Over
}

func (t *Table) saved(m *match) (lockstep.Saved, error) {
	records, err := t.cfg.Vault.ReadJournal(m.journal.Name())
	if err != nil {
		return lockstep.Saved{}, err
	}
	_, session, err := splitJournal(records)
	if err != nil {
		return lockstep.Saved{}, err
	}
	return lockstep.ReadJournal(session)
}

// guard lets the peer come back at any time by a path where that costs
// nothing.
func (t *Table) guard(ctx context.Context) {
	if g, ok := t.cfg.Path.(guarding); ok && g.Guards() {
		t.seek(ctx)
	}
}

// A guarding path can wait for the peer all through a match.
type guarding interface{ Guards() bool }

// An arrival is what a search for a new pipe came to; nil when it was given up.
type arrival struct {
	conn   p2p.Conn
	search chan struct{} // Table.sought of that search
}

// arrived makes a new pipe the session's, if it is what was looked for.
func (t *Table) arrived(ctx context.Context, a arrival) error {
	if t.seeking == nil || a.search != t.sought {
		// It was called off just then.
		if a.conn != nil {
			t.carriers.Go(func() { a.conn.Close() })
		}
		return nil
	}
	t.stopSeeking()
	switch {
	case a.conn == nil:
		return t.giveUp()
	case !t.isPeer(a.conn):
		t.carriers.Go(func() { a.conn.Close() })
		t.seek(ctx)
		return nil
	}
	if err := t.connect(ctx, a.conn); err != nil {
		return err
	}
	t.guard(ctx)
	return nil
}

// seek looks for a new pipe to the peer until it has one.
func (t *Table) seek(ctx context.Context) {
	r, ok := t.reunion()
	if !ok || t.seeking != nil && t.seekingFor == r {
		return
	}
	t.stopSeeking() // that for a match before
	t.seekingFor = r
	patience := time.Duration(0)
	if !t.session.View().Match {
		// Only this side has signed. The other may have taken its offer back,
		// and then nobody will ever answer.
		patience = signedPatience
	}
	ctx, cancel := context.WithCancel(ctx)
	t.seeking = cancel
	before := t.sought
	done := make(chan struct{})
	t.sought = done
	t.carriers.Go(func() {
		defer close(done)
		if before != nil {
			<-before // a path is used by one goroutine at a time
		}
		trying := ctx
		if patience > 0 {
			limited, stop := context.WithTimeout(ctx, patience)
			defer stop()
			trying = limited
		}
		conn, _ := t.cfg.Path.Again(trying, r) // its error is that trying ended
		select {
		case t.found <- arrival{conn, done}:
		case <-ctx.Done():
			if conn != nil {
				conn.Close()
			}
		}
	})
}

// stopSeeking ends the search for a new pipe.
func (t *Table) stopSeeking() {
	if t.seeking != nil {
		t.seeking()
		t.seeking = nil
	}
}

// signedPatience is how long the peer is looked for by a side that has signed
// terms and does not know whether the other has.
const signedPatience = 30 * time.Second

// giveUp ends a match that never began.
func (t *Table) giveUp() error {
	t.closed = true
	t.tell(FromSession{lockstep.PeerLeft{}})
	return t.closeMatch()
}

// isPeer reports whether a new pipe leads to whom the match is played with.
func (t *Table) isPeer(conn p2p.Conn) bool {
	r, ok := t.reunion()
	return ok && record.Key(conn.Info().Peer) == r.Peer
}
