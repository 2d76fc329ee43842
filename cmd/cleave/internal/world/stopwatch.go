package world

import (
	"sync"
	"time"

	"github.com/cleavegame/cleave/lockstep"
)

// stopwatch is the time of a match within this process, which can be paused.
// For both of its tables nothing happens then: no limit runs, nobody is away.
type stopwatch struct {
	mu     sync.Mutex
	begun  time.Time
	stood  time.Duration // in all pauses that are over
	paused time.Time     // since when it stands, zero if it runs
}

func newStopwatch() *stopwatch { return &stopwatch{begun: time.Now()} }

// Now is the time without the pauses.
func (s *stopwatch) Now() lockstep.Now {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := time.Now()
	if !s.paused.IsZero() {
		at = s.paused
	}
	ran := (at.Sub(s.begun) - s.stood).Milliseconds()
	return lockstep.Now{Mono: ran, Wall: s.begun.UnixMilli() + ran}
}

// Pause stops it, or lets it go on.
func (s *stopwatch) Pause(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case on && s.paused.IsZero():
		s.paused = time.Now()
	case !on && !s.paused.IsZero():
		s.stood += time.Since(s.paused)
		s.paused = time.Time{}
	}
}

// Paused reports whether it stands.
func (s *stopwatch) Paused() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.paused.IsZero()
}
