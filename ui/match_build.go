package ui

import (
	"image/color"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
)

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
	m.enable(root)
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

// enable greys out the buttons that would do nothing. It reports whether that
// has changed.
func (m *match) enable(buttons widget.Containerer) (changed bool) {
	for _, child := range buttons.Children() {
		b, off := child.GetWidget(), false
		switch id, _ := b.CustomData.(string); id {
		case "match.confirm_split", "match.confirm_choice", "match.confirm_place":
			off = !m.ready()
		case "match.undo":
			off = !m.undoable()
		default:
			continue
		}
		changed = changed || b.Disabled != off
		b.Disabled = off
	}
	return changed
}
