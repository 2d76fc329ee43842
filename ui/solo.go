package ui

import (
	"image/color"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
)

// solo is the scene of a Classic or a Streak.
type solo struct {
	world  World
	choice SoloChoice
	seat   SoloSeat
	best   int // the best score at this level, 0 for none
	screen Screen
	next   Scene
	place  soloLayout

	state SoloState
	hint  bot.Hint
	given bool // hint holds

	hold   hold
	cursor int     // the slot under the keys
	keyed  bool    // keys or a pad were used last
	mx, my float64 // where the pointer was
	anims  []flash
	gone   int64 // when the last placement was made

	banner      string // what has just happened
	bannerUntil int64
	fault       error // what could not be kept
	asking      asked
	due         bool // the reader's mirror has said that the piece is to be placed
	said        laid
}

// newSolo returns the scene of a run.
func newSolo(w World, c SoloChoice, seat SoloSeat) *solo {
	s := &solo{world: w, choice: c, seat: seat, hold: hold{slot: noSlot}}
	s.state = seat.State()
	s.hint, s.given = seat.Hint()
	if best := w.SoloBest(c); len(best) > 0 {
		s.best = best[0].Score
	}
	s.cursor = s.firstSlot()
	s.screen.Build = s.build
	return s
}

// build makes the buttons; board and hand are drawn by the scene.
func (s *solo) build(e *Env) (*widget.Container, widget.Focuser) {
	s.place = layoutSolo(e)
	root := widget.NewContainer(widget.ContainerOpts.Layout(absolute{}))
	put := func(b *tile, r Rect) *tile {
		b.GetWidget().LayoutData = r
		root.AddChild(b)
		return b
	}
	if s.asking != askNothing {
		return root, s.buildQuestion(e, put)
	}
	l := s.place
	bare := func(b *tile, k icon) *tile {
		return b.face(e.Px(target), func(dst *ebiten.Image, r Rect, ink color.NRGBA) { e.Paint.Icon(dst, k, r, e.Px(22), ink) })
	}
	put(bare(e.Button("solo.leave", Quiet, s.leave), iconBack), l.leave)
	if c, ok := s.state.(classic.State); ok {
		left := classic.MaxHints - c.HintsTaken()
		b := e.Labelled("solo.hint", e.T("solo.hint", Vars{"N": left}), Quiet, func() { s.takeHint(e) })
		b.GetWidget().Disabled = left == 0 && !s.given
		put(b.face(e.Px(target), func(dst *ebiten.Image, r Rect, ink color.NRGBA) {
			e.Paint.Icon(dst, iconHint, Rect{r.X + e.Px(6), r.Y, e.Px(24), r.H}, e.Px(22), ink)
			e.Type.Draw(dst, number(left), r.X+e.Px(34), r.Y+r.H/2, Strong, Left, ink)
		}), l.hint)
	}
	anew := e.T("solo.restart")
	if s.choice.Contest() {
		anew = e.T("daily.give_up")
	}
	put(bare(e.Labelled("solo.restart", anew, Quiet, func() { s.ask(askRestart) }), iconTurn), l.restart)
	return root, nil
}

func (s *solo) leave() {
	s.seat.Leave()
	s.next = soloHome(s.world, s.choice)
}

// soloHome is where one comes from to a game, and goes back to.
func soloHome(w World, c SoloChoice) Scene {
	switch c.Level {
	case "daily":
		return newSoloDaily(w)
	case "arena":
		return newArena(w, c.Arena)
	}
	return newSoloMenu(w, c.Game)
}

// end keeps the run and shows what it came to, or begins another at once.
func (s *solo) end(anew bool) {
	run, ok, err := s.seat.Finish()
	if err != nil {
		s.fault = err
		s.ask(askFault)
		return
	}
	if ok && !anew {
		s.next = newSoloResult(s.world, s.choice, run, s.state)
		return
	}
	s.begin()
}

// begin begins another run of the same choice.
func (s *solo) begin() {
	if s.choice.Contest() {
		s.next = soloHome(s.world, s.choice)
		return
	}
	seat, err := s.world.PlaySolo(s.choice)
	if err != nil {
		m := newSoloMenu(s.world, s.choice.Game)
		m.fault = err
		s.next = m
		return
	}
	s.next = newSolo(s.world, s.choice, seat)
}

// Typing is false: a game takes no text.
func (s *solo) Typing() bool { return false }

// Update takes what the player does.
func (s *solo) Update(e *Env, c *Controls) Scene {
	s.next = s
	s.keyed = (s.keyed || c.Keys || c.Pad) && !c.Down
	s.place = layoutSolo(e)
	if s.asking == askNothing && !s.settled() {
		s.control(e, c)
	} else if s.asking == askRestart && c.take(Back) {
		s.ask(askNothing)
	}
	s.screen.Update(e, c)
	if len(s.anims) > 0 {
		s.anims = live(s.anims, e.Now)
		e.Moving()
	}
	if s.bannerUntil != 0 && e.Now > s.bannerUntil {
		s.bannerUntil = 0
		e.Redraw()
	}
	// What the last piece did is seen before the words that follow.
	if s.next == s && s.asking == askNothing && s.settled() {
		switch {
		case e.Now-s.gone < pointsTicks:
			e.Moving()
		case s.state.Awaits() == engine.Chance:
			s.ask(askChance)
		default:
			s.end(false)
		}
	}
	return s.next
}

// settled reports whether there is nothing left to place.
func (s *solo) settled() bool { return s.state.Awaits() != engine.Place }
