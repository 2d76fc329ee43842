package windowtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cleavegame/cleave/assets/assetstest"
)

var programs string // the folder of the programs under test

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "cleave-windows")
	if err != nil {
		panic(err)
	}
	programs = dir
	for _, p := range []string{"cleave", "cleavectl", "cleave-server"} {
		build := exec.Command("go", "build", "-o", dir+"/", "github.com/cleavegame/cleave/cmd/"+p)
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n%s", p, err, out)
			os.Exit(1)
		}
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// display starts a display without a screen and returns its name.
func display(t *testing.T) string {
	t.Helper()
	xvfb, err := exec.LookPath("Xvfb")
	if err != nil {
		if os.Getenv("STRICT") == "1" {
			t.Fatal("there is no Xvfb here")
		}
		t.Skip("not run: there is no Xvfb here")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(xvfb, "-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	w.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal("Xvfb did not start: ", err)
	}
	return ":" + strings.TrimSpace(line)
}

// mirror is what a window says of itself (ui.Mirror; that package would open a
// window of this test's own).
type mirror struct {
	Scene, Heading, Said string
	Lines                []string
	Parts                []struct {
		ID       string
		Disabled bool
		Focused  bool
	}
}

// window is the game in a window of its own.
type window struct {
	t    *testing.T
	name string
	data string
	cmd  *exec.Cmd
	in   io.WriteCloser
	log  bytes.Buffer

	mu     sync.Mutex
	shown  mirror
	change chan struct{} // closed and replaced when shown changes
	ended  bool
}

// open opens a window for a player; wrap may run the program elsewhere.
func open(t *testing.T, name, data string, wrap func(*exec.Cmd) *exec.Cmd, args ...string) *window {
	t.Helper()
	w := &window{t: t, name: name, data: data, change: make(chan struct{})}
	args = append([]string{"-mirror", "-silent", "-size", "360x640", "-data", data, "-profile", "p"}, args...)
	w.cmd = exec.Command(filepath.Join(programs, "cleave"), args...)
	if wrap != nil {
		w.cmd = wrap(w.cmd)
	}
	w.cmd.Env = append(os.Environ(), "DISPLAY="+display(t))
	w.cmd.Stderr = &w.log
	in, err := w.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	w.in = in
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.close)
	go func() {
		d := json.NewDecoder(out)
		for {
			var m mirror
			err := d.Decode(&m)
			w.mu.Lock()
			w.shown, w.ended = m, err != nil
			close(w.change)
			w.change = make(chan struct{})
			w.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return w
}

func (w *window) close() {
	w.cmd.Process.Kill()
	w.cmd.Wait()
	if w.t.Failed() {
		w.t.Logf("%s: the last screen was %+v\nits log:\n%s", w.name, w.shown, w.log.String())
	}
}

// until waits until the screen is as wanted, at most for limit.
func (w *window) until(what string, limit time.Duration, wanted func(mirror) bool) mirror {
	w.t.Helper()
	late := time.After(limit)
	for {
		w.mu.Lock()
		m, change, ended := w.shown, w.change, w.ended
		w.mu.Unlock()
		if ended {
			w.t.Fatalf("%s: the window closed while waiting for %s", w.name, what)
		}
		if wanted(m) {
			return m
		}
		select {
		case <-change:
		case <-late:
			w.t.Fatalf("%s: no %s after %v: %+v", w.name, what, limit, m)
		}
	}
}

// said is the text with an id, of those that nothing is put into.
func said(t *testing.T, id string) string {
	t.Helper()
	texts := assetstest.Texts(t)
	text, ok := texts[id].(string)
	if !ok {
		t.Fatalf("there is no text %s", id)
	}
	return text
}

// part returns the ID of the first part whose ID begins so and can be pressed.
func part(m mirror, id string) (string, bool) {
	for _, p := range m.Parts {
		if strings.HasPrefix(p.ID, id) && !p.Disabled {
			return p.ID, true
		}
	}
	return "", false
}

// press presses a part as soon as it is there.
func (w *window) press(id string) {
	w.t.Helper()
	m := w.until(id, 60*time.Second, func(m mirror) bool { _, ok := part(m, id); return ok })
	whole, _ := part(m, id)
	w.say("press " + whole)
}

func (w *window) say(line string) {
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		w.t.Errorf("%s: %v", w.name, err)
	}
}

// wants is what a hand presses in a match, the first that can be: what the
// screen offers to confirm, else the one thing that is asked for.
var wants = []string{"match.confirm_split", "match.confirm_choice", "match.confirm_place",
	"match.other_split", "mirror.larger", "mirror.somewhere"}

// play plays until the result is shown.
func (w *window) play(limit time.Duration) mirror {
	late := time.Now().Add(limit)
	for {
		w.mu.Lock()
		m, change := w.shown, w.change
		w.mu.Unlock()
		if m.Scene == "result" {
			return m
		}
		if time.Now().After(late) {
			w.t.Errorf("%s: the match did not end in %v", w.name, limit)
			return m
		}
		for _, id := range wants {
			if whole, ok := part(m, id); ok {
				w.say("press " + whole)
				break
			}
		}
		select {
		case <-change:
		case <-time.After(400 * time.Millisecond): // the press came too early
		}
	}
}

// begin goes from the first start to the title.
func (w *window) begin(name string) {
	w.until("first start", 60*time.Second, func(m mirror) bool { _, ok := part(m, "welcome.begin"); return ok })
	w.say("write welcome.name_field " + name)
	w.say("write welcome.name " + name)
	w.press("welcome.begin")
	w.until("title", 60*time.Second, func(m mirror) bool { return m.Scene == "title" })
}

// both plays two windows against each other, both ready, the first the host.
func both(t *testing.T, host, guest *window) {
	t.Helper()
	host.press("waiting.ready")
	guest.press("waiting.ready")
	host.press("waiting.start")
	var wait sync.WaitGroup
	for _, w := range []*window{host, guest} {
		wait.Go(func() { w.play(3 * time.Minute) })
	}
	wait.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// logOf returns the one record that a player keeps, once it is sealed.
func (w *window) logOf() []byte {
	w.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(w.data, "p", "log-*"))
		if err != nil || len(files) > 1 {
			w.t.Fatalf("%s: records %v, %v", w.name, files, err)
		}
		if len(files) == 1 {
			err := exec.Command(filepath.Join(programs, "cleavectl"), "verify", files[0]).Run()
			var exit *exec.ExitError
			if err == nil {
				b, err := os.ReadFile(files[0])
				if err != nil {
					w.t.Fatal(err)
				}
				return b
			} else if errors.As(err, &exit) && exit.ExitCode() != 3 {
				w.t.Fatalf("%s: verify says %v", w.name, err)
			}
		}
		if time.Now().After(end) {
			w.t.Fatalf("%s: no sealed record", w.name)
		}
	}
}

func sameLogs(t *testing.T, a, b *window) {
	t.Helper()
	if !bytes.Equal(a.logOf(), b.logOf()) {
		t.Error("the two records differ")
	}
}

func TestPractice(t *testing.T) {
	t.Parallel()
	w := open(t, "Ada", t.TempDir(), nil)
	w.begin("Ada")
	w.press("title.practice")
	w.press("practice.play")
	m := w.play(4 * time.Minute)
	if m.Scene != "result" {
		t.Fatalf("%+v", m)
	}
	w.logOf()
	w.press("result.review")
	w.until("replay", 30*time.Second, func(m mirror) bool { _, ok := part(m, "replay.next"); return ok })
}

func TestTwoAtOneDevice(t *testing.T) {
	t.Parallel()
	w := open(t, "Ada", t.TempDir(), nil)
	w.begin("Ada")
	w.press("title.hotseat")
	w.press("pair.play")
	w.play(2 * time.Minute)
	w.press("result.rematch")
	w.until("another match", time.Minute, func(m mirror) bool { return m.Scene == "match" })
	if m := w.play(2 * time.Minute); m.Scene != "result" {
		t.Errorf("%+v", m)
	}
}

// playOnOneNetwork has two windows find each other and play a match.
func playOnOneNetwork(t *testing.T, host, guest *window) {
	t.Helper()
	host.press("title.lan")
	host.press("lobby.lan.host")
	host.press("create.open")
	guest.press("title.lan")
	guest.press("room/")
	both(t, host, guest)
	sameLogs(t, host, guest)
}

func TestLocalNetwork(t *testing.T) {
	t.Parallel()
	host, guest := open(t, "Ada", t.TempDir(), nil), open(t, "Bob", t.TempDir(), nil)
	host.begin("Ada")
	guest.begin("Bob")
	playOnOneNetwork(t, host, guest)
}
