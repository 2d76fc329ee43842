package players

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// typed is what a person types to make a move, and to confirm it.
func typed(s duel.State, m engine.Move) string {
	switch m.Kind {
	case engine.Split:
		return partLetters(s.Block(), uint16(m.Data)) + "\n\n"
	case engine.Choose:
		return fmt.Sprintf("%d\n", m.Data+1)
	case engine.Place:
		turns := s.Piece(int(m.Seat)).Turns()
		p := engine.NewPiece(engine.Board(m.Data))
		for i, q := range turns.Pieces[:turns.N] {
			if p != q {
				continue
			}
			for r := range duel.Size {
				for c := range duel.Size {
					if p.At(r, c) == engine.Board(m.Data) {
						return placement(turns, i, r, c) + "\n\n"
					}
				}
			}
		}
	}
	panic("no such move")
}

// script is what a person types who plays a whole match as a bot would.
func script(t testing.TB, s duel.State, me int, mine, theirs *bot.Player) string {
	var all strings.Builder
	for !s.Over() {
		s = reveal(t, s)
		seat := s.Owes()
		p := theirs
		if seat == me {
			p = mine
		}
		m := p.Decide(s, seat)
		if seat == me {
			all.WriteString(typed(s, m))
		}
		s, _ = apply(t, s, m)
	}
	return all.String()
}

// What a person sees of a whole match, among others wrong answers and help.
func TestHumanTranscript(t *testing.T) {
	s := start(t)
	mine, theirs := bot.New(bot.Hard, 1), bot.New(bot.Medium, 2)
	in := "\nfoo\nab\nabi\nhelp\nboards\nquit\nresign\nno\n" + script(t, s, 0, mine, theirs)
	var out bytes.Buffer
	h := NewHuman(strings.NewReader(in), &out, [2]string{"Ann", "Bob"})
	defer h.Close()
	if o := playMatch(t, s, [2]Player{h, computer{theirs}}); o.End != engine.Played {
		t.Errorf("%+v", o)
	}
	const path = "testdata/human.txt"
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, out.Bytes()) {
		got, want := strings.Split(out.String(), "\n"), strings.Split(string(want), "\n")
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("line %d:\n%s\nwant\n%s", i+1, got[i], want[i])
			}
		}
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
}

func TestTwoPeopleAtOneKeyboard(t *testing.T) {
	s := start(t)
	a, b := bot.New(bot.Hard, 1), bot.New(bot.Medium, 2)
	var in strings.Builder
	for q := s; !q.Over(); {
		q = reveal(t, q)
		m := [2]*bot.Player{a, b}[q.Owes()].Decide(q, q.Owes())
		in.WriteString(typed(q, m))
		q, _ = apply(t, q, m)
	}
	shared := bufio.NewReaderSize(strings.NewReader(in.String()), maxLine)
	var seats [2]Player
	for i := range seats {
		p, err := Parse(t.Context(), "human", Options{In: shared, Out: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		seats[i] = p
	}
	if o := playMatch(t, s, seats); o.End != engine.Played {
		t.Errorf("%+v", o)
	}
}

// decide asks a person once who types all that is given.
func decide(t *testing.T, s duel.State, seat int, in string) (engine.Move, string, error) {
	t.Helper()
	var out bytes.Buffer
	h := NewHuman(strings.NewReader(in), &out, [2]string{})
	defer h.Close()
	m, err := h.Decide(t.Context(), s, seat)
	return m, out.String(), err
}

func TestTypedSplits(t *testing.T) {
	s := start(t)
	b := s.Block()
	masks, n := b.Splits()
	for i, mask := range masks[:n] {
		small, large := partLetters(b, mask), partLetters(b, uint16(b)^mask)
		for _, in := range []string{small, large, strings.ToLower(small), strings.Join(strings.Split(large, ""), ", "), fmt.Sprint(i + 1), small + "\n" + large} {
			m, _, err := decide(t, s, 0, in+"\n\n")
			if err != nil || m != (engine.Move{Kind: engine.Split, Data: uint64(mask)}) {
				t.Errorf("%q: %+v, %v", in, m, err)
			}
		}
	}
	for in, says := range map[string]string{
		"ab":        "3 to 6 cells: that is 2 and 7",
		"abcdefghi": "3 to 6 cells: that is 9 and 0",
		"aab":       "A is there twice",
		"xyz":       "help explains",
		"12":        "help explains",
		"9":         "numbered 1 to",
		"":          "Type the letters of one piece",
	} {
		_, out, err := decide(t, s, 0, in+"\n")
		fault(t, err, InputClosed)
		if !strings.Contains(out, says) {
			t.Errorf("%q is answered by\n%s\nwant %q", in, out, says)
		}
	}
	// Three or four letters that are no split do not hang together, in one
	// part or the other.
	for _, part := range []uint16{0b111, 0b11} {
		var mask uint16
		for letter, bit := range cellLetters(b) {
			if part>>(letter-'a')&1 != 0 || letter == 'i' {
				mask |= bit
			}
		}
		if b.IsSplit(mask) || engine.Board(mask).Count() < 3 {
			continue
		}
		_, out, err := decide(t, s, 0, partLetters(b, mask)+"\n")
		fault(t, err, InputClosed)
		if !strings.Contains(out, "does not hang together") {
			t.Errorf("%s: %s", partLetters(b, mask), out)
		}
	}
}

func TestTypedChoices(t *testing.T) {
	s := start(t)
	masks, _ := s.Block().Splits()
	s, _ = apply(t, s, engine.Move{Kind: engine.Split, Data: uint64(masks[0])})
	for in, want := range map[string]uint64{"1\n": 0, "2\n": 1, "3\n\nno\n2\n": 1} {
		m, _, err := decide(t, s, 1, in)
		if err != nil || m != (engine.Move{Seat: 1, Kind: engine.Choose, Data: want}) {
			t.Errorf("%q: %+v, %v", in, m, err)
		}
	}
}

func TestTypedPlacements(t *testing.T) {
	s := start(t)
	masks, n := s.Block().Splits()
	s, _ = apply(t, s, engine.Move{Kind: engine.Split, Data: uint64(masks[n-1])})
	s, _ = apply(t, s, engine.Move{Seat: 1, Kind: engine.Choose, Data: 1})
	for seat := range 2 {
		turns := s.Piece(seat).Turns()
		for _, cells := range turns.AppendPlacements(nil, s.Board(seat), duel.Size) {
			want := engine.Move{Seat: uint8(seat), Kind: engine.Place, Data: uint64(cells)}
			in := typed(s, want)
			for _, in := range []string{in, strings.ReplaceAll(in, " ", ""), strings.ReplaceAll(in, " ", ", ")} {
				m, _, err := decide(t, s, seat, in)
				if err != nil || m != want {
					t.Errorf("%q: %+v, %v", in, m, err)
				}
			}
		}
	}
	for in, says := range map[string]string{
		"1 6 6":   "stick out of the board",
		"1 0 1":   "stick out of the board",
		"9 1 1":   "turns are numbered",
		"1 1":     "type three numbers",
		"1 1 1 1": "type three numbers",
		"a1":      "type numbers",
	} {
		_, out, err := decide(t, s, 1, in+"\n")
		fault(t, err, InputClosed)
		if !strings.Contains(strings.ToLower(out), says) {
			t.Errorf("%q is answered by\n%s\nwant %q", in, out, says)
		}
	}
	// After a try that is refused, Enter does not do the one before.
	_, out, err := decide(t, s, 1, "1 1 1\n1 6 6\n\n")
	fault(t, err, InputClosed)
	if !strings.Contains(out, "such as 1 1 1") {
		t.Errorf("%s", out)
	}
}

func TestFilledCellsAreNamed(t *testing.T) {
	board := engine.Rect(6, 3)
	turns := engine.NewPiece(engine.Rect(1, 3)).Turns()
	if _, err := readPlacement(board, turns, "1 1 1"); err == nil || !strings.Contains(err.Error(), "on filled cells") || !strings.Contains(err.Error(), "1 4, 2 4") {
		t.Errorf("%v", err)
	}
	if _, err := readPlacement(board|engine.Rect(6, 4), turns, "1 1 1"); err == nil || !strings.Contains(err.Error(), "fits nowhere") {
		t.Errorf("%v", err)
	}
}

func TestResigning(t *testing.T) {
	s := start(t)
	m, _, err := decide(t, s, 0, "resign\nwhat\nresign\nyes\n")
	if err != nil || m != (engine.Move{Kind: engine.Resign}) {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestInputEnds(t *testing.T) {
	for _, in := range []string{"", "foo\n", "resign\n", strings.Repeat("x", 100_000)} {
		_, _, err := decide(t, start(t), 0, in)
		fault(t, err, InputClosed)
	}
}

// A line that is typed when the time has run out answers nothing, and the next
// question gets an answer of its own.
func TestLateLineIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, keyboard := io.Pipe()
		var out bytes.Buffer
		h := NewHuman(in, &out, [2]string{})
		s := start(t)
		ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
		defer cancel()
		before := time.Now()
		_, err := h.Decide(ctx, s, 0)
		fault(t, err, TooSlow)
		if took := time.Since(before); took != 12*time.Second {
			t.Errorf("took %v", took)
		}
		if !strings.Contains(out.String(), "(12 s) >") || !strings.HasSuffix(out.String(), "Time is up.\n") {
			t.Errorf("%s", out.String())
		}
		if _, err := io.WriteString(keyboard, "1\n"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		go io.WriteString(keyboard, "2\n\n")
		m, err := h.Decide(t.Context(), s, 0)
		masks, _ := s.Block().Splits()
		if err != nil || m.Data != uint64(masks[1]) {
			t.Errorf("%+v, %v", m, err)
		}
		h.Close()
		keyboard.Close()
	})
}

func TestDecideOfAPersonEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, keyboard := io.Pipe()
		h := NewHuman(in, io.Discard, [2]string{})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := h.Decide(ctx, start(t), 0); err != context.Canceled {
			t.Errorf("%v", err)
		}
		h.Close()
		keyboard.Close()
	})
}

// What the other does while one decides is told afterwards.
func TestWatchDoesNotDisturb(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, keyboard := io.Pipe()
		var out bytes.Buffer
		h := NewHuman(in, &out, [2]string{"Ann", "Bob"})
		s := start(t)
		go func() {
			time.Sleep(time.Second)
			h.Watch(s, duel.Report{Move: engine.Move{Seat: 1, Kind: engine.Place}, Placed: 1})
			io.WriteString(keyboard, "1\n\n")
		}()
		if _, err := h.Decide(t.Context(), s, 0); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.HasSuffix(got, "> Bob has placed.\n") {
			t.Errorf("%s", got)
		}
		h.Close()
		keyboard.Close()
	})
}

func TestEndsInWords(t *testing.T) {
	h := NewHuman(nil, nil, [2]string{"Ann", ""})
	for want, o := range map[string]engine.Outcome{
		"Player 2 wins: 40 to -3.":                                    {End: engine.Played, Winner: 1, Score: [2]int32{-3, 40}},
		"Ann wins by resignation: 0 to 10.":                           {End: engine.Resigned, Winner: 0, Score: [2]int32{0, 10}},
		"Ann wins, as the other has not played for two rounds: 0 to ": {End: engine.Forfeited, Winner: 0},
		"A draw: 20 each.":                                            {End: engine.Played, Winner: engine.Nobody, Score: [2]int32{20, 20}},
		"the match has no result":                                     {End: engine.NoResult, Winner: engine.Nobody},
	} {
		if got := h.result(o); !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestReadLine(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	r := bufio.NewReaderSize(strings.NewReader("one\ntwo\r\n\n"+long+"\n"+long+"y\nz\nlast"), maxLine)
	for _, want := range []line{{"one", false, 4}, {"two", false, 5}, {"", false, 1}, {long, false, maxLine + 1}, {long, true, maxLine + 2}, {"z", false, 2}, {"last", false, 4}} {
		got, err := readLine(r)
		if err != nil || got != want {
			t.Errorf("%.20q %v %d, %v", got.text, got.long, got.size, err)
		}
	}
	if _, err := readLine(r); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	endless := bufio.NewReaderSize(strings.NewReader(strings.Repeat("x", 1<<20)), maxLine)
	if l, err := readLine(endless); err != nil || !l.long || l.size > 8*maxLine {
		t.Errorf("%v %d, %v", l.long, l.size, err)
	}
}
