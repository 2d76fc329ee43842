package conntest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p"
)

// pattern is a frame of the given size whose bytes follow from size and tag,
// so that a frame that was cut, joined or mixed up with another shows.
func pattern(size, tag int) []byte {
	frame := make([]byte, size)
	x := uint64(size)<<32 ^ uint64(tag)*0x9E3779B97F4A7C15 + 1
	for i := range frame {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		frame[i] = byte(x >> 32)
	}
	if size >= 12 {
		binary.BigEndian.PutUint32(frame, uint32(size))
		binary.BigEndian.PutUint64(frame[4:], uint64(tag))
	}
	return frame
}

// post sends frame, again and again while the pipe is full.
func post(t *testing.T, c p2p.Conn, frame []byte) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		err := c.Send(frame)
		if err == nil {
			return
		}
		if !errors.Is(err, p2p.ErrBusy) || time.Now().After(end) {
			t.Errorf("Send of %d bytes: %v", len(frame), err)
			return
		}
	}
}

func receive(t *testing.T, c p2p.Conn) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	frame, err := c.Receive(ctx)
	if err != nil {
		t.Errorf("Receive: %v", err)
	}
	return frame
}

// collect reads from c until each of want has come, in any order and however
// often, and fails at a frame that is none of them.
func collect(t *testing.T, c p2p.Conn, want [][]byte) {
	t.Helper()
	missing := make(map[string]bool, len(want)) // true while it is missing
	for _, w := range want {
		missing[string(w)] = true
	}
	for left := len(missing); left > 0; {
		frame := receive(t, c)
		if frame == nil {
			t.Errorf("%d of %d frames never came", left, len(missing))
			return
		}
		first, known := missing[string(frame)]
		if !known {
			t.Errorf("received a frame of %d bytes that nobody sent", len(frame))
			return
		}
		if first {
			missing[string(frame)] = false
			left--
		}
	}
}

// exchange sends frame both ways.
func exchange(t *testing.T, a, b p2p.Conn, frame []byte) {
	t.Helper()
	post(t, a, frame)
	collect(t, b, [][]byte{frame})
	post(t, b, frame)
	collect(t, a, [][]byte{frame})
}

func testInfo(t *testing.T, a, b p2p.Conn) {
	ia, ib := a.Info(), b.Info()
	if ia.Session != ib.Session || ia.Session == [32]byte{} {
		t.Errorf("session secrets %x and %x; want the same, not zero", ia.Session, ib.Session)
	}
	if ia.Peer == ib.Peer || ia.Peer == [32]byte{} || ib.Peer == [32]byte{} {
		t.Errorf("peers %x and %x; want two keys", ia.Peer, ib.Peer)
	}
	if ia.Path == "" || ia.Path != ib.Path {
		t.Errorf("paths %q and %q; want the same word", ia.Path, ib.Path)
	}
	// Two readings agree.
	if a.Info() != ia {
		t.Error("Info changed while nothing happened")
	}
}

func testSizes(t *testing.T, a, b p2p.Conn) {
	var sizes []int
	for n := 1; n <= 40; n++ {
		sizes = append(sizes, n)
	}
	for n := 64; n <= p2p.MaxFrame; n *= 2 {
		sizes = append(sizes, n-1, n)
		if n < p2p.MaxFrame {
			sizes = append(sizes, n+1)
		}
	}
	sizes = append(sizes, 1199, 1200, 1201, 1459, 1460, 1461)
	for _, ends := range [][2]p2p.Conn{{a, b}, {b, a}} {
		var frames [][]byte
		for _, n := range sizes {
			frames = append(frames, pattern(n, 0))
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, f := range frames {
				post(t, ends[0], f)
			}
		}()
		collect(t, ends[1], frames)
		<-done
	}
}

func testRefused(t *testing.T, a, b p2p.Conn) {
	for _, frame := range [][]byte{nil, {}, make([]byte, p2p.MaxFrame+1), make([]byte, 1<<20)} {
		if err := a.Send(frame); !errors.Is(err, p2p.ErrTooLarge) {
			t.Errorf("Send of %d bytes: %v, want ErrTooLarge", len(frame), err)
		}
	}
	// Nothing of them arrives, and the pipe is as good as new.
	exchange(t, a, b, pattern(p2p.MaxFrame, 1))
}

func testOwnership(t *testing.T, a, b p2p.Conn) {
	const frames = 50
	buf := make([]byte, 300)
	var want [][]byte
	for i := range frames {
		f := pattern(len(buf), i)
		want = append(want, f)
		copy(buf, f)
		post(t, a, buf)
		clear(buf) // the sender's again
	}
	var got [][]byte
	for range frames {
		got = append(got, receive(t, b))
	}
	// Scribbling on what was received harms neither what comes later nor
	// what came before.
	seen := make(map[string]bool)
	for _, g := range got {
		seen[string(g)] = true
	}
	for _, w := range want {
		if !seen[string(w)] && len(seen) == frames {
			t.Fatal("a frame changed after it was sent or received")
		}
	}
	kept := bytes.Clone(got[1])
	clear(got[0][:cap(got[0])])
	if !bytes.Equal(kept, got[1]) {
		t.Error("two received frames share memory")
	}
}

func testConcurrent(t *testing.T, a, b p2p.Conn) {
	const senders, each, readers = 4, 100, 3
	var all sync.WaitGroup
	for _, ends := range [][2]p2p.Conn{{a, b}, {b, a}} {
		want := make(map[string]bool)
		var mu sync.Mutex
		for s := range senders {
			for i := range each {
				want[string(pattern(12+i*7, s*each+i))] = true
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		left := len(want)
		for s := range senders {
			all.Go(func() {
				for i := range each {
					post(t, ends[0], pattern(12+i*7, s*each+i))
					ends[0].Info()
				}
			})
		}
		for range readers {
			all.Go(func() {
				for {
					frame, err := ends[1].Receive(ctx)
					if err != nil {
						if !errors.Is(err, context.Canceled) {
							t.Errorf("Receive: %v", err)
						}
						return
					}
					mu.Lock()
					first, known := want[string(frame)]
					if !known {
						t.Errorf("received a frame of %d bytes that nobody sent", len(frame))
					}
					if first {
						want[string(frame)] = false
						if left--; left == 0 {
							cancel()
						}
					}
					mu.Unlock()
				}
			})
		}
	}
	all.Wait()
}

func testContext(t *testing.T, a, b p2p.Conn) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if f, err := b.Receive(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("Receive with an ended context: %d bytes, %v; want context.Canceled", len(f), err)
	}
	short, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	if f, err := b.Receive(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Receive past its deadline: %d bytes, %v; want context.DeadlineExceeded", len(f), err)
	}
	// Contexts that end while frames arrive: each frame is got, whichever
	// Receive was given up.
	const frames = 200
	want := make(map[string]bool)
	var sent atomic.Bool
	go func() {
		defer sent.Store(true)
		for i := range frames {
			post(t, a, pattern(64, i))
			if i%8 == 0 {
				time.Sleep(100 * time.Microsecond)
			}
		}
	}()
	for i := range frames {
		want[string(pattern(64, i))] = true
	}
	end := time.Now().Add(patience)
	for left := frames; left > 0; {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Microsecond)
		frame, err := b.Receive(ctx)
		cancel()
		switch {
		case err == nil && want[string(frame)]:
			want[string(frame)] = false
			left--
		case err != nil && !errors.Is(err, context.DeadlineExceeded):
			t.Fatalf("Receive: %v", err)
		case time.Now().After(end):
			t.Fatalf("%d of %d frames were lost to contexts that ended (all sent: %v)", left, frames, sent.Load())
		}
	}
	post(t, a, pattern(200, 1))
	awaitPast(t, b, pattern(200, 1), func(f []byte) bool { _, known := want[string(f)]; return known })
}

// testFlood sends 32 MiB to somebody who does not read.
func testFlood(t *testing.T, a, b p2p.Conn) {
	const frames, allowed = 8192, 16 << 20
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	frame := pattern(p2p.MaxFrame, 1)
	for range frames {
		if err := a.Send(frame); err != nil && !errors.Is(err, p2p.ErrBusy) {
			t.Fatalf("Send: %v", err)
		}
	}
	if grown := heap() - before; grown > allowed {
		t.Errorf("holds %d KiB for a reader who does not read", grown>>10)
	}
	// The other direction is free meanwhile, and this one is again when it
	// is read.
	post(t, b, pattern(100, 2))
	collect(t, a, [][]byte{pattern(100, 2)})
	marker := pattern(100, 3)
	done := make(chan struct{})
	quit := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			default:
				post(t, a, marker) // lost while the reader's side is full
				time.Sleep(5 * time.Millisecond)
			}
		}
	}()
	awaitPast(t, b, marker, func(f []byte) bool { return bytes.Equal(f, frame) })
	close(quit)
	<-done
}

// awaitPast reads until want comes, past repeats of what was sent before.
func awaitPast(t *testing.T, c p2p.Conn, want []byte, before func(frame []byte) bool) {
	t.Helper()
	for {
		frame := receive(t, c)
		switch {
		case frame == nil, bytes.Equal(frame, want):
			return
		case !before(frame):
			t.Errorf("received a frame of %d bytes that nobody sent", len(frame))
			return
		}
	}
}
