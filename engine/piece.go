package engine

import "math/bits"

// A Piece is a shape of connected cells, as a mask with the layout of a Board,
// moved as far up and left as it goes: it touches the top row and the left
// column. Two pieces of the same shape and the same turn are equal.
type Piece uint64

// NewPiece returns the shape of a set of cells: the set, moved to the top left.
func NewPiece(cells Board) Piece {
	if cells == 0 {
		return 0
	}
	top := bits.TrailingZeros64(uint64(cells)) / Stride
	return Piece(cells >> (top*Stride + bits.TrailingZeros8(columns(cells))))
}

// columns returns the columns in which a set has cells, bit c for column c.
func columns(b Board) uint8 {
	b |= b >> 32
	b |= b >> 16
	return uint8(b | b>>8)
}

// Cells returns the piece as a set of cells in the top left corner.
func (p Piece) Cells() Board { return Board(p) }

// Size returns the number of cells.
func (p Piece) Size() int { return bits.OnesCount64(uint64(p)) }

// Height returns how many rows the piece spans, 0 for no piece.
func (p Piece) Height() int {
	return (bits.Len64(uint64(p)) + Stride - 1) / Stride
}

// Width returns how many columns the piece spans, 0 for no piece.
func (p Piece) Width() int { return bits.Len8(columns(Board(p))) }

// Turn returns the piece turned by a quarter, clockwise on the screen: cell
// (r, c) goes to (c, -r), and the whole back to the top left.
func (p Piece) Turn() Piece {
	last := p.Height() - 1
	var t Board
	for rest := Board(p); rest != 0; rest &= rest - 1 {
		r, c := rest.First()
		t |= Cell(c, last-r)
	}
	return Piece(t)
}

// Turns are the different shapes that turning a piece gives, beginning with
// the piece as it is; N of them, 1, 2 or 4, and zeros after.
type Turns struct {
	Pieces [4]Piece
	N      int
}

// Turns returns the different turns of the piece, each a quarter further.
func (p Piece) Turns() Turns {
	t := Turns{Pieces: [4]Piece{p}, N: 1}
	for q := p.Turn(); q != p && t.N < 4; q = q.Turn() {
		t.Pieces[t.N] = q
		t.N++
	}
	return t
}

// Fits returns where the piece, not turned, can lie on empty cells of a board
// of that size: the set of cells that its top left corner, which need not be
// one of its cells, may be on. See At.
func (p Piece) Fits(board Board, size int) Board {
	h, w := p.Height(), p.Width()
	if h > size || w > size || p == 0 {
		return 0
	}
	// A piece fits with its corner at k when for each of its cells i, cell
	// k+i is empty. The rectangle keeps it from wrapping into the next row.
	empty := Full(size) &^ board
	spots := Rect(size-h+1, size-w+1)
	for rest := uint64(p); rest != 0; rest &= rest - 1 {
		spots &= empty >> bits.TrailingZeros64(rest)
	}
	return spots
}

// AppendPlacements appends to dst every set of cells that the piece, in any of
// the turns, can fill on a board of that size, each set once.
func (t *Turns) AppendPlacements(dst []Board, board Board, size int) []Board {
	for _, p := range t.Pieces[:t.N] {
		for spots := p.Fits(board, size); spots != 0; spots &= spots - 1 {
			dst = append(dst, p.Cells()<<bits.TrailingZeros64(uint64(spots)))
		}
	}
	return dst
}

// Fits reports whether the piece fits on a board of that size in any of the
// turns.
func (t *Turns) Fits(board Board, size int) bool {
	for _, p := range t.Pieces[:t.N] {
		if p.Fits(board, size) != 0 {
			return true
		}
	}
	return false
}

// Has reports whether p is one of the turns.
func (t *Turns) Has(p Piece) bool {
	for _, q := range t.Pieces[:t.N] {
		if p == q {
			return true
		}
	}
	return false
}

// At returns the cells of the piece with its top left corner on cell (r, c).
func (p Piece) At(r, c int) Board { return Board(p) << (r*Stride + c) }

// Connected reports whether a set is one piece along cell edges. The empty set
// is not.
func Connected(cells Board) bool {
	if cells == 0 {
		return false
	}
	const column7 = column0 << 7
	grown := cells & -cells
	for {
		next := (grown | grown<<Stride | grown>>Stride | grown&^column7<<1 | grown&^column0>>1) & cells
		if next == grown {
			return grown == cells
		}
		grown = next
	}
}

// Text draws the piece in the smallest rectangle, a line for each row, # for a
// cell and . for none. ParsePiece reads it back.
func (p Piece) Text() string { return Board(p).draw(p.Height(), p.Width()) }

// ParsePiece reads a drawing as Text makes it, its rows parted by newlines or
// slashes: "#./##". It is moved to the top left.
func ParsePiece(text string) (Piece, error) {
	cells, _, _, err := ParsePicture(text)
	if err != nil {
		return 0, err
	}
	if cells == 0 {
		return 0, errEmptyPiece
	}
	return NewPiece(cells), nil
}
