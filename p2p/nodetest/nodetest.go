// Package nodetest runs tests that are built for a browser in Node, which has
// the same fetch and WebSocket. The servers they talk to are in the test that
// starts them: a page can be no server.
//
// Without Node the test is skipped; with STRICT=1 in the environment that is a
// failure.
package nodetest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Prefix is how the names of the tests begin that run in Node alone.
const Prefix = "TestInNode"

// urlEnv names the server's address in the environment of Node.
const urlEnv = "CLEAVE_NODETEST_URL"

// patience bounds a run; one takes a few seconds.
const patience = 3 * time.Minute

// Run builds the tests of the package in the current directory for js and runs
// those whose names begin with Prefix, which get url from URL.
func Run(t *testing.T, url string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("STRICT") == "1" {
			t.Fatal("not run, and STRICT=1: needs node")
		}
		t.Skip("NOT RUN: needs node")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatalf("finding the toolchain: %v", err)
	}
	binary := filepath.Join(t.TempDir(), "test.wasm")
	build := exec.Command("go", "test", "-c", "-o", binary, ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the tests for js: %v\n%s", err, out)
	}
	run := exec.Command(node, "--stack-size=8192", filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec_node.js"),
		binary, "-test.v", "-test.run=^"+Prefix, "-test.timeout="+patience.String())
	// Only what is needed: the arguments and the environment of a program
	// share 12 KB there. WebSocket is behind a switch until Node 22.
	run.Env = []string{"PATH=" + os.Getenv("PATH"), urlEnv + "=" + url, "NODE_NO_WARNINGS=1", "NODE_OPTIONS=--experimental-websocket"}
	var out bytes.Buffer
	run.Stdout, run.Stderr = &out, &out
	late := time.AfterFunc(patience+10*time.Second, func() {
		if run.Process != nil {
			run.Process.Kill()
		}
	})
	defer late.Stop()
	err = run.Run()
	if err != nil {
		t.Fatalf("in Node: %v\n%s", err, out.String())
	}
	if !strings.Contains(out.String(), "--- PASS: "+Prefix) {
		t.Fatalf("nothing ran in Node:\n%s", out.String())
	}
	t.Logf("in Node:\n%s", out.String())
}

// URL is the address that Run was given. Elsewhere than in Node the test is
// one of those that Run runs, and is skipped without a word.
func URL(t *testing.T) string {
	t.Helper()
	url := os.Getenv(urlEnv)
	if url == "" {
		t.Skip("it runs in Node, from another test")
	}
	return url
}
