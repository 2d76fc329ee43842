package ui

import (
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

// What to do after a game is in sight at once, however the screen lies.
func TestWhatToDoAfterAGameIsInSight(t *testing.T) {
	for _, size := range [][2]float64{{640, 360}, {844, 390}, {800, 600}, {1280, 800}, {360, 640}} {
		for _, c := range []struct {
			name, button string
		}{{"result-won", "result.rematch"}, {"result-stopped", "result.rematch"}, {"solo-result", "solo.again"}, {"title", "title.streak"}} {
			for _, shot := range shots {
				if shot.name != c.name {
					continue
				}
				s := newStage(shot.scene(newFakeWorld()), &Script{}, size[0], size[1])
				for range 4 {
					s.tick(t)
				}
				r, ok := s.tile(named(c.button))
				if !ok || r.Y+r.H > size[1] {
					t.Errorf("%s at %v: the button %s is at %v", c.name, size, c.button, r)
				}
			}
		}
	}
}

// What a page is called is told first, also where a picture stands on its left.
func TestAPageIsToldByItsName(t *testing.T) {
	for _, size := range [][2]float64{{640, 360}, {1280, 800}, {360, 640}} {
		for name, want := range map[string]string{"result-won": "You won", "solo-result": "Streak · training", "title": "Cleave"} {
			for _, shot := range shots {
				if shot.name != name {
					continue
				}
				s := newStage(shot.scene(newFakeWorld()), &Script{}, size[0], size[1])
				s.tick(t)
				s.tick(t)
				if got := s.app.Mirror().Heading; !strings.HasPrefix(got, want) {
					t.Errorf("%s at %v is called %q", name, size, got)
				}
			}
		}
	}
}

// The way back is where it was, from one page to the next.
func TestTheWayBackStaysWhereItIs(t *testing.T) {
	for _, size := range [][2]float64{{640, 360}, {360, 640}, {1280, 800}} {
		var first Rect
		for _, name := range []string{"practice", "lan-empty", "ladder-unplaced", "settings", "history-empty", "solo-classic", "learn"} {
			for _, shot := range shots {
				if shot.name != name {
					continue
				}
				s := newStage(shot.scene(newFakeWorld()), &Script{}, size[0], size[1])
				for range 4 {
					s.tick(t)
				}
				r, _ := s.tile(named("back"))
				if first == (Rect{}) {
					first = r
				}
				if r != first {
					t.Errorf("%s at %v: %v, not %v", name, size, r, first)
				}
			}
		}
	}
}

// Whoever points sees no ring around what the keys would press, until keys are
// used.
func TestTheRingIsForKeys(t *testing.T) {
	src := &Script{}
	w := newFakeWorld()
	s := newStage(newTitle(w), src, 1280, 800)
	s.tick(t)
	if !s.app.Scene().(*title).screen.showing {
		t.Error("no ring at first")
	}
	for range 3 {
		s.tick(t)
	}
	r, _ := s.tile(named("title.practice"))
	src.Click(r.Mid())
	for range 6 {
		s.tick(t)
	}
	p, ok := s.app.Scene().(*practice)
	if !ok || p.screen.showing {
		t.Errorf("a ring after a click, in %T", s.app.Scene())
	}
	src.Steps = append(src.Steps, Step{Actions: []Action{Down}, Keys: true})
	for range 3 {
		s.tick(t)
	}
	if !p.screen.showing {
		t.Error("no ring after a key")
	}
}

// A button that would do nothing is grey from the first frame on.
func TestButtonsAreGreyFromTheFirstFrame(t *testing.T) {
	for kind, id := range map[engine.Kind]string{engine.Split: "match.confirm_split", engine.Choose: "match.confirm_choice", engine.Place: "match.confirm_place"} {
		s := newStage(newMatch(newFakeWorld(), played(mine(kind, 3))), &Script{}, 360, 640)
		for frame := range 3 {
			s.tick(t)
			for _, id := range []string{id, "match.undo"} {
				if _, ok := s.tile(named(id)); ok {
					t.Errorf("frame %d: %s can be pressed", frame+1, id)
				}
			}
		}
	}
}
