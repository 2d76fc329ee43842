package nstest

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience turns a program that says nothing into a failure.
const patience = 30 * time.Second

// A Program is a role of the test binary that runs on a machine.
type Program struct {
	t     testing.TB
	role  string
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan string
	once  sync.Once

	mu   sync.Mutex
	said strings.Builder // both streams
}

// Start runs a role that Main knows. It is killed when the test ends, if it is
// still there; its standard input is closed before that, which well-mannered
// roles take as the wish that they end.
func (m *Machine) Start(role string, args ...string) *Program {
	m.w.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		m.w.t.Fatal(err)
	}
	p := &Program{t: m.w.t, role: role, cmd: m.Command(exe, args...), lines: make(chan string, 1000)}
	p.cmd.Env = append(os.Environ(), childEnv+"="+role)
	p.cmd.WaitDelay = time.Second
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		m.w.t.Fatal(err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		m.w.t.Fatal(err)
	}
	p.cmd.Stderr = writer(func(b []byte) { p.note(string(b)) })
	if err := p.cmd.Start(); err != nil {
		m.w.t.Fatalf("nstest: starting %s: %v", role, err)
	}
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(stdout); s.Scan(); {
			p.note(s.Text() + "\n")
			p.lines <- s.Text()
		}
	}()
	m.w.t.Cleanup(func() {
		p.Stop()
		if m.w.t.Failed() {
			m.w.t.Logf("%s said:\n%s", role, p.All())
		}
	})
	return p
}

type writer func([]byte)

func (w writer) Write(b []byte) (int, error) { w(b); return len(b), nil }

func (p *Program) note(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said.WriteString(s)
}

// All is all that the program has said so far.
func (p *Program) All() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.String()
}

// Expect reads lines until one begins with word, and returns the rest of it.
func (p *Program) Expect(word string) string {
	p.t.Helper()
	late := time.After(patience)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				p.t.Fatalf("%s ended without saying %q; it said:\n%s", p.role, word, p.All())
			}
			if first, rest, _ := strings.Cut(line, " "); first == word {
				return rest
			}
		case <-late:
			p.t.Fatalf("%s does not say %q; it said:\n%s", p.role, word, p.All())
		}
	}
}

// Tell writes one line to the program.
func (p *Program) Tell(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.stdin, line+"\n"); err != nil {
		p.t.Fatalf("nstest: telling %s %q: %v", p.role, line, err)
	}
}

// Kill ends the program as a crash does.
func (p *Program) Kill() {
	p.once.Do(func() {
		p.cmd.Process.Kill() // ip netns exec has become the program
		p.cmd.Wait()
		p.stdin.Close()
	})
}

// Stop closes the program's standard input and waits for it to end by itself,
// two seconds at most.
func (p *Program) Stop() {
	p.once.Do(func() {
		p.stdin.Close()
		late := time.AfterFunc(2*time.Second, func() { p.cmd.Process.Kill() })
		defer late.Stop()
		p.cmd.Wait()
	})
}
