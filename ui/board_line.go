package ui

import (
	"image/color"
	"strconv"

	"github.com/hajimehoshi/ebiten/v2"
)

// A boardLine is how a player stands on a board: a rank, words, and a score at
// the end. Where there is no room for the words beside it, they stand below.
type boardLine struct {
	rank, score string
	lines       []string
	style       Style
	me, below   bool
	left        float64 // where the words begin
	high        float64
}

// layLine lays a line out for a width. Without a rank the words begin at the
// edge; of rank " " they stand where those of others do, and there is no score.
func (e *Env) layLine(rank string, l DailyLine, words string, width float64) boardLine {
	b := boardLine{rank: rank, score: number(l.Score), style: Body, me: l.Me}
	if rank != "" {
		b.left = e.Type.Width("100", Body) + e.Px(12)
	}
	if rank == " " {
		b.score = ""
	}
	if l.Me {
		b.style = Strong
	}
	end := 0.0
	if b.score != "" {
		end = e.Type.Width(b.score, Strong) + e.Px(12)
	}
	b.lines = e.Type.Wrap(words, b.style, width-b.left-end)
	if len(b.lines) > 2 && end > 0 {
		b.below = true
		b.lines = e.Type.Wrap(words, b.style, width-b.left)
	}
	n := len(b.lines)
	if b.below {
		n++
	}
	b.high = float64(n) * e.Type.Line(b.style)
	return b
}

// drawLine draws a line into an area of its height.
func (e *Env) drawLine(dst *ebiten.Image, b boardLine, at Rect) {
	ink := e.Theme.Ink
	if b.me {
		ink = e.Theme.Accent
	}
	step := e.Type.Line(b.style)
	y := at.Y + step/2
	if b.left > 0 {
		e.Type.Draw(dst, b.rank, at.X+b.left-e.Px(12), y, Body, Right, e.Theme.Faint)
	}
	if b.below {
		e.Type.Draw(dst, b.score, at.X+b.left, y, Strong, Left, ink)
		y += step
	} else {
		e.Type.Draw(dst, b.score, at.X+at.W, y, Strong, Right, ink)
	}
	for _, line := range b.lines {
		e.Type.Draw(dst, line, at.X+b.left, y, b.style, Left, ink)
		y += step
	}
}

// dailyLine is a line of a board.
func (e *Env) dailyLine(rank string, l DailyLine, words string) *picture {
	b := e.layLine(rank, l, words, e.ColumnWidth())
	return newPicture(e.ColumnWidth(), b.high+e.Px(4), func(dst *ebiten.Image, at Rect) {
		e.drawLine(dst, b, Rect{at.X, at.Y + e.Px(2), at.W, b.high})
	}).saying(rank, words+",", b.score)
}

// runTile is a line of a board that leads to the run.
func (e *Env) runTile(id string, l DailyLine, words string, do func()) *tile {
	rank, pad := strconv.Itoa(l.Rank), e.Px(textPad)
	b := e.layLine(rank, l, words, e.ColumnWidth()-pad-e.Px(4))
	t := e.Labelled(id, rank+", "+words+", "+b.score, Plain, do)
	return t.face(b.high+e.Px(16), func(dst *ebiten.Image, at Rect, _ color.NRGBA) {
		_, y := at.Mid()
		e.drawLine(dst, b, Rect{at.X + e.Px(4), y - b.high/2, at.W - pad - e.Px(4), b.high})
	})
}

// listed is a button of a list: a name with something at its end, and small
// words below.
func (e *Env) listed(id, name, right, low string, do func()) *tile {
	said := name
	for _, s := range []string{right, low} {
		if s != "" {
			said += ", " + s
		}
	}
	t := e.Labelled(id, said, Plain, do)
	pad := e.Px(textPad)
	names := e.Type.Wrap(name, Strong, e.ColumnWidth()-3*pad-e.Type.Width(right, Strong))
	lines := e.Type.Wrap(low, Small, e.ColumnWidth()-2*pad)
	high := float64(len(names))*e.Type.Line(Strong) + float64(len(lines))*e.Type.Line(Small) + e.Px(20)
	return t.face(high, func(dst *ebiten.Image, at Rect, ink color.NRGBA) {
		x, y := at.X+pad, at.Y+e.Px(10)+e.Type.Line(Strong)/2
		e.Type.Draw(dst, right, at.X+at.W-pad, y, Strong, Right, ink)
		for _, line := range names {
			e.Type.Draw(dst, line, x, y, Strong, Left, ink)
			y += e.Type.Line(Strong)
		}
		y += (e.Type.Line(Small) - e.Type.Line(Strong)) / 2
		for _, line := range lines {
			e.Type.Draw(dst, line, x, y, Small, Left, e.Theme.Faint)
			y += e.Type.Line(Small)
		}
	})
}
