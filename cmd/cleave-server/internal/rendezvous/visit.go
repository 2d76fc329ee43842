package rendezvous

import (
	"crypto/rand"
	"encoding/hex"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

// seatLimit is how long a visitor may be silent when a message is its to
// send, and the host's next.
const seatLimit = 5 * time.Second

// visit is one pair of clients whose messages are carried to each other.
type visit struct {
	number      uint32
	by          string
	name        string   // of the mailbox by which the guest came
	seat        string   // random: the name of its seats at the TURN server
	box         *mailbox // nil at a meeting
	meeting     *meeting
	host, guest *client // host is nil while it is away

	begun    time.Time
	owed     time.Time // since when the guest owes a message; zero when it owes none
	greeted  bool      // the guest has sent something
	early    [][]byte  // what the guest has sent before the host has spoken
	spoken   bool      // the host has sent something
	started  bool      // the host has sent its start
	answered bool      // the guest has answered it
	messages int
	bytes    int
}

func newSeat() string {
	var b [10]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// beginVisit seats a guest at a mailbox and tells the host, if it is there.
func (d *desk) beginVisit(now time.Time, b *mailbox, host, guest *client, by string) *visit {
	b.visits++
	v := &visit{
		number: b.visits, by: by, seat: newSeat(), box: b, host: host, guest: guest, begun: now, owed: now,
		name: b.instance.String(),
	}
	if by == signal.ByCode {
		v.name = b.name.String()
	}
	b.visit = v
	guest.visit = v
	d.visits[v] = struct{}{}
	if host != nil {
		d.arrive(v)
	}
	return v
}

// arrive tells a host of its visitor, and hands over what that has said
// already.
func (d *desk) arrive(v *visit) {
	b := v.box
	v.host, b.host.visit = b.host, v
	b.host.tell(signal.Reply{
		Event: signal.EventVisit, Visit: v.number, By: v.by, Mailbox: v.name, ICE: d.credentials(v.seat + "-host"),
	})
	for _, m := range v.early {
		b.host.send(m, false)
	}
}

// forsake takes the host out of the visit when its socket was lost. A guest
// to whom it has not spoken yet need not know: it waits for the next socket.
func (d *desk) forsake(now time.Time, v *visit) {
	v.host.visit = nil
	if v.spoken {
		d.endVisit(now, v)
		return
	}
	v.host = nil
}

// leave ends the visit that the client takes part in, if any.
func (d *desk) leave(now time.Time, c *client) {
	if c.visit == nil {
		return
	}
	v := c.visit
	c.visit = nil
	d.endVisit(now, v)
}

// endVisit tells those who still take part in it, and frees the seat.
func (d *desk) endVisit(now time.Time, v *visit) {
	delete(d.visits, v)
	for _, c := range []*client{v.host, v.guest} {
		if c != nil && c.visit == v {
			c.visit = nil
			c.tell(signal.Reply{Event: signal.EventGone, Visit: v.number})
		}
	}
	if b := v.box; b != nil && b.visit == v {
		b.visit, b.idle = nil, now
		if b.spent && b.number != 0 {
			// While the visit lasted, others were told that it was taken.
			b.ended, b.endedName = signal.CodeUsed, b.name
			d.numbers.retire(now, b, signal.CodeUsed)
		}
	}
	if v.meeting != nil {
		v.meeting.visit = nil
	}
}

// silent reports whether the guest has lost its seat.
func (v *visit) silent(now time.Time) bool {
	return v.box != nil && !v.owed.IsZero() && now.Sub(v.owed) >= seatLimit
}

// relay carries a message to the other side of a visit. One for a visit that
// has ended was on its way when it did.
func (d *desk) relay(now time.Time, c *client, number uint32, message []byte) signal.Failure {
	v := c.visit
	if v == nil || v.number != number {
		return 0
	}
	v.messages++
	v.bytes += len(message)
	if v.messages > visitMessages || v.bytes > visitBytes {
		return signal.SlowDown
	}
	data := signal.AppendRelayed(nil, number, message)
	if c == v.guest {
		return d.fromGuest(now, v, message, data)
	}
	v.spoken, v.early = true, nil
	if signal.StartsPairing(message) && !v.started {
		v.started = true
		v.owed = now
	}
	if why, ok := signal.RefusesPairing(message); ok {
		d.failures[why]++
		v.owed = time.Time{}
	}
	v.guest.send(data, false)
	return 0
}

func (d *desk) fromGuest(now time.Time, v *visit, message, data []byte) signal.Failure {
	if !v.greeted {
		v.greeted = true
		if !v.started {
			v.owed = time.Time{} // the host's turn
		}
	}
	if v.box != nil && !v.spoken {
		if len(v.early) >= earlyMessages {
			return signal.ProtocolError
		}
		v.early = append(v.early, data)
	}
	if v.host == nil {
		return 0
	}
	v.host.send(data, false)
	if v.started && !v.answered && signal.AnswersPairing(message) {
		v.answered = true
		v.owed = time.Time{}
		d.pairings++
		if v.by == signal.ByCode {
			v.box.spent = true
			v.host.tell(signal.Reply{Event: signal.EventSpent, Mailbox: v.name})
		}
	}
	return 0
}

// pairing reports whether a visit is so young that its two may still be
// pairing.
func (d *desk) pairing(now time.Time) bool {
	for v := range d.visits {
		if now.Sub(v.begun) < 20*time.Second {
			return true
		}
	}
	return false
}
