package signal

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// The times of a client. With the pairing's own they keep a program that
// finds no server, or one that says nothing, from hanging.
const (
	dialLimit = 6 * time.Second
	callLimit = 6 * time.Second
	// pingEvery keeps a socket alive through proxies, and shows that it is. A
	// hidden browser tab gets its timers once a minute, which still does.
	pingEvery = 25 * time.Second
	pingLimit = 20 * time.Second
	// reasonLimit is how long a failed write waits for the reader to find why.
	reasonLimit = time.Second
)

// link is one socket to a server and what comes in on it. It has ended when
// done is closed; why says why.
type link struct {
	socket *Socket
	done   chan struct{}
	quit   context.CancelFunc
	ended  sync.WaitGroup

	mu       sync.Mutex
	why      error
	n        uint32
	calls    map[uint32]chan Reply
	visit    *Visit      // the one visit at a time
	arrivals chan *Visit // of length 1: a newer visit replaces an older
	codeEnd  Failure     // CodeUsed or CodeExpired, of the code codeBox
	codeBox  string
	wake     chan struct{} // of length 1: codeEnd changed
}

func openLink(ctx context.Context, server string, dial dialler) (*link, error) {
	ctx, cancel := context.WithTimeout(ctx, dialLimit)
	defer cancel()
	socket, err := dial(ctx, server+Path)
	if err != nil {
		return nil, err
	}
	run, quit := context.WithCancel(context.Background())
	l := &link{
		socket: socket, done: make(chan struct{}), quit: quit,
		calls:    map[uint32]chan Reply{},
		arrivals: make(chan *Visit, 1),
		wake:     make(chan struct{}, 1),
	}
	l.ended.Go(func() { l.read(run) })
	l.ended.Go(func() { l.ping(run) })
	return l, nil
}

// fail ends the link. The first reason stays.
func (l *link) fail(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why != nil {
		return
	}
	l.why = why
	if l.visit != nil {
		l.visit.end(why)
		l.visit = nil
	}
	l.quit()
	close(l.done)
}

// close ends the link and waits until nothing of it runs any more.
func (l *link) close() {
	l.socket.Close(0)
	l.fail(NoServer)
	l.ended.Wait()
}

func (l *link) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.why
}

func (l *link) read(ctx context.Context) {
	for {
		data, text, err := l.socket.Read(ctx)
		if err != nil {
			f, ok := FailureOf(err)
			if !ok {
				f = NoServer
			}
			l.fail(fmt.Errorf("signal: the socket to the rendezvous server closed: %w (%w)", f, err))
			l.socket.Drop()
			return
		}
		if text {
			err = l.reply(data)
		} else {
			err = l.relayed(data)
		}
		if err != nil {
			l.fail(fmt.Errorf("signal: reading from the rendezvous server: %w", err))
			l.socket.Drop()
			return
		}
	}
}

func (l *link) reply(data []byte) error {
	r, err := ParseReply(data)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why != nil {
		return nil
	}
	switch {
	case r.N != 0:
		if call, ok := l.calls[r.N]; ok {
			delete(l.calls, r.N)
			if r.Visit != 0 && r.Failure == 0 {
				// The messages of a visit may follow at once.
				l.begin(r)
			}
			call <- r
		}
	case r.Event == EventVisit:
		if v := l.begin(r); v != nil {
			select {
			case <-l.arrivals:
			default:
			}
			l.arrivals <- v
		}
	case r.Event == EventGone:
		if l.visit != nil && l.visit.number == r.Visit {
			l.visit.end(PeerLeft)
			l.visit = nil
		}
	case r.Event == EventSpent:
		l.endCode(CodeUsed, r.Mailbox)
	case r.Event == EventExpired:
		l.endCode(CodeExpired, r.Mailbox)
	}
	// Events of a later version are none of ours.
	return nil
}

// begin makes the visit that r announces the current one.
func (l *link) begin(r Reply) *Visit {
	if l.visit != nil {
		l.visit.end(PeerLeft)
	}
	l.visit = newVisit(l, r)
	return l.visit
}

func (l *link) endCode(why Failure, mailbox string) {
	l.codeEnd, l.codeBox = why, mailbox
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// codeEnded returns CodeUsed or CodeExpired if the server has said so of the
// code that is named by mailbox, and else 0.
func (l *link) codeEnded(mailbox string) Failure {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.codeBox != mailbox {
		return 0
	}
	return l.codeEnd
}

func (l *link) relayed(data []byte) error {
	number, message, err := ParseRelayed(data)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.visit == nil || l.visit.number != number {
		return nil // of a visit that has ended
	}
	if !l.visit.deliver(message) {
		l.visit.end(ProtocolError)
		l.visit = nil
	}
	return nil
}

// call asks and waits for the answer, whose Failure is the error.
func (l *link) call(ctx context.Context, r Request, limit time.Duration) (Reply, error) {
	answer := make(chan Reply, 1)
	l.mu.Lock()
	if l.why != nil {
		l.mu.Unlock()
		return Reply{}, l.why
	}
	l.n++
	r.N = l.n
	l.calls[r.N] = answer
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.calls, r.N)
	}()
	if err := l.write(r); err != nil {
		return Reply{}, err
	}
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	select {
	case reply := <-answer:
		if reply.Failure != 0 {
			return Reply{}, fmt.Errorf("signal: %s: %w", r.Do, reply.Failure)
		}
		return reply, nil
	case <-l.done:
		return Reply{}, l.err()
	case <-timeout.C:
		return Reply{}, fmt.Errorf("signal: %s: no answer: %w", r.Do, NoServer)
	case <-ctx.Done():
		return Reply{}, ctx.Err()
	}
}

func (l *link) write(r Request) error {
	if err := l.socket.Write(Marshal(r), true); err != nil {
		return l.writeError(err)
	}
	return nil
}

func (l *link) writeError(err error) error {
	// Why the server closed the socket is what the reader finds, if it gave a
	// reason: that is on its way.
	select {
	case <-l.done:
	case <-time.After(reasonLimit):
	}
	l.fail(fmt.Errorf("signal: writing to the rendezvous server: %w (%w)", NoServer, err))
	return l.err()
}

func (l *link) ping(ctx context.Context) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if _, err := l.call(ctx, Request{Do: DoPing}, pingLimit); err != nil && ctx.Err() == nil {
			if f, _ := FailureOf(err); f == NoServer {
				l.fail(err)
				l.socket.Drop()
				return
			}
		}
	}
}
