package relay

import (
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pion/turn/v5"
)

// Relayed addresses have these port numbers (the ephemeral ones, since nobody
// expects a service there).
const (
	firstPort = 49152
	lastPort  = 65535
)

// waiting is how many packets may wait in a relayed address for its client.
const waiting = 64

var (
	errQuota       = errors.New("relay: allocation quota reached")
	errUnsupported = errors.New("relay: only UDP is relayed, at a port of the relay's choice")
)

// switchboard is the set of relayed addresses. It implements
// turn.RelayAddressGenerator.
type switchboard struct {
	ip     netip.Addr
	limits limits
	stats  counters

	mu      sync.RWMutex
	ports   map[uint16]*port
	seats   map[string]int   // allocations of each
	clients map[string]*port // by the address that the client speaks from
	closed  bool
}

type counters struct {
	allocations, refused, overQuota  atomic.Uint64
	packets, bytes, tooFast, nowhere atomic.Uint64
}

var _ turn.RelayAddressGenerator = (*switchboard)(nil)

func newSwitchboard(ip netip.Addr, l limits) *switchboard {
	return &switchboard{
		ip: ip, limits: l,
		ports: make(map[uint16]*port), seats: make(map[string]int), clients: make(map[string]*port),
	}
}

// Validate is part of turn.RelayAddressGenerator.
func (b *switchboard) Validate() error { return nil }

// mayOpen reports whether the seat may have one more allocation.
func (b *switchboard) mayOpen(seat string) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.full(seat) {
		b.stats.overQuota.Add(1)
		return false
	}
	return true
}

func (b *switchboard) full(seat string) bool {
	return b.seats[seat] >= b.limits.perSeat || len(b.ports) >= b.limits.allocations
}

// AllocatePacketConn opens a relayed address for the seat. The quota is counted
// here once more, as UDP and TCP clients are served by several goroutines.
func (b *switchboard) AllocatePacketConn(c turn.AllocateListenerConfig) (net.PacketConn, net.Addr, error) {
	// No user: pion probes for an even port. A requested port: its neighbour.
	// Both are for RTP, which nobody relays here.
	if c.UserID == "" || c.RequestedPort != 0 || (c.Network == "udp4") != b.ip.Is4() {
		return nil, nil, errUnsupported
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, nil, net.ErrClosed
	}
	if b.full(c.UserID) {
		return nil, nil, errQuota
	}
	number := uint16(firstPort + rand.IntN(lastPort-firstPort+1))
	for b.ports[number] != nil { // at most half of them are taken
		number = uint16(firstPort + rand.IntN(lastPort-firstPort+1))
	}
	p := &port{
		board:  b,
		seat:   c.UserID,
		addr:   netip.AddrPortFrom(b.ip, number),
		in:     make(chan packet, waiting),
		done:   make(chan struct{}),
		bucket: bucket{rate: b.limits.rate, burst: b.limits.burst, level: b.limits.burst},
	}
	p.touch(time.Now())
	b.ports[number] = p
	b.seats[c.UserID]++
	b.stats.allocations.Add(1)
	return p, p.LocalAddr(), nil
}

// AllocateListener refuses: TCP is not relayed.
func (b *switchboard) AllocateListener(turn.AllocateListenerConfig) (net.Listener, net.Addr, error) {
	return nil, nil, errUnsupported
}

// AllocateConn refuses: TCP is not relayed.
func (b *switchboard) AllocateConn(turn.AllocateConnConfig) (net.Conn, error) {
	return nil, errUnsupported
}

func clientKey(a net.Addr) string { return a.Network() + " " + a.String() }

// opened notes which client holds a relayed address.
func (b *switchboard) opened(client, relayed net.Addr) {
	b.mu.Lock()
	defer b.mu.Unlock()
	u, ok := relayed.(*net.UDPAddr)
	if !ok {
		return
	}
	if p := b.ports[uint16(u.Port)]; p != nil {
		p.client = clientKey(client)
		b.clients[p.client] = p
	}
}

// heard notes that a client has made a request under valid credentials.
func (b *switchboard) heard(client net.Addr) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if p := b.clients[clientKey(client)]; p != nil {
		p.touch(time.Now())
	}
}

// sweep closes what has been silent for the lifetime. The TURN server does so by
// its own timers, but grants clients up to an hour if they ask for it.
func (b *switchboard) sweep(now time.Time) {
	var silent []*port
	b.mu.RLock()
	for _, p := range b.ports {
		if now.Sub(time.Unix(0, p.touched.Load())) > b.limits.lifetime {
			silent = append(silent, p)
		}
	}
	b.mu.RUnlock()
	for _, p := range silent {
		p.Close() // the TURN server notices, and forgets the allocation
	}
}

func (b *switchboard) close() {
	b.mu.Lock()
	b.closed = true
	var all []*port
	for _, p := range b.ports {
		all = append(all, p)
	}
	b.mu.Unlock()
	for _, p := range all {
		p.Close()
	}
}

func (b *switchboard) remove(p *port) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ports[p.addr.Port()] != p {
		return
	}
	delete(b.ports, p.addr.Port())
	if b.clients[p.client] == p {
		delete(b.clients, p.client)
	}
	if b.seats[p.seat]--; b.seats[p.seat] == 0 {
		delete(b.seats, p.seat)
	}
}

// at is the relayed address that addr names, or nil.
func (b *switchboard) at(addr net.Addr) *port {
	u, ok := addr.(*net.UDPAddr)
	if !ok {
		return nil
	}
	ip, ok := netip.AddrFromSlice(u.IP)
	if !ok || ip.Unmap() != b.ip || u.Port < firstPort || u.Port > lastPort {
		return nil
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.ports[uint16(u.Port)]
}
