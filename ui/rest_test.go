package ui

import (
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

// The game rests when nothing was done for a while, and no longer.
func TestRestBeginsWithQuietAndEndsAtOnce(t *testing.T) {
	defer ebiten.SetTPS(ebiten.DefaultTPS)
	defer ebiten.SetFPSMode(ebiten.FPSModeVsyncOn)
	var r rest
	for range restAfter - 1 {
		r.watch(false, false)
	}
	if r.on.Load() {
		t.Fatal("it rests too soon")
	}
	r.watch(false, false)
	if !r.on.Load() {
		t.Fatal("it does not rest")
	}
	if r.watch(false, true); !r.on.Load() || !r.soon.Load() {
		t.Fatal("a clock that runs ended the rest, or is not looked at more often")
	}
	if r.watch(true, false); r.on.Load() {
		t.Fatal("what the player did has not ended the rest")
	}
}

// Time goes on as fast however seldom the game is called.
func TestTicksFollowTheClock(t *testing.T) {
	at := time.Now()
	var m metronome
	if n := m.ticks(at); n != 1 {
		t.Fatalf("%d ticks at first", n)
	}
	for _, every := range []time.Duration{time.Millisecond, 16 * time.Millisecond, 250 * time.Millisecond, 400 * time.Millisecond} {
		total := int64(0)
		for end := at.Add(4 * time.Second); at.Before(end); {
			at = at.Add(every)
			total += m.ticks(at)
		}
		if total < 239 || total > 241 {
			t.Errorf("%d ticks in four seconds, called every %v", total, every)
		}
	}
}

// What another goroutine changed is looked at: a window that rests is woken.
func TestWakeIsNothingWithoutARest(t *testing.T) {
	a := NewApp(NewEnv(DefaultSettings()), nil, &Script{})
	a.Wake() // no frame is asked for, and nothing waits
	if a.rest.on.Load() {
		t.Fatal("waking began a rest")
	}
}
