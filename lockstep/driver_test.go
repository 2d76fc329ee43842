package lockstep

import (
	"math/rand/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// react is what a driver does about an event.
func (n *node) react(e Event) {
	later := func(ms int64, do func(s *Session) []Action) {
		gen := n.gen
		n.w.after(ms, func() {
			if n.gen == gen {
				n.call(do)
			}
		})
	}
	if n.onEvent != nil {
		n.onEvent(e)
	}
	switch e := e.(type) {
	case RoomChanged:
		if n.noStart {
			return
		}
		if !e.Ready[ownSide] {
			later(10, func(s *Session) []Action {
				if s.phase != phaseLobby || s.ready[ownSide] {
					return nil
				}
				return s.Ready(n.time(), true)
			})
		} else if e.Ready[peerSide] && n.cfg.Host {
			later(10, func(s *Session) []Action {
				if s.phase != phaseLobby || s.ready != [2]bool{true, true} {
					return nil
				}
				return s.Start(n.time())
			})
		}
	case Started:
		n.id0 = e.ID
	case YourTurn:
		n.decide(e.Kind)
	case Offline:
		n.seek()
	case ClaimDue:
		if !n.noClaims {
			later(1, func(s *Session) []Action {
				if s.match == nil || s.match.claim == 0 {
					return nil
				}
				return s.Claim(n.time())
			})
		}
	case Void:
		delete(n.journals, e.Journal)
	case Over:
		n.overs = append(n.overs, e)
		n.sealed = nil
		if e.Sealed {
			n.sealed = e.Log
		}
		if n.rematch > 0 {
			n.rematch--
			later(50, func(s *Session) []Action { return s.Rematch(n.time(), true) })
		}
	case Sealed:
		n.sealed = e.Log
	}
}

// decide thinks, and then decides.
func (n *node) decide(kind engine.Kind) {
	m := n.s.match
	state := m.chain.Position().(duel.State)
	move, ms := n.think(state, m.seat)
	if ms < 0 {
		return
	}
	gen, at := n.gen, m.chain.Len()
	n.w.after(ms, func() {
		if n.gen != gen {
			return
		}
		n.call(func(s *Session) []Action {
			if s.match != m || m.held != nil || m.over() || m.chain.Position().MayDecide(m.seat) != kind || m.chain.Len() > at+1 {
				return nil
			}
			return s.Decide(n.time(), move)
		})
	})
}

// random is any legal decision, after a while.
func (n *node) random(s duel.State, seat int) (engine.Move, int64) {
	ms := 100 + n.w.rng.Int64N(1500)
	if n.w.rng.IntN(40) == 0 {
		ms = 20_000
	}
	return randomMove(s, seat, n.w.rng), ms
}

func randomMove(s duel.State, seat int, rng *rand.Rand) engine.Move {
	m := engine.Move{Seat: uint8(seat), Kind: s.MayDecide(seat)}
	switch m.Kind {
	case engine.Split:
		masks, k := s.Block().Splits()
		m.Data = uint64(masks[rng.IntN(k)])
	case engine.Choose:
		m.Data = uint64(rng.IntN(2))
	case engine.Place:
		turns := s.Piece(seat).Turns()
		all := turns.AppendPlacements(nil, s.Board(seat), duel.Size)
		m.Data = uint64(all[rng.IntN(len(all))])
	}
	return m
}
