//go:build !js

package rtc

import (
	"bytes"
	"runtime"
	"sync"
	"testing"
	"time"
)

// A handshake that fails at once closes the link while ICE is still telling
// which path it chose. That once waited for itself, for ever: pion holds a lock
// while it waits for the callback, which asked for what the lock guards.
func TestAPathIsChosenWhileTheLinkCloses(t *testing.T) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				for range 10 {
					host, joiner := configs(t)
					bound := certificate(t).Binding()
					joiner.PeerBinding = bound
					own := colons(host.Certificate.Binding())
					both(t, Patience, host, joiner, func(m []byte) [][]byte {
						return keep(bytes.ReplaceAll(m, []byte(own), []byte(colons(bound))))
					}, keep)
				}
			})
		}
		wait.Wait()
	}()
	select {
	case <-done:
	case <-time.After(8 * patience):
		stacks := make([]byte, 1<<20)
		t.Fatalf("a link that closes never ends\n%s", stacks[:runtime.Stack(stacks, true)])
	}
}
