//go:build !js

package lan

import (
	"context"
	"time"

	"github.com/cleavegame/cleave/p2p"
)

// interfacesEvery is how often Run looks whether the machine's links changed,
// and tries again what did not work.
const interfacesEvery = 2 * time.Second

// Run announces the room, if there is one, for as long as ctx lasts and the
// Node is open, and returns ctx's error or nil. That multicast DNS does not
// work is no error: Trouble says so, and it is tried again.
func (n *Node) Run(ctx context.Context) error {
	var up *sign
	var says p2p.Room
	var where ground
	down := func() {
		if up != nil {
			up.takeDown()
			up = nil
		}
	}
	defer down()
	tick := time.NewTicker(interfacesEvery)
	defer tick.Stop()
	for {
		room, port, ok := n.announced()
		g, err := survey(n.options.Interfaces)
		if up != nil && (!ok || err != nil || !sameRoom(room, says) || !g.sameAs(where)) {
			// The library's way of changing a registration is a data race:
			// say goodbye and register anew.
			down()
		}
		if ok && err == nil && up == nil {
			up, err = g.hang(room, port)
			says, where = room, g
		}
		n.setTrouble(err)
		select {
		case <-n.changed:
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		case <-n.end.Done():
			return nil
		}
	}
}

func (n *Node) setTrouble(err error) {
	if err != nil {
		err = &unavailable{err}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.trouble = err
}

// sameRoom compares what is said of two rooms, not where they are.
func sameRoom(a, b p2p.Room) bool {
	a.Addrs, b.Addrs = nil, nil
	return a.Key == b.Key && a.Instance == b.Instance && a.Player == b.Player && a.Name == b.Name &&
		a.State == b.State && a.Clocks == b.Clocks && a.Rated == b.Rated && a.Version == b.Version
}
