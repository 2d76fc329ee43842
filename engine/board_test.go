package engine

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// board reads a drawing, indented as the tables of tests need it.
func board(t testing.TB, text string) Board {
	t.Helper()
	b, _, err := ParseBoard(strings.Join(strings.Fields(text), "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestClear(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after string
		lines         Lines
	}{
		{"nothing full", `
			#####.
			.#####
			##..##
			#.##.#
			#####.
			.#.###`, `
			#####.
			.#####
			##..##
			#.##.#
			#####.
			.#.###`, Lines{}},
		{"a row", `
			......
			######
			..#...
			......
			......
			......`, `
			......
			......
			..#...
			......
			......
			......`, Lines{Rows: 0b10}},
		{"a column", `
			.....#
			.....#
			....##
			.....#
			.....#
			.....#`, `
			......
			......
			....#.
			......
			......
			......`, Lines{Cols: 0b100000}},
		{"rows and columns at the same time, and nothing falls", `
			##....
			######
			#.#...
			######
			#.....
			#....#`, `
			.#....
			......
			..#...
			......
			......
			.....#`, Lines{Rows: 0b1010, Cols: 1}},
		{"a full board", `
			######
			######
			######
			######
			######
			######`, `
			......
			......
			......
			......
			......
			......`, Lines{Rows: 0b111111, Cols: 0b111111}},
		{"the last row and column of 8x8", `
			.......#
			.......#
			.......#
			#......#
			.......#
			.......#
			.......#
			########`, `
			........
			........
			........
			#.......
			........
			........
			........
			........`, Lines{Rows: 1 << 7, Cols: 1 << 7}},
	} {
		before := board(t, c.before)
		size := len(strings.Fields(c.before))
		got, lines := before.Clear(size)
		if got != board(t, c.after) || lines != c.lines {
			t.Errorf("%s: %+v\n%s\nwant %+v", c.name, lines, got.Text(size), c.lines)
		}
	}
}

// clearByHand is Clear as a person would do it.
func clearByHand(b Board, size int) (Board, Lines) {
	var l Lines
	for i := range size {
		row, col := true, true
		for j := range size {
			row = row && b.Has(i, j)
			col = col && b.Has(j, i)
		}
		if row {
			l.Rows |= 1 << i
		}
		if col {
			l.Cols |= 1 << i
		}
	}
	for i := range size {
		for j := range size {
			if l.Rows>>i&1 != 0 || l.Cols>>j&1 != 0 {
				b &^= Cell(i, j)
			}
		}
	}
	return b, l
}

// crowded draws boards on which full lines are common.
func crowded(t *rapid.T, size int) Board {
	b := Board(rapid.Uint64().Draw(t, "cells"))
	for i := range size {
		switch rapid.IntRange(0, 5).Draw(t, "line") {
		case 0:
			b |= Rect(1, size) << (i * Stride)
		case 1:
			b |= Rect(size, 1) << i
		}
	}
	return b & Full(size)
}

func TestClearAgreesWithHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, MaxSize).Draw(t, "size")
		b := crowded(t, size)
		got, lines := b.Clear(size)
		want, wantLines := clearByHand(b, size)
		if got != want || lines != wantLines {
			t.Fatalf("%+v\n%s\nby hand %+v\n%s", lines, got.Text(size), wantLines, want.Text(size))
		}
	})
}

func TestRectAndFull(t *testing.T) {
	for rows := range MaxSize + 1 {
		for cols := range MaxSize + 1 {
			var want Board
			for r := range rows {
				for c := range cols {
					want |= Cell(r, c)
				}
			}
			if got := Rect(rows, cols); got != want {
				t.Errorf("Rect(%d, %d) = %x, want %x", rows, cols, got, want)
			}
		}
	}
	if n := Full(6).Count(); n != 36 {
		t.Errorf("Full(6) has %d cells", n)
	}
}

func TestDrawingsParseBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, MaxSize).Draw(t, "size")
		b := Board(rapid.Uint64().Draw(t, "cells")) & Full(size)
		got, n, err := ParseBoard(b.Text(size))
		if err != nil || got != b || n != size {
			t.Fatalf("%x of size %d reads back as %x, %d, %v", b, size, got, n, err)
		}
	})
}

func TestPicturesRefused(t *testing.T) {
	for _, bad := range []string{
		"", "\n", "/", "#x", "##/#", "#/##", "# #", "#########", strings.Repeat("#/", 9), strings.Repeat("/", 100), "é",
	} {
		if cells, _, _, err := ParsePicture(bad); err == nil {
			t.Errorf("%q reads as %x", bad, cells)
		}
	}
	if _, _, err := ParseBoard("##/##/.."); err == nil {
		t.Error("a board of three rows and two columns was read")
	}
	if _, err := ParsePiece("../.."); err == nil {
		t.Error("an empty piece was read")
	}
}

func FuzzParsePicture(f *testing.F) {
	for _, s := range []string{"#./##", "......\n######", "", "#\n\n#", "########/########"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cells, rows, cols, err := ParsePicture(text)
		if err != nil {
			return
		}
		again, r, c, err := ParsePicture(cells.draw(rows, cols))
		if err != nil || again != cells || r != rows || c != cols {
			t.Fatalf("%q reads as %x, %dx%d, and that drawn as %x, %dx%d, %v", text, cells, rows, cols, again, r, c, err)
		}
	})
}
