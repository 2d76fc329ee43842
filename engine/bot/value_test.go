package bot

import (
	"slices"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"pgregory.net/rapid"
)

func featuresByHand(b engine.Board) (f features) {
	empty := func(r, c int) bool {
		return r >= 0 && c >= 0 && r < duel.Size && c < duel.Size && !b.Has(r, c)
	}
	for r := range duel.Size {
		for c := range duel.Size {
			if !empty(r, c) {
				continue
			}
			n := 0
			for _, q := range [][2]int{{r - 1, c}, {r + 1, c}, {r, c - 1}, {r, c + 1}} {
				if empty(q[0], q[1]) {
					n++
				}
			}
			switch n {
			case 0:
				f.holes++
			case 1:
				f.dead++
			}
			f.adjacent += n
			if empty(r+1, c) && empty(r, c+1) && empty(r+1, c+1) {
				f.squares++
			}
		}
	}
	f.adjacent /= 2
	return f
}

func futureByHand(b engine.Board, left int) int {
	if left == 0 {
		return 0
	}
	sum := 0
	for i := range duel.Size {
		row, col := 0, 0
		for j := range duel.Size {
			if b.Has(i, j) {
				row++
			}
			if b.Has(j, i) {
				col++
			}
		}
		sum += int(lineTenths[left][row]) + int(lineTenths[left][col])
	}
	f := featuresByHand(b)
	e := emptyTenths[left]
	return sum + e[0]*f.holes + e[1]*f.adjacent + e[2]*f.squares + e[3]*f.dead
}

func aBoard(t *rapid.T) engine.Board {
	cells := rapid.Uint64().Draw(t, "cells")
	if rapid.Bool().Draw(t, "sparse") {
		cells &= rapid.Uint64().Draw(t, "of these")
	}
	b, _ := (engine.Board(cells) & engine.Full(duel.Size)).Clear(duel.Size)
	return b
}

func TestFutureAgreesWithHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := aBoard(t)
		if got, want := featuresOf(b), featuresByHand(b); got != want {
			t.Fatalf("%+v, by hand %+v\n%s", got, want, b.Text(duel.Size))
		}
		left := rapid.IntRange(0, duel.Rounds-1).Draw(t, "left")
		if got, want := future(b, left), futureByHand(b, left); got != want {
			t.Fatalf("%d tenths, by hand %d, with %d rounds left\n%s", got, want, left, b.Text(duel.Size))
		}
	})
}

func TestFutureOfAnEmptyBoard(t *testing.T) {
	// 12 empty lines, 60 pairs, 25 squares.
	for left, want := range []int{0, -12*18 + 2*60 + 4*25, -12*40 + 9*60, -12*81 + 22*60 - 10*25,
		-12*109 + 32*60 - 16*25, -12*96 + 29*60 - 14*25, -12*80 + 27*60 - 13*25, -12*74 + 29*60 - 17*25} {
		if got := future(0, left); got != want {
			t.Errorf("with %d rounds left: %d, want %d", left, got, want)
		}
	}
}

func TestValueIsTheBestPlacement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := aBoard(t)
		left := rapid.IntRange(0, duel.Rounds-1).Draw(t, "left")
		shape := rapid.IntRange(0, duel.Shapes-1).Draw(t, "shape")
		turns := duel.ShapeTurns(shape)
		all := turns.AppendPlacements(nil, b, duel.Size)
		slices.Sort(all)
		want := -80 + futureByHand(b, left)
		var best engine.Board
		for i, cells := range all {
			after, lines := (b | cells).Clear(duel.Size)
			if v := 10*duel.LinePoints(lines.Count()) + futureByHand(after, left); i == 0 || v > want {
				best, want = cells, v
			}
		}
		s := side{board: b, left: left}
		if s.value(shape) != want || s.best(shape) != best || s.nodes != len(all) {
			t.Fatalf("%d by %x, want %d by %x", s.value(shape), s.best(shape), want, best)
		}
	})
}

func TestEvaluateListsEveryDecision(t *testing.T) {
	for _, s := range positions(4) {
		for seat := range 2 {
			list := Evaluate(s, seat)
			if (len(list) == 0) != (s.MayDecide(seat) == engine.None) {
				t.Fatalf("%d options for a seat that may decide %d", len(list), s.MayDecide(seat))
			}
			for i, o := range list {
				if err := s.Check(o.Move); err != nil {
					t.Fatal(err)
				}
				if i > 0 && (o.Value > list[i-1].Value || o.Value == list[i-1].Value && o.Move.Data <= list[i-1].Move.Data) {
					t.Fatal("options are not in order")
				}
				if o.Move.Kind == engine.Place {
					_, r, err := duel.Apply(s, o.Move)
					if seat == s.Owes() && (err != nil || r.Points[seat] != o.Points) {
						t.Fatalf("%d points, the engine gives %v, %v", o.Points, r.Points, err)
					}
				}
			}
			// The best option without noise is what sigma 0 plays.
			if len(list) > 0 {
				quiet := options(s, seat, noise{})
				best := quiet[0]
				for _, o := range quiet {
					if o.Value > best.Value {
						best = o
					}
				}
				if best != list[0] {
					t.Fatalf("best %+v, listed first %+v", best, list[0])
				}
			}
		}
	}
}
