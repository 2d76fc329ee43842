//go:build linux

package e2e

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

var example = regexp.MustCompile(`: ([0-9 ]+), for example`)

// A person at a terminal plays a whole match, answering each prompt.
func TestAPersonAtATerminal(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(binary(t, "cleavectl"), "duel", "--players", "human,bot:easy", "--data", t.TempDir())
	screen, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("NOT RUN: no pseudo-terminals here: %v", err)
	}
	late := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer late.Stop()
	var shown strings.Builder
	answered := 0
	buf := make([]byte, 4096)
	for {
		n, err := screen.Read(buf)
		if err != nil {
			break // the terminal is gone with the program
		}
		shown.Write(buf[:n])
		text := shown.String()
		prompts := strings.Count(text, " > ")
		if prompts <= answered || !strings.HasSuffix(text, " > ") {
			continue
		}
		answered = prompts
		line := text[strings.LastIndex(text, "\n")+1:]
		answer := "1"
		switch {
		case strings.Contains(line, "Enter = do it"):
			answer = ""
		case strings.Contains(line, "ow column"):
			m := example.FindAllStringSubmatch(text, -1)
			answer = m[len(m)-1][1]
		}
		if _, err := screen.WriteString(answer + "\n"); err != nil {
			break
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, shown.String())
	}
	screen.Close()
	for _, want := range []string{"Round 8 of 8", "TOTAL 1 "} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("the screen lacks %q:\n%s", want, shown.String())
		}
	}
}

func TestAThousandMatches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	code, out, errs := ctl(t, nil, "duel", "--games", "1000", "--players", "bot:medium,bot:beginner", "--out", dir, "--json")
	if code != 0 || strings.Count(out, `"sealed":true`) != 1000 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	files, err := filepath.Glob(dir + "/*.cleave")
	if err != nil || len(files) != 1000 {
		t.Fatalf("%d logs, %v", len(files), err)
	}
	code, out, errs = ctl(t, nil, append([]string{"verify"}, files...)...)
	if code != 0 || strings.Count(out, "complete and sealed") != 1000 {
		t.Errorf("verify ends with %d: %s", code, errs)
	}
}

func TestAProgramThatPlays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	code, out, errs := ctl(t, nil, "duel", "--games", "4", "--players", "exec:"+binary(t, "examplebot")+",bot:beginner", "--out", dir)
	if code != 0 || !strings.Contains(out, "TOTAL 4 ") {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
	verified(t, dir+"/game-0004.cleave")
}

// A program that crashes, answers rubbish or hangs is flagged, and nothing
// waits for it.
func TestAProgramThatFails(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"crashes": `read x; echo ready; read x; exit 3`,
		"rubbish": `read x; echo ready; while read x; do case $x in go*) echo move one two;; esac; done`,
		"floods":  `read x; echo ready; yes info`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, out, errs := ctl(t, nil, "duel", "--players", "exec:"+script+",bot:easy", "--clocks", "off")
			if code != 0 || !strings.Contains(out, "GAME 1 B ") || !strings.Contains(errs, "failed") {
				t.Errorf("exit code %d: %s%s", code, out, errs)
			}
		})
	}
	code, out, errs := ctl(t, nil, "duel", "--players", "exec:exit 1,bot:easy")
	if code != 1 || out != "" || !strings.Contains(errs, "could not be started") {
		t.Errorf("never ready: exit code %d: %s%s", code, out, errs)
	}
}
