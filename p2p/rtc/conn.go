package rtc

import (
	"context"
	"sync"
	"time"

	"github.com/cleavegame/cleave/p2p"
)

const (
	// maxBuffered is how many bytes may be under way before Send drops.
	// That is half a minute of a lively match.
	maxBuffered = 128 << 10
	// farewell is how long Close waits for the peer to have everything.
	farewell = 500 * time.Millisecond
)

// Conn is a p2p.Conn over one data channel.
type Conn struct {
	link *link
	info p2p.Info // but for path and remote

	setup  events        // what the link has to say until the channel is open
	frames chan []byte   // arrived, not yet received
	ended  chan struct{} // closed when the peer closed or the path is lost
	closed chan struct{} // closed by Close
	gone   chan struct{} // closed when everything is freed

	sending sync.Mutex // makes "room for one more" and "send it" one step

	endOnce, closeOnce, goneOnce sync.Once
}

var _ p2p.Conn = (*Conn)(nil)

func newConn(cfg Config) (*Conn, error) {
	c := &Conn{
		info:   p2p.Info{Peer: cfg.Peer, Session: cfg.Session},
		setup:  events{wake: make(chan struct{}, 1)},
		frames: make(chan []byte, inboxFrames),
		ended:  make(chan struct{}),
		closed: make(chan struct{}),
		gone:   make(chan struct{}),
	}
	l, err := newLink(cfg, c)
	if err != nil {
		return nil, err
	}
	c.link = l
	return c, nil
}

// Send queues a copy of frame.
func (c *Conn) Send(frame []byte) error {
	if len(frame) == 0 || len(frame) > p2p.MaxFrame {
		return p2p.ErrTooLarge
	}
	c.sending.Lock()
	defer c.sending.Unlock()
	select {
	case <-c.closed:
		return p2p.ErrClosed
	case <-c.ended:
		return p2p.ErrClosed
	default:
	}
	if c.link.buffered()+len(frame) > maxBuffered {
		return p2p.ErrBusy
	}
	if err := c.link.send(frame); err != nil {
		// The channel is closing under us, and the event that says so
		// is on its way.
		return p2p.ErrClosed
	}
	return nil
}

// Receive waits for the next frame. What arrived before the peer closed is
// given out first.
func (c *Conn) Receive(ctx context.Context) ([]byte, error) {
	select {
	case <-c.closed:
		return nil, p2p.ErrClosed
	default:
	}
	select {
	case f := <-c.frames:
		return f, nil
	default:
	}
	select {
	case f := <-c.frames:
		return f, nil
	case <-c.closed:
		return nil, p2p.ErrClosed
	case <-c.ended:
		select {
		case f := <-c.frames:
			return f, nil
		default:
			return nil, p2p.ErrClosed
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close says goodbye, waits until the peer has answered (it has every frame
// then) or 500 ms have passed, and frees everything. When the peer has gone, the
// freeing is not waited for: pion takes 0.4 s to abort what is over already.
func (c *Conn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	c.free(true)
	select {
	case <-c.ended:
	case <-c.gone:
	}
	return nil
}

// Info describes the pipe. Path is "direct", or "relay" when a TURN server
// stands between.
func (c *Conn) Info() p2p.Info {
	info := c.info
	info.Path, info.Remote = c.link.path()
	return info
}

// end is called by the link when nothing more will come.
func (c *Conn) end() {
	c.endOnce.Do(func() { close(c.ended) })
	c.free(false)
}

// free closes the link, once, in a goroutine of its own: the callers may be
// callbacks of the link, and closing waits for those.
func (c *Conn) free(goodbye bool) {
	c.goneOnce.Do(func() {
		go func() {
			if goodbye {
				c.goodbye()
			}
			c.link.close()
			c.endOnce.Do(func() { close(c.ended) })
			close(c.gone)
		}()
	})
}

func (c *Conn) goodbye() {
	c.sending.Lock()
	err := c.link.send(nil)
	c.sending.Unlock()
	if err != nil {
		return
	}
	timer := time.NewTimer(farewell)
	defer timer.Stop()
	select {
	case <-c.ended:
	case <-timer.C:
	}
}
