package rendezvous

import (
	"net/netip"
	"time"
)

// Limits bound what clients may take. Every one is per server unless it says
// otherwise; 0 takes the default.
type Limits struct {
	Sockets           int // open at once; 20,000
	SocketsPerAddress int // open at once from one address; 200, for schools behind one
	Mailboxes         int // open at once; 10,000
	Rooms             int // listed at once; 500, and 700 at most, which is what one reply can hold
	Joins             int // from one address in a row; 20
	JoinsPerMinute    int // that come back after that; 20
	Meets             int // at resume addresses from one address in a row; 120, as nobody can guess those
	MeetsPerMinute    int // 120
	Hosts             int // mailboxes and codes drawn from one address in a row; 30
	HostsPerMinute    int // 10
}

func (l Limits) orDefaults() Limits {
	set := func(v *int, to int) {
		if *v == 0 {
			*v = to
		}
	}
	set(&l.Sockets, 20_000)
	set(&l.SocketsPerAddress, 200)
	set(&l.Mailboxes, 10_000)
	set(&l.Rooms, 500)
	set(&l.Joins, 20)
	set(&l.JoinsPerMinute, 20)
	set(&l.Meets, 120)
	set(&l.MeetsPerMinute, 120)
	set(&l.Hosts, 30)
	set(&l.HostsPerMinute, 10)
	l.Rooms = min(l.Rooms, 700)
	return l
}

// The limits of one socket.
const (
	socketBurst   = 200 // messages in a row; an offer with all its candidates is some 30
	socketRate    = 40  // messages a second after that
	socketLife    = 13 * time.Hour
	socketSilence = 3 * time.Minute // clients ping every 25 s, a hidden tab every minute
	visitMessages = 5_000
	visitBytes    = 4 << 20
	earlyMessages = 8 // from a guest to whom the host has not spoken; it has one to send
	outgoingQueue = 256
)

// prefixOf is what the limits call one address: an IPv4 address, or the /64
// that one IPv6 customer has at the least.
func prefixOf(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := 64
	if a.Is4() {
		bits = 32
	}
	p, _ := a.Prefix(bits)
	return p
}

// A bucket holds tokens that come back with time.
type bucket struct {
	tokens float64
	at     time.Time
}

// take takes a token, if there is one.
func (b *bucket) take(now time.Time, burst int, perSecond float64) bool {
	b.fill(now, burst, perSecond)
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

func (b *bucket) fill(now time.Time, burst int, perSecond float64) {
	if b.at.IsZero() {
		b.tokens = float64(burst)
	} else if d := now.Sub(b.at); d > 0 {
		b.tokens = min(float64(burst), b.tokens+d.Seconds()*perSecond)
	}
	b.at = now
}

// buckets are one for each address that used any lately.
type buckets struct {
	burst     int
	perSecond float64
	by        map[netip.Prefix]*bucket
}

func newBuckets(burst, perMinute int) buckets {
	return buckets{burst, float64(perMinute) / 60, map[netip.Prefix]*bucket{}}
}

// bucketsLimit bounds the memory for addresses; an attacker who has more
// makes everybody new wait.
const bucketsLimit = 200_000

func (b buckets) take(now time.Time, who netip.Prefix) bool {
	k := b.by[who]
	if k == nil {
		if len(b.by) >= bucketsLimit {
			return false
		}
		k = &bucket{}
		b.by[who] = k
	}
	return k.take(now, b.burst, b.perSecond)
}

// sweep forgets the addresses whose bucket is full again.
func (b buckets) sweep(now time.Time) {
	for who, k := range b.by {
		if k.fill(now, b.burst, b.perSecond); k.tokens >= float64(b.burst) {
			delete(b.by, who)
		}
	}
}
