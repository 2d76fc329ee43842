package windowtest

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

// ctl runs cleavectl with what a person types.
func ctl(t *testing.T, typed string, args ...string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(programs, "cleavectl"), args...)
	cmd.Stdin = strings.NewReader(typed)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("cleavectl %q: %v\n%s%s", args, err, out, errs.String())
	}
	return string(out)
}

var placed = regexp.MustCompile(`piece (\d) to row (\d), column (\d)`)

// An arena in a window with a real server: entered, played, one's place among
// the others, and the deal, which the command that is shown deals again.
func TestAnArena(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	data := t.TempDir()
	w := open(t, "Ada", data, nil, "-server", s.url())
	w.begin("Ada")
	w.toGame("arena.title", "arena.enter_any")
	w.placeSolo(3*time.Minute, func(m mirror) bool { return m.Scene == "solo_result" })
	w.press("solo.proof")
	m := w.until("the proof", time.Minute, func(m mirror) bool { return strings.Contains(strings.Join(m.Lines, "\n"), "cleavectl verify ") })
	var again, check []string
	for _, l := range m.Lines {
		if strings.HasPrefix(l, "cleavectl streak ") {
			again = strings.Fields(l)[1:]
		}
		if strings.HasPrefix(l, "cleavectl verify ") {
			check = strings.Fields(l)[1:]
		}
	}
	if len(again) == 0 || len(check) != 2 {
		t.Fatalf("%+v", m)
	}
	ctl(t, "", check...)
	moves, scored := "", 0
	for _, p := range placed.FindAllStringSubmatch(ctl(t, "", "show", check[1]), -1) {
		moves += strings.Join(p[1:], " ") + "\n"
		scored++
	}
	var game struct{ Score, Placements int }
	first, _, _ := strings.Cut(ctl(t, moves, append(again, "--json", "--data", t.TempDir())...), "\n")
	if err := json.Unmarshal([]byte(first), &game); err != nil || game.Placements != scored {
		t.Errorf("dealt again: %s, and %d pieces were placed", first, scored)
	}
	w.press("back")
	w.press("arena.back")
	m = w.until("the place", 2*time.Minute, func(m mirror) bool {
		// Thousands have a comma.
		return strings.Contains(strings.ReplaceAll(strings.Join(m.Lines, "\n"), ",", ""), fmt.Sprintf("1 You %d", game.Score))
	})
	id := strings.ToLower(strings.TrimPrefix(m.Heading, "Arena "))
	out := ctl(t, "", "arena", "play", "--server", s.url(), "--data", t.TempDir(), "--player", "bot:medium")
	if !strings.Contains(out, "\nARENA "+id) {
		t.Errorf("another arena than %s: %s", id, out)
	}
	w.until("the other", 2*time.Minute, func(m mirror) bool {
		all := strings.Join(m.Lines, "\n")
		return strings.Contains(all, " AI · Medium, ") && strings.Contains(all, " of 2") && strings.Contains(all, "You, ")
	})
	if _, ok := part(m, "arena.enter"); ok {
		t.Error("it can be entered twice")
	}
	w.press("back")
	w.until("the list", time.Minute, func(m mirror) bool { _, ok := part(m, "arena/"+id); return ok })

	// A day passes: AI players take what is free, and each run can be watched.
	s.stop()
	book, err := sql.Open("sqlite", s.db)
	if err != nil {
		t.Fatal(err)
	}
	const day = 24 * 3600 * 1000
	if _, err := book.Exec("UPDATE arenas SET opened_ms = opened_ms - $1, closes_ms = closes_ms - $1", day+60_000); err != nil {
		t.Fatal(err)
	}
	book.Close()
	s.start()
	w.press("arena/" + id)
	w.until("the final places", 8*time.Minute, func(m mirror) bool { _, ok := part(m, "run/"); return ok })
	w.press("run/")
	m = w.until("the moves", 2*time.Minute, func(m mirror) bool { _, ok := part(m, "replay.next"); return ok })
	if !strings.HasPrefix(m.Said, "Move 0 of ") {
		t.Errorf("%+v", m)
	}
}

// awayFromMidnight waits until no midnight of UTC comes for a while: the programs
// read the clock, and a day's challenge ends there.
func awayFromMidnight() {
	const quiet = 4 * time.Minute
	now := time.Now().UTC()
	if left := now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now); left < quiet {
		time.Sleep(left + time.Second)
	}
}
