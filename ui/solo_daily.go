package ui

import (
	"reflect"
	"strconv"
	"time"

	"github.com/ebitenui/ebitenui/widget"
)

// dailyChoice is the game of a daily challenge.
var dailyChoice = SoloChoice{Game: "streak", Level: "daily"}

// soloDaily is the day's challenge: one's chances, which counted, the board.
type soloDaily struct {
	menu
	watch watch
	view  DailyView
	asked bool // the seat is being waited for
	fault error
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
		add(e.Words(e.T("daily.day", Vars{"Day": day(v.Day)}), Strong, e.Theme.Ink, w))
	}
	add(e.Words(e.T("daily.explained"), Body, e.Theme.Faint, w))
	var first widget.Focuser
	switch {
	case d.asked:
		b := e.Button("daily.opening", Primary, func() {})
		b.GetWidget().Disabled = true
		add(b)
	case v.InProgress:
		b := e.Labelled("solo.go_on", e.T("solo.go_on", scored(v.Score)), Primary, d.play)
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
	case d.fault != nil:
		add(e.Words(e.Sorry(d.fault), Body, e.Theme.Danger, w))
	case v.Trouble != (Notice{}):
		add(e.Words(e.Tell(v.Trouble), Body, e.Theme.Danger, w))
	case v.Looking && v.Day == "":
		add(e.Words(e.T("daily.looking"), Body, e.Theme.Faint, w))
	}
	if len(v.Runs) > 0 {
		add(e.air(4), e.caption("daily.runs"))
		for _, r := range v.Runs {
			add(d.run(e, r))
		}
	}
	if place := v.Place.words(e); place != "" {
		add(e.plaque(place))
	}
	if v.Day != "" {
		add(e.Button("board.title", Plain, func() { d.next = newBoards(d.world, func() Scene { return newSoloDaily(d.world) }) }))
	}
	if len(v.Board) > 0 {
		add(e.air(4), e.caption("daily.board"))
		for _, l := range v.Board {
			add(e.dailyLine(strconv.Itoa(l.Rank), l, playerName(e, l)))
		}
	}
	add(e.Toggle("daily.sundays", d.world.Sundays(), func(on bool) {
		d.fault = nil
		if err := d.world.SetSundays(on); err != nil {
			d.fault = err
		}
		d.screen.Stale()
	}))
	if v.Proven {
		add(e.air(4), e.Words(e.T("daily.proven"), Small, e.Theme.Faint, w))
	}
	return d.sheet(e, e.T("daily.title"), first, content...)
}

// run is one of one's own runs.
func (d *soloDaily) run(e *Env, r DailyLine) *picture {
	chance := e.T("daily.offline")
	if r.Chance > 0 {
		chance = e.T("daily.chance", Vars{"Chance": r.Chance})
	}
	status := runStatus(e, r.Status, r.Why)
	if r.Best {
		status = e.T("daily.counts")
	}
	r.Me = r.Best
	return e.dailyLine("", r, chance+" · "+status)
}

func (d *soloDaily) play() {
	d.asked, d.fault = true, nil
	d.screen.Stale()
}

// Update looks at the server's answers, and goes into the game once there is
// one.
func (d *soloDaily) Update(e *Env, c *Controls) Scene {
	if d.asked {
		seat, err := d.world.PlayDaily()
		switch {
		case err != nil:
			d.asked, d.fault = false, err
			d.screen.Stale()
			e.Redraw()
		case seat != nil:
			return newSolo(d.world, dailyChoice, seat)
		}
	}
	if !d.watch.due(e) {
		return d.update(d, e, c)
	}
	if v := d.world.Daily(); !reflect.DeepEqual(v, d.view) {
		if d.screen.Stale(); d.view.Day == "" {
			d.arrived()
		}
		d.view = v
		e.Redraw()
	}
	return d.update(d, e, c)
}

// day is a date of the server's, YYYY-MM-DD, as it is said.
func day(date string) string {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return at.Format("2 Jan 2006")
}

// month is a month of the server's, YYYY-MM, as it is said.
func month(date string) string {
	at, err := time.Parse("2006-01", date)
	if err != nil {
		return date
	}
	return at.Format("January 2006")
}
