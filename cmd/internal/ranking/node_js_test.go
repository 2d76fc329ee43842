package ranking

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/nodetest"
)

func clientOf(t *testing.T, path string) *Client {
	t.Helper()
	c, err := NewClient(Config{URL: nodetest.URL(t) + path, Key: playerKey, Sign: playerSign})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestInNodeRequestsAndAnswers(t *testing.T) {
	c := clientOf(t, "/good/")
	if err := c.Health(t.Context()); err != nil {
		t.Errorf("health: %v", err)
	}
	if got, err := c.FetchTickets(t.Context(), 3); err != nil || len(got) != 1 || got[0].Serial[0] != 7 {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := c.Ladder(t.Context(), "2026 é&=", 0, 0); err != nil || got.Season != "2026 é&=" {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := c.Log(t.Context(), record.ID{1}); err != nil || !bytes.Equal(got, everyByte()) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	_, err := c.Upload(t.Context(), everyByte())
	if r, ok := errors.AsType[*Refusal](err); !ok || r.Reason != WrongDigest || r.Entry != 12 {
		t.Errorf("%v", err)
	}
}

func TestInNodeAnswersThatAreNone(t *testing.T) {
	for _, path := range []string{"/page", "/gateway", "/empty", "/untyped", "/cut", "/nothing"} {
		if _, err := clientOf(t, path).Ladder(t.Context(), "", 0, 0); !errors.Is(err, ErrUnreachable) {
			t.Errorf("%s: %v", path, err)
		}
	}
	nobody, err := NewClient(Config{URL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := nobody.Health(t.Context()); !errors.Is(err, ErrUnreachable) {
		t.Errorf("nobody there: %v", err)
	}
}

// TestInNodeALyingServer: an answer without end takes no more memory than one
// that is as long as is allowed, and the connection is closed.
func TestInNodeALyingServer(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := clientOf(t, "/endless").Ladder(t.Context(), "", 0, 0); !errors.Is(err, ErrUnreachable) {
		t.Errorf("an answer without end: %v", err)
	}
	runtime.ReadMemStats(&after)
	// A buffer that doubles has been allocated about six times over.
	if got := after.TotalAlloc - before.TotalAlloc; got > 8*maxAnswer {
		t.Errorf("%d bytes were allocated for it", got)
	}
	if !hungUp(t, "endless") {
		t.Error("the connection stays open")
	}
	if _, err := clientOf(t, "/large").Log(t.Context(), record.ID{}); !errors.Is(err, record.ErrTooLarge) {
		t.Errorf("a log without end: %v", err)
	}
	if !hungUp(t, "endless") {
		t.Error("the connection of the log stays open")
	}
}

func TestInNodeTimeIsUp(t *testing.T) {
	for _, path := range []string{"silent", "slow"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := clientOf(t, "/"+path).Ladder(ctx, "", 0, 0)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", path, err)
		}
		if !hungUp(t, path) {
			t.Errorf("%s: the connection stays open", path)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := clientOf(t, "/good").Health(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that had ended: %v", err)
	}
}

func TestInNodeStream(t *testing.T) {
	s, err := clientOf(t, "/good").Open(t.Context(), record.Terms{}, [2]record.Signature{})
	if err != nil {
		t.Fatal(err)
	}
	if e, err := s.Next(); err != nil || e.Event != EventWaiting {
		t.Errorf("%+v %v", e, err)
	}
	done := make(chan error)
	go func() { _, err := s.Next(); done <- err }()
	s.Close()
	s.Close()
	if err := <-done; !errors.Is(err, ErrStreamClosed) {
		t.Errorf("Next ends with %v", err)
	}
	if !hungUp(t, "stream") {
		t.Error("the connection stays open")
	}
	// The end of its context ends a stream too.
	ctx, cancel := context.WithCancel(t.Context())
	if s, err = clientOf(t, "/good").Open(ctx, record.Terms{}, [2]record.Signature{}); err != nil {
		t.Fatal(err)
	}
	s.Next()
	cancel()
	if _, err := s.Next(); !errors.Is(err, ErrUnreachable) || !errors.Is(err, context.Canceled) {
		t.Errorf("Next ends with %v", err)
	}
}

// hungUp reports whether the server has seen the page go away.
func hungUp(t *testing.T, from string) bool {
	t.Helper()
	a, err := exchange(t.Context(), "GET", nodetest.URL(t)+"/hungup/"+from, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.body.Close()
	b, err := io.ReadAll(a.body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b) == "yes"
}
