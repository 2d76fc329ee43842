// Package p2p is peers and pipes: how a frame of bytes gets from one program
// to another. It knows nothing of games. The ways to carry frames are packages
// below it: memnet (in one process), lan (libp2p) and rtc (WebRTC), and each
// passes the same conformance test, conntest.
package p2p

import (
	"context"
	"errors"
)

// MaxFrame is the largest frame in bytes that a Conn carries.
const MaxFrame = 4096

// Errors of a Conn.
var (
	// ErrClosed is returned by a Conn that was closed, here or there.
	ErrClosed = errors.New("p2p: connection closed")
	// ErrTooLarge is returned by Send for a frame over MaxFrame, and for an
	// empty one.
	ErrTooLarge = errors.New("p2p: frame must be of 1 to 4096 bytes")
	// ErrBusy is returned by Send when the frame was dropped because the
	// pipe is full. The layer above resends.
	ErrBusy = errors.New("p2p: pipe full, frame dropped")
)

// An Identity is the key pair that vouches for a channel: Sign returns the
// Ed25519 signature of message under Key.
type Identity struct {
	Key  [32]byte
	Sign func(message []byte) [64]byte
}

// A Conn carries whole frames between two peers that have authenticated each
// other. A frame arrives whole or not at all; frames may be lost, repeated or
// reordered (nothing above depends on the pipe's own promises). The methods
// may be called from several goroutines at once.
type Conn interface {
	// Send queues one frame and returns at once. The frame may be reused
	// when it has returned.
	Send(frame []byte) error
	// Receive waits for the next frame. It returns ErrClosed when the Conn
	// was closed on either side, or ctx's error; a Receive whose ctx ended
	// has consumed nothing and the Conn stays usable.
	Receive(ctx context.Context) ([]byte, error)
	// Close lets what was queued go out for at most 500 ms, closes the pipe
	// and frees all it holds. It may be called again.
	Close() error
	// Info describes the pipe.
	Info() Info
}

// Info describes an open pipe.
type Info struct {
	// Peer is the player key that the other side has proved to hold.
	Peer [32]byte
	// Path says in one word how frames travel: "memory", "quic", "tcp",
	// "direct" or "relay".
	Path string
	// Remote is the other end's address where the pipe knows one, for the
	// player's eyes and the connection log only.
	Remote string
	// Session is the secret that both sides made inside the authenticated
	// channel, fresh for each pairing; a resumed match finds its peer by it.
	Session [32]byte
}
