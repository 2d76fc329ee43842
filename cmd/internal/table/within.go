package table

import "github.com/cleavegame/cleave/p2p/memnet"

// Pipe is a pipe within this process: it gives the path of each end, 0 the
// host's, to the seat with that key.
func Pipe() func(end int, key [32]byte) Path {
	link := memnet.NewLink(0, memnet.Conditions{})
	return func(end int, key [32]byte) Path { return Memory(link, end, key) }
}

// Within is both ends of a Pipe: for practice, and for two players at one
// device.
func Within(host, guest [32]byte) (Path, Path) {
	end := Pipe()
	return end(0, host), end(1, guest)
}
