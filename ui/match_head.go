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
	e.panel(dst, r, t.Surface, edge, width)
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

// number writes a number with a true minus, and a comma between its thousands.
func number(n int) string {
	if i := n + len(numbers)/2; i >= 0 && i < len(numbers) {
		return numbers[i]
	}
	if n < 0 {
		return "−" + number(-n)
	}
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// signed writes a number with its sign.
func signed(n int) string {
	if i := n + len(numbers)/2; i >= 0 && i < len(numbers) {
		return signedNumbers[i]
	}
	if n > 0 {
		return "+" + number(n)
	}
	return number(n)
}
