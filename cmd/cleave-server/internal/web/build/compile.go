package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// compile builds the game.
func compile(version string) ([]byte, error) {
	root, err := goroot()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "cleave-web-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "game.wasm")
	args := []string{"build", "-trimpath", "-ldflags", "-s -w -X main.version=" + version, "-o", out}
	switch overlay, err := withoutMethods(root, dir); {
	case errors.Is(err, errOtherTemplates):
		fmt.Fprintln(os.Stderr, "build: the game is larger than it need be:", err)
	case err != nil:
		return nil, err
	default:
		args = append(args, "-overlay", overlay)
	}
	args = append(args, "-gcflags=all=-l")
	for _, packages := range hot {
		args = append(args, "-gcflags="+packages+"=")
	}
	cmd := exec.Command("go", append(args, "./cmd/cleave")...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("building the game: %w", err)
	}
	return os.ReadFile(out)
}

// hot are the packages that are compiled with inlining: those in which the
// time goes when a computer thinks, a frame is drawn or a signature is checked.
// Without it in all the others the page is a tenth smaller.
var hot = []string{
	"runtime/...", "internal/...", "sync/...", "math", "math/bits", "slices", "sort", "reflect", "unicode/utf8",
	"crypto/internal/fips140/sha256", "crypto/internal/fips140/edwards25519/...",
	"image/...", "golang.org/x/image/vector", "github.com/hajimehoshi/ebiten/v2/...",
	"github.com/cleavegame/cleave/engine/...",
}

// goroot is the toolchain's own folder.
func goroot() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("finding the toolchain: %w", err)
	}
	return strings.TrimSpace(string(root)), nil
}

// callsMethods is the place in text/template where a template calls a method
// by its name.
const callsMethods = `	if method := ptr.MethodByName(fieldName); method.IsValid() {
		return s.evalCall(dot, method, false, node, fieldName, args, final)
	}
`

var errOtherTemplates = errors.New("this toolchain's text/template is not the one that is known here")

// withoutMethods writes into dir what the flag -overlay takes, and returns its
// name: text/template without calls of methods. While a program can call
// methods by names that are only known when it runs, the linker must keep
// every exported method there is, here a sixth of the program. Of the
// templates in the game, Ebitengine's shaders and the texts, none calls one.
func withoutMethods(root, dir string) (string, error) {
	exec := filepath.Join(root, "src/text/template/exec.go")
	code, err := os.ReadFile(exec)
	if err != nil {
		return "", err
	}
	if strings.Count(string(code), callsMethods) != 1 {
		return "", errOtherTemplates
	}
	without := filepath.Join(dir, "exec.go")
	if err := os.WriteFile(without, []byte(strings.Replace(string(code), callsMethods, "\t_ = ptr\n", 1)), 0o644); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{exec: without}})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, list, 0o644)
}

// glue is the toolchain's own JavaScript, which must be of the same version.
func glue() ([]byte, error) {
	root, err := goroot()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(root, "lib/wasm/wasm_exec.js"))
}
