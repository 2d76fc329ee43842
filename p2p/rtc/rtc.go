// Package rtc carries frames over a WebRTC data channel, natively with pion and
// in the browser with its own RTCPeerConnection. It is the only package that
// speaks WebRTC.
//
// It begins where p2p/signal ends: two peers have proved who they are over a
// sealed channel and have told each other, bound to that proof, the SHA-256
// fingerprint of the DTLS certificate that each is going to use. A certificate
// is therefore made first (NewCertificate), then the peers pair, then both call
// Connect.
//
// # Setup messages
//
// The joiner is the offerer, always, and makes one offer; a new path is a new
// connection, never a second offer. Messages are one byte of kind and a body:
//
//	1 offer      SDP of the joiner, at most 4096 bytes of printable ASCII and line ends
//	2 answer     SDP of the host, the same
//	3 candidate  one ICE candidate ("candidate:…", at most 512 bytes of printable ASCII)
//	4 gathered   no body: no further candidate follows
//	5 bye        one byte: the sender gives up for this reason (a signal.Failure)
//
// An SDP describes one data channel and nothing else, and every fingerprint in
// it is the bound one. Candidates are sent as they are found and kept by the
// receiver until it has the other's description. The address that a relay
// candidate was asked from ("raddr") is not told.
//
// # Frames
//
// The data channel is negotiated (id 0, label "cleave"), ordered and reliable.
// A message of 1 to p2p.MaxFrame bytes is a frame. An empty message says that
// the sender closes: everything it sent came before it, so the receiver has it
// all, and closes the connection at once, which lets the sender go. A text
// message, a longer one or a second data channel breaks the protocol and ends
// the connection.
//
// # Reconnection
//
// There is no ICE restart. The session above notices silence within six
// seconds and then a whole new pairing and connection is made at the match's
// resume address, which takes tens of milliseconds once there is a way, works
// after a change of address and after the death of the program alike, and needs
// no rule for who may offer again. This connection meanwhile recovers by itself
// when the old path comes back, and is given up half a minute after the last
// packet.
package rtc

import (
	"context"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

// channelLabel names the data channel in dumps and browsers' own pages.
const channelLabel = "cleave"

// Patience is how long Connect tries in all.
const Patience = 15 * time.Second

// A Channel is the sealed channel between the paired peers. It keeps the order
// of messages. Its errors may wrap a signal.Failure that says why it ended.
type Channel interface {
	Send(ctx context.Context, message []byte) error
	Receive(ctx context.Context) ([]byte, error)
}

// Config is what one connection needs to know.
type Config struct {
	// Certificate is this side's; its Binding was given to the pairing.
	Certificate *Certificate
	// PeerBinding is the peer's, as the pairing has proved it.
	PeerBinding []byte
	// Offerer is true for the side that joined.
	Offerer bool
	// Peer is the player key that the peer has proved, Session the secret
	// of this pairing. Both are only passed on in Info.
	Peer    [32]byte
	Session [32]byte
	// Servers are asked for the own address and for a relay.
	Servers []signal.ICEServer
	// RelayOnly hides the own addresses from the peer: nothing but relayed
	// paths is offered or used.
	RelayOnly bool
	// Loopback also offers 127.0.0.1 and ::1, for tests. A machine that has
	// no other address, or whose server is on the machine itself, offers
	// them anyway. The browser decides for itself.
	Loopback bool
}
