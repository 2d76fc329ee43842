//go:build !js

package lan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/signal"
)

const (
	// roundEvery is how often everybody is asked anew. The answers come
	// within milliseconds; who begins to announce himself during the round
	// is heard too.
	roundEvery = 2 * time.Second
	// A room is gone when it missed this many rounds.
	missedRounds = 2
	// maxRooms bounds what a flood of announcements can make us hold: so many
	// rooms, and as many again of those that are looked for.
	maxRooms = 256
)

// Browse calls see with the rooms of others on the network, those seen first
// first, at once and after each change, until ctx ends; it returns ctx's
// error. see must not keep its caller waiting, and may keep the slice.
//
// trouble, a signal.LANUnavailable, is why nothing can be found at the moment;
// Browse goes on trying.
func (n *Node) Browse(ctx context.Context, see func(rooms []p2p.Room, trouble error)) error {
	return n.browse(ctx, nil, see)
}

// browse is Browse, which a flood of other rooms keeps from none that is
// wanted.
func (n *Node) browse(ctx context.Context, wanted func(p2p.Room) bool, see func(rooms []p2p.Room, trouble error)) error {
	v := view{self: n.Instance(), wanted: wanted}
	var said error
	see(nil, nil)
	for {
		start := time.Now()
		round, cancel := context.WithDeadline(ctx, start.Add(roundEvery))
		g, err := survey(n.options.Interfaces)
		if err == nil {
			v.begin()
			err = g.hear(round, func(room p2p.Room) {
				if v.add(room) {
					said = nil
					see(v.rooms(), nil)
				}
			})
		}
		if err != nil {
			<-round.Done()
			err = &unavailable{err}
		}
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// What cannot be heard has not left.
		gone := err == nil && v.expire()
		if gone || (err == nil) != (said == nil) {
			see(v.rooms(), err)
		}
		said = err
	}
}

// Find browses until it meets a room that is wanted. When ctx's deadline
// passes first the error is signal.NoSuchRoom, or why none can be found. A
// host that was restarted is found under its key by its new instance.
func (n *Node) Find(ctx context.Context, wanted func(p2p.Room) bool) (p2p.Room, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var found *p2p.Room
	var why error
	err := n.browse(ctx, wanted, func(rooms []p2p.Room, trouble error) {
		why = trouble
		if i := slices.IndexFunc(rooms, wanted); i >= 0 && found == nil {
			found = &rooms[i]
			cancel()
		}
	})
	switch {
	case found != nil:
		return *found, nil
	case !errors.Is(err, context.DeadlineExceeded):
		return p2p.Room{}, err
	case why != nil:
		return p2p.Room{}, why
	}
	return p2p.Room{}, fmt.Errorf("lan: looking for a room: %w", signal.NoSuchRoom)
}

// view is what one Browse has seen.
type view struct {
	self   string
	wanted func(p2p.Room) bool // nil: no room more than another
	round  int
	seen   []sighting // in the order of the first sight
}

type sighting struct {
	room  p2p.Room
	round int // of the last sight
}

func (v *view) begin() { v.round++ }

// add reports whether what is seen of the rooms has changed.
func (v *view) add(room p2p.Room) bool {
	if room.Instance == v.self {
		return false
	}
	i := slices.IndexFunc(v.seen, func(s sighting) bool { return s.room.Key == room.Key && s.room.Instance == room.Instance })
	if i < 0 {
		if len(v.seen) >= maxRooms && (v.wanted == nil || len(v.seen) >= 2*maxRooms || !v.wanted(room)) {
			return false
		}
		v.seen = append(v.seen, sighting{room, v.round})
		return true
	}
	s := &v.seen[i]
	if s.round == v.round {
		// Said again in this round, by another interface or because it
		// has changed: the addresses add up.
		for _, a := range s.room.Addrs {
			if !slices.Contains(room.Addrs, a) && len(room.Addrs) < maxAddrs {
				room.Addrs = append(room.Addrs, a)
			}
		}
	}
	if sameRoom(s.room, room) && sameSet(s.room.Addrs, room.Addrs) {
		s.round = v.round
		return false
	}
	*s = sighting{room, v.round}
	return true
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// expire drops the rooms that were silent for too long.
func (v *view) expire() (any bool) {
	before := len(v.seen)
	v.seen = slices.DeleteFunc(v.seen, func(s sighting) bool { return v.round-s.round >= missedRounds })
	return len(v.seen) < before
}

func (v *view) rooms() []p2p.Room {
	rooms := make([]p2p.Room, len(v.seen))
	for i, s := range v.seen {
		rooms[i] = s.room
		rooms[i].Addrs = slices.Clone(s.room.Addrs)
	}
	return rooms
}
