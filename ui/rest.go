package ui

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

// The game rests when the player has done nothing for a while and nothing
// moves: it then waits for input or for Wake, and looks only now and then
// whether something else has changed. Either is seen at once, so that a rest
// costs no latency. How often it looks is what a rest costs: a program that is
// woken does some work of the system's before it sleeps again.
const (
	restAfter = 60                     // ticks of quiet
	restLook  = 250 * time.Millisecond // from one look to the next
	restClock = 100 * time.Millisecond // the same while a clock runs on the screen
)

// rest says whether the game rests.
type rest struct {
	quiet int // ticks in a row
	on    atomic.Bool
	soon  atomic.Bool // something is drawn time and again
}

// canRest: a browser calls the game as often as it likes, and stops by itself
// where nobody looks.
const canRest = runtime.GOOS != "js"

// watch goes on or ends the rest after a tick. A gamepad wakes nobody, so with
// one at hand there is none; neither is there while something moves.
func (r *rest) watch(busy, drawn bool) {
	r.soon.Store(drawn)
	if busy {
		r.quiet = 0
	} else {
		r.quiet++
	}
	if on := r.quiet >= restAfter; on != r.on.Load() {
		r.on.Store(on)
		// No other mode of Ebitengine waits for input; with vertical sync
		// alone it wakes up sixty times a second for nothing.
		if on {
			ebiten.SetTPS(ebiten.SyncWithFPS)
			ebiten.SetFPSMode(ebiten.FPSModeVsyncOffMinimum)
		} else {
			ebiten.SetTPS(ebiten.DefaultTPS)
			ebiten.SetFPSMode(ebiten.FPSModeVsyncOn)
		}
	}
}

// look wakes the game now and then until stop is closed.
func (r *rest) look(stop <-chan struct{}) {
	for {
		every := restLook
		if r.soon.Load() {
			every = restClock
		}
		select {
		case <-time.After(every):
			r.wake()
		case <-stop:
			return
		}
	}
}

// wake has the next tick come now.
func (r *rest) wake() {
	if r.on.Load() {
		ebiten.ScheduleFrame()
	}
}

// A metronome counts ticks of a sixtieth of a second by the clock, so that what
// moves takes its time however often the game is called: seldom while it rests,
// or on a machine that is too slow to draw sixty times a second.
type metronome struct {
	last time.Time
	owed time.Duration // less than a tick
}

const tick = time.Second / ebiten.DefaultTPS

// ticks is how many have gone by at a time since it was asked last.
func (m *metronome) ticks(now time.Time) int64 {
	if m.last.IsZero() {
		m.last = now
		return 1
	}
	m.owed += now.Sub(m.last)
	m.last = now
	n := m.owed / tick
	m.owed -= n * tick
	return int64(n)
}

// Wake lets the scene look at once at what has changed outside of the screen.
// It may be called from any goroutine.
func (a *App) Wake() { a.rest.wake() }
