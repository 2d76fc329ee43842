package browsertest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A window is the game in a window under a display of its own, and a hand that
// plays by what the screen shows, as -mirror tells it.
type window struct {
	data string
	in   io.Writer

	mu    sync.Mutex
	shown shown
	code  string
}

// shown is what a window says of itself (ui.Mirror, whose package would open a
// window of this test's own).
type shown struct {
	Scene, Heading string
	Lines          []string
	Parts          []struct {
		ID       string
		Disabled bool
	}
}

// open opens a window on the machine, which plays until the test ends.
func (b *table) open(t *testing.T) *window {
	t.Helper()
	w := &window{data: t.TempDir()}
	cmd := b.Command(filepath.Join(b.bin, "cleave"), "-mirror", "-silent", "-size", "360x640", "-data", w.data, "-profile", "p", "-server", b.url)
	cmd.Env = append(os.Environ(), "DISPLAY="+display(t))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.in = in
	ended := make(chan struct{})
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
		cmd.Wait()
	})
	change := make(chan struct{}, 1)
	go func() {
		defer close(ended)
		for d := json.NewDecoder(out); ; {
			var m shown
			if d.Decode(&m) != nil {
				return
			}
			w.mu.Lock()
			w.shown = m
			w.mu.Unlock()
			select {
			case change <- struct{}{}:
			default:
			}
		}
	}()
	go func() {
		for {
			select {
			case <-ended:
				return
			case <-change:
			case <-time.After(500 * time.Millisecond): // the press before came too early
			}
			w.act()
		}
	}()
	return w
}

// visit has the window go to the room with that code.
func (w *window) visit(code string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.code = code
}

func (w *window) last() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return fmt.Sprintf("%+v", w.shown)
}

// wants is what the hand presses, the first that can be.
var wants = []string{"welcome.skip", "waiting.ready", "match.confirm_split", "match.confirm_choice", "match.confirm_place",
	"match.other_split", "mirror.larger", "mirror.somewhere"}

// act presses what the screen asks for.
func (w *window) act() {
	w.mu.Lock()
	m, code := w.shown, w.code
	w.mu.Unlock()
	can := func(id string) (string, bool) {
		for _, p := range m.Parts {
			if strings.HasPrefix(p.ID, id) && !p.Disabled {
				return p.ID, true
			}
		}
		return "", false
	}
	say := func(line string) { io.WriteString(w.in, line+"\n") } // a window that has gone hears nothing
	if _, ok := can("lobby.server.field"); ok {
		if code != "" {
			say("submit lobby.server.field " + code)
		}
		return
	}
	if m.Scene == "title" {
		if code != "" {
			say("press title.internet")
		}
		return
	}
	for _, id := range wants {
		if whole, ok := can(id); ok {
			say("press " + whole)
			return
		}
	}
}

// display starts a display without a screen and returns its name.
func display(t *testing.T) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "800x800x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	w.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal("Xvfb did not start: ", err)
	}
	return ":" + strings.TrimSpace(line)
}
