package table

import "github.com/cleavegame/cleave/p2p/memnet"

// Within is the two ends of a pipe within this process: for practice, for two
// players at one device, for two bots.
func Within(host, guest [32]byte) (Path, Path) {
	link := memnet.NewLink(0, memnet.Conditions{})
	return Memory(link, 0, host), Memory(link, 1, guest)
}
