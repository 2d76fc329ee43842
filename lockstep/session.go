package lockstep

import (
	"github.com/cleavegame/cleave/engine"
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
	cfg   Config
	now   Now
	began bool
	out   []Action
	link  link
	phase phase

	met     bool // the peer has introduced itself, at some time
	greeted bool // and under the present connection number
	peer    Peer
}

// New begins a session without a match. It panics when the config is not one:
// functions or games missing, an invalid name.
func New(cfg Config) *Session { panic("lockstep: being written") }

// Resume begins a session in the middle of the match whose journal records
// these are. Nothing is signed until the peer has said what it holds. Of cfg,
// Host, Peer, Secret and Room are taken from the journal.
func Resume(cfg Config, now Now, journal [][]byte) (*Session, error) {
	panic("lockstep: being written")
}

// Saved is what a journal says about its match, so that the driver can find
// the peer again.
type Saved struct {
	Journal Journal
	Host    bool
	Peer    record.Key
	Name    string // the peer's, as it said
	Secret  [32]byte
	Signed  bool     // the terms are signed by this side: there may be a match
	ID      [32]byte // of the match, when Signed
	Terms   record.Terms
	WallMs  int64 // when the journal was begun
	Over    bool  // there is nothing to resume
}

// ReadJournal reads the records of a journal without beginning a session.
func ReadJournal(journal [][]byte) (Saved, error) { panic("lockstep: being written") }

// Tick lets time pass. It does no harm to call it early or often.
func (s *Session) Tick(now Now) []Action { panic("lockstep: being written") }

// NextTick is the mono at which Tick wants to be called at the latest, at most
// a second away while there is a match; math.MaxInt64 when there is nothing
// to wait for.
func (s *Session) NextTick() int64 { panic("lockstep: being written") }

// SetName changes one's own name.
func (s *Session) SetName(now Now, name string) []Action { panic("lockstep: being written") }

// SetTickets replaces the tickets that further matches may use.
func (s *Session) SetTickets(now Now, tickets []record.Ticket) []Action {
	panic("lockstep: being written")
}

// SetRoom changes the room's settings (host only); both Readys are cleared,
// and a START that is not answered yet is taken back.
func (s *Session) SetRoom(now Now, room Room) []Action { panic("lockstep: being written") }

// Ready says that one is ready for the room as last shown, or is not.
func (s *Session) Ready(now Now, ready bool) []Action { panic("lockstep: being written") }

// Start begins the match (host only, both ready).
func (s *Session) Start(now Now) []Action { panic("lockstep: being written") }

// Opened tells whether the endpoint has opened the present rated match: both
// have handed in the terms and hold a connection.
func (s *Session) Opened(now Now, opened bool) []Action { panic("lockstep: being written") }

// Decide takes a decision: a split, a choice or a placement. Its seat is set
// by the session. Events Applied or Held show that it was taken.
func (s *Session) Decide(now Now, move engine.Move) []Action { panic("lockstep: being written") }

// Resign gives the match up.
func (s *Session) Resign(now Now) []Action { panic("lockstep: being written") }

// Claim makes the claim that ClaimDue told: in an opened match the driver
// brings it to the endpoint, and nothing is signed until WithdrawClaim or
// Decided; any other match ends as abandoned by the peer.
func (s *Session) Claim(now Now) []Action { panic("lockstep: being written") }

// WithdrawClaim says that the claim was withdrawn at the endpoint.
func (s *Session) WithdrawClaim(now Now) []Action { panic("lockstep: being written") }

// Decided says that the endpoint has decided: the seat lost the match by
// claim, or engine.Nobody: it does not count.
func (s *Session) Decided(now Now, lost int) []Action { panic("lockstep: being written") }

// CallOff offers to call the match off while a claim is due, or agrees to the
// peer's offer.
func (s *Session) CallOff(now Now) []Action { panic("lockstep: being written") }

// Rematch offers a further match with the seats swapped, agrees to one, or
// refuses it.
func (s *Session) Rematch(now Now, want bool) []Action { panic("lockstep: being written") }

// Leave says goodbye and closes the session when the peer has answered, or
// after 2 s. The result of a match never depends on it.
func (s *Session) Leave(now Now) []Action { panic("lockstep: being written") }

// Preview shows the peer what one is about to do: at most 64 bytes.
func (s *Session) Preview(now Now, data []byte) []Action { panic("lockstep: being written") }

// Say sends a line of chat of at most 280 bytes.
func (s *Session) Say(now Now, text string) []Action { panic("lockstep: being written") }

// Express sends one of the preset expressions.
func (s *Session) Express(now Now, number uint8) []Action { panic("lockstep: being written") }

// Clocks says which limits the decisions have.
type Clocks uint8

// The clocks of a room.
const (
	ClocksStandard Clocks = 0
	ClocksDouble   Clocks = 1
	ClocksOff      Clocks = 2
)

// Limits are the limits that the clocks stand for.
func (c Clocks) Limits() record.Limits {
	switch c {
	case ClocksDouble:
		return record.DoubleLimits
	case ClocksOff:
		return record.NoLimits
	}
	return record.StandardLimits
}

// A Room is what the host sets in the waiting room.
type Room struct {
	Name     string // at most 60 bytes
	Clocks   Clocks
	Friendly bool // never rated
}

// An End says how a match ended.
type End uint8

// The ways in which a match ends. The first three are in the record.
const (
	// ByEngine: Outcome says how.
	ByEngine End = iota + 1
	// Abandoned: unfinished; By is the seat that stayed away.
	Abandoned
	// CalledOff: both agreed to.
	CalledOff
	// NotBegun: someone left before the first reveal.
	NotBegun
	// Desynced: the engines disagreed in a friendly match.
	Desynced
	// Claimed: the endpoint decided; By lost, or engine.Nobody.
	Claimed
	// Lost: the peer's program, or the journal here, does not hold the match
	// any more and it cannot go on.
	Lost
)

// A Result is how a match ended.
type Result struct {
	End     End
	Outcome engine.Outcome // when End is ByEngine
	By      int            // seat, or engine.Nobody; see End
}

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
	ID       [32]byte
	Index    int // of the owed entry
	Head     record.Head
	Kind     engine.Kind // of the owed entry
	Reason   ClaimReason
	Opened   bool   // only then can the endpoint hear it
	Log      []byte // the match so far, as a .cleave file
	Evidence []byte // the bundle of a Desync at Index, nil without one
}

// A ChatLine is a signed line of chat: evidence for a report.
type ChatLine struct {
	Author, Other record.Key
	Match         [32]byte // zero outside a match
	Counter       uint64   // grows with each line of its author
	Text          string
	Sig           record.Signature // of Message
}

// A View is where a session stands, for a screen that draws from scratch.
type View struct {
	Host    bool
	Peer    Peer // zero before Met
	Room    RoomChanged
	Match   bool // there is a match, running or over; the rest is about it
	ID      [32]byte
	Seat    int
	Terms   record.Terms
	Len     int // entries so far
	Pos     engine.Position
	Over    bool
	Result  Result
	Sealed  bool
	Waiting bool // after a restart, for what the peer holds

	Kind     engine.Kind // what this seat may decide now, None for nothing or when Held
	Held     bool        // it has decided, and signs once the other's entry is there
	LimitMs  int64       // of the decision, 0 for none
	DueMono  int64       // when the limit passes
	PeerKind engine.Kind // what the peer may be deciding or owes
	PeerDue  int64       // mono at which the peer's limit passes, by the clock here; 0 for none

	ClaimDue bool
	Claiming bool
	Opened   bool
}

// View returns where the session stands.
func (s *Session) View() View { panic("lockstep: being written") }
