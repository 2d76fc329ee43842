package ui

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/ebitenui/ebitenui/widget"
)

// boards shows the boards of the daily challenges: of a day, of a month and of
// all time, of the world and of one's country.
type boards struct {
	menu
	watch   watch
	choice  BoardChoice
	view    BoardView
	country string // as it is being written
	said    string
	fault   error
}

func newBoards(w World, back func() Scene) *boards {
	b := &boards{menu: menu{world: w, back: back}, choice: BoardChoice{Span: "day"}, country: w.Country()}
	b.view = w.Board(b.choice)
	b.screen.Build = b.build
	return b
}

var spans = []string{"day", "month", "all"}

func (b *boards) build(e *Env) (*widget.Container, widget.Focuser) {
	v, w := b.view, e.ColumnWidth()
	names := make([]string, len(spans))
	for i, s := range spans {
		names[i] = e.T("board." + s)
	}
	at := slices.Index(spans, b.choice.Span)
	row := e.Choice("board.span", names, at, func(i int) { b.choice.Span = spans[i]; b.turn() })
	first := row.GetFocusers()[at]
	content := []widget.PreferredSizeLocateableWidget{row}
	add := func(p ...widget.PreferredSizeLocateableWidget) { content = append(content, p...) }
	if mine := b.world.Country(); mine != "" {
		chosen := 0
		if b.choice.Mine {
			chosen = 1
		}
		add(e.Choice("board.where", []string{e.T("board.world"), mine}, chosen, func(i int) { b.choice.Mine = i == 1; b.turn() }))
	}
	add(e.Words(e.T("board."+b.choice.Span+"_is"), Small, e.Theme.Faint, w))
	switch {
	case v.Trouble != (Notice{}):
		add(e.Words(e.Tell(v.Trouble), Body, e.Theme.Danger, w))
	case !v.Known:
		add(e.Words(e.T("board.looking"), Body, e.Theme.Faint, w))
	case len(v.Lines) == 0:
		add(e.Words(e.T("board.empty"), Body, e.Theme.Faint, w))
	}
	if text := v.Place.words(e); text != "" {
		add(e.plaque(text))
	} else if v.Known && len(v.Lines) > 0 {
		add(e.Words(e.T("board.not_on_it"), Body, e.Theme.Faint, w))
	}
	for _, l := range v.Lines {
		add(e.dailyLine(strconv.Itoa(l.Rank), l, playerName(e, l)))
	}
	if len(v.Near) > 0 {
		add(e.air(4), e.caption("board.near"))
		for _, l := range v.Near {
			add(e.dailyLine(strconv.Itoa(l.Rank), l, playerName(e, l)))
		}
	}
	add(e.air(8), e.caption("board.country"),
		e.Field("board.country_field", b.country, e.T("board.country_hint"), func(s string) { b.country = s }, func() { b.keep(e) }),
		e.Button("board.keep", Plain, func() { b.keep(e) }))
	switch {
	case b.fault != nil:
		add(e.Words(e.Sorry(b.fault), Body, e.Theme.Danger, w))
	case b.said != "":
		add(e.Words(b.said, Body, e.Theme.Accent, w))
	}
	return b.sheet(e, e.T("board.title"), first, content...)
}

// turn looks at another board.
func (b *boards) turn() {
	b.view = b.world.Board(b.choice)
	b.screen.Stale()
}

// keep keeps the country that was written.
func (b *boards) keep(e *Env) {
	b.fault, b.said = nil, ""
	if err := b.world.SetCountry(b.country); err != nil {
		b.fault = err
		b.screen.Stale()
		return
	}
	b.country = b.world.Country()
	b.said = e.T("board.no_country")
	if b.country != "" {
		b.said = e.T("board.kept", Vars{"Country": b.country})
	} else {
		b.choice.Mine = false
	}
	b.turn()
}

// Update looks at the server's answers.
func (b *boards) Update(e *Env, c *Controls) Scene {
	if b.watch.due(e) {
		if v := b.world.Board(b.choice); !reflect.DeepEqual(v, b.view) {
			b.view = v
			b.screen.Stale()
			e.Redraw()
		}
	}
	return b.update(b, e, c)
}
