package ui

import (
	"image/color"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// replay shows a match move by move, with what the engine would have done
// better, and the checks of its record.
type replay struct {
	menu
	id     string
	replay Replay
	table  *match // draws the boards
	at     int    // how many moves have been made
	states []duel.State

	notes    []ReviewNote
	progress float64
	fault    error
	said     string // what copying led to

	playing bool
	since   int64
	proofs  bool // the checks are shown
}

// playTicks is how long a move stands while the replay plays.
const playTicks = 70

func newReplay(w World, id string, r Replay, back func() Scene) *replay {
	s := &replay{menu: menu{world: w, back: back}, id: id, replay: r}
	state := duel.New(r.View.State.Match())
	s.states = append(s.states, state)
	for _, m := range r.Moves {
		next, _, err := duel.Apply(state, m)
		if err != nil {
			break // both resigned at once: the second is no move
		}
		state = next
		s.states = append(s.states, state)
	}
	s.table = &match{world: w, view: r.View, watch: true}
	s.table.screen.Build = func(*Env) (*widget.Container, widget.Focuser) {
		return widget.NewContainer(widget.ContainerOpts.Layout(absolute{})), nil
	}
	s.screen.Build = s.build
	s.at = -1
	s.show(s.stop(1))
	return s
}

// show goes to the state after n moves.
func (s *replay) show(n int) {
	s.at = min(max(n, 0), len(s.states)-1)
	s.table.view.State = s.states[s.at]
	s.table.view.Moves = s.replay.Moves[:s.at]
}

// shown says whether a state is worth a stop: one in which somebody decides,
// or the end. What chance reveals happens in between.
func (s *replay) shown(n int) bool {
	return n == len(s.states)-1 || s.states[n].Awaits() != engine.Reveal
}

// stop is the next state to stop at in a direction.
func (s *replay) stop(by int) int {
	for n := s.at + by; n >= 0 && n < len(s.states); n += by {
		if s.shown(n) {
			return n
		}
	}
	return s.at
}

// count says at which of how many stops one is.
func (s *replay) count() (at, of int) {
	for n := range s.states {
		if s.shown(n) {
			of++
			if n <= s.at {
				at = of
			}
		}
	}
	return at, of
}

// note is what the review says of the next move.
func (s *replay) note() (ReviewNote, bool) {
	for _, n := range s.notes {
		if n.Move == s.at {
			return n, true
		}
	}
	return ReviewNote{}, false
}

func (s *replay) build(e *Env) (*widget.Container, widget.Focuser) {
	if s.proofs {
		return s.buildProofs(e)
	}
	l := layoutMatch(e, false, 0)
	root := widget.NewContainer(widget.ContainerOpts.Layout(absolute{}))
	put := func(b *tile, r Rect) *tile {
		b.GetWidget().LayoutData = r
		root.AddChild(b)
		return b
	}
	arrow := put(e.Button("back", Quiet, func() { s.next = s.back() }), l.leave)
	arrow.face(e.Px(target), func(dst *ebiten.Image, r Rect, ink color.NRGBA) { e.Paint.Icon(dst, iconBack, r, e.Px(22), ink) })
	verify := Rect{l.hint.X, l.hint.Y, l.pause.X + l.pause.W - l.hint.X, l.hint.H}
	put(e.Button("replay.verify", Quiet, func() { s.proofs = true; s.screen.Stale() }).with(iconDone), verify)
	put(e.Button("replay.back", Plain, func() { s.step(-1) }).with(iconStepBack), l.action[0])
	id, sign := "replay.play", iconPlay
	if s.playing {
		id, sign = "replay.stop", iconPause
	}
	put(e.Button(id, Plain, func() { s.playing = !s.playing; s.since = e.Now; s.screen.Stale() }).with(sign), l.action[1])
	next := put(e.Button("replay.next", Primary, func() { s.step(1) }).with(iconNext), l.action[2])
	return root, next
}

func (s *replay) buildProofs(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	var content []widget.PreferredSizeLocateableWidget
	for _, p := range s.replay.Proofs {
		mark, tint := "✓ ", e.Theme.Accent
		if !p.OK {
			mark, tint = "– ", e.Theme.Faint
		}
		content = append(content, e.Words(mark+e.T(p.Text), Body, tint, width))
	}
	where := e.T("replay.file", Vars{"Path": s.replay.File})
	if s.said != "" {
		where = s.said
	}
	content = append(content, e.Words(where, Small, e.Theme.Faint, width),
		e.Button("replay.share", Plain, func() {
			s.said = e.T("waiting.copied")
			if err := s.world.Copy(s.replay.File); err != nil {
				s.said = e.Sorry(err)
			}
			s.screen.Stale()
		}))
	if lines := s.misses(e); len(lines) > 0 {
		content = append(content, e.air(8), e.Words(e.T("replay.review"), Strong, e.Theme.Ink, width))
		for _, line := range lines {
			content = append(content, e.Words(line, Body, e.Theme.Ink, width))
		}
	}
	head, arrow := e.head(e.T("replay.proofs"), func() { s.proofs = false; s.screen.Stale() })
	root, scroll := e.pinned(append([]widget.PreferredSizeLocateableWidget{head}, content...))
	s.screen.Scroll = scroll
	return root, arrow
}

// misses lists the review, round by round.
func (s *replay) misses(e *Env) []string {
	var lines []string
	for _, n := range s.notes {
		if n.Move < len(s.states) {
			lines = append(lines, e.T("review.round", Vars{"Round": s.states[n.Move].Round(), "Says": s.say(e, n)}))
		}
	}
	return lines
}

// say puts one note of the review in words.
func (s *replay) say(e *Env, n ReviewNote) string {
	id := map[engine.Kind]string{engine.Split: "review.split", engine.Choose: "review.choose", engine.Place: "review.place"}[n.Better.Kind]
	return e.Say(id, "", int(n.Points+0.5))
}

func (s *replay) step(by int) {
	s.show(s.stop(by))
	s.playing = false
	s.screen.Stale()
}

// Update steps, plays, and follows the review.
func (s *replay) Update(e *Env, c *Controls) Scene {
	notes, progress, err := s.world.Review(s.id, s.replay.View.Me)
	if len(notes) != len(s.notes) || progress != s.progress {
		s.notes, s.progress = notes, progress
		e.Redraw()
	}
	s.fault = err
	if s.proofs && c.take(Back) {
		s.proofs = false
		s.screen.Stale()
	}
	if !s.proofs {
		if c.take(LeftWard) {
			s.step(-1)
		}
		if c.take(RightWard) {
			s.step(1)
		}
	}
	if s.playing && e.Now-s.since >= playTicks {
		s.since = e.Now
		s.show(s.stop(1))
		if s.at == len(s.states)-1 {
			s.playing = false
			s.screen.Stale()
		}
		e.Redraw()
	}
	return s.update(s, e, c)
}

// Draw draws the boards as they were, and what would have been better.
func (s *replay) Draw(e *Env, dst *ebiten.Image) {
	if s.proofs {
		s.screen.Draw(e, dst)
		return
	}
	m := s.table
	m.place = layoutMatch(e, false, 0)
	m.step = step{}
	at, of := s.count()
	m.banner, m.bannerUntil = e.T("replay.at", Vars{"At": at, "Of": of}), e.Now
	if n, ok := s.note(); ok {
		m.banner = s.say(e, n)
		m.better = n.Better
	} else {
		m.better = engine.Move{}
		if s.progress < 1 && s.fault == nil {
			m.banner += " · " + e.T("replay.thinking")
		}
	}
	m.draw(e, dst)
	s.screen.Draw(e, dst)
}
