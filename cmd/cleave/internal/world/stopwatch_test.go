package world

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestStopwatchStandsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStopwatch()
		wait := func(d time.Duration) { time.Sleep(d) }
		wait(time.Second)
		s.Pause(true)
		s.Pause(true)
		wait(time.Hour)
		if got := s.Now().Mono; got != 1000 {
			t.Errorf("%d ms while paused, want 1000", got)
		}
		s.Pause(false)
		s.Pause(false)
		wait(2 * time.Second)
		now := s.Now()
		if now.Mono != 3000 || now.Wall != s.begun.UnixMilli()+3000 {
			t.Errorf("%+v after the pause, want 3000 ms", now)
		}
	})
}
