package lockstep

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

// match is the present match, from the moment both have signed its terms.
type match struct {
	journal Journal
	id      record.ID
	terms   record.Terms
	sigs    [2]record.Signature // on the terms, by seat
	seat    int                 // one's own
	chance  record.Chance
	chain   *record.Match
	// positions holds the position after each entry, for the comparison of
	// engines that disagree; the first is that before entry 1.
	positions []engine.Position
	out       []record.SignedEntry // made in this call, to be sent at its end

	clock    stopwatch // of this seat's decision
	deciding engine.Kind
	held     *decision // made, and not signed yet
	resign   bool      // the player wants to resign, as soon as it can be signed
	appliedS stopwatch // since the last entry
	peerFor  engine.Kind
	peerTime stopwatch // since the peer may decide that
	peerMs   int64     // that the peer has owed its entry, by the steps of calls
	waitMs   int64     // that the peer took for its last entry

	recovering bool // after a restart: sign nothing until the peer's copies are here
	heard      bool // the peer has said what it holds, under this connection number
	syncTo     int  // index that it said
	synced     bool // and both hold the same
	parted     bool // its head there is not the one here: its entries are to come

	openMs  int64 // mono until which the first reveal waits for Opened, 0 not at all
	opened  bool
	claim   ClaimReason // due, 0 if none
	claims  bool        // one's own stands
	reason  ClaimReason // of that
	claimed record.Head // before the entry that it is about
	moot    bool        // that is no more the head, and this was told
	bundle  []byte      // evidence at the next index: see Desync
	ownOff  *callOff
	peerOff *callOff
	frozen  *freeze // a friendly match that a disagreement has ended
	dispute *freeze // in a rated match, about the peer's entry
	accused *freeze // one that the peer is telling of
	heardOf int     // index of the last one that it has told of, in a rated match

	result   Result // End is 0 while it goes on
	overHead record.Head
	sealMs   int64 // mono until which the seal is awaited, 0 not at all
	want     [2]bool
	refused  bool // the peer has refused a further match
}

// decision is what a player has made up his mind to.
type decision struct {
	move    engine.Move
	thinkMs uint32
}

func (m *match) over() bool { return m.result.End != 0 }

// begun reports whether a layer has been revealed.
func (m *match) begun() bool { return m.chain.Len() > 0 }

// started begins the match whose terms both have signed.
func (s *Session) started(o offer, sigs [2]record.Signature) {
	m := s.newMatch(o, s.mustBegin(o.terms, sigs), sigs)
	m.heard, m.synced = true, true
	s.offer = offer{}
	s.match = m
	s.phase = phaseMatch
	s.hostSeat = int(o.start.seat)
	s.ready = [2]bool{}
	if m.terms.Rated && s.cfg.OpenWaitMs > 0 {
		m.openMs = s.now.Mono + s.cfg.OpenWaitMs
	}
	s.show(Started{ID: m.id, Seat: m.seat, Terms: m.terms, Sigs: sigs})
	if m.terms.Rated {
		s.sendHello() // the ticket is spent
	}
}

func (s *Session) newMatch(o offer, chain *record.Match, sigs [2]record.Signature) *match {
	m := &match{
		journal: o.journal, id: chain.ID(), terms: o.terms, sigs: sigs,
		seat:   o.terms.Seat(s.cfg.Key),
		chance: record.NewChance(o.secret, s.cfg.Layers),
		chain:  chain,
	}
	m.positions = append(m.positions, chain.Position())
	m.appliedS.start(s.now)
	return m
}

// Opened tells whether the endpoint has opened the present rated match: both
// have handed in the terms and hold a connection.
func (s *Session) Opened(now Now, opened bool) []Action {
	s.begin(now)
	if m := s.match; m == nil || !m.terms.Rated || m.over() {
		s.refuse(NotNow)
	} else {
		m.openMs = 0
		if m.opened != opened {
			m.opened = opened
			s.persist(m.journal, false, openedRecord(opened))
		}
	}
	return s.finish()
}

// Decide takes a decision: a split, a choice or a placement. Its seat is set
// by the session. Events Applied or Held show that it was taken.
func (s *Session) Decide(now Now, move engine.Move) []Action {
	s.begin(now)
	if reason := s.decide(move); reason != 0 {
		s.refuse(reason)
	}
	return s.finish()
}

func (s *Session) decide(move engine.Move) Reason {
	m := s.match
	switch {
	case m == nil || m.over() || m.resign:
		return NotNow
	case m.recovering:
		return Recovering
	case m.claims:
		return ClaimStands
	case m.held != nil && m.held.move.Kind == engine.Flag:
		return TooLate
	case m.held != nil:
		return AlreadyDecided
	}
	move.Seat = uint8(m.seat)
	pos := m.chain.Position()
	switch {
	case move.Kind != engine.Split && move.Kind != engine.Choose && move.Kind != engine.Place:
		return IllegalDecision
	case pos.MayDecide(m.seat) != move.Kind:
		if n := m.chain.Len(); n > 0 && m.chain.EntryAt(n).Entry.Move == (engine.Move{Seat: move.Seat, Kind: engine.Flag}) {
			return TooLate
		}
		return NotNow
	case pos.Check(move) != nil:
		return IllegalDecision
	}
	d := decision{move, uint32(min(m.clock.used(s.now), maxThinkMs))}
	if pos.Owes() == m.seat {
		s.sign(d)
	} else {
		s.hold(d)
	}
	return 0
}

// maxThinkMs is what stands for any longer thinking time.
const maxThinkMs = 1<<32 - 1

// hold journals a decision that is signed once the other's entry, which comes
// first, is there.
func (s *Session) hold(d decision) {
	m := s.match
	m.held = &d
	s.persist(m.journal, false, heldRecord(d))
	s.show(Held{d.move})
}

// sign makes one's own next entry.
func (s *Session) sign(d decision) {
	m := s.match
	e, err := m.chain.Sign(d.move, d.thinkMs, m.wait(), s.cfg.Sign)
	if err != nil {
		// What a player decides is checked before, and the rest is the
		// session's own. A record of a duel cannot grow to its limit.
		panic("lockstep: own entry refused: " + err.Error())
	}
	s.persist(m.journal, false, entryRecord(s.now.Wall, e))
	before := m.chain.Len()
	if err := m.chain.Apply(e); err != nil {
		panic("lockstep: own entry refused: " + err.Error())
	}
	m.out = append(m.out, e)
	s.applied(e, before)
}

// wait is how long the author of the next entry, who is this seat, waited for
// the entry before it.
func (m *match) wait() uint16 {
	n := m.chain.Len()
	if n == 0 || int(m.chain.EntryAt(n).Entry.Move.Seat) == m.seat {
		return 0
	}
	return uint16(min(m.waitMs, 65535))
}

// maySign reports whether this side may sign anything now.
func (m *match) maySign() bool {
	return !m.recovering && !m.claims && m.frozen == nil && (m.result.End == 0 || m.result.End == ByEngine)
}

// advance signs whatever is due without the player: reveals, a held decision
// whose turn has come, a flag when the time has passed, a resignation that
// waited, the seal.
func (s *Session) advance() {
	m := s.match
	if s.phase != phaseMatch {
		return
	}
	for m.result.End == 0 && !m.chain.Over() && m.maySign() {
		pos := m.chain.Position()
		owes := pos.Owes() == m.seat
		switch {
		case m.resign:
			m.resign = false
			s.sign(decision{move: engine.Move{Seat: uint8(m.seat), Kind: engine.Resign}})
		case owes && pos.Awaits() == engine.Reveal:
			n := m.chain.Reveals(m.seat) + 1
			if n == 1 && m.openMs != 0 && s.now.Mono < m.openMs {
				return
			}
			m.openMs = 0
			s.sign(decision{move: engine.Move{Seat: uint8(m.seat), Kind: engine.Reveal, Layer: m.chance.Layer(n)}})
		case owes && m.held != nil:
			s.sign(*m.held)
		case m.held == nil && m.expired(s.now):
			d := decision{engine.Move{Seat: uint8(m.seat), Kind: engine.Flag}, m.terms.Limits.For(m.deciding)}
			if owes {
				s.sign(d)
			} else {
				s.hold(d)
			}
		default:
			return
		}
	}
	s.settle()
}

// applied takes note of an entry that has just become part of the chain, one's
// own or the peer's, journaled or new.
func (s *Session) applied(e record.SignedEntry, before int) {
	m := s.match
	n := m.chain.Len()
	_, drawn := m.chain.Resignations()
	if n <= before && !(drawn && n == before) {
		s.show(Dropped{n})
	}
	if n < len(m.positions) {
		m.positions = m.positions[:n]
	}
	m.positions = append(m.positions, m.chain.Position())
	if int(e.Entry.Move.Seat) != m.seat {
		m.waitMs = max(0, m.appliedS.elapsed(s.now)-min(s.link.rttMs, maxRoundTripMs))
	} else {
		m.held = nil
		m.deciding = engine.None
	}
	m.appliedS.start(s.now)
	m.peerMs = 0
	m.ownOff, m.peerOff = nil, nil
	m.bundle, m.dispute, m.accused, m.heardOf = nil, nil, nil, 0
	if m.claim != 0 && !m.claims { // else see watch
		s.show(ClaimGone{})
	}
	m.claim = 0
	s.show(Applied{Index: n, Entry: e.Entry, Position: m.chain.Position()})
	if m.chain.Over() {
		m.deciding, m.held = engine.None, nil
		return
	}
	if peer := m.chain.Position().MayDecide(1 - m.seat); peer != m.peerFor {
		m.peerFor = peer
		m.peerTime.start(s.now)
	}
	kind := m.chain.Position().MayDecide(m.seat)
	if kind == engine.Reveal {
		kind = engine.None
	}
	if kind != m.deciding && m.held == nil {
		m.deciding = kind
		if kind != engine.None {
			m.clock.start(s.now)
			s.showTurn()
		}
	}
}

// showTurn shows what this seat has to decide, unless it may not yet: then it
// is shown when it may.
func (s *Session) showTurn() {
	m := s.match
	if m.recovering || m.claims || m.deciding == engine.None || m.held != nil {
		return
	}
	t := YourTurn{Kind: m.deciding, LimitMs: int64(m.terms.Limits.For(m.deciding))}
	if left, ok := m.leftMs(s.now); ok {
		t.DueMono = s.now.Mono + left
	}
	s.show(t)
}
