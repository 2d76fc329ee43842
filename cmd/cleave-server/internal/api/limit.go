package api

import (
	"crypto/sha256"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

// Limits bound what clients may take. 0 takes the default.
type Limits struct {
	// ReadsPerSecond and HandsPerSecond are how many requests one address may
	// make that only read, or that bring something; ten seconds' worth of
	// them may come at once.
	ReadsPerSecond, HandsPerSecond float64
	// KeyPerSecond is how many signed requests one key may make.
	KeyPerSecond float64
	// Streams may be open at once, and so many from one address.
	Streams, StreamsPerAddress int
	// BodiesPerAddress are how many requests of one address may bring a body at
	// once, each of which holds half a mebibyte at most while it is on its way and
	// until it is answered.
	BodiesPerAddress int
}

// The defaults leave room for a school behind one address.
var defaults = Limits{ReadsPerSecond: 20, HandsPerSecond: 10, KeyPerSecond: 2, Streams: 20_000, StreamsPerAddress: 400, BodiesPerAddress: 64}

const (
	// burst is how many seconds' worth of requests may come at once.
	burst = 10
	// maxBuckets bounds the memory of the limits. Beyond it, strangers wait.
	maxBuckets = 200_000
)

// A client is who makes a request, as far as the limits need to know.
type client struct {
	address string // an IPv4 address, or the /64 of an IPv6 one
}

func (s *Server) client(r *http.Request) client {
	return client{address: Address(r, s.config.BehindProxy).String()}
}

// Address is the client's address as the limits count it: an IPv6 one stands
// for its /64. Behind a proxy it is what the proxy itself added last.
func Address(r *http.Request, behindProxy bool) netip.Addr {
	host := r.RemoteAddr
	if ap, err := netip.ParseAddrPort(host); err == nil {
		host = ap.Addr().String()
	}
	if behindProxy {
		if all := r.Header.Values("X-Forwarded-For"); len(all) > 0 {
			parts := strings.Split(all[len(all)-1], ",")
			host = strings.TrimSpace(parts[len(parts)-1])
		}
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return netip.IPv6Unspecified()
	}
	a = a.Unmap().WithZone("")
	if a.Is6() {
		p, _ := a.Prefix(64)
		return p.Addr()
	}
	return a
}

type limiter struct {
	Limits
	mu      *sync.Mutex
	buckets map[string]*bucket
	bodies  map[string]int // by address
}

type bucket struct {
	tokens float64
	at     time.Time
	rate   float64
}

func newLimiter(l Limits) limiter {
	fill := func(v *float64, d float64) {
		if *v == 0 {
			*v = d
		}
	}
	fill(&l.ReadsPerSecond, defaults.ReadsPerSecond)
	fill(&l.HandsPerSecond, defaults.HandsPerSecond)
	fill(&l.KeyPerSecond, defaults.KeyPerSecond)
	if l.Streams == 0 {
		l.Streams = defaults.Streams
	}
	if l.StreamsPerAddress == 0 {
		l.StreamsPerAddress = defaults.StreamsPerAddress
	}
	if l.BodiesPerAddress == 0 {
		l.BodiesPerAddress = defaults.BodiesPerAddress
	}
	return limiter{Limits: l, mu: new(sync.Mutex), buckets: map[string]*bucket{}, bodies: map[string]int{}}
}

func (l *limiter) allow(address string, k kind, now time.Time) bool {
	if k == reading {
		return l.take("r "+address, l.ReadsPerSecond, now)
	}
	return l.take("h "+address, l.HandsPerSecond, now)
}

// hold takes one of the address's places for a body, false if there is none;
// the function gives it back, once.
func (l *limiter) hold(address string) (release func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bodies[address] >= l.BodiesPerAddress {
		return func() {}, false
	}
	l.bodies[address]++
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.bodies[address]--; l.bodies[address] == 0 {
			delete(l.bodies, address)
		}
	}), true
}

func (l *limiter) allowKey(key record.Key, now time.Time) bool {
	return l.take("k "+string(key[:]), l.KeyPerSecond, now)
}

func (l *limiter) take(name string, rate float64, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.buckets[name]
	if b == nil {
		if len(l.buckets) >= maxBuckets {
			return false
		}
		b = &bucket{tokens: rate * burst, at: now, rate: rate}
		l.buckets[name] = b
	}
	b.fill(now)
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

func (b *bucket) fill(now time.Time) {
	if passed := now.Sub(b.at).Seconds(); passed > 0 {
		b.tokens = min(b.rate*burst, b.tokens+passed*b.rate)
		b.at = now
	}
}

// sweep forgets the buckets that are full again, which say nothing.
func (l *limiter) sweep(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, b := range l.buckets {
		if b.fill(now); b.tokens >= b.rate*burst {
			delete(l.buckets, name)
		}
	}
}

// nonces remembers those seen, for as long as they would be let in again.
type nonces struct {
	mu      *sync.Mutex
	startMs int64
	// seen holds those of the present span of time, old those of the one
	// before; a span is as long as a nonce can be good.
	seen, old map[[32]byte]struct{}
	sinceMs   int64
}

const nonceSpanMs = 2*ranking.NonceWindowMs + 1000

func newNonces(nowMs int64) nonces {
	return nonces{mu: new(sync.Mutex), startMs: nowMs, seen: map[[32]byte]struct{}{}, sinceMs: nowMs}
}

// fresh reports whether a nonce is in time and was not seen, and remembers it.
// One from before the server's start may have been seen by the process before.
func (n *nonces) fresh(key record.Key, nonce ranking.Nonce, nowMs int64) bool {
	t := nonce.TimeMs()
	if t < n.startMs || t < nowMs-ranking.NonceWindowMs || t > nowMs+ranking.NonceWindowMs {
		return false
	}
	name := sha256.Sum256(append(key[:], nonce[:]...))
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, ok := n.seen[name]; ok {
		return false
	}
	if _, ok := n.old[name]; ok {
		return false
	}
	n.seen[name] = struct{}{}
	return true
}

func (n *nonces) sweep(nowMs int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if nowMs-n.sinceMs >= nonceSpanMs {
		n.old, n.seen, n.sinceMs = n.seen, map[[32]byte]struct{}{}, nowMs
	}
}
