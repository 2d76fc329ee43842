// Package enginetest does by hand, cell by cell, what the engine does on bits,
// so that tests can hold one against the other.
package enginetest

import "github.com/cleavegame/cleave/engine"

// Size is that of the solo games' boards.
const Size = 8

// Cells is an 8x8 board as a table of filled cells.
type Cells [Size][Size]bool

// Of is a board as a table.
func Of(b engine.Board) (g Cells) {
	for r := range Size {
		for c := range Size {
			g[r][c] = b.Has(r, c)
		}
	}
	return g
}

// Put is the table with a piece on it, its top left corner on (r, c), and
// whether it fits there.
func (g Cells) Put(p engine.Piece, r, c int) (Cells, bool) {
	for i := range p.Height() {
		for j := range p.Width() {
			if !p.Cells().Has(i, j) {
				continue
			}
			if r+i >= Size || c+j >= Size || g[r+i][c+j] {
				return g, false
			}
			g[r+i][c+j] = true
		}
	}
	return g, p != 0
}

// Clear is the table without its full rows and columns, all taken at once, and
// how many there were.
func (g Cells) Clear() (Cells, int) {
	full, lines := g, 0
	for i := range Size {
		row, col := true, true
		for j := range Size {
			row, col = row && full[i][j], col && full[j][i]
		}
		for j := range Size {
			g[i][j] = g[i][j] && !row
			g[j][i] = g[j][i] && !col
		}
		if row {
			lines++
		}
		if col {
			lines++
		}
	}
	return g, lines
}

// Each calls f with every place of a piece.
func (g Cells) Each(p engine.Piece, f func(full Cells, r, c int)) {
	for r := range Size {
		for c := range Size {
			if full, ok := g.Put(p, r, c); ok {
				f(full, r, c)
			}
		}
	}
}

// Room reports whether one of the pieces fits anywhere.
func (g Cells) Room(pieces ...engine.Piece) bool {
	for _, p := range pieces {
		for r := range Size {
			for c := range Size {
				if _, ok := g.Put(p, r, c); ok {
					return true
				}
			}
		}
	}
	return false
}

// Dice are seeded numbers.
type Dice uint64

// Next is a number of 64 bits.
func (d *Dice) Next() uint64 {
	*d += 0x9e3779b97f4a7c15
	z := (uint64(*d) ^ uint64(*d)>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Below is a number from 0 to n-1.
func (d *Dice) Below(n int) int { return int(d.Next() >> 33 % uint64(n)) }

// Crowded is a board of 60 % fill and more, without a full line.
func (d *Dice) Crowded() engine.Board {
	for {
		b := engine.Full(Size)
		for range 8 + d.Below(20) {
			b &^= engine.Cell(d.Below(Size), d.Below(Size))
		}
		if b, _ = b.Clear(Size); 10*b.Count() >= 6*Size*Size {
			return b
		}
	}
}
