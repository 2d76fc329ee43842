package bot

import (
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/enginetest"
	"pgregory.net/rapid"
)

// A hint is legal, is what the expert's search begins with, and its reason is
// true. What is true is counted here cell by cell, by other means than the hint
// has.
func TestHintsAreTrue(t *testing.T) {
	seen := map[Why]int{}
	rapid.Check(t, func(t *rapid.T) {
		seed := sha256.Sum256(binary.BigEndian.AppendUint32(nil, rapid.Uint32().Draw(t, "seed")))
		s := classic.New(seed, classic.Difficulty(rapid.IntRange(0, 2).Draw(t, "difficulty")))
		player := New(Level(rapid.IntRange(0, 2).Draw(t, "level")), 7)
		for range rapid.IntRange(0, 60).Draw(t, "moves") {
			next, _, err := classic.Apply(s, player.Classic(s))
			if err != nil {
				t.Fatal(err)
			}
			if next.Outcome().Over {
				break
			}
			s = next
		}
		h := ClassicHint(s)
		if err := s.Check(h.Move); err != nil {
			t.Fatal(err)
		}
		tray := hand{s.Piece(0), s.Piece(1), s.Piece(2)}
		if best := searchHand(byOutlook, s.Board(), tray, classicCount(s.Combo()), soloWidth, soloNodes).move(); best != h.Move {
			t.Fatalf("the hint is %v, the best plan begins with %v", h.Move, best)
		}
		if !holds(s, h) {
			t.Fatalf("%+v is not true of\n%s\nwith\n%s\n\n%s\n\n%s", h, s.Board().Text(8), s.Piece(0).Text(), s.Piece(1).Text(), s.Piece(2).Text())
		}
		seen[h.Why]++
	})
	if len(seen) < 5 {
		t.Errorf("only these reasons came up: %v", seen)
	}
}

// grid is a board by its cells.
type grid enginetest.Cells

func gridOf(b engine.Board) grid { return grid(enginetest.Of(b)) }

// put returns the board after a placement and how many lines it completed,
// false if it does not fit.
func (g grid) put(p engine.Piece, r, c int) (grid, int, bool) {
	full, ok := enginetest.Cells(g).Put(p, r, c)
	after, lines := full.Clear()
	return grid(after), lines, ok
}

func (g grid) each(p engine.Piece, f func(after grid, lines, r, c int)) {
	enginetest.Cells(g).Each(p, func(full enginetest.Cells, r, c int) {
		after, lines := full.Clear()
		f(grid(after), lines, r, c)
	})
}

func (g grid) fits(p engine.Piece) bool { return enginetest.Cells(g).Room(p) }

func (g grid) all(left []engine.Piece) bool {
	if len(left) == 0 {
		return true
	}
	for i, p := range left {
		rest := append(append([]engine.Piece{}, left[:i]...), left[i+1:]...)
		ok := false
		g.each(p, func(after grid, _, _, _ int) { ok = ok || after.all(rest) })
		if ok {
			return true
		}
	}
	return false
}

func (g grid) holes() int {
	n := 0
	empty := func(r, c int) bool { return r >= 0 && r < 8 && c >= 0 && c < 8 && !g[r][c] }
	for r := range 8 {
		for c := range 8 {
			if empty(r, c) && !empty(r-1, c) && !empty(r+1, c) && !empty(r, c-1) && !empty(r, c+1) {
				n++
			}
		}
	}
	return n
}

// TestEveryReasonOfAHintIsTrue plays games until each reason has come up several
// times, and holds each hint to the board.
func TestEveryReasonOfAHintIsTrue(t *testing.T) {
	const wanted = 20
	seen := map[Why]int{}
	missing := func() (all []Why) {
		for why := OnlyWay; why <= NoHole; why++ {
			if seen[why] < wanted {
				all = append(all, why)
			}
		}
		return all
	}
	for game := 0; len(missing()) > 0 && game < 400; game++ {
		s := classic.New(matchID(game), classic.Difficulty(game%3))
		player := New([]Level{Beginner, Easy, Medium}[game/3%3], uint64(game))
		for s.Owes() == 0 && s.Placements() < 60 {
			if h := ClassicHint(s); seen[h.Why] < wanted {
				if !holds(s, h) {
					t.Fatalf("game %d, %d placements: %+v is not true", game, s.Placements(), h)
				}
				seen[h.Why]++
			}
			next, _, err := classic.Apply(s, player.Classic(s))
			if err != nil {
				t.Fatal(err)
			}
			s = next
		}
	}
	t.Logf("%v", seen)
	if len(missing()) > 0 {
		t.Errorf("reasons %v came up less than %d times: %v", missing(), wanted, seen)
	}
}

func holds(s classic.State, h Hint) bool {
	g := gridOf(s.Board())
	slot, cell := int(h.Move.Data>>8), int(h.Move.Data&0xff)
	shape := s.Piece(slot)
	after, lines, ok := g.put(shape, cell/8, cell%8)
	if !ok {
		return false
	}
	var rest []engine.Piece
	for i := range classic.Tray {
		if i != slot && s.Piece(i) != 0 {
			rest = append(rest, s.Piece(i))
		}
	}
	others := func(bad func(grid) bool) bool {
		some := false
		g.each(shape, func(b grid, _, r, c int) { some = some || (r*8+c != cell && bad(b)) })
		return some
	}
	most := func(b grid) int {
		n := 0
		for _, p := range rest {
			b.each(p, func(_ grid, lines, _, _ int) { n = max(n, lines) })
		}
		return n
	}
	bars := func(b grid) bool { return b.fits(mustPiece("#####")) && b.fits(mustPiece("#/#/#/#/#")) }
	threes := func(b grid) bool { return b.fits(mustPiece("###/###/###")) }
	switch h.Why {
	case OnlyWay:
		return len(rest) > 0 && after.all(rest) && !others(func(b grid) bool { return b.all(rest) })
	case ManyLines:
		return h.N >= 2 && lines == h.N
	case Combo:
		return lines == h.N && h.N == 1 && s.Combo() > 0
	case OneLine:
		return lines == 1 && h.N == 1
	case RoomForSquare:
		return threes(after) && others(func(b grid) bool { return !threes(b) })
	case RoomForBar:
		return bars(after) && others(func(b grid) bool { return !bars(b) })
	case Ready:
		return most(after) == h.N && most(g) < h.N
	case NoHole:
		return after.holes() <= g.holes() && others(func(b grid) bool { return b.holes() > g.holes() })
	case BestPlan:
		return true // that it begins it, the caller has seen
	}
	return false
}
