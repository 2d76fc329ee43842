// Package memnet is pipes within one process: pairs of p2p.Conn over a link
// whose faults are drawn from a seed. It starts no goroutine, holds only
// timers, and so runs in real time and inside a testing/synctest bubble alike.
//
// One direction of a link treats each frame on its own: it may lose it, carry
// it twice, hold it back so that later ones overtake it, and delays what is
// left. What is drawn depends on the seed and on the order of the frames sent
// in that direction alone, not on the time, so a run in a bubble repeats
// exactly. A cut link swallows everything, what is under way included, and
// tells nobody, as a pulled cable does.
package memnet

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/cleavegame/cleave/p2p"
)

// Conditions are the faults of a link. The zero value is a perfect one, on
// which a frame arrives before Send has returned.
type Conditions struct {
	Delay  time.Duration // that every frame takes
	Jitter time.Duration // added, uniform from 0 up to this; keeps the order

	// Chances in thousandths, drawn for each frame.
	Loss, Duplicate, Reorder int
	// Hold is how long at most a frame picked by Reorder, or the copy made
	// by Duplicate, stays behind the others; 0 means 20 ms.
	Hold time.Duration
}

const defaultHold = 20 * time.Millisecond

// A Link joins two ends, 0 and 1. All conns made over it share its fate.
type Link struct {
	mu    sync.Mutex
	cond  Conditions
	cut   bool
	seed  uint64
	pairs uint64
	rand  [2]*rand.Rand // by sending end
	wait  [2][]*meeting
}

type meeting struct {
	key  [32]byte
	conn chan *conn // of one; filled under Link.mu, at most once
}

// NewLink returns a link whose faults follow from seed.
func NewLink(seed uint64, c Conditions) *Link {
	l := &Link{cond: c, seed: seed}
	for end := range l.rand {
		l.rand[end] = rand.New(rand.NewPCG(seed, uint64(end)))
	}
	return l
}

// Set changes the faults for frames sent from now on.
func (l *Link) Set(c Conditions) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cond = c
}

// Cut makes the link swallow everything until Heal, frames under way and
// notices of a Close included.
func (l *Link) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = true
}

// Heal undoes Cut, and lets those who wait in Meet meet.
func (l *Link) Heal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = false
	l.match()
}

// Pair opens a pipe between end 0, who holds key0, and end 1, who holds key1.
// It is open at once, even over a cut link. Its session secret follows from
// the link's seed and the number of pipes opened before.
func (l *Link) Pair(key0, key1 [32]byte) (end0, end1 p2p.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a, b := l.pair(key0, key1)
	return a, b
}

func (l *Link) pair(key0, key1 [32]byte) (a, b *conn) {
	var n [16]byte
	binary.BigEndian.PutUint64(n[:8], l.seed)
	binary.BigEndian.PutUint64(n[8:], l.pairs)
	l.pairs++
	session := sha256.Sum256(append([]byte("cleave/memnet/session/1"), n[:]...))
	a = newConn(l, 0, p2p.Info{Peer: key1, Path: "memory", Session: session})
	b = newConn(l, 1, p2p.Info{Peer: key0, Path: "memory", Session: session})
	a.other, b.other = b, a
	return a, b
}

// Meet waits until the other end calls Meet too and the link is whole, and
// returns this end (0 or 1) of a new pipe. It is how two programs find each
// other again after a cut. It returns ctx's error when that ends first.
func (l *Link) Meet(ctx context.Context, end int, key [32]byte) (p2p.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m := &meeting{key: key, conn: make(chan *conn, 1)}
	l.mu.Lock()
	l.wait[end] = append(l.wait[end], m)
	l.match()
	l.mu.Unlock()
	select {
	case c := <-m.conn:
		return c, nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	for i, w := range l.wait[end] {
		if w == m {
			l.wait[end] = append(l.wait[end][:i], l.wait[end][i+1:]...)
			break
		}
	}
	l.mu.Unlock()
	select {
	case c := <-m.conn: // met while we were leaving
		return c, nil
	default:
		return nil, ctx.Err()
	}
}

func (l *Link) match() {
	for !l.cut && len(l.wait[0]) > 0 && len(l.wait[1]) > 0 {
		m0, m1 := l.wait[0][0], l.wait[1][0]
		l.wait[0], l.wait[1] = l.wait[0][1:], l.wait[1][1:]
		a, b := l.pair(m0.key, m1.key)
		m0.conn <- a
		m1.conn <- b
	}
}

// chance draws once for end, whether or not anything depends on it, so that
// one fault's setting does not shift the draws of another.
func (l *Link) chance(end, thousandths int) bool {
	return l.rand[end].IntN(1000) < thousandths
}

func (l *Link) upTo(end int, d time.Duration) time.Duration {
	u := l.rand[end].Float64()
	return time.Duration(u * float64(d))
}
