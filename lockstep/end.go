package lockstep

import (
	"errors"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

const (
	sealWaitMs  = 30_000 // the survivor of the last entry stays for the seal
	leaveWaitMs = 2_000  // a goodbye waits for its answer
)

// An End says how a match ended.
type End uint8

// The ways in which a match ends. The numbers travel and are journaled.
const (
	// ByEngine: the record says how, see Outcome.
	ByEngine End = 1
	// Abandoned: unfinished; By is the seat that stayed away.
	Abandoned End = 2
	// CalledOff: both agreed to.
	CalledOff End = 3
	// NotBegun: someone left before the first reveal.
	NotBegun End = 4
	// Desynced: the engines disagreed in a friendly match.
	Desynced End = 5
	// Claimed: the endpoint decided; By lost, or engine.Nobody.
	Claimed End = 6
	// Lost: the match cannot go on because its journal does not hold. No
	// session gives it; it is a driver's word for a match that has none.
	Lost End = 7
)

// A Result is how a match ended.
type Result struct {
	End     End            // 0 while it goes on
	Outcome engine.Outcome // when End is ByEngine
	By      int            // seat, or engine.Nobody; see End
}

// settle ends the match when the engine has, and signs the seal when it is
// this side's. A resignation that crossed may end it another way than before.
func (s *Session) settle() {
	m := s.match
	if !m.chain.Over() || m.frozen != nil || m.result.End != 0 && m.result.End != ByEngine {
		return
	}
	sealed := m.chain.Sealed()
	if m.chain.SealOwner() == m.seat && m.maySign() {
		seal, err := m.chain.SignSeal(s.cfg.Sign)
		if err != nil {
			panic("lockstep: own seal refused: " + err.Error())
		}
		s.persist(m.journal, false, sealRecord(seal))
		if err := m.chain.ApplySeal(seal); err != nil {
			panic("lockstep: own seal refused: " + err.Error())
		}
		s.flushEntries() // in their order
		if m.heard {
			s.send(FrameSeal, seal.Append(nil))
		}
	}
	if m.result.End == 0 || m.overHead != m.chain.Head() {
		m.result = Result{End: ByEngine, Outcome: m.chain.Outcome(), By: engine.Nobody}
		m.overHead = m.chain.Head()
		m.sealMs = 0
		if m.chain.SealOwner() == 1-m.seat {
			m.sealMs = s.now.Mono + sealWaitMs
		}
		s.show(s.overNow())
		s.review(true)
	} else if !sealed && m.chain.Sealed() {
		s.show(Sealed{s.log()})
	}
	s.tryRematch()
}

func (s *Session) overNow() Over {
	return Over{Result: s.match.result, Log: s.log(), Sealed: s.match.chain.Sealed()}
}

// log is the match so far as a .cleave file.
func (s *Session) log() []byte { return s.match.chain.Log().Append(nil) }

// endOutside ends the match in a way that is not in the record.
func (s *Session) endOutside(end End, by int) {
	m := s.match
	m.result = Result{End: end, By: by}
	m.claim, m.claims, m.held, m.deciding, m.resign, m.sealMs = 0, false, nil, engine.None, false, 0
	s.persist(m.journal, false, endedRecord(m.result))
	s.show(s.overNow())
	s.review(true)
}

// sendEnded tells a peer that takes the match up again that it has ended here.
func (s *Session) sendEnded() {
	m := s.match
	if e := m.result.End; e == Abandoned && m.result.By != m.seat || e == NotBegun {
		s.send(FrameEnded, ended{m.id, uint32(m.chain.Len()), m.chain.Head(), e}.append(nil))
	}
}

// onEnded believes a peer that has ended an unfinished match only where it may
// have been right to: this side owes the next entry, and no claim of its own
// was due first; or nothing had begun.
func (s *Session) onEnded(e ended) {
	m := s.match
	switch {
	case m == nil || s.phase != phaseMatch || e.id != m.id:
		s.bad(FrameEnded, BadMatch)
	case m.over():
	case e.end == NotBegun && !m.begun():
		s.endOutside(NotBegun, engine.Nobody)
	case e.end == Abandoned && !m.opened && !m.chain.Over() && int(e.index) == m.chain.Len() && e.head == m.chain.Head() &&
		m.chain.Position().Owes() == m.seat:
		s.endOutside(Abandoned, m.seat)
	default:
		s.bad(FrameEnded, BadPlace)
		s.show(Forgotten{m.id})
	}
}

// onSeal takes the peer's seal.
func (s *Session) onSeal(body []byte) {
	seal, err := record.ParseSeal(body)
	m := s.match
	switch {
	case err != nil:
		s.bad(FrameSeal, badParse(err))
		return
	case s.past(seal.Match):
		return // of the match before a rematch, said again
	case m == nil || s.phase != phaseMatch || seal.Match != m.id:
		s.bad(FrameSeal, BadMatch)
		return
	case m.frozen != nil || m.over() && m.result.End != ByEngine:
		return
	}
	// A copy of this side's own seal may come back after a restart.
	switch err := s.acceptSeal(m.chain, seal); {
	case err == nil:
		s.persist(m.journal, false, sealRecord(seal))
		if m.over() {
			m.sealMs = 0
			s.show(Sealed{s.log()})
		}
	case errors.Is(err, record.ErrHeld):
	default:
		s.fork(err)
		s.bad(FrameSeal, badEntry(err))
	}
}

// sealTime gives the seal up when it has not come in time.
func (s *Session) sealTime() {
	if m := s.match; m != nil && m.sealMs != 0 && s.now.Mono >= m.sealMs {
		m.sealMs = 0
		s.show(Unsealed{s.log()})
		s.tryRematch()
	}
}

// Rematch offers a further match with the seats swapped, agrees to one, or
// refuses it.
func (s *Session) Rematch(now Now, want bool) []Action {
	s.begin(now)
	if m := s.match; s.phase != phaseMatch || !m.over() || s.leaving || s.barred != 0 {
		s.refuse(NotNow)
	} else {
		m.want[ownSide] = want
		if !want {
			m.want[peerSide] = false
		}
		if m.heard || !want { // else it follows the entries that the peer lacks
			s.send(FrameRematch, rematch{m.id, want}.append(nil))
		}
		s.tryRematch()
	}
	return s.finish()
}

func (s *Session) onRematch(r rematch) {
	m := s.match
	switch {
	case s.past(r.last) && r.want:
		// Agreed already; this was said again under a new connection.
	case m == nil || s.phase != phaseMatch || r.last != m.id:
		s.bad(FrameRematch, BadMatch)
	case !m.over():
		s.bad(FrameRematch, BadPlace)
	case r.want:
		if !m.want[peerSide] {
			m.want[peerSide] = true
			m.refused = false
			if !m.want[ownSide] {
				s.show(RematchOffered{})
			}
		}
		s.tryRematch()
	default:
		m.want = [2]bool{}
		if !m.refused {
			m.refused = true
			s.show(RematchRefused{})
		}
	}
}

// tryRematch begins anew when both want to and nothing more can come of the
// match that is over.
func (s *Session) tryRematch() {
	m := s.match
	if s.phase != phaseMatch || m.want != [2]bool{true, true} || !m.over() || m.recovering || m.sealMs != 0 || m.claims || !m.heard || s.unheard() {
		return
	}
	s.rematchNow()
}

// rematchNow leaves the match that is over for the next one.
func (s *Session) rematchNow() {
	m := s.match
	s.hostSeat = 1 - s.hostSeat
	s.before, s.match = m.id, nil
	s.phase = phaseLobby
	s.ready = [2]bool{true, true}
	s.show(RematchAgreed{})
	s.review(true)
	s.ready = [2]bool{true, true} // for the room as it was just shown
	if s.cfg.Host {
		s.offerStart()
	}
}

// past reports whether the id is that of the match before a rematch.
func (s *Session) past(id record.ID) bool { return id == s.before && id != record.ID{} }

// unheard reports whether entries or a seal are on their way and the peer has
// not said that it has them.
func (s *Session) unheard() bool {
	for _, q := range s.link.queue {
		if q.kind == FrameEntries || q.kind == FrameSeal {
			return true
		}
	}
	return len(s.match.out) > 0
}

// agreed notes that the peer acts as if both had agreed to a further match:
// its word that it wants one was lost with a connection, but it is implied.
func (s *Session) agreed() {
	if m := s.match; s.phase == phaseMatch && m.over() && m.want[ownSide] && !m.recovering && !m.claims {
		s.rematchNow() // it has all that it lacked, or would not have agreed
	}
}

// Leave says goodbye and closes the session when the peer has answered, or
// after 2 s. The result of a match never depends on it.
func (s *Session) Leave(now Now) []Action {
	s.begin(now)
	if s.phase != phaseClosed && !s.leaving {
		if s.phase == phaseMatch && !s.match.over() && !s.match.begun() {
			s.endOutside(NotBegun, engine.Nobody)
		}
		if s.phase == phaseOffered {
			// Nothing is signed yet, and now nothing will be.
			s.show(Void{s.offer.journal})
			s.offer, s.phase = offer{}, phaseLobby
		}
		s.leaving = true
		s.leaveMs = s.now.Mono + leaveWaitMs
		s.send(FrameBye, appendFlag(nil, false))
		if !s.link.up || s.link.number == 0 {
			s.leaveMs = s.now.Mono
		}
	}
	return s.finish()
}

func (s *Session) onBye(answer bool) {
	if !answer {
		s.send(FrameBye, appendFlag(nil, true))
		if !s.left {
			s.left = true
			if s.phase == phaseMatch && !s.match.over() && !s.match.begun() {
				s.endOutside(NotBegun, engine.Nobody)
			}
			if s.phase == phaseOffered || s.phase == phaseAccepted {
				s.abort(0)
			}
			s.show(PeerLeft{})
		}
	}
	if s.leaving {
		s.leaveMs = s.now.Mono // after what this call still sends
	}
}

// leaveTime closes the session when its goodbye has been answered, or has
// waited long enough.
func (s *Session) leaveTime() {
	if s.leaving && s.phase != phaseClosed && s.now.Mono >= s.leaveMs {
		s.phase = phaseClosed
		s.link.up = false
		s.show(Closed{})
	}
}
