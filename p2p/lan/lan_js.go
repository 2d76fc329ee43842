package lan

import (
	"context"
	"errors"

	"github.com/cleavegame/cleave/p2p"
)

// A browser neither hears multicasts nor listens, so here New fails, and with
// it everything that would need a Node.
var errBrowser = &unavailable{errors.New("a browser has no access to the local network")}

// A Node does not exist in a browser.
type Node struct{}

// New returns a signal.LANUnavailable.
func New(p2p.Identity, Options) (*Node, error) { return nil, errBrowser }

func (*Node) Instance() string                         { return "" }
func (*Node) Port() int                                { return 0 }
func (*Node) Announce(RoomInfo) error                  { return errBrowser }
func (*Node) Withdraw()                                {}
func (*Node) Retry()                                   {}
func (*Node) Trouble() error                           { return errBrowser }
func (*Node) Run(context.Context) error                { return errBrowser }
func (*Node) Accept(context.Context) (p2p.Conn, error) { return nil, errBrowser }
func (*Node) Close() error                             { return nil }

// Browse returns a signal.LANUnavailable.
func (*Node) Browse(context.Context, func([]p2p.Room, error)) error { return errBrowser }

// Find returns a signal.LANUnavailable.
func (*Node) Find(context.Context, func(p2p.Room) bool) (p2p.Room, error) {
	return p2p.Room{}, errBrowser
}

// Dial returns a signal.LANUnavailable.
func (*Node) Dial(context.Context, p2p.Room, Pass) (p2p.Conn, error) { return nil, errBrowser }
