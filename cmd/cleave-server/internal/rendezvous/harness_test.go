package rendezvous

import (
	"context"
	"crypto/ed25519"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

// A world is a rendezvous server on a network in memory, inside a bubble of
// its own time.
type world struct {
	t       *testing.T
	server  *Server
	http    *http.Server
	clients *listener
	runs    sync.WaitGroup
	stop    context.CancelFunc
	closing []*signal.Client // closed at the end
}

// inWorld runs f with a server. The bubble fails the test if any goroutine
// outlives it.
func inWorld(t *testing.T, config Config, f func(t *testing.T, w *world)) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, server: New(config), clients: newListener()}
		ctx, stop := context.WithCancel(context.Background())
		w.stop = stop
		w.http = &http.Server{Handler: w.server}
		w.runs.Go(func() { w.server.Run(ctx) })
		w.runs.Go(func() { w.http.Serve(w.clients) })
		defer w.shutDown()
		defer func() {
			for _, c := range w.closing {
				c.Close()
			}
		}()
		f(t, w)
	})
}

func (w *world) shutDown() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	w.server.Drain(ctx)
	w.http.Close()
	w.stop()
	w.runs.Wait()
}

const serverName = "http://rendezvous.test"

// from returns an HTTP client whose connections come from the address.
func (w *world) from(address string) *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return w.clients.dial(ctx, address)
		},
	}}
}

// dial is a client, which is closed at the end.
func (w *world) dial(address string) *signal.Client {
	w.t.Helper()
	c, err := signal.DialHTTP(w.t.Context(), serverName, w.from(address))
	if err != nil {
		w.t.Fatal(err)
	}
	w.closing = append(w.closing, c)
	return c
}

func (w *world) hosting(address string) (*signal.Client, *signal.Hosting, signal.Code) {
	w.t.Helper()
	c := w.dial(address)
	h, err := c.Host(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	code, ended := h.Code()
	if ended != 0 {
		w.t.Fatal(ended)
	}
	return c, h, code
}

// asTyped is the code as a friend reads it: by its number.
func asTyped(c signal.Code) signal.Code { return signal.Code{Number: c.Number, Words: c.Words} }

// listener is a network in memory.
type listener struct {
	accept chan net.Conn
	done   chan struct{}
	once   sync.Once

	mu    sync.Mutex
	conns map[string][]net.Conn // by the address they come from
}

func newListener() *listener {
	return &listener{accept: make(chan net.Conn), done: make(chan struct{}), conns: map[string][]net.Conn{}}
}

// cut breaks all connections from an address, without a word to either end's
// program.
func (w *world) cut(address string) {
	w.clients.mu.Lock()
	defer w.clients.mu.Unlock()
	for _, c := range w.clients.conns[address] {
		c.Close()
	}
	delete(w.clients.conns, address)
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.accept:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error   { l.once.Do(func() { close(l.done) }); return nil }
func (l *listener) Addr() net.Addr { return addr("rendezvous.test:80") }

type addr string

func (a addr) Network() string { return "memory" }
func (a addr) String() string  { return string(a) }

type conn struct {
	net.Conn
	remote addr
}

func (c conn) RemoteAddr() net.Addr { return c.remote }

func (l *listener) dial(ctx context.Context, from string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	refused := &net.OpError{Op: "dial", Net: "memory", Err: errors.New("connection refused")}
	select {
	case l.accept <- conn{theirs, addr(from)}:
		l.mu.Lock()
		defer l.mu.Unlock()
		l.conns[from] = append(l.conns[from], ours, theirs)
		return ours, nil
	case <-l.done:
		return nil, refused
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type player struct {
	key  [32]byte
	sign func([]byte) [64]byte
}

func playerOf(name byte) player {
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = name
	private := ed25519.NewKeyFromSeed(seed)
	return player{[32]byte(private.Public().(ed25519.PublicKey)), func(m []byte) [64]byte {
		return [64]byte(ed25519.Sign(private, m))
	}}
}

func (p player) config(role signal.Role, v *signal.Visit, secret string) signal.PairConfig {
	return signal.PairConfig{
		Role: role, Key: p.key, Sign: p.sign, Secret: secret, Password: v.By() == signal.ByRoom,
		Context: v.Context(), Expect: v.Expect(), Binding: []byte("fingerprint of " + role.String()),
	}
}

// wantFailure checks an error's failure.
func wantFailure(t *testing.T, what string, err error, want signal.Failure) {
	t.Helper()
	if got, _ := signal.FailureOf(err); got != want {
		t.Errorf("%s: %v, want %s", what, err, want.Name())
	}
}

func remote(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

// rawSocket opens a WebSocket and leaves it to itself.
func rawSocket(t *testing.T, w *world) (net.Conn, error) {
	c, err := w.clients.dial(t.Context(), another)
	if err != nil {
		return nil, err
	}
	_, err = c.Write([]byte("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"))
	return c, err
}
