package ui

import (
	"os"
	"runtime"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
)

// loop runs the tests inside the game loop: pixels can be read only there. The
// tests have a goroutine of their own, which goes on while an Update waits for
// it, so that frames can end between them.
type loop struct {
	goOn chan struct{} // a frame has begun
	rest chan struct{} // the tests are done with it
	over chan int      // the tests have ended, with this code
	code int

	pixels int // that were drawn within the frame
}

var game = &loop{goOn: make(chan struct{}), rest: make(chan struct{}), over: make(chan int)}

func (l *loop) Update() error {
	l.goOn <- struct{}{}
	select {
	case <-l.rest:
		return nil
	case l.code = <-l.over:
		return ebiten.Termination
	}
}

func (*loop) Draw(*ebiten.Image)         {}
func (*loop) Layout(int, int) (int, int) { return 320, 240 }

// nextFrame ends the frame and waits for the next. What was drawn is drawn
// then, and what was deallocated or collected is freed: within one frame
// neither is. It is not for bubbles.
func nextFrame() {
	game.rest <- struct{}{}
	<-game.goOn
}

// drew is called by a test that has drawn a picture of w by h pixels. It ends
// the frame once that has come to much.
func drew(w, h int) {
	if game.pixels += w * h; game.pixels > 4<<20 {
		game.pixels = 0
		runtime.GC() // pictures weigh nothing in what the collector looks at
		nextFrame()
	}
}

func TestMain(m *testing.M) {
	ebiten.SetWindowSize(320, 240)
	ebiten.SetTPS(ebiten.SyncWithFPS) // one Update in each frame
	ebiten.SetVsyncEnabled(false)
	go func() {
		<-game.goOn
		game.over <- m.Run()
	}()
	if err := ebiten.RunGame(game); err != nil {
		panic(err)
	}
	os.Exit(game.code)
}
