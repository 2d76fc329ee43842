package ui

import (
	"slices"
	"strconv"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// classicLevels are the levels of a Classic, easiest first.
var classicLevels = []string{"easy", "medium", "hard"}

// soloMenu is where a Classic or a Streak begins: its level, the own ten best,
// the help.
type soloMenu struct {
	menu
	choice SoloChoice
	fault  error
}

func newSoloMenu(w World, game string) *soloMenu {
	m := &soloMenu{menu: menu{world: w, back: func() Scene { return newTitle(w) }}, choice: SoloChoice{Game: game, Level: "training"}}
	if game == "classic" {
		m.choice.Level = "easy"
		// The level that was played last.
		for _, r := range w.SoloRuns() {
			if r.Choice.Game == game {
				m.choice = r.Choice
				break
			}
		}
		for _, l := range classicLevels {
			if _, ok := w.SoloInProgress(SoloChoice{Game: game, Level: l}); ok {
				m.choice.Level = l
				break
			}
		}
	}
	m.screen.Build = m.build
	return m
}

func (m *soloMenu) build(e *Env) (*widget.Container, widget.Focuser) {
	w, game := e.ColumnWidth(), m.choice.Game
	var content []widget.PreferredSizeLocateableWidget
	if game == "classic" {
		names := make([]string, len(classicLevels))
		for i, l := range classicLevels {
			names[i] = e.T("solo.level_" + l)
		}
		content = append(content, e.Choice("level", names, slices.Index(classicLevels, m.choice.Level), func(i int) {
			m.choice.Level = classicLevels[i]
			m.screen.Stale()
		}))
	}
	content = append(content, e.Words(e.T("solo."+game+"_"+m.choice.Level+"_is"), Body, e.Theme.Faint, w))
	play := e.Button("solo.play", Primary, m.play)
	if score, ok := m.world.SoloInProgress(m.choice); ok {
		play = e.Labelled("solo.go_on", e.T("solo.go_on", scored(score)), Primary, m.play)
	}
	content = append(content, play)
	content = append(content, e.fault(m.fault)...)
	if game == "streak" {
		content = append(content, e.rows([]*tile{
			e.Button("daily.title", Plain, func() { m.next = newSoloDaily(m.world) }),
			e.Button("arena.title", Plain, func() { m.next = newArenas(m.world) }),
		}, 2, 1))
	}
	content = append(content, e.rows([]*tile{
		e.Button("solo.help", Plain, func() { m.next = newSoloHelp(m.world, game) }),
		e.Button("solo.history", Plain, func() { m.next = newSoloHistory(m.world, game) }),
	}, 2, 1), e.air(4), e.caption("solo.best"))
	best := m.world.SoloBest(m.choice)
	if len(best) == 0 {
		content = append(content, e.Words(e.T("solo.no_best"), Body, e.Theme.Faint, w))
	}
	for i, r := range best {
		content = append(content, e.bestLine(i+1, r))
	}
	return m.sheet(e, e.T("solo."+game), play, content...)
}

// bestLine is a run among the best: its place, its score, and when it was.
func (e *Env) bestLine(place int, r SoloPlayed) *picture {
	w, rank, score := e.ColumnWidth(), strconv.Itoa(place), number(r.Score)
	small := e.Say("solo.pieces", "", r.Placements) + " · " + r.At.Local().Format("2 Jan 2006")
	left := e.Type.Width("10", Body) + e.Px(12)
	lines := []string{small}
	beside := e.Type.Width(small, Small) <= w-left-e.Type.Width(score, Strong)-e.Px(12)
	high := e.Type.Line(Strong) + e.Px(4)
	if !beside {
		lines = e.Type.Wrap(small, Small, w-left)
		high += float64(len(lines)) * e.Type.Line(Small)
	}
	return newPicture(w, high, func(dst *ebiten.Image, at Rect) {
		y := at.Y + e.Px(2) + e.Type.Line(Strong)/2
		x := at.X + left
		e.Type.Draw(dst, rank, x-e.Px(12), y, Body, Right, e.Theme.Faint)
		e.Type.Draw(dst, score, x, y, Strong, Left, e.Theme.Ink)
		if beside {
			e.Type.Draw(dst, small, at.X+at.W, y, Small, Right, e.Theme.Faint)
			return
		}
		y += (e.Type.Line(Strong) + e.Type.Line(Small)) / 2
		for _, line := range lines {
			e.Type.Draw(dst, line, x, y, Small, Left, e.Theme.Faint)
			y += e.Type.Line(Small)
		}
	}).saying(rank+".", score+",", small)
}

func (m *soloMenu) play() {
	seat, err := m.world.PlaySolo(m.choice)
	if err != nil {
		m.fault = err
		m.screen.Stale()
		return
	}
	m.next = newSolo(m.world, m.choice, seat)
}

// Update waits for a choice.
func (m *soloMenu) Update(e *Env, c *Controls) Scene { return m.update(m, e, c) }
