package ui

import (
	"image/color"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

// Saying what a frame of a match shows makes no garbage. (What Ebitengine and
// ebitenui make of it is theirs; BenchmarkMatchFrame counts that too.)
func TestDrawingAMatchMakesNoGarbage(t *testing.T) {
	for _, kind := range []engine.Kind{engine.Split, engine.Choose, engine.Place} {
		for _, size := range [][2]float64{{360, 640}, {1280, 800}} {
			seat := played(mine(kind, 4))
			clocked(7300)(&seat.view)
			seat.view.Friendly = kind == engine.Choose
			e := NewEnv(DefaultSettings())
			e.Paint = newPaint()
			e.Paint.seen = func(shape, Rect, color.NRGBA) {}
			e.Resize(size[0], size[1], 1)
			e.Type.seen = func(string, Rect, Style, color.NRGBA) {}
			m := newMatch(nil, seat)
			app := NewApp(e, m, &Script{})
			if err := app.Update(); err != nil {
				t.Fatal(err)
			}
			m.step.hover = 1
			if kind == engine.Place {
				m.nudge(0, 0)
			}
			m.say(e, "somebody splits, somebody chooses", 1000)
			m.role = 1
			draw := func() {
				l := &m.place
				m.drawHead(e, nil, l)
				m.drawPlates(e, nil, l)
				m.drawBoard(e, nil, l.mine, 0)
				m.drawBoard(e, nil, l.theirs, 1)
				switch kind {
				case engine.Choose:
					m.drawCards(e, nil)
				case engine.Place:
					m.drawPiece(e, nil)
				default:
					m.drawBlock(e, nil)
				}
				m.drawBanner(e, nil, l)
			}
			if n := testing.AllocsPerRun(50, draw); n != 0 {
				t.Errorf("%v at %v: %.1f allocations a frame", kind, size, n)
			}
			m.bannerUntil = 0
			if n := testing.AllocsPerRun(50, draw); n != 0 {
				t.Errorf("%v at %v, without the banner: %.1f allocations a frame", kind, size, n)
			}
		}
	}
}
