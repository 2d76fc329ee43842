package engine

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func piece(t testing.TB, text string) Piece {
	t.Helper()
	p, err := ParsePiece(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTurnIsClockwise(t *testing.T) {
	for _, c := range [][4]string{
		{"#./#./##", "###/#..", "##/.#/.#", "..#/###"},
		{"##", "#/#", "##", "#/#"},
		{"#", "#", "#", "#"},
		{"##./.##", ".#/##/#.", "##./.##", ".#/##/#."},
		{"##/##/#.", "###/.##", ".#/##/##", "##./###"},
	} {
		p := piece(t, c[0])
		for i := range 8 {
			if want := piece(t, c[i%4]); p != want {
				t.Errorf("%s after %d quarters is\n%s\nwant\n%s", c[0], i, p.Text(), want.Text())
			}
			p = p.Turn()
		}
	}
}

func TestDifferentTurns(t *testing.T) {
	for text, want := range map[string]int{"#": 1, "##/##": 1, "###": 2, "##./.##": 2, "##/#.": 4, ".#./###/.#.": 1, "##/##/#.": 4} {
		turns := piece(t, text).Turns()
		if turns.N != want {
			t.Errorf("%s has %d turns, want %d", text, turns.N, want)
		}
		for i, p := range turns.Pieces {
			if (p != 0) != (i < turns.N) || p != 0 && !turns.Has(p) {
				t.Errorf("%s: turn %d is %x", text, i, p)
			}
		}
	}
}

// aPiece draws a connected piece of up to 8 cells somewhere on 8x8.
func aPiece(t *rapid.T) Piece {
	cells := Cell(rapid.IntRange(0, 7).Draw(t, "r"), rapid.IntRange(0, 7).Draw(t, "c"))
	for range rapid.IntRange(0, 7).Draw(t, "more") {
		var around []Board
		for i := range 64 {
			if c := Board(1) << i; c&cells == 0 && Connected(cells|c) {
				around = append(around, c)
			}
		}
		cells |= rapid.SampledFrom(around).Draw(t, "cell")
	}
	return NewPiece(cells)
}

func TestPieceProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := aPiece(t)
		if p.Turn().Turn().Turn().Turn() != p {
			t.Fatalf("four quarters change\n%s", p.Text())
		}
		if q := p.Turn(); q.Size() != p.Size() || q.Height() != p.Width() || q.Width() != p.Height() || !Connected(q.Cells()) {
			t.Fatalf("a quarter turns\n%s\ninto\n%s", p.Text(), q.Text())
		}
		if got, err := ParsePiece(p.Text()); err != nil || got != p {
			t.Fatalf("%x reads back as %x, %v", p, got, err)
		}
		r := rapid.IntRange(0, MaxSize-p.Height()).Draw(t, "row")
		c := rapid.IntRange(0, MaxSize-p.Width()).Draw(t, "col")
		if NewPiece(p.At(r, c)) != p {
			t.Fatalf("moved to %d, %d it is another piece:\n%s", r, c, p.Text())
		}
	})
}

// placementsByHand tries every corner, every turn and every cell.
func placementsByHand(p Piece, board Board, size int) []Board {
	var all []Board
	for range 4 {
		for r := range size {
		corner:
			for c := range size {
				var cells Board
				for i := range MaxSize {
					for j := range MaxSize {
						if !p.Cells().Has(i, j) {
							continue
						}
						if r+i >= size || c+j >= size || board.Has(r+i, c+j) {
							continue corner
						}
						cells |= Cell(r+i, c+j)
					}
				}
				all = append(all, cells)
			}
		}
		p = p.Turn()
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestPlacementsAgreeWithHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, MaxSize).Draw(t, "size")
		full := Full(size)
		// Mostly empty, so that large pieces fit too.
		b := Board(rapid.Uint64().Draw(t, "a")&rapid.Uint64().Draw(t, "b")&rapid.Uint64().Draw(t, "c")) & full
		p := aPiece(t)
		turns := p.Turns()
		got := turns.AppendPlacements(nil, b, size)
		slices.Sort(got)
		want := placementsByHand(p, b, size)
		if !slices.Equal(got, want) {
			t.Fatalf("%d placements of\n%s\non\n%s\nby hand %d", len(got), p.Text(), b.Text(size), len(want))
		}
		if turns.Fits(b, size) != (len(want) > 0) {
			t.Fatal("Fits does not agree")
		}
		for _, cells := range got {
			if !turns.Has(NewPiece(cells)) {
				t.Fatalf("a placement that is no turn of the piece: %x", cells)
			}
		}
	})
}

func TestConnected(t *testing.T) {
	for text, want := range map[string]bool{
		"..": false, "#": true, "#./.#": false, "##/.#": true, "#.#/###": true, "#.#/#.#": false,
		// The right end of a row is not beside the left end of the next.
		".......#/#.......": false,
	} {
		cells, _, _, err := ParsePicture(text)
		if err != nil {
			t.Fatal(err)
		}
		if Connected(cells) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// What is no piece must not keep Turns going for ever.
func TestTurnsOfNonsenseEnds(t *testing.T) {
	for _, p := range []Piece{0, 1 << 63, 0xff00, 1<<9 | 1<<63, ^Piece(0)} {
		if n := p.Turns().N; n < 1 || n > 4 {
			t.Errorf("%x has %d turns", p, n)
		}
	}
}

func BenchmarkPlacements(b *testing.B) {
	turns := piece(b, "##/##/#.").Turns()
	var buf [256]Board
	n := 0
	for b.Loop() {
		n += len(turns.AppendPlacements(buf[:0], 0x0000180000002010, 6))
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "placements/s")
}
