package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTemplatesOfThisToolchain: the game can be made small with the toolchain
// that builds it, and its templates still work.
func TestTemplatesOfThisToolchain(t *testing.T) {
	root, err := goroot()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	overlay, err := withoutMethods(root, dir)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "main.go")
	err = os.WriteFile(program, []byte(`package main

import (
	"os"
	"text/template"
)

type data struct{ Name string; Cells int }

func (data) Method() string { return "called" }

func main() {
	for _, text := range []string{"{{.Name}} {{if eq .Cells 9}}nine{{end}}\n", "{{.Method}}"} {
		if template.Must(template.New("t").Parse(text)).Execute(os.Stdout, data{"block", 9}) != nil {
			os.Stdout.WriteString("refused")
		}
	}
	template.Must(template.New("m").Parse("\n{{.Name}} {{.N}}")).Execute(os.Stdout, map[string]any{"Name": "tray", "N": 3})
}
`), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", "-overlay", overlay, program).CombinedOutput()
	if got := string(out); err != nil || got != "block nine\nrefused\ntray 3" {
		t.Errorf("%q %v", got, err)
	}
	changed := t.TempDir()
	if err := os.MkdirAll(filepath.Join(changed, "src/text/template"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(changed, "src/text/template/exec.go"), []byte(strings.Repeat(callsMethods, 2)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := withoutMethods(changed, dir); err != errOtherTemplates {
		t.Errorf("another toolchain: %v", err)
	}
}
