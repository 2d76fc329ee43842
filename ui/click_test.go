package ui

import "testing"

// A click that is over within one tick, or that comes out of nowhere as on a
// slow machine, presses what it hits.
func TestAShortClickCounts(t *testing.T) {
	for _, perFrame := range []int{1, 2, 3, 5} {
		for name, steps := range shortClicks {
			w := newFakeWorld()
			src := &Script{}
			s := newStage(newTitle(w), src, 1280, 800)
			for range 5 {
				s.tick(t)
			}
			r, ok := s.tile(named("title.practice"))
			if !ok {
				t.Fatal("the title has no button to practise")
			}
			src.Steps = steps(r.Mid())
			for range 4 {
				for range perFrame - 1 {
					if err := s.app.Update(); err != nil {
						t.Fatal(err)
					}
				}
				s.tick(t)
			}
			if _, ok := s.app.Scene().(*practice); !ok {
				t.Errorf("%s, %d ticks a frame: nothing happened", name, perFrame)
			}
		}
	}
}

// shortClicks are clicks at a point.
var shortClicks = map[string]func(x, y float64) []Step{
	"one tick": func(x, y float64) []Step {
		return []Step{{X: x, Y: y}, {X: x, Y: y, Down: true}, {X: x, Y: y}}
	},
	"one tick, at once": func(x, y float64) []Step {
		return []Step{{X: x, Y: y, Down: true}, {X: x, Y: y}}
	},
	"two ticks, at once": func(x, y float64) []Step {
		return []Step{{X: x, Y: y, Down: true}, {X: x, Y: y, Down: true}, {X: x, Y: y}}
	},
	"a tap": func(x, y float64) []Step {
		return []Step{{X: x, Y: y, Down: true, Touch: true}, {X: x, Y: y, Touch: true}}
	},
}
