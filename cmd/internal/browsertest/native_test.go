package browsertest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/rtc"
)

// native is a peer without a browser, and the page whose browser is the other:
// it serves the tests of package rtc, built for js/wasm, and connects to each
// run of the one that asks for it. Its arguments are where to serve, the folder
// of the files, how many runs and how many frames.
func native(args []string) int {
	runs, _ := strconv.Atoi(args[2])
	frames, _ := strconv.Atoi(args[3])
	boxes := make([]*mailbox, runs)
	for i := range boxes {
		boxes[i] = &mailbox{up: make(chan []byte, 100), down: make(chan []byte, 100)}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServer(http.Dir(args[1])))
	at := func(f func(*mailbox, http.ResponseWriter, *http.Request)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if n, err := strconv.Atoi(r.PathValue("run")); err == nil && n >= 0 && n < runs {
				f(boxes[n], w, r)
			}
		}
	}
	mux.HandleFunc("POST /run/{run}/up", at(func(m *mailbox, w http.ResponseWriter, r *http.Request) {
		if b, err := io.ReadAll(r.Body); err == nil {
			m.up <- b
		}
	}))
	mux.HandleFunc("GET /run/{run}/down", at(func(m *mailbox, w http.ResponseWriter, r *http.Request) {
		select {
		case b := <-m.down:
			w.Write(b)
		case <-r.Context().Done():
		}
	}))
	go http.ListenAndServe(args[0], mux)
	fmt.Println("READY")
	for run, box := range boxes {
		if err := box.run(run, frames); err != nil {
			fmt.Println("ERROR", "run", run, err)
			return 1
		}
	}
	fmt.Println("DONE", runs, "runs of", frames, "frames")
	io.Copy(io.Discard, os.Stdin)
	return 0
}

// A mailbox is the channel of one run: what the page has left and what it will
// fetch.
type mailbox struct{ up, down chan []byte }

func (m *mailbox) Send(ctx context.Context, b []byte) error {
	m.down <- bytes.Clone(b)
	return nil
}

func (m *mailbox) Receive(ctx context.Context) ([]byte, error) {
	select {
	case b := <-m.up:
		return b, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// run is the native end of one connection: frames of all sizes as soon as it is
// open, and the other's word for what came.
func (m *mailbox) run(run, frames int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cert, err := rtc.NewCertificate()
	if err != nil {
		return err
	}
	cfg := rtc.Config{Certificate: cert, Offerer: run%2 != 0}
	if cfg.PeerBinding, err = m.Receive(ctx); err != nil {
		return err
	}
	m.Send(ctx, cert.Binding())
	conn, err := rtc.Connect(ctx, m, cfg)
	if err != nil {
		return err
	}
	defer conn.Close()
	chance := rand.New(rand.NewPCG(uint64(run), 1))
	sum := sha256.New()
	for range frames {
		f := make([]byte, size(chance))
		for i := range f {
			f[i] = byte(chance.Uint32())
		}
		sum.Write(binary.BigEndian.AppendUint32(nil, uint32(len(f))))
		sum.Write(f)
		for {
			err := conn.Send(f)
			if err == nil {
				break
			}
			if !errors.Is(err, p2p.ErrBusy) {
				return err
			}
			time.Sleep(time.Millisecond)
		}
	}
	got, err := conn.Receive(ctx)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, sum.Sum(nil)) {
		return errors.New("the frames that came are others than those that were sent")
	}
	return nil
}

// size is that of a frame: a few are as large as can be, many are tiny.
func size(chance *rand.Rand) int {
	switch chance.IntN(4) {
	case 0:
		return p2p.MaxFrame
	case 1:
		return 1 + chance.IntN(16)
	}
	return 1 + chance.IntN(p2p.MaxFrame)
}

// The page around the tests of package rtc. They end by exit.
const nativePage = `<!doctype html><title>running</title><script src="wasm_exec.js"></script><script>
const go = new Go(), ask = new URLSearchParams(location.search);
go.argv = ["rtc.test", "-test.v", "-test.run=^Test", "-test.timeout=20m"];
go.env = { CLEAVE_NATIVE: location.origin, CLEAVE_RUNS: ask.get("runs"), CLEAVE_FRAMES: ask.get("frames") };
go.exit = (code) => { document.title = "exit " + code; };
WebAssembly.instantiateStreaming(fetch("rtc.wasm"), go.importObject).then((m) => go.run(m.instance));
</script>`

// native runs the tests of package rtc in a browser, with a native peer for the
// one that wants it.
func (b *table) native(t *testing.T, runs int) {
	dir := t.TempDir()
	cmd := exec.Command("go", "test", "-c", "-o", filepath.Join(dir, "rtc.wasm"), "./p2p/rtc")
	cmd.Dir = "../../.."
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"wasm_exec.js": glue, "index.html": []byte(nativePage)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const frames = 150
	peer := b.Start("native", ":8081", dir, fmt.Sprint(runs), fmt.Sprint(frames))
	peer.Expect("READY")
	b.check(t, "native", fmt.Sprintf("CLEAVE_NATIVE=http://localhost:8081/?runs=%d&frames=%d", runs, frames))
	t.Log(peer.Expect("DONE"))
}
