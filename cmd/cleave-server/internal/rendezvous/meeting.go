package rendezvous

import (
	"encoding/hex"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

// meeting is a resume address at which one or two parties of a match are.
type meeting struct {
	address [32]byte
	parties [2]*client // the host's of the match, then the guest's
	waiting [2]bool
	visit   *visit
	visits  uint32
}

// meet puts a client at an address. A party that comes again takes the place
// of the socket that it has lost, or leaves the visit that did not work out.
func (d *desk) meet(now time.Time, c *client, r signal.Request) signal.Failure {
	role := 0
	switch {
	case r.Role == signal.Guest.String():
		role = 1
	case r.Role != signal.Host.String():
		return signal.ProtocolError
	}
	address, err := hex.DecodeString(r.Address)
	if err != nil || len(address) != 32 || c.box != nil || c.visit != nil && c.meeting == nil {
		return signal.ProtocolError
	}
	switch {
	case d.closed:
		return signal.ServerFull
	case !d.meets.take(now, c.prefix):
		return signal.SlowDown
	}
	d.leave(now, c)
	d.leaveMeeting(c)
	m := d.meetings[[32]byte(address)]
	if m == nil {
		if len(d.meetings) >= d.limits.Mailboxes {
			return signal.ServerFull
		}
		m = &meeting{address: [32]byte(address)}
		d.meetings[m.address] = m
	}
	if old := m.parties[role]; old != nil {
		d.leave(now, old)
		old.meeting = nil
		old.end(0)
	}
	m.parties[role], m.waiting[role] = c, true
	c.meeting = m
	return 0
}

// beginMeeting begins a visit once both parties wait for one.
func (d *desk) beginMeeting(now time.Time, m *meeting) {
	if m.waiting != [2]bool{true, true} {
		return
	}
	m.waiting = [2]bool{}
	m.visits++
	v := &visit{
		number: m.visits, by: signal.ByMeet, seat: newSeat(), meeting: m,
		host: m.parties[0], guest: m.parties[1], begun: now,
	}
	m.visit = v
	d.visits[v] = struct{}{}
	for i, c := range m.parties {
		c.visit = v
		c.tell(signal.Reply{
			Event: signal.EventVisit, Visit: v.number, By: v.by,
			ICE: d.credentials(v.seat + []string{"-host", "-guest"}[i]),
		})
	}
}

func (d *desk) leaveMeeting(c *client) {
	m := c.meeting
	if m == nil {
		return
	}
	c.meeting = nil
	for i, p := range m.parties {
		if p == c {
			m.parties[i], m.waiting[i] = nil, false
		}
	}
	if m.parties == [2]*client{} {
		delete(d.meetings, m.address)
	}
}
