package duel

import (
	"errors"
	"math/bits"

	"github.com/cleavegame/cleave/engine"
)

var errBlock = errors.New("duel: not a block: nine cells of a 4x4 frame that are in the table")

// maskSet is a set of masks in the 4x4 frame.
type maskSet [1 << 16 / 64]uint64

func (s *maskSet) has(m uint16) bool { return s[m/64]>>(m%64)&1 != 0 }
func (s *maskSet) add(m uint16)      { s[m/64] |= 1 << (m % 64) }

// The tables follow from the rules, and are made once when the program starts,
// in about a millisecond; the test has the digest that they must have.
var (
	// connected are the masks of the frame that are one piece along edges.
	connected = makeConnected()
	// smallParts are the connected masks of 3 and 4 cells, ascending.
	smallParts = makeSmallParts()
	// blocks is the table of rules §1.2.
	blocks = makeBlocks()
	// shapes are the pieces up to turning, and shapeOf is the number there of
	// the part of a legal split.
	shapeOf, shapes = makeShapes()
)

// Shapes is how many pieces there are up to turning.
const Shapes = 75

// ShapeOf returns the number, 0 to Shapes-1, of the shape of a part of a
// block, given as a mask in the frame. Parts that are turns of each other have
// the same. What is part of no legal split has no number.
func ShapeOf(part uint16) int { return int(shapeOf[part]) }

// ShapeTurns returns the turns of a shape by its number.
func ShapeTurns(shape int) engine.Turns { return shapes[shape] }

// beside returns the cells of the frame that share an edge with the mask, and
// the mask.
func beside(m uint16) uint16 {
	const left, right = 0x1111, 0x8888
	return m | m<<Frame | m>>Frame | m&^right<<1 | m&^left>>1
}

func makeConnected() *maskSet {
	var s maskSet
	for i := range 16 {
		s.add(1 << i)
	}
	// Adding a cell gives a larger number, so one pass upwards meets every
	// connected mask after all those that it grows from.
	for m := uint16(1); m != 0; m++ {
		if !s.has(m) {
			continue
		}
		for rest := beside(m) &^ m; rest != 0; rest &= rest - 1 {
			s.add(m | rest&-rest)
		}
	}
	return &s
}

func makeSmallParts() []uint16 {
	var parts []uint16
	for m := uint16(1); m != 0; m++ {
		if n := bits.OnesCount16(m); (n == 3 || n == 4) && connected.has(m) {
			parts = append(parts, m)
		}
	}
	return parts
}

func makeBlocks() [Blocks]Block {
	var table [Blocks]Block
	n := 0
	for m := uint16(1); m != 0; m++ {
		if bits.OnesCount16(m) != 9 || !connected.has(m) || m&0x000f == 0 || m&0x1111 == 0 || hasHole(m) {
			continue
		}
		if _, splits := Block(m).Splits(); splits >= 3 {
			table[n] = Block(m)
			n++
		}
	}
	return table
}

// hasHole reports whether an empty cell of the frame does not reach an empty
// border cell of it through empty cells.
func hasHole(m uint16) bool {
	const border = 0xf99f
	reached := border &^ m
	for {
		next := beside(reached) &^ m
		if next == reached {
			return reached|m != 0xffff
		}
		reached = next
	}
}

func makeShapes() (*[1 << 16]uint8, []engine.Turns) {
	var index [1 << 16]uint8
	var list []engine.Turns
	byPiece := map[engine.Piece]uint8{}
	number := func(part uint16) {
		p := PartPiece(part)
		i, known := byPiece[p]
		if !known {
			i = uint8(len(list))
			t := p.Turns()
			list = append(list, t)
			for _, q := range t.Pieces[:t.N] {
				byPiece[q] = i
			}
		}
		index[part] = i
	}
	for _, b := range blocks {
		masks, n := b.Splits()
		for _, m := range masks[:n] {
			number(m)
			number(uint16(b) ^ m)
		}
	}
	return &index, list
}
