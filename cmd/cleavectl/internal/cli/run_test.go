package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

var runID = regexp.MustCompile(` [0-9a-f]{64}\n`)

func TestSoloGamesRepeatAndVerify(t *testing.T) {
	data := t.TempDir()
	for _, line := range []string{
		"streak --seed hello --player bot:hard --games 3",
		"streak --seed hello --player bot:medium --level training",
		"classic --seed hello --player bot:medium --level hard --games 3",
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "run.cleave")
		args := append(strings.Fields(line), "--data", data, "--out", file)
		code, first, errs := run(t, "", args...)
		if code != 0 || errs != "" {
			t.Fatalf("%s: %d %s", line, code, errs)
		}
		if _, again, _ := run(t, "", args...); runID.ReplaceAllString(again, "\n") != runID.ReplaceAllString(first, "\n") {
			t.Errorf("one seed, two stories:\n%s\n%s", first, again)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*.cleave"))
		code, text, _ := run(t, "", append([]string{"verify"}, files...)...)
		if code != 0 || strings.Count(text, "complete: ") != len(files) {
			t.Errorf("%s: %d\n%s", line, code, text)
		}
		if code, text, errs := run(t, "", "show", file); code != 0 || !strings.Contains(text, "again  cleavectl ") {
			t.Errorf("show: %d %s", code, errs)
		}
	}
}

func TestSeedIsHexOrHashed(t *testing.T) {
	hexes := strings.Repeat("0f", 32)
	if got := parseSeed(hexes); fmt.Sprintf("%x", got) != hexes {
		t.Errorf("%x", got)
	}
	if got := parseSeed("hello"); fmt.Sprintf("%x", got) != "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" {
		t.Errorf("%x", got)
	}
	seed := parseSeed("x")
	if gameSeed(seed, 1) != seed || gameSeed(seed, 2) == seed || gameSeed(seed, 2) == gameSeed(seed, 3) {
		t.Error("the games' seeds")
	}
}

// botRun writes the log of a run and returns its name and bytes.
func botRun(t *testing.T, args ...string) (string, []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.cleave")
	code, _, errs := run(t, "", append(args, "--data", t.TempDir(), "--out", file)...)
	if code != 0 {
		t.Fatal(errs)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return file, b
}

func TestVerifyOfRuns(t *testing.T) {
	_, b := botRun(t, "streak", "--seed", "a", "--player", "bot:easy")
	for i := range b {
		c := bytes.Clone(b)
		c[i] ^= 0x20
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, c, 0o644); err != nil {
			t.Fatal(err)
		}
		if code, out, _ := run(t, "", "verify", path); code != exitFailed || !strings.Contains(out, "does not hold") {
			t.Fatalf("byte %d changed: %d %s", i, code, out)
		}
	}
	// Signed by its key, but the moves are not those of the bot it names.
	log, err := record.ParseRunLog(b)
	if err != nil || log.Terms().Bot == nil {
		t.Fatal(err)
	}
	file, _ := botRun(t, "classic", "--seed", "a", "--player", "bot:easy", "--level", "hard")
	_, out, _ := run(t, "", "verify", "--json", file)
	var j judged
	if err := json.Unmarshal([]byte(out), &j); err != nil {
		t.Fatal(err)
	}
	if !j.Holds || j.Solo == nil || j.Solo.Level != "hard" || j.Solo.Bot != "bot:easy" || !j.Solo.Complete || j.Solo.Placements != j.Solo.Entries || j.summary != nil {
		t.Errorf("%s", out)
	}
	_, out, _ = run(t, "", "show", "--json", file)
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) != j.Solo.Entries+1 {
		t.Errorf("%d lines for %d entries", len(lines), j.Solo.Entries)
	}
}

func TestShowOfARunIsGolden(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.cleave")
	data := t.TempDir()
	_, who, _ := run(t, "", "id", "show", "--json", "--data", data)
	var id struct{ Player string }
	if err := json.Unmarshal([]byte(who), &id); err != nil {
		t.Fatal(err)
	}
	moves := "1 9 1\nfoo\n4 1 1\nhint\nhint\n1 1 1\nhint\nboard\nhelp\n2 1 2\nhint\n3 6 2\nhint\n"
	code, out, drawn := run(t, moves, "classic", "--seed", "golden", "--player", "human", "--out", file, "--data", data)
	if code != exitPartial || !strings.HasPrefix(out, "GAME 1 ") {
		t.Fatalf("%d %s", code, out)
	}
	golden(t, "terminal.txt", drawn)
	code, shown, _ := run(t, "", "show", file)
	if code != exitPartial {
		t.Errorf("exit code %d", code)
	}
	shown = regexp.MustCompile(`run    [0-9a-f]{64}`).ReplaceAllString(shown, "run    ID")
	golden(t, "run.txt", strings.Replace(shown, id.Player, "PLAYER", 1))
	if code, out, _ := run(t, "", "verify", file); code != exitPartial || !strings.Contains(out, "holds, unfinished") || !strings.Contains(out, "3 hints") {
		t.Errorf("%d %s", code, out)
	}
}

// A whole game by a person who does what the drawn board allows.
func TestAPersonPlaysToTheEnd(t *testing.T) {
	for _, name := range []string{"streak", "classic"} {
		var moves strings.Builder
		for range 40 {
			for slot := range 3 {
				for cell := range 64 {
					fmt.Fprintf(&moves, "%d %d %d\n", slot+1, cell/8+1, cell%8+1)
				}
			}
		}
		file := filepath.Join(t.TempDir(), "run.cleave")
		args := []string{name, "--seed", "person", "--player", "human", "--out", file, "--data", t.TempDir()}
		if name == "classic" {
			args = append(args, "--level", "hard")
		}
		if code, out, _ := run(t, moves.String(), args...); code != 0 {
			t.Fatalf("%s: %d %s", name, code, out)
		}
		if code, out, _ := run(t, "", "verify", file); code != 0 {
			t.Error(out)
		}
	}
}

func TestSoloUsage(t *testing.T) {
	for _, line := range []string{
		"streak", "streak --seed a", "streak --player human", "streak --seed a --player exec:x", "streak --seed a --player bot:best",
		"streak --seed a --player bot:easy --level hard", "streak x --seed a --player bot:easy", "streak --seed a --player bot:easy --games 0",
		"classic", "classic --seed a --player bot:easy --level counting",
	} {
		code, out, errs := run(t, "", append(strings.Fields(line), "--data", t.TempDir())...)
		if code != exitUsage || errs == "" || out != "" {
			t.Errorf("%q: exit code %d, %q, %q", line, code, out, errs)
		}
	}
}

func TestSoloEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	args := []string{"classic", "--seed", "a", "--player", "bot:expert", "--data", t.TempDir()}
	if code := Main(ctx, Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}, args); code != exitInterrupted {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
}

// The level that is asked for is a ruleset's param in the order of the list.
func TestLevelsAreTheParams(t *testing.T) {
	for i, d := range []classic.Difficulty{classic.Easy, classic.Medium, classic.Hard} {
		p, err := soloParams([]string{"easy", "medium", "hard"}, d.String())
		if err != nil || !bytes.Equal(p, d.Params()) {
			t.Errorf("%d: %v %v", i, p, err)
		}
	}
	for _, m := range []struct {
		name string
		mode streak.Mode
	}{{"counting", streak.Counting}, {"training", streak.Training}} {
		p, err := soloParams([]string{"counting", "training"}, m.name)
		if err != nil || !bytes.Equal(p, m.mode.Params()) {
			t.Errorf("%s: %v %v", m.name, p, err)
		}
	}
}
