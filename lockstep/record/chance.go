package record

import "crypto/sha256"

const layerDomain = "cleave/layer/1"

// A Chance is one seat's share of a match's chance: a hash chain over a fresh
// secret, of which the end (the anchor) is committed to in the terms and one
// layer is revealed in each round, from the anchor inwards. It is as secret
// as its secret.
type Chance struct {
	secret [32]byte
	layers int
}

// NewChance makes the chain of so many layers (one a round) over a secret
// from the operating system's generator, used for one terms only. It panics
// for less than one layer.
func NewChance(secret [32]byte, layers int) Chance {
	if layers < 1 {
		panic("record: a chance of no layers")
	}
	return Chance{secret, layers}
}

// Anchor is the end of the chain, for the terms.
func (c Chance) Anchor() [32]byte { return c.Layer(0) }

// Layer is what is revealed in the round, counted from 1; Layer(0) is the
// anchor. It panics beyond the last layer.
func (c Chance) Layer(round int) [32]byte {
	if round < 0 || round > c.layers {
		panic("record: no such layer")
	}
	x := c.secret
	for range c.layers - round {
		x = over(x)
	}
	return x
}

// layerFits reports whether layer is what follows the anchor or layer that
// its seat showed before: link == SHA-256("cleave/layer/1" || layer).
func layerFits(link, layer [32]byte) bool { return over(layer) == link }

// over is the layer that lies outside x.
func over(x [32]byte) [32]byte {
	var b [len(layerDomain) + len(x)]byte
	copy(b[copy(b[:], layerDomain):], x[:])
	return sha256.Sum256(b[:])
}
