package duel

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

// matchID is a match id for tests.
func matchID(n int) [32]byte {
	return sha256.Sum256(binary.BigEndian.AppendUint32([]byte("duel test match"), uint32(n)))
}

// layer is what a seat of a test match reveals in a round.
func layer(id [32]byte, round, seat int) [32]byte {
	return sha256.Sum256(append(id[:], byte(round), byte(seat)))
}

// must applies moves that have to be legal.
func must(t testing.TB, s State, moves ...engine.Move) (State, Report) {
	t.Helper()
	var r Report
	for _, m := range moves {
		next, report, err := Apply(s, m)
		if err != nil {
			t.Fatalf("round %d, %+v: %v", s.Round(), m, err)
		}
		s, r = next, report
	}
	return s, r
}

// reveal makes both reveals of the round.
func reveal(t testing.TB, s State) State {
	t.Helper()
	for s.Awaits() == engine.Reveal {
		seat := s.Owes()
		s, _ = must(t, s, engine.Move{Seat: uint8(seat), Kind: engine.Reveal, Layer: layer(s.match, s.Round(), seat)})
	}
	return s
}

func by(s State, kind engine.Kind, data uint64) engine.Move {
	return engine.Move{Seat: uint8(s.Owes()), Kind: kind, Data: data}
}

// board reads a drawing whose rows are parted by blanks.
func board(t testing.TB, text string) engine.Board {
	t.Helper()
	b, size, err := engine.ParseBoard(strings.Join(strings.Fields(text), "\n"))
	if err != nil || size != Size {
		t.Fatalf("%q is no board: %v", text, err)
	}
	return b
}

// placing returns a state in which seat 1 chose the smaller part of a block
// and both place: seat 0 the larger, 1101 0111 of the counting vector's block
// turned as they come.
func placing(t testing.TB, boards [2]engine.Board) (State, Report) {
	t.Helper()
	s := State{match: matchID(0), round: 1, phase: phaseChoose, block: 0x05df, split: 0x0111, first: 0, boards: boards}
	return must(t, s, engine.Move{Seat: 1, Kind: engine.Choose})
}

func TestLinePoints(t *testing.T) {
	for k, want := range []int{0, 10, 30, 60, 100, 150} {
		if got := LinePoints(k); got != want {
			t.Errorf("%d lines give %d points, want %d", k, got, want)
		}
	}
}

func TestRevealsComeInOrder(t *testing.T) {
	for n := range 20 {
		s := New(matchID(n))
		if s.Splitter() != engine.Nobody || s.Chooser() != engine.Nobody || s.Owes() != 0 {
			t.Fatalf("before the first reveal: splitter %d, owes %d", s.Splitter(), s.Owes())
		}
		l0, l1 := layer(s.match, 1, 0), layer(s.match, 1, 1)
		if err := s.Check(engine.Move{Seat: 1, Kind: engine.Reveal, Layer: l1}); err == nil {
			t.Fatal("seat 1 may reveal first in round 1")
		}
		s = reveal(t, s)
		random := RoundBytes(s.match, 1, l0, l1)
		if s.Block() != Draw(random) || s.Splitter() != FirstSplitter(random) || s.Splitter() == s.Chooser() {
			t.Fatalf("block %04x by %d", uint16(s.Block()), s.Splitter())
		}
		first := s.Splitter()
		for round := 1; round <= Rounds; round++ {
			if want := first ^ (round+1)&1; s.Splitter() != want {
				t.Fatalf("round %d is split by %d, want %d", round, s.Splitter(), want)
			}
			if s.layer != [32]byte{} {
				t.Fatal("a layer is kept after both were revealed")
			}
			s = playRound(t, s)
			if round < Rounds {
				if s.Owes() != s.Chooser() {
					t.Fatalf("round %d: seat %d reveals first, want the chooser %d", s.Round(), s.Owes(), s.Chooser())
				}
				s = reveal(t, s)
				if want := Draw(RoundBytes(s.match, round+1, layer(s.match, round+1, 0), layer(s.match, round+1, 1))); s.Block() != want {
					t.Fatalf("round %d: block %04x, want %04x", round+1, uint16(s.Block()), uint16(want))
				}
			}
		}
	}
}

// playRound makes the first legal decision of each.
func playRound(t testing.TB, s State) State {
	t.Helper()
	for round := s.Round(); !s.Over() && s.Round() == round; {
		s, _ = must(t, s, by(s, s.Awaits(), firstLegal(s)))
	}
	return s
}

func firstLegal(s State) uint64 {
	switch s.Awaits() {
	case engine.Split:
		masks, _ := s.Block().Splits()
		return uint64(masks[0])
	case engine.Place:
		return uint64(legalPlacements(s, s.Owes())[0])
	}
	return 0
}

func legalPlacements(s State, seat int) []engine.Board {
	turns := s.Piece(seat).Turns()
	all := turns.AppendPlacements(nil, s.Board(seat), Size)
	slices.Sort(all)
	return all
}

func TestChooserTakesAndSplitterGetsTheOther(t *testing.T) {
	for taken := range 2 {
		s := reveal(t, New(matchID(1)))
		splitter, chooser := s.Splitter(), s.Chooser()
		masks, _ := s.Block().Splits()
		s, _ = must(t, s, by(s, engine.Split, uint64(masks[1])))
		if s.Owes() != chooser || s.Split() != masks[1] {
			t.Fatal("the split is not as it was made, or the chooser does not owe")
		}
		s, r := must(t, s, by(s, engine.Choose, uint64(taken)))
		parts := s.Parts()
		if s.Piece(chooser) != parts[taken] || s.Piece(splitter) != parts[1-taken] || parts[0].Size() >= parts[1].Size() {
			t.Errorf("took %d of %v: chooser has %x, splitter %x", taken, parts, s.Piece(chooser), s.Piece(splitter))
		}
		if got, ok := s.Choice(); !ok || got != taken || !r.Chosen || r.Taken != taken {
			t.Errorf("choice reads back as %d, %v", got, ok)
		}
	}
}

func TestLinesScoreAndClearAtOnce(t *testing.T) {
	// The piece of seat 1 is ###, standing or lying.
	for _, c := range []struct {
		name          string
		before, cells string
		after         string
		points        int
	}{
		{"one row", "...### ...... ...... ...... ...... ......", "###... ...... ...... ...... ...... ......",
			"...... ...... ...... ...... ...... ......", 10},
		{"one column", "#..... #..... #..... ...... ...... ......", "...... ...... ...... #..... #..... #.....",
			"...... ...... ...... ...... ...... ......", 10},
		{"three rows", ".##### .##### .##### ...... ..#... ......", "#..... #..... #..... ...... ...... ......",
			"...... ...... ...... ...... ..#... ......", 60},
		{"three rows and a column", ".##### .##### .##### #..... #.#... #.....", "#..... #..... #..... ...... ...... ......",
			"...... ...... ...... ...... ..#... ......", 100},
		{"no line", "...... ...... ...... ...... ..#... ......", "#..... #..... #..... ...... ...... ......",
			"#..... #..... #..... ...... ..#... ......", 0},
	} {
		s, _ := placing(t, [2]engine.Board{0, board(t, c.before)})
		s, r := must(t, s, engine.Move{Seat: 1, Kind: engine.Place, Data: uint64(board(t, c.cells))})
		if got := s.Board(1); got != board(t, c.after) {
			t.Errorf("%s:\n%s", c.name, got.Text(Size))
		}
		if s.Score(1) != c.points || r.Points != [2]int{0, c.points} || LinePoints(r.Lines.Count()) != c.points {
			t.Errorf("%s: score %d, report %+v, want %d", c.name, s.Score(1), r.Points, c.points)
		}
		if r.Placed != board(t, c.cells) || r.Cleared != (board(t, c.before)|r.Placed)&^s.Board(1) {
			t.Errorf("%s: report %+v", c.name, r)
		}
		if s.Board(0) != 0 || s.Score(0) != 0 {
			t.Errorf("%s: the other board changed", c.name)
		}
	}
}

func TestPlacementsRefused(t *testing.T) {
	s, _ := placing(t, [2]engine.Board{0, board(t, "#..... ...... ...... ...... ...... ......")})
	for name, data := range map[string]uint64{
		"on a filled cell":          0b111,
		"off the right edge":        0b111 << 4,
		"below the board":           0b111 << (8 * 6),
		"another piece":             0b11 << 1,
		"nothing":                   0,
		"everything":                ^uint64(0),
		"wrapped into the next row": 1<<5 | 1<<8 | 1<<9,
		"the other's piece":         uint64(s.Piece(0)) << 16,
	} {
		m := engine.Move{Seat: 1, Kind: engine.Place, Data: data}
		var illegal *engine.IllegalMove
		if _, err := s.Apply(m); !errors.As(err, &illegal) || illegal.Move != m || illegal.Reason == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMirroredPieceIsRefused(t *testing.T) {
	// 6c00 of block 6f31 is an S, whose mirror image is a Z.
	s := State{match: matchID(0), round: 1, phase: phaseChoose, block: 0x6f31, split: 0x6c00}
	s, _ = must(t, s, engine.Move{Seat: 1, Kind: engine.Choose})
	p := s.Piece(1)
	var mirrored engine.Board
	for r := range p.Height() {
		for c := range p.Width() {
			if p.Cells().Has(r, c) {
				mirrored |= engine.Cell(r, p.Width()-1-c)
			}
		}
	}
	if err := s.Check(engine.Move{Seat: 1, Kind: engine.Place, Data: uint64(p)}); err != nil {
		t.Error(err)
	}
	if err := s.Check(engine.Move{Seat: 1, Kind: engine.Place, Data: uint64(mirrored)}); err == nil {
		t.Errorf("a mirrored piece was taken:\n%s\nfor\n%s", mirrored.Text(Size), p.Text())
	}
}

// crowdedBoard has no three empty cells in a row, so the bar of three fits
// nowhere.
const crowdedBoard = "##.##. .##.## ##.##. .##.## ##.##. .##.##"

func TestBlockedIsSettledWithTheChoice(t *testing.T) {
	s, r := placing(t, [2]engine.Board{0, board(t, crowdedBoard)})
	if s.Score(1) != -8 || r.Points != [2]int{0, -8} || r.Blocked != [2]bool{false, true} {
		t.Errorf("score %d, report %+v", s.Score(1), r)
	}
	if s.Owes() != 0 || s.Owed(1) || s.MayDecide(1) != engine.None || r.RoundEnded {
		t.Error("who is blocked is asked for a placement")
	}
	if s.Board(1) != board(t, crowdedBoard) {
		t.Error("a blocked piece changed the board")
	}
	if err := s.Check(engine.Move{Seat: 1, Kind: engine.Flag}); err == nil {
		t.Error("who is blocked may flag")
	}
	s, r = must(t, s, engine.Move{Seat: 0, Kind: engine.Place, Data: uint64(legalPlacements(s, 0)[0])})
	if !r.RoundEnded || s.Round() != 2 || s.Awaits() != engine.Reveal || s.Block() != 0 || s.Split() != 0 || s.Piece(0) != 0 {
		t.Error("the round does not end with the only placement")
	}
}

func TestBothBlockedEndsTheRound(t *testing.T) {
	full := board(t, crowdedBoard)
	s, r := placing(t, [2]engine.Board{full, full})
	if !r.RoundEnded || r.Blocked != [2]bool{true, true} || r.Points != [2]int{-8, -8} {
		t.Errorf("report %+v", r)
	}
	if s.Round() != 2 || s.Awaits() != engine.Reveal || s.Owes() != s.Chooser() {
		t.Errorf("round %d awaits %d of seat %d", s.Round(), s.Awaits(), s.Owes())
	}
}

func TestBothMayDecideWhileTheyPlace(t *testing.T) {
	s, _ := placing(t, [2]engine.Board{})
	chooser := engine.Move{Seat: 1, Kind: engine.Place, Data: uint64(legalPlacements(s, 1)[0])}
	splitter := engine.Move{Seat: 0, Kind: engine.Place, Data: uint64(legalPlacements(s, 0)[0])}
	if s.MayDecide(0) != engine.Place || s.MayDecide(1) != engine.Place || s.Owes() != 1 {
		t.Fatal("both decide, and the chooser owes")
	}
	for _, m := range []engine.Move{chooser, splitter, {Seat: 0, Kind: engine.Flag}, {Seat: 1, Kind: engine.Flag}} {
		if err := s.Check(m); err != nil {
			t.Errorf("%+v: %v", m, err)
		}
	}
	if _, err := s.Apply(splitter); err == nil {
		t.Error("the splitter's entry stands before the chooser's")
	}
	if _, err := s.Apply(engine.Move{Seat: 0, Kind: engine.Flag}); err == nil {
		t.Error("the splitter's flag stands before the chooser's entry")
	}
	s, _ = must(t, s, chooser)
	if s.MayDecide(1) != engine.None || s.MayDecide(0) != engine.Place || s.Owes() != 0 {
		t.Error("after the chooser the splitter owes, and only he decides")
	}
	s, r := must(t, s, splitter)
	if !r.RoundEnded || s.Board(0) != engine.Board(splitter.Data) || s.Board(1) != engine.Board(chooser.Data) {
		t.Error("each board has not its placement")
	}
}

func TestFlagsTakeTheStatedOption(t *testing.T) {
	for i := range Blocks {
		b := BlockAt(i)
		s := State{match: matchID(0), round: 1, phase: phaseSplit, block: b}
		s, r := must(t, s, engine.Move{Seat: 0, Kind: engine.Flag})
		masks, n := b.Splits()
		want := uint16(0)
		for _, m := range masks[:n] {
			if engine.Board(m).Count() == 4 && (want == 0 || m < want) {
				want = m
			}
		}
		if s.Split() != want || r.Split != want || !r.Flagged {
			t.Fatalf("%04x: a flag splits off %04x, want %04x", uint16(b), s.Split(), want)
		}
		s, r = must(t, s, engine.Move{Seat: 1, Kind: engine.Flag})
		if taken, _ := s.Choice(); taken != 1 || r.Taken != 1 || s.Piece(1).Size() != 5 {
			t.Fatal("a flag does not take the larger piece")
		}
		s, r = must(t, s, engine.Move{Seat: 1, Kind: engine.Flag})
		if s.Score(1) != -5 || r.Points != [2]int{0, -5} || s.Board(1) != 0 || s.Owes() != 0 {
			t.Fatal("a flag does not cost 5 and the piece")
		}
	}
}

// idleMatch plays with each seat flagging everything in the rounds of its set
// (bit r for round r).
func idleMatch(t *testing.T, flags [2]uint) State {
	t.Helper()
	s := New(matchID(5))
	for !s.Over() {
		s = reveal(t, s)
		kind, data := s.Awaits(), firstLegal(s)
		if flags[s.Owes()]>>s.Round()&1 != 0 {
			kind, data = engine.Flag, 0
		}
		s, _ = must(t, s, by(s, kind, data))
	}
	return s
}

func TestIdleForfeit(t *testing.T) {
	for _, c := range []struct {
		name   string
		flags  [2]uint
		end    engine.End
		winner int
		rounds int
	}{
		{"two rounds in a row", [2]uint{0b110, 0}, engine.Forfeited, 1, 2},
		{"the other seat", [2]uint{0, 0b110000}, engine.Forfeited, 0, 5},
		{"both in the same rounds", [2]uint{0b1100, 0b1100}, engine.NoResult, engine.Nobody, 3},
		{"one round late", [2]uint{0b110, 0b1100}, engine.Forfeited, 1, 2},
		{"every other round", [2]uint{0b010101010, 0}, engine.Played, 1, 8},
		{"the last two rounds", [2]uint{0b110000000, 0}, engine.Forfeited, 1, 8},
		{"the first and the last", [2]uint{0, 0b100000010}, engine.Played, 0, 8},
	} {
		s := idleMatch(t, c.flags)
		o := s.Outcome()
		if o.End != c.end || o.Rounds != c.rounds || c.end != engine.Played && o.Winner != c.winner {
			t.Errorf("%s: %+v", c.name, o)
		}
		if s.Owes() != engine.Nobody || s.Awaits() != engine.None || s.MayDecide(0) != engine.None || !o.Over {
			t.Errorf("%s: something is awaited after the end", c.name)
		}
	}
}

// A round with one decision, whichever, breaks the row: only rounds of nothing
// but flags count.
func TestOneDecisionBreaksTheRow(t *testing.T) {
	s := New(matchID(6))
	for s.Round() < 3 {
		s = reveal(t, s)
		kind, data := s.Awaits(), firstLegal(s)
		if s.Owes() == 0 && !(s.Round() == 2 && kind == engine.Place) {
			kind, data = engine.Flag, 0
		}
		s, _ = must(t, s, by(s, kind, data))
		if s.Round() == 2 && s.phase == phaseReveal1 && s.IdleRounds(0) != 1 {
			t.Fatalf("after a round of flags the row is %d", s.IdleRounds(0))
		}
	}
	if s.IdleRounds(0) != 0 || s.Over() {
		t.Errorf("row %d, over %v", s.IdleRounds(0), s.Over())
	}
}

// A round in which a seat had nothing to decide neither counts nor breaks the
// row. Everybody splits or chooses, so no match comes to it; the rule is kept
// by the step that ends a round.
func TestRoundWithoutADecisionLeavesTheRow(t *testing.T) {
	s := State{round: 4, phase: phasePlace, idle: [2]idle{idleRow, idleRow | idleFlagged}}
	var r Report
	s.endRound(&r)
	if s.idle[0] != idleRow || s.departed != 2 || s.end != engine.Forfeited {
		t.Errorf("rows %d and %d, end %d", s.idle[0].row(), s.idle[1].row(), s.end)
	}
}

func TestResignation(t *testing.T) {
	s := New(matchID(7))
	for n := 0; !s.Over(); n++ {
		for seat := range 2 {
			m := engine.Move{Seat: uint8(seat), Kind: engine.Resign}
			if err := s.Check(m); err != nil {
				t.Fatalf("move %d: %v", n, err)
			}
			gone, r := must(t, s, m)
			o := gone.Outcome()
			if o.End != engine.Resigned || o.Winner != 1-seat || o.Rounds != s.Round()-1 || !r.Over || gone.Owes() != engine.Nobody {
				t.Fatalf("move %d: %+v", n, o)
			}
			if gone.Board(0) != s.Board(0) || gone.Block() != s.Block() {
				t.Fatal("a resignation changes more than the end")
			}
		}
		if s.Awaits() == engine.Reveal {
			seat := s.Owes()
			s, _ = must(t, s, engine.Move{Seat: uint8(seat), Kind: engine.Reveal, Layer: layer(s.match, s.Round(), seat)})
		} else {
			s, _ = must(t, s, by(s, s.Awaits(), firstLegal(s)))
		}
	}
	if err := s.Check(engine.Move{Kind: engine.Resign}); err == nil {
		t.Error("a resignation after the end")
	}
}

func TestOutcomeByPoints(t *testing.T) {
	for _, c := range []struct {
		scores [2]int16
		winner int
	}{{[2]int16{10, 0}, 0}, {[2]int16{-8, -3}, 1}, {[2]int16{-8, -8}, engine.Nobody}, {[2]int16{0, 0}, engine.Nobody}} {
		s := State{round: Rounds, phase: phaseDone, end: engine.Played, scores: c.scores}
		o := s.Outcome()
		if o.Winner != c.winner || o.Rounds != 8 || o.Score != [2]int32{int32(c.scores[0]), int32(c.scores[1])} {
			t.Errorf("%v: %+v", c.scores, o)
		}
	}
}

func TestEachPieceFitsAnEmptyBoard(t *testing.T) {
	for i := range Shapes {
		turns := ShapeTurns(i)
		if !turns.Fits(0, Size) {
			t.Errorf("shape %d does not fit", i)
		}
	}
}

func TestStart(t *testing.T) {
	var g Game
	p, err := g.Start(matchID(1), nil)
	if err != nil || p != New(matchID(1)) {
		t.Errorf("%v, %v", p, err)
	}
	if _, err := g.Start(matchID(1), []byte{0}); !errors.Is(err, ErrParams) {
		t.Errorf("params: %v", err)
	}
	if g.Rules() != "duel/1" || g.Seats() != 2 {
		t.Error("the ruleset has another name, or other seats")
	}
}

// Each phase against each kind from each seat: what is refused is refused with
// the move kept, and nothing that Check refuses is applied.
func TestOnlyWhatIsAwaitedIsTaken(t *testing.T) {
	s := New(matchID(8))
	for !s.Over() {
		legal := uint64(0)
		if s.Awaits() != engine.Reveal {
			legal = firstLegal(s)
		}
		for seat := range uint8(4) {
			for kind := range engine.Kind(10) {
				m := engine.Move{Seat: seat, Kind: kind}
				if kind == s.Awaits() {
					m.Data = legal
				}
				owes := int(seat) == s.Owes()
				timed := s.Awaits() != engine.Reveal
				want := seat < 2 && (kind == engine.Resign || owes && (kind == s.Awaits() || kind == engine.Flag && timed))
				_, err := s.Apply(m)
				if (err == nil) != want {
					t.Fatalf("phase %d, %+v: %v", s.phase, m, err)
				}
				if err == nil && s.Check(m) != nil {
					t.Fatalf("phase %d, %+v is applied and not checked", s.phase, m)
				}
				// Fields that the kind does not use must be zero.
				if want && kind != engine.Reveal {
					m.Layer[31] = 1
					if _, err := s.Apply(m); err == nil {
						t.Fatalf("phase %d, %+v: a layer was taken", s.phase, m)
					}
				}
				if want && (kind == engine.Flag || kind == engine.Resign || kind == engine.Reveal) {
					m.Layer, m.Data = [32]byte{}, 1
					if _, err := s.Apply(m); err == nil {
						t.Fatalf("phase %d, %+v: data was taken", s.phase, m)
					}
				}
			}
		}
		if s.Awaits() == engine.Reveal {
			seat := s.Owes()
			s, _ = must(t, s, engine.Move{Seat: uint8(seat), Kind: engine.Reveal, Layer: layer(s.match, s.Round(), seat)})
		} else {
			s, _ = must(t, s, by(s, s.Awaits(), legal))
		}
	}
}
