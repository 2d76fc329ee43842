package ui

import (
	"image/color"
	"strconv"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// fitted draws a line in the largest of some styles in which it fits.
func (e *Env) fitted(dst *ebiten.Image, s string, x, y, room float64, align Align, c color.NRGBA, from ...Style) {
	for _, style := range from {
		if e.Type.Width(s, style) <= room {
			e.Type.Draw(dst, s, x, y, style, align, c)
			return
		}
	}
	last := from[len(from)-1]
	e.Type.Draw(dst, e.Type.Shorten(s, last, room), x, y, last, align, c)
}

// drawHead draws the rounds: how many were played, which this is, and who
// splits the next.
func (m *match) drawHead(e *Env, dst *ebiten.Image, l *matchLayout) {
	t, s := e.Theme, m.view.State
	step := l.rounds.W / duel.Rounds
	for i := range duel.Rounds {
		tint := mix(t.Ground, t.Faint, 0.25)
		if i < s.RoundsPlayed() {
			tint = t.Faint
		} else if i+1 == s.Round() {
			tint = t.Accent
		}
		e.Paint.Fill(dst, Rect{l.rounds.X + float64(i)*step, l.rounds.Y, step - e.Px(4), l.rounds.H}, l.rounds.H/2, tint)
	}
	x, align := l.head.X, Left
	if l.centred {
		x, align = l.head.X+l.head.W/2, Centre
	}
	round := e.Say("match.round", "", max(s.Round(), 1))
	next := ""
	if m.lesson {
		round = e.Say("learn.step", "", m.number)
	} else {
		next = m.whoIsNext(e, l.head.W)
	}
	y := l.head.Y + l.head.H/2
	if next != "" {
		y -= e.Type.Line(Small) / 2
		e.fitted(dst, next, x, y+e.Type.Line(Strong)/2+e.Type.Line(Small)/4, l.head.W, align, t.Faint, Small)
		y -= e.Type.Line(Small) / 8
	}
	e.fitted(dst, round, x, y, l.head.W, align, t.Ink, Strong, Small)
}

// whoIsNext says who splits the next round, in as many words as there is room
// for.
func (m *match) whoIsNext(e *Env, room float64) string {
	who := m.nextSplitter()
	ids := [...]string{"match.next_them", "match.next_other", "match.next_other_short"}
	switch who {
	case engine.Nobody:
		return ""
	case m.me():
		ids = [...]string{"match.next_you", "match.next_you", "match.next_you_short"}
	}
	said := ""
	for _, id := range ids {
		said = e.Say(id, m.name(who), 0)
		if e.Type.Width(said, Small) <= room {
			break
		}
	}
	return said
}

// nextSplitter is who splits in the next round.
func (m *match) nextSplitter() int {
	s := m.view.State
	if s.Splitter() == engine.Nobody || s.Round() == duel.Rounds {
		return engine.Nobody
	}
	return s.Chooser()
}

// drawPlates draws both players: name, total, and the clock while it runs.
func (m *match) drawPlates(e *Env, dst *ebiten.Image, l *matchLayout) {
	for i, seat := range [2]int{m.me(), m.them()} {
		m.drawPlate(e, dst, l.plates[i], seat)
	}
	s := m.view.State
	if diff := s.Score(m.me()) - s.Score(m.them()); diff != 0 && l.lead.W > 0 {
		tint := e.Theme.Seat[0]
		if diff < 0 {
			tint = e.Theme.Seat[1]
		}
		x, y := l.lead.Mid()
		e.Type.Draw(dst, signed(max(diff, -diff)), x, y, Small, Centre, tint)
	}
}

// drawPlate draws one player. The total stands at the outer end, so that both
// mirror each other on a narrow screen.
func (m *match) drawPlate(e *Env, dst *ebiten.Image, r Rect, seat int) {
	t, s := e.Theme, m.view.State
	who := m.who(seat)
	active := s.MayDecide(seat) != engine.None && !(seat == m.me() && m.step.sent)
	edge, width := t.Edge, 1.0
	if active {
		edge, width = t.Seat[who], 2
	}
	e.Paint.Fill(dst, r, e.Px(corner), t.Surface)
	e.Paint.Stroke(dst, r, e.Px(corner), max(e.Px(width), 1), edge)
	total := e.total()
	pad := e.Px(12)
	if e.terse() {
		pad = e.Px(8)
	}
	mirrored := who == 1 && m.place.lead.W > 0
	outer, inner, out, in := r.X+pad, r.X+r.W-pad, Left, Right
	if mirrored {
		outer, inner, out, in = inner, outer, in, out
	}
	low := r.Y + r.H/2
	if m.clocked {
		low = r.Y + r.H - e.Px(11) - e.Type.Line(total)/2 // above the bar
	}
	score := number(s.Score(seat))
	e.Type.Draw(dst, score, outer, low, total, out, t.Seat[who])
	room := r.W - 2*pad - e.Type.Width(score, total) - e.Px(8)
	c := m.view.Clock[seat]
	if c.Running && c.LimitMs > 0 {
		tint := m.clockTint(e, seat)
		if !e.terse() {
			left := m.seconds(e, seat)
			e.Type.Draw(dst, left, inner, low, Strong, in, m.secondsTint(e, seat))
			room -= e.Type.Width(left, Strong) + e.Px(8)
		}
		bar := Rect{r.X + pad, r.Y + r.H - e.Px(9), r.W - 2*pad, e.Px(4)}
		e.Paint.Fill(dst, bar, bar.H/2, t.Well)
		part := min(max(float64(c.LeftMs)/float64(c.LimitMs), 0), 1)
		left0 := bar.X
		if mirrored {
			left0 += bar.W * (1 - part)
		}
		e.Paint.Fill(dst, Rect{left0, bar.Y, bar.W, bar.H}.part(part), bar.H/2, tint)
	} else if l := &m.place; l.lead.W == 0 {
		// On a wide screen the leader's plate says by how much.
		if diff := s.Score(seat) - s.Score(1-seat); diff > 0 && room > 2*e.Type.Width("+000", Strong) {
			e.Type.Draw(dst, signed(diff), inner, low, Strong, in, t.Seat[who])
			room -= e.Type.Width("+000", Strong) + e.Px(8)
		}
	}
	if mirrored {
		outer -= e.Type.Width(score, total) + e.Px(8)
	} else {
		outer += e.Type.Width(score, total) + e.Px(8)
	}
	style := Strong
	if total != Figure {
		style = Small
	}
	e.Type.Draw(dst, e.Type.Shorten(m.name(seat), style, room), outer, low, style, out, t.Ink)
}

// part is the left part of a rectangle, at least as wide as it is high.
func (r Rect) part(share float64) Rect {
	r.W = max(r.W*share, r.H)
	return r
}

// seconds is the time that a seat has left, in words.
func (m *match) seconds(e *Env, seat int) string {
	return e.Say("match.seconds", "", int((max(m.view.Clock[seat].LeftMs, 0)+999)/1000))
}

func (m *match) secondsTint(e *Env, seat int) color.NRGBA {
	if tint := m.clockTint(e, seat); tint == e.Theme.Danger {
		return tint
	}
	return e.Theme.Ink
}

// clockTint is the colour of a clock: in the last three seconds one's own is
// red.
func (m *match) clockTint(e *Env, seat int) color.NRGBA {
	if seat == m.me() && m.view.Clock[seat].LeftMs <= 3000 {
		return e.Theme.Danger
	}
	return e.Theme.Seat[m.who(seat)]
}

// numbers are the small numbers in words, so that drawing them makes no
// garbage.
var numbers, signedNumbers [400]string

func init() {
	for i := range numbers {
		n := i - len(numbers)/2
		numbers[i] = strconv.Itoa(n)
		signedNumbers[i] = numbers[i]
		if n >= 0 {
			signedNumbers[i] = "+" + numbers[i]
		}
		if n < 0 {
			numbers[i] = "−" + numbers[i][1:]
			signedNumbers[i] = numbers[i]
		}
	}
}

// number writes a number with a true minus.
func number(n int) string {
	if i := n + len(numbers)/2; i >= 0 && i < len(numbers) {
		return numbers[i]
	}
	if n < 0 {
		return "−" + strconv.Itoa(-n)
	}
	return strconv.Itoa(n)
}

// signed writes a number with its sign.
func signed(n int) string {
	if i := n + len(numbers)/2; i >= 0 && i < len(numbers) {
		return signedNumbers[i]
	}
	if n > 0 {
		return "+" + strconv.Itoa(n)
	}
	return number(n)
}

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
	m.said.lay(e, text, r)
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
	e.Paint.Fill(dst, r, e.Px(corner), e.Theme.Seat[m.role-1])
	x, y := r.Mid()
	y -= e.Type.Line(m.said.style) * float64(len(m.said.lines)-1) / 2
	for _, line := range m.said.lines {
		e.Type.Draw(dst, line, x, y, m.said.style, Centre, e.Theme.OnTint)
		y += e.Type.Line(m.said.style)
	}
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
	style   Style
	lines   []string
}

// lay breaks a text for an area, in the larger style if it fits.
func (l *laid) lay(e *Env, text string, r Rect) {
	if l.text == text && l.w == r.W && l.h == r.H && l.version == e.version {
		return
	}
	*l = laid{text: text, w: r.W, h: r.H, version: e.version}
	for _, l.style = range [...]Style{Strong, Small} {
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
