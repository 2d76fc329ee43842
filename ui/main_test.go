package ui

import (
	"os"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
)

// loop runs the tests inside the game loop: pixels can be read only there.
type loop struct {
	m    *testing.M
	code int
}

func (l *loop) Update() error            { l.code = l.m.Run(); return ebiten.Termination }
func (*loop) Draw(*ebiten.Image)         {}
func (*loop) Layout(int, int) (int, int) { return 320, 240 }

func TestMain(m *testing.M) {
	l := &loop{m: m}
	ebiten.SetWindowSize(320, 240)
	if err := ebiten.RunGame(l); err != nil {
		panic(err)
	}
	os.Exit(l.code)
}
