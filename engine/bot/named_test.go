package bot

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
)

// TestSoloVersions holds how the levels play alone, in every version. Where this
// fails a bot plays otherwise than before: there must be another version beside
// the old ones, or runs of those can no longer be played again.
func TestSoloVersions(t *testing.T) {
	for i, want := range []map[Level]string{
		{Beginner: "ffe8e48c", Easy: "a4b0dab6", Medium: "fa9b14b6", Hard: "724c732f", Expert: "a5d16e2b"},
		{Beginner: "ffe8e48c", Easy: "a4b0dab6", Medium: "fa9b14b6", Hard: "724c732f", Expert: "40405f03"},
		{Beginner: "ffe8e48c", Easy: "a4b0dab6", Medium: "41323142", Hard: "724c732f", Expert: "40405f03"},
	} {
		version := uint16(i + 1)
		for _, level := range Levels() {
			p, err := Named(SoloName(level), version, 7, SoloNodes)
			if err != nil {
				t.Fatal(err)
			}
			h := sha256.New()
			for n := range 4 {
				h.Write(runStreak(t, p, n, streak.Counting, 80).Append(nil))
				h.Write(runClassic(t, p, n, classic.Medium, 40).Append(nil))
			}
			if got := hex.EncodeToString(h.Sum(nil)[:4]); got != want[level] {
				t.Errorf("version %d: %v plays %s, want %s", version, level, got, want[level])
			}
		}
		if len(want) != len(Levels()) || version > SoloVersion {
			t.Errorf("version %d is not whole", version)
		}
	}
}

func TestNamed(t *testing.T) {
	for _, c := range []struct {
		name    string
		version uint16
		nodes   uint32
	}{{"expert", 1, 10}, {"bot:", 1, 10}, {"bot:godlike", 1, 10}, {"bot:hard", 0, 10}, {"bot:hard", SoloVersion + 1, 10}, {"bot:hard", 1, 0}, {"bot:hard", 1, SoloNodes + 1}} {
		if _, err := Named(c.name, c.version, 1, c.nodes); err == nil {
			t.Errorf("%+v is a bot", c)
		}
	}
	// The budget is felt.
	few, err := Named("bot:expert", SoloVersion, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := runStreak(t, few, 1, streak.Counting, 60), runStreak(t, New(Expert, 1), 1, streak.Counting, 60); a == b {
		t.Error("one node plays as 20,000 do")
	}
	if a, b := runStreak(t, New(Hard, 1<<60), 1, streak.Counting, 30), runStreak(t, New(Hard, 1), 1, streak.Counting, 30); a == b {
		t.Error("two seeds play alike")
	}
}
