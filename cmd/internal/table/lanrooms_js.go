package table

import (
	"context"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/signal"
)

// A LANRoom is a room that a browser cannot open; see LANRoom of the other
// builds for its fields.
type LANRoom struct {
	Player, Name, Password, Clocks string
	Rated                          bool
	Port                           int
	Interfaces                     []string
}

// A LANVisit is where a browser cannot go.
type LANVisit struct {
	Room, Addr, Password string
	Interfaces           []string
}

// HostLAN returns signal.LANUnavailable.
func HostLAN(*vault.Identity, LANRoom) (Path, error) { return nil, signal.LANUnavailable }

// JoinLAN returns signal.LANUnavailable.
func JoinLAN(*vault.Identity, LANVisit) (Path, error) { return nil, signal.LANUnavailable }

// BrowseLAN returns signal.LANUnavailable.
func BrowseLAN(context.Context, *vault.Identity, []string, func(rooms []p2p.Room, trouble error)) error {
	return signal.LANUnavailable
}
