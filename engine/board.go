package engine

import (
	"errors"
	"math/bits"
	"strings"
)

// A Board is a set of cells. Cell (r, c), counted from the top left, is bit
// r*Stride+c whatever the size of the board, so one mask means the same cells
// on a 6x6 and on an 8x8 board. Filled cells are set.
type Board uint64

// Stride is the number of bits from one row to the next.
const Stride = 8

// MaxSize is the largest number of rows, and of columns, that a board has.
const MaxSize = 8

// column0 is the leftmost cell of each of the eight rows.
const column0 Board = 0x0101010101010101

// Full returns all cells of a board of size rows and columns, 0 to MaxSize.
func Full(size int) Board { return Rect(size, size) }

// Rect returns the cells of the top left rectangle of that many rows and
// columns, each 0 to MaxSize.
func Rect(rows, cols int) Board {
	if uint(rows) > MaxSize || uint(cols) > MaxSize {
		panic("engine: board larger than 8x8")
	}
	row := Board(1)<<cols - 1
	if rows == 0 {
		return 0
	}
	return row * (column0 >> (Stride * (MaxSize - rows)))
}

// Cell returns the set of the one cell (r, c), each 0 to 7.
func Cell(r, c int) Board { return 1 << (r*Stride + c) }

// Has reports whether cell (r, c) is in the set.
func (b Board) Has(r, c int) bool { return b>>(r*Stride+c)&1 != 0 }

// Count returns the number of cells in the set.
func (b Board) Count() int { return bits.OnesCount64(uint64(b)) }

// First returns row and column of the first cell in reading order. The set
// must not be empty.
func (b Board) First() (r, c int) {
	i := bits.TrailingZeros64(uint64(b))
	return i / Stride, i % Stride
}

// Lines are full rows and columns: bit r of Rows is row r, bit c of Cols is
// column c.
type Lines struct{ Rows, Cols uint8 }

// Count returns how many lines there are.
func (l Lines) Count() int {
	return bits.OnesCount8(l.Rows) + bits.OnesCount8(l.Cols)
}

// Clear removes all full rows and columns of a board of that size, all at the
// same time. Nothing falls.
func (b Board) Clear(size int) (Board, Lines) {
	// After the loop a row's leftmost bit is the AND of its cells, and a
	// column's topmost bit the AND of the column's.
	rows, cols := b, b
	for i := 1; i < size; i++ {
		rows &= b >> i
		cols &= b >> (i * Stride)
	}
	rows &= column0
	cols &= 1<<size - 1
	if rows|cols == 0 {
		return b, Lines{}
	}
	b &^= rows*(1<<size-1) | cols*column0
	// The product gathers bit 8r in bit 56+r.
	return b, Lines{Rows: uint8(rows * 0x0102040810204080 >> 56), Cols: uint8(cols)}
}

// Text draws a board of that size: a line for each row, # for a filled cell
// and . for an empty one, without a newline at the end. ParseBoard reads it
// back.
func (b Board) Text(size int) string { return b.draw(size, size) }

func (b Board) draw(rows, cols int) string {
	var t strings.Builder
	for r := range rows {
		if r > 0 {
			t.WriteByte('\n')
		}
		for c := range cols {
			if b.Has(r, c) {
				t.WriteByte('#')
			} else {
				t.WriteByte('.')
			}
		}
	}
	return t.String()
}

var (
	errPicture    = errors.New("engine: a picture has rows of # and . only, all of one width, up to 8x8")
	errNotSquare  = errors.New("engine: a board has as many rows as columns")
	errEmptyPiece = errors.New("engine: a piece has at least one cell")
)

// ParseBoard reads a drawing as Text makes it and returns the board and its
// size.
func ParseBoard(text string) (Board, int, error) {
	b, rows, cols, err := ParsePicture(text)
	if err == nil && rows != cols {
		err = errNotSquare
	}
	if err != nil {
		return 0, 0, err
	}
	return b, rows, nil
}

// ParsePicture reads a rectangle of # and . whose rows are parted by newlines
// or slashes, and returns its cells, and how many rows and columns it has.
func ParsePicture(text string) (cells Board, rows, cols int, err error) {
	if len(text) > MaxSize*(MaxSize+1) {
		return 0, 0, 0, errPicture
	}
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '/' })
	if len(lines) == 0 || len(lines) > MaxSize || len(lines[0]) > MaxSize {
		return 0, 0, 0, errPicture
	}
	for r, line := range lines {
		if len(line) != len(lines[0]) {
			return 0, 0, 0, errPicture
		}
		for c := range len(line) {
			switch line[c] {
			case '#':
				cells |= Cell(r, c)
			case '.':
			default:
				return 0, 0, 0, errPicture
			}
		}
	}
	return cells, len(lines), len(lines[0]), nil
}
