package lockstep

import (
	"errors"

	"github.com/cleavegame/cleave/lockstep/record"
)

// onEntries takes entries from the peer, its own or copies of this side's.
func (s *Session) onEntries(entries []record.SignedEntry) {
	for _, e := range entries {
		if s.past(e.Match) {
			continue // of the match before a rematch, said again
		}
		if s.match == nil || s.phase != phaseMatch || e.Match != s.match.id {
			s.bad(FrameEntries, BadMatch)
			return
		}
		s.onEntry(e)
		s.match.parted = false
	}
	s.caughtUp()
}

func (s *Session) onEntry(e record.SignedEntry) {
	m := s.match
	if m.frozen != nil || m.over() && m.result.End != ByEngine {
		return // it ended outside of the record
	}
	before := m.chain.Len()
	err := s.acceptEntry(m.chain, e)
	switch {
	case err == nil:
		s.persist(m.journal, false, entryRecord(s.now.Wall, e))
		s.applied(e, before)
		return
	case errors.Is(err, record.ErrHeld), errors.Is(err, record.ErrDropped):
		return
	}
	s.fork(err)
	reason := badEntry(err)
	s.bad(FrameEntries, reason)
	if reason == BadDigest || reason == BadMove {
		s.disagree(e, reason)
	}
}

// fork shows a proof of fraud, where a refusal holds one.
func (s *Session) fork(err error) {
	if fork := (*record.ForkError)(nil); errors.As(err, &fork) && s.badLeft > 0 {
		s.show(Fraud{fork.Fraud})
	}
}

// badEntry is the reason for what a chain refused.
func badEntry(err error) Reason {
	for _, r := range []struct {
		is     record.Reason
		reason Reason
	}{
		{record.ErrWrongMatch, BadMatch},
		{record.ErrIndex, BadIndex},
		{record.ErrSignature, BadSignature},
		{record.ErrSealSignature, BadSignature},
		{record.ErrFork, BadFork},
		{record.ErrStaleResign, BadFork},
		{record.ErrHead, BadHead},
		{record.ErrOver, BadOver},
		{record.ErrNotOver, BadPlace},
		{record.ErrAuthor, BadAuthor},
		{record.ErrNotAwaited, BadKind},
		{record.ErrNoClock, BadKind},
		{record.ErrLayer, BadLayer},
		{record.ErrIllegal, BadMove},
		{record.ErrDigest, BadDigest},
	} {
		if errors.Is(err, r.is) {
			return r.reason
		}
	}
	return BadFrame
}

// Resign gives the match up.
func (s *Session) Resign(now Now) []Action {
	s.begin(now)
	switch m := s.match; {
	case m == nil || m.over() || m.chain.Over():
		s.refuse(NotNow)
	case m.claims:
		s.refuse(ClaimStands)
	default:
		m.resign = true
	}
	return s.finish()
}

// flushEntries queues the entries that this call has made, in one frame.
func (s *Session) flushEntries() {
	if m := s.match; m != nil {
		// Before the peer has said what it holds, what it lacks is not known;
		// then it gets all of that.
		if m.heard {
			s.sendEntries(m.out)
		}
		m.out = nil
	}
}

func (s *Session) sendEntries(entries []record.SignedEntry) {
	for len(entries) > 0 {
		n := min(len(entries), maxEntries)
		s.send(FrameEntries, appendEntries(nil, entries[:n]))
		entries = entries[n:]
	}
}
