//go:build !js

package lan

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/libp2p/go-libp2p/core/transport"

	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/signal"
)

const (
	// strangerLimit is how long a connection may take to be secured, and how
	// long it may then be silent.
	strangerLimit = 5 * time.Second
	// refusalLimit is what a visitor has to read why it was turned away.
	refusalLimit = time.Second
)

// What a visitor wants.
const (
	wantJoin   = 1
	wantResume = 2
)

// seated is what a host says to a visitor it lets in; any other byte is the
// signal.Failure for which it does not.
const seated = 0

// approachSize is that of the message a visitor begins with, as far as we
// know it.
const approachSize = 1 + 32

func appendApproach(b []byte, want byte, key [32]byte) []byte {
	return append(append(b, want), key[:]...)
}

func parseApproach(b []byte) (want byte, key [32]byte, err error) {
	if len(b) < approachSize || b[0] != wantJoin && b[0] != wantResume {
		return 0, key, errors.New("lan: malformed approach")
	}
	return b[0], [32]byte(b[1:]), nil
}

// serve lets visitors in until the Node is closed. The caller holds n.mu.
func (n *Node) serve(e *ear) {
	for _, l := range e.listeners {
		n.serving.Go(func() {
			for {
				link, err := l.Accept()
				if err != nil {
					return
				}
				n.serving.Go(func() { n.visit(link) })
			}
		})
	}
}

// visit is one visitor from knocking to sitting or leaving.
func (n *Node) visit(link transport.CapableConn) {
	ctx, cancel := context.WithCancel(n.end)
	defer cancel()
	leave := context.AfterFunc(ctx, func() { link.Close() })
	silence := time.AfterFunc(strangerLimit, cancel)
	stream, err := link.AcceptStream()
	if !silence.Stop() || err != nil {
		link.Close()
		return
	}
	p := newPipe(stream)
	c, err := n.receive(ctx, p, link)
	if err != nil {
		hangUp(p, link)
		return
	}
	if !leave() {
		c.Close()
	}
}

// hangUp gives the visitor time to read what was said last: on TCP, dropping
// the connection at once would take it away.
func hangUp(p *pipe, link transport.CapableConn) {
	p.stream.CloseWrite()
	p.stream.SetReadDeadline(time.Now().Add(refusalLimit))
	io.Copy(io.Discard, p.stream)
	link.Close()
}

// receive pairs with a visitor and seats it.
func (n *Node) receive(ctx context.Context, p *pipe, link transport.CapableConn) (*conn, error) {
	first, cancel := context.WithTimeout(ctx, strangerLimit)
	defer cancel()
	message, err := p.Receive(first)
	if err != nil {
		return nil, err
	}
	want, claimed, err := parseApproach(message)
	if err != nil {
		return nil, err
	}
	config, why := n.admit(want, claimed)
	if why != 0 {
		return nil, errors.Join(why, signal.Refuse(ctx, p, why))
	}
	if config == nil {
		return nil, signal.NoSuchRoom // there is nothing to say
	}
	channel, err := signal.Pair(ctx, p, *config)
	if err != nil {
		wake(n.arrivals) // it may have been the last try
		return nil, err
	}
	return n.sit(ctx, want, channel, p, link)
}

// admit decides, by what the visitor says, whether it may try, and how.
// Neither a config nor a reason is the answer of who hosts nothing.
func (n *Node) admit(want byte, claimed [32]byte) (*signal.PairConfig, signal.Failure) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.room == nil {
		return nil, 0
	}
	config := n.pairing(signal.Host)
	config.Context = n.Instance()
	if want == wantResume && n.room.Resume != "" && claimed == n.room.Peer {
		config.Secret, config.Expect = n.room.Resume, n.room.Peer
		return &config, 0
	}
	if why := n.refusal(want, claimed); why != 0 {
		return nil, why
	}
	if n.room.Password != "" {
		config.Secret, config.Password, config.Tries = n.room.Password, true, n.tries
	}
	return &config, 0
}

// refusal is why a player may not sit down, 0 if it may. The caller holds n.mu.
func (n *Node) refusal(want byte, key [32]byte) signal.Failure {
	switch {
	case n.room == nil:
		return signal.RoomFull
	case want == wantResume && n.room.Resume != "" && key == n.room.Peer:
		return 0
	case n.room.State == p2p.RoomPlaying || want == wantResume:
		return signal.RoomInMatch
	case n.room.State == p2p.RoomFull:
		return signal.RoomFull
	case !n.seat.free() && n.seat.peer != key:
		return signal.RoomFull
	}
	// The seat is free, or its player comes anew over a better path.
	return 0
}

func (n *Node) pairing(role signal.Role) signal.PairConfig {
	return signal.PairConfig{
		Role: role, Key: n.identity.Key, Sign: n.identity.Sign,
		Binding: []byte(n.carriers.self),
		Newest:  n.options.Newest, Oldest: n.options.Oldest,
	}
}

// A seating is the guest's seat while somebody has it.
type seating struct {
	peer [32]byte
	conn *conn // nil until the guest has been told
}

// free reports whether nobody has the seat, or has left it just now.
func (s *seating) free() bool { return s == nil || s.conn != nil && s.conn.over() }

// sit gives a paired visitor the seat, if it still may have it, and says so.
func (n *Node) sit(ctx context.Context, want byte, channel *signal.Channel, p *pipe, link transport.CapableConn) (*conn, error) {
	if string(channel.PeerBinding()) != string(link.RemotePeer()) {
		return nil, signal.ProtocolError
	}
	ctx, cancel := context.WithTimeout(ctx, strangerLimit)
	defer cancel()
	mine := &seating{peer: channel.Peer()}
	if why := n.take(mine, want); why != 0 {
		return nil, errors.Join(why, channel.Send(ctx, []byte{byte(why)}))
	}
	if err := channel.Send(ctx, []byte{seated}); err != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.seat == mine {
			n.seat = nil
		}
		return nil, err
	}
	c := n.newConn(p, link, channel)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.seat != mine {
		// It came a second time meanwhile, and this one is out of date.
		n.serving.Go(func() { c.Close() })
		return c, nil
	}
	mine.conn, n.visitor = c, c
	wake(n.arrivals)
	return c, nil
}

// take claims the seat, and shows out the same player's older connection.
func (n *Node) take(s *seating, want byte) (why signal.Failure) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if why := n.refusal(want, s.peer); why != 0 {
		return why
	}
	if n.seat != nil && n.seat.conn != nil {
		old := n.seat.conn
		n.serving.Go(func() { old.Close() })
	}
	n.seat = s
	return 0
}

// newConn makes the Conn of a pairing that has held, and keeps track of it.
func (n *Node) newConn(p *pipe, link transport.CapableConn, channel *signal.Channel) *conn {
	way, remote := wayOf(link)
	info := p2p.Info{Peer: channel.Peer(), Path: string(way), Remote: remote, Session: channel.Session()}
	n.mu.Lock()
	defer n.mu.Unlock()
	c := newConn(p, link, info, n.left)
	if n.closed {
		n.serving.Go(func() { c.Close() })
	}
	n.conns[c] = true
	return c
}

// left is told of each Conn that is over.
func (n *Node) left(c *conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.conns, c)
	if n.seat != nil && n.seat.conn == c {
		n.seat = nil
	}
}

// Accept waits for a guest to take the seat. A guest that comes again, because
// its connection was lost or its program restarted, is handed out anew, and
// its older Conn is closed. The error signal.TooManyTries says that nobody can
// try a password any more until Retry; Accept may go on being called. It
// returns p2p.ErrClosed when the Node was closed.
func (n *Node) Accept(ctx context.Context) (p2p.Conn, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, err := n.arrived()
		if err != nil {
			return nil, err
		}
		if c != nil {
			return c, nil
		}
		select {
		case <-n.arrivals:
		case <-n.end.Done():
			return nil, p2p.ErrClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (n *Node) arrived() (*conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil, p2p.ErrClosed
	}
	if c := n.visitor; c != nil {
		n.visitor = nil
		return c, nil
	}
	if n.tries != nil && n.tries.Exhausted() && !n.told {
		n.told = true
		return nil, signal.TooManyTries
	}
	return nil, nil
}

// Retry answers tries of the password again, which the room's owner has to
// ask for after ten wrong ones.
func (n *Node) Retry() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.tries != nil {
		n.tries.Reset()
		n.told = false
	}
}
