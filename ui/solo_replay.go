package ui

import (
	"image/color"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
)

// soloReplay shows a run piece by piece.
type soloReplay struct {
	menu
	choice SoloChoice
	replay SoloReplay
	states []SoloState // before the first move, and after each
	table  *solo       // draws
	at     int

	playing bool
	since   int64
}

// soloPlayTicks is how long a placement stands while the replay plays.
const soloPlayTicks = 40

func newSoloReplay(w World, c SoloChoice, r SoloReplay, back func() Scene) *soloReplay {
	s := &soloReplay{menu: menu{world: w, back: back}, choice: c, replay: r, states: []SoloState{r.Start}}
	for _, m := range r.Moves {
		next, err := s.states[len(s.states)-1].Apply(m)
		if err != nil {
			break // it was checked: this cannot be
		}
		s.states = append(s.states, next.(SoloState))
	}
	s.table = &solo{world: w, choice: c, hold: hold{slot: noSlot}}
	s.table.screen.Build = func(*Env) (*widget.Container, widget.Focuser) {
		return widget.NewContainer(widget.ContainerOpts.Layout(absolute{})), nil
	}
	s.screen.Build = s.build
	s.show(0)
	return s
}

// show goes to the state after n moves; the ghost is where the next piece goes.
func (s *soloReplay) show(n int) {
	s.at = min(max(n, 0), len(s.states)-1)
	s.table.state = s.states[s.at]
	s.table.hold = hold{slot: noSlot}
	if s.at == len(s.states)-1 {
		return
	}
	if m := s.replay.Moves[s.at]; m.Kind == engine.Place {
		cell := int(m.Data & 0xff)
		s.table.hold = hold{slot: int(m.Data >> 8), aimed: true, fits: true, r: cell / soloSize, c: cell % soloSize}
	}
}

// layout is that of a game, with a row of three buttons below the hand or below
// the words.
func (s *soloReplay) layout(e *Env) (l soloLayout, buttons [3]Rect) {
	h, g := e.actionHigh(), e.Px(8)
	if e.Portrait() {
		l = layoutSoloPortrait(e, h+g)
		return l, sides(e, Rect{l.tray.X, l.tray.Y + l.tray.H + g, l.tray.W, h}, g)
	}
	l = layoutSoloLandscape(e)
	r := Rect{l.banner.X, l.board.Y + l.board.H + e.Px(frameWidth) - h, l.banner.W, h}
	if l.banner.H = r.Y - g - l.banner.Y; l.banner.H < e.Type.Line(Small) {
		// The words stand where a low screen had the combo.
		l.banner.Y, l.extra.H = l.extra.Y, 0
		l.banner.H = r.Y - g - l.banner.Y
	}
	w := (r.W - 2*g) / 3
	for i := range buttons {
		buttons[i] = Rect{r.X + float64(i)*(w+g), r.Y, w, h}
	}
	return l, buttons
}

func (s *soloReplay) build(e *Env) (*widget.Container, widget.Focuser) {
	l, b := s.layout(e)
	root := widget.NewContainer(widget.ContainerOpts.Layout(absolute{}))
	put := func(b *tile, r Rect) *tile {
		b.GetWidget().LayoutData = r
		root.AddChild(b)
		return b
	}
	arrow := put(e.Button("back", Quiet, func() { s.next = s.back() }), l.leave)
	arrow.face(e.Px(target), func(dst *ebiten.Image, r Rect, ink color.NRGBA) { e.Paint.Icon(dst, iconBack, r, e.Px(22), ink) })
	put(e.Button("replay.back", Plain, func() { s.step(-1) }).with(iconStepBack), b[0])
	id, sign := "replay.play", iconPlay
	if s.playing {
		id, sign = "replay.stop", iconPause
	}
	put(e.Button(id, Plain, func() { s.playing = !s.playing; s.since = e.Now; s.screen.Stale() }).with(sign), b[1])
	next := put(e.Button("replay.next", Primary, func() { s.step(1) }).with(iconNext), b[2])
	return root, next
}

func (s *soloReplay) step(by int) {
	s.show(s.at + by)
	s.playing = false
	s.screen.Stale()
}

// Update steps and plays.
func (s *soloReplay) Update(e *Env, c *Controls) Scene {
	if c.take(LeftWard) {
		s.step(-1)
	}
	if c.take(RightWard) {
		s.step(1)
	}
	if s.playing {
		e.Moving()
		if e.Now-s.since >= soloPlayTicks {
			s.since = e.Now
			s.show(s.at + 1)
			if s.at == len(s.states)-1 {
				s.playing = false
				s.screen.Stale()
			}
		}
	}
	return s.update(s, e, c)
}

// Draw draws the board as it was.
func (s *soloReplay) Draw(e *Env, dst *ebiten.Image) {
	t := s.table
	t.place, _ = s.layout(e)
	t.banner, t.bannerUntil = e.T("replay.at", Vars{"At": s.at, "Of": len(s.states) - 1}), e.Now
	t.Draw(e, dst)
	s.screen.Draw(e, dst)
}
