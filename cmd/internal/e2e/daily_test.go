//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// typed runs cleavectl with what a person types.
func typed(t *testing.T, text string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	program := binary(t, "cleavectl")
	// A key's first call does some work, which takes long on a busy machine.
	ctx, cancel := context.WithTimeout(t.Context(), 4*patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var out, errs strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// TestTheDailyChallenge has a bot and a person play a day with the programs: a
// run that is left goes on under its attempt, and there are three of them.
func TestTheDailyChallenge(t *testing.T) {
	t.Parallel()
	awayFromMidnight()
	server := start(t, nil, "cleave-server", "--listen", "127.0.0.1:0", "--db", filepath.Join(t.TempDir(), "db"))
	url := strings.TrimPrefix(server.lineWith("listening"), "cleave-server listening on ")
	dir := t.TempDir()
	daily := func(text string, args ...string) (int, string, string) {
		t.Helper()
		return typed(t, text, append([]string{"daily", "--server", url, "--data", dir}, args...)...)
	}
	const move = "1 1 3\n" // any piece fits there on an empty board

	if code, out, errs := daily(move+"quit\n", "--country", "NP"); code != 3 || out != "" || !strings.Contains(errs, "goes on") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if code, _, errs := daily("", "--player", "bot:easy"); code != 1 || !strings.Contains(errs, "in progress") {
		t.Errorf("%d %s", code, errs)
	}
	// The end of the input leaves it too.
	if code, out, errs := daily(""); code != 3 || !strings.Contains(errs, "going on after 1 placements") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	file := filepath.Join(t.TempDir(), "run.cleave")
	code, out, errs := daily("", "--give-up", "--out", file, "--json")
	var run struct {
		Run, State string
		Attempt    int
		Score      int
		Place      struct {
			Rank, Total int
			Country     string
		}
	}
	if err := json.Unmarshal([]byte(out), &run); err != nil || code != 0 || run.State != "counted" || run.Attempt != 1 || run.Score < 4 || run.Place.Rank != 1 || run.Place.Country != "NP" {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if code, out, errs := ctl(t, nil, "submit", file, "--server", url); code != 0 || !strings.Contains(out, `"counted"`) || !strings.Contains(errs, "counted") {
		t.Errorf("submit: %d %s%s", code, out, errs)
	}
	if code, out, _ := ctl(t, nil, "verify", file); code != 3 || !strings.Contains(out, "1 piece") {
		t.Errorf("verify: %d %s", code, out)
	}
	// A bot says that it is one.
	code, out, errs = daily("", "--player", "bot:easy", "--out", file)
	if code != 0 || !strings.HasPrefix(out, "RUN ") || !strings.Contains(out, " 2 bot\n") || !strings.Contains(errs, "the boards are of people") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if code, out, _ := ctl(t, nil, "verify", file); code != 0 {
		t.Errorf("verify: %d %s", code, out)
	}
	// The third is played offline, and handed in with the next call, which gets
	// no fourth.
	if code, out, errs := daily(move+move, "--offline", "--give-up"); code != 1 || !strings.Contains(errs, "no run in progress") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if code, out, errs := daily(move, "--offline"); code != 3 {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if code, out, errs := daily("", "--offline", "--give-up"); code != 3 || !strings.Contains(errs, "handed in") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	code, out, errs = daily("")
	if code != 1 || !strings.Contains(out, " offline counted\nDAY ") || !strings.Contains(errs, "three chances") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if want := fmt.Sprintf("RUN %s", run.Run); strings.Contains(out, want) {
		t.Errorf("handed in again: %s", out)
	}
	server.stop()
	server.must(0)
	if code, _, errs := daily(""); code != 10 {
		t.Errorf("without the server: %d %s", code, errs)
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
