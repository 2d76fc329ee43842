// Command examplebot is a player for cleavectl --player exec:examplebot. It
// speaks the line protocol that package players describes, and needs nothing
// else of this module, so that it can be rewritten in any language.
//
// It is greedy: it splits as evenly as it can, takes the larger piece, and
// places where most lines clear, then where the piece touches most.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// grid is a picture of the protocol: rows of cells, true for #.
type grid [][]bool

func parse(picture string) grid {
	var g grid
	for _, row := range strings.Split(picture, "/") {
		cells := make([]bool, len(row))
		for c := range row {
			cells[c] = row[c] == '#'
		}
		g = append(g, cells)
	}
	return g
}

// filled reports whether a cell is filled, or off the board.
func (g grid) filled(r, c int) bool {
	return r < 0 || c < 0 || r >= len(g) || c >= len(g[r]) || g[r][c]
}

type cell struct{ r, c int }

func (g grid) cells() (list []cell) {
	for r := range g {
		for c := range g[r] {
			if g[r][c] {
				list = append(list, cell{r, c})
			}
		}
	}
	return list
}

// connected reports whether cells hang together along their edges.
func connected(cells []cell) bool {
	todo := map[cell]bool{}
	for _, x := range cells {
		todo[x] = true
	}
	var walk func(x cell)
	walk = func(x cell) {
		if todo[x] {
			delete(todo, x)
			walk(cell{x.r + 1, x.c})
			walk(cell{x.r - 1, x.c})
			walk(cell{x.r, x.c + 1})
			walk(cell{x.r, x.c - 1})
		}
	}
	walk(cells[0])
	return len(todo) == 0
}

// split finds a part of four cells, so that the other has five.
func split(block grid) []cell {
	all := block.cells()
	for mask := range 1 << len(all) {
		var part, rest []cell
		for i, x := range all {
			if mask>>i&1 != 0 {
				part = append(part, x)
			} else {
				rest = append(rest, x)
			}
		}
		if len(part) == 4 && connected(part) && connected(rest) {
			return part
		}
	}
	return nil
}

// value is how good a placement is.
func value(board grid, piece []cell) int {
	after := parse(strings.Repeat("....../", 5) + "......")
	for _, x := range append(board.cells(), piece...) {
		after[x.r][x.c] = true
	}
	lines, touching := 0, 0
	for i := range 6 {
		row, col := true, true
		for j := range 6 {
			row = row && after[i][j]
			col = col && after[j][i]
		}
		if row {
			lines++
		}
		if col {
			lines++
		}
	}
	for _, x := range piece {
		for _, n := range []cell{{x.r + 1, x.c}, {x.r - 1, x.c}, {x.r, x.c + 1}, {x.r, x.c - 1}} {
			if board.filled(n.r, n.c) {
				touching++
			}
		}
	}
	return 100*lines + touching
}

// place tries every turn at every corner.
func place(board, piece grid) (best []cell) {
	shape := piece.cells()
	for range 4 {
		for r := -6; r < 12; r++ {
		corner:
			for c := -6; c < 12; c++ {
				var at []cell
				for _, x := range shape {
					if board.filled(x.r+r, x.c+c) {
						continue corner
					}
					at = append(at, cell{x.r + r, x.c + c})
				}
				if best == nil || value(board, at) > value(board, best) {
					best = at
				}
			}
		}
		for i, x := range shape {
			shape[i] = cell{x.c, -x.r}
		}
	}
	return best
}

func write(number string, cells []cell) {
	fmt.Print("move ", number)
	for _, x := range cells {
		fmt.Printf(" %d%d", x.r, x.c)
	}
	fmt.Println()
}

func main() {
	// What is known of the position, by the words before the last.
	position := map[string]string{}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		words := strings.Fields(in.Text())
		if len(words) == 0 {
			continue
		}
		last := len(words) - 1
		switch words[0] {
		case "cleave":
			fmt.Println("ready Greedy")
		case "quit":
			return
		case "go":
			number, kind := words[1], words[2]
			me := position["you"]
			switch kind {
			case "split":
				write(number, split(parse(position["block"])))
			case "choose":
				fmt.Println("move", number, 1)
			case "place":
				write(number, place(parse(position["board "+me]), parse(position["piece "+me])))
			}
		default:
			position[strings.Join(words[:last], " ")] = words[last]
		}
	}
}
