package ui

import (
	"math"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/streak"
)

// playSolo plays a whole run with what hand does at each decision; it must end
// in the result.
func playSolo(t *testing.T, c SoloChoice, w, h int, touch bool, hand func(s *solo, src *Script)) *soloRun {
	t.Helper()
	world := newFakeWorld()
	seat := newSoloRun(c, "whole")
	world.solo.seat = func(SoloChoice) *soloRun { return seat }
	env := NewEnv(DefaultSettings())
	env.Resize(float64(w), float64(h), 1)
	src := &Script{}
	scene := newSolo(world, c, seat)
	app := NewApp(env, scene, src)
	dst := ebiten.NewImage(w, h)
	defer dst.Deallocate()
	for tick := 0; ; tick++ {
		if tick > 40_000 {
			t.Fatalf("stuck after %d pieces: %+v", seat.state.Placements(), scene.hold)
		}
		if err := app.Update(); err != nil {
			t.Fatal(err)
		}
		if tick%7 == 0 { // what is drawn is looked at by other tests
			app.Draw(dst)
			drew(w, h)
		}
		if _, ok := app.Scene().(*soloResult); ok {
			return seat
		}
		if len(src.Steps) == 0 {
			if scene.asking == askChance {
				// It is taken with whatever is used: the focus is on it.
				button := scene.screen.find("solo.take_chance")
				if button == nil {
					continue // the question is there in the next tick
				}
				if touch {
					src.Click(rectOf(button).Mid())
				} else {
					src.Press(Accept)
				}
			} else if !scene.settled() {
				hand(scene, src)
			}
			for i := range src.Steps {
				src.Steps[i].Touch = touch
			}
		}
	}
}

// wanted is a placement that a player of no great skill would make.
func wanted(s *solo) (slot, r, c int) {
	m := s.seat.(*soloRun).decide(bot.Easy)
	return int(m.Data >> 8), int(m.Data&0xff) / soloSize, int(m.Data&0xff) % soloSize
}

func TestWholeSoloRuns(t *testing.T) {
	for _, c := range []SoloChoice{classicHard, training} {
		for name, how := range map[string]struct {
			w, h  int
			touch bool
			hand  func(e *Env, s *solo, src *Script)
		}{
			"drag by touch": {360, 640, true, func(e *Env, s *solo, src *Script) {
				slot, r, col := wanted(s)
				x, y := pointerFor(e, s, slot, r, col, true, 0, 0)
				drag(s, src, slot, x, y)
			}},
			"drag by mouse": {1000, 640, false, func(e *Env, s *solo, src *Script) {
				slot, r, col := wanted(s)
				x, y := pointerFor(e, s, slot, r, col, false, 0, 0)
				drag(s, src, slot, x, y)
			}},
			"taps": {360, 640, true, func(e *Env, s *solo, src *Script) {
				slot, r, col := wanted(s)
				src.Click(s.place.slots[slot].Mid())
				src.Click(cellOf(s.place.board, soloSize, r*soloSize+col+firstColumn(s.state.Piece(slot))).Mid())
			}},
			"slides": {360, 640, true, func(e *Env, s *solo, src *Script) {
				slot, r, col := wanted(s)
				src.Click(s.place.slots[slot].Mid())
				x, y := pointerFor(e, s, slot, r, col, true, 0, 0)
				mx, my := s.place.board.Mid()
				if math.Hypot(x-mx, y-my) < s.place.board.W/4 {
					mx, my = s.place.board.X+5, s.place.board.Y+5
				}
				src.Steps = append(src.Steps, Step{X: mx, Y: my}, Step{X: mx, Y: my, Down: true}, Step{X: (mx + x) / 2, Y: (my + y) / 2, Down: true},
					Step{X: x, Y: y, Down: true}, Step{X: x, Y: y})
			}},
			"keys": {640, 480, false, func(e *Env, s *solo, src *Script) {
				slot, r, col := wanted(s)
				if s.hold.slot == noSlot {
					for i := s.cursor; i != slot; i = (i + 1) % streak.Hand {
						if s.state.Piece(i) != 0 {
							src.Press(RightWard)
						}
					}
					src.Press(Accept)
					return
				}
				press := func(n int, more, less Action) {
					for range max(n, -n) {
						if n > 0 {
							src.Press(more)
						} else {
							src.Press(less)
						}
					}
				}
				press(r-s.hold.r, Down, Up)
				press(col-s.hold.c, RightWard, LeftWard)
				src.Press(Confirm)
			}},
		} {
			t.Run(c.Game+" "+name, func(t *testing.T) {
				env := NewEnv(DefaultSettings())
				env.Resize(float64(how.w), float64(how.h), 1)
				placed := -1
				seat := playSolo(t, c, how.w, how.h, how.touch, func(s *solo, src *Script) {
					// Each round of the hand must have placed what was meant.
					n := s.state.Placements()
					if how.touch && n == placed {
						t.Fatalf("piece %d does not lie", n+1)
					}
					placed = n
					how.hand(env, s, src)
				})
				if !seat.state.Outcome().Over || !seat.done {
					t.Errorf("over %v, kept %v", seat.state.Outcome().Over, seat.done)
				}
			})
		}
	}
}
