package rendezvous

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/netip"
	"sync"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

// desk is all that the server knows at one moment. It does no I/O and reads
// no clock: what it has to say goes into the clients' queues, and the time is
// given to it. The Server's mutex guards it.
type desk struct {
	limits      Limits
	credentials func(seat string) []signal.ICEServer
	closed      bool // takes no new visits: the server is draining

	clients  map[*client]struct{}
	sockets  map[netip.Prefix]int
	joins    buckets
	meets    buckets
	hosts    buckets
	numbers  numbers
	boxes    map[*mailbox]struct{}
	tokens   map[[32]byte]*mailbox // by the hash of the token
	rooms    int
	listings uint64 // ever
	listed   map[signal.Mailbox]*mailbox
	meetings map[[32]byte]*meeting
	visits   map[*visit]struct{}
	slow     time.Time // of the last sweep of what is swept seldom

	pairings uint64
	failures map[signal.Failure]uint64
}

func newDesk(limits Limits, credentials func(string) []signal.ICEServer) *desk {
	return &desk{
		limits: limits, credentials: credentials,
		clients:  map[*client]struct{}{},
		sockets:  map[netip.Prefix]int{},
		joins:    newBuckets(limits.Joins, limits.JoinsPerMinute),
		meets:    newBuckets(limits.Meets, limits.MeetsPerMinute),
		hosts:    newBuckets(limits.Hosts, limits.HostsPerMinute),
		numbers:  newNumbers(),
		boxes:    map[*mailbox]struct{}{},
		tokens:   map[[32]byte]*mailbox{},
		listed:   map[signal.Mailbox]*mailbox{},
		meetings: map[[32]byte]*meeting{},
		visits:   map[*visit]struct{}{},
		failures: map[signal.Failure]uint64{},
	}
}

// client is one socket.
type client struct {
	prefix netip.Prefix
	out    chan outgoing
	done   chan struct{}
	once   sync.Once
	why    signal.Failure // set before done is closed

	rate          bucket
	opened, heard time.Time
	box           *mailbox // that it hosts
	meeting       *meeting // that it takes part in
	visit         *visit   // that it takes part in
}

type outgoing struct {
	data []byte
	text bool
}

// end closes the socket, once what was said before has been written.
func (c *client) end(why signal.Failure) {
	c.once.Do(func() {
		c.why = why
		close(c.done)
	})
}

// send queues a message, unless the socket has been ended. A client that does not
// read what it is sent is gone.
func (c *client) send(data []byte, text bool) {
	select {
	case <-c.done:
		return
	default:
	}
	select {
	case c.out <- outgoing{data, text}:
	default:
		c.end(signal.SlowDown)
	}
}

func (c *client) tell(r signal.Reply) { c.send(signal.Marshal(r), true) }

func (d *desk) open(now time.Time, prefix netip.Prefix) (*client, signal.Failure) {
	switch {
	case len(d.clients) >= d.limits.Sockets:
		return nil, signal.ServerFull
	case d.sockets[prefix] >= d.limits.SocketsPerAddress:
		return nil, signal.SlowDown
	}
	c := &client{
		prefix: prefix, out: make(chan outgoing, outgoingQueue), done: make(chan struct{}),
		opened: now, heard: now,
	}
	d.clients[c] = struct{}{}
	d.sockets[prefix]++
	return c, 0
}

// lost says that the client's socket is gone.
func (d *desk) lost(now time.Time, c *client) {
	delete(d.clients, c)
	if d.sockets[c.prefix]--; d.sockets[c.prefix] <= 0 {
		delete(d.sockets, c.prefix)
	}
	if b := c.box; b != nil {
		if b.visit != nil {
			d.forsake(now, b.visit)
		}
		b.host, b.away = nil, now
		c.box = nil
	}
	d.leave(now, c)
	d.leaveMeeting(c)
}

// message takes one message of a client. A failure closes its socket.
func (d *desk) message(now time.Time, c *client, data []byte, text bool) signal.Failure {
	c.heard = now
	if !c.rate.take(now, socketBurst, socketRate) {
		return signal.SlowDown
	}
	if !text {
		visit, message, err := signal.ParseRelayed(data)
		if err != nil {
			return signal.ProtocolError
		}
		return d.relay(now, c, visit, message)
	}
	r, err := signal.ParseRequest(data)
	if err != nil {
		return signal.ProtocolError
	}
	return d.request(now, c, r)
}

func (d *desk) request(now time.Time, c *client, r signal.Request) signal.Failure {
	var reply signal.Reply
	var why signal.Failure
	switch r.Do {
	case signal.DoPing:
	case signal.DoHost:
		reply, why = d.host(now, c)
	case signal.DoRenew:
		reply, why = d.renew(now, c)
	case signal.DoBack:
		reply, why = d.back(c, r)
	case signal.DoUnhost:
		if c.box != nil {
			d.remove(now, c.box)
		}
	case signal.DoList:
		why = d.list(c, r.Listing)
	case signal.DoUnlist:
		if c.box != nil {
			d.unlist(c.box)
		}
	case signal.DoRooms:
		reply.Rooms = d.shown()
	case signal.DoJoin:
		reply, why = d.join(now, c, r)
	case signal.DoMeet:
		why = d.meet(now, c, r)
	case signal.DoLeave:
		if c.visit != nil && c.visit.number == r.Visit {
			d.leave(now, c)
		}
	default:
		why = signal.ProtocolError
	}
	if why == signal.ProtocolError {
		return why // counted by the caller
	}
	if why != 0 {
		d.failures[why]++
		reply = signal.Reply{Failure: why}
	}
	if r.N != 0 {
		reply.N = r.N
		c.tell(reply)
	}
	d.settle(now, c, r.Do)
	return 0
}

// settle does what must be said after the answer to a request.
func (d *desk) settle(now time.Time, c *client, do string) {
	switch do {
	case signal.DoBack:
		if b := c.box; b != nil {
			if b.ended != 0 {
				c.tell(signal.Reply{Event: eventOf(b.ended), Mailbox: b.endedName.String()})
			}
			if b.visit != nil {
				d.arrive(b.visit)
			}
		}
	case signal.DoMeet:
		if c.meeting != nil {
			d.beginMeeting(now, c.meeting)
		}
	}
}

// sweep ends what has had its time.
func (d *desk) sweep(now time.Time) {
	for v := range maps.Clone(d.visits) {
		if v.silent(now) {
			d.endVisit(now, v)
		}
	}
	for b := range maps.Clone(d.boxes) {
		d.age(now, b)
	}
	for c := range d.clients {
		if now.Sub(c.heard) >= socketSilence || now.Sub(c.opened) >= socketLife {
			c.end(signal.NoServer)
		}
	}
	if now.Sub(d.slow) >= time.Minute {
		d.slow = now
		d.numbers.sweep(now)
		d.joins.sweep(now)
		d.meets.sweep(now)
		d.hosts.sweep(now)
	}
}

// newToken returns a host's ticket back to its mailbox, and what is kept.
func newToken() (token string, kept [32]byte) {
	var b [16]byte
	rand.Read(b[:])
	token = hex.EncodeToString(b[:])
	return token, sha256.Sum256([]byte(token))
}
