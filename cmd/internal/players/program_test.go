//go:build unix

package players

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
)

// buildExample builds the example bot once.
var buildExample = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "examplebot")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "examplebot")
	out, err := exec.Command("go", "build", "-o", path, "./examplebot").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := buildExample(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// run starts a shell script as a player. $go reads up to the next go line and
// leaves its number in $n.
func run(t *testing.T, script string) *Program {
	t.Helper()
	p, err := StartProgram(t.Context(), shell(script))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func shell(script string) string {
	const prelude = `go() { while read word n rest; do [ "$word" = go ] && return 0; done; exit 9; }; read hello; `
	return prelude + script
}

// within returns a context with a deadline that is not meant to pass.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// soon returns a context with a deadline that is meant to pass.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

func TestExampleBotPlaysWholeMatches(t *testing.T) {
	path, err := buildExample()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(t.Context(), "exec:"+path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if name := p.(*Program).Name(); name != "Greedy" {
		t.Errorf("it is called %q", name)
	}
	points := 0
	for n := range 4 {
		seats := [2]Player{p, computer{bot.New(bot.Beginner, uint64(n))}}
		me := n % 2
		if me == 1 {
			seats[0], seats[1] = seats[1], seats[0]
		}
		o := playMatch(t, duel.New(matchID(n)), seats)
		if o.End != engine.Played {
			t.Errorf("match %d: %+v", n, o)
		}
		points += int(o.Score[me])
	}
	if points < 40 {
		t.Errorf("%d points in four matches", points)
	}
}

func TestProgramsThatDoNotStart(t *testing.T) {
	for name, c := range map[string]struct{ command, detail string }{
		"no such command": {"/no/such/bot --fast", "not found"},
		"exits at once":   {"echo out of memory >&2; exit 3", "exit status 3\nout of memory"},
		"says another":    {"echo hello; cat", `"hello" instead of ready`},
		"floods":          {"yes info about nothing", "1001 lines"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := StartProgram(within(t), c.command)
			if p != nil {
				t.Error("it is a player all the same")
			}
			f := fault(t, err, NotStarted)
			if !strings.Contains(f.Error(), c.detail) {
				t.Errorf("%v\nwant it to tell %q", f, c.detail)
			}
		})
	}
	t.Run("says nothing", func(t *testing.T) {
		_, err := StartProgram(soon(t), "cat >/dev/null")
		fault(t, err, NotStarted)
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := StartProgram(ctx, "cat >/dev/null"); err != context.Canceled {
			t.Error(err)
		}
	})
}

func TestProgramThatEnds(t *testing.T) {
	p := run(t, `echo ready; go; echo I give up >&2; exit 4`)
	s := start(t)
	_, err := p.Decide(within(t), s, 0)
	f := fault(t, err, Exited)
	if !strings.Contains(f.Detail, "exit status 4") || !strings.Contains(f.Detail, "I give up") {
		t.Errorf("detail %q", f.Detail)
	}
	for range 3 {
		_, err = p.Decide(within(t), s, 0)
		fault(t, err, Exited)
	}
}

func TestProgramThatIsKilled(t *testing.T) {
	p := run(t, `echo ready; go; kill -9 $$`)
	_, err := p.Decide(within(t), start(t), 0)
	if f := fault(t, err, Exited); !strings.Contains(f.Detail, "killed") {
		t.Errorf("detail %q", f.Detail)
	}
}

// lastSplit is the answer to the first position of start.
func lastSplit(s duel.State) string {
	masks, n := s.Block().Splits()
	return cellWords(duel.Block(masks[n-1]).Cells())
}

func cellWords(cells engine.Board) string {
	var words []string
	for ; cells != 0; cells &= cells - 1 {
		r, c := cells.First()
		words = append(words, fmt.Sprintf("%d%d", r, c))
	}
	return strings.Join(words, " ")
}

// A slow answer comes too late for its question, and is not taken for the
// answer to the next.
func TestLateAnswerIsIgnored(t *testing.T) {
	s := start(t)
	fifo := filepath.Join(t.TempDir(), "go-on")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	p := run(t, fmt.Sprintf(`echo ready; go; late=$n; read wait <%s; echo move $late 00 01 02; go; echo move $n %s; go`, fifo, lastSplit(s)))
	_, err := p.Decide(soon(t), s, 0)
	fault(t, err, TooSlow)
	if err := os.WriteFile(fifo, []byte("go on\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := p.Decide(within(t), s, 0)
	if err != nil || s.Check(m) != nil {
		t.Fatalf("%+v, %v", m, err)
	}
}

func TestProgramThatDoesNotRead(t *testing.T) {
	p := run(t, `echo ready; while :; do sleep 1; done`)
	s := start(t)
	// More than a pipe holds, in the end.
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	for range 400 {
		_, err := p.Decide(ctx, s, 0)
		fault(t, err, TooSlow)
	}
}

func TestRubbish(t *testing.T) {
	s := start(t)
	illegal := "illegal move"
	for name, c := range map[string]struct{ says, detail string }{
		"a stranger's line":    {"bestmove e2e4", "not a line of the protocol"},
		"an empty line":        {"", "not a line of the protocol"},
		"no number":            {"move", "not a line of the protocol"},
		"no such number":       {"move x 00", "not the number of a go"},
		"a padded number":      {"move 01 00", "not the number of a go"},
		"negative":             {"move -1 00", "not the number of a go"},
		"of the future":        {"move 2 00", "never asked"},
		"no cells":             {"move 1", illegal},
		"not a cell":           {"move 1 000", "not a cell"},
		"off the frame":        {"move 1 04 00 01", "not a cell of 4x4"},
		"letters":              {"move 1 aa", "not a cell of 4x4"},
		"twice":                {"move 1 00 00", "named twice"},
		"two blanks":           {"move 1  00", "not a cell"},
		"no split":             {"move 1 00 33", illegal},
		"resigns with reasons": {"resign 1 sorry", "only a number"},
	} {
		t.Run(name, func(t *testing.T) {
			p := run(t, fmt.Sprintf(`echo ready; go; echo info so what; echo "%s"; go; echo move $n %s; go`, c.says, lastSplit(s)))
			_, err := p.Decide(within(t), s, 0)
			if f := fault(t, err, Rubbish); !strings.Contains(f.Detail, c.detail) {
				t.Errorf("detail %q, want %q", f.Detail, c.detail)
			}
			// It is asked again, and may have learnt.
			if m, err := p.Decide(within(t), s, 0); err != nil || s.Check(m) != nil {
				t.Errorf("%+v, %v", m, err)
			}
		})
	}
	t.Run("a long line", func(t *testing.T) {
		p := run(t, `echo ready; go; head -c 5000 /dev/zero | tr '\0' m; echo; go`)
		_, err := p.Decide(within(t), s, 0)
		fault(t, err, Rubbish)
	})
	t.Run("a choice", func(t *testing.T) {
		masks, _ := s.Block().Splits()
		s, _ := apply(t, s, engine.Move{Kind: engine.Split, Data: uint64(masks[0])})
		p := run(t, `echo ready; go; echo move $n 2; go; echo move $n 1; go`)
		_, err := p.Decide(within(t), s, 1)
		fault(t, err, Rubbish)
		if m, err := p.Decide(within(t), s, 1); err != nil || m != (engine.Move{Seat: 1, Kind: engine.Choose, Data: 1}) {
			t.Errorf("%+v, %v", m, err)
		}
	})
}

func TestEitherPartNamesTheSplit(t *testing.T) {
	s := start(t)
	masks, n := s.Block().Splits()
	for _, m := range masks[:n] {
		for _, part := range []uint16{m, uint16(s.Block()) ^ m} {
			a := answer{number: 1, words: strings.Fields(cellWords(duel.Block(part).Cells()))}
			got, err := a.move(s, 0)
			if err != nil || got.Data != uint64(m) {
				t.Errorf("%04x: %+v, %v", part, got, err)
			}
		}
	}
}

func TestResigningProgram(t *testing.T) {
	p := run(t, `echo ready Loser; go; echo resign $n; go`)
	m, err := p.Decide(within(t), start(t), 0)
	if err != nil || m != (engine.Move{Kind: engine.Resign}) {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestFloodingProgram(t *testing.T) {
	for name, script := range map[string]string{
		"lines":              `echo ready; go; yes info about nothing`,
		"bytes":              `echo ready; go; while :; do echo info; head -c 4000 /dev/zero | tr '\0' ' ' | sed 's/^/info/'; echo; done`,
		"a line without end": `echo ready; go; while :; do cat /dev/zero; done`,
		"standard error":     `echo ready; go; yes complaints >&2 & yes info`,
	} {
		t.Run(name, func(t *testing.T) {
			p := run(t, script)
			_, err := p.Decide(within(t), start(t), 0)
			if name == "a line without end" {
				// The first piece of it is no line of the protocol.
				fault(t, err, Rubbish)
				return
			}
			f := fault(t, err, Flooding)
			if len(f.Error()) > errorTail+500 {
				t.Errorf("an error of %d bytes", len(f.Error()))
			}
			_, err = p.Decide(within(t), start(t), 0)
			fault(t, err, Flooding)
		})
	}
}

// What the program started goes with it, however it ends.
func TestCloseKillsTheGroup(t *testing.T) {
	for name, script := range map[string]string{
		"stays":      `sleep 1000 & echo ready $!; trap '' HUP INT TERM; while :; do sleep 1000; done`,
		"quits":      `sleep 1000 & echo ready $!; while read word rest; do [ "$word" = quit ] && exit 0; done`,
		"ends early": `sleep 1000 & echo ready $!`,
	} {
		t.Run(name, func(t *testing.T) {
			p := run(t, script)
			child, err := strconv.Atoi(p.Name())
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			if err := p.Close(); err != nil {
				t.Errorf("closed twice: %v", err)
			}
			for ctx := within(t); alive(child); {
				// Killed, but perhaps not yet gone.
				if ctx.Err() != nil {
					t.Fatalf("process %d lives on", child)
				}
				runtime.Gosched()
			}
		})
	}
}

// alive reports whether a process runs; one that has ended and waits to be
// buried does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	_, after, _ := strings.Cut(string(status), ") ")
	return !strings.HasPrefix(after, "Z")
}

func TestDecideEndsWithItsContext(t *testing.T) {
	p := run(t, `echo ready; while go; do :; done`)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := p.Decide(ctx, start(t), 0)
		done <- err
	}()
	cancel()
	if err := <-done; err != context.Canceled {
		t.Errorf("%v", err)
	}
}

// The request is the example of the package comment, filled in.
func TestRequest(t *testing.T) {
	s := start(t)
	got := string(appendRequest(nil, s, 0, 7, 12000))
	want := fmt.Sprintf(`match %x
round 1
you 0
splitter 0
score 0 0
board 0 ....../....../....../....../....../......
board 1 ....../....../....../....../....../......
block %s
go 7 split 12000
`, s.Match(), strings.ReplaceAll(s.Block().Text(), "\n", "/"))
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	masks, _ := s.Block().Splits()
	s, _ = apply(t, s, engine.Move{Kind: engine.Split, Data: uint64(masks[0])})
	s, _ = apply(t, s, engine.Move{Seat: 1, Kind: engine.Choose, Data: 1})
	got = string(appendRequest(nil, s, 1, 8, 0))
	for _, line := range []string{
		"part 0 " + rows(duel.Block(masks[0]).Text()), "part 1 " + rows((s.Block() ^ duel.Block(masks[0])).Text()),
		"piece 0 " + rows(s.Piece(0).Text()), "piece 1 " + rows(s.Piece(1).Text()), "you 1", "go 8 place 0",
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("no line %q in\n%s", line, got)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	for _, l := range []string{"move 1 00 01 02", "move 1 0", "resign 1", "info", "", "move 99999999999999999999 00", "move 1 " + strings.Repeat("00 ", 1000)} {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := parseAnswer(text)
		if err != nil || a == nil {
			return
		}
		s := start(t)
		for range 3 {
			seat := s.Owes()
			if m, err := a.move(s, seat); err == nil && s.Check(m) != nil {
				t.Fatalf("%q is taken for %+v", text, m)
			}
			s, _ = apply(t, s, bot.New(bot.Hard, 1).Decide(s, seat))
		}
	})
}
