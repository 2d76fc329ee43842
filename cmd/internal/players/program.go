package players

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

const (
	startLimit = 10 * time.Second // to say ready
	thinkLimit = 60 * time.Second // a decision, where the match has no limit
	quitGrace  = 500 * time.Millisecond

	quitLine = "quit\n"

	// What a program may write for one decision.
	floodLines = 1000
	floodBytes = 256 << 10
	// What is kept of its standard error.
	errorTail = 2 << 10
)

// A Program is a player that is another program, and speaks the line protocol.
type Program struct {
	command string
	name    string
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stdout  *os.File
	number  int // of the last go

	requests chan []byte   // to the one goroutine that writes
	lines    chan line     // from the one that reads; closed at the end of output
	done     chan struct{} // closed when the process has been waited for
	quit     chan struct{} // closed by Close
	closing  sync.Once

	complaints *tail
	broken     *Failure // why it cannot go on
}

// StartProgram runs a command with the shell, in a process group of its own,
// and waits until it says that it is ready. The error is a *Failure, or that
// of ctx.
func StartProgram(ctx context.Context, command string) (*Program, error) {
	p := &Program{
		command:    command,
		requests:   make(chan []byte, 1),
		lines:      make(chan line),
		done:       make(chan struct{}),
		quit:       make(chan struct{}),
		complaints: &tail{},
	}
	if err := p.start(); err != nil {
		return nil, &Failure{Fault: NotStarted, Player: p.spec(), Err: err}
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	if err := p.greet(ctx); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *Program) spec() string { return "exec:" + short(p.command) }

// Name is what the program called itself, or its command.
func (p *Program) Name() string {
	if p.name == "" {
		return p.command
	}
	return p.name
}

func (p *Program) start() error {
	p.cmd = exec.Command("sh", "-c", p.command)
	ownGroup(p.cmd)
	p.cmd.Stderr = p.complaints
	// A child that left the group may hold standard error open for ever.
	p.cmd.WaitDelay = quitGrace
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	// A pipe of our own: with StdoutPipe, Wait would close it under the
	// reader and lose the last lines.
	out, in, err := os.Pipe()
	if err != nil {
		stdin.Close()
		return err
	}
	p.cmd.Stdout = in
	err = p.cmd.Start()
	in.Close()
	if err != nil {
		stdin.Close()
		out.Close()
		return err
	}
	p.stdin, p.stdout = stdin, out
	go p.wait()
	go p.write()
	go p.read()
	return nil
}

func (p *Program) wait() {
	p.cmd.Wait()
	// It may have left children behind. Now the group's number is still
	// theirs; later it may be given to a stranger.
	killGroup(p.cmd)
	close(p.done)
}

// write hands requests to a program that may not be reading. What it waits in
// ends when the program does.
func (p *Program) write() {
	for {
		select {
		case b := <-p.requests:
			if _, err := p.stdin.Write(b); err != nil {
				return
			}
			if string(b) == quitLine {
				// Also for those that read until there is no more.
				p.stdin.Close()
				return
			}
		case <-p.quit:
			return
		}
	}
}

// read takes one line at a time: what nobody asks for stays in the pipe, and a
// program that floods is held up there.
func (p *Program) read() {
	defer close(p.lines)
	r := bufio.NewReaderSize(p.stdout, maxLine)
	for {
		l, err := readLine(r)
		if err != nil {
			return
		}
		select {
		case p.lines <- l:
		case <-p.quit:
			return
		}
	}
}

// greet begins the protocol.
func (p *Program) greet(ctx context.Context) error {
	p.requests <- []byte("cleave 1\n")
	l, err := p.next(ctx, &allowance{})
	if err != nil {
		var f *Failure
		if errors.As(err, &f) {
			f.Detail = strings.TrimSpace(f.Detail + "\nit never said that it is ready")
			f.Fault = NotStarted
		}
		return err
	}
	word, name, _ := strings.Cut(l, " ")
	if word != "ready" {
		return p.failure(NotStarted, fmt.Sprintf("it said %q instead of ready", short(l)))
	}
	p.name = short(name)
	return nil
}

// allowance counts what a program writes for one decision.
type allowance struct{ lines, bytes int }

// next returns the program's next line that is not to be ignored.
func (p *Program) next(ctx context.Context, a *allowance) (string, error) {
	for {
		select {
		case l, open := <-p.lines:
			if !open {
				return "", p.breakDown(Exited, p.ending())
			}
			a.lines++
			a.bytes += l.size
			if a.lines > floodLines || a.bytes > floodBytes {
				return "", p.breakDown(Flooding, fmt.Sprintf("%d lines, %d bytes", a.lines, a.bytes))
			}
			if l.long {
				return "", p.failure(Rubbish, "a line of more than 4096 bytes")
			}
			if l.text == "info" || strings.HasPrefix(l.text, "info ") {
				continue
			}
			return l.text, nil
		case <-ctx.Done():
			return "", ended(ctx, p.spec())
		}
	}
}

// ending says how the process ended, once its output has.
func (p *Program) ending() string {
	select {
	case <-p.done:
		return p.cmd.ProcessState.String()
	case <-time.After(quitGrace):
		return "it closed its output"
	}
}

func (p *Program) failure(fault Fault, detail string) *Failure {
	if said := p.complaints.String(); said != "" {
		detail += "\n" + said
	}
	return &Failure{Fault: fault, Player: p.spec(), Detail: detail}
}

// breakDown is a failure from which there is no way back.
func (p *Program) breakDown(fault Fault, detail string) error {
	p.broken = p.failure(fault, detail)
	p.kill()
	return p.broken
}

// Decide asks the program. A program that has ended or flooded fails at once
// ever after; one that was slow or gave rubbish is asked again the next time.
func (p *Program) Decide(ctx context.Context, s duel.State, seat int) (engine.Move, error) {
	if p.broken != nil {
		return engine.Move{}, p.broken
	}
	ms := int64(0)
	if deadline, ok := ctx.Deadline(); ok {
		ms = max(1, time.Until(deadline).Milliseconds())
	}
	ctx, cancel := context.WithTimeout(ctx, thinkLimit)
	defer cancel()
	p.number++
	select {
	case p.requests <- appendRequest(nil, s, seat, p.number, ms):
	case <-ctx.Done():
		// It has not read the last one yet.
		return engine.Move{}, ended(ctx, p.spec())
	}
	var a allowance
	for {
		l, err := p.next(ctx, &a)
		if err != nil {
			return engine.Move{}, err
		}
		answer, err := parseAnswer(l)
		if err != nil {
			return engine.Move{}, p.failure(Rubbish, err.Error())
		}
		if answer == nil || answer.number < p.number {
			continue
		}
		if answer.number > p.number {
			return engine.Move{}, p.failure(Rubbish, fmt.Sprintf("an answer to a go that was never asked: %q", short(l)))
		}
		m, err := answer.move(s, seat)
		if err != nil {
			return engine.Move{}, p.failure(Rubbish, fmt.Sprintf("%v: %q", err, short(l)))
		}
		return m, nil
	}
}

// Close asks the program to quit, and kills it and its process group if it
// does not within half a second.
func (p *Program) Close() error {
	p.closing.Do(func() {
		select {
		case p.requests <- []byte(quitLine):
		default:
			// It is not reading.
		}
		select {
		case <-p.done:
		case <-time.After(quitGrace):
		}
		close(p.quit)
		p.kill()
		p.stdin.Close()
		p.stdout.Close()
		<-p.done
	})
	return nil
}

// kill kills all that the command started, if it has not ended already.
func (p *Program) kill() {
	select {
	case <-p.done:
	default:
		killGroup(p.cmd)
	}
}

// A tail is a writer that keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b[max(0, len(b)-errorTail):]...)
	if extra := len(t.text) - errorTail; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
