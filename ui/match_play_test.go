package ui

import (
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
)

// versus is a Seat whose other side is a bot, with no clock and no wire.
type versus struct {
	still
	bot *bot.Player
}

func newVersus(seed byte) *versus {
	level, err := bot.ParseLevel("easy")
	if err != nil {
		panic(err)
	}
	v := &versus{bot: bot.New(level, uint64(seed))}
	v.view = View{State: duel.New([32]byte{seed}), Names: [2]string{"Ada", "Bot"}, Friendly: true}
	v.run()
	return v
}

// run makes every move that is not the player's.
func (v *versus) run() {
	for !v.view.State.Over() {
		s := v.view.State
		switch {
		case s.Awaits() == engine.Reveal:
			v.apply(engine.Move{Seat: uint8(s.Owes()), Kind: engine.Reveal, Layer: [32]byte{byte(len(v.view.Moves)), 9}})
		case s.Owes() == v.view.Me:
			return
		default:
			v.apply(v.bot.Decide(s, s.Owes()))
		}
	}
}

func (v *versus) Decide(m engine.Move) {
	// A splitter may decide before the chooser has; the record waits for it.
	for v.view.State.Owes() != v.view.Me && !v.view.State.Over() {
		v.apply(v.bot.Decide(v.view.State, v.view.State.Owes()))
	}
	v.apply(m)
	v.run()
}

// button returns the middle of the button with a name, as it was last drawn.
func button(t *testing.T, s *Screen, id string) (x, y float64, ok bool) {
	t.Helper()
	for _, c := range s.ui.Container.Children() {
		if c.GetWidget().CustomData == id && !c.GetWidget().Disabled {
			r := c.GetWidget().Rect
			return float64(r.Min.X+r.Max.X) / 2, float64(r.Min.Y+r.Max.Y) / 2, true
		}
	}
	return 0, 0, false
}

// play plays a whole match with what hand does at each decision.
func play(t *testing.T, w, h int, touch bool, hand func(m *match, src *Script)) *versus {
	t.Helper()
	v := newVersus(3)
	env := NewEnv(DefaultSettings())
	env.Resize(float64(w), float64(h), 1)
	src := &Script{}
	m := newMatch(nil, v)
	app := NewApp(env, m, src)
	dst := ebiten.NewImage(w, h)
	defer dst.Deallocate()
	for tick := 0; !v.view.State.Over(); tick++ {
		if tick > 5000 {
			t.Fatalf("stuck in round %d awaiting %v: %+v", v.view.State.Round(), v.view.State.Awaits(), m.step)
		}
		if err := app.Update(); err != nil {
			t.Fatal(err)
		}
		app.Draw(dst)
		drew(w, h)
		if len(src.Steps) == 0 && tick%3 == 2 && m.step.kind != engine.None && !m.step.sent {
			hand(m, src)
			for i := range src.Steps {
				src.Steps[i].Touch = touch
			}
		}
	}
	return v
}

func TestMatchByPointerAlone(t *testing.T) {
	for _, touch := range []bool{false, true} {
		size := [2]int{1000, 640}
		if touch {
			size = [2]int{360, 640}
		}
		v := play(t, size[0], size[1], touch, func(m *match, src *Script) {
			confirm := func(id string) bool {
				x, y, ok := button(t, &m.screen, id)
				if ok {
					src.Click(x, y)
				}
				return ok
			}
			s := m.view.State
			switch m.step.kind {
			case engine.Split:
				if confirm("match.confirm_split") {
					return
				}
				masks, _ := s.Block().Splits()
				for i := range duel.Frame * duel.Frame {
					if masks[0]>>i&1 != 0 {
						x, y := cellOf(m.place.grid(s.Block()), duel.Frame, i).Mid()
						src.Click(x, y)
					}
				}
			case engine.Choose:
				if !confirm("match.confirm_choice") {
					src.Click(m.place.cards[1].Mid())
				}
			case engine.Place:
				if confirm("match.confirm_place") {
					return
				}
				// Drag the piece from where it lies to where it fits.
				x, y := m.place.block.Mid()
				spot, _, ok := bestSpotOf(s.Board(0), m.piece())
				if !ok {
					bx, by, _ := button(t, &m.screen, "match.turn")
					src.Click(bx, by)
					return
				}
				tx, ty := boundsOf(m.place.mine, spot).Mid()
				if touch {
					ty += 1.2 * m.place.mine.W / duel.Size
				}
				src.Steps = append(src.Steps, Step{X: x, Y: y}, Step{X: x, Y: y, Down: true}, Step{X: (x + tx) / 2, Y: (y + ty) / 2, Down: true},
					Step{X: tx, Y: ty, Down: true}, Step{X: tx, Y: ty, Down: true}, Step{X: tx, Y: ty})
			}
		})
		if o := v.view.State.Outcome(); o.End != engine.Played {
			t.Errorf("touch %v: %+v", touch, o)
		}
	}
}

// bestSpotOf is bestSpot for the piece as it is turned now.
func bestSpotOf(board engine.Board, p engine.Piece) (engine.Board, int, bool) {
	spots := p.Fits(board, duel.Size)
	if spots == 0 {
		return 0, 0, false
	}
	r, c := (spots & -spots).First()
	return p.At(r, c), 0, true
}

// Keys and gamepad mean the same actions.
func TestMatchByKeysOrPadAlone(t *testing.T) {
	for _, pad := range []bool{false, true} {
		v := play(t, 640, 480, false, func(m *match, src *Script) {
			switch m.step.kind {
			case engine.Split:
				src.Press(Swap, Swap, Confirm)
			case engine.Choose:
				src.Press(RightWard, Accept, Accept)
			case engine.Place:
				if m.piece().Fits(m.view.State.Board(0), duel.Size) == 0 {
					src.Press(Turn)
				} else {
					src.Press(Down, LeftWard, Accept, Confirm)
				}
			}
			for i := range src.Steps {
				src.Steps[i].Keys, src.Steps[i].Pad = !pad, pad
			}
		})
		if o := v.view.State.Outcome(); o.End != engine.Played {
			t.Errorf("pad %v: %+v", pad, o)
		}
	}
}

// A gamepad alone gets from the title through the menus to the end of a match
// and back.
func TestFromTheTitleAndBackByPadAlone(t *testing.T) {
	src := &Script{}
	a := newStage(newTitle(newFakeWorld()), src, 640, 480)
	for tick := 0; ; tick++ {
		if tick > 6000 {
			t.Fatalf("stuck in %T", a.app.Scene())
		}
		a.tick(t)
		if len(src.Steps) > 0 || tick%4 != 0 {
			continue
		}
		switch s := a.app.Scene().(type) {
		case *title:
			if tick > 100 {
				return
			}
			src.Press(Down, Up, Accept) // practise
		case *practice:
			src.Press(Accept)
		case *result:
			src.Press(Back)
		case *match:
			if s.step.kind == engine.None || s.step.sent {
				continue
			}
			switch s.step.kind {
			case engine.Split:
				src.Press(Swap, Confirm)
			case engine.Choose:
				src.Press(Accept, Accept)
			case engine.Place:
				if s.step.ghost == 0 {
					src.Press(Turn, Up)
				} else {
					src.Press(Accept, Accept)
				}
			}
		}
		for i := range src.Steps {
			src.Steps[i].Pad = true
		}
	}
}

// The focus reaches every button of a match by Next alone.
func TestMatchFocusReachesEveryButton(t *testing.T) {
	seat := midway(20)
	for n := 20; seat.view.State.MayDecide(0) == engine.None; n++ {
		seat = midway(n)
	}
	env := NewEnv(DefaultSettings())
	env.Resize(640, 480, 1)
	src := &Script{}
	m := newMatch(nil, seat)
	app := NewApp(env, m, src)
	dst := ebiten.NewImage(640, 480)
	defer dst.Deallocate()
	src.Press(Next, Next, Next, Next, Next)
	got := map[string]bool{}
	for range 14 {
		if err := app.Update(); err != nil {
			t.Fatal(err)
		}
		app.Draw(dst)
		got[m.screen.Focused()] = true
	}
	for _, c := range m.screen.ui.Container.Children() {
		if b, ok := c.(*tile); ok && !b.GetWidget().Disabled && !got[nameOf(b)] {
			t.Errorf("%s never has the focus", nameOf(b))
		}
	}
}

// Nothing is drawn while nothing changes.
func TestStillScreenDrawsNothing(t *testing.T) {
	env := NewEnv(DefaultSettings())
	env.Resize(360, 640, 1)
	app := NewApp(env, newMatch(nil, midway(21)), &Script{})
	dst := ebiten.NewImage(360, 640)
	defer dst.Deallocate()
	tick := func(n int) {
		for range n {
			if err := app.Update(); err != nil {
				t.Fatal(err)
			}
			app.Draw(dst)
		}
	}
	tick(200)
	before := app.Drawn
	tick(300)
	if app.Drawn != before {
		t.Errorf("%d frames drawn in five still seconds", app.Drawn-before)
	}
}
