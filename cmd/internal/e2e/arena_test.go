//go:build linux

package e2e

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

// TestAnArena has two people and a bot meet in an arena with the programs, and
// a day passes: AI players take the other seats, and everybody's moves can be
// seen and hold.
func TestAnArena(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "db")
	server := start(t, nil, "cleave-server", "--listen", "127.0.0.1:0", "--db", db)
	url := strings.TrimPrefix(server.lineWith("listening"), "cleave-server listening on ")
	dirs := [3]string{t.TempDir(), t.TempDir(), t.TempDir()}
	arena := func(who int, text string, args ...string) (int, string, string) {
		t.Helper()
		return typed(t, text, append([]string{"arena", "--server", url, "--data", dirs[who]}, args...)...)
	}
	const move = "1 1 3\n" // any piece fits there on an empty board

	if code, out, errs := arena(0, "", "list"); code != 0 || out != "" {
		t.Fatalf("list: %d %s%s", code, out, errs)
	}
	if code, _, errs := arena(0, "", "play", "xyz"); code != 2 {
		t.Errorf("an arena that is none: %d %s", code, errs)
	}
	if code, out, errs := arena(0, move+"quit\n", "play"); code != 3 || !strings.Contains(errs, "goes on") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	_, out, _ := arena(0, "", "list")
	f := strings.Fields(out)
	if len(f) != 9 || f[2] != "open" || f[3] != "1" || f[4] != "20" || f[6] != "playing" || f[7] != "-" || f[8] != "-" {
		t.Fatalf("list: %s", out)
	}
	id := f[1]
	// The same command goes on with it; another player finds it in the list.
	if code, out, errs := arena(0, "", "play", id, "--give-up"); code != 0 || !strings.HasPrefix(out, "RUN ") || !strings.Contains(out, "\nARENA "+id+" 1 of 1\n") || !strings.Contains(errs, "going on after 1 placements") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if code, _, errs := arena(0, "", "play", id); code != 1 || !strings.Contains(errs, "entered") {
		t.Errorf("entered twice: %d %s", code, errs)
	}
	if _, out, _ := arena(1, "", "list"); !strings.HasPrefix(out, "ARENA "+id+" open 1 20 ") || !strings.HasSuffix(out, " - - -\n") {
		t.Errorf("list: %s", out)
	}
	if code, out, errs := arena(1, move, "play", id); code != 3 {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if code, out, errs := arena(1, "", "play", "--give-up"); code != 0 {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if code, out, errs := arena(2, "", "play", id, "--player", "bot:medium"); code != 0 || !strings.Contains(out, " bot\n") || !strings.Contains(out, "\nARENA "+id+" 1 of 3, above 2 of 2 players\n") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if code, _, errs := arena(1, "", "show", id, "--logs", t.TempDir()); code != 1 || !strings.Contains(errs, "published") {
		t.Errorf("moves of an open arena: %d %s", code, errs)
	}
	server.stop()
	server.must(0)

	// A day passes.
	book, err := sql.Open("sqlite", db)
	if err != nil {
		t.Fatal(err)
	}
	const day = 24 * 3600 * 1000
	if _, err := book.Exec("UPDATE arenas SET opened_ms = opened_ms - $1, closes_ms = closes_ms - $1", day+60_000); err != nil {
		t.Fatal(err)
	}
	book.Close()
	server = start(t, nil, "cleave-server", "--listen", "127.0.0.1:0", "--db", db)
	url = strings.TrimPrefix(server.lineWith("listening"), "cleave-server listening on ")
	logs := t.TempDir()
	for late := time.Now().Add(5 * time.Minute); ; time.Sleep(300 * time.Millisecond) {
		_, out, _ = arena(0, "", "show", id)
		if strings.HasPrefix(out, "ARENA "+id+" closed 20 20 0\n") {
			break
		}
		if time.Now().After(late) {
			t.Fatalf("it is not filled:\n%s", out)
		}
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")[1:]
	people, bots := 0, 0
	for _, l := range lines {
		if strings.HasSuffix(l, " person") {
			people++
		} else if strings.Contains(l, " bot:") {
			bots++
		}
	}
	if len(lines) != 20 || people != 2 || bots != 18 {
		t.Errorf("%d people and %d bots:\n%s", people, bots, out)
	}
	// It may be closed a moment after its last seat is taken.
	if code, _, errs := arena(0, "", "show", id, "--logs", logs); code != 0 {
		t.Fatalf("the moves: %d %s", code, errs)
	}
	files, _ := filepath.Glob(filepath.Join(logs, "*.cleave"))
	if code, text, errs := ctl(t, nil, append([]string{"verify"}, files...)...); len(files) != 20 || code != 3 || strings.Contains(text, "does not hold") {
		t.Errorf("%d files: %d %s%s", len(files), code, text, errs)
	}
	if _, out, _ := arena(0, "", "list"); !strings.Contains(out, fmt.Sprintf("ARENA %s closed 20 20 0 counted ", id)) {
		t.Errorf("list: %s", out)
	}
	server.stop()
	server.must(0)
}
