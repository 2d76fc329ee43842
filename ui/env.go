package ui

import (
	"image/color"
	"math"
)

// Env is what every scene is given: the size, the look, the language.
type Env struct {
	W, H     float64 // the screen in physical pixels
	Settings Settings
	Theme    Theme
	Type     *Type
	Paint    *Paint
	Sound    *Sound // nil: silent
	// Now counts ticks of a sixtieth of a second, for animation only.
	Now int64

	texts  *Texts
	looks  [kinds]look
	said   map[saying]string
	scale  float64 // physical pixels per design pixel
	device float64 // what the system asks for
	// typed and pressed are told of texts and of buttons that are drawn,
	// where a test listens.
	typed   func(s string, r Rect, style Style, c color.NRGBA)
	pressed func(t *tile, r Rect)
	muted   bool

	opened int64 // the tick at which the scene began

	version int  // grows when everything has to be laid out again
	dirty   bool // something has to be drawn
	moving  bool // something is moving: draw the next tick too

	// narrow is the widest that the column of the page that is being built may
	// be, 0 for as wide as it likes.
	narrow float64
	// pointed says that the player pointed last, and did not use keys or a pad.
	pointed bool

	hints map[string]string // what a text field is for, by its name
}

// NewEnv returns an environment for the settings; Resize gives it its size.
func NewEnv(s Settings) *Env {
	e := &Env{Paint: newPaint(), device: 1, hints: map[string]string{}}
	e.Apply(s)
	return e
}

// Apply makes new settings take effect.
func (e *Env) Apply(s Settings) {
	if s.TextPercent < 100 || s.TextPercent > 200 {
		s.TextPercent = 100
	}
	if e.texts == nil || s.Language != e.Settings.Language {
		e.texts = NewTexts(s.Language)
	}
	e.Settings = s
	e.Theme = s.theme()
	e.music()
	e.relayout()
}

// Resize tells the size of the screen, and the scale that the system asks for.
func (e *Env) Resize(w, h, device float64) {
	if w == e.W && h == e.H && device == e.device {
		return
	}
	e.W, e.H, e.device = w, h, device
	e.relayout()
}

// scaleFor is the one scale factor: what the system asks for, and more on a
// screen so large that a board of 800 design pixels would look lost on it.
func scaleFor(w, h, device float64) float64 {
	return max(device, math.Floor(min(w, h)/800*4)/4)
}

func (e *Env) relayout() {
	e.scale = scaleFor(e.W, e.H, e.device)
	e.Type = newType(e.scale * e.textScale())
	e.looks = [kinds]look{}
	e.said = map[saying]string{}
	e.Type.seen = e.typed
	e.version++
	e.Redraw()
}

func (e *Env) textScale() float64 { return float64(e.Settings.TextPercent) / 100 }

// Px turns design pixels into physical ones.
func (e *Env) Px(design float64) float64 { return design * e.scale }

// T returns a text; see Texts.T.
func (e *Env) T(id string, vars ...Vars) string { return e.texts.T(id, vars...) }

// A saying is a text with a name and a number in it.
type saying struct {
	id, name string
	n        int
}

// scored are the variables of a text with points in it: {{.N}}, of which there
// may be one or several, and {{.Points}}, as they are written.
func scored(points int) Vars { return Vars{"N": points, "Points": number(points)} }

// Say is T for a text with one name and one number, {{.Name}} and {{.N}}. It
// remembers what it said: a scene that says the same in each frame makes no
// garbage.
func (e *Env) Say(id, name string, n int) string {
	key := saying{id, name, n}
	s, ok := e.said[key]
	if !ok {
		if len(e.said) > 1000 {
			e.said = map[saying]string{}
		}
		s = e.texts.T(id, Vars{"Name": name, "N": n, "Points": number(n)})
		e.said[key] = s
	}
	return s
}

// Play plays a sound at the volume of the settings.
func (e *Env) Play(f Effect) {
	if !e.muted && (f != SoundTick || e.Settings.Warnings) {
		e.Sound.Play(f, e.Settings.Effects)
	}
}

// Mute silences everything until it is called again; the settings stay.
func (e *Env) Mute() {
	e.muted = !e.muted
	e.music()
}

func (e *Env) music() {
	if e.muted {
		e.Sound.Music(0)
		return
	}
	e.Sound.Music(e.Settings.Music)
}

// Redraw asks for the screen to be drawn. Without it nothing is drawn: a
// screen on which nothing changes costs nothing.
func (e *Env) Redraw() { e.dirty = true }

// Moving asks for another frame after this one.
func (e *Env) Moving() { e.moving = true; e.dirty = true }

// openTicks is how long a scene takes to open, 250 ms.
const openTicks = 15

// Opening is how far the scene has opened, 0 to 1; a scene that shows it asks
// for further frames by it.
func (e *Env) Opening() float64 {
	age := e.Now - e.opened
	if e.Settings.LessMotion || age >= openTicks {
		return 1
	}
	e.Moving()
	return ease(float64(age) / openTicks)
}

// ease lets what moves arrive gently; t goes from 0 to 1.
func ease(t float64) float64 {
	t = 1 - min(max(t, 0), 1)
	return 1 - t*t*t
}

// Wide says that two columns have room side by side.
func (e *Env) Wide() bool {
	return !e.Portrait() && e.W >= e.Px(2*measure)*max(1, e.textScale()*0.8) && e.H >= e.Px(560)*max(1, e.textScale()*0.8)
}

// Portrait says that the screen is higher than wide.
func (e *Env) Portrait() bool { return e.H > e.W }
