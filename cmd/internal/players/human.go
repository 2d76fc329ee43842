package players

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// A Human is a player who reads drawn boards and types lines.
//
// What is typed is read one line at a time, and only when one is asked for. A
// line that was being typed when the time ran out answers a question that is
// gone, and is dropped.
type Human struct {
	in    *bufio.Reader
	out   io.Writer
	names [2]string

	asked chan struct{} // to the goroutine that reads: one more line
	lines chan line     // from it; closed when the input has ended
	quit  chan struct{}
	start sync.Once
	stop  sync.Once
	late  bool // a line was asked for and has not been taken

	greeted bool

	mu    sync.Mutex // of what follows: Watch may come while Decide runs
	busy  bool       // Decide runs
	notes []string   // what happened meanwhile
}

// NewHuman returns a player who reads from in and sees out. A name may be
// empty. It never closes in or out; a read of in that is under way when the
// player is closed ends when in does.
func NewHuman(in io.Reader, out io.Writer, names [2]string) *Human {
	return &Human{
		in:    bufio.NewReaderSize(in, maxLine),
		out:   out,
		names: names,
		asked: make(chan struct{}, 1),
		lines: make(chan line),
		quit:  make(chan struct{}),
	}
}

// Close lets go of the input.
func (h *Human) Close() error {
	h.stop.Do(func() { close(h.quit) })
	return nil
}

// read takes a line whenever one is asked for.
func (h *Human) read() {
	defer close(h.lines)
	for {
		select {
		case <-h.asked:
		case <-h.quit:
			return
		}
		l, err := readLine(h.in)
		if err != nil {
			return
		}
		select {
		case h.lines <- l:
		case <-h.quit:
			return
		}
	}
}

// errAgain says that what was typed was dealt with, and the question stands.
var errAgain = errors.New("players: ask again")

// ask shows a prompt and returns the line that is typed, trimmed, in lower
// case.
func (h *Human) ask(ctx context.Context, prompt string) (string, error) {
	h.start.Do(func() { go h.read() })
	if h.late {
		select {
		case _, open := <-h.lines:
			if !open {
				return "", h.ended()
			}
			h.late = false
		default:
		}
	}
	if deadline, ok := ctx.Deadline(); ok {
		prompt = fmt.Sprintf("%s (%d s)", prompt, int(time.Until(deadline).Round(time.Second)/time.Second))
	}
	h.print(prompt + " > ")
	if !h.late {
		h.asked <- struct{}{}
	}
	h.late = true
	select {
	case l, open := <-h.lines:
		if !open {
			return "", h.ended()
		}
		h.late = false
		if l.long {
			h.print("That was too long.\n")
			return "", errAgain
		}
		return strings.ToLower(strings.TrimSpace(l.text)), nil
	case <-ctx.Done():
		return "", ended(ctx, "human")
	}
}

func (h *Human) ended() error { return &Failure{Fault: InputClosed, Player: "human", Err: io.EOF} }

// print writes to the screen. A screen that is gone shows at the next read.
func (h *Human) print(text string) { io.WriteString(h.out, text) }

// Decide asks the person.
func (h *Human) Decide(ctx context.Context, s duel.State, seat int) (engine.Move, error) {
	h.mu.Lock()
	h.busy = true
	notes := h.notes
	h.notes = nil
	h.mu.Unlock()
	defer h.rest()
	if !h.greeted {
		h.greeted = true
		h.print(fmt.Sprintf(welcome, h.name(seat), h.name(1-seat)))
	}
	for _, n := range notes {
		h.print(n)
	}
	q := h.question(s, seat)
	h.print("\n" + h.heading(s, seat) + "\n" + h.boards(s, seat) + "\n" + q.intro)
	for {
		typed, err := h.ask(ctx, q.prompt())
		if err == errAgain {
			continue
		}
		if err != nil {
			if ctx.Err() != nil {
				h.print("\nTime is up.\n")
			}
			return engine.Move{}, err
		}
		m, done, err := h.answer(ctx, q, typed)
		if err != nil {
			return engine.Move{}, err
		}
		if done {
			return m, nil
		}
	}
}

// rest ends a Decide and shows what Watch was told meanwhile.
func (h *Human) rest() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.busy = false
	for _, n := range h.notes {
		h.print(n)
	}
	h.notes = nil
}

// answer deals with one line: a command, a confirmation, or a try.
func (h *Human) answer(ctx context.Context, q *question, typed string) (m engine.Move, done bool, err error) {
	switch typed {
	case "help", "h", "?":
		h.print(help + "\n" + q.intro)
		return m, false, nil
	case "boards", "board", "b":
		h.print(h.heading(q.state, q.seat) + "\n" + h.boards(q.state, q.seat) + "\n" + q.intro)
		return m, false, nil
	case "quit", "q", "exit":
		h.print("To give up the match type resign. Ctrl-C stops the program; the match can be gone on with later.\n")
		return m, false, nil
	case "resign":
		sure, err := h.ask(ctx, "Give up the match? It counts as lost. Type yes to resign")
		if err == errAgain {
			return m, false, nil
		}
		if err != nil {
			return m, false, err
		}
		if sure == "yes" || sure == "y" {
			return engine.Move{Seat: uint8(q.seat), Kind: engine.Resign}, true, nil
		}
		h.print("The match goes on.\n")
		return m, false, nil
	case "":
		if q.chosen == nil {
			h.print(q.usage)
			return m, false, nil
		}
		return *q.chosen, true, nil
	}
	// Enter must not do what was shown before another try.
	q.chosen = nil
	tried, shown, err := q.try(typed)
	if err != nil {
		h.print(sentence(err.Error()) + "\n")
		return m, false, nil
	}
	h.print(shown)
	if q.immediate {
		return tried, true, nil
	}
	q.chosen = &tried
	return m, false, nil
}

// Watch tells the person what happened.
func (h *Human) Watch(s duel.State, r duel.Report) {
	text := h.tell(s, r)
	if text == "" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.busy {
		// What the other does is not shown before one's own decision.
		h.notes = append(h.notes, text)
		return
	}
	h.print(text)
}

// name is what a player is called.
func (h *Human) name(seat int) string {
	if h.names[seat] != "" {
		return h.names[seat]
	}
	return fmt.Sprintf("Player %d", seat+1)
}

// sentence makes a sentence of an error text.
func sentence(text string) string {
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, ".") && !strings.Contains(text, "\n") {
		text += "."
	}
	return text
}
