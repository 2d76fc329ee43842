package bot

import (
	"slices"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/enginetest"
	"github.com/cleavegame/cleave/engine/streak"
	"pgregory.net/rapid"
)

// runStreak plays a run up to a limit of placements.
func runStreak(t testing.TB, p *Player, n int, mode streak.Mode, limit int) streak.State {
	t.Helper()
	s := streak.New(matchID(n), mode)
	for s.Owes() == 0 && s.Placements() < limit {
		next, _, err := streak.Apply(s, p.Streak(s))
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	return s
}

func runClassic(t testing.TB, p *Player, n int, d classic.Difficulty, limit int) classic.State {
	t.Helper()
	s := classic.New(matchID(n), d)
	for s.Owes() == 0 && s.Placements() < limit {
		next, _, err := classic.Apply(s, p.Classic(s))
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	return s
}

func median(list []int) int {
	slices.Sort(list)
	return list[len(list)/2]
}

// How long runs last, in placements. In the usual run a run of the strong
// levels is stopped when it has shown enough.
func TestLengthsOfStreaks(t *testing.T) {
	for _, c := range []struct {
		level        Level
		runs, limit  int
		least, most  int
		soakRuns     int
		soakMin, Max int
	}{
		{Beginner, 300, 8000, 10, 16, 3000, 11, 15},
		{Easy, 200, 8000, 22, 45, 2000, 25, 40},
		{Medium, 100, 8000, 55, 120, 1000, 70, 105},
		{Hard, 7, 150, 130, 150, 101, 140, 320},
		{Expert, 3, 400, 400, 400, 61, 3000, 15_000},
	} {
		runs, limit, least, most := c.runs, c.limit, c.least, c.most
		if soak(0, 1) == 1 {
			runs, limit, least, most = c.soakRuns, 20_000, c.soakMin, c.Max
		}
		var lengths []int
		for n := range runs {
			lengths = append(lengths, runStreak(t, New(c.level, uint64(n)), n, streak.Counting, limit).Placements())
		}
		m := median(lengths)
		t.Logf("%v: median %d of %d runs", c.level, m, runs)
		if m < least || m > most {
			t.Errorf("%v: median %d, want %d to %d", c.level, m, least, most)
		}
	}
}

func TestLengthsOfClassics(t *testing.T) {
	for d, want := range map[classic.Difficulty]struct{ greedy, search int }{
		classic.Easy:   {250, 300},
		classic.Medium: {130, 200},
		classic.Hard:   {45, 90},
	} {
		var greedy, search []int
		for n := range soak(60, 1000) {
			greedy = append(greedy, runClassic(t, New(Medium, 1), n, d, 5000).Placements())
		}
		limit := soak(300, 5000)
		for n := range soak(3, 31) {
			search = append(search, runClassic(t, New(Expert, 1), n, d, limit).Placements())
		}
		g, s := median(greedy), median(search)
		t.Logf("%v: greedy %d, whole tray %d", d, g, s)
		if g < want.greedy || s < want.search || s <= g && s < limit {
			t.Errorf("%v: greedy %d, want %d; whole tray %d, want %d", d, g, want.greedy, s, want.search)
		}
	}
}

func TestSoloDecisionsRepeat(t *testing.T) {
	for _, level := range Levels() {
		a := runStreak(t, New(level, 3), 1, streak.Training, 60)
		if b := runStreak(t, New(level, 3), 1, streak.Training, 60); a != b {
			t.Errorf("%v plays one deal in two ways", level)
		}
		c := runClassic(t, New(level, 3), 1, classic.Hard, 60)
		if d := runClassic(t, New(level, 3), 1, classic.Hard, 60); c != d {
			t.Errorf("%v plays one deal in two ways", level)
		}
	}
	if a, b := runStreak(t, New(Beginner, 3), 1, streak.Counting, 60), runStreak(t, New(Beginner, 4), 1, streak.Counting, 60); a == b {
		t.Error("two seeds make one player")
	}
}

func TestSecondChancesAreTaken(t *testing.T) {
	if s := runStreak(t, New(Beginner, 1), 2, streak.Training, 8000); s.ChancesTaken() != streak.MaxChances || s.Owes() == 0 {
		t.Errorf("%d second chances", s.ChancesTaken())
	}
}

func TestRoomAgreesWithHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := engine.Board(rapid.Uint64().Draw(t, "cells"))
		empty := func(r, c int) bool { return r < soloSize && c < soloSize && !b.Has(r, c) }
		want := 0
		for r := range soloSize {
			for c := range soloSize {
				right, below, across := empty(r, c) && empty(r, c+1), empty(r, c) && empty(r+1, c), empty(r+1, c+1)
				for _, yes := range []bool{right, below, right && below && across} {
					if yes {
						want++
					}
				}
			}
		}
		if got := room(b); got != want {
			t.Fatalf("%d, by hand %d\n%s", got, want, b.Text(soloSize))
		}
	})
}

func TestOutlookAgreesWithHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := engine.Board(rapid.Uint64().Draw(t, "cells") & rapid.Uint64().Draw(t, "of these"))
		for range rapid.IntRange(0, 2).Draw(t, "lines that lack a cell") {
			r, c := rapid.IntRange(0, 7).Draw(t, "row"), rapid.IntRange(0, 7).Draw(t, "column")
			b = b | engine.Rect(1, 8)<<(8*r)&^engine.Cell(r, c)
		}
		g := enginetest.Of(b)
		empty := func(r, c int) bool { return r >= 0 && c >= 0 && r < soloSize && c < soloSize && !g[r][c] }
		want := 2*7 + 2*room(b)
		for r := range soloSize {
			row, column := 0, 0
			for c := range soloSize {
				n := 0
				for _, q := range [][2]int{{r - 1, c}, {r + 1, c}, {r, c - 1}, {r, c + 1}} {
					if empty(q[0], q[1]) {
						n++
					}
				}
				if empty(r, c) && n == 0 {
					want -= holeLoss
				}
				if empty(r, c) && n == 1 {
					want -= deadLoss
				}
				if empty(r, c) {
					row++
				}
				if empty(c, r) {
					column++
				}
			}
			for _, n := range []int{row, column} {
				if n <= 1 { // 0 has been cleared before anybody asks
					want += nearLine
				}
			}
		}
		for picture, worth := range map[string]int{"###/###/###": squareRoom, "#####": barRoom, "#/#/#/#/#": barRoom} {
			if g.Room(mustPiece(picture)) {
				want += worth
			}
		}
		if got := outlook(7, b); got != want {
			t.Fatalf("%d, by hand %d\n%s", got, want, b.Text(soloSize))
		}
	})
}

// bestByHand tries every way to place a hand and returns the most pieces
// placed and the best value of those.
func bestByHand[T scorer[T]](judge evaluation, p plan[T], placed int) (most, value int) {
	steps := appendSteps(nil, p.board, &p.left)
	if len(steps) == 0 {
		return placed, p.value
	}
	for _, s := range steps {
		m, v := bestByHand(judge, follow(judge, &p, s, placed == 0), placed+1)
		if m > most || m == most && v > value {
			most, value = m, v
		}
	}
	return most, value
}

// With room for every plan, the search of a hand finds what trying everything
// finds; the plan that begins with its step is as good as any.
func TestSearchAgreesWithHand(t *testing.T) {
	pieces := []engine.Piece{}
	for _, text := range []string{"#", "##", "#/#", "###", "##/##", "##/#.", "#####", "#.#/###"} {
		p, err := engine.ParsePiece(text)
		if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, p)
	}
	rapid.Check(t, func(t *rapid.T) {
		// Crowded boards, so that trying everything ends, with an empty cell
		// in each line.
		b := engine.Full(soloSize)
		for r, c := range rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7}).Draw(t, "empty cells") {
			b &^= engine.Cell(r, c)
		}
		for range rapid.IntRange(0, 16).Draw(t, "more") {
			b &^= engine.Cell(rapid.IntRange(0, 7).Draw(t, "row"), rapid.IntRange(0, 7).Draw(t, "column"))
		}
		h := hand{}
		for i := range h {
			h[i] = rapid.SampledFrom(pieces).Draw(t, "piece")
		}
		if len(appendSteps(nil, b, &h)) == 0 {
			return
		}
		judge := []evaluation{{worth: byRoom.worth}, byOutlook}[rapid.IntRange(0, 1).Draw(t, "evaluation")]
		start := plan[classicCount]{board: b, left: h, count: classicCount(rapid.IntRange(0, 3).Draw(t, "combo"))}
		most, value := bestByHand(judge, start, 0)
		s := searchHand(judge, b, h, start.count, 1<<20, 1<<30)
		m, v := bestByHand(judge, follow(judge, &start, s, true), 1)
		if m != most || v != value {
			t.Fatalf("the step found leads to %d pieces and %d, by hand %d and %d\n%s", m, v, most, value, b.Text(soloSize))
		}
	})
}

func TestSearchKeepsItsBudget(t *testing.T) {
	h := hand{1, 3, 0x101}
	for _, nodes := range []int{1, 100, 1000} {
		if s := searchHand(byOutlook, 0, h, classicCount(0), soloWidth, nodes); s.cells == 0 {
			t.Errorf("with %d nodes nothing is found on an empty board", nodes)
		}
	}
}

func BenchmarkSolo(b *testing.B) {
	for _, level := range Levels() {
		b.Run(level.String(), func(b *testing.B) {
			p, s := New(level, 1), streak.New(matchID(1), streak.Counting)
			for b.Loop() {
				if s.Owes() != 0 {
					s = streak.New(matchID(1), streak.Counting)
				}
				s, _, _ = streak.Apply(s, p.Streak(s))
			}
		})
	}
}
