package ui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/streak"
)

// pointerFor is where a pointer has to be for the held piece's corner to be
// over a cell, that many cells aside.
func pointerFor(e *Env, s *solo, slot, r, c int, touch bool, dr, dc float64) (x, y float64) {
	b := s.place.board
	cell := b.W / soloSize
	was := s.hold
	s.hold.slot = slot
	defer func() { s.hold = was }()
	wantX, wantY := b.X+(float64(c)+dc)*cell, b.Y+(float64(r)+dr)*cell
	ox, _ := s.corner(e, 0, 0, touch)
	x = wantX - ox
	// What a finger's height means is not a straight line: look for it.
	lo, hi := -e.H, 2*e.H
	for range 60 {
		y = (lo + hi) / 2
		if _, at := s.corner(e, x, y, touch); at < wantY {
			lo = y
		} else {
			hi = y
		}
	}
	return x, y
}

func drag(s *solo, src *Script, slot int, x, y float64) {
	fx, fy := s.place.slots[slot].Mid()
	// By way of the board, as a hand goes that looks for the place.
	mx, my := s.place.board.Mid()
	at := func(x, y float64) Step { return Step{X: x, Y: y, Down: true} }
	src.Steps = append(src.Steps, Step{X: fx, Y: fy}, at(fx, fy), at(mx, my), at((mx+x)/2, (my+y)/2), at(x, y), at(x, y), Step{X: x, Y: y})
}

// 200 drags with under 0.4 cells of error in each direction all land where they
// are meant, on three screens, by finger and by mouse.
func TestDragsLandWhereMeant(t *testing.T) {
	for _, size := range [][2]int{{320, 480}, {390, 844}, {1280, 800}} {
		for _, touch := range []bool{true, false} {
			rng := rand.New(rand.NewPCG(7, uint64(size[0])))
			env := NewEnv(DefaultSettings())
			env.Resize(float64(size[0]), float64(size[1]), 1)
			for n := range 200 {
				c := [2]SoloChoice{classicHard, training}[n%2]
				seat := newSoloRun(c, fmt.Sprint("drag", n/20))
				for range n % 20 {
					if seat.state.Awaits() == engine.Place {
						seat.Play(seat.decide(bot.Medium))
					}
				}
				if seat.state.Awaits() != engine.Place {
					continue
				}
				s := newSolo(newFakeWorld(), c, seat)
				src := &Script{}
				app := NewApp(env, s, src)
				if err := app.Update(); err != nil {
					t.Fatal(err)
				}
				slot := s.firstSlot()
				p := s.state.Piece(slot)
				spots := p.Fits(s.state.Board(), soloSize)
				for range rng.IntN(spots.Count()) {
					spots &= spots - 1
				}
				r, col := spots.First()
				x, y := pointerFor(env, s, slot, r, col, touch, rng.Float64()*0.8-0.4, rng.Float64()*0.8-0.4)
				if _, exact := pointerFor(env, s, slot, r, col, touch, 0, 0); exact > env.H-2 {
					t.Fatalf("row %d is out of reach on %v", r, size)
				}
				y = min(y, env.H-1) // a finger errs no further than the screen goes
				drag(s, src, slot, x, y)
				if !touch && n%2 == 0 {
					// A slow frame learns of the last way and of the end at once.
					src.Steps = slices.Delete(src.Steps, len(src.Steps)-3, len(src.Steps)-1)
				}
				for i := range src.Steps {
					src.Steps[i].Touch = touch
				}
				for range 10 {
					if err := app.Update(); err != nil {
						t.Fatal(err)
					}
				}
				want := engine.Move{Kind: engine.Place, Data: streak.PlaceData(slot, r, col)}
				if k := len(seat.moves); k == 0 || seat.moves[k-1] != want {
					t.Fatalf("drag %d on %v (touch %v) went elsewhere: %v, want %v", n, size, touch, seat.moves, want)
				}
			}
		}
	}
}

// With a piece picked, a finger that slides from the board to below it reaches
// the last row, and so does one that begins below it, on each screen.
func TestLastRowIsReachedBySliding(t *testing.T) {
	for _, size := range [][2]int{{320, 480}, {360, 640}, {390, 844}, {640, 360}, {1280, 800}} {
		env := NewEnv(DefaultSettings())
		env.Resize(float64(size[0]), float64(size[1]), 1)
		for col := range soloSize {
			seat := newSoloRun(classicHard, "slide")
			s := newSolo(newFakeWorld(), classicHard, seat)
			src := &Script{}
			app := NewApp(env, s, src)
			app.Update()
			p := s.state.Piece(0)
			if col+p.Width() > soloSize {
				continue
			}
			src.Click(s.place.slots[0].Mid())
			r := soloSize - p.Height()
			x, y := pointerFor(env, s, 0, r, col, true, 0, 0)
			if y >= env.H-2 {
				t.Fatalf("the last row needs a finger at %.0f of %v", y, size)
			}
			mx, my := s.place.board.Mid()
			src.Steps = append(src.Steps, Step{X: mx, Y: my}, Step{X: mx, Y: my, Down: true}, Step{X: (mx + x) / 2, Y: (my + y) / 2, Down: true},
				Step{X: x, Y: y, Down: true}, Step{X: x, Y: y})
			for i := range src.Steps {
				src.Steps[i].Touch = true
			}
			for range 12 {
				app.Update()
			}
			want := engine.Move{Kind: engine.Place, Data: streak.PlaceData(0, r, col)}
			if len(seat.moves) != 1 || seat.moves[0] != want {
				t.Errorf("column %d on %v: %v, want %v", col, size, seat.moves, want)
			}
		}
	}
}

// The press area reaches below the board.
func TestAPressBelowTheBoardBelongsToIt(t *testing.T) {
	env := NewEnv(DefaultSettings())
	env.Resize(390, 844, 1)
	l := layoutSolo(env)
	cell := l.board.W / soloSize
	if r := l.pressable(); r.Y+r.H < l.board.Y+l.board.H+2.9*cell || r.X != l.board.X {
		t.Errorf("%+v for the board %+v", r, l.board)
	}
}

// With a piece picked, a finger that presses below the board, where nothing lies
// in the hand, has it too: it slides it, and lifting places it.
func TestAPressOnAnEmptySlotSlides(t *testing.T) {
	seat := newSoloRun(classicHard, "empty slot")
	if err := seat.Play(engine.Move{Kind: engine.Place, Data: streak.PlaceData(1, 0, 0)}); err != nil {
		t.Fatal(err)
	}
	s, src, run := soloApp(classicHard, seat, DefaultSettings())
	run(1)
	src.Click(s.place.slots[0].Mid())
	run(6)
	r, c := soloSize-s.piece().Height(), 2
	env := NewEnv(DefaultSettings())
	env.Resize(360, 640, 1)
	x, y := pointerFor(env, s, 0, r, c, true, 0, 0)
	fx, _ := s.place.slots[1].Mid()
	fy := s.place.slots[1].Y + 4
	src.Steps = append(src.Steps, Step{X: fx, Y: fy}, Step{X: fx, Y: fy, Down: true}, Step{X: (fx + x) / 2, Y: (fy+y)/2 - 40, Down: true}, Step{X: x, Y: y, Down: true}, Step{X: x, Y: y})
	for i := range src.Steps {
		src.Steps[i].Touch = true
	}
	run(12)
	if want := (engine.Move{Kind: engine.Place, Data: streak.PlaceData(0, r, c)}); len(seat.moves) != 2 || seat.moves[1] != want {
		t.Errorf("%v, want %v", seat.moves, want)
	}
}
