package lockstep

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

// claimMs is how long without any frame, or how long over the limit of the
// entry that the peer owes, makes a claim due.
const claimMs = 30_000

// A ClaimReason says why a claim is due.
type ClaimReason uint8

// The reasons for a claim.
const (
	// ClaimSilence: 30 s without any frame.
	ClaimSilence ClaimReason = 1
	// ClaimOwed: the entry that the peer owes is 30 s over its limit.
	ClaimOwed ClaimReason = 2
)

// A Claim says what the peer owes.
type Claim struct {
	ID       record.ID
	Index    int // of the owed entry
	Head     record.Head
	Kind     engine.Kind // of the owed entry
	Reason   ClaimReason
	Opened   bool   // only then can the endpoint hear it
	Log      []byte // the match so far, as a .cleave file
	Evidence []byte // the bundle of a Desync at Index, nil without one
}

// dueNow says why a claim is due at this moment, 0 if none is. Only who owes
// the next entry can be claimed against: whoever owes it himself signs it.
func (s *Session) dueNow() ClaimReason {
	m := s.match
	if m == nil || m.over() || m.frozen != nil || m.chain.Over() || m.chain.Position().Owes() == m.seat {
		return 0
	}
	limit := int64(m.terms.Limits.For(m.chain.Position().Awaits()))
	switch {
	case limit > 0 && m.peerMs >= limit+claimMs:
		return ClaimOwed
	case s.link.silentMs >= claimMs:
		return ClaimSilence
	}
	return 0
}

// watch shows when a claim becomes due, or is so no more.
func (s *Session) watch() {
	m := s.match
	switch {
	case s.phase != phaseMatch:
		return
	case m.claims:
		if !m.moot && m.chain.Head() != m.claimed {
			m.moot = true
			s.show(ClaimGone{})
		}
		return
	}
	switch due := s.dueNow(); {
	case due == m.claim:
	case due == 0:
		m.claim = 0
		s.show(ClaimGone{})
	case m.claim == 0:
		m.claim = due
		s.show(ClaimDue{s.claimNow(due)})
	default:
		m.claim = due
	}
}

func (s *Session) claimNow(reason ClaimReason) Claim {
	m := s.match
	return Claim{
		ID: m.id, Index: m.chain.Len() + 1, Head: m.chain.Head(), Kind: m.chain.Position().Awaits(),
		Reason: reason, Opened: m.opened, Log: s.log(), Evidence: m.bundle,
	}
}

// Claim makes the claim that ClaimDue told. In an opened match ClaimMade has
// what the driver brings to the endpoint, and nothing is signed until
// WithdrawClaim or Decided, over a restart too; any other match ends as
// abandoned by the peer.
func (s *Session) Claim(now Now) []Action {
	s.begin(now)
	switch m := s.match; {
	case m == nil || m.over() || m.claims:
		s.refuse(NotNow)
	case m.claim == 0:
		s.refuse(NothingDue)
	case m.opened:
		m.claims, m.reason, m.claimed, m.moot = true, m.claim, m.chain.Head(), false
		s.persist(m.journal, false, claimRecord(m.reason))
		s.show(ClaimMade{s.claimNow(m.reason)})
	default:
		s.endOutside(Abandoned, 1-m.seat)
		if m.heard {
			s.sendEnded()
		}
	}
	return s.finish()
}

// WithdrawClaim says that the claim was withdrawn at the endpoint.
func (s *Session) WithdrawClaim(now Now) []Action {
	s.begin(now)
	if m := s.match; m == nil || !m.claims {
		s.refuse(NothingDue)
	} else {
		m.claims = false
		m.claim = s.dueNow()
		s.persist(m.journal, false, claimRecord(0))
		s.showTurn()
	}
	return s.finish()
}

// Decided says that the endpoint has decided: the seat lost the match by
// claim, or engine.Nobody: it does not count.
func (s *Session) Decided(now Now, lost int) []Action {
	s.begin(now)
	if m := s.match; m == nil || m.over() || !m.terms.Rated || lost < engine.Nobody || lost > 1 {
		s.refuse(NotNow)
	} else {
		s.endOutside(Claimed, lost)
	}
	return s.finish()
}

// CallOff offers to call the match off while a claim is due, or agrees to the
// peer's offer. An offer lapses with the next entry.
func (s *Session) CallOff(now Now) []Action {
	s.begin(now)
	switch m := s.match; {
	case m == nil || m.over() || m.chain.Over() || m.recovering || m.ownOff != nil:
		s.refuse(NotNow)
	case m.claims:
		s.refuse(ClaimStands)
	case m.claim == 0 && m.peerOff == nil:
		s.refuse(NothingDue)
	default:
		c := callOff{id: m.id, index: uint32(m.chain.Len()), head: m.chain.Head()}
		c.sig = s.cfg.Sign(c.message())
		m.ownOff = &c
		s.persist(m.journal, false, offRecord(c))
		if m.heard {
			s.send(FrameCallOff, c.append(nil))
		}
		s.calledOff()
	}
	return s.finish()
}

func (s *Session) onCallOff(c callOff) {
	m := s.match
	switch {
	case m == nil || s.phase != phaseMatch || c.id != m.id:
		s.bad(FrameCallOff, BadMatch)
	case m.over() || m.frozen != nil || m.peerOff != nil:
	case int(c.index) != m.chain.Len() || c.head != m.chain.Head():
		// It was offered before an entry that the peer had not seen yet.
	case !s.cfg.Peer.Verify(c.message(), c.sig):
		s.bad(FrameCallOff, BadSignature)
	default:
		m.peerOff = &c
		if m.ownOff == nil {
			s.show(CallOffOffered{})
		}
		s.calledOff()
	}
}

// calledOff ends the match when both have signed that they want it called off
// at one head.
func (s *Session) calledOff() {
	m := s.match
	if m.ownOff == nil || m.peerOff == nil {
		return
	}
	by := CallOffSigned{ID: m.id, Index: m.chain.Len(), Head: m.chain.Head()}
	by.Sigs[m.seat], by.Sigs[1-m.seat] = m.ownOff.sig, m.peerOff.sig
	s.show(by)
	s.endOutside(CalledOff, engine.Nobody)
}
