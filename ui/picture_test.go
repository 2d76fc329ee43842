package ui

import (
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

var pictures = flag.String("pictures", "", "a folder to write each picture to")

// still is a Seat at which nothing happens.
type still struct{ view View }

func (s *still) View() View           { return s.view }
func (s *still) Decide(m engine.Move) { s.apply(m) }
func (s *still) Preview(Preview)      {}
func (s *still) Resign()              {}
func (s *still) Rematch()             { s.view.Rematch[s.view.Me] = true }
func (s *still) Pause(on bool)        { s.view.Paused = on }
func (s *still) Leave()               {}

func (s *still) apply(m engine.Move) {
	next, _, err := duel.Apply(s.view.State, m)
	if err != nil {
		panic(err)
	}
	s.view.State = next
	s.view.Moves = append(s.view.Moves, m)
}

// midway returns a seat in a match in which n decisions were made, each the
// first that is legal.
func midway(n int) *still {
	s := &still{view: View{State: duel.New([32]byte{7}), Names: [2]string{"Ada", "Grace"}, Friendly: true}}
	for done := 0; !s.view.State.Over(); {
		st := s.view.State
		m := engine.Move{Seat: uint8(st.Owes()), Kind: st.Awaits()}
		switch m.Kind {
		case engine.Reveal:
			m.Layer = [32]byte{byte(len(s.view.Moves)), 3}
		case engine.Split:
			masks, k := st.Block().Splits()
			m.Data = uint64(masks[done%k])
		case engine.Choose:
			m.Data = uint64(done % 2)
		case engine.Place:
			spot, _, _ := bestSpot(st.Board(st.Owes()), st.Piece(st.Owes()))
			m.Data = uint64(spot)
		}
		if m.Kind != engine.Reveal {
			if done == n {
				break
			}
			done++
		}
		s.apply(m)
	}
	return s
}

// draw shows a scene for some ticks at a size and returns the picture.
func draw(t *testing.T, name string, w, h int, set Settings, scene Scene, src Source, ticks int) *image.RGBA {
	t.Helper()
	env := NewEnv(set)
	env.Resize(float64(w), float64(h), 1)
	app := NewApp(env, scene, src)
	dst := ebiten.NewImage(w, h)
	for range ticks {
		if err := app.Update(); err != nil {
			t.Fatal(err)
		}
		app.Draw(dst)
	}
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	dst.ReadPixels(img.Pix)
	dst.Deallocate()
	if *pictures != "" {
		f, err := os.Create(filepath.Join(*pictures, name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := png.Encode(f, img); err != nil {
			t.Fatal(err)
		}
	}
	return img
}

func TestPictures(t *testing.T) {
	var world World
	set := DefaultSettings()
	dark := set
	dark.Theme = "dark"
	for _, size := range [][2]int{{360, 640}, {1280, 800}} {
		for _, s := range []Settings{set, dark} {
			tag := s.Theme + "-" + map[bool]string{true: "phone", false: "desktop"}[size[0] == 360]
			draw(t, "title-"+tag, size[0], size[1], s, newTitle(world), &Script{}, 4)
			draw(t, "practice-"+tag, size[0], size[1], s, newPractice(world), &Script{}, 4)
			for n := 20; n < 28; n++ {
				seat := midway(n)
				sc := &Script{}
				seat.view.Me = 0
				seat.view.Clock[0] = Clock{Running: true, LeftMs: 7300, LimitMs: 12000}
				m := newMatch(world, seat)
				draw(t, "match-"+string(rune('a'+n-20))+"-"+tag, size[0], size[1], s, m, sc, 4)
			}
		}
	}
}
