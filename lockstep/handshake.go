package lockstep

import "github.com/cleavegame/cleave/lockstep/record"

// The protocol's versions that this package speaks.
const (
	oldestProtocol = 1
	newestProtocol = record.Protocol
)

// ownTicketMargin is how much longer than the rule asks, in seconds, one's own
// ticket must run before it is offered, so that the peer's clock does not find
// it too short.
const ownTicketMargin = 3600

// greet says under a new connection number who this is and where it stands.
func (s *Session) greet() {
	if !s.link.up {
		return
	}
	s.sendHello()
	s.sendResume()
	switch s.phase {
	case phaseLobby, phaseOffered:
		s.ready[peerSide] = false
		if s.cfg.Host {
			s.sendRoom()
		}
		s.sendReady()
		if s.phase == phaseOffered {
			s.send(FrameStart, s.offer.start.append(nil))
		}
	case phaseAccepted:
		s.sendReady()
		s.send(FrameAccept, s.offer.accept.append(nil))
	case phaseMatch:
		if s.cfg.Host {
			s.sendRoom()
		}
		s.greetMatch()
	}
	if s.leaving {
		s.send(FrameBye, appendFlag(nil, false))
	}
}

func (s *Session) sendHello() {
	m := hello{
		oldest: oldestProtocol, newest: newestProtocol,
		key: s.cfg.Key, name: s.cfg.Name, client: s.cfg.Client,
		rules: []string{s.cfg.Rules}, tickets: s.offered(),
	}
	s.send(FrameHello, m.append(nil))
}

// offered are the tickets that the peer is told of: one for each server, with
// time enough to run.
func (s *Session) offered() []record.Ticket {
	var out []record.Ticket
	seconds := s.now.Wall / 1000
next:
	for _, t := range s.cfg.Tickets {
		if t.Expires-seconds < record.TicketMargin+ownTicketMargin || t.Check(s.cfg.Key, t.Server, seconds) != nil {
			continue
		}
		for _, have := range out {
			if have.Server == t.Server {
				continue next
			}
		}
		if out = append(out, t); len(out) == maxTickets {
			break
		}
	}
	return out
}

func (s *Session) onHello(m hello) {
	switch {
	case m.key != s.cfg.Peer:
		s.bar(OtherKey)
		s.bad(FrameHello, OtherKey)
		return
	case m.key == s.cfg.Key:
		s.bar(SameKey)
	case m.oldest > newestProtocol:
		s.bar(VersionOld)
	case m.newest < oldestProtocol:
		s.bar(VersionPeerOld)
	case !contains(m.rules, s.cfg.Rules):
		s.bar(NoRules)
	default:
		s.barred = 0
	}
	s.greeted = true
	p := Peer{Key: m.key, Name: m.name, Client: m.client, Rules: m.rules, Caps: m.caps}
	changed := !s.met || p.Name != s.peer.Name || p.Client != s.peer.Client || p.Caps != s.peer.Caps
	s.met, s.peer, s.peerTickets = true, p, m.tickets
	if changed {
		s.show(Met{p})
	}
	s.review(changed)
}

// bar notes why no match can begin with this peer.
func (s *Session) bar(r Reason) {
	if s.barred != r {
		s.barred = r
		s.refuse(r)
	}
}

func contains(list []string, x string) bool {
	for _, l := range list {
		if l == x {
			return true
		}
	}
	return false
}

// SetName changes one's own name.
func (s *Session) SetName(now Now, name string) []Action {
	s.begin(now)
	switch {
	case !ValidName(name):
		s.refuse(BadName)
	case name != s.cfg.Name:
		s.cfg.Name = name
		s.sendHello()
	}
	return s.finish()
}

// SetTickets replaces the tickets that further matches may use.
func (s *Session) SetTickets(now Now, tickets []record.Ticket) []Action {
	s.begin(now)
	s.cfg.Tickets = append([]record.Ticket(nil), tickets...)
	s.sendHello()
	s.review(false)
	return s.finish()
}

// Start begins the match (host only, both ready).
func (s *Session) Start(now Now) []Action {
	s.begin(now)
	switch {
	case !s.cfg.Host:
		s.refuse(NotHost)
	case s.phase != phaseLobby || s.leaving:
		s.refuse(NotNow)
	case !s.greeted:
		s.refuse(NoPeer)
	case s.barred != 0:
		s.refuse(s.barred)
	case s.ready != [2]bool{true, true}:
		s.refuse(NotReady)
	default:
		s.offerStart()
	}
	return s.finish()
}

// offerStart makes this side's half of the terms and offers it.
func (s *Session) offerStart() {
	o := s.newHalf()
	o.start = start{rev: s.rev, seat: uint8(s.hostSeat), half: o.start.half}
	if server, own, _, ok := s.ratedBy(); ok {
		o.start.rated, o.start.server, o.start.half.ticket = true, server, own
	}
	s.offer = o
	s.phase = phaseOffered
	s.persist(o.journal, true, s.offerRecord())
	s.send(FrameStart, o.start.append(nil))
}

// onStart answers the host's START with this side's half and signature of the
// terms.
func (s *Session) onStart(m start) {
	if s.cfg.Host {
		s.bad(FrameStart, BadPlace)
		return
	}
	if int(m.seat) == 1-s.hostSeat {
		s.agreed()
	}
	if s.phase == phaseAccepted {
		if m.digest() == s.offer.start.digest() {
			return // greet has sent the answer
		}
		s.takenBack()
	}
	if reason := s.startable(m); reason != 0 {
		s.decline(m, reason)
		return
	}
	o := s.newHalf()
	o.accept = accept{start: m.digest(), rated: m.rated, half: o.start.half}
	o.start = m
	if m.rated {
		_, own, _, _ := s.ratedBy()
		o.accept.half.ticket = own
	}
	o.terms = s.termsOf(o)
	if reason := s.checkTerms(o.terms); reason != 0 {
		s.decline(m, reason)
		return
	}
	o.accept.sig = o.terms.Sign(s.cfg.Sign)
	s.offer = o
	s.phase = phaseAccepted
	s.persist(o.journal, true, s.offerRecord())
	s.spend(o.terms)
	s.send(FrameAccept, o.accept.append(nil))
}

// startable says why a START cannot be answered, 0 if it can.
func (s *Session) startable(m start) Reason {
	server, _, _, rated := s.ratedBy()
	switch {
	case s.phase != phaseLobby || s.leaving:
		return NotNow
	case s.barred != 0:
		return s.barred
	case m.rev != s.rev || !s.ready[ownSide]:
		return NotReady
	case int(m.seat) != s.hostSeat:
		return BadTerms
	case m.rated != rated || rated && m.server != server:
		return RatedChanged
	}
	return 0
}

func (s *Session) decline(m start, r Reason) {
	s.send(FrameRefuse, refuseFrame{start: m.digest(), reason: r}.append(nil))
	s.refuse(r)
	if s.phase == phaseLobby {
		s.ready = [2]bool{}
		s.showRoom()
	}
}

// onAccept completes the terms with the host's signature: the match is on.
func (s *Session) onAccept(m accept) {
	switch {
	case s.cfg.Host && s.phase == phaseMatch:
		// The guest has not seen the signature yet, or its ACCEPT is late.
		if a := s.match; a.terms.Nonces[1-a.seat] == m.half.nonce {
			s.send(FrameSign, sign{a.id, a.sigs[a.seat]}.append(nil))
			a.heard, a.syncTo, a.parted = true, 0, false // it holds no entry
			s.sendFrom(1)
			s.caughtUp()
		}
		return
	case s.phase != phaseOffered || m.start != s.offer.start.digest():
		if s.cfg.Host {
			return // of a START that was taken back
		}
		s.bad(FrameAccept, BadPlace)
		return
	case m.rated != s.offer.start.rated:
		s.bad(FrameAccept, BadFrame)
		s.abort(BadTerms)
		return
	}
	o := s.offer
	o.accept = m
	o.terms = s.termsOf(o)
	if reason := s.checkTerms(o.terms); reason != 0 {
		s.abort(reason)
		return
	}
	guest := 1 - int(o.start.seat)
	if o.terms.CheckSignature(guest, m.sig) != nil {
		s.bad(FrameAccept, BadSignature)
		s.abort(BadTerms)
		return
	}
	var sigs [2]record.Signature
	sigs[guest] = m.sig
	sigs[1-guest] = o.terms.Sign(s.cfg.Sign)
	s.persist(o.journal, false, signedRecord(o.terms, sigs))
	s.spend(o.terms)
	s.send(FrameSign, sign{o.terms.ID(), sigs[1-guest]}.append(nil))
	s.started(o, sigs)
}

// onSign begins the match at the guest.
func (s *Session) onSign(m sign) {
	if s.phase == phaseMatch && m.id == s.match.id && !s.cfg.Host {
		return
	}
	if s.phase != phaseAccepted {
		s.bad(FrameSign, BadPlace)
		return
	}
	o := s.offer
	host := int(o.start.seat)
	switch {
	case m.id != o.terms.ID():
		s.bad(FrameSign, BadMatch)
		return
	case o.terms.CheckSignature(host, m.sig) != nil:
		s.bad(FrameSign, BadSignature)
		return
	}
	var sigs [2]record.Signature
	sigs[host], sigs[1-host] = m.sig, o.accept.sig
	s.persist(o.journal, false, signedRecord(o.terms, sigs))
	s.started(o, sigs)
	s.recover()
}

// onRefuse takes the guest's no to a START.
func (s *Session) onRefuse(m refuseFrame) {
	if s.phase != phaseOffered || m.start != s.offer.start.digest() {
		return
	}
	s.abort(0)
	s.show(Refused{Reason: m.reason, ByPeer: true})
}

// abort gives an unanswered START, or its answer, up: back to the lobby.
func (s *Session) abort(r Reason) {
	s.show(Void{s.offer.journal})
	s.offer = offer{}
	s.phase = phaseLobby
	s.ready = [2]bool{}
	if r != 0 {
		s.refuse(r)
	}
	if s.cfg.Host {
		s.rev++ // what the guest still holds of this START is of no use
		s.sendRoom()
	}
	s.sendReady()
	s.showRoom()
}

// takenBack drops the guest's answer to a START that the host has taken back:
// the host never signs it.
func (s *Session) takenBack() {
	s.show(Void{s.offer.journal})
	s.offer = offer{}
	s.phase = phaseLobby
	s.ready = [2]bool{}
	s.showRoom()
}

// onTerms takes the signed terms from a guest to whom this side had sent its
// signature before its journal lost it.
func (s *Session) onTerms(m termsFrame) {
	if s.phase != phaseOffered || !s.resumed {
		s.bad(FrameTerms, BadPlace)
		return
	}
	o, t := s.offer, m.terms
	seat := int(o.start.seat)
	if t.Keys[seat] != s.cfg.Key || t.Keys[1-seat] != s.cfg.Peer ||
		t.Anchors[seat] != o.start.half.anchor || t.Nonces[seat] != o.start.half.nonce {
		s.bad(FrameTerms, BadMatch)
		return
	}
	if t.Check(s.cfg.Games) != nil {
		s.bad(FrameTerms, BadTerms)
		return
	}
	for i, sig := range m.sigs {
		if t.CheckSignature(i, sig) != nil {
			s.bad(FrameTerms, BadSignature)
			return
		}
	}
	o.terms = t
	s.persist(o.journal, false, signedRecord(t, m.sigs))
	s.spend(t)
	s.started(o, m.sigs)
	s.recover()
	s.sendResume()
}
