package rendezvous

import (
	"cmp"
	"slices"

	"github.com/cleavegame/cleave/p2p/signal"
)

// list shows a host's room, once its signature has held.
func (d *desk) list(c *client, listing []byte) signal.Failure {
	b := c.box
	if b == nil {
		return signal.ProtocolError
	}
	l, err := signal.ParseListing(listing)
	if err != nil || l.Instance != b.instance {
		return signal.ProtocolError
	}
	if b.listing == nil {
		if d.rooms >= d.limits.Rooms {
			return signal.ServerFull
		}
		d.rooms++
		d.listings++
		b.shown = d.listings
		d.listed[b.instance] = b
	}
	b.listing, b.state = listing, l.State
	return 0
}

func (d *desk) unlist(b *mailbox) {
	if b.listing == nil {
		return
	}
	delete(d.listed, b.instance)
	d.rooms--
	b.listing = nil
}

// shown are the rooms whose host is there, the newest first.
func (d *desk) shown() [][]byte {
	var boxes []*mailbox
	for _, b := range d.listed {
		if b.host != nil {
			boxes = append(boxes, b)
		}
	}
	slices.SortFunc(boxes, func(a, b *mailbox) int { return cmp.Compare(b.shown, a.shown) })
	rooms := make([][]byte, 0, len(boxes))
	for _, b := range boxes {
		rooms = append(rooms, b.listing)
	}
	return rooms
}

// room finds a listed room that may be joined.
func (d *desk) room(instance signal.Mailbox) (*mailbox, signal.Failure) {
	b := d.listed[instance]
	switch {
	case b == nil:
		return nil, signal.NoSuchRoom
	case b.state == signal.RoomStatePlaying:
		return nil, signal.RoomInMatch
	case b.state == signal.RoomStateFull || b.visit != nil:
		return nil, signal.RoomFull
	}
	return b, 0
}
