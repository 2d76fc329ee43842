package table

import (
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p"
)

// An Event is what the table tells whoever sits at it, in the order in which
// it happened. Those of the session come as FromSession.
type Event interface{ event() }

// FromSession is an event of the lockstep session.
type FromSession struct{ lockstep.Event }

// Invited gives what the other player needs to come: a code, a link, an
// address. It is told again when a code was spent.
type Invited struct {
	Code string // invite code, "" on a LAN
	Link string // the same as a link, where the server has a page
	Room string // the room's name
	Port int    // on a LAN, of UDP and TCP
}

// Visited says that somebody tried to come and did not get in.
type Visited struct{ Err error }

// Joined says that a pipe to the peer is open, the first or a further one.
type Joined struct {
	Info  p2p.Info
	Again bool
}

// Parted says that the pipe is gone. A new path is being tried.
type Parted struct{}

// Noted is a sentence for a person, such as why others cannot see the room. A
// program with texts of its own tells it by About.
type Noted struct {
	Text  string
	About NotedAbout
}

// NotedAbout is what a Noted is about, zero for anything else.
type NotedAbout uint8

const (
	// NotedUnseen: others cannot see the room, but come by address.
	NotedUnseen NotedAbout = iota + 1
	// NotedNoRanking: the ranking server of the match is not known here.
	NotedNoRanking
)

// Saved says that the match's log is kept in the vault. Last says that no seal
// is waited for any more.
type Saved struct {
	ID     record.ID
	Log    []byte
	Sealed bool
	Last   bool
}

// Bundled says where the bundle of a desync was kept.
type Bundled struct{ Where string }

// Delivered says that the ranking server has taken something, with its word
// for it.
type Delivered struct {
	Match   record.ID
	Kind    string // "log", "claim", "withdrawal", "fraud"
	Receipt []byte // JSON
	Text    string // the receipt in words
}

// Undelivered says that the ranking server has not taken something, and
// whether it will be tried again.
type Undelivered struct {
	Match record.ID
	Kind  string
	Err   error
	Later bool
}

func (FromSession) event() {}
func (Invited) event()     {}
func (Visited) event()     {}
func (Joined) event()      {}
func (Parted) event()      {}
func (Noted) event()       {}
func (Saved) event()       {}
func (Bundled) event()     {}
func (Delivered) event()   {}
func (Undelivered) event() {}
