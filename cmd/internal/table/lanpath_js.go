package table

import (
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/p2p/signal"
)

// openLAN has nothing to open in a browser.
func openLAN(*vault.Identity, SavedPath, string) (Path, error) {
	return nil, signal.LANUnavailable
}
