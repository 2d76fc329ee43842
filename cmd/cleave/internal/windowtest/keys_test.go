package windowtest

import (
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// A keyboard is that of a window's display.
type keyboard struct {
	w     *window
	conn  *xgb.Conn
	codes map[string]byte // of the keys, by name
}

// keyboardOf takes the keyboard of a window's display.
func keyboardOf(w *window) *keyboard {
	w.t.Helper()
	name := ""
	for _, e := range w.cmd.Env {
		if d, ok := strings.CutPrefix(e, "DISPLAY="); ok {
			name = d
		}
	}
	conn, err := xgb.NewConnDisplay(name)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(conn.Close)
	if err := xtest.Init(conn); err != nil {
		w.t.Fatal(err)
	}
	k := &keyboard{w: w, conn: conn, codes: map[string]byte{}}
	setup := xproto.Setup(conn)
	m, err := xproto.GetKeyboardMapping(conn, setup.MinKeycode, byte(setup.MaxKeycode-setup.MinKeycode+1)).Reply()
	if err != nil {
		w.t.Fatal(err)
	}
	for name, sym := range map[string]xproto.Keysym{"Enter": 0xff0d, "Escape": 0xff1b, "Tab": 0xff09, "Right": 0xff53} {
		for i, s := range m.Keysyms {
			if s == sym && k.codes[name] == 0 {
				k.codes[name] = byte(setup.MinKeycode) + byte(i/int(m.KeysymsPerKeycode))
			}
		}
		if k.codes[name] == 0 {
			w.t.Fatalf("the keyboard has no %s", name)
		}
	}
	// Where there is no window manager, the keys go to where the pointer is.
	xtest.FakeInput(conn, xproto.MotionNotify, 0, 0, setup.DefaultScreen(conn).Root, 30, 30, 0)
	return k
}

// hit presses a key and waits until the screen has answered, at most a second:
// some presses change nothing.
func (k *keyboard) hit(name string) {
	k.w.t.Helper()
	k.w.mu.Lock()
	change := k.w.change
	k.w.mu.Unlock()
	root := xproto.Setup(k.conn).DefaultScreen(k.conn).Root
	for _, kind := range []byte{xproto.KeyPress, xproto.KeyRelease} {
		if err := xtest.FakeInputChecked(k.conn, kind, k.codes[name], 0, root, 0, 0, 0).Check(); err != nil {
			k.w.t.Fatal(err)
		}
		if kind == xproto.KeyPress {
			time.Sleep(50 * time.Millisecond) // a hand is not faster
		}
	}
	select {
	case <-change:
	case <-time.After(time.Second):
	}
}

// choose goes to a button with Tab, and presses Enter.
func (k *keyboard) choose(id string) {
	k.w.t.Helper()
	k.w.until(id, time.Minute, func(m mirror) bool { _, ok := part(m, id); return ok })
	for late := time.Now().Add(2 * time.Minute); time.Now().Before(late); {
		k.w.mu.Lock()
		m := k.w.shown
		k.w.mu.Unlock()
		focused := false
		for _, p := range m.Parts {
			focused = focused || p.Focused && strings.HasPrefix(p.ID, id)
		}
		if !focused {
			k.hit("Tab")
			continue
		}
		k.hit("Enter")
		// A press that fell between two ticks of a starved machine is made again.
		for try := 0; try < 20; try++ {
			k.w.mu.Lock()
			now := k.w.shown
			k.w.mu.Unlock()
			if now.Heading != m.Heading || strings.Join(now.Lines, "\n") != strings.Join(m.Lines, "\n") {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	k.w.t.Fatalf("%s: Tab does not reach %s", k.w.name, id)
}

// play plays a run to its result: what fits is picked and placed, what does not
// is put back for the next.
func (k *keyboard) play(limit time.Duration) {
	k.w.t.Helper()
	for late := time.Now().Add(limit); ; {
		k.w.mu.Lock()
		m := k.w.shown
		k.w.mu.Unlock()
		if m.Scene == "solo_result" {
			return
		}
		if time.Now().After(late) {
			k.w.t.Fatalf("%s: the run did not end in %v", k.w.name, limit)
		}
		fits, held := false, false
		for _, p := range m.Parts {
			if p.ID == "mirror.place" {
				held, fits = true, !p.Disabled
			}
		}
		switch {
		case held && !fits:
			k.hit("Escape")
			k.hit("Right")
		default:
			k.hit("Enter")
		}
	}
}

// A whole daily challenge with nothing but the keyboard: from the title to the
// game, every piece, the result, and one's name on the board.
func TestADailyByKeyboard(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	w := open(t, "Ada", t.TempDir(), nil, "-server", s.url())
	w.begin("Ada")
	k := keyboardOf(w)
	k.choose("title.streak")
	k.choose("daily.title")
	k.choose("daily.play")
	w.until("the game", 3*time.Minute, func(m mirror) bool { return m.Scene == "solo" })
	k.play(5 * time.Minute)
	k.choose("daily.back")
	w.until("the run that counts, on the board", 2*time.Minute, func(m mirror) bool {
		all := strings.Join(m.Lines, "\n")
		return strings.Contains(all, "Chance 1 · this one counts") && strings.Contains(all, "1 You, ")
	})
	k.choose("board.title")
	w.until("the boards", 2*time.Minute, func(m mirror) bool { return strings.Contains(strings.Join(m.Lines, "\n"), "Place 1 of 1") })
	k.choose("board.span/2")
	w.until("the board of all time", 2*time.Minute, func(m mirror) bool {
		all := strings.Join(m.Lines, "\n")
		return strings.Contains(all, said(t, "board.all_is")) && strings.Contains(all, "1 You, ")
	})
}
