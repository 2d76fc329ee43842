//go:build !js

package lan

import (
	"bufio"
	"context"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/transport"

	"github.com/cleavegame/cleave/p2p"
)

const (
	// queued frames outgoing and arrived ones unread, at most: beyond the
	// first Send says ErrBusy, beyond the second the other side is held up.
	maxQueued = 256
	maxUnread = 64
	// One write carries what is queued up to about this many bytes.
	maxWrite = 16 << 10
	// A write that takes this long means that nobody reads any more. The
	// session above has given up on the pipe long before.
	writeLimit = 10 * time.Second
	// What a Close grants the last frames, as p2p.Conn promises.
	closeLimit = 500 * time.Millisecond
)

// conn is one stream of one connection, which it owns.
type conn struct {
	info   p2p.Info
	stream network.MuxedStream
	link   transport.CapableConn
	in     *bufio.Reader

	outbox chan []byte
	inbox  chan []byte

	closing chan struct{} // Close was called
	ended   chan struct{} // nothing more will come from the other side
	flushed chan struct{} // nothing more will go out
	gone    chan struct{} // the connection was dropped

	closeOnce, dropOnce sync.Once
	work                sync.WaitGroup
	onGone              func(*conn)
}

// newConn takes over the stream of a pairing that has held, and the link that
// it belongs to. onGone, if any, is called once, when the pipe is over.
func newConn(p *pipe, link transport.CapableConn, info p2p.Info, onGone func(*conn)) *conn {
	c := &conn{
		info: info, stream: p.stream, link: link, in: p.in, onGone: onGone,
		outbox: make(chan []byte, maxQueued), inbox: make(chan []byte, maxUnread),
		closing: make(chan struct{}), ended: make(chan struct{}),
		flushed: make(chan struct{}), gone: make(chan struct{}),
	}
	c.work.Go(c.read)
	c.work.Go(c.write)
	return c
}

func (c *conn) Info() p2p.Info { return c.info }

func (c *conn) Send(frame []byte) error {
	if len(frame) == 0 || len(frame) > p2p.MaxFrame {
		return p2p.ErrTooLarge
	}
	if c.over() {
		return p2p.ErrClosed
	}
	select {
	case c.outbox <- appendMessage(make([]byte, 0, 2+len(frame)), frame):
		return nil
	default:
		return p2p.ErrBusy
	}
}

// over reports whether either side has ended the pipe.
func (c *conn) over() bool {
	select {
	case <-c.closing:
	case <-c.ended:
	case <-c.gone:
	default:
		return false
	}
	return true
}

func (c *conn) Receive(ctx context.Context) ([]byte, error) {
	select {
	case <-c.closing:
		return nil, p2p.ErrClosed
	default:
	}
	select {
	case f := <-c.inbox:
		return f, nil
	default:
	}
	select {
	case f := <-c.inbox:
		return f, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.closing:
		return nil, p2p.ErrClosed
	case <-c.ended:
	}
	// What came before the end is still to be read.
	select {
	case f := <-c.inbox:
		return f, nil
	default:
		return nil, p2p.ErrClosed
	}
}

// read fills the inbox until the other side has ended its direction.
func (c *conn) read() {
	defer close(c.ended)
	for {
		frame, err := readMessage(c.in, p2p.MaxFrame)
		if err != nil {
			return
		}
		select {
		case c.inbox <- frame:
		case <-c.closing:
			// Nobody will read it, but the end behind it is awaited.
		case <-c.gone:
			return
		}
	}
}

// write sends what is in the outbox and ends the own direction when either
// side has had enough. Unless Close is waiting, it then drops the connection:
// the other side's end has come, so all of its frames are here.
func (c *conn) write() {
	c.flush()
	c.stream.CloseWrite()
	close(c.flushed)
	select {
	case <-c.closing:
	default:
		c.drop()
	}
}

// flush returns when everything was sent and Close was called, or when nothing
// can be sent any more.
func (c *conn) flush() {
	buf := make([]byte, 0, maxWrite+p2p.MaxFrame)
	for {
		next, ok := c.next()
		if !ok {
			return
		}
		buf = append(buf[:0], next...)
	more:
		for len(buf) < maxWrite {
			select {
			case next = <-c.outbox:
				buf = append(buf, next...)
			default:
				break more
			}
		}
		// A write that reaches its deadline has torn a frame, so the pipe
		// ends with it.
		c.stream.SetWriteDeadline(time.Now().Add(writeLimit))
		if _, err := c.stream.Write(buf); err != nil {
			return
		}
	}
}

// next waits for a frame to send. There is none when the pipe has ended, or
// was closed and everything queued before that is out.
func (c *conn) next() (frame []byte, ok bool) {
	select {
	case frame = <-c.outbox:
		return frame, true
	case <-c.ended:
		return nil, false
	case <-c.gone:
		return nil, false
	case <-c.closing:
	}
	select {
	case frame = <-c.outbox:
		return frame, true
	default:
		return nil, false
	}
}

func (c *conn) Close() error {
	c.closeOnce.Do(func() {
		close(c.closing)
		limit := time.NewTimer(closeLimit)
		defer limit.Stop()
		for _, done := range []chan struct{}{c.flushed, c.ended} {
			select {
			case <-done:
			case <-c.gone:
			case <-limit.C:
				c.drop()
			}
		}
		c.drop()
	})
	c.work.Wait()
	return nil
}

// drop closes the connection, which ends whatever still waits on it.
func (c *conn) drop() {
	c.dropOnce.Do(func() {
		close(c.gone)
		c.link.Close()
		if c.onGone != nil {
			c.onGone(c)
		}
	})
}
