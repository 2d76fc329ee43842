package ui

import (
	"image"
	"slices"
	"testing"
)

// Tab goes through everything that can be pressed or written in, in each scene,
// brings it into sight, and comes round to where it began; Shift and Tab go the
// same way back.
func TestTabReachesEverything(t *testing.T) {
	defer func() { pen.seen = nil }()
	for _, s := range shots {
		sc, app := scanOf(t, s, combination{360, 640, 100, "light", "en"})
		scene, ok := app.Scene().(screened)
		if !ok || scene.widgets().ui == nil {
			continue
		}
		screen, src := scene.widgets(), &Script{}
		app.source = src
		if screen.Focused() == "" {
			continue // the keys are on a board
		}
		var want []string
		for _, f := range screen.ui.Container.GetFocusers() {
			want = append(want, nameOf(f))
		}
		for _, way := range []Action{Next, Previous} {
			var got []string
			for range want {
				at := screen.Focused()
				got = append(got, at)
				if f := screen.find(at); f != nil && !f.GetWidget().Rect.In(image.Rect(0, 0, int(sc.env.W), int(sc.env.H))) {
					t.Errorf("%s: %s has the focus and is out of sight", s.name, at)
				}
				src.Press(way)
				for range 3 {
					if err := app.Update(); err != nil {
						t.Fatal(err)
					}
					sc.env.Redraw()
					app.Draw(canvas(360, 640)) // which lays out
				}
			}
			if screen.Focused() != got[0] {
				t.Errorf("%s: %d presses lead from %s to %q", s.name, len(want), got[0], screen.Focused())
			}
			slices.Sort(got)
			if all := slices.Sorted(slices.Values(want)); !slices.Equal(got, all) {
				t.Errorf("%s: Tab goes to\n%q, and there are\n%q", s.name, got, all)
			}
		}
	}
}
