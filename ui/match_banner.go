package ui

import (
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// drawBanner draws what is to do, or what has just changed.
func (m *match) drawBanner(e *Env, dst *ebiten.Image, l *matchLayout) {
	t, r := e.Theme, l.banner
	text, tint := m.task(e), t.Ink
	switch {
	case m.view.Link == LinkTrouble:
		text, tint = e.Say("match.trouble", m.name(m.them()), 0), t.Danger
	case m.view.Link == LinkOffline:
		text, tint = m.away(e), t.Danger
	case m.banner != "" && m.bannerUntil != 0 && m.role != 0:
		m.drawRole(e, dst, r)
		return
	case m.banner != "" && m.bannerUntil != 0:
		text = m.banner
	case m.advice != "":
		text = m.advice
	case m.hint != "" && (m.step.kind != engine.Split || m.step.paint == 0):
		text = m.hint
	}
	if seat := m.timed(); e.terse() && seat != engine.Nobody {
		left := m.seconds(e, seat)
		if l.centred {
			text = e.Say("match.timed", text, int((max(m.view.Clock[seat].LeftMs, 0)+999)/1000))
		} else {
			e.Type.Draw(dst, left, r.X+r.W, r.Y+r.H/2, Small, Right, m.secondsTint(e, seat))
			r.W -= e.Type.Width("00 s", Small) + e.Px(10)
		}
	}
	x, align := r.X, Left
	if l.centred {
		x, align = r.X+r.W/2, Centre
	}
	if l.centred && !e.low() {
		m.said.layBig(e, text, r)
	} else {
		m.said.lay(e, text, r)
	}
	y := r.Y + r.H/2 - e.Type.Line(m.said.style)*float64(len(m.said.lines)-1)/2
	for _, line := range m.said.lines {
		e.Type.Draw(dst, line, x, y, m.said.style, align, tint)
		y += e.Type.Line(m.said.style)
	}
}

// drawRole says who splits and who chooses, in that player's colour. It hides
// what is below it for a moment rather than cut its words.
func (m *match) drawRole(e *Env, dst *ebiten.Image, r Rect) {
	pad := e.Px(10)
	m.said.lay(e, m.banner, Rect{W: r.W - 2*pad, H: e.H})
	high := float64(len(m.said.lines)) * e.Type.Line(m.said.style)
	if high > r.H {
		r.H = high + e.Px(8)
	}
	r.Y -= e.Px(10) * (1 - m.arrived(e)) // it slides into its place
	e.Paint.Shadow(dst, r, e.Px(corner), e.Px(14), e.Theme.Shade)
	e.Paint.Fill(dst, r, e.Px(corner), e.Theme.Seat[m.role-1])
	x, y := r.Mid()
	y -= e.Type.Line(m.said.style) * float64(len(m.said.lines)-1) / 2
	for _, line := range m.said.lines {
		e.Type.Draw(dst, line, x, y, m.said.style, Centre, e.Theme.OnTint)
		y += e.Type.Line(m.said.style)
	}
}

// arrived is how far a banner has come, 0 to 1, in the first quarter of a
// second.
func (m *match) arrived(e *Env) float64 {
	if e.Settings.LessMotion {
		return 1
	}
	return ease(float64(e.Now-m.bannerFrom) / openTicks)
}

// timed is the seat whose clock is shown: one's own while it runs.
func (m *match) timed() int {
	for _, seat := range [2]int{m.me(), m.them()} {
		if c := m.view.Clock[seat]; c.Running && c.LimitMs > 0 {
			return seat
		}
	}
	return engine.Nobody
}

// laid is a text as it was broken last, so that it is broken once.
type laid struct {
	text    string
	w, h    float64
	version int
	big     bool
	style   Style
	lines   []string
}

// lay breaks a text for an area, in the larger style if it fits; layBig takes
// that of a heading first.
func (l *laid) lay(e *Env, text string, r Rect)    { l.fit(e, text, r, false) }
func (l *laid) layBig(e *Env, text string, r Rect) { l.fit(e, text, r, true) }

func (l *laid) fit(e *Env, text string, r Rect, big bool) {
	if l.text == text && l.w == r.W && l.h == r.H && l.version == e.version && l.big == big {
		return
	}
	*l = laid{text: text, w: r.W, h: r.H, version: e.version, big: big}
	styles := [...]Style{Heading, Strong, Small}
	for _, l.style = range styles {
		if l.style == Heading && !big {
			continue
		}
		l.lines = e.Type.Wrap(text, l.style, r.W)
		if float64(len(l.lines))*e.Type.Line(l.style) <= r.H+1 {
			return
		}
	}
	most := max(int((r.H+1)/e.Type.Line(Small)), 1)
	if len(l.lines) > most {
		rest := l.lines[most-1]
		for _, more := range l.lines[most:] {
			rest += " " + more
		}
		l.lines = append(l.lines[:most-1:most-1], e.Type.Shorten(rest, Small, r.W))
	}
}

// patience is how long one waits for a decision that is owed before the match
// may be claimed.
const patience = 30

// away says how long the other one has been away, and for how long the match
// waits.
func (m *match) away(e *Env) string {
	gone := int(m.view.GoneMs / 1000)
	if left := patience - gone; left > 0 {
		return e.Say("match.offline", m.name(m.them()), left)
	}
	return e.Say("match.gone", m.name(m.them()), gone)
}

// task says in words what is to do now.
func (m *match) task(e *Env) string {
	s := m.view.State
	them := m.name(m.them())
	switch {
	case s.Over():
		return ""
	case m.step.sent:
		return e.Say("match.waiting", them, 0)
	case m.step.kind == engine.None && m.view.Peer.Away && m.view.Link == LinkGood:
		return e.Say("match.elsewhere", them, 0)
	case m.step.kind == engine.Split:
		if id := whyNoSplit(s.Block(), m.step.paint); id != "" {
			return e.Say(id, "", 0)
		}
		return e.Say("split.ready", "", 0)
	case m.step.kind == engine.Choose:
		if m.step.taken != 0 {
			return e.Say("choose.ready", them, 0)
		}
		return e.Say("choose.task", them, 0)
	case m.step.kind == engine.Place:
		switch {
		case m.step.ghost != 0:
			return e.Say("place.ready", "", 0)
		case m.piece().Fits(s.Board(m.me()), duel.Size) == 0:
			return e.Say("place.turn", "", 0)
		}
		return e.Say("place.task", "", 0)
	}
	switch s.Awaits() {
	case engine.Split:
		return e.Say("match.they_are_splitting", them, 0)
	case engine.Choose:
		return e.Say("match.they_are_choosing", them, 0)
	case engine.Place:
		return e.Say("match.they_are_placing", them, 0)
	}
	return e.Say("match.dealing", "", 0)
}
