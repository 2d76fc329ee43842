// Package browsertest plays the game in a real browser: Debian's Chromium,
// driven by playwright-core, against the server and cleavectl as they are
// built, all within a network namespace that reaches nothing else.
//
// The checks themselves are in checks.mjs; each is a process of its own. With
// -pictures DIR they leave screenshots to be looked at.
package browsertest

import (
	"bufio"
	"bytes"
	"encoding/hex"
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

func TestMain(m *testing.M) { nstest.Main(m, nil) }

// patience bounds one check. A check that works takes a sixth of it.
const patience = 4 * time.Minute

// A table is the machine on which everything runs.
type table struct {
	*nstest.Machine
	bin, data string
}

func TestBrowser(t *testing.T) {
	needs(t)
	// The programs are built outside of the namespace, which has no modules.
	bin := t.TempDir()
	build(t, bin)
	nstest.Run(t, func(w *nstest.World) {
		// Chromium looks for its own addresses where the default route goes.
		m := w.Machine("b")
		m.Plug(w.Switch("lan"), "eth0", "10.79.0.1/24")
		m.IP("route", "add", "default", "via", "10.79.0.2")
		b := &table{Machine: m, bin: bin, data: t.TempDir()}
		b.serve(t)
		// A browser that draws without a graphics card is slow, and waits for
		// bots that take their time: a few at once are the quickest.
		few := make(chan struct{}, 3)
		t.Run("checks", func(t *testing.T) {
			names := []string{"rated", "touch", "practice", "page", "tabs", "words", "plain"}
			if os.Getenv("CLEAVE_SOAK") == "1" {
				// Two browsers at once, and one that crashes, want a machine
				// with more than two cores to be on time.
				names = append(names, "friends", "crash")
			}
			for _, name := range names {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					few <- struct{}{}
					defer func() { <-few }()
					if name == "rated" || name == "crash" {
						b.rated(t, name)
						return
					}
					b.check(t, name)
				})
			}
		})
	})
}

// needs says what is missing, which a test that has to run may not be.
func needs(t *testing.T) {
	t.Helper()
	missing := ""
	for _, program := range []string{"node", "chromium"} {
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

func build(t *testing.T, bin string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-o", bin+"/", "./cmd/cleave-server", "./cmd/cleavectl")
	cmd.Dir = "../../.."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
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

func (b *table) serve(t *testing.T) {
	out := b.start(t, "cleave-server", "--listen", ":8080", "--db", filepath.Join(b.data, "server.db"), "--public-url", local)
	if got := line(t, out); !strings.Contains(got, "listening") {
		t.Fatal(got)
	}
	go io.Copy(io.Discard, out)
}

// check runs one check, and returns what it printed.
func (b *table) check(t *testing.T, name string, env ...string) string {
	t.Helper()
	out, err := b.run(name, env)
	if err != nil && env == nil {
		// A browser that was starved by its neighbours gets another try.
		t.Logf("the first try: %v\n%s", err, out[:min(len(out), 2000)])
		out, err = b.run(name, env)
	}
	for _, figure := range regexp.MustCompile(`(?m)^FIGURE (.*)$`).FindAllSubmatch(out, -1) {
		t.Logf("%s", figure[1])
	}
	if err != nil {
		out = regexp.MustCompile(`(?m)^LOG .*$`).ReplaceAll(out, nil)
		if len(out) > 3000 {
			out = out[:3000]
		}
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func (b *table) run(name string, env []string) ([]byte, error) {
	cmd := b.Command("node", "checks.mjs", name)
	cmd.Env = append(append(os.Environ(), "CLEAVE_URL="+local, "CLEAVE_PLAIN="+plain, "CLEAVE_PICTURES="+*pictures), env...)
	late := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer late.Stop()
	return cmd.CombinedOutput()
}

// rated plays a match that counts: a program hosts, the browser follows its
// link. Both logs are the same, and hold.
func (b *table) rated(t *testing.T, name string) {
	file := filepath.Join(b.data, name+".cleave")
	host := b.start(t, "cleavectl", "host", "--server", local, "--data", b.data, "--profile", name, "--name", "Robin", "--player", "bot:easy", "--out", file)
	code := line(t, host)
	said := b.check(t, name, "CLEAVE_LINK="+local+"/#"+code)
	theirs := regexp.MustCompile(`(?m)^LOG ([0-9a-f]+)$`).FindStringSubmatch(said)
	if theirs == nil {
		t.Fatalf("the browser told no log: %s", said)
	}
	for {
		if got := line(t, host); strings.HasPrefix(got, "RESULT ") {
			if !strings.Contains(got, " rated sealed") {
				t.Errorf("the program says: %s", got)
			}
			break
		}
	}
	ours, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if hex.EncodeToString(ours) != theirs[1] {
		t.Errorf("the logs differ: %d bytes here, %d in the browser", len(ours), len(theirs[1])/2)
	}
	if out, err := b.Command(filepath.Join(b.bin, "cleavectl"), "verify", file).CombinedOutput(); err != nil {
		t.Errorf("verify: %v\n%s", err, out)
	}
}
