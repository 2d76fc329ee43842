package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"flag"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/signal"
)

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		args string
		want string // part of the error, empty for none
	}{
		{"", ""},
		{"--listen 127.0.0.1:0 --db x.db --public-url https://cleave.example --behind-proxy --log-level debug", ""},
		{"--turn 192.0.2.1:3478", ""},
		{"--turn :3478 --turn-ip 192.0.2.1", ""},
		{"--turn :3478", "--turn-ip"},
		{"--turn 0.0.0.0:3478", "--turn-ip"},
		{"--turn :3478 --turn-ip here", "--turn-ip"},
		{"--turn-ip 192.0.2.1", "--turn"},
		{"--tls-cert x", "go together"},
		{"--tls-key x", "go together"},
		{"--public-url cleave.example", "--public-url"},
		{"--log-level loud", "loud"},
		{"--moon", "moon"},
		{"start", "start"},
	} {
		_, err := parse(strings.Fields(c.args), io.Discard)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v", c.args, err)
		}
	}
	// The usage is for who asks for it, not in front of what is wrong.
	for args, wanted := range map[string]bool{"-h": true, "--help": true, "--moon": false} {
		var usage bytes.Buffer
		_, err := parse([]string{args}, &usage)
		if errors.Is(err, flag.ErrHelp) != wanted || strings.Contains(usage.String(), "--public-url") != wanted || usage.Len() > 0 != wanted {
			t.Errorf("%s: %v, %q", args, err, &usage)
		}
	}
}

// start serves in this process and returns the URL, and what ends it.
func start(t *testing.T, args ...string) (url string, stop func() error) {
	t.Helper()
	o, err := parse(append([]string{"--listen", "127.0.0.1:0", "--db", filepath.Join(t.TempDir(), "cleave.db")}, args...), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := serve(ctx, o, slog.New(slog.DiscardHandler), w)
		w.CloseWithError(errors.Join(io.EOF, err))
		ended <- err
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	var once bool
	stop = func() error {
		if once {
			return nil
		}
		once = true
		cancel()
		return <-ended
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return strings.TrimSpace(strings.TrimPrefix(line, "cleave-server listening on ")), stop
}

func get(t *testing.T, c *http.Client, url string) (int, string) {
	t.Helper()
	resp, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func TestAllIsServedAtOneAddress(t *testing.T) {
	url, stop := start(t, "--turn", "127.0.0.1:0")
	for path, want := range map[string]struct {
		status int
		part   string
	}{
		"/":           {200, ""},
		"/v1/info":    {200, `"season"`},
		"/v1/ladder":  {200, `"players":[]`},
		"/healthz":    {200, "true"},
		"/metrics":    {200, `cleave_relay{what="allocations"} 0`},
		signal.Path:   {http.StatusUpgradeRequired, ""},
		"/v1/nothing": {404, "404"},
		"/nothing":    {404, ""},
	} {
		if status, body := get(t, http.DefaultClient, url+path); status != want.status || !strings.Contains(body, want.part) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestTLS(t *testing.T) {
	cert, key, pool := certificate(t)
	url, _ := start(t, "--tls-cert", cert, "--tls-key", key)
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	defer c.CloseIdleConnections()
	if status, body := get(t, c, url+"/healthz"); status != 200 || !strings.HasPrefix(url, "https://") {
		t.Errorf("%s: %d %s", url, status, body)
	}
}

func certificate(t *testing.T) (cert, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool = x509.NewCertPool()
	pool.AddCert(parsed)
	return cert, key, pool
}

func TestWhatCannotStart(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("not a database, but long enough to be looked at"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"the address is taken": {"--listen", taken.Addr().String()},
		"no database":          {"--db", file},
		"no certificate":       {"--tls-cert", file, "--tls-key", file},
		"no TURN":              {"--turn", taken.Addr().String()},
	} {
		o, err := parse(append([]string{"--listen", "127.0.0.1:0", "--db", filepath.Join(t.TempDir(), "cleave.db")}, args...), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		if err := serve(t.Context(), o, slog.New(slog.DiscardHandler), &said); err == nil || said.Len() != 0 {
			t.Errorf("%s, and it served, or said %q", name, &said)
		}
	}
}

// A process is the program itself.
type process struct {
	cmd *exec.Cmd
	url string
}

func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "cleave-server")
	cmd := exec.Command("go", "build", "-o", bin, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building without cgo: %v\n%s", err, out)
	}
	return bin
}

func run(t *testing.T, bin, db string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(bin, "--listen", "127.0.0.1:0", "--db", db)}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill(); p.cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	p.url = strings.TrimSpace(strings.TrimPrefix(line, "cleave-server listening on "))
	return p
}

func (p *process) client(t *testing.T, s judgetest.Signer) *ranking.Client {
	t.Helper()
	c, err := ranking.NewClient(ranking.Config{URL: p.url, Key: s.Key, Sign: s.Sign})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestKillAndDrain kills the program after it has accepted a log, and later
// asks it to stop while a player holds a stream.
func TestKillAndDrain(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	bin, db := build(t), filepath.Join(t.TempDir(), "cleave.db")
	p := run(t, bin, db)
	alice, bob := judgetest.NewSigner("alice"), judgetest.NewSigner("bob")
	var tickets [2][]record.Ticket
	var server record.Key
	for seat, s := range []judgetest.Signer{alice, bob} {
		c := p.client(t, s)
		var err error
		if tickets[seat], err = c.FetchTickets(ctx, 2); err != nil {
			t.Fatal(err)
		}
		if server, err = c.ServerKey(ctx); err != nil {
			t.Fatal(err)
		}
	}
	sit := func(n int, name string) *judgetest.Table {
		terms, chances := judgetest.RatedTerms(judgetest.Signer{Key: server}, alice, bob, [2]record.Ticket{tickets[0][n], tickets[1][n]}, name)
		return judgetest.Begin(alice, bob, terms, chances)
	}
	log := sit(0, "killed").PlayOut().Seal().Log()
	was, err := p.client(t, alice).Upload(ctx, log)
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Process.Kill()
	p.cmd.Wait()

	p = run(t, bin, db)
	c := p.client(t, bob)
	again, err := c.Upload(ctx, log)
	if err != nil || again != was {
		t.Errorf("after a kill: %+v %v", again, err)
	}
	table := sit(1, "drained")
	stream, err := c.Open(ctx, table.Terms, table.Sigs)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	if e, err := stream.Next(); err != nil || e.Event != ranking.EventWaiting {
		t.Fatalf("%+v %v", e, err)
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if e, err := stream.Next(); err != nil || e.Event != ranking.EventStopping {
		t.Errorf("while it stops: %+v %v", e, err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// TestFullDisk fills the disk under the running program, and frees it again.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", dir).CombinedOutput(); err != nil {
		if os.Getenv("STRICT") == "1" {
			t.Fatalf("a small disk cannot be made: %v %s", err, out)
		}
		t.Skipf("a small disk cannot be made: %v %s", err, out)
	}
	// Lazily, since the program may still hold the file when a test fails.
	t.Cleanup(func() { exec.Command("umount", "-l", dir).Run() })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	p := run(t, build(t), filepath.Join(dir, "cleave.db"))
	alice, bob := judgetest.NewSigner("alice"), judgetest.NewSigner("bob")
	var tickets [2]record.Ticket
	for seat, s := range []judgetest.Signer{alice, bob} {
		got, err := p.client(t, s).FetchTickets(ctx, 1)
		if err != nil {
			t.Fatal(err)
		}
		tickets[seat] = got[0]
	}
	c := p.client(t, alice)
	server, err := c.ServerKey(ctx)
	if err != nil {
		t.Fatal(err)
	}
	terms, chances := judgetest.RatedTerms(judgetest.Signer{Key: server}, alice, bob, tickets, "full")
	log := judgetest.Begin(alice, bob, terms, chances).PlayOut().Seal().Log()

	ballast, err := os.Create(filepath.Join(dir, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 512); ; {
		if _, err := ballast.Write(block); err != nil {
			break
		}
	}
	ballast.Close()
	_, err = c.Upload(ctx, log)
	if r, ok := errors.AsType[*ranking.Refusal](err); !ok || r.Reason != ranking.DiskFull || !r.Reason.Temporary() {
		t.Errorf("uploading: %v", err)
	}
	if err := c.Health(ctx); err == nil {
		t.Error("a server that can store nothing is healthy")
	}
	if status, _ := get(t, http.DefaultClient, p.url+"/v1/ladder"); status != 200 {
		t.Errorf("reading: %d", status)
	}
	if status, _ := get(t, http.DefaultClient, p.url+"/healthz"); status != http.StatusInsufficientStorage {
		t.Errorf("healthz: %d", status)
	}
	if err := os.Remove(ballast.Name()); err != nil {
		t.Fatal(err)
	}
	if a, err := c.Upload(ctx, log); err != nil || a.State != ranking.StateConfirmed {
		t.Errorf("with room again: %+v %v", a, err)
	}
}
