package rtc

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

const patience = 30 * time.Second

// wire is the sealed channel between two peers, without the sealing.
type wire struct {
	out  chan<- []byte
	in   <-chan []byte
	cut  chan struct{} // closed when the channel broke
	once *sync.Once
}

func newWire() (a, b *wire) {
	ab, ba := make(chan []byte, 1000), make(chan []byte, 1000)
	cut, once := make(chan struct{}), new(sync.Once)
	return &wire{ab, ba, cut, once}, &wire{ba, ab, cut, once}
}

func (w *wire) Send(ctx context.Context, m []byte) error {
	select {
	case <-w.cut:
		return signal.PeerLeft
	case w.out <- append([]byte(nil), m...):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *wire) Receive(ctx context.Context) ([]byte, error) {
	select {
	case m := <-w.in:
		return m, nil
	default:
	}
	select {
	case m := <-w.in:
		return m, nil
	case <-w.cut:
		return nil, signal.PeerLeft
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (w *wire) hangUp() { w.once.Do(func() { close(w.cut) }) }

// configs are those of two peers that have paired: the host, then the joiner.
func configs(t testing.TB) (host, joiner Config) {
	t.Helper()
	host = Config{Certificate: certificate(t), Peer: [32]byte{2}, Session: [32]byte{9}, Loopback: true}
	joiner = Config{Certificate: certificate(t), Peer: [32]byte{1}, Session: [32]byte{9}, Loopback: true, Offerer: true}
	host.PeerBinding, joiner.PeerBinding = joiner.Certificate.Binding(), host.Certificate.Binding()
	return host, joiner
}

func certificate(t testing.TB) *Certificate {
	t.Helper()
	c, err := NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// end is what one peer's Connect gave.
type end struct {
	conn *Conn
	err  error
	took time.Duration
}

func start(ctx context.Context, channel Channel, cfg Config) <-chan end {
	return startWithin(ctx, Patience, channel, cfg)
}

func startWithin(ctx context.Context, limit time.Duration, channel Channel, cfg Config) <-chan end {
	out := make(chan end, 1)
	go func() {
		began := time.Now()
		c, err := connectWithin(ctx, limit, channel, cfg)
		out <- end{c, err, time.Since(began)}
	}()
	return out
}

// connect connects two peers and closes them after the test.
func connect(t testing.TB, host, joiner Config) (a, b *Conn) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	hw, jw := newWire()
	hc, jc := start(ctx, hw, host), start(ctx, jw, joiner)
	h, j := <-hc, <-jc
	for _, e := range []end{h, j} {
		if e.conn != nil {
			t.Cleanup(func() { e.conn.Close() })
		}
	}
	if h.err != nil || j.err != nil {
		t.Fatalf("host: %v, joiner: %v", h.err, j.err)
	}
	return h.conn, j.conn
}
