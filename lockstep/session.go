package lockstep

import (
	"errors"

	"github.com/cleavegame/cleave/lockstep/record"
)

// Config is what a session is made of. Its functions are called only from
// within the session's methods.
type Config struct {
	Key  record.Key // one's own
	Sign record.Signer
	Peer record.Key // of the peer, as the channel has proved it
	Host bool

	// Secret is the secret of the pairing (p2p.Info.Session), kept in the
	// journal so that a resumed match finds its peer.
	Secret [32]byte

	Name   string // shown to the peer, see ValidName
	Client string // program and version, at most 64 bytes, such as "cleave 0.1.0"

	Games record.Games
	Rules string // the ruleset of the room, a name in Games
	// Layers is the number of reveals that each seat can make in a match of
	// Rules: its rounds.
	Layers int
	Params []byte // of the ruleset

	Room    Room            // the host's; a guest's is replaced by it
	Tickets []record.Ticket // unused ones of one's own
	// Unsafe says that the journal may be lost with the power, which rules
	// rated matches out.
	Unsafe bool

	// OpenWaitMs is how long the first reveal of a rated match waits for
	// Opened.
	OpenWaitMs int64

	// Fresh returns 32 bytes from the operating system's generator.
	Fresh func() [32]byte
}

// check says what is missing in a config.
func (c *Config) check() error {
	switch {
	case c.Sign == nil || c.Fresh == nil:
		return errors.New("lockstep: config without Sign or Fresh")
	case c.Games[c.Rules] == nil || c.Layers < 1:
		return errors.New("lockstep: config without its ruleset")
	case !ValidName(c.Name):
		return errors.New("lockstep: config with an invalid name")
	case len(c.Client) > maxClientLen || !printable(c.Client):
		return errors.New("lockstep: config with an invalid client")
	case len(c.Room.Name) > maxRoomLen || !printable(c.Room.Name) || c.Room.Clocks > ClocksOff:
		return errors.New("lockstep: config with an invalid room")
	}
	return nil
}

// A phase says where a session stands.
type phase uint8

const (
	phaseLobby    phase = iota // no match
	phaseOffered               // the host has sent START
	phaseAccepted              // the guest has signed the terms
	phaseMatch                 // both have; also after the end of a match
	phaseClosed
)

// A Session is one side of a table: the waiting room, a match, its end, and
// further matches of the same two players. It is not for several goroutines
// at once, keeps no clock, and does nothing by itself: whatever happens is
// told to it by a method, with the present time, and it answers with what to
// do. NextTick says when it wants to be called if nothing happens.
type Session struct {
	cfg     Config
	now     Now
	began   bool
	out     []Action
	opening []Action // of a resumed session, for its first call
	badLeft int
	badMs   int64 // mono at which badLeft was full
	resumed bool
	link    link
	phase   phase

	met         bool // the peer has introduced itself, at some time
	greeted     bool // and under the present connection number
	barred      Reason
	peer        Peer
	peerTickets []record.Ticket
	peerResume  resume // the last, under the present connection number

	room    Room
	rev     uint32 // of the room's settings
	ready   [2]bool
	why     uint16 // what this side finds, see ownWhy
	peerWhy uint16
	rated   bool // whether a match would count, as last shown

	hostSeat int // in the next match, or in the present one
	offer    offer
	match    *match
	before   record.ID // of the match before a rematch

	leaving bool
	left    bool  // the peer has said goodbye
	leaveMs int64 // mono until which a goodbye waits

	// How a peer's entry and seal are accepted. The simulator puts cheaper
	// signatures here; everybody else has record's own.
	acceptEntry func(*record.Match, record.SignedEntry) error
	acceptSeal  func(*record.Match, record.Seal) error

	counter, heardCounter                  uint64
	chatOut, chatIn, previewOut, previewIn bucket
}

// New begins a session without a match. It panics when the config is not one:
// functions or games missing, an invalid name.
func New(cfg Config) *Session {
	if err := cfg.check(); err != nil {
		panic(err)
	}
	cfg.Tickets = append([]record.Ticket(nil), cfg.Tickets...)
	s := &Session{cfg: cfg, badLeft: maxBad, acceptEntry: (*record.Match).Accept, acceptSeal: (*record.Match).AcceptSeal}
	if cfg.Host {
		s.room, s.rev = cfg.Room, 1
	}
	s.why = s.ownWhy()
	return s
}

// begin takes the time of a call, and does what has become due by itself.
func (s *Session) begin(now Now) {
	s.out = s.opening
	s.opening = nil
	step := int64(0)
	if s.began {
		now.Mono = max(now.Mono, s.now.Mono)
		step = min(now.Mono-s.now.Mono, maxStepMs)
	} else {
		s.badMs = now.Mono
	}
	s.began, s.now = true, now
	if now.Mono-s.badMs >= 1000 {
		s.badLeft, s.badMs = maxBad, now.Mono
	}
	s.link.silentMs += step
	if m := s.match; m != nil && m.result.End == 0 && m.chain.Position().Owes() == 1-m.seat {
		m.peerMs += step
	}
	s.advance()
	s.deliver()
}

// finish does what the call has made due and returns what is to be done.
func (s *Session) finish() []Action {
	if s.phase != phaseClosed {
		s.advance()
		s.watch()
		s.sealTime()
		if s.match != nil {
			s.frozenDone()
		}
		if s.match != nil {
			s.tryRematch()
		}
		s.listen()
		s.flushEntries()
		s.relieve()
		s.flush()
		s.leaveTime()
	}
	out := s.out
	s.out = nil
	return out
}

// Tick lets time pass. It does no harm to call it early or often.
func (s *Session) Tick(now Now) []Action {
	s.begin(now)
	return s.finish()
}

// NextTick is the mono at which Tick wants to be called at the latest, at most
// a second away while there is a match; math.MaxInt64 when there is nothing
// to wait for.
func (s *Session) NextTick() int64 {
	if s.phase == phaseClosed {
		return never
	}
	at := s.linkTick()
	if s.leaving {
		at = min(at, s.leaveMs)
	}
	if s.met || s.match != nil {
		at = min(at, s.now.Mono+1000)
	}
	m := s.match
	if m == nil {
		return at
	}
	if left, ok := m.leftMs(s.now); ok && m.maySign() {
		at = min(at, s.now.Mono+left)
	}
	for _, due := range []int64{m.openMs, m.sealMs} {
		if due != 0 {
			at = min(at, due)
		}
	}
	return at
}
