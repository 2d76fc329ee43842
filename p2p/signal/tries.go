package signal

import (
	"sync"
	"time"
)

// How often a room's password may be guessed: a person who mistyped waits a
// moment, and ten guesses are far from enough for anybody else.
const (
	tryPause = 10 * time.Second
	tryLimit = 10
)

// Tries counts the wrong passwords that a room has been offered, over all
// paths and connections. The zero value is ready; a nil *Tries counts nothing.
// A room keeps one for as long as it keeps its password.
type Tries struct {
	mu     sync.Mutex
	wrong  int
	last   time.Time // when the last one was tried
	before time.Time // what last was before it
}

// Exhausted reports whether no further try will be answered until Reset.
func (t *Tries) Exhausted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.wrong >= tryLimit
}

// Reset begins anew, when the room's owner has said so.
func (t *Tries) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wrong, t.last, t.before = 0, time.Time{}, time.Time{}
}

// check returns 0 if a try would be answered now, or why not.
func (t *Tries) check(now time.Time) Failure {
	if t == nil {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.refusal(now)
}

func (t *Tries) refusal(now time.Time) Failure {
	switch {
	case t.wrong >= tryLimit:
		return TooManyTries
	case !t.last.IsZero() && now.Sub(t.last) < tryPause:
		return SlowDown
	}
	return 0
}

// take counts a try as wrong, if it may be answered; giveBack says that it
// was right after all. A visitor who vanishes in between has had its try.
func (t *Tries) take(now time.Time) Failure {
	if t == nil {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if why := t.refusal(now); why != 0 {
		return why
	}
	t.wrong++
	t.before, t.last = t.last, now
	return 0
}

func (t *Tries) giveBack() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	// After a Reset in between there is nothing left to give back.
	t.wrong = max(t.wrong-1, 0)
	t.last = t.before
}
