package signal

import (
	"testing"
	"testing/synctest"
	"time"
)

// How long each side waits for one that says nothing: the visitor has 5 s for
// the version and the answer together, the host 8 s for version and start, and
// nobody hangs beyond 20 s in all.
func TestSilenceEndsAPairing(t *testing.T) {
	for _, tc := range []struct {
		name   string
		role   Role
		silent int // the other's message from which on it says nothing
		want   time.Duration
	}{
		{"a visitor that says nothing", Host, 0, 5 * time.Second},
		{"a visitor that does not answer", Host, 1, 5 * time.Second},
		{"a visitor that does not confirm", Host, 2, 5 * time.Second},
		{"a host that says nothing", Guest, 0, 8 * time.Second},
		{"a host that does not start", Guest, 1, 8 * time.Second},
		{"a host that does not confirm", Guest, 2, 5 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := newPipes()
				h, g := configs("maple-orbit")
				own, other, mine, theirs := a, b, h, g
				if tc.role == Guest {
					own, other, mine, theirs = b, a, g, h
				}
				other.alter = silent(tc.silent)
				done := make(chan struct{})
				go func() {
					defer close(done)
					Pair(t.Context(), other, theirs)
				}()
				begun := time.Now()
				_, err := Pair(t.Context(), own, mine)
				if f, ok := FailureOf(err); !ok || f != PeerLeft || time.Since(begun) != tc.want {
					t.Errorf("%v after %v, want %v", err, time.Since(begun), tc.want)
				}
				<-done
			})
		})
	}
}
