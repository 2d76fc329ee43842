package ui

import (
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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
func (s *still) Claim()               { s.view.Claiming = true }
func (s *still) CallOff()             { s.view.Stopped = "called_off" }

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

// A shot is one scene as a player may meet it.
type shot struct {
	name  string
	scene func(w *fakeWorld) Scene
	// before is called after the first tick, to bring the scene to where it
	// is to be seen.
	before func(e *Env, s Scene)
	ticks  int // 3 unless set
}

func matchShot(name string, stop func(duel.State) bool, view func(v *View), before func(e *Env, m *match)) shot {
	return shot{name: name,
		scene: func(w *fakeWorld) Scene {
			s := played(stop)
			if view != nil {
				view(&s.view)
			}
			return newMatch(w, s)
		},
		before: func(e *Env, s Scene) {
			if before != nil {
				before(e, s.(*match))
			}
		}}
}

func clocked(left int64) func(v *View) {
	return func(v *View) {
		v.Friendly = false
		limit := int64(12000)
		for seat := range 2 {
			if v.State.MayDecide(seat) != engine.None {
				v.Clock[seat] = Clock{Running: true, LeftMs: left, LimitMs: limit}
			}
		}
	}
}

func lineable(s duel.State) bool {
	return mine(engine.Place, 3)(s) && most(s) >= 2
}

// blockedChoice is a choice of which one piece fits nowhere.
func blockedChoice(s duel.State) bool {
	if !mine(engine.Choose, 3)(s) {
		return false
	}
	_, _, a := bestSpot(s.Board(0), s.Parts()[0])
	_, _, b := bestSpot(s.Board(0), s.Parts()[1])
	return a != b
}

// unturned is a placement that fits nowhere as the piece lies at first.
func unturned(s duel.State) bool {
	return mine(engine.Place, 3)(s) && s.Piece(0).Fits(s.Board(0), duel.Size) == 0
}

var shots = []shot{
	{name: "title", scene: func(w *fakeWorld) Scene { return newTitle(w) }, ticks: 20},
	{name: "title-resume", scene: func(w *fakeWorld) Scene { w.unfinished = true; return newTitle(w) }, ticks: 20},
	{name: "welcome", scene: func(w *fakeWorld) Scene { w.fresh = true; return Start(w) }, ticks: 20},
	{name: "practice", scene: func(w *fakeWorld) Scene { return newPractice(w) }},
	{name: "pair", scene: func(w *fakeWorld) Scene { return newHotseat(w) }},
	{name: "lan", scene: func(w *fakeWorld) Scene { return newLobby(w, "lan") }},
	{name: "lan-empty", scene: func(w *fakeWorld) Scene { w.lan = Earshot{}; return newLobby(w, "lan") }},
	{name: "lan-locked", scene: func(w *fakeWorld) Scene { l := newLobby(w, "lan"); l.locked = w.lan.Rooms[1]; return l }},
	{name: "server", scene: func(w *fakeWorld) Scene { return newLobby(w, "server") }},
	{name: "server-none", scene: func(w *fakeWorld) Scene {
		w.server, w.list = "", Earshot{Trouble: Notice{ID: "problem.no_server"}}
		return newLobby(w, "server")
	}},
	{name: "servers", scene: func(w *fakeWorld) Scene {
		return newServers(w, func() Scene { return newTitle(w) })
	}},
	{name: "create", scene: func(w *fakeWorld) Scene { return newCreate(w, "server") }},
	{name: "waiting-code", scene: func(w *fakeWorld) Scene {
		w.room = Waiting{Host: true, Name: "Ada", Code: "7-maple-orbit", Link: "https://cleave.example/#7-maple-orbit", Phase: "waiting", Clocks: "standard"}
		t, _ := w.Host(RoomChoice{})
		return newWaiting(w, t)
	}},
	{name: "waiting-lan", scene: func(w *fakeWorld) Scene {
		w.room = Waiting{Host: true, Name: "Kitchen table", Address: "192.168.1.20:4000", Phase: "waiting", Clocks: "standard"}
		t, _ := w.Host(RoomChoice{})
		return newWaiting(w, t)
	}},
	{name: "waiting-room", scene: func(w *fakeWorld) Scene { t, _ := w.Host(RoomChoice{}); return newWaiting(w, t) }},
	{name: "waiting-guest", scene: func(w *fakeWorld) Scene {
		w.room.Host, w.room.Ready, w.room.Bars, w.room.Path = false, [2]bool{false, true}, 2, "relay"
		w.room.Counts = []Notice{{ID: "reason.1"}}
		t, _ := w.Host(RoomChoice{})
		return newWaiting(w, t)
	}},
	{name: "waiting-failed", scene: func(w *fakeWorld) Scene {
		w.room = Waiting{Phase: "ended", Failure: Notice{ID: "failure.code_expired"}}
		t, _ := w.Host(RoomChoice{})
		return newWaiting(w, t)
	}},
	matchShot("match-split", mine(engine.Split, 4), clocked(7300), nil),
	matchShot("match-painted", mine(engine.Split, 3), clocked(7300), func(e *Env, m *match) { m.cycleSplit(1) }),
	matchShot("match-painting", theirs(engine.Split, 4), clocked(9200), func(e *Env, m *match) {
		masks, _ := m.view.State.Block().Splits()
		m.seat.(*still).view.Peer.Part = masks[0] & (masks[0] - 1)
	}),
	matchShot("match-choose", mine(engine.Choose, 5), nil, nil),
	matchShot("match-blocked", blockedChoice, clocked(2400), func(e *Env, m *match) { m.step.hover, m.step.taken = 1, 1 }),
	matchShot("match-choosing", theirs(engine.Choose, 5), clocked(4400), func(e *Env, m *match) { m.seat.(*still).view.Peer.Hover = 2 }),
	matchShot("match-place", mine(engine.Place, 5), clocked(7300), nil),
	matchShot("match-unturned", unturned, clocked(7300), nil),
	matchShot("match-lines", lineable, nil, func(e *Env, m *match) {
		s := m.view.State
		spot, _, _ := bestSpot(s.Board(0), s.Piece(0))
		for m.step.ghost != spot && m.step.turn < 4 {
			if at := spot &^ (spot - 1); at != 0 {
				r, c := corner0(spot)
				if m.piece().At(r, c) == spot {
					m.step.ghost, m.step.pinned = spot, true
					return
				}
			}
			m.step.turn++
		}
	}),
	matchShot("match-hint", mine(engine.Place, 5), nil, func(e *Env, m *match) { m.advise(e) }),
	matchShot("match-placing", theirs(engine.Place, 3), clocked(6100), func(e *Env, m *match) {
		spot, _, _ := bestSpot(m.view.State.Board(1), m.view.State.Piece(1))
		m.seat.(*still).view.Peer.Ghost = spot
	}),
	matchShot("match-begin", func(s duel.State) bool {
		return s.Round() == 1 && s.Awaits() == engine.Split
	}, clocked(11300),
		func(e *Env, m *match) { m.seen = 0 }),
	matchShot("match-cleared", mine(engine.Split, 4), clocked(11300), func(e *Env, m *match) { m.seen = len(m.view.Moves) - 4 }),
	matchShot("match-offline", theirs(engine.Split, 3), func(v *View) { v.Link, v.GoneMs = LinkOffline, 12400 }, nil),
	matchShot("match-claim", theirs(engine.Split, 3), func(v *View) { v.Link, v.GoneMs, v.ClaimDue = LinkOffline, 42400, true }, nil),
	matchShot("match-leave", mine(engine.Split, 3), clocked(7300), func(e *Env, m *match) { m.Close(e) }),
	matchShot("match-paused", mine(engine.Place, 3), func(v *View) { v.CanPause, v.Paused = true, true }, nil),
	{name: "result-won", scene: func(w *fakeWorld) Scene {
		s := played(func(s duel.State) bool { return s.Over() && s.Outcome().Winner == 0 })
		s.view.Verdict = Notice{ID: "verdict.moved", N: 1512, M: 1524}
		w.played[0].ID = fmt.Sprintf("%x", s.view.State.Match())
		return newResult(w, s)
	}, ticks: 20},
	{name: "result-stopped", scene: func(w *fakeWorld) Scene {
		s := played(theirs(engine.Split, 3))
		s.view.Stopped = "they_left"
		return newResult(w, s)
	}, ticks: 20},
	{name: "result-lost", scene: func(w *fakeWorld) Scene {
		s := played(func(s duel.State) bool { return s.Over() && s.Outcome().Winner == 1 })
		s.view.Verdict, s.view.Rematch[1] = Notice{ID: "verdict.waiting"}, true
		return newResult(w, s)
	}, ticks: 20},
	{name: "history", scene: func(w *fakeWorld) Scene { return newHistory(w) }},
	{name: "history-empty", scene: func(w *fakeWorld) Scene { w.played = nil; return newHistory(w) }},
	{name: "replay", scene: replayShot, before: func(e *Env, s Scene) { r := s.(*replay); r.show(12); r.show(r.stop(1)) }},
	{name: "replay-note", scene: replayShot, before: func(e *Env, s Scene) { r := s.(*replay); r.show(r.notes[1].Move) }},
	{name: "replay-proofs", scene: replayShot, before: func(e *Env, s Scene) { r := s.(*replay); r.proofs = true; r.screen.Stale() }},
	{name: "learn", scene: func(w *fakeWorld) Scene { return newLearn(w) }},
	{name: "lesson-1", scene: func(w *fakeWorld) Scene { return newLesson(w, 0) }},
	{name: "lesson-5", scene: func(w *fakeWorld) Scene { return newLesson(w, 4) }},
	{name: "lesson-done", scene: func(w *fakeWorld) Scene { return newLesson(w, 0) }, ticks: 60, before: func(e *Env, s Scene) { t := s.(*lesson).table; t.cycleSplit(1); t.confirm() }},
	{name: "account", scene: func(w *fakeWorld) Scene { return newAccount(w) }},
	{name: "account-words", scene: func(w *fakeWorld) Scene { a := newAccount(w); a.words, _ = w.Words(); return a }},
	{name: "adopt", scene: func(w *fakeWorld) Scene { return newAdopt(w, func() Scene { return newAccount(w) }) }},
	{name: "adopt-found", scene: func(w *fakeWorld) Scene { return newAdopt(w, func() Scene { return newAccount(w) }) }, before: func(e *Env, s Scene) {
		a := s.(*adopt)
		a.from = strings.Repeat("absent ", 24)
		a.look()
	}},
	{name: "settings", scene: func(w *fakeWorld) Scene { return newSettings(w) }},
	{name: "ladder", scene: func(w *fakeWorld) Scene {
		w.outbox = []Notice{{ID: "outbox.log", Name: "cleave.example", N: 3}}
		return newLadder(w)
	}},
	{name: "ladder-unplaced", scene: func(w *fakeWorld) Scene {
		w.standing.Placements, w.standing.Table = 3, nil
		return newLadder(w)
	}},
	{name: "licences", scene: func(w *fakeWorld) Scene { return newLicences(w) }},
}

func replayShot(w *fakeWorld) Scene {
	r, _ := w.Replay("match0")
	return newReplay(w, "match0", r, func() Scene { return newHistory(w) })
}

// canvases are the images that pictures are drawn on, one for each size.
var canvases = map[image.Point]*ebiten.Image{}

func canvas(w, h int) *ebiten.Image {
	at := image.Pt(w, h)
	if canvases[at] == nil {
		canvases[at] = ebiten.NewImage(w, h)
	}
	return canvases[at]
}

// brush is the Paint of all pictures, so that a shape is drawn once for many.
var brush = newPaint()

// take brings a scene to where it is to be seen, and draws it.
func (s shot) take(t *testing.T, w, h int, set Settings) (*App, *ebiten.Image) {
	t.Helper()
	drew(w, h)
	world := newFakeWorld()
	world.set = set
	env := NewEnv(set)
	env.Paint = brush
	env.Resize(float64(w), float64(h), 1)
	dst := canvas(w, h)
	app := s.reach(t, env, world, func(*App) {})
	env.Redraw()
	app.Draw(dst)
	return app, dst
}

// reach brings a scene to where it is to be seen; each is called in each tick.
func (s shot) reach(t *testing.T, env *Env, world *fakeWorld, each func(*App)) *App {
	t.Helper()
	scene := s.scene(world)
	app := NewApp(env, scene, &Script{})
	for i := range max(s.ticks, 3) {
		if err := app.Update(); err != nil {
			t.Fatal(err)
		}
		if i == 0 && s.before != nil {
			s.before(env, scene)
		}
		each(app)
	}
	return app
}

func pixels(dst *ebiten.Image) *image.RGBA {
	img := image.NewRGBA(dst.Bounds())
	dst.ReadPixels(img.Pix)
	return img
}

func writePicture(t *testing.T, name string, img image.Image) {
	t.Helper()
	f, err := os.Create(filepath.Join(*pictures, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
}

var (
	rulesOnly = flag.String("scene", "", "check the rules of one scene alone, in all combinations")
	only      = flag.String("shots", "", "a regular expression: the scenes to write")
	sizes     = flag.String("sizes", "360x640,1280x800", "the sizes to write")
	looks     = flag.String("looks", "light,dark", "light, dark, contrast, blind, large or pseudo")
)

// TestWritePictures writes pictures of the scenes to look at, if it is told
// where to.
func TestWritePictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("no folder given")
	}
	want := regexp.MustCompile(*only)
	for size := range strings.SplitSeq(*sizes, ",") {
		var w, h int
		if _, err := fmt.Sscanf(size, "%dx%d", &w, &h); err != nil {
			t.Fatal(err)
		}
		for look := range strings.SplitSeq(*looks, ",") {
			set := DefaultSettings()
			switch look {
			case "blind":
				set.ColourBlind = true
			case "large":
				set.TextPercent = 200
			case "pseudo":
				set.Language = Pseudo
			default:
				set.Theme = look
			}
			for _, s := range shots {
				if want.MatchString(s.name) {
					_, dst := s.take(t, w, h, set)
					writePicture(t, s.name+"-"+look+"-"+size, pixels(dst))
				}
			}
		}
	}
}
