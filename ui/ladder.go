package ui

import (
	"strconv"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// ladder is the season's table and one's own place.
type ladder struct {
	menu
	standing Standing
}

func newLadder(w World) *ladder {
	l := &ladder{menu: menu{world: w, back: func() Scene { return newTitle(w) }}, standing: w.Standing()}
	l.screen.Build = l.build
	return l
}

func (l *ladder) build(e *Env) (*widget.Container, widget.Focuser) {
	width, s := e.ColumnWidth(), l.standing
	var content []widget.PreferredSizeLocateableWidget
	if s.Trouble.ID != "" {
		content = append(content, e.Words(e.Tell(s.Trouble), Body, e.Theme.Faint, width))
	}
	if s.Known {
		content = append(content, e.standing(s), e.air(2), e.Words(e.T("ladder.season", Vars{"Season": month(s.Season)}), Strong, e.Theme.Ink, width))
	}
	for _, r := range s.Table {
		content = append(content, e.rank(r))
	}
	if s.Known && len(s.Table) == 0 {
		content = append(content, e.Words(e.T("ladder.empty"), Body, e.Theme.Faint, width))
	}
	if waiting := l.world.Outbox(); len(waiting) > 0 {
		content = append(content, e.air(4), e.Words(e.T("ladder.outbox"), Strong, e.Theme.Ink, width))
		for _, w := range waiting {
			content = append(content, e.Words(e.Tell(w), Small, e.Theme.Faint, width))
		}
	}
	return l.sheet(e, e.T("ladder.title"), nil, content...)
}

// placementMatches is how many matches it takes to be placed.
const placementMatches = 5

// standing is one's own place: the rating, or how many matches it takes until
// there is one.
func (e *Env) standing(s Standing) *picture {
	width, pad := e.ColumnWidth(), e.Px(margin)
	words, figure := e.T("ladder.mine"), strconv.Itoa(s.Rating)
	if s.Placements > 0 {
		words, figure = e.T("ladder.placements", Vars{"N": s.Placements}), ""
	}
	room := width - 3*pad - e.Type.Width(figure, Figure)
	lines := e.Type.Wrap(words, Body, room)
	high := max(float64(len(lines))*e.Type.Line(Body), e.Type.Line(Figure)) + 2*e.Px(10)
	if s.Placements > 0 {
		high += e.Px(16)
	}
	return newPicture(width, high, func(dst *ebiten.Image, r Rect) {
		e.panel(dst, r, e.Theme.Surface, e.Theme.Edge, 1)
		_, mid := r.Mid()
		if s.Placements > 0 {
			mid -= e.Px(10)
			step := (r.W - 2*pad) / placementMatches
			for i := range placementMatches {
				tint := mix(e.Theme.Surface, e.Theme.Faint, 0.25)
				if i < placementMatches-s.Placements {
					tint = e.Theme.Accent
				}
				e.Paint.Fill(dst, Rect{r.X + pad + float64(i)*step, r.Y + r.H - e.Px(18), step - e.Px(6), e.Px(6)}, e.Px(3), tint)
			}
		}
		e.Type.Draw(dst, figure, r.X+r.W-pad, mid, Figure, Right, e.Theme.Accent)
		y := mid - e.Type.Line(Body)*float64(len(lines)-1)/2
		for _, l := range lines {
			e.Type.Draw(dst, l, r.X+pad, y, Body, Left, e.Theme.Ink)
			y += e.Type.Line(Body)
		}
	}).saying(words, figure)
}

// rank is one line of the season's table.
func (e *Env) rank(row Row) *picture {
	return newPicture(e.ColumnWidth(), e.Type.Line(Body)*1.5, func(dst *ebiten.Image, at Rect) {
		_, y := at.Mid()
		style := Body
		if row.Me {
			e.Paint.Fill(dst, at, e.Px(corner), mix(e.Theme.Surface, e.Theme.Accent, 0.12))
			style = Strong
		}
		pad, rank := e.Px(12), e.Type.Width("000", Body)
		rating := strconv.Itoa(row.Rating)
		place := "–" // not placed yet
		if row.Rank > 0 {
			place = strconv.Itoa(row.Rank)
		}
		e.Type.Draw(dst, place, at.X+pad+rank, y, style, Right, e.Theme.Faint)
		who := row.Player.Name
		if who == "" {
			who = shortCode(row.Player.Code)
		}
		room := at.W - 4*pad - rank - e.Type.Width(rating, style)
		e.Type.Draw(dst, e.Type.Shorten(who, style, room), at.X+2*pad+rank, y, style, Left, e.Theme.Ink)
		e.Type.Draw(dst, rating, at.X+at.W-pad, y, Strong, Right, e.Theme.Ink)
	}).saying(strconv.Itoa(row.Rank), row.Player.Name, row.Player.Code, strconv.Itoa(row.Rating))
}

// Update follows the standing.
func (l *ladder) Update(e *Env, c *Controls) Scene {
	if s := l.world.Standing(); s.Season != l.standing.Season || s.Rating != l.standing.Rating || s.Trouble != l.standing.Trouble || len(s.Table) != len(l.standing.Table) {
		l.standing = s
		l.screen.Stale()
	}
	return l.update(l, e, c)
}
