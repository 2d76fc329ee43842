package classic

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/enginetest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func seed(n int) [32]byte {
	return sha256.Sum256(binary.BigEndian.AppendUint32([]byte("classic test game"), uint32(n)))
}

func must(t testing.TB, s State, m engine.Move) (State, Report) {
	t.Helper()
	next, r, err := Apply(s, m)
	if err != nil {
		t.Fatalf("%+v: %v", m, err)
	}
	return next, r
}

func TestTablesAreThePublishedOnes(t *testing.T) {
	for d, want := range map[Difficulty]string{
		Easy:   "b38ec2f3cf78d0e856f192449b0b2db01586ceb528809d86af7b4f44ba02b1c7",
		Medium: "3773ad3dcb3bd79abffc393a79ddafa144f3111e263a94572c7c697bb975889a",
		Hard:   "9bd1b7344a01299f8dc763986bb83ea622735fec30b21f70170f061bc5b99281",
	} {
		var raw []byte
		for _, p := range tables[d] {
			var mask uint32
			for r := range 5 {
				for c := range 5 {
					if p.Cells().Has(r, c) {
						mask |= 1 << (5*r + c)
					}
				}
			}
			raw = binary.BigEndian.AppendUint32(raw, mask)
		}
		sum := sha256.Sum256(raw)
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%v: digest %s, want %s", d, got, want)
		}
	}
}

// firstFit is the first placement there is.
func firstFit(s State) engine.Move {
	for slot := range Tray {
		if spots := s.Piece(slot).Fits(s.board, Size); spots != 0 {
			r, c := spots.First()
			return engine.Move{Kind: engine.Place, Data: PlaceData(slot, r, c)}
		}
	}
	panic("nothing fits")
}

func TestTrayIsRefilledWhenEmpty(t *testing.T) {
	for d := Easy; d <= Hard; d++ {
		s := New(seed(1), d)
		dealt := func(n int) engine.Piece {
			return tables[d][engine.Deal(seed(1)).Draw(uint32(n))%64]
		}
		for n := 0; n < 12 && !s.over; n++ {
			for slot := range Tray {
				want := dealt(n/3*3 + slot)
				if s.tray[slot] != placedSlot && s.Piece(slot) != want {
					t.Errorf("%v, placement %d: slot %d is another shape", d, n, slot)
				}
			}
			m := firstFit(s)
			next, r := must(t, s, m)
			if r.Dealt != (n%3 == 2) {
				t.Errorf("placement %d deals: %v", n, r.Dealt)
			}
			if !r.Dealt {
				if next.Piece(int(m.Data>>8)) != 0 {
					t.Errorf("placement %d leaves its shape in the tray", n)
				}
				if err := next.Check(m); err == nil {
					t.Error("a shape is placed twice")
				}
			}
			s = next
		}
	}
}

// scene puts a single cell, or a 3x3 block, in slot 0, on a board whose first
// rows are full but for it.
func scene(t *testing.T, s State, picture string, rows int) State {
	t.Helper()
	p, err := engine.ParsePiece(picture)
	if err != nil {
		t.Fatal(err)
	}
	s.tray = [Tray]uint8{placedSlot, 0, 0}
	for i, q := range tables[s.difficulty] {
		if p == q {
			s.tray[0] = uint8(i)
		}
	}
	if s.Piece(0) != p {
		t.Fatalf("%s is not in the table", picture)
	}
	s.board = engine.Rect(rows, Size) &^ p.Cells()
	return s
}

func TestPoints(t *testing.T) {
	// Each move: lines cleared, and the points of a 3x3 block that does so.
	for _, c := range []struct{ lines, points []int }{
		{[]int{0}, []int{9}},
		{[]int{1}, []int{9 + 10}},
		{[]int{2}, []int{9 + 40}},
		{[]int{3}, []int{9 + 90}},
		{[]int{1, 1, 1, 2}, []int{19, 19 + 5, 19 + 10, 49 + 30}},
		{[]int{1, 0, 1, 1}, []int{19, 9, 19, 24}},
		{[]int{0, 3, 3}, []int{9, 99, 99 + 15}},
	} {
		s := New(seed(2), Hard)
		total, inRow, best := 0, 0, 0
		for i, n := range c.lines {
			s = scene(t, s, "###/###/###", n)
			var r Report
			s, r = must(t, s, engine.Move{Kind: engine.Place, Data: PlaceData(0, 0, 0)})
			total += c.points[i]
			if inRow++; n == 0 {
				inRow = 0
			}
			best = max(best, inRow)
			if r.Points != c.points[i] || s.Score() != total || r.Lines.Count() != n || s.Combo() != inRow || r.Combo != inRow || s.BestCombo() != best {
				t.Errorf("%v, move %d: %+v, score %d, combo %d, best %d", c.lines, i+1, r, s.Score(), s.Combo(), s.BestCombo())
			}
		}
	}
}

func TestScoreStandsStillAtItsLimit(t *testing.T) {
	s := scene(t, New(seed(3), Easy), "#", 1)
	s.score, s.combo = maxScore-5, 3
	s, _ = must(t, s, engine.Move{Kind: engine.Place, Data: PlaceData(0, 0, 0)})
	if s.Score() != maxScore {
		t.Errorf("%d", s.Score())
	}
}

func TestGameEndsAtItsLimit(t *testing.T) {
	s := scene(t, New(seed(3), Easy), "#", 1)
	s.placements = MaxPlacements - 1
	s, r := must(t, s, engine.Move{Kind: engine.Place, Data: PlaceData(0, 0, 0)})
	if !s.over || !r.Over || s.Owes() != engine.Nobody || s.Awaits() != engine.None {
		t.Errorf("%+v", r)
	}
}

func TestHints(t *testing.T) {
	s := New(seed(4), Medium)
	for range MaxHints {
		before := s
		s, _ = must(t, s, engine.Move{Kind: engine.Hint})
		before.hints++
		if s != before {
			t.Fatal("a hint changes more than its count")
		}
	}
	if s.HintsTaken() != 3 || s.Check(engine.Move{Kind: engine.Hint}) == nil {
		t.Error("a fourth hint")
	}
}

func TestParams(t *testing.T) {
	var g Game
	if g.Rules() != "classic/1" || g.Seats() != 1 {
		t.Error("the ruleset has another name, or other seats")
	}
	for d := Easy; d <= Hard; d++ {
		p, err := g.Start(seed(5), d.Params())
		if err != nil || p != New(seed(5), d) {
			t.Errorf("%v: %v", d, err)
		}
	}
	for _, bad := range [][]byte{nil, {3}, {0, 0}} {
		if _, err := g.Start(seed(5), bad); !errors.Is(err, ErrParams) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestMovesRefused(t *testing.T) {
	s := scene(t, New(seed(6), Hard), "###/###/###", 3)
	fits := PlaceData(0, 0, 0)
	for name, m := range map[string]engine.Move{
		"another seat":  {Seat: 1, Kind: engine.Place, Data: fits},
		"a layer":       {Kind: engine.Place, Data: fits, Layer: [32]byte{1}},
		"off the right": {Kind: engine.Place, Data: PlaceData(0, 4, 6)},
		"below":         {Kind: engine.Place, Data: PlaceData(0, 6, 0)},
		"filled":        {Kind: engine.Place, Data: PlaceData(0, 0, 1)},
		"no such slot":  {Kind: engine.Place, Data: 3 << 8},
		"no such cell":  {Kind: engine.Place, Data: 64},
		"high bits":     {Kind: engine.Place, Data: fits | 1<<40},
		"hint and data": {Kind: engine.Hint, Data: 1},
		"a chance":      {Kind: engine.Chance},
		"a resignation": {Kind: engine.Resign},
		"nothing":       {},
	} {
		var illegal *engine.IllegalMove
		if _, err := s.Apply(m); !errors.As(err, &illegal) || illegal.Move != m {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Apply(engine.Move{Kind: engine.Place, Data: fits}); err != nil {
		t.Error(err)
	}
}

func TestEncodingTellsStatesApart(t *testing.T) {
	base := New(seed(7), Easy)
	seen := map[string]string{}
	change := func(name string, f func(s *State)) {
		s := base
		f(&s)
		for _, key := range []string{string(s.Append(nil)), fmt.Sprint(s.Fields())} {
			if other, dup := seen[key]; dup {
				t.Errorf("%s looks like %s", name, other)
			}
			seen[key] = name
		}
	}
	change("as it was", func(s *State) {})
	change("seed", func(s *State) { s.seed[31]++ })
	change("board", func(s *State) { s.board++ })
	change("score", func(s *State) { s.score++ })
	change("placements", func(s *State) { s.placements++ })
	change("combo", func(s *State) { s.combo++ })
	change("best", func(s *State) { s.best++ })
	change("tray", func(s *State) { s.tray[2] = placedSlot })
	change("difficulty", func(s *State) { s.difficulty = Hard })
	change("hints", func(s *State) { s.hints++ })
	change("over", func(s *State) { s.over = true })
	if n := reflect.TypeFor[State]().NumField(); n != 10 {
		t.Errorf("State has %d fields: the list above is out of date", n)
	}
	if n := len(base.Append(nil)); n != 56 {
		t.Errorf("the encoding has %d bytes", n)
	}
	if base.Digest() != sha256.Sum256(append([]byte("cleave/state/classic/1"), base.Append(nil)...)) {
		t.Error("the digest is not that of the encoding")
	}
}

// TestRecordedGames replays 99 games and holds them to the digest after every
// move. A line is: number, difficulty, score, placements, best combo, hints,
// and SHA-256 of all digests in order.
func TestRecordedGames(t *testing.T) {
	var all strings.Builder
	all.WriteString("# number difficulty score placements best-combo hints sha256-of-digests\n")
	for n := range 99 {
		pick := enginetest.Picks(uint64(n))
		s := New(seed(n), Difficulty(n%3))
		digests := sha256.New()
		for !s.over {
			// The best of a few by points, so that lines clear.
			best := anywhere(pick, s)
			for range 8 {
				m := anywhere(pick, s)
				a, _, _ := Apply(s, m)
				if b, _, _ := Apply(s, best); a.score > b.score {
					best = m
				}
			}
			if n%7 == 0 && s.hints < MaxHints && pick(10) == 0 {
				best = engine.Move{Kind: engine.Hint}
			}
			s, _ = must(t, s, best)
			d := s.Digest()
			digests.Write(d[:])
		}
		if !s.Stuck() || s.Outcome().End != engine.Played || s.Outcome().Rounds != s.Placements() {
			t.Errorf("game %d ends with %+v", n, s.Outcome())
		}
		fmt.Fprintf(&all, "%d %v %d %d %d %d %x\n", n, s.difficulty, s.score, s.placements, s.best, s.hints, digests.Sum(nil))
	}
	const path = "testdata/games.txt"
	if *update {
		if err := os.WriteFile(path, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Recorded(t, all.String(), string(want))
}
