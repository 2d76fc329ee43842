//go:build !js

// Command cleave is the game: a window on a desktop, and the page in a
// browser. It reads its flags, opens the player's profile and shows the
// screen; what connects the screen with everything else is in internal/world.
package main

import (
	"flag"
	"fmt"
	"log/slog"
	"os"

	"github.com/gen2brain/beeep"

	"github.com/cleavegame/cleave/cmd/cleave/internal/world"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/ui"
)

// version is set when a release is built.
var version = "development"

func main() {
	profile := flag.String("profile", "default", "the profile to play with; each has its own key and data")
	data := flag.String("data", vault.DefaultDir(), "the folder of all profiles")
	server := flag.String("server", "", "the server for invite codes and the ladder, such as https://example.org")
	size := flag.String("size", "", "the window's size in pixels, such as 1280x800")
	silent := flag.Bool("silent", false, "no sound at all")
	mirror := flag.Bool("mirror", false, "say on standard output what the screen shows, and read from standard input what to press")
	probe := flag.Bool(probeFlag, false, "try the sound device and exit (used by the game itself)")
	flag.Parse()
	if *probe {
		os.Exit(probeSound())
	}
	if err := run(*data, *profile, *server, *size, *silent, *mirror); err != nil {
		fmt.Fprintln(os.Stderr, "cleave:", err)
		// Who started it from an icon sees no terminal.
		notify(ui.NewEnv(ui.DefaultSettings()).Sorry(world.Told(err)))
		os.Exit(1)
	}
}

func run(data, profile, server, size string, silent, mirror bool) error {
	v, err := vault.Open(data, profile)
	if err != nil {
		return err
	}
	defer v.Close()
	w, err := world.Open(v, version, server)
	if err != nil {
		return err
	}
	defer w.Close()
	env := ui.NewEnv(w.Settings())
	if !silent && soundWorks() {
		env.Sound, err = ui.OpenSound()
		if err != nil {
			slog.Warn("no sound", "error", err)
		}
		env.Apply(w.Settings())
	}
	width, height := windowSize(v)
	if size != "" {
		if _, err := fmt.Sscanf(size, "%dx%d", &width, &height); err != nil || width < 1 || height < 1 {
			return fmt.Errorf("-size %s: it must be like 1280x800", size)
		}
	}
	app := ui.NewApp(env, ui.Start(w), &ui.Devices{})
	if mirror {
		speak(app, os.Stdin, os.Stdout)
	}
	w.OnChange(app.Wake)
	w.OnAttention(func(text string) {
		if app.Alert(text) {
			go notify(text)
		}
	})
	w.OnReminder(notify)
	width, height, err = ui.Run(app, "Cleave", width, height)
	if size == "" && width > 0 {
		if e := v.SetSetting("window", [2]int{width, height}); e != nil {
			slog.Warn("the window's size could not be kept", "error", e)
		}
	}
	return err
}

// notify shows a notification of the desktop, where there is one.
func notify(text string) {
	if err := beeep.Notify("Cleave", text, ""); err != nil {
		slog.Debug("no notification", "error", err)
	}
}

// windowSize is the size that the window had when it was closed.
func windowSize(v *vault.Vault) (w, h int) {
	var kept [2]int
	if ok, err := v.Setting("window", &kept); !ok || err != nil || kept[0] < 320 || kept[1] < 480 {
		return 1280, 800
	}
	return kept[0], kept[1]
}
