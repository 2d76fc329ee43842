package duel

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// splitmix is the generator of the recorded matches.
type splitmix uint64

func (s *splitmix) below(n int) int {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) >> 1 % uint64(n))
}

// recordedMove is the next move of a recorded match. By its number, every
// fifth match has many flags and every ninth ends by a resignation; the others
// take lines where there are any, so that boards fill and empty.
func recordedMove(s State, n int, rng *splitmix) engine.Move {
	seat := s.Owes()
	m := engine.Move{Seat: uint8(seat), Kind: s.Awaits()}
	if n%9 == 4 && rng.below(40) == 0 {
		return engine.Move{Seat: uint8(rng.below(2)), Kind: engine.Resign}
	}
	if m.Kind == engine.Reveal {
		m.Layer = layer(s.match, s.Round(), seat)
		return m
	}
	if flags := []int{70, 1, 3, 1, 1}[n%5]; rng.below(100) < flags {
		return engine.Move{Seat: uint8(seat), Kind: engine.Flag}
	}
	switch m.Kind {
	case engine.Split:
		masks, count := s.Block().Splits()
		m.Data = uint64(masks[rng.below(count)])
	case engine.Choose:
		m.Data = uint64(rng.below(2))
	case engine.Place:
		legal := legalPlacements(s, seat)
		best := legal[rng.below(len(legal))]
		if rng.below(8) != 0 {
			// The best of a glance: lines first, then as few empty
			// neighbours as may be.
			value := func(cells engine.Board) int {
				after, lines := (s.Board(seat) | cells).Clear(Size)
				empty := engine.Full(Size) &^ after
				right := empty & (empty >> 1)
				down := empty & (empty >> 8)
				return 20*lines.Count() + right.Count() + down.Count() - 2*empty.Count()
			}
			for _, cells := range legal {
				if value(cells) > value(best) {
					best = cells
				}
			}
		}
		m.Data = uint64(best)
	}
	return m
}

func kindName(k engine.Kind) string {
	return [...]string{"none", "reveal", "split", "choose", "place", "flag", "resign"}[k]
}

// record plays one match: the summary line and the whole trace.
func record(t *testing.T, n int) (line, trace string) {
	t.Helper()
	rng := splitmix(n)
	s := New(matchID(n))
	var out strings.Builder
	fmt.Fprintf(&out, "match %x\n%x\n", s.Match(), s.Digest())
	digests := sha256.New()
	entries := 0
	for !s.Over() {
		m := recordedMove(s, n, &rng)
		s, _ = must(t, s, m)
		entries++
		d := s.Digest()
		digests.Write(d[:])
		if m.Kind == engine.Reveal {
			fmt.Fprintf(&out, "%d %s %x\n", m.Seat, kindName(m.Kind), m.Layer)
		} else {
			fmt.Fprintf(&out, "%d %s %x\n", m.Seat, kindName(m.Kind), m.Data)
		}
		fmt.Fprintf(&out, "%x\n", d)
	}
	o := s.Outcome()
	end := [...]string{"unfinished", "played", "forfeited", "resigned", "no-result"}[o.End]
	line = fmt.Sprintf("%d %s %d %d %d %d %d %x\n", n, end, o.Winner, o.Score[0], o.Score[1], o.Rounds, entries, digests.Sum(nil))
	fmt.Fprintf(&out, "end %s winner %d score %d %d\n%s\n\n%s\n", end, o.Winner, o.Score[0], o.Score[1],
		s.Board(0).Text(Size), s.Board(1).Text(Size))
	return line, out.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, []byte(got)) {
		wantLines, gotLines := strings.Split(string(want), "\n"), strings.Split(got, "\n")
		for i := range min(len(wantLines), len(gotLines)) {
			if wantLines[i] != gotLines[i] {
				t.Fatalf("%s, line %d:\n%s\nwant\n%s", path, i+1, gotLines[i], wantLines[i])
			}
		}
		t.Fatalf("%s has %d lines, want %d", path, len(gotLines), len(wantLines))
	}
}

// TestRecordedMatches replays 200 matches and holds them to the digest after
// every entry: a change of a rule, the table or the encoding shows here, on
// every machine that the test runs on.
//
// A line of matches.txt is: number, end, winner (-1 for none), scores, whole
// rounds, entries, and SHA-256 of all digests in order. A trace has the match
// id, the first digest, then for each entry its seat, kind and data (a layer
// for a reveal) and on the next line the digest after it; at the end both
// boards.
func TestRecordedMatches(t *testing.T) {
	const header = "# number end winner score0 score1 rounds entries sha256-of-digests\n"
	all := header
	ends := map[string]int{}
	for n := range 200 {
		line, trace := record(t, n)
		all += line
		ends[strings.Fields(line)[1]]++
		switch n {
		case 1, 4, 10, 13:
			golden(t, fmt.Sprintf("match-%03d.txt", n), trace)
		}
	}
	golden(t, "matches.txt", all)
	for _, end := range []string{"played", "forfeited", "resigned", "no-result"} {
		if ends[end] == 0 {
			t.Errorf("no recorded match ends as %s: %v", end, ends)
		}
	}
}

func BenchmarkReplayMatch(b *testing.B) {
	var moves []engine.Move
	rng := splitmix(1)
	for s := New(matchID(1)); !s.Over(); {
		m := recordedMove(s, 1, &rng)
		s, _, _ = Apply(s, m)
		moves = append(moves, m)
	}
	b.Run("position", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var p engine.Position = New(matchID(1))
			for _, m := range moves {
				p, _ = p.Apply(m)
				_ = p.Digest()
			}
		}
		b.ReportMetric(float64(len(moves)), "entries/match")
	})
	b.Run("state", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s := New(matchID(1))
			for _, m := range moves {
				s, _, _ = Apply(s, m)
				_ = s.Digest()
			}
		}
	})
}
