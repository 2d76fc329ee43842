package ui

import (
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine/duel"
)

// roundPoints are the points that each seat made in each round.
type roundPoints [duel.Rounds][2]int

// pointsOf plays a match again and counts.
func pointsOf(v View) roundPoints {
	var all roundPoints
	s := duel.New(v.State.Match())
	for _, m := range v.Moves {
		next, report, err := duel.Apply(s, m)
		if err != nil {
			break // both resigned at once: the second is no move
		}
		if n := s.Round(); n >= 1 && n <= duel.Rounds {
			for seat := range report.Points {
				all[n-1][seat] += report.Points[seat]
			}
		}
		s = next
	}
	return all
}

// story shows a match round by round: what each player made, one's own bar
// first. What was lost hangs below the line.
func (e *Env) story(points roundPoints, me int) *picture {
	most, least := 10, 0
	for _, round := range points {
		for _, n := range round {
			most, least = max(most, n), min(least, n)
		}
	}
	line := e.Type.Line(Small)
	high := e.Px(64)
	below := high * float64(-least) / float64(most)
	below = min(max(below, e.Px(2)), e.Px(20))
	return newPicture(e.ColumnWidth(), high+below+2*line+e.Px(6), func(dst *ebiten.Image, r Rect) {
		t := e.Theme
		step := r.W / duel.Rounds
		width := min(step*0.3, e.Px(18))
		ground := r.Y + line + high
		grown := e.Opening()
		for i, round := range points {
			mid := r.X + (float64(i)+0.5)*step
			e.Paint.Fill(dst, Rect{mid - step*0.42, ground, step * 0.84, max(e.Px(1.5), 1)}, 0, t.Edge)
			for k, seat := range [2]int{me, 1 - me} {
				n := round[seat]
				x := mid - width - e.Px(1) + float64(k)*(width+e.Px(2))
				switch {
				case n > 0:
					h := high * float64(n) / float64(most) * grown
					e.Paint.Fill(dst, Rect{x, ground - h, width, h}, e.Px(3), t.Seat[k])
				case n < 0:
					h := below * float64(n) / float64(min(least, -1)) * grown
					e.Paint.Fill(dst, Rect{x, ground + e.Px(2), width, h}, e.Px(3), t.Danger)
				}
			}
			e.Type.Draw(dst, number(i+1), mid, ground+below+e.Px(6)+line/2, Small, Centre, t.Faint)
		}
	})
}
