package ui

import (
	"fmt"
	"strconv"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
)

// result says how a match ended, and what one can do now.
type result struct {
	menu
	seat   Seat
	view   View
	played bool // the sound was played
}

func newResult(w World, seat Seat) *result {
	r := &result{menu: menu{world: w}, seat: seat, view: seat.View()}
	r.back = r.leave
	r.screen.Build = r.build
	return r
}

// outcome is the id of the headline and of the sentence below it.
func (r *result) outcome() (head, why string) {
	o := r.view.State.Outcome()
	switch {
	case o.End == engine.NoResult:
		return "result.none", "result.both_idle"
	case o.Winner == engine.Nobody:
		head = "result.draw"
	case o.Winner == r.view.Me:
		head = "result.won"
	default:
		head = "result.lost"
	}
	switch o.End {
	case engine.Forfeited:
		why = "result.forfeited"
	case engine.Resigned:
		why = "result.resigned"
	default:
		why = "result.played"
	}
	return head, why
}

func (r *result) build(e *Env) (*widget.Container, widget.Focuser) {
	v, w := r.view, e.ColumnWidth()
	o := v.State.Outcome()
	head, why := r.outcome()
	loser := v.Names[1-v.Me]
	if o.Winner != v.Me && o.Winner != engine.Nobody {
		loser = v.Names[v.Me]
	}
	score := newPicture(w, e.Type.Line(Display)+e.Type.Line(Body), func(dst *ebiten.Image, at Rect) {
		mid, _ := at.Mid()
		for i, seat := range [2]int{v.Me, 1 - v.Me} {
			x := mid + at.W/4*float64(2*i-1)
			e.Type.Draw(dst, strconv.Itoa(v.State.Score(seat)), x, at.Y+e.Type.Line(Display)/2, Display, Centre, e.Theme.Seat[i])
			e.Type.Draw(dst, e.Type.Shorten(v.Names[seat], Body, at.W/2-e.Px(8)), x, at.Y+e.Type.Line(Display)+e.Type.Line(Body)/2, Body, Centre, e.Theme.Ink)
		}
	})
	again := e.Button("result.rematch", Primary, func() { r.seat.Rematch() })
	content := []widget.PreferredSizeLocateableWidget{
		e.Centred(e.T(head), Heading, e.Theme.Ink, w), score,
		e.Centred(e.T(why, Vars{"Name": loser}), Body, e.Theme.Faint, w),
	}
	if v.Verdict != "" {
		content = append(content, e.Words(v.Verdict, Body, e.Theme.Ink, w))
	}
	if v.Rematch[1-v.Me] && !v.Rematch[v.Me] {
		content = append(content, e.Words(e.T("result.they_ask", Vars{"Name": v.Names[1-v.Me]}), Strong, e.Theme.Ink, w))
	}
	if v.Rematch[v.Me] {
		content = append(content, e.Words(e.T("result.asked", Vars{"Name": v.Names[1-v.Me]}), Body, e.Theme.Faint, w))
	}
	content = append(content, again)
	if id := r.id(); id != "" {
		content = append(content, e.Button("result.review", Plain, func() { r.review(id) }))
	}
	content = append(content, e.Button("result.title", Quiet, func() { r.next = r.leave() }))
	root, scroll := e.Page(content...)
	r.screen.Scroll = scroll
	return root, again
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
		switch o := r.view.State.Outcome(); o.Winner {
		case r.view.Me:
			e.Play(SoundWon)
		case engine.Nobody:
			e.Play(SoundYours)
		default:
			e.Play(SoundLost)
		}
	}
	v := r.seat.View()
	if v.Verdict != r.view.Verdict || v.Rematch != r.view.Rematch || v.Ended != r.view.Ended {
		r.screen.Stale()
	}
	again := v.State.Match() != r.view.State.Match()
	r.view = v
	if again {
		return newMatch(r.world, r.seat)
	}
	return r.update(r, e, c)
}
