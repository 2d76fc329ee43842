//go:build !js

package rtc

import (
	"os"
	"os/exec"
	"testing"
)

// The browser half compiles, with its tests. That it works is shown where there
// is a browser.
func TestBrowserBuild(t *testing.T) {
	gotool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	cmd := exec.Command(gotool, "vet", ".")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
