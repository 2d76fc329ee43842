// Package browsertest plays the game in a real browser: Debian's Chromium,
// driven by playwright-core, against the server, cleavectl and the window as they
// are built, all within network namespaces that reach nothing else.
//
// With CLEAVE_SOAK=1 what is counted and waited for is more; with CLEAVE_BENCH=1
// figures are taken instead of checks.
//
// The checks themselves are in checks.mjs; each is a process of its own. With
// -pictures DIR they leave screenshots to be looked at.
package browsertest

import (
	"bufio"
	"bytes"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/nstest"
)

var pictures = flag.String("pictures", "", "leave screenshots in this `folder`")

func TestMain(m *testing.M) { nstest.Main(m, map[string]nstest.Role{"native": native}) }

// patience bounds one check. A check that works takes a tenth of it.
const patience = 15 * time.Minute

// A table is the machine on which everything runs.
type table struct {
	*nstest.Machine
	bin, data string
	url       string // the server's, as a browser on this machine opens it
}

func TestBrowser(t *testing.T) {
	needs(t)
	// The programs are built outside of the namespace, which has no modules.
	bin := t.TempDir()
	build(t, bin, "cleave-server", "cleavectl")
	nstest.Run(t, func(w *nstest.World) {
		// Chromium looks for its own addresses where the default route goes.
		m := w.Machine("b")
		m.Plug(w.Switch("lan"), "eth0", "10.79.0.1/24")
		m.IP("route", "add", "default", "via", "10.79.0.2")
		b := &table{Machine: m, bin: bin, data: t.TempDir(), url: local}
		b.serve(t)
		far := apart(t, w, bin)
		if os.Getenv("CLEAVE_BENCH") == "1" {
			b.check(t, "figures")
			far.one.check(t, "figures", far.env(t)...)
			return
		}
		t.Run("checks", func(t *testing.T) {
			at := func(name string, f func(*testing.T)) {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					few <- struct{}{}
					defer func() { <-few }()
					f(t)
				})
			}
			at("friends", far.friends)
			at("hidden", func(t *testing.T) {
				hide := "14"
				if soak() {
					hide = "30"
				}
				b.rated(t, "hidden", []string{"--think", "4000"}, "CLEAVE_HIDE="+hide)
			})
			at("rated", func(t *testing.T) { b.rated(t, "rated", []string{"--rated"}) })
			at("window", far.window)
			at("native", func(t *testing.T) {
				runs := 40
				if soak() {
					runs = 200
				}
				b.native(t, runs)
			})
			for _, name := range []string{"touch", "practice", "page", "tabs", "words", "plain", "daily", "drags"} {
				at(name, func(t *testing.T) { b.check(t, name) })
			}
		})
	})
}

// A browser that draws without a graphics card is slow, and waits for bots that
// take their time: a few at once are the quickest.
var few = make(chan struct{}, 3)

func soak() bool { return os.Getenv("CLEAVE_SOAK") == "1" }

// needs says what is missing, which a test that has to run may not be.
func needs(t *testing.T) {
	t.Helper()
	missing := ""
	for _, program := range []string{"node", "chromium", "Xvfb"} {
		if _, err := exec.LookPath(program); err != nil {
			missing += " " + program
		}
	}
	if _, err := os.Stat("node_modules/playwright-core"); err != nil {
		missing += " playwright-core (npm ci in cmd/internal/browsertest)"
	}
	if _, err := os.Stat("../../cleave-server/internal/web/dist/index.html.gz"); err != nil {
		missing += " the game for the browser (make web)"
	}
	switch {
	case missing == "":
	case os.Getenv("STRICT") == "1":
		t.Fatal("not run, and STRICT=1: missing:" + missing)
	default:
		t.Skip("NOT RUN: missing:" + missing)
	}
}

func build(t *testing.T, bin string, programs ...string) {
	t.Helper()
	args := []string{"build", "-o", bin + "/"}
	for _, p := range programs {
		args = append(args, "./cmd/"+p)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = "../../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
}

// start runs a program until the test ends, and returns its output.
func (b *table) start(t *testing.T, name string, args ...string) *bufio.Reader {
	t.Helper()
	cmd := b.Command(filepath.Join(b.bin, name), args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s said:\n%s", name, stderr.String())
		}
	})
	return bufio.NewReader(stdout)
}

func line(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	s, err := r.ReadString('\n')
	if err != nil {
		t.Fatalf("a program ended: %v", err)
	}
	return strings.TrimSpace(s)
}

const (
	local = "http://localhost:8080" // which a browser takes for as good as https
	plain = "http://10.79.0.1:8080"
)

func (b *table) serve(t *testing.T, more ...string) {
	args := append([]string{"--listen", ":8080", "--db", filepath.Join(b.data, "server.db"), "--public-url", b.url}, more...)
	out := b.start(t, "cleave-server", args...)
	if got := line(t, out); !strings.Contains(got, "listening") {
		t.Fatal(got)
	}
	go io.Copy(io.Discard, out)
}

// check runs one check, and returns what it printed.
func (b *table) check(t *testing.T, name string, env ...string) string {
	t.Helper()
	cmd := b.node(name, env...)
	late := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer late.Stop()
	out, err := cmd.CombinedOutput()
	said(t, out, err)
	return string(out)
}

// node is a check, not yet started.
func (b *table) node(name string, env ...string) *exec.Cmd {
	cmd := b.Command("node", "checks.mjs", name)
	cmd.Env = append(append(os.Environ(), "CLEAVE_URL="+b.url, "CLEAVE_PLAIN="+plain, "CLEAVE_PICTURES="+*pictures), env...)
	cmd.WaitDelay = 5 * time.Second // for what a killed one leaves behind
	return cmd
}

var (
	figure = regexp.MustCompile(`(?m)^FIGURE (.*)$`)
	bulk   = regexp.MustCompile(`(?m)^(LOG|JOURNAL) .*$`)
)

// said notes the figures that a check has measured, and fails if it failed.
func said(t *testing.T, out []byte, err error) {
	t.Helper()
	for _, f := range figure.FindAllSubmatch(out, -1) {
		t.Logf("%s", f[1])
	}
	if err != nil {
		out = bulk.ReplaceAll(out, nil)
		t.Fatalf("%v\n%s", err, out[:min(len(out), 3000)])
	}
}
