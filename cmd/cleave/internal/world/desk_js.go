package world

import (
	"log/slog"
	"path/filepath"
	"syscall/js"

	"github.com/cleavegame/cleave/ui"
)

// writeFile gives the player a file to keep, as a download.
func writeFile(path string, b []byte) error {
	bytes := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(bytes, b)
	return page("keep", filepath.Base(path), bytes)
}

// Keep gives the player a file as a download.
func (w *World) Keep(name string, file []byte) (string, error) {
	return "", told(writeFile(name, file))
}

// askToNotify has the browser ask whether this page may notify.
func askToNotify() {
	if n := js.Global().Get("Notification"); n.Truthy() && n.Get("permission").String() == "default" {
		n.Call("requestPermission")
	}
}

// Copy puts text on the clipboard. Over plain http a browser has only the old
// way, which page tries too.
func (w *World) Copy(text string) error {
	if err := page("copy", text); err != nil {
		return ui.Notice{ID: "problem.clipboard"}
	}
	return nil
}

// page calls one of the page's own functions, which promises "" or why it could
// not.
func page(method string, args ...any) error {
	own := js.Global().Get("cleave")
	if !own.Truthy() {
		return ui.Notice{ID: "problem.browser"}
	}
	said := make(chan string, 1)
	settle := js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := "the browser refused"
		if len(args) > 0 && args[0].Type() == js.TypeString {
			text = args[0].String()
		}
		said <- text
		return nil
	})
	defer settle.Release()
	own.Call(method, args...).Call("then", settle, settle)
	if text := <-said; text != "" {
		slog.Warn("the page could not do it", "what", method, "why", text)
		return ui.Notice{ID: "problem.browser"}
	}
	return nil
}
