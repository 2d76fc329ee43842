package rtc

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

const (
	// grace is how long a connection may still come about after the
	// signalling channel broke, once both descriptions were exchanged: the
	// peer may have opened first and hung up, or only lost its socket.
	grace = 3 * time.Second
	// partingTime bounds what is still written to the channel after a failure.
	partingTime = time.Second
	// maxCandidates of the peer are tried; a machine with many networks has
	// some twenty.
	maxCandidates = 64
)

var errPatience = errors.New("out of patience")

// Connect opens the data channel to the peer at the other end of channel; both
// sides call it. It takes 15 s at most, fewer if ctx ends before. An error wraps
// a signal.Failure (NoRoute, PeerLeft, WebRTCUnavailable, ProtocolError, or what
// the channel's error wraps) unless it was ctx that ended. When it returns it
// uses channel no longer, and nothing of a failed attempt remains.
func Connect(ctx context.Context, channel Channel, cfg Config) (*Conn, error) {
	return connectWithin(ctx, Patience, channel, cfg)
}

func connectWithin(ctx context.Context, patience time.Duration, channel Channel, cfg Config) (*Conn, error) {
	if cfg.Certificate == nil {
		panic("rtc: Config without a certificate")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errPatience)
	defer cancel()
	if len(cfg.PeerBinding) != 32 {
		parting(ctx, channel, signal.ProtocolError)
		return nil, fmt.Errorf("rtc: %w: the peer bound no fingerprint", signal.ProtocolError)
	}
	c, err := newConn(cfg)
	if err != nil {
		parting(ctx, channel, signal.WebRTCUnavailable)
		return nil, fmt.Errorf("rtc: %w: %w", signal.WebRTCUnavailable, err)
	}
	s := &setup{
		cfg:     cfg,
		bound:   [32]byte(cfg.PeerBinding),
		channel: channel,
		link:    c.link,
		events:  &c.setup,
		in:      make(chan received),
		out:     make(chan message, 2*maxCandidates),
	}
	err = s.run(ctx)
	c.setup.stop()
	if err != nil {
		c.closeOnce.Do(func() { close(c.closed) })
		c.free(false)
		<-c.gone
		return nil, err
	}
	return c, nil
}

// parting tells the peer that this side gives up.
func parting(ctx context.Context, channel Channel, reason signal.Failure) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), partingTime)
	defer cancel()
	// The peer finds out by itself if this does not reach it.
	_ = channel.Send(ctx, message{kind: bye, reason: reason}.encode())
}

// setup is one attempt to connect. All of it belongs to the goroutine of run;
// reader and writer only carry messages.
type setup struct {
	cfg     Config
	bound   [32]byte // the peer's fingerprint
	channel Channel
	link    *link
	events  *events
	in      chan received
	out     chan message

	described bool     // the peer's description is set
	pending   []string // candidates that came before it
	tried     int      // candidates of the peer so far
	relays    int      // relay candidates of our own
	lost      error    // why the channel broke
}

type received struct {
	message []byte
	err     error
}

func (s *setup) run(ctx context.Context) error {
	// The writer has a context of its own, so that a last word still goes
	// out when ctx has ended.
	writing, stopWriting := context.WithCancel(context.WithoutCancel(ctx))
	reading, stopReading := context.WithCancel(ctx)
	var carriers sync.WaitGroup
	carriers.Go(func() { s.read(reading) })
	written := make(chan struct{})
	carriers.Go(func() {
		defer close(written)
		s.write(writing)
	})

	err := s.negotiate(ctx)
	if err != nil && s.lost == nil {
		s.send(message{kind: bye, reason: reasonFor(err)})
	}
	close(s.out)
	if err != nil && s.lost == nil {
		timer := time.NewTimer(partingTime)
		select {
		case <-written:
		case <-timer.C:
		}
		timer.Stop()
	}
	stopWriting()
	stopReading()
	carriers.Wait()
	return err
}

// reasonFor is what the peer is told.
func reasonFor(err error) signal.Failure {
	if f, ok := signal.FailureOf(err); ok && (f == signal.NoRoute || f == signal.ProtocolError) {
		return f
	}
	return signal.PeerLeft
}

func (s *setup) read(ctx context.Context) {
	for {
		b, err := s.channel.Receive(ctx)
		select {
		case s.in <- received{b, err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

func (s *setup) write(ctx context.Context) {
	for m := range s.out {
		// A broken channel shows at the reader, which says why.
		if s.channel.Send(ctx, m.encode()) != nil {
			return
		}
	}
}

// send queues m for the writer. The queue holds more than a setup sends; if the
// channel takes nothing at all, the surplus is lost like the rest.
func (s *setup) send(m message) {
	select {
	case s.out <- m:
	default:
	}
}

// negotiate exchanges descriptions and candidates until the data channel is
// open or it is known why it will not be.
func (s *setup) negotiate(ctx context.Context) error {
	if s.cfg.Offerer {
		// The candidates follow the description, because the link begins
		// to look for them when it has been set.
		if err := s.link.offer(ctx, func(sdp string) { s.send(message{kind: offer, text: sdp}) }); err != nil {
			return fmt.Errorf("rtc: %w: making an offer: %w", signal.WebRTCUnavailable, err)
		}
	}
	in := s.in
	var graceOver <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return s.outOfTime(ctx)
		case <-graceOver:
			return fmt.Errorf("rtc: channel lost before a path was found: %w", s.lost)
		case <-s.events.wake:
			for _, e := range s.events.take() {
				done, err := s.happened(e)
				if done || err != nil {
					return err
				}
			}
		case r := <-in:
			if r.err != nil {
				if ctx.Err() != nil {
					return s.outOfTime(ctx)
				}
				s.lost = channelError(r.err)
				if !s.described {
					return fmt.Errorf("rtc: channel lost during setup: %w", s.lost)
				}
				timer := time.NewTimer(grace)
				defer timer.Stop()
				graceOver, in = timer.C, nil
				continue
			}
			if err := s.heard(ctx, r.message); err != nil {
				return err
			}
		}
	}
}

// channelError is err as a Failure: a channel that broke without saying why has
// lost the peer, as far as this side can tell.
func channelError(err error) error {
	if _, ok := signal.FailureOf(err); ok {
		return err
	}
	return fmt.Errorf("%w: %w", signal.PeerLeft, err)
}

func (s *setup) outOfTime(ctx context.Context) error {
	switch cause := context.Cause(ctx); {
	case !errors.Is(cause, errPatience):
		return fmt.Errorf("rtc: connecting: %w", cause)
	case s.lost != nil:
		return fmt.Errorf("rtc: channel lost before a path was found: %w", s.lost)
	case !s.described:
		return fmt.Errorf("rtc: %w: it described no connection in time", signal.PeerLeft)
	default:
		return fmt.Errorf("rtc: %w: none of %d addresses answered in time%s", signal.NoRoute, s.tried, s.link.trouble())
	}
}

// happened handles what the link found out. It reports whether the channel is open.
func (s *setup) happened(e event) (done bool, err error) {
	switch e.kind {
	case opened:
		return true, nil
	case foundCandidate:
		if isRelayed(e.text) {
			s.relays++
		}
		s.send(message{kind: candidate, text: withoutOrigin(e.text)})
	case foundAll:
		if s.cfg.RelayOnly && s.relays == 0 {
			// Nothing else may be used, so there is nothing to wait for.
			return false, fmt.Errorf("rtc: %w: relayed paths alone were asked for and no relay gave an address%s", signal.NoRoute, s.link.trouble())
		}
		s.send(message{kind: gathered})
	case noPath:
		return false, fmt.Errorf("rtc: %w: none of %d addresses answered%s", signal.NoRoute, s.tried, s.link.trouble())
	case noHandshake:
		return false, fmt.Errorf("rtc: %w: the peer's certificate or handshake was not as agreed: %s", signal.ProtocolError, e.text)
	}
	return false, nil
}

// heard handles a message of the peer.
func (s *setup) heard(ctx context.Context, b []byte) error {
	m, err := parseMessage(b)
	if err != nil {
		return fmt.Errorf("rtc: %w: %w", signal.ProtocolError, err)
	}
	switch m.kind {
	case offer, answer:
		return s.describe(ctx, m)
	case candidate:
		s.tried++
		switch {
		case s.tried > maxCandidates:
			// Those there are suffice, or nothing does.
		case s.described:
			s.link.addCandidate(m.text)
		default:
			s.pending = append(s.pending, m.text)
		}
	case bye:
		if m.reason == signal.NoRoute || m.reason == signal.ProtocolError {
			return fmt.Errorf("rtc: the peer gave up: %w", m.reason)
		}
		return fmt.Errorf("rtc: the peer gave up: %w", signal.PeerLeft)
	}
	return nil
}

func (s *setup) describe(ctx context.Context, m message) error {
	if s.described || (m.kind == offer) == s.cfg.Offerer {
		return fmt.Errorf("rtc: %w: a second description, or one of the wrong side", signal.ProtocolError)
	}
	if err := checkSDP(m.text, s.bound); err != nil {
		return fmt.Errorf("rtc: %w: %w", signal.ProtocolError, err)
	}
	var err error
	if m.kind == offer {
		err = s.link.answer(ctx, m.text, func(sdp string) { s.send(message{kind: answer, text: sdp}) })
	} else {
		err = s.link.answered(ctx, m.text)
	}
	if err != nil {
		return fmt.Errorf("rtc: %w: description refused: %w", signal.ProtocolError, err)
	}
	s.described = true
	for _, c := range s.pending {
		s.link.addCandidate(c)
	}
	s.pending = nil
	return nil
}
