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
	last  time.Time     // of the last Update while it rests
	owed  time.Duration // less than a tick
	soon  atomic.Bool   // something is drawn time and again
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
		r.last, r.owed = time.Now(), 0
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

// ticks is how many ticks of a sixtieth of a second have gone by since the
// last Update, at least one.
func (r *rest) ticks() int64 {
	if !r.on.Load() {
		return 1
	}
	const tick = time.Second / ebiten.DefaultTPS
	now := time.Now()
	r.owed += now.Sub(r.last)
	r.last = now
	n := max(int64(r.owed/tick), 1)
	r.owed = max(r.owed-time.Duration(n)*tick, 0)
	return n
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

// Wake lets the scene look at once at what has changed outside of the screen.
// It may be called from any goroutine.
func (a *App) Wake() { a.rest.wake() }
