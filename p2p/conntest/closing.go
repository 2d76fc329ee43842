package conntest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p"
)

// ended fails unless c soon answers ErrClosed to everything.
func ended(t *testing.T, c p2p.Conn) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		_, err := c.Receive(ctx)
		if errors.Is(err, p2p.ErrClosed) {
			break
		}
		if err != nil {
			t.Errorf("Receive of a closed pipe: %v, want ErrClosed", err)
			return
		}
	}
	for {
		err := c.Send([]byte{1})
		if errors.Is(err, p2p.ErrClosed) {
			return
		}
		if err != nil && !errors.Is(err, p2p.ErrBusy) || ctx.Err() != nil {
			t.Errorf("Send into a closed pipe: %v, want ErrClosed", err)
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// receiveAll reads until Receive fails, repeated frames and all.
func receiveAll(c p2p.Conn) (failed chan error) {
	failed = make(chan error, 1)
	go func() {
		for {
			if _, err := c.Receive(context.Background()); err != nil {
				failed <- err
				return
			}
		}
	}()
	return failed
}

func testCloseHere(t *testing.T, a, b p2p.Conn) {
	exchange(t, a, b, pattern(10, 1))
	blocked := receiveAll(a)
	time.Sleep(time.Millisecond) // likely, not surely, blocked by now
	if err := a.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := <-blocked; !errors.Is(err, p2p.ErrClosed) {
		t.Errorf("Receive blocked at Close: %v, want ErrClosed", err)
	}
	if err := a.Send(pattern(10, 1)); !errors.Is(err, p2p.ErrClosed) {
		t.Errorf("Send after Close: %v, want ErrClosed", err)
	}
	ended(t, a)
	if err := a.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	a.Info() // answers still
}

func testCloseThere(t *testing.T, a, b p2p.Conn) {
	exchange(t, a, b, pattern(10, 1))
	blocked := receiveAll(b)
	a.Close()
	if err := <-blocked; !errors.Is(err, p2p.ErrClosed) {
		t.Errorf("Receive when the other end closed: %v, want ErrClosed", err)
	}
	ended(t, b)
	if err := b.Close(); err != nil {
		t.Errorf("Close after the other end's: %v", err)
	}
}

func testCloseCrowd(t *testing.T, a, b p2p.Conn) {
	var all sync.WaitGroup
	for _, c := range []p2p.Conn{a, b, a, b, a, b} {
		all.Go(func() {
			for i := range 20 {
				if err := c.Send(pattern(100, i)); err != nil && !errors.Is(err, p2p.ErrBusy) && !errors.Is(err, p2p.ErrClosed) {
					t.Errorf("Send: %v", err)
				}
			}
			c.Close()
		})
		all.Go(func() { ended(t, c) })
	}
	all.Wait()
}

func testLastFrames(t *testing.T, a, b p2p.Conn) {
	var want [][]byte
	for i := range 30 {
		want = append(want, pattern(500, i))
	}
	for _, f := range want {
		post(t, a, f)
	}
	a.Close()
	collect(t, b, want)
	ended(t, b)
}

func testCloseStalled(t *testing.T, a, b p2p.Conn) {
	frame := pattern(p2p.MaxFrame, 1)
	for range 2048 {
		if err := a.Send(frame); err != nil && !errors.Is(err, p2p.ErrBusy) {
			t.Fatalf("Send: %v", err)
		}
	}
	a.Close()
	ended(t, a)
	ended(t, b)
}

// goroutines counts the running ones by where they were created.
func goroutines() map[string]int {
	n := make(map[string]int)
	for _, g := range strings.Split(stacks(), "\n\n") {
		n[birth(g)]++
	}
	return n
}

// birth is the line of g's stack that says who created it.
func birth(g string) string {
	if i := strings.LastIndex(g, "created by "); i >= 0 {
		line, _, _ := strings.Cut(g[i:], " in goroutine")
		return line
	}
	return "main"
}

func stacks() string {
	buf := make([]byte, 1<<20)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			return string(buf[:n])
		}
		buf = make([]byte, 2*len(buf))
	}
}

// checkLeaks fails if more goroutines of one origin run than before, and goes
// on doing so: what is being shut down may take its time.
func checkLeaks(t *testing.T, before map[string]int) {
	t.Helper()
	var leaked []string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		leaked = leaked[:0]
		for where, n := range goroutines() {
			if n > before[where] && !strings.Contains(where, "testing.") {
				leaked = append(leaked, fmt.Sprintf("%d more %s", n-before[where], where))
			}
		}
		if len(leaked) == 0 {
			return
		}
	}
	t.Errorf("goroutines leaked:\n%s\n%s", strings.Join(leaked, "\n"), stacks())
}
