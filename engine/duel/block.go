package duel

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"

	"github.com/cleavegame/cleave/engine"
)

// A Block is 9 cells in a 4x4 frame: cell (r, c) is bit r*4+c. The zero Block
// is no block.
type Block uint16

// Frame is the number of rows and columns of the frame of a block.
const Frame = 4

// Blocks is how many different blocks there are.
const Blocks = 952

// MaxSplits is the largest number of legal splits that a block has.
const MaxSplits = 6

// drawBelow is the largest multiple of Blocks that a uint16 holds: drawing
// below it favours no block.
const drawBelow = 68 * Blocks

// Draw returns the block that a round's 32 bytes give.
func Draw(random [32]byte) Block {
	for {
		for i := 0; i < len(random); i += 2 {
			if n := binary.BigEndian.Uint16(random[i:]); n < drawBelow {
				return blocks[n%Blocks]
			}
		}
		random = sha256.Sum256(random[:])
	}
}

// RoundBytes returns the 32 bytes of a round, 1 to 8, from the layers that
// seats 0 and 1 revealed in it.
func RoundBytes(matchID [32]byte, round int, layer0, layer1 [32]byte) [32]byte {
	const domain = "cleave/round/1"
	var b [len(domain) + 1 + 3*32]byte
	n := copy(b[:], domain)
	n += copy(b[n:], matchID[:])
	b[n] = byte(round)
	n++
	n += copy(b[n:], layer0[:])
	copy(b[n:], layer1[:])
	return sha256.Sum256(b[:])
}

// FirstSplitter returns the seat that splits in round 1, from round 1's bytes.
func FirstSplitter(round1 [32]byte) int {
	const domain = "cleave/first/1"
	var b [len(domain) + 32]byte
	copy(b[copy(b[:], domain):], round1[:])
	return int(sha256.Sum256(b[:])[0] & 1)
}

// BlockAt returns the block of an index, 0 to Blocks-1, ascending by mask.
func BlockAt(i int) Block { return blocks[i] }

// Splits returns the legal splits of a block, each the mask of its smaller
// part, ascending: the first n of the array. A mask that is no block of the
// table has none.
func (b Block) Splits() (masks [MaxSplits]uint16, n int) {
	for _, part := range smallParts {
		if isSplit(b, part) {
			if n == MaxSplits {
				return masks, 0
			}
			masks[n] = part
			n++
		}
	}
	return masks, n
}

// IsSplit reports whether part is the smaller part of a legal split of b.
func (b Block) IsSplit(part uint16) bool { return b != 0 && isSplit(b, part) }

func isSplit(b Block, part uint16) bool {
	n := bits.OnesCount16(part)
	return part&^uint16(b) == 0 && (n == 3 || n == 4) && connected.has(part) && connected.has(uint16(b)^part)
}

// flagSplit returns the split that stands for a time that ran out: of those
// into 4 and 5 cells, the one whose smaller part has the lowest mask.
func (b Block) flagSplit() uint16 {
	for _, part := range smallParts {
		if bits.OnesCount16(part) == 4 && isSplit(b, part) {
			return part
		}
	}
	panic("duel: a block without a split into 4 and 5")
}

// Cells returns the block as a set of cells in the top left corner of a Board.
func (b Block) Cells() engine.Board { return frameCells(uint16(b)) }

// Text draws the block: four lines of four, # for a cell and . for none.
// ParseBlock reads it back.
func (b Block) Text() string { return b.Cells().Text(Frame) }

// ParseBlock reads a drawing as Text makes it. It refuses a picture that is no
// block of the table.
func ParseBlock(text string) (Block, error) {
	cells, rows, cols, err := engine.ParsePicture(text)
	if err != nil {
		return 0, err
	}
	if rows != Frame || cols != Frame {
		return 0, errBlock
	}
	var b Block
	for r := range Frame {
		b |= Block(cells>>(engine.Stride*r)&(1<<Frame-1)) << (Frame * r)
	}
	for _, known := range blocks {
		if b == known {
			return b, nil
		}
	}
	return 0, errBlock
}

// PartPiece returns the shape of a part of a block, given as a mask in the
// block's frame, not turned.
func PartPiece(part uint16) engine.Piece { return engine.NewPiece(frameCells(part)) }

// frameCells moves a mask in the 4x4 frame to the layout of a Board.
func frameCells(mask uint16) engine.Board {
	m := engine.Board(mask)
	return m&0xf | m&0xf0<<4 | m&0xf00<<8 | m&0xf000<<12
}
