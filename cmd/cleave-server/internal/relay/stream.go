package relay

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"
)

const (
	// streamWrite bounds one write to a TCP client that does not read.
	streamWrite = 10 * time.Second
	// acceptPause is waited when the system refuses another connection.
	acceptPause = 100 * time.Millisecond
)

var errFrame = errors.New("relay: neither STUN nor channel data, or too large")

// streamListener accepts TCP clients, a limited number in all and of each
// address, and closes them with itself. It never gives up while it is open:
// pion would stop accepting at the first error.
type streamListener struct {
	net.Listener
	limits limits
	done   chan struct{}
	once   sync.Once

	mu   sync.Mutex
	open map[*stream]struct{}
	per  map[netip.Addr]int
}

func newStreamListener(l net.Listener, limits limits) *streamListener {
	return &streamListener{
		Listener: l, limits: limits, done: make(chan struct{}),
		open: make(map[*stream]struct{}), per: make(map[netip.Addr]int),
	}
}

// Accept returns the next client that is within the limits.
func (l *streamListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return nil, err
			}
			select {
			case <-l.done:
				return nil, net.ErrClosed
			case <-time.After(acceptPause):
			}
			continue
		}
		if s := l.admit(c); s != nil {
			return s, nil
		}
		c.Close()
	}
}

func (l *streamListener) admit(c net.Conn) *stream {
	from := origin(c.RemoteAddr())
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.done:
		return nil
	default:
	}
	if len(l.open) >= l.limits.streams || l.per[from] >= l.limits.streamsPer {
		return nil
	}
	s := &stream{Conn: c, reader: bufio.NewReaderSize(c, 2*packetSize), idle: l.limits.lifetime, from: from, listener: l}
	l.open[s] = struct{}{}
	l.per[from]++
	return s
}

// origin is who a client counts as: its IPv4 address or its IPv6 network.
func origin(a net.Addr) netip.Addr {
	t, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	ip := t.AddrPort().Addr().Unmap()
	if ip.Is6() {
		if p, err := ip.WithZone("").Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return ip
}

// Close stops accepting and closes every client.
func (l *streamListener) Close() error {
	var err error
	l.once.Do(func() {
		close(l.done)
		err = l.Listener.Close()
		l.mu.Lock()
		var all []*stream
		for s := range l.open {
			all = append(all, s)
		}
		l.mu.Unlock()
		for _, s := range all {
			s.Close()
		}
	})
	return err
}

func (l *streamListener) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open)
}

// A stream is one TCP client. Each Read returns one whole frame: pion's own
// reader recurses once for each piece of a frame, so that a frame of 64 KiB sent
// byte by byte would cost it tens of megabytes of stack.
type stream struct {
	net.Conn
	reader   *bufio.Reader
	idle     time.Duration
	from     netip.Addr
	listener *streamListener
	once     sync.Once
}

// Read returns the next STUN message or channel data.
func (s *stream) Read(b []byte) (int, error) {
	if err := s.Conn.SetReadDeadline(time.Now().Add(s.idle)); err != nil {
		return 0, err
	}
	head, err := s.reader.Peek(4)
	if err != nil {
		return 0, err
	}
	n, ok := frameSize([4]byte(head))
	if !ok || n > min(len(b), packetSize) {
		return 0, errFrame
	}
	return io.ReadFull(s.reader, b[:n])
}

// frameSize is the size in bytes of the frame that begins with head: a STUN
// message or padded channel data (RFC 8656, section 12.5).
func frameSize(head [4]byte) (int, bool) {
	length := int(binary.BigEndian.Uint16(head[2:]))
	switch head[0] >> 6 {
	case 0:
		return 20 + length, length%4 == 0
	case 1:
		return 4 + (length+3)&^3, true
	default:
		return 0, false
	}
}

// Write writes one frame. After a part of one there is no going on.
func (s *stream) Write(b []byte) (int, error) {
	err := s.Conn.SetWriteDeadline(time.Now().Add(streamWrite))
	n := 0
	if err == nil {
		n, err = s.Conn.Write(b)
	}
	if err != nil {
		s.Close()
	}
	return n, err
}

// Close closes the connection.
func (s *stream) Close() error {
	var err error
	s.once.Do(func() {
		err = s.Conn.Close()
		l := s.listener
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.open, s)
		if l.per[s.from]--; l.per[s.from] == 0 {
			delete(l.per, s.from)
		}
	})
	return err
}
