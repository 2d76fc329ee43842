package rendezvous

import (
	"context"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

// overLoopback hosts, joins and pairs once over real sockets.
func overLoopback(t testing.TB, server string) {
	host, err := signal.Dial(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	hosting, err := host.Host(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer hosting.Close()
	code, _ := hosting.Code()
	done := make(chan error, 1)
	go func() {
		v, err := hosting.Visitor(t.Context())
		if err == nil {
			_, err = signal.Pair(t.Context(), v, playerOf(1).config(signal.Host, v, code.Secret()))
		}
		done <- err
	}()
	if b, ok := t.(*testing.B); ok {
		b.StartTimer()
	}
	guest, err := signal.Dial(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	defer guest.Close()
	v, err := guest.Join(t.Context(), asTyped(code))
	if err != nil {
		t.Fatal(err)
	}
	c, err := signal.Pair(t.Context(), v, playerOf(2).config(signal.Guest, v, code.Secret()))
	if err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if b, ok := t.(*testing.B); ok {
		b.StopTimer()
	}
	if c.Peer() != playerOf(1).key {
		t.Error("the channel leads to somebody else")
	}
}

// Over real sockets, with nothing left running behind it.
func TestOverLoopback(t *testing.T) {
	before := runtime.NumGoroutine()
	s := New(Config{})
	web := httptest.NewServer(s)
	for range 5 {
		overLoopback(t, web.URL)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	s.Drain(ctx)
	web.Close()
	for deadline := time.Now().Add(30 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
		}
	}
}

// BenchmarkJoin measures from the code's being entered to the sealed channel:
// a socket, the seat and the pairing.
func BenchmarkJoin(b *testing.B) {
	web := httptest.NewServer(New(Config{Limits: Limits{Joins: 1 << 30, Hosts: 1 << 30}}))
	defer web.Close()
	b.ResetTimer()
	b.StopTimer()
	for range b.N {
		overLoopback(b, web.URL)
	}
}
