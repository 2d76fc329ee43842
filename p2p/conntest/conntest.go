// Package conntest is what every p2p.Conn must pass. It asks for no more than
// the interface promises: frames may come in any order and more than once, but
// on the quiet, healthy path that the maker provides they do come.
package conntest

import (
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p"
)

// A Maker opens a fresh pipe and returns both ends. What else it needs it
// registers with t.Cleanup, which runs after both ends were closed.
type Maker func(t *testing.T) (a, b p2p.Conn)

// patience is how long a test waits for what must happen. It only turns a hang
// into a failure: nothing is measured.
const patience = 30 * time.Second

// Run runs the conformance test on pipes made by open. Run it with -race too.
func Run(t *testing.T, open Maker) {
	// One pipe before anything is counted: libraries start goroutines at
	// first use that stay for the life of the program.
	t.Run("warm", func(t *testing.T) {
		a, b := openPair(t, open)
		exchange(t, a, b, pattern(200, 1))
	})
	before := goroutines()
	for _, tt := range []struct {
		name string
		run  func(*testing.T, p2p.Conn, p2p.Conn)
	}{
		{"info is the same seen from both ends", testInfo},
		{"frames of every size arrive whole", testSizes},
		{"too large and empty are refused", testRefused},
		{"a frame belongs to who holds it", testOwnership},
		{"both ends talk at once from many goroutines", testConcurrent},
		{"a receive whose context ended consumed nothing", testContext},
		{"send never blocks and memory stays bounded", testFlood},
		{"close here", testCloseHere},
		{"close there", testCloseThere},
		{"close at both ends from many goroutines", testCloseCrowd},
		{"close lets the last frames out", testLastFrames},
		{"close with nobody reading returns", testCloseStalled},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := openPair(t, open)
			watch(t, func() { tt.run(t, a, b) })
		})
	}
	t.Run("nothing leaks", func(t *testing.T) { checkLeaks(t, before) })
}

func openPair(t *testing.T, open Maker) (a, b p2p.Conn) {
	t.Helper()
	a, b = open(t)
	t.Cleanup(func() {
		watch(t, func() {
			a.Close()
			b.Close()
		})
	})
	return a, b
}

// watch ends the whole run when f, which may not block, does: what hangs would
// go on using t.
func watch(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(2 * patience):
		panic("conntest: " + t.Name() + " hangs:\n" + stacks())
	}
}
