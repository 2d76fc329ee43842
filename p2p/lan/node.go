//go:build !js

package lan

import (
	"context"
	"errors"
	"sync"

	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/signal"
)

// A Node is one program on the local network. Its methods may be called from
// several goroutines at once.
type Node struct {
	identity p2p.Identity
	options  Options
	carriers *carriers

	mu      sync.Mutex
	room    *RoomInfo // nil: hosts none
	tries   *signal.Tries
	told    bool // that the tries are exhausted
	ear     *ear // opened by the first Announce
	seat    *seating
	visitor *conn // seated, and not yet handed out by Accept
	conns   map[*conn]bool
	trouble error
	closed  bool

	changed  chan struct{} // of one: room, for Run
	arrivals chan struct{} // of one: visitor or tries, for Accept
	end      context.Context
	stop     context.CancelFunc
	serving  sync.WaitGroup
}

// New returns a Node that vouches with identity. It listens to nothing before
// Announce. It must be closed.
func New(identity p2p.Identity, options Options) (*Node, error) {
	if options.Newest == 0 {
		options.Newest = signal.Version
	}
	if options.Oldest == 0 {
		options.Oldest = min(signal.Version, options.Newest)
	}
	c, err := newCarriers()
	if err != nil {
		return nil, &unavailable{err}
	}
	n := &Node{
		identity: identity, options: options, carriers: c, conns: make(map[*conn]bool),
		changed: make(chan struct{}, 1), arrivals: make(chan struct{}, 1),
	}
	n.end, n.stop = context.WithCancel(context.Background())
	return n, nil
}

// Instance is this program's libp2p peer id.
func (n *Node) Instance() string { return n.carriers.self.String() }

// Port is the port that Announce has opened, 0 before that.
func (n *Node) Port() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ear == nil {
		return 0
	}
	return n.ear.port
}

// Announce hosts a room, or changes the one that is hosted: others on the
// network see it within a few seconds while Run runs, and visitors who know
// the address can come at once. A signal.LANUnavailable says that the port
// cannot be had; any other error that info is not right.
func (n *Node) Announce(info RoomInfo) error {
	if err := info.check(); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return &unavailable{errClosed}
	}
	if n.ear == nil {
		e, err := n.carriers.listen(n.options.Port)
		if err != nil {
			return &unavailable{err}
		}
		n.ear = e
		n.serve(e)
	}
	// A room keeps count of wrong passwords for as long as it keeps the
	// password.
	if n.room == nil || n.room.Password != info.Password {
		n.tries, n.told = new(signal.Tries), false
	}
	n.room = &info
	wake(n.changed)
	return nil
}

// Withdraw hosts no room any more. Who is seated stays.
func (n *Node) Withdraw() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.room = nil
	wake(n.changed)
}

var (
	errClosed = errors.New("the program is closing")
	errRoom   = errors.New("lan: a room of unknown state or clocks")
)

func (info RoomInfo) check() error {
	if !knownState(info.State) || !knownClocks(info.Clocks) {
		return errRoom
	}
	return errors.Join(checkText(info.Player), checkText(info.Name))
}

// announced is what others see of the room, false if there is none.
func (n *Node) announced() (room p2p.Room, port int, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.room == nil || n.closed {
		return p2p.Room{}, 0, false
	}
	state := n.room.State
	if state == p2p.RoomOpen || state == p2p.RoomLocked {
		if state = p2p.RoomOpen; n.room.Password != "" {
			state = p2p.RoomLocked
		}
	}
	return p2p.Room{
		Key: n.identity.Key, Player: n.room.Player, Name: n.room.Name, State: state,
		Clocks: n.room.Clocks, Rated: n.room.Rated, Version: n.options.Newest, Instance: n.Instance(),
	}, n.ear.port, true
}

// Trouble is why the room cannot be announced at the moment, a
// signal.LANUnavailable, or nil. Visitors who are given the address can come
// all the same.
func (n *Node) Trouble() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.trouble
}

// Close withdraws the room, closes every Conn, and frees everything. Run and
// Accept return.
func (n *Node) Close() error {
	n.mu.Lock()
	already := n.closed
	n.closed = true
	n.stop()
	for c := range n.conns {
		n.serving.Go(func() { c.Close() })
	}
	ear := n.ear
	n.mu.Unlock()
	if !already && ear != nil {
		ear.close()
	}
	n.serving.Wait()
	if !already {
		n.carriers.close()
	}
	return nil
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
