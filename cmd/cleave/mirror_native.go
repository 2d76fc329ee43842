//go:build !js

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"reflect"
	"strings"

	"github.com/cleavegame/cleave/ui"
)

// speak lets the game be played without seeing it, by a reader for the blind
// or by a script: with -mirror it writes what the screen shows to out, one line
// of JSON (ui.Mirror) each time that it changes, and reads what to do from in:
//
//	press ID         the part with that ID
//	write ID TEXT    into a field
//	submit ID TEXT   the same, and Enter
//
// A line that is none of these, or names what is not there, does nothing. The
// end of in closes nothing.
func speak(app *ui.App, in io.Reader, out io.Writer) {
	lines := make(chan string, 64)
	go func() {
		scan := bufio.NewScanner(in)
		for scan.Scan() {
			lines <- scan.Text()
			app.Wake()
		}
	}()
	encode := json.NewEncoder(out)
	var last ui.Mirror
	app.Before = func(*ui.Controls) {
		select {
		case line := <-lines:
			obey(app, line)
		default:
		}
	}
	app.After = func() {
		if m := app.Mirror(); !reflect.DeepEqual(m, last) {
			last = m
			if encode.Encode(m) != nil {
				app.After = nil // nobody listens any more
			}
		}
	}
}

func obey(app *ui.App, line string) {
	verb, rest, _ := strings.Cut(line, " ")
	id, text, _ := strings.Cut(rest, " ")
	switch verb {
	case "press":
		app.Press(rest)
	case "write":
		app.Write(id, text, false)
	case "submit":
		app.Write(id, text, true)
	}
}
