package lockstep

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A View is where a session stands, for a screen that draws from scratch.
type View struct {
	Host bool
	Peer Peer // zero before Met
	Room RoomChanged

	Match   bool // there is a match, running or over; the rest is about it
	ID      record.ID
	Journal Journal
	Seat    int
	Terms   record.Terms
	Len     int // entries so far
	Pos     engine.Position
	Over    bool
	Result  Result
	Sealed  bool
	Waiting bool // after a restart, for what the peer holds

	Kind     engine.Kind // what this seat may decide now, None for nothing, when Held or Claiming
	Held     bool        // it has decided, and signs once the other's entry is there
	LimitMs  int64       // of the decision, 0 for none
	DueMono  int64       // when the limit passes, 0 for never
	PeerKind engine.Kind // what the peer may be deciding, or owes
	PeerDue  int64       // mono at which its limit passes by the clock here, 0 for never

	ClaimDue bool
	Claiming bool
	Opened   bool
}

// View returns where the session stands.
func (s *Session) View() View {
	v := View{Host: s.cfg.Host, Peer: s.peer, Room: s.roomNow()}
	m := s.match
	if m == nil {
		return v
	}
	v.Match, v.ID, v.Journal, v.Seat, v.Terms = true, m.id, m.journal, m.seat, m.terms
	v.Len, v.Pos, v.Over, v.Result = m.chain.Len(), m.chain.Position(), m.over(), m.result
	v.Sealed, v.Waiting = m.chain.Sealed(), m.recovering
	v.Held = m.held != nil
	v.ClaimDue, v.Claiming, v.Opened = m.claim != 0, m.claims, m.opened
	if m.over() || m.chain.Over() {
		return v
	}
	if !v.Held && !v.Claiming {
		v.Kind = m.deciding
	}
	v.LimitMs = int64(m.terms.Limits.For(m.deciding))
	if left, ok := m.leftMs(s.now); ok {
		v.DueMono = s.now.Mono + left
	}
	if v.PeerKind = v.Pos.MayDecide(1 - m.seat); v.PeerKind == engine.None && v.Pos.Owes() == 1-m.seat {
		v.PeerKind = v.Pos.Awaits()
	}
	if limit := int64(m.terms.Limits.For(v.PeerKind)); limit > 0 {
		v.PeerDue = s.now.Mono + max(0, limit-m.peerUsed(s.now))
	}
	return v
}

// Log is the match so far as a .cleave file, nil without a match.
func (s *Session) Log() []byte {
	if s.match == nil {
		return nil
	}
	return s.log()
}
