package duel

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

// fixedPolyominoes grows all polyominoes of n cells, each turn its own. A cell
// is 16*row+column: room for a bar of nine, which no Board has.
func fixedPolyominoes(n int) [][]uint8 {
	level := map[string][]uint8{"\x00": {0}}
	for range n - 1 {
		next := map[string][]uint8{}
		for _, p := range level {
			for _, cell := range p {
				r, c := int(cell/16), int(cell%16)
				for _, q := range [][2]int{{r - 1, c}, {r + 1, c}, {r, c - 1}, {r, c + 1}} {
					var grown [][2]int
					known := false
					top, left := q[0], q[1]
					for _, k := range p {
						kr, kc := int(k/16), int(k%16)
						known = known || [2]int{kr, kc} == q
						grown = append(grown, [2]int{kr, kc})
						top, left = min(top, kr), min(left, kc)
					}
					if known {
						continue
					}
					var key []byte
					for _, g := range append(grown, q) {
						key = append(key, uint8((g[0]-top)*16+g[1]-left))
					}
					slices.Sort(key)
					next[string(key)] = key
				}
			}
		}
		level = next
	}
	var all [][]uint8
	for _, p := range level {
		all = append(all, p)
	}
	return all
}

// holed floods the outside of a polyomino, in a field one cell larger on each
// side.
func holed(p []uint8) bool {
	var field [11][11]bool
	for _, cell := range p {
		field[cell/16+1][cell%16+1] = true
	}
	stack := [][2]int{{0, 0}}
	outside := 0
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		r, c := at[0], at[1]
		if r < 0 || c < 0 || r > 10 || c > 10 || field[r][c] {
			continue
		}
		field[r][c] = true
		outside++
		stack = append(stack, [2]int{r + 1, c}, [2]int{r - 1, c}, [2]int{r, c + 1}, [2]int{r, c - 1})
	}
	return outside+len(p) != 11*11
}

// splitsOf counts the ways to part nine cells into two connected pieces of
// three to six.
func splitsOf(p []uint8) int {
	var beside [9]uint16
	for i, a := range p {
		for j, b := range p {
			if d := int(a) - int(b); d == 1 || d == -1 || d == 16 || d == -16 {
				beside[i] |= 1 << j
			}
		}
	}
	whole := func(m uint16) bool {
		grown := m & -m
		for {
			next := grown
			for rest := grown; rest != 0; rest &= rest - 1 {
				next |= beside[bits.TrailingZeros16(rest)] & m
			}
			if next == grown {
				return grown == m
			}
			grown = next
		}
	}
	n := 0
	for m := uint16(0); m < 1<<9; m++ {
		if k := bits.OnesCount16(m); (k == 3 || k == 4) && whole(m) && whole(^m&(1<<9-1)) {
			n++
		}
	}
	return n
}

func TestNonominoes(t *testing.T) {
	all := fixedPolyominoes(9)
	if len(all) != 9910 {
		t.Errorf("%d fixed nonominoes, want 9910", len(all))
	}
	holes := 0
	var unsplit [][]uint8
	inFrame := map[Block]int{}
	for _, p := range all {
		if holed(p) {
			holes++
			continue
		}
		n := splitsOf(p)
		if n == 0 {
			unsplit = append(unsplit, p)
		}
		var b Block
		for _, cell := range p {
			if cell/16 < Frame && cell%16 < Frame {
				b |= 1 << (cell/16*Frame + cell%16)
			}
		}
		if bits.OnesCount16(uint16(b)) == 9 {
			inFrame[b] = n
		}
	}
	if holes != 272 {
		t.Errorf("%d have a hole, want 272", holes)
	}
	plus := []uint8{2, 18, 32, 33, 34, 35, 36, 50, 66}
	if len(unsplit) != 1 || !slices.Equal(unsplit[0], plus) {
		t.Errorf("without a split: %v, want the plus with arms of two only", unsplit)
	}
	// The table again, by way of all nonominoes.
	n := 0
	for b, splits := range inFrame {
		if splits < 3 || splits > 6 {
			continue
		}
		n++
		if _, found := slices.BinarySearch(blocks[:], b); !found {
			t.Errorf("%04x is not in the table", uint16(b))
		}
		if _, got := b.Splits(); got != splits {
			t.Errorf("%04x has %d splits, want %d", uint16(b), got, splits)
		}
	}
	if n != Blocks {
		t.Errorf("%d blocks by way of all nonominoes", n)
	}
}

// How many placements the 75 pieces have, together, on known boards. These
// counts and those of TestPerft were found by a second program, written from
// the rules in another language.
func TestPlacementsOnKnownBoards(t *testing.T) {
	for _, c := range []struct {
		name, board string
		want        int
	}{
		{"empty", "...... ...... ...... ...... ...... ......", 3973},
		{"one cell in the corner", "#..... ...... ...... ...... ...... ......", 3830},
		{"one cell in the middle", "...... ...... ..#... ...... ...... ......", 2708},
		{"chequered", "#.#.#. .#.#.# #.#.#. .#.#.# #.#.#. .#.#.#", 0},
		{"columns of two", "#..#.. #..#.. #..#.. #..#.. #..#.. #..#..", 370},
		{"no bar of three", crowdedBoard, 0},
	} {
		n := 0
		for i := range Shapes {
			turns := ShapeTurns(i)
			n += len(turns.AppendPlacements(nil, board(t, c.board), Size))
		}
		if n != c.want {
			t.Errorf("%s: %d placements, want %d", c.name, n, c.want)
		}
	}
}

// perft counts the ways to go through a number of entries, reveals being
// given.
func perft(t testing.TB, s State, depth int) int {
	s = reveal(t, s)
	if depth == 0 || s.Over() {
		return 1
	}
	var data []uint64
	switch s.Awaits() {
	case engine.Split:
		masks, n := s.Block().Splits()
		for _, m := range masks[:n] {
			data = append(data, uint64(m))
		}
	case engine.Choose:
		data = []uint64{0, 1}
	case engine.Place:
		for _, cells := range legalPlacements(s, s.Owes()) {
			data = append(data, uint64(cells))
		}
	}
	n := 0
	for _, d := range data {
		next, _ := must(t, s, by(s, s.Awaits(), d))
		n += perft(t, next, depth-1)
	}
	return n
}

func TestPerft(t *testing.T) {
	for match, want := range [][]int{
		{1, 3, 6, 373, 22400},
		{1, 3, 6, 429, 28800},
		{1, 4, 8, 573, 40800},
	} {
		for depth, n := range want {
			if got := perft(t, New(matchID(match)), depth); got != n {
				t.Errorf("match %d to depth %d: %d, want %d", match, depth, got, n)
			}
		}
	}
}
