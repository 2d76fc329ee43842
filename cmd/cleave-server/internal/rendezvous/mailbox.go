package rendezvous

import (
	"crypto/rand"
	"crypto/sha256"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

const (
	// codeLife is how long a code waits for a visitor.
	codeLife = 10 * time.Minute
	// hostGrace is how long a mailbox waits for a host whose socket was lost.
	hostGrace = 60 * time.Second
)

// mailbox is what one host has: a code with a number and a name, both zero
// when it has ended, and a place for a listed room.
type mailbox struct {
	number    uint32
	name      signal.Mailbox
	spent     bool           // the code has been answered; it keeps its number while the visit lasts
	idle      time.Time      // since when the code has waited for a visitor
	ended     signal.Failure // of the last code, until there is another
	endedName signal.Mailbox

	instance signal.Mailbox
	listing  []byte
	state    string
	shown    uint64 // the order in which rooms were first listed

	token  [32]byte
	host   *client // nil while its socket is lost
	away   time.Time
	visit  *visit
	visits uint32
}

func (d *desk) host(now time.Time, c *client) (signal.Reply, signal.Failure) {
	switch {
	case c.box != nil || c.visit != nil || c.meeting != nil:
		return signal.Reply{}, signal.ProtocolError
	case d.closed || len(d.boxes) >= d.limits.Mailboxes:
		return signal.Reply{}, signal.ServerFull
	case !d.hosts.take(now, c.prefix):
		return signal.Reply{}, signal.SlowDown
	}
	b := &mailbox{host: c, idle: now}
	if !d.numbers.assign(b) {
		return signal.Reply{}, signal.ServerFull
	}
	rand.Read(b.instance[:])
	var token string
	token, b.token = newToken()
	d.boxes[b] = struct{}{}
	d.tokens[b.token] = b
	c.box = b
	return signal.Reply{
		Number: b.number, Mailbox: b.name.String(), Instance: b.instance.String(), Token: token,
	}, 0
}

func (d *desk) renew(now time.Time, c *client) (signal.Reply, signal.Failure) {
	b := c.box
	switch {
	case b == nil:
		return signal.Reply{}, signal.ProtocolError
	case d.closed:
		return signal.Reply{}, signal.ServerFull
	case !d.hosts.take(now, c.prefix):
		return signal.Reply{}, signal.SlowDown
	}
	if b.visit != nil && b.visit.by == signal.ByCode {
		d.endVisit(now, b.visit)
	}
	d.numbers.retire(now, b, b.fate())
	if !d.numbers.assign(b) {
		return signal.Reply{}, signal.ServerFull
	}
	b.spent, b.ended, b.idle = false, 0, now
	return signal.Reply{Number: b.number, Mailbox: b.name.String()}, 0
}

// fate is what became of the code, when it goes.
func (b *mailbox) fate() signal.Failure {
	if b.spent {
		return signal.CodeUsed
	}
	return signal.CodeExpired
}

// back gives a host its mailbox again, after a lost socket.
func (d *desk) back(c *client, r signal.Request) (signal.Reply, signal.Failure) {
	if c.box != nil || c.visit != nil || c.meeting != nil {
		return signal.Reply{}, signal.ProtocolError
	}
	b := d.tokens[sha256.Sum256([]byte(r.Token))]
	if b == nil {
		return signal.Reply{}, signal.CodeExpired
	}
	if b.host != nil {
		// The host knows first that its old socket is dead.
		old := b.host
		old.box = nil
		if b.visit != nil {
			d.forsake(c.heard, b.visit)
		}
		old.end(0)
	}
	b.host, c.box = c, b
	return signal.Reply{}, 0
}

// remove closes a mailbox.
func (d *desk) remove(now time.Time, b *mailbox) {
	if b.visit != nil {
		d.endVisit(now, b.visit)
	}
	d.unlist(b)
	d.numbers.retire(now, b, b.fate())
	delete(d.boxes, b)
	delete(d.tokens, b.token)
	if b.host != nil {
		b.host.box = nil
	}
}

// age ends the mailbox, or its code, when its time is over.
func (d *desk) age(now time.Time, b *mailbox) {
	switch {
	case b.host == nil && now.Sub(b.away) >= hostGrace:
		d.remove(now, b)
	case b.number != 0 && !b.spent && b.visit == nil && now.Sub(b.idle) >= codeLife:
		d.endCode(now, b, signal.CodeExpired)
	}
}

// endCode takes the code from the mailbox and tells the host.
func (d *desk) endCode(now time.Time, b *mailbox, why signal.Failure) {
	b.ended, b.endedName = why, b.name
	d.numbers.retire(now, b, why)
	if b.host != nil {
		b.host.tell(signal.Reply{Event: eventOf(why), Mailbox: b.endedName.String()})
	}
}

func eventOf(ended signal.Failure) string {
	if ended == signal.CodeUsed {
		return signal.EventSpent
	}
	return signal.EventExpired
}

// join seats a guest.
func (d *desk) join(now time.Time, c *client, r signal.Request) (signal.Reply, signal.Failure) {
	switch {
	case c.box != nil || c.meeting != nil:
		return signal.Reply{}, signal.ProtocolError
	case d.closed:
		return signal.Reply{}, signal.ServerFull
	case !d.joins.take(now, c.prefix):
		return signal.Reply{}, signal.SlowDown
	}
	d.leave(now, c)
	b, by, why := d.wanted(now, r)
	if why != 0 {
		return signal.Reply{}, why
	}
	v := d.beginVisit(now, b, b.host, c, by)
	reply := signal.Reply{Visit: v.number, By: by, Mailbox: v.name, ICE: d.credentials(v.seat + "-guest")}
	return reply, 0
}

// wanted finds the mailbox that a guest asks for, if its seat is free.
func (d *desk) wanted(now time.Time, r signal.Request) (b *mailbox, by string, why signal.Failure) {
	if r.Instance != "" {
		name, err := signal.ParseMailbox(r.Instance)
		if err != nil {
			return nil, "", signal.NoSuchRoom
		}
		b, why = d.room(name)
		return b, signal.ByRoom, why
	}
	var name signal.Mailbox
	if r.Number == 0 {
		var err error
		if name, err = signal.ParseMailbox(r.Mailbox); err != nil {
			return nil, "", signal.NoSuchCode
		}
	}
	if b, why = d.numbers.find(now, r.Number, name); why != 0 {
		return nil, "", why
	}
	// What the next sweep would end has ended.
	if d.age(now, b); b.number == 0 {
		_, why = d.numbers.find(now, r.Number, name)
		return nil, "", why
	}
	switch {
	case b.visit != nil:
		return nil, "", signal.AlreadyTaken
	case b.spent:
		return nil, "", signal.CodeUsed
	}
	return b, signal.ByCode, 0
}
