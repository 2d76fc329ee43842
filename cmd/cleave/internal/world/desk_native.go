//go:build !js

package world

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/cleavegame/cleave/cmd/internal/vault"
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

// Keep writes a file into the player's folder of pictures, under a name that is
// free there.
func (w *World) Keep(name string, file []byte) (string, error) {
	path, err := keepIn(vault.PicturesDir(), name, file)
	return path, told(err)
}

// keepMost is how many names are tried.
const keepMost = 1000

func keepIn(dir, name string, file []byte) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	stem, ext := strings.TrimSuffix(name, filepath.Ext(name)), filepath.Ext(name)
	for n := 1; n <= keepMost; n++ {
		path := filepath.Join(dir, name)
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d%s", stem, n, ext))
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(file)
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			os.Remove(path)
			return "", err
		}
		return path, nil
	}
	return "", ui.Notice{ID: "problem.file_exists", Name: filepath.Join(dir, name)}
}

// askToNotify does nothing: a desktop is not asked.
func askToNotify() {}

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
