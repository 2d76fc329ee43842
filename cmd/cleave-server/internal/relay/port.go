package relay

import (
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// A port is one relayed address: a net.PacketConn whose packets come from and go
// to other ports of the same switchboard.
type port struct {
	board  *switchboard
	seat   string
	client string // guarded by board.mu
	addr   netip.AddrPort
	in     chan packet
	done   chan struct{}
	once   sync.Once

	touched atomic.Int64 // unix nanoseconds of the client's last sign of life

	mu     sync.Mutex
	bucket bucket
}

type packet struct {
	from netip.AddrPort
	data []byte
}

var _ net.PacketConn = (*port)(nil)

// ReadFrom waits for a packet of another port.
func (p *port) ReadFrom(b []byte) (int, net.Addr, error) {
	select {
	case k := <-p.in:
		return copy(b, k.data), net.UDPAddrFromAddrPort(k.from), nil
	case <-p.done:
		return 0, nil, net.ErrClosed
	}
}

// WriteTo hands a packet to the port that addr names. One that is too fast, too
// many, or addressed to nobody is lost, as it would be on a network.
func (p *port) WriteTo(b []byte, addr net.Addr) (int, error) {
	select {
	case <-p.done:
		return 0, net.ErrClosed
	default:
	}
	now, stats := time.Now(), &p.board.stats
	p.touch(now)
	p.mu.Lock()
	pass := p.bucket.take(len(b), now)
	p.mu.Unlock()
	if !pass {
		stats.tooFast.Add(1)
		return len(b), nil
	}
	to := p.board.at(addr)
	if to == nil {
		stats.nowhere.Add(1)
		return len(b), nil
	}
	select {
	case to.in <- packet{p.addr, append([]byte(nil), b...)}:
		stats.packets.Add(1)
		stats.bytes.Add(uint64(len(b)))
	default:
		stats.tooFast.Add(1)
	}
	return len(b), nil
}

func (p *port) touch(now time.Time) { p.touched.Store(now.UnixNano()) }

// Close frees the address.
func (p *port) Close() error {
	p.once.Do(func() {
		close(p.done)
		p.board.remove(p)
	})
	return nil
}

// LocalAddr is the relayed address.
func (p *port) LocalAddr() net.Addr { return net.UDPAddrFromAddrPort(p.addr) }

// The TURN server sets no deadlines on a relayed address.

// SetDeadline does nothing.
func (*port) SetDeadline(time.Time) error { return nil }

// SetReadDeadline does nothing.
func (*port) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing.
func (*port) SetWriteDeadline(time.Time) error { return nil }

// A bucket lets rate bytes a second pass, and burst at once.
type bucket struct {
	rate, burst int
	level       int // bytes that may pass now
	at          time.Time
}

// take reports whether n bytes may pass, and lets them.
func (k *bucket) take(n int, now time.Time) bool {
	if !k.at.IsZero() && now.After(k.at) {
		// Whole bytes are added and the rest of the time is kept. No more
		// than fills the bucket is reckoned, so that nothing overflows.
		passed := min(now.Sub(k.at), time.Duration(k.burst/k.rate+1)*time.Second)
		add := int(passed * time.Duration(k.rate) / time.Second)
		if add > 0 {
			k.level = min(k.burst, k.level+add)
			k.at = now.Add(-(passed - time.Duration(add)*time.Second/time.Duration(k.rate)))
		}
	} else if k.at.IsZero() {
		k.at = now
	}
	if n > k.level {
		return false
	}
	k.level -= n
	return true
}
