package bot

import (
	"encoding/binary"
	"math"
)

// generator is SplitMix64: small, and the same on every machine.
type generator struct{ state uint64 }

// seeded seeds by the player's seed and by what it has before it, the digest
// of a state and a seat, so that the same question gets the same answer, in
// whatever order it is asked.
func seeded(seed uint64, digest [32]byte, seat int) generator {
	g := generator{seed ^ binary.BigEndian.Uint64(digest[:]) ^ uint64(seat)<<63}
	g.next()
	return g
}

func (g *generator) next() uint64 {
	g.state += 0x9e3779b97f4a7c15
	z := g.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1. The bias of the remainder, below
// n/2^64, is nothing to a player.
func (g *generator) below(n int) int { return int(g.next() % uint64(n)) }

// normal returns a standard normal number (Box and Muller).
func (g *generator) normal() float64 {
	// In (0, 1], so that the logarithm is finite.
	u := float64(g.next()>>11+1) / (1 << 53)
	v := float64(g.next()>>11) / (1 << 53)
	return math.Sqrt(-2*math.Log(u)) * math.Cos(2*math.Pi*v)
}
