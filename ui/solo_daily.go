package ui

import (
	"strconv"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// dailyChoice is the game of a daily challenge.
var dailyChoice = SoloChoice{Game: "streak", Level: "daily"}

// lookTicks is how often the world is asked what is known now.
const lookTicks = 20

// soloDaily is the day's challenge: one's chances, which counted, the board.
type soloDaily struct {
	menu
	view  DailyView
	asked bool // the seat is being waited for
	fault string
}

func newSoloDaily(w World) *soloDaily {
	d := &soloDaily{menu: menu{world: w, back: func() Scene { return newSoloMenu(w, "streak") }}}
	d.view = w.Daily()
	d.screen.Build = d.build
	return d
}

func (d *soloDaily) build(e *Env) (*widget.Container, widget.Focuser) {
	v, w := d.view, e.ColumnWidth()
	var content []widget.PreferredSizeLocateableWidget
	add := func(p ...widget.PreferredSizeLocateableWidget) { content = append(content, p...) }
	if v.Day != "" {
		add(e.Words(e.T("daily.day", Vars{"Day": v.Day}), Strong, e.Theme.Ink, w))
	}
	add(e.Words(e.T("daily.explained"), Body, e.Theme.Faint, w))
	var first widget.Focuser
	switch {
	case d.asked:
		b := e.Button("daily.opening", Primary, func() {})
		b.GetWidget().Disabled = true
		add(b)
	case v.InProgress:
		b := e.Labelled("solo.go_on", e.T("solo.go_on", Vars{"N": v.Score}), Primary, d.play)
		first = b
		add(b)
	case v.Day != "" && v.Left > 0:
		b := e.Labelled("daily.play", e.T("daily.play", Vars{"N": v.Left}), Primary, d.play)
		first = b
		add(b)
	case v.Day != "":
		add(e.plaque(e.T("daily.none_left")))
	}
	switch {
	case d.fault != "":
		add(e.Words(d.fault, Body, e.Theme.Danger, w))
	case v.Trouble != "":
		add(e.Words(v.Trouble, Body, e.Theme.Danger, w))
	case v.Looking && v.Day == "":
		add(e.Words(e.T("daily.looking"), Body, e.Theme.Faint, w))
	}
	if len(v.Runs) > 0 {
		add(e.air(4), e.caption("daily.runs"))
		for _, r := range v.Runs {
			add(d.run(e, r))
		}
	}
	if v.Place != "" {
		add(e.plaque(v.Place))
	}
	if len(v.Board) > 0 {
		add(e.air(4), e.caption("daily.board"))
		for _, l := range v.Board {
			add(e.dailyLine(strconv.Itoa(l.Rank), l, d.name(e, l)))
		}
	}
	if v.Proven {
		add(e.air(4), e.Words(e.T("daily.proven"), Small, e.Theme.Faint, w))
	}
	return d.sheet(e, e.T("daily.title"), first, content...)
}

// name is who a line of the board is.
func (d *soloDaily) name(e *Env, l DailyLine) string {
	if l.Me {
		return e.T("daily.you")
	}
	return l.Code
}

// run is one of one's own runs.
func (d *soloDaily) run(e *Env, r DailyLine) *picture {
	chance := e.T("daily.offline")
	if r.Chance > 0 {
		chance = e.T("daily.chance", Vars{"Chance": r.Chance})
	}
	status := e.T("daily." + r.Status)
	if r.Best {
		status = e.T("daily.counts")
	}
	if r.Why != "" {
		status = e.T("daily.refused_why", Vars{"Why": r.Why})
	}
	r.Me = r.Best
	return e.dailyLine("", r, chance+" · "+status)
}

// dailyLine is a line with a rank, words, and a score at its end.
func (e *Env) dailyLine(rank string, l DailyLine, words string) *picture {
	w, score := e.ColumnWidth(), strconv.Itoa(l.Score)
	left := 0.0
	if rank != "" {
		left = e.Type.Width("100", Body) + e.Px(12)
	}
	style, ink := Body, e.Theme.Ink
	if l.Me {
		style, ink = Strong, e.Theme.Accent
	}
	lines := e.Type.Wrap(words, style, w-left-e.Type.Width(score, Strong)-e.Px(12))
	return newPicture(w, float64(len(lines))*e.Type.Line(style)+e.Px(4), func(dst *ebiten.Image, at Rect) {
		y := at.Y + e.Px(2) + e.Type.Line(style)/2
		if rank != "" {
			e.Type.Draw(dst, rank, at.X+left-e.Px(12), y, Body, Right, e.Theme.Faint)
		}
		e.Type.Draw(dst, score, at.X+at.W, y, Strong, Right, ink)
		for _, line := range lines {
			e.Type.Draw(dst, line, at.X+left, y, style, Left, ink)
			y += e.Type.Line(style)
		}
	}).saying(rank, words+",", score)
}

func (d *soloDaily) play() {
	d.asked, d.fault = true, ""
	d.screen.Stale()
}

// Update looks at the server's answers, and goes into the game once there is
// one.
func (d *soloDaily) Update(e *Env, c *Controls) Scene {
	if d.asked {
		seat, err := d.world.PlayDaily()
		switch {
		case err != nil:
			d.asked, d.fault = false, err.Error()
			d.screen.Stale()
			e.Redraw()
		case seat != nil:
			return newSolo(d.world, dailyChoice, seat)
		}
	}
	if e.Now%lookTicks != 0 {
		return d.update(d, e, c)
	}
	if v := d.world.Daily(); !v.same(d.view) {
		d.view = v
		d.screen.Stale()
		e.Redraw()
	}
	return d.update(d, e, c)
}

// same reports whether two views show the same.
func (v DailyView) same(o DailyView) bool {
	if len(v.Runs) != len(o.Runs) || len(v.Board) != len(o.Board) {
		return false
	}
	for i := range v.Runs {
		if v.Runs[i] != o.Runs[i] {
			return false
		}
	}
	for i := range v.Board {
		if v.Board[i] != o.Board[i] {
			return false
		}
	}
	return v.Day == o.Day && v.Looking == o.Looking && v.Trouble == o.Trouble && v.Proven == o.Proven &&
		v.InProgress == o.InProgress && v.Score == o.Score && v.Left == o.Left && v.Place == o.Place
}
