package signal

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// graceLimit is how long a server keeps the mailbox of a host whose socket
// was lost.
const graceLimit = 60 * time.Second

// A Hosting is an open mailbox: a code, and perhaps a listed room. Its
// methods may be called from several goroutines, Visitor from one at a time.
// A lost socket is dialled anew by the next call that needs it, for up to 60
// seconds; after that the error is CodeExpired.
type Hosting struct {
	client *Client
	redial chan struct{} // of length 1: holds a token while the socket is being dialled anew

	mu       sync.Mutex
	code     Code
	ended    Failure // CodeUsed or CodeExpired, 0 while the code can be used
	instance Mailbox
	token    string
	listed   bool
	lost     time.Time // when the socket was found lost
}

// Host opens a mailbox and draws the code's words.
func (c *Client) Host(ctx context.Context) (*Hosting, error) {
	reply, err := c.current().call(ctx, Request{Do: DoHost}, callLimit)
	if err != nil {
		return nil, err
	}
	h := &Hosting{client: c, token: reply.Token, redial: make(chan struct{}, 1)}
	if h.instance, err = ParseMailbox(reply.Instance); err != nil || reply.Token == "" {
		return nil, fmt.Errorf("signal: host: %w", ProtocolError)
	}
	return h, h.newCode(reply)
}

func (h *Hosting) newCode(reply Reply) error {
	mailbox, err := ParseMailbox(reply.Mailbox)
	if err != nil || reply.Number == 0 {
		return fmt.Errorf("signal: host: %w", ProtocolError)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.code = Code{Server: h.client.server, Number: reply.Number, Mailbox: mailbox, Words: NewWords()}
	h.ended = 0
	return nil
}

// Code returns the current code, and 0 while it can be used, CodeUsed or
// CodeExpired after that.
func (h *Hosting) Code() (Code, Failure) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.code, h.state()
}

func (h *Hosting) state() Failure {
	if h.ended == 0 {
		h.ended = h.client.current().codeEnded(h.code.Mailbox.String())
	}
	return h.ended
}

// Instance is the Listing.Instance of this mailbox.
func (h *Hosting) Instance() Mailbox { return h.instance }

// Renew asks for another code in the place of one that is spent or expired,
// or that is not wanted any more.
func (h *Hosting) Renew(ctx context.Context) (Code, error) {
	reply, err := h.call(ctx, Request{Do: DoRenew})
	if err != nil {
		return Code{}, err
	}
	if err := h.newCode(reply); err != nil {
		return Code{}, err
	}
	code, _ := h.Code()
	return code, nil
}

// List shows the room to whoever asks the server, or shows it as it is now.
// Instance is filled in.
func (h *Hosting) List(ctx context.Context, room Listing, sign func(message []byte) [64]byte) error {
	room.Instance = h.instance
	b, err := room.Append(nil, sign)
	if err != nil {
		return err
	}
	if _, err = h.call(ctx, Request{Do: DoList, Listing: b}); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listed = true
	return nil
}

// Unlist shows the room no longer.
func (h *Hosting) Unlist(ctx context.Context) error {
	_, err := h.call(ctx, Request{Do: DoUnlist})
	if err == nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.listed = false
	}
	return err
}

// Visitor waits for the next visitor. One that is there already loses its
// seat when the next comes. While no room is listed the error is CodeUsed or
// CodeExpired when the code has ended: Renew, and go on.
func (h *Hosting) Visitor(ctx context.Context) (*Visit, error) {
	for {
		l, err := h.linked(ctx)
		if err != nil {
			return nil, err
		}
		h.mu.Lock()
		ended, listed := h.state(), h.listed
		h.mu.Unlock()
		if ended != 0 && !listed {
			return nil, fmt.Errorf("signal: waiting for a visitor: %w", ended)
		}
		select {
		case v := <-l.arrivals:
			if h.admit(v) {
				return v, nil
			}
			v.Close()
		case <-l.wake:
		case <-l.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// admit checks that a server which sends visitors by a code that has been
// answered before gets no second guess at its words.
func (h *Hosting) admit(v *Visit) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch v.by {
	case ByRoom:
		v.name = h.instance.String()
		return h.listed
	case ByCode:
		code := h.code
		if h.ended != 0 || v.name != code.Mailbox.String() {
			return false
		}
		v.spend = func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			if h.code == code {
				h.ended = CodeUsed
			}
		}
		return true
	}
	return false
}

// Close closes the mailbox. The client stays connected.
func (h *Hosting) Close() error {
	l := h.client.current()
	if l.err() == nil {
		l.write(Request{Do: DoUnhost})
	}
	return nil
}

func (h *Hosting) call(ctx context.Context, r Request) (Reply, error) {
	l, err := h.linked(ctx)
	if err != nil {
		return Reply{}, err
	}
	return l.call(ctx, r, callLimit)
}

// linked returns a live link on which the server knows the mailbox.
func (h *Hosting) linked(ctx context.Context) (*link, error) {
	select {
	case h.redial <- struct{}{}:
		defer func() { <-h.redial }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	l := h.client.current()
	if l.err() == nil {
		return l, nil
	}
	if f, _ := FailureOf(l.err()); f == ProtocolError || f == SlowDown {
		return nil, l.err() // closed for what we did, or by one that makes no sense
	}
	h.mu.Lock()
	if h.lost.IsZero() {
		h.lost = time.Now()
	}
	until := h.lost.Add(graceLimit)
	h.mu.Unlock()
	for pause := 250 * time.Millisecond; ; pause = min(2*pause, 8*time.Second) {
		l, err := h.back(ctx)
		if err == nil {
			h.mu.Lock()
			h.lost = time.Time{}
			h.mu.Unlock()
			return l, nil
		}
		if f, _ := FailureOf(err); f != NoServer && f != ServerFull || ctx.Err() != nil || !time.Now().Before(until) {
			return nil, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// back dials anew and asks for the mailbox by its token.
func (h *Hosting) back(ctx context.Context) (*link, error) {
	c := h.client
	if c.isClosed() {
		return nil, errClosed
	}
	l, err := openLink(ctx, c.server, c.dial)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	token := h.token
	h.mu.Unlock()
	if _, err := l.call(ctx, Request{Do: DoBack, Token: token}, callLimit); err != nil {
		l.close()
		return nil, err
	}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		l.close()
		return nil, errClosed
	}
	old := c.link
	c.link = l
	c.mu.Unlock()
	old.close()
	return l, nil
}
