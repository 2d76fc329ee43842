package ui

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// result says how a match ended, and what one can do now.
type result struct {
	menu
	seat   Seat
	view   View
	points roundPoints
	played bool // the sound was played
}

func newResult(w World, seat Seat) *result {
	r := &result{menu: menu{world: w}, seat: seat, view: seat.View()}
	r.points = pointsOf(r.view)
	r.back = r.leave
	r.screen.Build = r.build
	return r
}

// outcome is the id of the headline and of the sentence below it.
func (r *result) outcome() (head, why string) {
	o := r.view.outcome()
	switch {
	case r.view.Stopped != "":
		return "result.none", "result." + r.view.Stopped
	case o.End == engine.NoResult:
		return "result.none", "result.both_idle"
	case o.Winner == engine.Nobody:
		head = "result.draw"
	case o.Winner == r.view.Me:
		head = "result.won"
	default:
		head = "result.lost"
	}
	switch {
	case o.End == engine.Forfeited:
		why = "result.forfeited"
	case o.End == engine.Resigned:
		why = "result.resigned"
	case o.Winner == engine.Nobody:
		why = "result.played"
	default:
		why = "result.by"
	}
	return head, why
}

func (r *result) build(e *Env) (*widget.Container, widget.Focuser) {
	left := e.aside(e.Px(536))
	v, w := r.view, e.ColumnWidth()
	o := v.outcome()
	head, why := r.outcome()
	loser := v.Names[1-v.Me]
	if v.Stopped == "" && o.Winner != v.Me && o.Winner != engine.Nobody {
		loser = v.Names[v.Me]
	}
	again := e.Button("result.rematch", Primary, func() { r.seat.Rematch() })
	if v.Rematch[v.Me] {
		again.GetWidget().Disabled = true
	}
	tint := e.Theme.Ink
	if v.Stopped == "" && o.Winner == v.Me {
		tint = e.Theme.Seat[0]
	}
	wide, headline := e.Wide(), Figure
	if wide {
		headline = Display
	}
	content := []widget.PreferredSizeLocateableWidget{
		e.Centred(e.T(head), headline, tint, w),
		e.Centred(e.T(why, Vars{"Name": loser, "N": max(v.State.Score(0)-v.State.Score(1), v.State.Score(1)-v.State.Score(0))}), Body, e.Theme.Faint, w),
	}
	var story []widget.PreferredSizeLocateableWidget
	if r.points != (roundPoints{}) {
		story = append(story, e.air(0), e.Centred(e.T("result.rounds"), Small, e.Theme.Faint, w), e.story(r.points, v.Me))
	}
	if wide {
		content = append(content, story...)
	} else if left == 0 {
		content = append(content, r.score(e, w, min(e.Px(132), w/2-e.Px(28)), Display))
	}
	if v.Verdict.ID != "" {
		content = append(content, e.plaque(e.Tell(v.Verdict)))
	}
	switch {
	case v.Rematch[v.Me]:
		content = append(content, e.Centred(e.T("result.asked", Vars{"Name": v.Names[1-v.Me]}), Body, e.Theme.Faint, w))
	case v.Rematch[1-v.Me]:
		content = append(content, e.Centred(e.T("result.they_ask", Vars{"Name": v.Names[1-v.Me]}), Strong, e.Theme.Ink, w))
	}
	leave := e.Button("result.title", Quiet, func() { r.next = r.leave() })
	content = append(content, e.air(2), again)
	last := []*tile{leave}
	if id := r.id(); id != "" {
		last = []*tile{e.Button("result.review", Plain, func() { r.review(id) }), leave}
	}
	content = append(content, e.rows(last, len(last), 1))
	if !wide {
		content = append(content, story...) // what to do now is seen first
	}
	var root *widget.Container
	if left > 0 {
		total := Figure
		if wide {
			total = Poster
		}
		side := min(e.Px(248), (left-e.Px(40))/2, e.H*0.4)
		root, r.screen.Scroll = e.beside(r.score(e, 2*side+e.Px(40), side, total), false, content)
	} else {
		root, r.screen.Scroll = e.Page(content...)
	}
	if again.GetWidget().Disabled {
		return root, leave
	}
	return root, again
}

// sentence begins a text with a capital letter.
func sentence(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[n:]
}

// plaque is a sentence that stands out.
func (e *Env) plaque(s string) *picture {
	lines := e.Type.Wrap(s, Body, e.ColumnWidth()-e.Px(32))
	return newPicture(e.ColumnWidth(), float64(len(lines))*e.Type.Line(Body)+e.Px(20), func(dst *ebiten.Image, r Rect) {
		e.Paint.Fill(dst, r, e.Px(corner), mix(e.Theme.Surface, e.Theme.Accent, 0.12))
		x, y := r.Mid()
		y -= e.Type.Line(Body) * float64(len(lines)-1) / 2
		for _, line := range lines {
			e.Type.Draw(dst, line, x, y, Body, Centre, e.Theme.Ink)
			y += e.Type.Line(Body)
		}
	}).saying(s)
}

// score shows both totals in a style, names, and boards as they were at the end,
// so large.
func (r *result) score(e *Env, w, side float64, total Style) *picture {
	v := r.view
	line := e.Type.Line(total) + e.Type.Line(Strong)
	return newPicture(w, line+side+e.Px(28), func(dst *ebiten.Image, at Rect) {
		mid, _ := at.Mid()
		for i, seat := range [2]int{v.Me, 1 - v.Me} {
			x := mid + (side/2+e.Px(16))*float64(2*i-1)
			e.Type.Draw(dst, number(v.State.Score(seat)), x, at.Y+e.Type.Line(total)/2, total, Centre, e.Theme.Seat[i])
			e.Type.Draw(dst, e.Type.Shorten(v.Names[seat], Strong, side+e.Px(20)), x, at.Y+e.Type.Line(total)+e.Type.Line(Strong)/2, Strong, Centre, e.Theme.Ink)
			e.board(dst, Rect{x - side/2, at.Y + line + e.Px(14), side, side}, v.State.Board(seat), i, duel.Size)
		}
	}).saying(v.Names[v.Me], number(v.State.Score(v.Me)), v.Names[1-v.Me], number(v.State.Score(1-v.Me)))
}

// id is the match in the history, "" if it was not kept.
func (r *result) id() string {
	id := fmt.Sprintf("%x", r.view.State.Match())
	for _, p := range r.world.Matches() {
		if p.ID == id {
			return id
		}
	}
	return ""
}

func (r *result) review(id string) {
	played, err := r.world.Replay(id)
	if err != nil {
		return // the history says what is wrong with it
	}
	r.next = newReplay(r.world, id, played, func() Scene { return newResult(r.world, r.seat) })
}

func (r *result) leave() Scene {
	r.seat.Leave()
	return newTitle(r.world)
}

// Update follows the seat: a rematch begins when both want it.
func (r *result) Update(e *Env, c *Controls) Scene {
	if !r.played {
		r.played = true
		switch o := r.view.outcome(); o.Winner {
		case r.view.Me:
			e.Play(SoundWon)
		case engine.Nobody:
			e.Play(SoundYours)
		default:
			e.Play(SoundLost)
		}
	}
	v := r.seat.View()
	if v.Verdict != r.view.Verdict || v.Rematch != r.view.Rematch || v.Ended != r.view.Ended || v.Stopped != r.view.Stopped || v.Over != r.view.Over {
		r.screen.Stale()
	}
	again := v.State.Match() != r.view.State.Match()
	r.view = v
	if again {
		return newMatch(r.world, r.seat)
	}
	return r.update(r, e, c)
}
