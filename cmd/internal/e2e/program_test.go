//go:build linux

package e2e

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/nstest"
)

// patience is how long anything may take before a test fails, and runPatience
// how long a whole program may run; nothing here takes a tenth of it on an idle
// machine, and some of it takes half on one that has twenty other things to do.
const (
	patience    = 2 * time.Minute
	runPatience = 5 * time.Minute
)

// binDir is the folder of the programs; it is in the environment, so that the
// processes in which nstest runs tests again use the same.
const binDir = "CLEAVE_E2E_BIN"

// building holds one build back until another is done.
var building sync.Mutex

var sources = map[string]string{
	"cleavectl":     "../../cleavectl",
	"cleave-server": "../../cleave-server",
	"examplebot":    "../players/examplebot",
}

func TestMain(m *testing.M) {
	if os.Getenv(binDir) != "" {
		nstest.Main(m, roles)
	}
	dir, err := os.MkdirTemp("", "cleave-e2e-")
	if err != nil {
		panic(err)
	}
	os.Setenv(binDir, dir)
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		// These tests wait more than they compute.
		f.Value.Set("8")
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// roles are what the test binary does on a machine.
var roles = map[string]nstest.Role{"get": get}

// binary is the path of a program of ours, built the first time it is wanted.
func binary(t *testing.T, name string) string {
	t.Helper()
	building.Lock()
	defer building.Unlock()
	path := filepath.Join(os.Getenv(binDir), name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	part := fmt.Sprintf("%s-%d", path, os.Getpid())
	cmd := exec.Command("go", "build", "-o", part, sources[name])
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", name, err, out)
	}
	if err := os.Rename(part, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// A program is one process of ours.
type program struct {
	t     *testing.T
	name  string
	cmd   *exec.Cmd
	lines chan string // of standard output
	done  chan struct{}

	mu     sync.Mutex
	stdout bytes.Buffer
	stderr bytes.Buffer
	grown  chan struct{} // of one: stderr
}

// start runs a program on a machine, or on this one when it is nil.
func start(t *testing.T, on *nstest.Machine, name string, args ...string) *program {
	t.Helper()
	path := binary(t, name)
	var cmd *exec.Cmd
	if on != nil {
		cmd = on.Command(path, args...)
	} else {
		cmd = exec.Command(path, args...)
	}
	p := &program{t: t, name: name + " " + strings.Join(args, " "), cmd: cmd, lines: make(chan string, 10_000), done: make(chan struct{}), grown: make(chan struct{}, 1)}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = writer(func(b []byte) {
		p.mu.Lock()
		p.stderr.Write(b)
		p.mu.Unlock()
		select {
		case p.grown <- struct{}{}:
		default:
		}
	})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		in := bufio.NewScanner(out)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			p.mu.Lock()
			p.stdout.WriteString(in.Text() + "\n")
			p.mu.Unlock()
			p.lines <- in.Text()
		}
		close(p.lines)
		cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("%s\nexit code %d\n%s\n%s", p.name, cmd.ProcessState.ExitCode(), p.out(), p.err())
		}
	})
	return p
}

type writer func([]byte)

func (w writer) Write(b []byte) (int, error) { w(b); return len(b), nil }

var _ io.Writer = writer(nil)

func (p *program) out() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stdout.String()
}

func (p *program) err() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stderr.String()
}

// line waits for the next line of standard output.
func (p *program) line() string {
	p.t.Helper()
	select {
	case l, ok := <-p.lines:
		if !ok {
			p.t.Fatalf("%s: no more output", p.name)
		}
		return l
	case <-time.After(patience):
		p.t.Fatalf("%s: no output", p.name)
	}
	return ""
}

// lineWith waits for a line of standard output that contains text.
func (p *program) lineWith(text string) string {
	p.t.Helper()
	for {
		if l := p.line(); strings.Contains(l, text) {
			return l
		}
	}
}

// says waits until standard error contains text.
func (p *program) says(text string) {
	p.t.Helper()
	late := time.After(patience)
	for !strings.Contains(p.err(), text) {
		select {
		case <-p.grown:
		case <-p.done:
			if !strings.Contains(p.err(), text) {
				p.t.Fatalf("%s ended without saying %q", p.name, text)
			}
		case <-late:
			p.t.Fatalf("%s does not say %q", p.name, text)
		}
	}
}

// wait waits for the end and returns the exit code.
func (p *program) wait() int {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(runPatience):
		p.t.Fatalf("%s does not end", p.name)
	}
	return p.cmd.ProcessState.ExitCode()
}

// must waits for the end, which must have this exit code.
func (p *program) must(code int) {
	p.t.Helper()
	if got := p.wait(); got != code {
		p.t.Fatalf("%s: exit code %d, want %d", p.name, got, code)
	}
}

// kill ends the program as a crash does.
func (p *program) kill() {
	p.cmd.Process.Kill()
	<-p.done
}

// stop asks the program to end.
func (p *program) stop() {
	p.t.Helper()
	p.cmd.Process.Signal(os.Interrupt)
	p.wait()
}

// ctl runs cleavectl to its end.
func ctl(t *testing.T, on *nstest.Machine, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	p := start(t, on, "cleavectl", args...)
	code = p.wait()
	return code, p.out(), p.err()
}

// A player is a profile of a test, with the flags that it plays by.
type player struct {
	t    *testing.T
	on   *nstest.Machine
	dir  string
	bot  string
	args []string
}

func newPlayer(t *testing.T, on *nstest.Machine, args ...string) *player {
	t.Helper()
	return &player{t: t, on: on, dir: t.TempDir(), bot: "bot:easy", args: args}
}

func (p *player) log() string { return filepath.Join(p.dir, "out.cleave") }

func (p *player) start(args ...string) *program {
	p.t.Helper()
	args = append(append(args, "--data", p.dir, "--player", p.bot, "--out", p.log()), p.args...)
	return start(p.t, p.on, "cleavectl", args...)
}

// same holds two logs against each other: byte for byte, but that one may lack
// the seal when that is allowed.
func same(t *testing.T, a, b string, sealMayMiss bool) {
	t.Helper()
	da, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	db, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	ca, shownA, _ := ctl(t, nil, "show", a)
	cb, shownB, _ := ctl(t, nil, "show", b)
	if bytes.Equal(da, db) {
		if ca != 0 && !(sealMayMiss && ca == 3) {
			t.Errorf("the logs are equal, and show ends with %d", ca)
		}
		return
	}
	if !sealMayMiss || ca+cb != 3 {
		t.Fatalf("the logs differ (%d and %d bytes, show ends with %d and %d)", len(da), len(db), ca, cb)
	}
	cut := func(s string) string {
		return strings.Replace(s, "The second signature (the seal) is missing.\n", "", 1)
	}
	if cut(shownA) != cut(shownB) {
		t.Errorf("the logs tell two stories:\n%s\n%s", shownA, shownB)
	}
}

// play waits for two programs that play each other to end well.
func play(t *testing.T, a, b *program) {
	t.Helper()
	a.must(0)
	b.must(0)
}

// verified says what verify says of a log.
func verified(t *testing.T, file string) string {
	t.Helper()
	code, out, errs := ctl(t, nil, "verify", file)
	if code != 0 {
		t.Errorf("verify ends with %d: %s%s", code, out, errs)
	}
	return out
}

// eventually waits until f holds.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !f(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not in %v", what, patience)
		}
	}
}
