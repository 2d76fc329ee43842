package lockstep

import "github.com/cleavegame/cleave/lockstep/record"

// offer is what is known of terms that are not signed by both yet. It is
// journaled before the anchor in it is sent.
type offer struct {
	journal Journal
	secret  [32]byte
	start   start
	accept  accept       // the guest's answer
	terms   record.Terms // with the answer
	wallMs  int64
}

// newHalf draws a fresh secret and nonce. They stand in the START's half for
// whoever is asking.
func (s *Session) newHalf() offer {
	var o offer
	o.secret = s.cfg.Fresh()
	nonce := s.cfg.Fresh()
	copy(o.journal[:], nonce[:])
	o.start.half = half{anchor: record.NewChance(o.secret, s.cfg.Layers).Anchor(), nonce: o.journal}
	o.wallMs = s.now.Wall
	return o
}

// termsOf are the terms that both halves make.
func (s *Session) termsOf(o offer) record.Terms {
	t := record.Terms{
		Version: record.Protocol,
		Rules:   s.cfg.Rules,
		Params:  s.cfg.Params,
		Limits:  s.room.Clocks.Limits(),
		Rated:   o.start.rated,
		Server:  o.start.server,
	}
	host := int(o.start.seat)
	hostKey, guestKey := s.cfg.Key, s.cfg.Peer
	if !s.cfg.Host {
		hostKey, guestKey = guestKey, hostKey
	}
	t.Keys[host], t.Keys[1-host] = hostKey, guestKey
	t.Anchors[host], t.Anchors[1-host] = o.start.half.anchor, o.accept.half.anchor
	t.Nonces[host], t.Nonces[1-host] = o.start.half.nonce, o.accept.half.nonce
	t.Tickets[host], t.Tickets[1-host] = o.start.half.ticket, o.accept.half.ticket
	return t
}

// checkTerms says why terms are not to be signed, 0 if they are.
func (s *Session) checkTerms(t record.Terms) Reason {
	if t.Check(s.cfg.Games) != nil {
		return BadTerms
	}
	if t.CheckTickets(s.now.Wall/1000) != nil {
		return BadTicket
	}
	return 0
}

// spend takes this side's ticket out of those that may still be used. It
// stands before the signature under it is sent.
func (s *Session) spend(t record.Terms) {
	if !t.Rated {
		return
	}
	own := t.Tickets[t.Seat(s.cfg.Key)]
	kept := s.cfg.Tickets[:0:0]
	for _, have := range s.cfg.Tickets {
		if have.Server != own.Server || have.Serial != own.Serial {
			kept = append(kept, have)
		}
	}
	s.cfg.Tickets = kept
	s.show(TicketSpent{own})
}

// mustBegin begins the chain of terms that were checked before.
func (s *Session) mustBegin(t record.Terms, sigs [2]record.Signature) *record.Match {
	m, err := record.Begin(t, sigs, s.cfg.Games)
	if err != nil {
		panic("lockstep: terms that were checked do not begin: " + err.Error())
	}
	return m
}
