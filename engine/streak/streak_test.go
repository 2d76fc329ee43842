package streak

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
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func seed(n int) [32]byte {
	return sha256.Sum256(binary.BigEndian.AppendUint32([]byte("streak test run"), uint32(n)))
}

func must(t testing.TB, s State, m engine.Move) (State, Report) {
	t.Helper()
	next, r, err := Apply(s, m)
	if err != nil {
		t.Fatalf("%+v: %v", m, err)
	}
	return next, r
}

func TestTableIsThePublishedOne(t *testing.T) {
	var raw []byte
	for _, p := range table {
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
	const want = "e890537d778b5dd953bd5452742a0b39a19bdadef3095ed57b6a05262949c5b9"
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

func TestDealIsTheTableInOrder(t *testing.T) {
	s := New(seed(1), Counting)
	for n := range uint32(3) {
		if s.Piece(int(n)) != DealtPiece(seed(1), n) {
			t.Errorf("piece %d of the first hand is another", n)
		}
	}
	for n := uint32(3); n < 40 && !s.over; n++ {
		m := firstFit(s)
		slot := int(m.Data >> 8)
		next, r := must(t, s, m)
		if want := DealtPiece(seed(1), n); r.Dealt != want || next.Piece(slot) != want {
			t.Errorf("piece %d is another", n)
		}
		for other := range Hand {
			if other != slot && next.hand[other] != s.hand[other] {
				t.Errorf("piece %d refills slot %d too", n, other)
			}
		}
		s = next
	}
}

// firstFit is the first placement there is.
func firstFit(s State) engine.Move {
	for slot := range Hand {
		if spots := s.Piece(slot).Fits(s.board, Size); spots != 0 {
			r, c := spots.First()
			return engine.Move{Kind: engine.Place, Data: PlaceData(slot, r, c)}
		}
	}
	return engine.Move{Kind: engine.Chance}
}

// scene returns a state in which the piece of a picture is in slot 0, and the
// first rows but for that piece's cells in the top left are full.
func scene(t *testing.T, s State, picture string, rows int) State {
	t.Helper()
	p, err := engine.ParsePiece(picture)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range table {
		if p == q {
			s.hand[0] = uint8(i)
		}
	}
	if s.Piece(0) != p {
		t.Fatalf("%s is not in the table", picture)
	}
	s.board = engine.Rect(rows, Size) &^ p.Cells()
	return s
}

func TestWorkedExample(t *testing.T) {
	s := New(seed(2), Counting)
	for i, c := range []struct {
		picture             string
		lines, points, sum  int
		streak, multiplier  int
		roundEnded, forgive bool
	}{
		{"##/##", 0, 16, 16, 0, 0, false, false},
		{"#####", 1, 20 + 80, 116, 1, 1, false, false},
		{"###", 0, 12, 128, 1, 0, true, false},
		{"##/##", 2, 16 + 240*2, 624, 2, 2, false, false},
		{"#", 1, 4 + 80*2, 788, 2, 2, false, false},
		{"#####", 0, 20, 808, 2, 0, true, false},
	} {
		s = scene(t, s, c.picture, c.lines)
		var r Report
		s, r = must(t, s, engine.Move{Kind: engine.Place, Data: PlaceData(0, 0, 0)})
		if r.Points.Sum() != c.points || s.Score() != c.sum || s.tally.Streak() != c.streak || r.Points.Multiplier != c.multiplier ||
			r.RoundEnded != c.roundEnded || s.tally.Forgiven() != c.forgive || r.Lines.Count() != c.lines {
			t.Errorf("placement %d: %+v, score %d, streak %d", i+1, r, s.Score(), s.tally.Streak())
		}
	}
	if s.BestCombo() != 2 {
		t.Errorf("best combo %d", s.BestCombo())
	}
}

// round plays three pieces, with a clear at the places of the mask.
func round(t *testing.T, s State, clears uint) State {
	t.Helper()
	for i := range RoundLen {
		s = scene(t, s, "#", int(clears>>i&1))
		s, _ = must(t, s, engine.Move{Kind: engine.Place, Data: PlaceData(0, 0, 0)})
	}
	return s
}

func TestStreakByRounds(t *testing.T) {
	for _, c := range []struct {
		rounds []uint // clears of each round
		want   []int  // streak after each
		score  int
	}{
		{[]uint{1, 1, 1, 1, 1, 1, 1}, []int{1, 2, 3, 4, 5, 6, 7}, 7*12 + 80*(1+2+3+4+5+5+5)},
		{[]uint{1, 0, 1, 0, 0, 1}, []int{1, 1, 2, 2, 0, 1}, 6*12 + 80*(1+2+1)},
		{[]uint{7, 7}, []int{1, 2}, 2*12 + 80*(3+3*2)},
		{[]uint{0, 0, 0, 4}, []int{0, 0, 0, 1}, 4*12 + 80},
		{[]uint{4, 0, 4, 0, 4}, []int{1, 1, 2, 2, 3}, 5*12 + 80*(1+2+3)},
	} {
		s := New(seed(3), Counting)
		for i, clears := range c.rounds {
			if s = round(t, s, clears); s.tally.Streak() != c.want[i] {
				t.Errorf("%v: streak %d after round %d, want %d", c.rounds, s.tally.Streak(), i+1, c.want[i])
			}
		}
		if s.Score() != c.score {
			t.Errorf("%v: %d points, want %d", c.rounds, s.Score(), c.score)
		}
	}
}

func TestLargestPlacement(t *testing.T) {
	// A bar of five completes five rows and its column; with the sixth line
	// every table entry is met.
	for n, want := range []int{0, 80, 240, 460, 740, 1060, 1400} {
		if LinePoints(n) != want {
			t.Errorf("%d lines: %d, want %d", n, LinePoints(n), want)
		}
	}
	s := scene(t, New(seed(4), Counting), "#/#/#/#/#", 5)
	s.board |= engine.Cell(5, 0) | engine.Cell(6, 0) | engine.Cell(7, 0)
	s.tally.streak = 9
	s, r := must(t, s, engine.Move{Kind: engine.Place, Data: PlaceData(0, 0, 0)})
	if r.Points.Sum() != 7020 || s.BestCombo() != 6 || s.board != 0 {
		t.Errorf("%+v", r)
	}
}

func TestNoPieceCompletesMoreThanSix(t *testing.T) {
	for _, p := range table {
		if n := p.Height() + p.Width(); n > 6 {
			t.Errorf("%d lines by\n%s", n, p.Text())
		}
	}
}

// playOut plays first fits to the end, taking second chances.
func playOut(t testing.TB, s State) State {
	for !s.over {
		s, _ = must(t, s, firstFit(s))
	}
	return s
}

func TestSecondChances(t *testing.T) {
	counting, training := playOut(t, New(seed(5), Counting)), New(seed(5), Training)
	for taken := range MaxChances {
		for training.Awaits() != engine.Chance {
			if err := training.Check(engine.Move{Kind: engine.Chance}); err == nil {
				t.Fatal("a second chance while a piece fits")
			}
			training, _ = must(t, training, firstFit(training))
		}
		if taken == 0 && (training.score != counting.score || training.board != counting.board) {
			t.Error("training plays differently up to the first end")
		}
		if training.over || !training.Stuck() || training.Owes() != 0 {
			t.Fatal("stuck, with a chance left, is not the end")
		}
		if err := training.Check(engine.Move{Kind: engine.Chance, Data: 1}); err == nil {
			t.Error("a second chance with data")
		}
		before := training
		var r Report
		training, r = must(t, training, engine.Move{Kind: engine.Chance})
		before.board = 0
		before.chances++
		if training != before || r.Points.Sum() != 0 {
			t.Errorf("a second chance changes more than the board: %+v", r)
		}
	}
	training = playOut(t, training)
	if training.ChancesTaken() != MaxChances || training.Owes() != engine.Nobody || !training.Stuck() {
		t.Errorf("the run ends after %d chances", training.ChancesTaken())
	}
	if !counting.over || counting.Check(engine.Move{Kind: engine.Chance}) == nil {
		t.Error("a counting run has a second chance")
	}
	if o := counting.Outcome(); !o.Over || o.End != engine.Played || o.Winner != engine.Nobody || o.Rounds != counting.Placements() {
		t.Errorf("%+v", o)
	}
}

func TestRunEndsAtItsLimit(t *testing.T) {
	s := scene(t, New(seed(6), Training), "#", 1)
	s.placements = MaxPlacements - 1
	s, r := must(t, s, engine.Move{Kind: engine.Place, Data: PlaceData(0, 0, 0)})
	if !s.over || !r.Over || s.Stuck() || s.Placements() != MaxPlacements {
		t.Errorf("%+v", r)
	}
}

func TestParams(t *testing.T) {
	var g Game
	if g.Rules() != "streak/1" || g.Seats() != 1 {
		t.Error("the ruleset has another name, or other seats")
	}
	for _, m := range []Mode{Counting, Training} {
		p, err := g.Start(seed(7), m.Params())
		if err != nil || p != New(seed(7), m) {
			t.Errorf("mode %d: %v", m, err)
		}
	}
	for _, bad := range [][]byte{nil, {2}, {255}, {0, 0}} {
		if _, err := g.Start(seed(7), bad); !errors.Is(err, ErrParams) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestMovesRefused(t *testing.T) {
	s := scene(t, New(seed(8), Counting), "#####", 1)
	fits := PlaceData(0, 0, 0)
	for name, m := range map[string]engine.Move{
		"another seat":  {Seat: 1, Kind: engine.Place, Data: fits},
		"a layer":       {Kind: engine.Place, Data: fits, Layer: [32]byte{1}},
		"off the right": {Kind: engine.Place, Data: PlaceData(0, 1, 4)},
		"filled":        {Kind: engine.Place, Data: PlaceData(0, 0, 1)},
		"no such slot":  {Kind: engine.Place, Data: 3 << 8},
		"no such cell":  {Kind: engine.Place, Data: 64},
		"high bits":     {Kind: engine.Place, Data: fits | 1<<40},
		"a hint":        {Kind: engine.Hint},
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
	base := New(seed(9), Counting)
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
	change("streak", func(s *State) { s.tally.streak++ })
	change("hand", func(s *State) { s.hand[2]++ })
	change("mode", func(s *State) { s.mode = Training })
	change("placed", func(s *State) { s.tally.placed++ })
	change("cleared", func(s *State) { s.tally.cleared = true })
	change("forgiven", func(s *State) { s.tally.forgiven = true })
	change("best", func(s *State) { s.best++ })
	change("chances", func(s *State) { s.chances++ })
	change("over", func(s *State) { s.over = true })
	if n := reflect.TypeFor[State]().NumField(); n != 10 {
		t.Errorf("State has %d fields: the list above is out of date", n)
	}
	if n := len(base.Append(nil)); n != 57 {
		t.Errorf("the encoding has %d bytes", n)
	}
	if base.Digest() != sha256.Sum256(append([]byte("cleave/state/streak/1"), base.Append(nil)...)) {
		t.Error("the digest is not that of the encoding")
	}
}

// randomMove picks a slot that fits and one of its spots.
func randomMove(s State, pick enginetest.Pick) engine.Move {
	if s.Stuck() {
		return engine.Move{Kind: engine.Chance}
	}
	for {
		slot := pick(Hand)
		if spots := s.Piece(slot).Fits(s.board, Size); spots != 0 {
			r, c := pick.Spot(spots)
			return engine.Move{Kind: engine.Place, Data: PlaceData(slot, r, c)}
		}
	}
}

// TestRecordedRuns replays 100 runs and holds them to the digest after every
// move. A line is: number, mode, score, placements, best combo, second chances,
// and SHA-256 of all digests in order.
func TestRecordedRuns(t *testing.T) {
	var all strings.Builder
	all.WriteString("# number mode score placements best-combo chances sha256-of-digests\n")
	for n := range 100 {
		pick := enginetest.Picks(uint64(n))
		s := New(seed(n), Mode(n%2))
		digests := sha256.New()
		for !s.over {
			// The best of a few by points, so that lines clear.
			best := randomMove(s, pick)
			for range 8 {
				m := randomMove(s, pick)
				a, _, _ := Apply(s, m)
				if b, _, _ := Apply(s, best); a.score > b.score {
					best = m
				}
			}
			s, _ = must(t, s, best)
			d := s.Digest()
			digests.Write(d[:])
		}
		fmt.Fprintf(&all, "%d %d %d %d %d %d %x\n", n, s.mode, s.score, s.placements, s.best, s.chances, digests.Sum(nil))
	}
	const path = "testdata/runs.txt"
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

// Scores against a count that knows nothing of State.
func TestScoreAgreesWithHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New(seed(rapid.IntRange(0, 1<<30).Draw(t, "seed")), Training)
		score, streak, dry, clears, placed := 0, 0, 0, 0, 0
		for range rapid.IntRange(1, 200).Draw(t, "moves") {
			if s.over {
				break
			}
			var m engine.Move
			for i := range 6 {
				try := randomMove(s, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") })
				a, _, _ := Apply(s, try)
				if b, _, _ := Apply(s, m); i == 0 || a.score > b.score {
					m = try
				}
			}
			next, r, err := Apply(s, m)
			if err != nil {
				t.Fatal(err)
			}
			if m.Kind == engine.Place {
				score += 4 * s.Piece(int(m.Data>>8)).Size()
				if n := r.Lines.Count(); n > 0 {
					clears++
					if clears == 1 {
						streak++
					}
					score += []int{0, 80, 240, 460, 740, 1060, 1400}[n] * min(streak, 5)
				}
				if placed++; placed%3 == 0 {
					if clears > 0 {
						dry = 0
					} else if dry++; dry >= 2 {
						streak = 0
					}
					clears = 0
				}
			}
			if next.Score() != score || next.tally.Streak() != streak {
				t.Fatalf("%d points, streak %d; by hand %d, %d", next.Score(), next.tally.Streak(), score, streak)
			}
			s = next
		}
	})
}
