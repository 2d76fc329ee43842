package ui

import "github.com/hajimehoshi/ebiten/v2"

// A Scene is what the screen shows at one time.
type Scene interface {
	// Update advances by one tick and returns the scene to go on with:
	// itself, or another.
	Update(e *Env, c *Controls) Scene
	// Draw draws the whole screen. It changes nothing.
	Draw(e *Env, dst *ebiten.Image)
}

// A typist is a scene that may be taking text, so that letters are no keys.
type typist interface{ Typing() bool }

// A closer is a scene that has something to say before the window closes.
type closer interface {
	// Close reports whether the window may close now.
	Close(e *Env) bool
}
