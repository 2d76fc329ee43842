package enginetest

import (
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

// Recorded holds a text against the one that was recorded, and shows the first
// line that differs.
func Recorded(t *testing.T, text, want string) {
	t.Helper()
	if text == want {
		return
	}
	got := strings.Split(text, "\n")
	for i, line := range strings.Split(want, "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("line %d is not\n%s", i+1, line)
		}
	}
	t.Fatal("more lines than recorded")
}

// Pick is a number below n, n over 0, by chance that repeats itself.
type Pick func(n int) int

// Picks is chance that begins with a number, for what was recorded with it.
func Picks(first uint64) Pick {
	return func(n int) int {
		first = first*6364136223846793005 + 1442695040888963407
		return int(first >> 33 % uint64(n))
	}
}

// Spot is one of the spots, of which there are some.
func (p Pick) Spot(spots engine.Board) (r, c int) {
	for range p(spots.Count()) {
		spots &= spots - 1
	}
	return spots.First()
}
