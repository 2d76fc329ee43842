package ui

import (
	"testing"

	"github.com/cleavegame/cleave/engine"
)

// frames draws a match again and again. Nothing is rasterised before the end
// of the tick, so that this is the cost of saying what to draw.
func frames(b *testing.B, w, h int, m *match) {
	env := NewEnv(DefaultSettings())
	env.Resize(float64(w), float64(h), 1)
	app := NewApp(env, m, &Script{})
	dst := canvas(w, h)
	frame := func() {
		env.Redraw()
		if err := app.Update(); err != nil {
			b.Fatal(err)
		}
		app.Draw(dst)
	}
	for range 10 {
		frame()
	}
	b.ReportAllocs()
	for b.Loop() {
		frame()
	}
	dst.At(0, 0)
}

// BenchmarkMatchFrame is one frame of a match in each step.
func BenchmarkMatchFrame(b *testing.B) {
	for _, c := range []struct {
		name string
		kind engine.Kind
	}{{"split", engine.Split}, {"choose", engine.Choose}, {"place", engine.Place}} {
		b.Run(c.name, func(b *testing.B) {
			seat := played(mine(c.kind, 4))
			m := newMatch(newFakeWorld(), seat)
			m.step.hover = 1
			frames(b, 1280, 800, m)
		})
	}
}

// BenchmarkMatchFrame4K draws a match at 3840 by 2160 and waits until the
// pixels are there.
func BenchmarkMatchFrame4K(b *testing.B) {
	env := NewEnv(DefaultSettings())
	env.Resize(3840, 2160, 1)
	app := NewApp(env, newMatch(newFakeWorld(), played(mine(engine.Place, 4))), &Script{})
	dst := canvas(3840, 2160)
	for b.Loop() {
		env.Redraw()
		if err := app.Update(); err != nil {
			b.Fatal(err)
		}
		app.Draw(dst)
		dst.At(0, 0) // waits for the GPU
	}
}
