package ui

import (
	"image/color"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
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
	bannerUntil int64
	role        int    // the banner is about who splits: 1 oneself, 2 the friend
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

// build makes the buttons; boards and block are drawn by the scene.
func (m *match) build(e *Env) (*widget.Container, widget.Focuser) {
	m.place = m.layout(e)
	root := widget.NewContainer(widget.ContainerOpts.Layout(absolute{}))
	put := func(b *tile, r Rect) *tile {
		b.GetWidget().LayoutData = r
		root.AddChild(b)
		return b
	}
	if m.leaving {
		m.buildLeaving(e, put)
		return root, root.GetFocusers()[0]
	}
	l := m.place
	bare := func(b *tile, k icon) *tile {
		return b.face(e.Px(target), func(dst *ebiten.Image, r Rect, ink color.NRGBA) {
			e.Paint.Icon(dst, k, r, e.Px(22), ink)
		})
	}
	if m.lesson {
		put(bare(e.Button("back", Quiet, func() { m.next = newLearn(m.world) }), iconBack), l.leave)
	} else {
		put(bare(e.Button("match.leave", Quiet, m.ask), iconBack), l.leave)
	}
	if m.view.Paused {
		resume := e.Button("match.resume", Primary, func() { m.seat.Pause(false) })
		put(resume, e.dialogButtons(e.T("match.paused_explained"), resume.label)[0])
		return root, resume
	}
	hint := l.pause
	if m.view.CanPause {
		put(bare(e.Button("match.pause", Quiet, func() { m.seat.Pause(true) }), iconPause), l.pause)
		hint = l.hint
	}
	if m.view.Friendly && m.step.kind != engine.None {
		put(bare(e.Button("match.hint", Quiet, func() { m.advise(e) }), iconHint), hint)
	}
	undo := func() { put(e.Button("match.undo", Plain, m.undo).with(iconUndo), l.action[1]) }
	switch m.step.kind {
	case engine.Split:
		put(e.Button("match.other_split", Plain, func() { m.cycleSplit(1) }).with(iconNext), l.action[0])
		undo()
		put(e.Button("match.confirm_split", Primary, m.confirm).with(iconDone), l.action[2])
	case engine.Choose:
		put(e.Button("match.other_piece", Plain, m.swap).with(iconNext), l.action[0])
		undo()
		put(e.Button("match.confirm_choice", Primary, m.confirm).with(iconDone), l.action[2])
	case engine.Place:
		put(e.Button("match.turn", Plain, func() { m.turn(1) }).with(iconTurn), l.action[0])
		undo()
		put(e.Button("match.confirm_place", Primary, m.confirm).with(iconDone), l.action[2])
	}
	if m.step.kind == engine.None || m.step.sent {
		m.buildClaim(e, put)
	}
	m.enable()
	return root, nil
}

// buildClaim offers what one can do about a friend who stays away.
func (m *match) buildClaim(e *Env, put func(*tile, Rect) *tile) {
	v, at := &m.view, m.place.twoActions(e)
	if v.CallOff || v.ClaimDue && !v.Claiming {
		put(e.Button("match.call_off", Plain, func() { m.seat.CallOff(); m.screen.Stale() }).with(iconUndo), at[0])
	}
	if v.ClaimDue && !v.Claiming {
		put(e.Button("match.claim", Primary, func() { m.seat.Claim(); m.screen.Stale() }).with(iconDone), at[1])
	}
}

func (m *match) buildLeaving(e *Env, put func(*tile, Rect) *tile) {
	cost, explained := m.leaveCosts()
	stay := e.Button("match.stay", Primary, func() { m.leaving = false; m.screen.Stale() })
	leave := e.Button(cost, Costly, m.leave)
	at := e.dialogButtons(e.T(explained), stay.label, leave.label)
	put(stay, at[0])
	put(leave, at[1])
}

// leaveCosts are the ids of the button that leaves, and of why.
func (m *match) leaveCosts() (button, explained string) {
	if m.view.over() {
		return "match.leave_free", "match.leave_over"
	}
	return "match.leave_costs", "match.leave_explained"
}

func (m *match) leave() {
	if !m.view.over() {
		m.seat.Resign()
	}
	m.seat.Leave()
	m.next = newTitle(m.world)
}

// ask opens the question whether to leave.
func (m *match) ask() {
	m.leaving = true
	m.screen.Ask()
}

// enable greys out the buttons that would do nothing.
func (m *match) enable() {
	if m.screen.ui == nil {
		return
	}
	for _, child := range m.screen.ui.Container.Children() {
		b := child
		switch id, _ := b.GetWidget().CustomData.(string); id {
		case "match.confirm_split", "match.confirm_choice", "match.confirm_place":
			b.GetWidget().Disabled = !m.ready()
		case "match.undo":
			b.GetWidget().Disabled = !m.undoable()
		}
	}
}

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
	m.enable()
	m.screen.Update(e, c)
	m.showing()
	if len(m.anims) > 0 {
		m.anims = live(m.anims, e.Now)
		e.Moving()
	}
	if m.view.over() && len(m.anims) == 0 && m.next == m && !m.lesson {
		m.next = newResult(m.world, m.seat)
	}
	return m.next
}

// refresh looks at the seat, and notices what is new.
func (m *match) refresh(e *Env) {
	before := m.view
	m.view = m.seat.View()
	v := &m.view
	if v.State.Match() != before.State.Match() || len(v.Moves) < m.seen {
		m.seen = 0 // the match has begun, or another one at this table
	}
	for ; m.seen < len(v.Moves); m.seen++ {
		m.notice(e, m.seen)
	}
	m.clocked = m.clocked || v.Clock[0].LimitMs > 0 || v.Clock[1].LimitMs > 0
	if s := m.ticks(); s != m.second || v.Peer != before.Peer || v.Link != before.Link || v.Paused != before.Paused {
		m.second = s
		e.Redraw()
		if v.Paused != before.Paused {
			m.screen.Ask()
		}
	}
	if v.Refused != before.Refused {
		m.step.sent = false
	}
	if v.ClaimDue != before.ClaimDue || v.Claiming != before.Claiming || v.CallOff != before.CallOff {
		m.screen.Stale()
	}
	kind := v.State.MayDecide(v.Me)
	if c := v.Clock[v.Me]; c.Running && c.LimitMs > 0 && kind != engine.None && !m.step.sent {
		if left := (c.LeftMs + 999) / 1000; left != m.ticked {
			m.ticked = left
			if left >= 1 && left <= 3 {
				e.Play(SoundTick)
			}
		}
	}
	if kind != m.step.kind || v.State.Round() != m.step.round || v.Me != before.Me {
		if kind != engine.None {
			e.Play(SoundYours)
			m.call(e)
		}
		m.step = step{kind: kind, round: v.State.Round(), cursor: firstCell(v.State.Block())}
		m.advice = ""
		if m.keys {
			m.toBoard()
			m.present()
		}
		m.screen.Stale()
		e.Redraw()
	}
	if m.bannerUntil != 0 && e.Now > m.bannerUntil {
		m.bannerUntil = 0
		e.Redraw()
	}
}

// call tells a player who looks at something else that it is their turn.
func (m *match) call(e *Env) {
	if m.world != nil {
		m.world.Attention(e.T("match.your_turn"))
	}
}

// ticks is what the clocks show, so that they are drawn when it changes.
func (m *match) ticks() int64 {
	c := m.view.Clock
	if m.view.Paused {
		return -1
	}
	const frame = 100 // the bar moves ten times a second
	return (c[0].LeftMs/frame)<<32 | c[1].LeftMs/frame + m.view.GoneMs/1000
}

// stateBefore replays the moves up to the n-th.
func (m *match) stateBefore(n int) duel.State {
	s := duel.New(m.view.State.Match())
	for _, mv := range m.view.Moves[:n] {
		next, _, err := duel.Apply(s, mv)
		if err != nil {
			panic("ui: a seat showed a move that its game does not take: " + err.Error())
		}
		s = next
	}
	return s
}

// notice takes in the n-th move: what it changed lights up.
func (m *match) notice(e *Env, n int) {
	before := m.stateBefore(n)
	after, report, err := duel.Apply(before, m.view.Moves[n])
	if err != nil {
		panic("ui: a seat showed a move that its game does not take: " + err.Error())
	}
	e.Redraw()
	mv := m.view.Moves[n]
	m.sound(e, report)
	if report.Placed != 0 {
		m.anims = append(m.anims, flash{seat: int(mv.Seat), placed: report.Placed, cleared: report.Cleared,
			points: report.Points[mv.Seat], start: e.Now, still: e.Settings.LessMotion})
	}
	for seat, blocked := range report.Blocked {
		if blocked {
			m.anims = append(m.anims, flash{seat: seat, points: duel.BlockedPoints, start: e.Now, still: e.Settings.LessMotion})
		}
	}
	if report.Flagged && mv.Kind == engine.Flag {
		m.say(e, e.Say("match.flagged", m.name(int(mv.Seat)), 0), 150)
	}
	if report.Dealt != 0 {
		id, role := "match.you_split", 1
		if after.Splitter() != m.me() {
			id, role = "match.they_split", 2
		}
		if after.Round() == 1 {
			id += "_first"
		}
		m.say(e, e.Say(id, m.name(m.them()), 0), 160)
		m.role = role
	}
}

// sound plays what a move sounds like.
func (m *match) sound(e *Env, r duel.Report) {
	switch {
	case r.Lines.Count() > 0:
		e.Play(SoundClear)
	case r.Placed != 0:
		e.Play(SoundPlace)
	case r.Split != 0:
		e.Play(SoundSplit)
	}
	if r.Flagged || r.Blocked[0] || r.Blocked[1] {
		e.Play(SoundBlocked)
	}
}

func (m *match) say(e *Env, text string, ticks int64) {
	m.banner, m.bannerUntil, m.role = text, e.Now+ticks, 0
	e.Redraw()
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
