package lockstep

import "github.com/cleavegame/cleave/engine"

// A stopwatch measures from a moment, by the monotonic clock as long as this
// process lives and by the wall clock beyond.
type stopwatch struct {
	mono   int64
	wall   int64
	living bool // mono is of this process
}

func (w *stopwatch) start(now Now) { *w = stopwatch{mono: now.Mono, wall: now.Wall, living: true} }

// restart begins at a moment of which only the wall clock is known.
func (w *stopwatch) restart(wall int64) { *w = stopwatch{wall: wall} }

// used is the time of the player's own that has passed: the larger of what
// both clocks say, so that neither sleep nor a restart gives time back.
func (w *stopwatch) used(now Now) int64 {
	used := max(0, now.Wall-w.wall)
	if w.living {
		used = max(used, now.Mono-w.mono)
	}
	return used
}

// elapsed is a time that is measured for the record only: by the monotonic
// clock where it can be.
func (w *stopwatch) elapsed(now Now) int64 {
	if w.living {
		return max(0, now.Mono-w.mono)
	}
	return max(0, now.Wall-w.wall)
}

// expired reports whether this seat's time for its decision has passed.
func (m *match) expired(now Now) bool {
	if m.deciding == engine.None {
		return false
	}
	limit := int64(m.terms.Limits.For(m.deciding))
	return limit > 0 && m.clock.used(now) >= limit
}

// leftMs is what is left of the time for the decision; false with no limit or
// nothing to decide.
func (m *match) leftMs(now Now) (int64, bool) {
	limit := int64(m.terms.Limits.For(m.deciding))
	if m.deciding == engine.None || m.held != nil || limit == 0 {
		return 0, false
	}
	return max(0, limit-m.clock.used(now)), true
}

// peerUsed is how long the peer has had for what it may decide or owes, as it
// looks from here. No rule hangs on it.
func (m *match) peerUsed(now Now) int64 {
	if m.peerFor != engine.None {
		return m.peerTime.elapsed(now)
	}
	return m.peerMs
}
