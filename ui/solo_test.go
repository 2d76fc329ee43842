package ui

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
)

var (
	classicHard = SoloChoice{Game: "classic", Level: "hard"}
	training    = SoloChoice{Game: "streak", Level: "training"}
)

// soloShot is a scene of a run that a bot has brought to where stop says.
func soloShot(name string, c SoloChoice, stop func(SoloState) bool, before func(e *Env, s *solo)) shot {
	return shot{name: name,
		scene: func(w *fakeWorld) Scene { return newSolo(w, c, playedSolo(c, bot.Medium, stop)) },
		before: func(e *Env, s Scene) {
			if before != nil {
				before(e, s.(*solo))
			}
		}}
}

func after(n int) func(SoloState) bool {
	return func(s SoloState) bool { return s.Placements() >= n && !s.Stuck() }
}

// completing reports whether a piece in hand can complete lines, and which.
func completing(s SoloState, least int) (slot, r, c int, ok bool) {
	for slot := range streak.Hand {
		for rest := s.Piece(slot).Fits(s.Board(), soloSize); rest != 0; rest &= rest - 1 {
			r, c := rest.First()
			if tryPlace(s, slot, r, c).lines >= least {
				return slot, r, c, true
			}
		}
	}
	return 0, 0, 0, false
}

func blockedSpot(s *solo) (r, c int) {
	p := s.piece()
	spots := p.Fits(s.state.Board(), soloSize)
	for i := range soloSize * soloSize {
		r, c := i/soloSize, i%soloSize
		if r+p.Height() <= soloSize && c+p.Width() <= soloSize && !spots.Has(r, c) {
			return r, c
		}
	}
	return 0, 0
}

func init() {
	result := func(c SoloChoice, n int) func(w *fakeWorld) Scene {
		return func(w *fakeWorld) Scene {
			seat := playedSolo(c, bot.Easy, func(s SoloState) bool { return s.Outcome().Over })
			run, _, _ := seat.Finish()
			run.ID, run.Helped = w.SoloBest(SoloChoice{Game: "classic", Level: "medium"})[n].ID, n
			r := newSoloResult(w, c, run, seat.state)
			if n > 0 {
				r.choice = SoloChoice{Game: "classic", Level: "medium"}
			}
			return r
		}
	}
	shots = append(shots,
		shot{name: "solo-classic", scene: func(w *fakeWorld) Scene { return newSoloMenu(w, "classic") }},
		shot{name: "solo-streak", scene: func(w *fakeWorld) Scene { w.solo.progress[training] = 4120; return newSoloMenu(w, "streak") }},
		shot{name: "solo-history", scene: func(w *fakeWorld) Scene { return newSoloHistory(w, "classic") }},
		shot{name: "solo-help-streak", scene: func(w *fakeWorld) Scene { return newSoloHelp(w, "streak") }},
		shot{name: "solo-help-classic", scene: func(w *fakeWorld) Scene { return newSoloHelp(w, "classic") }},
		soloShot("solo-begin", classicHard, after(0), nil),
		soloShot("solo-play", classicHard, after(14), nil),
		soloShot("solo-lines", classicHard, func(s SoloState) bool { _, _, _, ok := completing(s, 2); return ok && s.Placements() > 20 }, func(e *Env, s *solo) {
			slot, r, c, _ := completing(s.state, 2)
			s.pick(slot)
			s.near(float64(r), float64(c), 0.1)
		}),
		soloShot("solo-not-there", classicHard, after(14), func(e *Env, s *solo) {
			s.pick(s.firstSlot())
			r, c := blockedSpot(s)
			s.near(float64(r), float64(c), 0)
			b := s.place.board
			s.hold.carried, s.hold.x, s.hold.y = true, b.X+float64(c)*b.W/8+3, b.Y+float64(r)*b.W/8-4
		}),
		soloShot("solo-carried", training, after(22), func(e *Env, s *solo) {
			s.pick(s.firstSlot())
			r, c := s.piece().Fits(s.state.Board(), soloSize).First()
			x, y := pointerFor(e, s, s.hold.slot, r, c, true, 0.3, 0.25)
			s.carry(e, &Controls{X: x, Y: y, Down: true, Touch: true})
		}),
		soloShot("solo-hint", classicHard, after(17), func(e *Env, s *solo) { s.takeHint(e) }),
		soloShot("solo-keys", training, after(20), func(e *Env, s *solo) { s.keyed = true; s.take(1) }),
		soloShot("solo-danger", training, func(s SoloState) bool {
			return endangered(s.(streak.State).Tally()) && s.(streak.State).Tally().Streak() > 2 && !s.Stuck()
		}, nil),
		soloShot("solo-chance", training, SoloState.Stuck, func(e *Env, s *solo) { s.ask(askChance) }),
		soloShot("solo-restart", classicHard, after(14), func(e *Env, s *solo) { s.ask(askRestart) }),
		shot{name: "solo-daily", scene: func(w *fakeWorld) Scene { return newSoloDaily(w) }},
		shot{name: "solo-daily-away", scene: func(w *fakeWorld) Scene {
			w.solo.daily = DailyView{Trouble: Notice{ID: "trouble.away"}}
			return newSoloDaily(w)
		}},
		shot{name: "solo-daily-used", scene: func(w *fakeWorld) Scene {
			d := &w.solo.daily
			d.Left, d.Runs = 0, append(d.Runs, DailyLine{Score: 60, Status: "refused", Why: Notice{ID: "ranking.421", Name: "the day is over"}})
			return newSoloDaily(w)
		}},
		shot{name: "arenas", scene: func(w *fakeWorld) Scene { return newArenas(w) }},
		shot{name: "arenas-none", scene: func(w *fakeWorld) Scene { w.solo.arenas = ArenasView{Known: true}; return newArenas(w) }},
		shot{name: "arena", scene: func(w *fakeWorld) Scene { return newArena(w, "b07d") }},
		shot{name: "arena-enter", scene: func(w *fakeWorld) Scene {
			w.solo.arena = ArenaView{Known: true, ArenaLine: w.solo.arenas.Open[1], Board: w.solo.arena.Board[1:2]}
			return newArena(w, "91c0")
		}},
		shot{name: "arena-closed", scene: func(w *fakeWorld) Scene {
			a := &w.solo.arena
			a.Closed = true
			for i := range a.Board[:7] {
				a.Board[i].Run = fmt.Sprint("run", i)
			}
			return newArena(w, "b07d")
		}},
		shot{name: "boards", scene: func(w *fakeWorld) Scene {
			w.solo.country = "NP"
			b := newBoards(w, func() Scene { return newSoloDaily(w) })
			b.choice.Span = "month"
			return b
		}},
		shot{name: "boards-empty", scene: func(w *fakeWorld) Scene {
			w.solo.board = BoardView{Known: true, Place: Place{Percentile: -1}}
			return newBoards(w, func() Scene { return newSoloDaily(w) })
		}},
		shot{name: "solo-proof-daily", scene: func(w *fakeWorld) Scene {
			p := &w.solo.proof
			p.Day, p.Layer, p.Anchor, p.Leads = "2026-11-28", 332, strings.Repeat("9e8d7c6b", 8), true
			p.Command = "cleavectl streak --level counting --seed " + p.Seed + " --player human"
			r := result(training, 0)(w).(*soloResult)
			r.choice, r.run.Chance = dailyChoice, 2
			return r
		}, before: func(e *Env, s Scene) { r := s.(*soloResult); r.proven = true; r.screen.Ask() }},
		shot{name: "solo-result-saved", scene: func(w *fakeWorld) Scene {
			r := result(training, 0)(w).(*soloResult)
			r.choice, r.run.Chance = dailyChoice, 2
			return r
		}, before: func(e *Env, s Scene) {
			s.(*soloResult).said = e.T("share.saved", Vars{"Path": "/home/ada/Pictures/cleave-streak-9120.png"})
			s.(*soloResult).screen.Stale()
		}},
		shot{name: "solo-result", scene: result(training, 0)},
		shot{name: "solo-result-best", scene: result(classicHard, 2)},
		shot{name: "solo-proof", scene: result(classicHard, 0), before: func(e *Env, s Scene) { r := s.(*soloResult); r.proven = true; r.screen.Ask() }},
		shot{name: "solo-replay", scene: func(w *fakeWorld) Scene {
			r, _ := w.SoloReplay("run1")
			return newSoloReplay(w, classicHard, r, func() Scene { return newSoloHistory(w, "classic") })
		}, before: func(e *Env, s Scene) { s.(*soloReplay).show(17) }},
	)
}

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

// soloApp is a scene that can be stepped.
func soloApp(c SoloChoice, seat *soloRun, set Settings) (*solo, *Script, func(ticks int)) {
	env := NewEnv(set)
	env.Resize(360, 640, 1)
	s := newSolo(newFakeWorld(), c, seat)
	src := &Script{}
	app := NewApp(env, s, src)
	return s, src, func(n int) {
		for range n {
			if err := app.Update(); err != nil {
				panic(err)
			}
		}
	}
}

func TestATapPicksAndPutsBack(t *testing.T) {
	s, src, run := soloApp(classicHard, newSoloRun(classicHard, "tap"), DefaultSettings())
	run(1)
	for want := range 4 {
		src.Click(s.place.slots[1].Mid())
		run(6)
		if picked := s.hold.slot == 1; picked != (want%2 == 0) {
			t.Fatalf("tap %d: slot %d", want+1, s.hold.slot)
		}
	}
	// Another piece is taken instead.
	src.Click(s.place.slots[1].Mid())
	src.Click(s.place.slots[2].Mid())
	run(12)
	if s.hold.slot != 2 {
		t.Errorf("slot %d", s.hold.slot)
	}
	if len(s.seat.(*soloRun).moves) != 0 {
		t.Error("something was placed")
	}
}

// A piece that is let go where it does not fit goes back, and nothing else
// changes.
func TestADragToNowherePutsBack(t *testing.T) {
	seat := playedSolo(classicHard, bot.Medium, after(12))
	s, src, run := soloApp(classicHard, seat, DefaultSettings())
	run(1)
	before := s.state
	fx, fy := s.place.slots[s.firstSlot()].Mid()
	src.Steps = append(src.Steps, Step{X: fx, Y: fy}, Step{X: fx, Y: fy, Down: true}, Step{X: 20, Y: 20, Down: true}, Step{X: 5, Y: 5, Down: true}, Step{X: 5, Y: 5})
	run(8)
	if s.hold.slot != noSlot || s.state != before || seat.state != before {
		t.Errorf("%+v", s.hold)
	}
}

// Where the tapped cell does not fit but one placement alone covers it, that one
// is shown, and placed by a second press.
func TestTheOnlyPlacementThatCoversACell(t *testing.T) {
	for n := range 400 {
		seat := newSoloRun(classicHard, fmt.Sprint("cover", n))
		for range 10 + n%8 {
			if seat.state.Awaits() == engine.Place {
				seat.Play(seat.decide(bot.Beginner))
			}
		}
		if seat.state.Awaits() != engine.Place {
			continue
		}
		s, src, run := soloApp(classicHard, seat, DefaultSettings())
		run(1)
		s.pick(s.firstSlot())
		p := s.piece()
		spots := p.Fits(s.state.Board(), soloSize)
		for cell := range soloSize * soloSize {
			r, c := cell/soloSize, cell%soloSize
			if col := c - firstColumn(p); col >= 0 && spots.Has(r, col) {
				continue
			}
			var only engine.Board
			count := 0
			for rest := spots; rest != 0; rest &= rest - 1 {
				if at := p.At(rest.First()); at.Has(r, c) {
					only, count = at, count+1
				}
			}
			if count != 1 {
				continue
			}
			moves := len(seat.moves)
			src.Click(cellOf(s.place.board, soloSize, cell).Mid())
			run(6)
			if !s.hold.pinned || s.piece().At(s.hold.r, s.hold.c) != only || len(seat.moves) != moves {
				t.Fatalf("one press: %+v", s.hold)
			}
			src.Click(cellOf(s.place.board, soloSize, cell).Mid())
			run(6)
			if len(seat.moves) != moves+1 {
				t.Fatal("the second press does not place it")
			}
			return
		}
	}
	t.Fatal("no such place was found")
}

func TestASecondPressIsAskedForWhereItIsWanted(t *testing.T) {
	set := DefaultSettings()
	set.Confirm = true
	seat := newSoloRun(classicHard, "confirm")
	s, src, run := soloApp(classicHard, seat, set)
	run(1)
	src.Click(s.place.slots[0].Mid())
	x, y := cellOf(s.place.board, soloSize, 2*soloSize+3).Mid()
	src.Click(x, y)
	run(12)
	if len(seat.moves) != 0 || !s.hold.pinned {
		t.Fatalf("%v %+v", seat.moves, s.hold)
	}
	r, c := s.hold.r, s.hold.c
	src.Click(cellOf(s.place.board, soloSize, r*soloSize+c+firstColumn(s.piece())).Mid())
	run(6)
	if len(seat.moves) != 1 {
		t.Error("the second press does not place it")
	}
}

func TestAHintIsShownAndCounted(t *testing.T) {
	seat := playedSolo(classicHard, bot.Medium, after(9))
	s, src, run := soloApp(classicHard, seat, DefaultSettings())
	run(1)
	for n := 1; n <= classic.MaxHints; n++ {
		src.Press(HintKey)
		run(3)
		h := bot.ClassicHint(seat.state.(classic.State))
		if got := seat.state.(classic.State).HintsTaken(); got != n || s.hold.slot != int(h.Move.Data>>8) || !s.hold.pinned {
			t.Fatalf("hint %d: %d taken, %+v", n, got, s.hold)
		}
		src.Press(Accept)
		run(4)
		if seat.moves[len(seat.moves)-1] != h.Move {
			t.Fatal("the hint's placement is not made")
		}
		if seat.state.Outcome().Over {
			t.Skip("the game ended before the third hint")
		}
	}
	src.Press(HintKey)
	run(3)
	if got := seat.state.(classic.State).HintsTaken(); got != classic.MaxHints || s.banner == "" {
		t.Errorf("%d hints, %q", got, s.banner)
	}
}

// Restart asks; the game that was left is kept with what it had.
func TestRestartAsks(t *testing.T) {
	seat := playedSolo(classicHard, bot.Medium, after(9))
	world := newFakeWorld()
	world.solo.seat = func(SoloChoice) *soloRun { return newSoloRun(classicHard, "next") }
	a, run := mirroredApp(newSolo(world, classicHard, seat))
	run(2)
	if !a.Press("solo.restart") {
		t.Fatal("no restart")
	}
	run(2)
	if seat.done || a.Mirror().Heading != a.Env.T("solo.restart_question") {
		t.Fatalf("it does not ask: %+v", a.Mirror())
	}
	a.Press("solo.keep_playing")
	run(2)
	if seat.done || a.Scene().(*solo).state != seat.state {
		t.Fatal("the game is gone")
	}
	a.Press("solo.restart")
	run(2)
	a.Press("solo.start_anew")
	run(2)
	if s, ok := a.Scene().(*solo); !ok || !seat.done || s.state.Placements() != 0 {
		t.Errorf("kept %v, scene %T", seat.done, a.Scene())
	}
}

// What cannot be kept is said, and the board stays as it was.
func TestARefusedPlacementChangesNothing(t *testing.T) {
	seat := newSoloRun(training, "full")
	s, src, run := soloApp(training, seat, DefaultSettings())
	run(1)
	seat.refuse = fmt.Errorf("the disk is full")
	src.Press(Accept, Accept)
	run(6)
	if s.state.Placements() != 0 || s.banner != "the disk is full" {
		t.Errorf("%d pieces, %q", s.state.Placements(), s.banner)
	}
	seat.refuse = nil
	src.Press(Accept, Accept)
	run(6)
	if s.state.Placements() != 1 {
		t.Error("it goes on no more")
	}
}

// A whole run by what the mirror says and takes alone.
func TestASoloGameIsPlayedByTheMirror(t *testing.T) {
	for _, c := range []SoloChoice{classicHard, training} {
		seat := newSoloRun(c, "mirror")
		a, run := mirroredApp(newSolo(newFakeWorld(), c, seat))
		run(2)
		for range 3000 {
			m := a.Mirror()
			if m.Scene == "solo_result" {
				break
			}
			press := ""
			for _, p := range m.Parts {
				switch {
				case p.ID == "solo.take_chance":
					press = p.ID
				case p.Disabled:
				case p.ID == "mirror.place":
					press = p.ID
				case press == "" && len(p.ID) == len(partPiece)+1 && !p.Chosen && seat.state.Piece(int(p.ID[len(partPiece)]-'0')).Fits(seat.state.Board(), 8) != 0:
					press = p.ID
				}
			}
			if press != "" && !a.Press(press) {
				t.Fatalf("%s cannot be pressed in %+v", press, m)
			}
			run(2)
			if press == "" {
				run(20)
			}
		}
		if m := a.Mirror(); m.Scene != "solo_result" || !seat.done {
			t.Errorf("in the end it says %+v", m)
		}
	}
}

func TestWorkedExamplesOfTheHelp(t *testing.T) {
	var totals []int
	for _, r := range streakExample() {
		totals = append(totals, r.sum)
	}
	if fmt.Sprint(totals) != "[16 116 128 624 788 808]" {
		t.Errorf("the streak's totals are %v", totals)
	}
	totals = nil
	for _, r := range classicExample() {
		totals = append(totals, r.sum)
	}
	if fmt.Sprint(totals) != "[14 67 92 96]" {
		t.Errorf("the classic's totals are %v", totals)
	}
}

// The daily challenge waits for the server, says what is wrong, and leads into
// the game and back.
func TestTheDailyChallenge(t *testing.T) {
	w := newFakeWorld()
	answer, fault := SoloSeat(nil), error(nil)
	w.solo.opened = func() (SoloSeat, error) { return answer, fault }
	a, run := mirroredApp(newSoloMenu(w, "streak"))
	run(2)
	a.Press("daily.title")
	run(2)
	for _, want := range []string{"Chance 1 · this one counts, 9120", "Chance 2 · waits for the server, 4410", w.solo.daily.Place.words(a.Env), "3 You, 9120"} {
		found := false
		for _, l := range a.Mirror().Lines {
			found = found || strings.TrimSpace(l) == want
		}
		if !found {
			t.Errorf("%q is not said: %q", want, a.Mirror().Lines)
		}
	}
	a.Press("daily.play")
	run(30)
	if !a.Mirror().part(t, "daily.opening").Disabled {
		t.Error("it does not wait")
	}
	fault = errors.New("no chance left")
	run(2)
	if got := fmt.Sprint(a.Mirror().Lines); !strings.Contains(got, "no chance left") {
		t.Errorf("it does not say what is wrong: %s", got)
	}
	seat := newSoloRun(training, "daily")
	answer, fault = seat, nil
	a.Press("daily.play")
	run(3)
	s, ok := a.Scene().(*solo)
	if !ok || !s.choice.Contest() {
		t.Fatalf("scene %T", a.Scene())
	}
	// To give it up asks, and says that it is a chance.
	a.Press("mirror.piece/0")
	a.Press("mirror.place")
	run(2)
	a.Press("solo.restart")
	run(2)
	if a.Mirror().Heading != a.Env.T("daily.give_up_question") {
		t.Errorf("it asks %q", a.Mirror().Heading)
	}
	a.Press("daily.give_up")
	run(2)
	if _, ok := a.Scene().(*soloDaily); !ok || !seat.done || len(seat.moves) != 1 {
		t.Errorf("scene %T, kept %v, %d moves", a.Scene(), seat.done, len(seat.moves))
	}
}

// A radius that the player chose is how far a dragged piece snaps.
func TestTheRadiusOfSnapping(t *testing.T) {
	for snap, want := range map[int]bool{6: false, 9: false, 15: true} {
		set := DefaultSettings()
		set.Snap = snap
		seat := newSoloRun(classicHard, "snap")
		s, _, run := soloApp(classicHard, seat, set)
		run(1)
		s.pick(0)
		env := NewEnv(set)
		s.near(-1.2, 2, env.snapCells())
		if s.hold.fits != want {
			t.Errorf("with %d tenths a piece 1.2 cells off snaps: %v", snap, s.hold.fits)
		}
	}
}

func TestPointsHaveTheirSign(t *testing.T) {
	for n, want := range map[int]string{0: "+0", 5: "+5", 420: "+420", 7020: "+7020", -8: "−8", -300: "−300"} {
		if got := signed(n); got != want {
			t.Errorf("%d is written %q, want %q", n, got, want)
		}
	}
}
