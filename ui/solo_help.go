package ui

import (
	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
)

// soloHelp is the rules of a solo game, an example, strategy, history, facts.
type soloHelp struct {
	menu
	game string
}

func newSoloHelp(w World, game string) *soloHelp {
	h := &soloHelp{menu: menu{world: w, back: func() Scene { return newSoloMenu(w, game) }}, game: game}
	h.screen.Build = h.build
	return h
}

// helpTexts are the paragraphs of each game's help. One that ends in _title is
// a heading.
var helpTexts = map[string][]string{
	"streak": {"help.streak.goal", "help.streak.play", "help.streak.points_title", "help.streak.points", "help.streak.streak", "help.streak.forgiven", "help.example_title",
		"help.streak.training", "help.streak.together", "help.strategy_title", "help.streak.strategy", "help.history_title", "help.streak.history", "help.facts_title", "help.streak.facts"},
	"classic": {"help.classic.goal", "help.classic.play", "help.classic.points_title", "help.classic.points", "help.classic.combo", "help.example_title",
		"help.classic.hints", "help.classic.levels", "help.strategy_title", "help.classic.strategy", "help.history_title", "help.classic.history", "help.facts_title", "help.classic.facts"},
}

func (h *soloHelp) build(e *Env) (*widget.Container, widget.Focuser) {
	w := e.ColumnWidth()
	var content []widget.PreferredSizeLocateableWidget
	for _, id := range helpTexts[h.game] {
		if id == "help.example_title" {
			content = append(content, e.air(2), e.Words(e.T(id), Strong, e.Theme.Ink, w))
			content = append(content, h.example(e)...)
			continue
		}
		if n := len(id); id[n-6:] == "_title" {
			content = append(content, e.air(2), e.Words(e.T(id), Strong, e.Theme.Ink, w))
			continue
		}
		content = append(content, e.Words(e.T(id), Body, e.Theme.Ink, w))
	}
	content = append(content, e.Words(e.T("help.controls"), Body, e.Theme.Ink, w))
	rules := streak.Rules
	if h.game == "classic" {
		rules = classic.Rules
	}
	content = append(content, e.Words(e.T("rules.version", Vars{"Rules": rules}), Small, e.Theme.Faint, w))
	return h.sheet(e, e.T("help."+h.game+".title"), nil, content...)
}

// An exampleRow is one placement of a worked example.
type exampleRow struct {
	cells, lines int
	points       int
	sum          int
	mark         bool // a round, or nothing, ends below it
}

// streakExample is the worked example of the rules, worked out by the rules.
func streakExample() []exampleRow {
	var rows []exampleRow
	var tally streak.Tally
	sum := 0
	for _, p := range [][2]int{{4, 0}, {5, 1}, {3, 0}, {4, 2}, {1, 1}, {5, 0}} {
		next, points := tally.Place(p[0], p[1])
		sum += points.Sum()
		rows = append(rows, exampleRow{p[0], p[1], points.Sum(), sum, next.PlacedInRound() == 0})
		tally = next
	}
	return rows
}

func classicExample() []exampleRow {
	var rows []exampleRow
	combo, sum := 0, 0
	for _, p := range [][2]int{{4, 1}, {3, 2}, {5, 1}, {4, 0}} {
		points := classic.Points(p[0], p[1], combo)
		sum += points
		rows = append(rows, exampleRow{p[0], p[1], points, sum, false})
		if combo++; p[1] == 0 {
			combo = 0
		}
	}
	return rows
}

// example is the worked example as a table, or where that is too wide in
// sentences.
func (h *soloHelp) example(e *Env) []widget.PreferredSizeLocateableWidget {
	rows := streakExample()
	if h.game == "classic" {
		rows = classicExample()
	}
	heads := [4]string{e.T("help.cells"), e.T("help.lines"), e.T("help.points"), e.T("help.total")}
	line := e.Type.Line(Body) + e.Px(4)
	w := e.ColumnWidth()
	var words []string
	var sentences []widget.PreferredSizeLocateableWidget
	for _, r := range rows {
		s := e.T("help.row", Vars{"Cells": r.cells, "Lines": r.lines, "Points": r.points, "Sum": r.sum})
		words = append(words, s)
		sentences = append(sentences, e.Words(s, Body, e.Theme.Ink, w))
	}
	for _, head := range heads {
		if e.Type.Width(head, Small) > (w-e.Px(24))/4-e.Px(4) {
			return sentences
		}
	}
	table := newPicture(w, line*float64(len(rows)+1)+e.Px(16), func(dst *ebiten.Image, at Rect) {
		e.Paint.Fill(dst, at, e.Px(corner), e.Theme.Surface)
		e.Paint.Stroke(dst, at, e.Px(corner), max(e.Px(1), 1), e.Theme.Edge)
		column := (at.W - e.Px(24)) / 4
		draw := func(i, row int, text string, style Style, strong bool) {
			ink := e.Theme.Ink
			if !strong {
				ink = e.Theme.Faint
			}
			x := at.X + e.Px(12) + column*float64(i+1)
			e.fitted(dst, text, x, at.Y+e.Px(8)+line*(float64(row)+0.5), column-e.Px(4), Right, ink, style, Small)
		}
		for i, head := range heads {
			draw(i, 0, head, Small, false)
		}
		for k, r := range rows {
			for i, n := range [4]int{r.cells, r.lines, r.points, r.sum} {
				draw(i, k+1, number(n), Body, true)
			}
			if r.mark && k < len(rows)-1 {
				y := at.Y + e.Px(8) + line*float64(k+2)
				e.Paint.Fill(dst, Rect{at.X + e.Px(12), y - 1, at.W - e.Px(24), max(e.Px(1.5), 1)}, 0, e.Theme.Edge)
			}
		}
	}).saying(words...)
	return []widget.PreferredSizeLocateableWidget{table}
}

// Update waits for the way back.
func (h *soloHelp) Update(e *Env, c *Controls) Scene { return h.update(h, e, c) }
