package ui

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"
)

// A combination is one way in which a screen may be seen.
type combination struct {
	w, h, text int
	theme      string // of the themes, or "blind"
	language   string
}

func (c combination) String() string {
	return fmt.Sprintf("%dx%d at %d %%, %s, %s", c.w, c.h, c.text, c.theme, c.language)
}

func (c combination) settings() Settings {
	s := DefaultSettings()
	s.Theme, s.TextPercent, s.Language = c.theme, c.text, c.language
	if c.theme == "blind" {
		s.Theme, s.ColourBlind = "light", true
	}
	return s
}

// combinations returns ways such that each pair of values of any two is among
// them.
func combinations() []combination {
	sizes := [][2]int{{360, 640}, {640, 360}, {768, 1024}, {1280, 800}, {3840, 2160}}
	var all []combination
	for _, size := range sizes {
		for _, text := range []int{100, 150, 200} {
			for _, theme := range []string{"light", "dark", "contrast", "blind"} {
				for _, language := range []string{"en", Pseudo} {
					all = append(all, combination{size[0], size[1], text, theme, language})
				}
			}
		}
	}
	pairs := func(c combination) []string {
		v := []string{fmt.Sprint(c.w, c.h), fmt.Sprint(c.text), c.theme, c.language}
		var out []string
		for i := range v {
			for j := range i {
				out = append(out, fmt.Sprint(i, v[i], j, v[j]))
			}
		}
		return out
	}
	open := map[string]bool{}
	for _, c := range all {
		for _, p := range pairs(c) {
			open[p] = true
		}
	}
	var chosen []combination
	for len(open) > 0 {
		best, most := combination{}, 0
		for _, c := range all {
			n := 0
			for _, p := range pairs(c) {
				if open[p] {
					n++
				}
			}
			if n > most {
				best, most = c, n
			}
		}
		for _, p := range pairs(best) {
			delete(open, p)
		}
		chosen = append(chosen, best)
	}
	return chosen
}

// A scan is everything that one frame draws, in its order.
type scan struct {
	env   *Env
	marks []mark
}

// A mark is one text, area or button.
type mark struct {
	text   string // "" for an area
	rect   Rect
	colour color.NRGBA
	style  Style
	shape  shape
	tile   *tile
}

// pen is the Paint of all scans: it draws nothing.
var pen = newPaint()

// scanOf brings a scene to where it is to be seen and returns its last frame.
func scanOf(t *testing.T, s shot, c combination) (*scan, *App) {
	t.Helper()
	drew(c.w, c.h)
	world := newFakeWorld()
	world.set = c.settings()
	env := NewEnv(world.set)
	sc := &scan{env: env}
	env.Paint = pen
	pen.seen = func(s shape, r Rect, c color.NRGBA) { sc.marks = append(sc.marks, mark{rect: r, colour: c, shape: s}) }
	env.typed = func(s string, r Rect, style Style, c color.NRGBA) {
		sc.marks = append(sc.marks, mark{text: s, rect: r, colour: c, style: style})
	}
	env.pressed = func(t *tile, r Rect) {
		sc.marks = append(sc.marks, mark{rect: r, colour: env.look(t.kind).fill, tile: t})
	}
	env.Resize(float64(c.w), float64(c.h), 1)
	dst := canvas(c.w, c.h)
	app := s.reach(t, env, world, func(app *App) {
		env.Redraw()
		sc.marks = sc.marks[:0]
		app.Draw(dst)
	})
	return sc, app
}

// inside reports whether b lies in a, but for some pixels.
func (a Rect) inside(b Rect, slack float64) bool {
	return b.X >= a.X-slack && b.Y >= a.Y-slack && b.X+b.W <= a.X+a.W+slack && b.Y+b.H <= a.Y+a.H+slack
}

// meet is the area that two rectangles share.
func (a Rect) meet(b Rect) Rect {
	x, y := max(a.X, b.X), max(a.Y, b.Y)
	return Rect{x, y, max(0, min(a.X+a.W, b.X+b.W)-x), max(0, min(a.Y+a.H, b.Y+b.H)-y)}
}

// ink is about where the letters of a line are.
func (m mark) ink() Rect {
	return Rect{m.rect.X, m.rect.Y + m.rect.H*0.2, m.rect.W, m.rect.H * 0.6}
}

// luminance and contrast are those of WCAG 2.
func luminance(c color.NRGBA) float64 {
	f := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*f(c.R) + 0.7152*f(c.G) + 0.0722*f(c.B)
}

func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// over is the colour that c leaves on a ground.
func over(ground, c color.NRGBA) color.NRGBA {
	m := mix(ground, color.NRGBA{c.R, c.G, c.B, 255}, float64(c.A)/255)
	m.A = 255
	return m
}

// under is the colour below a point before the n-th mark.
func (sc *scan) under(n int, x, y float64) color.NRGBA {
	ground := sc.env.Theme.Ground
	for _, m := range sc.marks[:n] {
		solid := m.text == "" && m.shape.stroke == 0 && m.shape.icon == noIcon && m.shape.pattern == plain && m.shape.relief != shadow
		if solid && m.rect.Has(x, y) {
			ground = over(ground, m.colour)
		}
	}
	return ground
}

// names may be shortened: they are strangers' own words.
var strangers = []string{"Ada", "Grace", "Edsger", "Barbara", "Kitchen table", "Lunch break", "Finals", "You", "Pip", "Grace · P4WZ-88LE", "Edsger · T2GH-Q6RY", "Barbara · B9SN-4JCE"}

func shortenedName(s string) bool {
	at := strings.Index(s, "…")
	for _, name := range strangers {
		for n := range len(name) {
			if stem := strings.TrimSpace(name[:n]); strings.HasSuffix(s[:at], stem) && (stem != "" || at == 0) && strings.TrimSpace(strings.TrimSuffix(s[:at], stem)) == "" {
				return true
			}
		}
	}
	return false
}

// check returns what is wrong with a frame.
func (sc *scan) check(app *App) []string {
	e := sc.env
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	screen := Rect{0, 0, e.W, e.H}
	var s *Screen
	if w, ok := app.Scene().(screened); ok {
		s = w.widgets()
	}
	scrolls := s != nil && s.Scroll != nil && s.Scroll.ContentRect().Dy() > s.Scroll.ViewRect().Dy()
	marks := sc.marks
	// What lies behind a veil is not read.
	from := 0
	for i, m := range marks {
		if m.text == "" && m.tile == nil && m.rect.W >= e.W && m.rect.H >= e.H && m.colour.A > 128 {
			from = i + 1
		}
	}
	for i := from; i < len(marks); i++ {
		m := marks[i]
		if m.tile != nil {
			sc.checkTile(i, from, scrolls, fault)
			continue
		}
		if m.text == "" {
			continue
		}
		if strings.Contains(m.text, "…") && !shortenedName(m.text) {
			fault("%q is cut", m.text)
		}
		if strings.Contains(m.text, "‹") {
			fault("%q is no text", m.text)
		}
		in := m.ink()
		if in.X < -1 || in.X+in.W > e.W+1 || !scrolls && !screen.inside(in, 1) {
			fault("%q lies outside the screen at %v", m.text, m.rect)
		}
		x, y := m.rect.Mid()
		disabled := false
		for _, o := range marks[from:i] {
			if o.tile != nil && o.rect.Has(x, y) {
				disabled = o.tile.GetWidget().Disabled
				if !o.rect.inside(in, 1) {
					fault("%q sticks out of the button %s", m.text, nameOf(o.tile))
				}
			}
		}
		for _, o := range marks[i+1:] {
			common := o.rect.meet(in)
			if o.text != "" {
				common = o.ink().meet(in)
			}
			if common.W < 2 || common.H < 2 {
				continue
			}
			if o.text != "" {
				fault("%q and %q overlap", m.text, o.text)
			} else if o.tile != nil || o.shape.stroke == 0 && o.colour.A > 40 && o.shape.icon == noIcon && o.shape.relief != shadow {
				fault("%q is covered", m.text)
			}
		}
		if ratio := contrast(over(sc.under(i, x, y), m.colour), sc.under(i, x, y)); ratio < 4.5 && !disabled {
			fault("%q has a contrast of %.1f", m.text, ratio)
		}
	}
	return append(faults, sc.checkFocus(s, app)...)
}

func (sc *scan) checkTile(i, from int, scrolls bool, fault func(string, ...any)) {
	e, m := sc.env, sc.marks[i]
	id := nameOf(m.tile)
	if least := e.Px(target) - 1.5; m.rect.W < least || m.rect.H < least {
		fault("the button %s measures %.0f by %.0f", id, m.rect.W, m.rect.H)
	}
	if !scrolls && !(Rect{0, 0, e.W, e.H}).inside(m.rect, 1) {
		fault("the button %s lies outside the screen", id)
	}
	for _, o := range sc.marks[max(from, 0):i] {
		if common := o.rect.meet(m.rect); o.tile != nil && common.W > 1 && common.H > 1 {
			fault("the buttons %s and %s overlap", nameOf(o.tile), id)
		}
	}
}

// checkFocus: in a scene of widgets something has the focus from the start,
// the primary action where there is one, and it is seen.
func (sc *scan) checkFocus(s *Screen, app *App) []string {
	if s == nil || s.ui == nil {
		return nil
	}
	if m, ok := app.Scene().(*match); ok && !m.leaving && !m.view.Paused {
		return nil // the keys are on the board
	}
	if _, ok := app.Scene().(*lesson); ok {
		return nil
	}
	if g, ok := app.Scene().(*solo); ok && g.asking == askNothing {
		return nil // the keys are on the hand and the board
	}
	f := s.ui.GetFocusedWidget()
	if f == nil {
		return []string{"nothing has the focus"}
	}
	r := f.GetWidget().Rect
	if view := image.Rect(0, 0, int(sc.env.W), int(sc.env.H)); !r.In(view) || r.Empty() {
		return []string{"the focus is on " + nameOf(f) + ", out of sight"}
	}
	if _, typing := fieldOf(f); typing {
		return nil
	}
	for _, m := range sc.marks {
		if m.tile != nil && m.tile.kind == Primary && !m.tile.GetWidget().Disabled && m.tile.GetWidget() != f.GetWidget() {
			if t, ok := f.(*tile); ok && t.kind == Primary {
				continue
			}
			return []string{"the focus is on " + nameOf(f) + " and not on " + nameOf(m.tile)}
		}
	}
	return nil
}

// Every scene keeps the rules of the screen at every size, scale, theme and
// language, pair by pair.
func TestScenesKeepTheRules(t *testing.T) {
	defer func() { pen.seen = nil }()
	all := combinations()
	want := *rulesOnly
	seen := map[string]int{}
	for _, s := range shots {
		for _, c := range all {
			if want != "" && want != s.name {
				continue
			}
			sc, app := scanOf(t, s, c)
			for _, f := range slices.Compact(sc.check(app)) {
				seen[f]++
				if seen[f] <= 2 {
					t.Errorf("%s, %v: %s", s.name, c, f)
				}
			}
		}
	}
	t.Logf("%d combinations of %d", len(all), 5*3*4*2)
}
