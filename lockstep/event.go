package lockstep

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

// An Event says what happened. Each kind is a type of its own.
type Event interface{ event() }

// Met says who the peer is, at the first connection and when what it says of
// itself has changed.
type Met struct{ Peer Peer }

// A Peer is what the other side says of itself. Its key is proved, its name
// and client are only said.
type Peer struct {
	Key    record.Key
	Name   string
	Client string   // program and version
	Rules  []string // rulesets it plays
	Caps   uint32   // capabilities, none defined yet
}

// RoomChanged shows the waiting room as it is now. Why lists the reasons that
// the match will not count, none if it will; READY is for exactly what this
// event showed.
type RoomChanged struct {
	Room  Room
	Ready [2]bool // own, the peer's
	Why   []Reason
}

// TicketSpent comes just before this side's signature of terms is sent: the
// ticket must never be put into other terms.
type TicketSpent struct{ Ticket record.Ticket }

// Started says that both have signed the terms and the match is on. Seat is
// one's own. When the terms say rated, the driver opens the match at the
// endpoint and answers with Opened.
type Started struct {
	ID    record.ID
	Seat  int
	Terms record.Terms
	Sigs  [2]record.Signature // by seat
}

// Resumed says that a match was taken up again from its journal or after a new
// connection: both hold the same entries.
type Resumed struct{ ID record.ID }

// Applied says that an entry, one's own or the peer's, has become part of the
// match. Index counts from 1.
type Applied struct {
	Index    int
	Entry    record.Entry
	Position engine.Position // after it
}

// Dropped says that entries from Index on are no part of the match any more,
// because a resignation of the other crossed them. The Applied that follows
// is that resignation.
type Dropped struct{ Index int }

// YourTurn says that this seat has something to decide, and until when.
type YourTurn struct {
	Kind    engine.Kind
	LimitMs int64 // 0: no limit
	DueMono int64 // present mono plus what is left of the limit; with no limit 0
}

// Held says that a decision was taken and journaled, and will be signed once
// the other's entry is there, which comes first.
type Held struct{ Move engine.Move }

// Trouble says that nothing was heard of the peer for 3 s.
type Trouble struct{}

// Offline says that nothing was heard of the peer for 6 s. The driver tries a
// new path, and says Connected when it has one.
type Offline struct{}

// Back says that the peer is heard again after a Trouble.
type Back struct{}

// Forgotten says that the peer's program does not hold this match any more. It
// cannot go on with it; its silence is claimed in time.
type Forgotten struct{ ID record.ID }

// Desync says that the two engines disagree at an entry. In a friendly match
// this ended it, and an Over follows. In a rated one the entry is no entry, its
// author still owes one, and the bundle is evidence for a claim; it may be
// shown a second time, with the peer's half in it.
type Desync struct {
	Index  int
	Reason Reason // BadDigest or BadMove
	Rated  bool
	Bundle []byte // see Bundle
}

// Over says how the match ended, and gives the log as far as it goes.
type Over struct {
	Result Result
	Log    []byte // a .cleave file; unsealed unless Sealed
	Sealed bool
}

// Sealed gives the co-signed log, after an Over without a seal.
type Sealed struct{ Log []byte }

// Unsealed says that 30 s have passed since the last entry, which was one's
// own, and no seal has come. One may still come.
type Unsealed struct{ Log []byte }

// ClaimDue says that the peer owes an entry and the time has come to claim.
type ClaimDue struct{ Claim Claim }

// ClaimGone says that what ClaimDue told is no longer so: the entry has come,
// or the peer is heard again. While this side's own claim stands, the driver
// withdraws it at the endpoint and then with WithdrawClaim; until then nothing
// is signed here, and YourTurn is shown after it.
type ClaimGone struct{}

// ClaimMade has what the driver brings to the endpoint; after a restart again
// while the claim stands.
type ClaimMade struct{ Claim Claim }

// CallOffSigned has both sides' signatures of a match called off (see
// record.CallOffMessage). Of an opened match the driver brings them to the
// endpoint, so that nobody can claim it any more. An Over follows.
type CallOffSigned struct {
	ID    record.ID
	Index int // of the last entry
	Head  record.Head
	Sigs  [2]record.Signature // by seat
}

// CallOffOffered says that the peer would call the match off.
type CallOffOffered struct{}

// RematchOffered says that the peer wants to play again.
type RematchOffered struct{}

// RematchRefused says that the peer does not want to play again.
type RematchRefused struct{}

// RematchAgreed says that both want to play again; the room is as RoomChanged
// shows it, both are ready, and the host's session starts.
type RematchAgreed struct{}

// PeerLeft says that the peer has said goodbye.
type PeerLeft struct{}

// Closed says that the session is at its end: the pipe may be closed.
type Closed struct{}

// Refused says that a command was not carried out, or that the peer refused
// to start, and why.
type Refused struct {
	Reason Reason
	ByPeer bool
}

// Bad says that a frame of the peer broke the rules and was ignored.
type Bad struct {
	Frame  FrameKind // 0 when it was no frame at all
	Reason Reason
}

// Fraud holds a proof that one key signed two entries or seals at one index.
type Fraud struct{ Proof record.Fraud }

// Previewed is what the peer is about to do, for the screen only.
type Previewed struct {
	Index int // of the entry that is being thought about
	Data  []byte
}

// Said is a line of chat, signed by the peer.
type Said struct{ Line ChatLine }

// Expressed is one of the preset expressions, by its number.
type Expressed struct{ Number uint8 }

// Void says that the match of a journal never began and never will: the
// journal may be removed.
type Void struct{ Journal Journal }

func (Met) event()            {}
func (RoomChanged) event()    {}
func (TicketSpent) event()    {}
func (Started) event()        {}
func (Resumed) event()        {}
func (Applied) event()        {}
func (Dropped) event()        {}
func (YourTurn) event()       {}
func (Held) event()           {}
func (Trouble) event()        {}
func (Offline) event()        {}
func (Back) event()           {}
func (Forgotten) event()      {}
func (Desync) event()         {}
func (Over) event()           {}
func (Sealed) event()         {}
func (Unsealed) event()       {}
func (ClaimDue) event()       {}
func (ClaimGone) event()      {}
func (CallOffOffered) event() {}
func (RematchOffered) event() {}
func (RematchRefused) event() {}
func (RematchAgreed) event()  {}
func (PeerLeft) event()       {}
func (Closed) event()         {}
func (Refused) event()        {}
func (Bad) event()            {}
func (Fraud) event()          {}
func (Previewed) event()      {}
func (Said) event()           {}
func (Expressed) event()      {}
func (ClaimMade) event()      {}
func (CallOffSigned) event()  {}
func (Void) event()           {}
