//go:build !js

package world

import (
	"errors"
	"os"
	"os/exec"
	"strings"

	"github.com/cleavegame/cleave/ui"
)

// writeFile writes a file that nobody else can read, never over another.
func writeFile(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return ui.Notice{ID: "problem.file_exists", Name: path}
	}
	if err != nil {
		return err
	}
	if _, err := f.Write(b); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// Copy puts text on the clipboard, with whichever of the desktop's tools is
// there.
func (w *World) Copy(text string) error {
	for _, tool := range [][]string{{"wl-copy"}, {"xclip", "-selection", "clipboard"}, {"xsel", "-ib"}, {"pbcopy"}, {"clip.exe"}} {
		path, err := exec.LookPath(tool[0])
		if err != nil {
			continue
		}
		cmd := exec.Command(path, tool[1:]...)
		cmd.Stdin = strings.NewReader(text)
		if err := cmd.Start(); err != nil {
			continue
		}
		go cmd.Wait() // xclip stays for as long as it owns the selection
		return nil
	}
	return ui.Notice{ID: "problem.clipboard"}
}
