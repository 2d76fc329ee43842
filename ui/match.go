package ui

import (
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
)

// match is the scene of a Duel.
type match struct {
	world  World
	seat   Seat
	screen Screen
	next   Scene

	view  View
	seen  int // how many moves have been taken notice of
	place matchLayout
	step  step
	anims []flash

	banner      string // what has just changed
	bannerFrom  int64
	bannerUntil int64
	role        int    // the banner is about who splits: 1 oneself, 2 the friend
	after       banner // what is to be said when the banner has been read
	advice      string // why a hint is what it is

	said    laid           // the sentence that is shown
	notes   [2][2][2]laid  // what each piece would bring: in words and as numbers, to each side
	spots   [2][2]spotting // by seat and part
	clocked bool           // clocks were seen
	keys    bool           // keys or a pad were used last

	watch  bool        // nothing can be decided here: a replay
	better engine.Move // what the review would have done, in a replay
	lesson bool        // part of the tutorial: no clocks, no leaving
	number int         // which step of it
	hint   string      // stands in place of what is to do

	leaving bool // the question whether to leave is open
	second  int64
	ticked  int64 // the last second that was sounded
	sent    Preview
}

// A step is what the player is about to decide, until it is confirmed.
type step struct {
	kind  engine.Kind
	round int

	// Split.
	paint   uint16 // painted cells, in the block's frame
	erasing bool   // the stroke takes paint away
	cursor  int    // the cell of the frame, or of the board, under the keys
	keyed   bool   // the cursor shows, because keys or a pad moved it

	// Choose.
	hover int // 0 none, 1 smaller, 2 larger
	taken int // the same, held until it is confirmed

	// Place.
	turn   int          // quarter turns
	ghost  engine.Board // where the piece would lie
	pinned bool         // the ghost stays where it is
	drag   bool         // the piece is being dragged
	sent   bool         // the decision is on its way
}

// newMatch returns the scene of a match at a seat.
func newMatch(w World, seat Seat) *match {
	m := &match{world: w, seat: seat}
	m.view = seat.View()
	m.seen = len(m.view.Moves)
	m.screen.Build = m.build
	return m
}

// layout lays the match out for the step, and for a lesson's sentence.
func (m *match) layout(e *Env) matchLayout {
	lines := 0
	if m.hint != "" {
		lines = len(e.Type.Wrap(m.hint, Small, layoutMatch(e, false, 0).banner.W))
	}
	return layoutMatch(e, m.step.kind == engine.Split || m.step.kind == engine.Choose, lines)
}

func (m *match) me() int   { return m.view.Me }
func (m *match) them() int { return 1 - m.view.Me }

// Typing is false: a match takes no text.
func (m *match) Typing() bool { return false }

// Close asks once in a live match.
func (m *match) Close(*Env) bool {
	if m.view.over() || m.leaving {
		return true
	}
	m.ask()
	return false
}

// Update takes in what happened, and what the player does.
func (m *match) Update(e *Env, c *Controls) Scene {
	m.next = m
	m.keys = (m.keys || c.Keys || c.Pad) && !c.Down
	m.place = m.layout(e)
	m.refresh(e)
	if !m.leaving {
		m.control(e, c)
	} else if c.take(Back) {
		m.leaving = false
		m.screen.Stale()
	}
	if m.screen.ui != nil && m.enable(m.screen.ui.Container) {
		e.Redraw()
	}
	m.screen.Update(e, c)
	m.showing()
	if len(m.anims) > 0 {
		m.anims = live(m.anims, e.Now)
		e.Moving()
	}
	if m.bannerUntil != 0 && e.Now-m.bannerFrom < openTicks && !e.Settings.LessMotion {
		e.Moving()
	}
	if m.view.over() && len(m.anims) == 0 && m.next == m && !m.lesson {
		m.next = newResult(m.world, m.seat)
	}
	return m.next
}

func (m *match) name(seat int) string { return m.view.Names[seat] }

// showing lets the other side see what is being painted or hovered.
func (m *match) showing() {
	p := Preview{}
	switch m.step.kind {
	case engine.Split:
		p.Part = m.step.paint
	case engine.Choose:
		p.Hover = m.step.hover
		if m.step.taken != 0 {
			p.Hover = m.step.taken
		}
	case engine.Place:
		p.Ghost = m.step.ghost
	}
	if p != m.sent {
		m.sent = p
		m.seat.Preview(p)
	}
}

// Draw draws the match.
func (m *match) Draw(e *Env, dst *ebiten.Image) { m.draw(e, dst) }
