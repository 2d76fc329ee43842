package main

import (
	"encoding/json"
	"fmt"
	"image/color"
	"log/slog"
	"syscall/js"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/ui"
)

// page is what stands around the canvas: the mirror for screen readers, real
// text fields, the back button, the wake lock. The game says in each tick what
// is shown, and the page answers with what was pressed or written there.
type page struct {
	own   js.Value
	app   *ui.App
	vault *vault.Vault

	asked chan func()    // what the page wants done, in the game's goroutine
	do    chan ui.Action // what it wants done as if by a key
	last  string         // the mirror as it was told last
	theme string         // the same, the colours
	told  time.Time      // when it was looked at last

	hidden, watching bool // the tab; watch runs
}

// mirrorEvery is how much time passes at least between two looks at the mirror:
// a tenth of a second is soon enough for words. It is not so many ticks, since a
// slow page has one a frame and would speak seconds late.
const mirrorEvery = 100 * time.Millisecond

func newPage(own js.Value, app *ui.App, v *vault.Vault) *page {
	p := &page{own: own, app: app, vault: v, asked: make(chan func(), 64), do: make(chan ui.Action, 16)}
	app.Before, app.After = p.before, p.after
	p.handle("press", func(args []js.Value) {
		id := args[0].String()
		p.ask(func() { app.Press(id) })
	})
	p.handle("write", func(args []js.Value) {
		id, text, submit := args[0].String(), args[1].String(), args[2].Bool()
		p.ask(func() { app.Write(id, text, submit) })
	})
	p.handle("focus", func(args []js.Value) {
		id := args[0].String()
		p.ask(func() { app.Focus(id) })
	})
	p.handle("back", func([]js.Value) {
		select {
		case p.do <- ui.Back:
		default:
		}
	})
	p.handle("hidden", func(args []js.Value) {
		p.hidden = args[0].Bool()
		app.Away(p.hidden)
		if p.hidden {
			// A browser may end a hidden page without another word, and gives
			// a busy one half a second to say goodbye.
			p.beacon()
		}
		if p.hidden && !p.watching {
			p.watching = true
			go p.watch()
		}
	})
	p.handle("leaving", func([]js.Value) { p.beacon() })
	own.Call("begin")
	return p
}

// handle gives the page a function of the game's, which must not wait.
func (p *page) handle(name string, f func(args []js.Value)) {
	p.own.Get("game").Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args)
		return nil
	}))
}

func (p *page) ask(f func()) {
	select {
	case p.asked <- f:
	default: // a page that presses faster than ticks pass is none
	}
}

func (p *page) before(c *ui.Controls) {
	for {
		select {
		case f := <-p.asked:
			f()
		case a := <-p.do:
			c.Do(a)
		default:
			return
		}
	}
}

func (p *page) after() {
	now := time.Now()
	if now.Sub(p.told) < mirrorEvery {
		return
	}
	p.told = now
	b, err := json.Marshal(p.app.Mirror())
	if err != nil {
		panic("cleave: the mirror cannot be written: " + err.Error())
	}
	t := p.app.Env.Theme
	if t.Name != p.theme {
		p.theme = t.Name
		p.own.Call("theme", css(t.Ground), css(t.Surface), css(t.Ink), css(t.Edge), css(t.Accent))
	}
	if s := string(b); s != p.last {
		p.last = s
		p.own.Call("mirror", s)
	}
}

func css(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// watch looks, while the tab is hidden and the game does not tick, whether a
// match waits for the player. A hidden tab's timers fire once a second.
func (p *page) watch() {
	for p.hidden {
		if text := p.app.Awaited(); text != "" {
			p.attention(text)
		}
		time.Sleep(time.Second)
	}
	p.watching = false
}

// attention tells the player something where the tab is not in front.
func (p *page) attention(text string) { p.own.Call("attention", text) }

// remind shows a notification, where the player has let the page do so.
func (p *page) remind(text string) {
	defer func() {
		// A browser on a phone has the class, and throws.
		if r := recover(); r != nil {
			slog.Debug("no notification", "error", r)
			p.attention(text)
		}
	}()
	class := js.Global().Get("Notification")
	if !class.Truthy() || class.Get("permission").String() != "granted" {
		p.attention(text)
		return
	}
	class.New("Cleave", map[string]any{"body": text})
}

// unsigned are where parcels go that prove themselves; all others are signed
// when they are sent, with a word of the server's in them.
var unsigned = map[string]string{"log": "/v1/logs", "fraud": "/v1/proofs"}

// beacon hands logs and proofs in the outbox to their servers while the page is
// being hidden or closed. Nothing may wait there; a beacon is sent by the browser
// itself. Parcels stay in the outbox: whether they arrived is asked another time.
func (p *page) beacon() {
	// None is too old at the beginning of time: removing one would wait.
	parcels, err := p.vault.Parcels(time.Time{})
	if err != nil {
		slog.Warn("reading the outbox", "error", err)
		return
	}
	for _, parcel := range parcels {
		path := unsigned[parcel.Kind]
		if path == "" {
			continue
		}
		body := js.Global().Get("Uint8Array").New(len(parcel.Body))
		js.CopyBytesToJS(body, parcel.Body)
		p.own.Call("beacon", parcel.Server+path, body)
	}
}
