package table

import (
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/p2p"
)

// A Stage says roughly where a table stands.
type Stage uint8

// The stages.
const (
	// Finding: nobody is there yet.
	Finding Stage = iota
	// Room: both are in the waiting room, or between two matches.
	Room
	// Playing: a match is on.
	Playing
	// Ended: a match is over.
	Ended
	// Gone: somebody left; Run has returned or is about to.
	Gone
)

// A Snapshot is a table at one moment. It is never changed once published.
type Snapshot struct {
	Stage Stage
	View  lockstep.View // zero while Finding
	// Info describes the pipe, when there is one.
	Connected bool
	Info      p2p.Info
	// Seeking says that a new path to the peer is being looked for.
	Seeking bool
	// RoundTripMs is the round trip to the peer, 0 if not known.
	RoundTripMs int64
	// NowMono is the session's clock when this was taken, in ms: the times of
	// View are on the same clock.
	NowMono int64
}

// publish makes the present state the Snapshot.
func (t *Table) publish() {
	s := &Snapshot{Stage: Finding, Seeking: t.seeking != nil, NowMono: t.now().Mono}
	if t.session != nil {
		s.View = t.session.View()
		s.RoundTripMs = t.session.RoundTripMs()
		switch {
		case t.closed:
			s.Stage = Gone
		case s.View.Match && !s.View.Over:
			s.Stage = Playing
		case s.View.Match:
			s.Stage = Ended
		default:
			s.Stage = Room
		}
	}
	if t.conn != nil {
		s.Connected, s.Info = true, t.conn.Info()
	}
	t.snapshot.Store(s)
}
