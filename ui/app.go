package ui

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

// App is the game as Ebitengine runs it: one scene at a time.
type App struct {
	Env      *Env
	scene    Scene
	source   Source
	controls Controls
	quit     bool

	windowW, windowH int // as it was last seen, not in full screen

	rest  rest
	rests bool       // there is a window, that may rest
	beat  *metronome // nil: each Update is a tick

	// Before and After are called in each tick, if they are set: Before when
	// the devices were read, After when the scene has gone on. What stands
	// around a canvas in a browser lives in them.
	Before func(c *Controls)
	After  func()

	// Drawn counts the frames that were really drawn.
	Drawn int

	// Title is the window's own; alert stands before it until the player
	// looks.
	Title string
	alert atomic.Pointer[string]
	shown string // the title as it was last set
}

// Alert tells a player who looks at another window, by this one's title. It
// reports whether there was need to, and may be called from any goroutine.
func (a *App) Alert(text string) bool {
	if text == "" || ebiten.IsFocused() {
		return false
	}
	a.alert.Store(&text)
	return true
}

// entitle keeps the window's title true.
func (a *App) entitle() {
	title := a.Title
	if text := a.alert.Load(); text != nil {
		if ebiten.IsFocused() {
			a.alert.Store(nil)
		} else {
			title = "● " + *text + " · " + a.Title
		}
	}
	if title != a.shown {
		a.shown = title
		ebiten.SetWindowTitle(title)
	}
}

// NewApp returns an App that starts with a scene.
func NewApp(env *Env, first Scene, source Source) *App {
	return &App{Env: env, scene: first, source: source}
}

// Scene is the scene that is shown.
func (a *App) Scene() Scene { return a.scene }

// Update is called by Ebitengine sixty times a second, and less often while
// the game rests.
func (a *App) Update() error {
	e, c := a.Env, &a.controls
	if a.beat != nil {
		e.Now += a.beat.ticks(time.Now())
	} else {
		e.Now++
	}
	if !ebiten.IsFullscreen() {
		a.windowW, a.windowH = ebiten.WindowSize()
	}
	if d, ok := a.source.(*Devices); ok {
		t, typing := a.scene.(typist)
		d.Typing = typing && t.Typing()
	}
	a.source.Poll(c)
	switch {
	case c.Keys || c.Pad:
		e.pointed = false
	case c.Down:
		e.pointed = true
	}
	if a.Title != "" {
		a.entitle()
	}
	if a.Before != nil {
		a.Before(c)
	}
	if c.take(Mute) {
		e.Mute()
	}
	if c.take(Fullscreen) {
		ebiten.SetFullscreen(!ebiten.IsFullscreen())
	}
	if ebiten.IsWindowBeingClosed() {
		if q, ok := a.scene.(closer); !ok || q.Close(e) {
			a.quit = true
		}
	}
	next := a.scene.Update(e, c)
	if next == nil || a.quit {
		return ebiten.Termination
	}
	changed := next != a.scene
	if changed {
		a.scene, e.opened = next, e.Now
		e.Redraw()
	}
	if a.After != nil {
		a.After()
	}
	if a.rests {
		d, ok := a.source.(*Devices)
		a.rest.watch(c.Any || c.Down || e.moving || changed || ok && d.Held(), e.dirty)
	}
	return nil
}

// Draw draws, if anything changed since the last time.
func (a *App) Draw(dst *ebiten.Image) {
	e := a.Env
	if !e.dirty {
		return
	}
	e.dirty = e.moving
	e.moving = false
	a.Drawn++
	dst.Fill(e.Theme.Ground)
	a.scene.Draw(e, dst)
}

// Layout is not used; LayoutF is.
func (a *App) Layout(w, h int) (int, int) { panic("ui: Layout called beside LayoutF") }

// LayoutF makes one pixel of the game one pixel of the screen.
func (a *App) LayoutF(w, h float64) (float64, float64) {
	device := 1.0
	if m := ebiten.Monitor(); m != nil {
		device = m.DeviceScaleFactor()
	}
	w, h = w*device, h*device
	a.Env.Resize(w, h, device)
	return w, h
}

// Run opens a window of a size in design pixels and runs until it is closed.
// It returns the size that the window had then, 0 where there is none.
func Run(a *App, title string, w, h int) (int, int, error) {
	a.Title = title
	ebiten.SetWindowSize(w, h)
	a.entitle()
	if runtime.GOOS != "js" { // a page has its icon, and drawing this one would hold it up
		ebiten.SetWindowIcon(icons())
	}
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetWindowSizeLimits(320, 480, -1, -1)
	ebiten.SetWindowClosingHandled(true)
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetRunnableOnUnfocused(true)
	a.beat = &metronome{}
	if canRest {
		a.rests = true
		stop := make(chan struct{})
		defer close(stop)
		go a.rest.look(stop)
	}
	err := ebiten.RunGame(a)
	return a.windowW, a.windowH, err
}
