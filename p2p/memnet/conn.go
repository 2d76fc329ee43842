package memnet

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/cleavegame/cleave/p2p"
)

// window is how many frames one direction holds, under way and unread
// together, before Send says ErrBusy: 1 MiB of the largest ones.
const window = 256

// conn is one end. Its fields but the channels are guarded by link.mu.
type conn struct {
	link  *Link
	end   int
	info  p2p.Info
	other *conn

	inbox  chan []byte // arrived, unread; never more than window
	closed chan struct{}
	shut   bool // closed is closed

	// What is on its way to this end, by time of arrival, then of sending.
	coming []parcel
	last   time.Time // the latest arrival of a frame that keeps the order
	timer  *time.Timer
}

// A parcel without a frame is the notice that the other end was closed.
type parcel struct {
	at    time.Time
	frame []byte
}

func newConn(l *Link, end int, info p2p.Info) *conn {
	return &conn{link: l, end: end, info: info, inbox: make(chan []byte, window), closed: make(chan struct{})}
}

func (c *conn) Info() p2p.Info { return c.info }

func (c *conn) Send(frame []byte) error {
	if len(frame) == 0 || len(frame) > p2p.MaxFrame {
		return p2p.ErrTooLarge
	}
	l := c.link
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.shut {
		return p2p.ErrClosed
	}
	// All draws are made for each frame, whatever becomes of it.
	lost := l.chance(c.end, l.cond.Loss)
	twice := l.chance(c.end, l.cond.Duplicate)
	held := l.chance(c.end, l.cond.Reorder)
	jitter := l.upTo(c.end, l.cond.Jitter)
	hold := l.cond.Hold
	if hold == 0 {
		hold = defaultHold
	}
	hold1, hold2 := l.upTo(c.end, hold), l.upTo(c.end, hold)

	to := c.other
	if l.cut {
		return nil
	}
	if to.shut {
		// The other end answers a closed door, as TCP does with a reset.
		c.shutDown()
		return p2p.ErrClosed
	}
	if len(to.coming)+len(to.inbox) >= window {
		return p2p.ErrBusy
	}
	at := time.Now().Add(l.cond.Delay + jitter)
	if !lost {
		copied := bytes.Clone(frame)
		if held {
			to.post(parcel{at.Add(hold1), copied})
		} else {
			if at.Before(to.last) {
				at = to.last
			}
			to.last = at
			to.post(parcel{at, copied})
		}
		if twice && len(to.coming)+len(to.inbox) < window {
			to.post(parcel{at.Add(hold2), bytes.Clone(frame)})
		}
	}
	to.deliver()
	return nil
}

// post puts p among what is coming, behind whatever arrives no later.
func (c *conn) post(p parcel) {
	i := len(c.coming)
	for i > 0 && c.coming[i-1].at.After(p.at) {
		i--
	}
	c.coming = slices.Insert(c.coming, i, p)
}

// deliver hands over what is due and sets the timer for the rest.
func (c *conn) deliver() {
	now := time.Now()
	for len(c.coming) > 0 && !c.coming[0].at.After(now) {
		p := c.coming[0]
		c.coming = c.coming[1:]
		switch {
		case c.link.cut || c.shut:
		case p.frame == nil:
			c.shutDown()
		default:
			c.inbox <- p.frame // has room: Send counts both
		}
	}
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if len(c.coming) > 0 {
		c.timer = time.AfterFunc(c.coming[0].at.Sub(now), func() {
			c.link.mu.Lock()
			defer c.link.mu.Unlock()
			c.deliver()
		})
	}
}

func (c *conn) shutDown() {
	if !c.shut {
		c.shut = true
		close(c.closed)
	}
}

func (c *conn) Receive(ctx context.Context) ([]byte, error) {
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
	case <-c.closed:
	}
	// What came before the close is still to be read.
	select {
	case f := <-c.inbox:
		return f, nil
	default:
		return nil, p2p.ErrClosed
	}
}

// Close leaves what is under way to the link, and behind it a notice, which
// no chance but a cut can lose.
func (c *conn) Close() error {
	l := c.link
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.shut {
		return nil
	}
	c.shutDown()
	c.coming = nil
	for len(c.inbox) > 0 {
		select {
		case <-c.inbox:
		default: // a Receive was quicker
		}
	}
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	to := c.other
	if l.cut || to.shut {
		return nil
	}
	at := time.Now().Add(l.cond.Delay)
	if n := len(to.coming); n > 0 && to.coming[n-1].at.After(at) {
		at = to.coming[n-1].at
	}
	to.post(parcel{at: at})
	to.deliver()
	return nil
}
