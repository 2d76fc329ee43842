package lockstep

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

// sendResume says where this side stands.
func (s *Session) sendResume() {
	var r resume
	switch s.phase {
	case phaseOffered:
		r.stands, r.ref = standsOffered, s.offer.start.half.anchor
	case phaseAccepted:
		r.stands, r.ref = standsAccepted, s.offer.terms.ID()
	case phaseMatch:
		m := s.match
		r = resume{stands: standsMatch, ref: m.id, index: uint32(m.chain.Len()), head: m.chain.Head()}
		for n := m.chain.Len(); n > 0 && r.yours == 0; n-- {
			if int(m.chain.EntryAt(n).Entry.Move.Seat) != m.seat {
				r.yours = uint32(n)
			}
		}
	}
	s.send(FrameResume, r.append(nil))
}

// greetMatch says under a new connection number what a RESUME does not, and
// waits for the peer's before it sends entries.
func (s *Session) greetMatch() {
	s.match.heard, s.match.synced, s.match.parted = false, false, false
	s.sendReady()
}

// onResume compares where both stand and sends what the peer lacks.
func (s *Session) onResume(r resume) {
	s.peerResume = r
	m := s.match
	switch s.phase {
	case phaseAccepted:
		// A host that offers something else, or nothing, has taken its START
		// back and never signs the answer to it.
		host := s.offer.start.half.anchor
		if r.stands == standsLobby || r.stands == standsOffered && r.ref != host {
			s.takenBack()
		}
	case phaseMatch:
		switch {
		case r.stands == standsMatch && r.ref == m.id:
			s.sync(r)
		case r.stands == standsAccepted && r.ref == m.id:
			// Its ACCEPT follows and is answered.
		case r.stands == standsOffered && !s.cfg.Host && r.ref == m.terms.Anchors[1-m.seat]:
			s.send(FrameTerms, termsFrame{m.sigs, m.terms}.append(nil))
		case !m.over():
			s.show(Forgotten{m.id})
		}
	}
}

// sync sends what the peer lacks of the match.
func (s *Session) sync(r resume) {
	m := s.match
	m.heard = true
	m.syncTo = int(min(r.index, 1<<20))
	head, have := m.chain.HeadAt(m.syncTo)
	m.parted = have && head != r.head
	switch {
	case m.parted:
		// A resignation has crossed something: it needs to be seen.
		s.sendFrom(1)
	case have:
		s.sendFrom(m.syncTo + 1)
	case m.chain.Over():
		// The peer has gone on beyond a resignation that it does not hold.
		s.sendFrom(m.chain.Len())
	}
	if seal, ok := m.chain.Seal(); ok {
		s.send(FrameSeal, seal.Append(nil))
	}
	if m.ownOff != nil {
		s.send(FrameCallOff, m.ownOff.append(nil))
	}
	if m.frozen != nil {
		s.sendHalf()
	}
	s.sendEnded()
	if m.over() && m.want[ownSide] {
		s.send(FrameRematch, rematch{m.id, true}.append(nil))
	}
	s.caughtUp()
}

// sendFrom sends the entries from index n on.
func (s *Session) sendFrom(n int) {
	c := s.match.chain
	var entries []record.SignedEntry
	for ; n <= c.Len(); n++ {
		entries = append(entries, c.EntryAt(n))
	}
	if both, drawn := c.Resignations(); drawn && len(entries) > 0 {
		entries = append(entries[:len(entries)-1], both[0], both[1])
	}
	s.sendEntries(entries)
	s.match.out = nil // they are among them
}

// recover holds back every signature until the peer's copies of this side's
// entries are here, when the match comes from a journal.
func (s *Session) recover() {
	if !s.resumed {
		return
	}
	m := s.match
	m.recovering, m.heard, m.synced = true, false, false
	switch r := s.peerResume; {
	case r.stands == standsMatch && r.ref == m.id:
		s.sync(r)
	case r.stands == standsOffered:
		// The host has begun only now: there is nothing to adopt.
		m.heard = true
		s.caughtUp()
	}
}

// caughtUp ends the recovery once everything that the peer said it holds is
// held here too.
func (s *Session) caughtUp() {
	m := s.match
	if m == nil || !m.heard || m.synced || m.parted || m.chain.Len() < m.syncTo && !m.chain.Over() {
		return
	}
	m.synced = true
	if m.recovering {
		m.recovering = false
		s.showTurn()
	}
	s.show(Resumed{m.id})
}

// Resume begins a session in the middle of the match whose journal records
// these are, in the order in which they were appended. Nothing is signed until
// the peer has said what it holds. Of cfg, Host, Peer, Secret and Room are
// taken from the journal. The first call of a method shows where the match
// stands: Started, the entries as Applied, YourTurn or Over, ClaimMade where
// a claim stands.
//
// A journal whose last records are missing is as good as one that was written
// so far: what is missing comes from the peer. One that does not read gives
// ErrJournal, and nothing may be signed in its match again.
func Resume(cfg Config, now Now, journal [][]byte) (*Session, error) {
	j, err := readJournal(journal)
	if err != nil {
		return nil, err
	}
	cfg.Host, cfg.Peer, cfg.Secret, cfg.Room = j.first.host, j.first.peer, j.first.secret, j.first.room
	s := New(cfg)
	s.now = now
	s.resumed = true
	s.room, s.rev = cfg.Room, j.first.offer.start.rev
	s.hostSeat = int(j.first.offer.start.seat)
	s.peer = Peer{Key: cfg.Peer, Name: j.first.name}
	if j.ended != nil && !j.signed {
		return s, nil
	}
	if !j.signed {
		s.offer = j.first.offer
		s.ready = [2]bool{true, true}
		s.phase = phaseOffered
		if !cfg.Host {
			s.phase = phaseAccepted
		}
		return s, nil
	}
	return s, s.restore(j)
}

// restore takes up the match of a journal.
func (s *Session) restore(j *journal) error {
	o := j.first.offer
	o.terms = j.terms
	chain, err := record.Begin(j.terms, j.sigs, s.cfg.Games)
	if err != nil || j.terms.Seat(s.cfg.Key) == engine.Nobody {
		return ErrJournal
	}
	m := s.newMatch(o, chain, j.sigs)
	m.appliedS.restart(j.wallMs)
	m.recovering = true
	s.match, s.phase = m, phaseMatch
	s.show(Started{ID: m.id, Seat: m.seat, Terms: m.terms, Sigs: m.sigs})
	m.claimed = chain.Head()
	for i, r := range j.entries {
		before := chain.Len()
		if chain.Apply(r.entry) != nil {
			return ErrJournal
		}
		// What the entry started runs since then, by the wall clock.
		live := s.now
		s.now.Wall = r.wallMs
		s.applied(r.entry, before)
		s.now = live
		m.appliedS.restart(r.wallMs)
		if m.clock.living {
			m.clock.restart(r.wallMs)
		}
		if i+1 == j.claimed {
			m.claimed = chain.Head()
		}
	}
	if j.seal != nil && chain.ApplySeal(*j.seal) != nil {
		return ErrJournal
	}
	if j.held != nil && m.deciding != engine.None {
		m.held = j.held
	}
	m.opened, m.claims, m.reason = j.opened, j.claim != 0, j.claim
	m.ownOff = j.off
	if m.ownOff != nil && int(m.ownOff.index) != chain.Len() {
		m.ownOff = nil
	}
	if j.ended != nil {
		m.result = *j.ended
		s.show(s.overNow())
	}
	if j.ended == nil && j.frozen != 0 {
		s.refreeze(j.frozen, j.frozenEntry)
	}
	if m.claims && m.result.End == 0 && m.chain.Head() == m.claimed {
		s.show(ClaimMade{s.claimNow(m.reason)})
	}
	s.opening, s.out = s.out, nil
	return nil
}
