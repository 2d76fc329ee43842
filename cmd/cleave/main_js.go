// Command cleave in a browser: the page of cmd/cleave-server/internal/web
// loads it, and gives it what stands around the canvas (the object cleave).
package main

import (
	"errors"
	"log/slog"
	"os"
	"strings"
	"syscall/js"

	"github.com/cleavegame/cleave/cmd/cleave/internal/world"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/ui"
)

// version is set when a release is built.
var version = "development"

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	own := js.Global().Get("cleave")
	speak(own, ui.DefaultSettings())
	if err := run(own); err != nil {
		slog.Error("the game cannot go on", "error", err)
		own.Call("stop", ui.NewEnv(ui.DefaultSettings()).Sorry(world.Told(err)))
	}
	// Events that are on their way find nobody when main has returned, and the
	// browser complains of each.
	select {}
}

// speak gives the page its own words, which it has none of until the game is
// there.
func speak(own js.Value, s ui.Settings) {
	texts, words := ui.NewTexts(s.Language), map[string]any{}
	for _, word := range []string{"again", "close", "drawn", "elsewhere", "elsewhere_first", "elsewhere_shows", "nolocks", "nostorage", "parts", "stopped", "words"} {
		words[word] = texts.T("page."+word, ui.Vars{"Since": "{since}", "Here": "{here}"})
	}
	own.Call("speak", words)
}

// run plays until the page is closed.
func run(own js.Value) error {
	v, lost, err := open()
	if err != nil {
		return err
	}
	if v == nil {
		own.Call("elsewhere")
		return nil
	}
	origin := js.Global().Get("location").Get("origin").String()
	w, err := world.Open(v, version, origin)
	if err != nil {
		return err
	}
	env := ui.NewEnv(w.Settings())
	speak(own, env.Settings)
	if lost != "" {
		own.Call("notice", lost)
	}
	if class := js.Global().Get("AudioContext"); class.Truthy() {
		// Sound begins with the first gesture; a browser that has no device
		// plays to nowhere.
		if env.Sound, err = ui.OpenSound(); err != nil {
			slog.Warn("no sound", "error", err)
		}
		env.Apply(w.Settings())
	}
	first := ui.Return(w)
	if link := invitation(); link != "" && !w.HasUnfinished() {
		first = ui.Visit(w, link)
	}
	app := ui.NewApp(env, first, &ui.Devices{})
	p := newPage(own, app, v)
	w.OnAttention(p.attention)
	w.OnReminder(p.remind)
	_, _, err = ui.Run(app, "Cleave", 1280, 800)
	return err
}

// open opens the profile. It is nil where another tab has it; lost names the
// page's word for what is lost where the browser keeps nothing.
func open() (v *vault.Vault, lost string, err error) {
	v, err = vault.Open("", vault.DefaultProfile)
	var locked *vault.LockedError
	switch {
	case err == nil:
		return v, "", nil
	case errors.As(err, &locked):
		return nil, "", nil
	case errors.Is(err, vault.ErrNoLocks):
		return vault.Memory(vault.DefaultProfile), "nolocks", nil
	case errors.Is(err, vault.ErrNoStorage):
		return vault.Memory(vault.DefaultProfile), "nostorage", nil
	}
	return nil, "", err
}

// invitation is the page's own address where it carries an invite code.
func invitation() string {
	location := js.Global().Get("location")
	if len(strings.TrimPrefix(location.Get("hash").String(), "#")) == 0 {
		return ""
	}
	return location.Get("href").String()
}
