package lan

import (
	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/signal"
)

// Options of a Node. The zero value is right for a game.
type Options struct {
	// Port to listen on, UDP and TCP; 0 means any free one.
	Port int
	// Interfaces names the only network interfaces that multicast DNS may
	// use; none means all. "lo" keeps a room to this machine.
	Interfaces []string
	// Newest and Oldest are the protocol versions spoken; 0 means
	// signal.Version.
	Newest, Oldest uint16

	// only, in tests, is the only carriage used.
	only carriage
}

// A RoomInfo is the room that a Node hosts: what others see of it and who may
// come in.
type RoomInfo struct {
	Player string        // the own display name, at most 60 bytes of UTF-8
	Name   string        // the room's, likewise
	State  p2p.RoomState // RoomOpen or RoomLocked (alike: the password decides), RoomFull, RoomPlaying
	Clocks string        // "standard", "double" or "off"
	Rated  bool
	// Password that a visitor must know; empty lets everybody in.
	Password string
	// Resume is the secret of an unfinished match (signal.ResumeSecret) and
	// Peer the player it is played with, who alone may come with it, whatever
	// the State. Empty when there is none.
	Resume string
	Peer   [32]byte
}

// A Pass is what a visitor brings.
type Pass struct {
	// Password of the room, if it has one.
	Password string
	// Resume is the secret of an unfinished match (signal.ResumeSecret): then
	// the visit goes on with it and needs no password.
	Resume string
}

// A carriage is one of the two ways to travel; as text it is p2p.Info.Path.
type carriage string

const (
	overQUIC carriage = "quic"
	overTCP  carriage = "tcp"
)

// unavailable is a signal.LANUnavailable that says why.
type unavailable struct{ why error }

func (u *unavailable) Error() string   { return "LAN play unavailable: " + u.why.Error() }
func (u *unavailable) Unwrap() []error { return []error{signal.LANUnavailable, u.why} }
