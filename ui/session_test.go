package ui

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"image/color"
	"os"
	"strings"
	"testing"
)

// A stage is an app whose frames are looked at as marks, not pixels.
type stage struct {
	app *App
	sc  *scan
}

func newStage(first Scene, src Source, w, h float64) *stage {
	env := NewEnv(DefaultSettings())
	sc := &scan{env: env}
	env.Paint = newPaint()
	env.Paint.seen = func(shape, Rect, color.NRGBA) {}
	env.typed = func(s string, r Rect, style Style, c color.NRGBA) {
		sc.marks = append(sc.marks, mark{text: s, rect: r, style: style, colour: c})
	}
	env.pressed = func(t *tile, r Rect) { sc.marks = append(sc.marks, mark{rect: r, tile: t}) }
	env.Resize(w, h, 1)
	return &stage{app: NewApp(env, first, src), sc: sc}
}

func (s *stage) tick(t *testing.T) {
	t.Helper()
	if err := s.app.Update(); err != nil {
		t.Fatal(err)
	}
	if s.app.Env.dirty {
		s.sc.marks = s.sc.marks[:0]
	}
	w, h := int(s.app.Env.W), int(s.app.Env.H)
	s.app.Draw(canvas(w, h))
	drew(w, h)
}

// tile is the last drawn button of a kind, or with a name, that can be pressed.
func (s *stage) tile(want func(*tile) bool) (Rect, bool) {
	for i := len(s.sc.marks) - 1; i >= 0; i-- {
		if m := s.sc.marks[i]; m.tile != nil && !m.tile.GetWidget().Disabled && want(m.tile) {
			return m.rect, true
		}
	}
	return Rect{}, false
}

func named(id string) func(*tile) bool { return func(t *tile) bool { return nameOf(t) == id } }

// says reports whether a text is on the screen.
func (s *stage) says(id string) bool {
	want := s.app.Env.Say(id, "", 0)
	var all strings.Builder
	for _, m := range s.sc.marks {
		all.WriteString(m.text + " ")
	}
	return strings.Contains(all.String(), want)
}

// follow does what the screen shows: the primary action, or else the one thing
// that it asks for.
func (s *stage) follow(src *Script) {
	click := func(want func(*tile) bool) bool {
		r, ok := s.tile(want)
		if ok {
			src.Click(r.Mid())
		}
		return ok
	}
	if click(func(t *tile) bool { return t.kind == Primary }) {
		return
	}
	m, ok := s.app.Scene().(*match)
	if l, lesson := s.app.Scene().(*lesson); lesson {
		m, ok = l.table, true
	}
	if !ok {
		return
	}
	switch {
	case s.says("split.start") || s.says("learn.split"):
		click(named("match.other_split"))
	case s.says("place.turn"):
		click(named("match.turn"))
	case s.says("learn.line") || s.says("learn.two"):
		click(named("match.hint"))
	case s.says("place.task") || s.says("learn.place"):
		// Anywhere on one's own board; a place that is near is taken.
		n := int(s.app.Env.Now) / 4 % 36
		src.Click(cellOf(m.place.mine, 6, n).Mid())
	case len(m.view.State.Parts()) == 2 && m.step.taken == 0 && m.place.cards[0].W > 0:
		src.Click(m.place.cards[1].Mid())
	}
}

// Whoever reads nothing but the screen gets from the first start to the end of
// a match.
func TestFromFirstStartToTheEndByWhatTheScreenShows(t *testing.T) {
	for _, size := range [][2]float64{{360, 640}, {1280, 800}} {
		w := newFakeWorld()
		w.fresh, w.name = true, ""
		src := &Script{}
		s := newStage(Start(w), src, size[0], size[1])
		scenes := map[string]bool{}
		for tick := 0; ; tick++ {
			if tick > 8000 {
				t.Fatalf("%v: stuck in %T: %v", size, s.app.Scene(), s.texts())
			}
			s.tick(t)
			scenes[fmt.Sprintf("%T", s.app.Scene())] = true
			if _, over := s.app.Scene().(*result); over {
				break
			}
			if len(src.Steps) == 0 && tick%4 == 3 {
				s.follow(src)
			}
		}
		if len(scenes) != 5 {
			t.Errorf("it came by %v", scenes)
		}
	}
}

func (s *stage) texts() []string {
	var all []string
	for _, m := range s.sc.marks {
		if m.text != "" {
			all = append(all, m.text)
		}
	}
	return all
}

// digest is what a session is compared by: where one is, and what is so there.
func (s *stage) digest() string {
	h := fnv.New32a()
	fmt.Fprintf(h, "%T", s.app.Scene())
	var m *match
	switch scene := s.app.Scene().(type) {
	case *match:
		m = scene
	case *lesson:
		m = scene.table
		fmt.Fprint(h, scene.number, scene.done)
	case *result:
		d := scene.view.State.Digest()
		h.Write(d[:])
	}
	if m != nil {
		d := m.view.State.Digest()
		h.Write(d[:])
		fmt.Fprint(h, m.step.kind, m.step.paint, m.step.taken, m.step.turn, m.step.ghost, m.step.sent)
	}
	if w, ok := s.app.Scene().(screened); ok {
		fmt.Fprint(h, w.widgets().Focused())
	}
	set, _ := json.Marshal(s.app.Env.Settings)
	h.Write(set)
	return fmt.Sprintf("%08x", h.Sum32())
}

// A session is what a player did, as it was recorded, and what came of it.
type session struct {
	Steps   []held
	Every   int      // ticks between two digests
	Digests []string // the first after Every ticks
}

// held is a step that was the same for some ticks.
type held struct {
	N int `json:"n"`
	Step
}

const sessionFile = "testdata/session.json"

// tour is what a new player does on the first evening: a name is skipped, the
// tutorial played, a match against the computer, and every setting tried.
func tour(t *testing.T) session {
	w := newFakeWorld()
	w.fresh, w.name = true, ""
	src := &Script{}
	s := newStage(Start(w), src, 1280, 800)
	rec := session{Every: 30}
	phase, at := 0, []string{"title.learn", "learn.begin", "", "title.settings",
		"settings.theme/1", "settings.colour_blind", "settings.less_motion", "settings.left_handed", "settings.confirm",
		"settings.music/0", "settings.effects/3", "settings.warnings", "settings.text/2", "back", "title.practice"}
	for tick := 0; phase < len(at); tick++ {
		if tick > 12000 {
			t.Fatalf("the tour is stuck at %q in %T: %v", at[phase], s.app.Scene(), s.texts())
		}
		if len(src.Steps) == 0 && tick%6 == 5 {
			switch s.app.Scene().(type) {
			case *welcome, *lesson, *match, *practice:
				s.follow(src)
			case *result:
				src.Press(Back)
				phase = 3
			default:
				if r, ok := s.tile(named(at[phase])); ok {
					src.Click(r.Mid())
					phase++
				}
			}
		}
		step := Step{X: src.prev.X, Y: src.prev.Y}
		if len(src.Steps) > 0 {
			step = src.Steps[0]
		}
		if n := len(rec.Steps); n > 0 && fmt.Sprint(rec.Steps[n-1].Step) == fmt.Sprint(step) {
			rec.Steps[n-1].N++
		} else {
			rec.Steps = append(rec.Steps, held{1, step})
		}
		s.tick(t)
		if (tick+1)%rec.Every == 0 {
			rec.Digests = append(rec.Digests, s.digest())
		}
	}
	return rec
}

// A recorded session leads to what it led to when it was recorded.
func TestRecordedSession(t *testing.T) {
	if *update {
		out, err := json.Marshal(tour(t))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(sessionFile, append(out, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(sessionFile)
	if err != nil {
		t.Fatal(err)
	}
	var rec session
	if err := json.Unmarshal(file, &rec); err != nil {
		t.Fatal(err)
	}
	src := &Script{}
	for _, h := range rec.Steps {
		for range h.N {
			src.Steps = append(src.Steps, h.Step)
		}
	}
	w := newFakeWorld()
	w.fresh, w.name = true, ""
	s := newStage(Start(w), src, 1280, 800)
	seen := map[string]bool{}
	for tick := 1; len(src.Steps) > 0; tick++ {
		s.tick(t)
		seen[fmt.Sprintf("%T", s.app.Scene())] = true
		if tick%rec.Every == 0 {
			if n := tick/rec.Every - 1; n < len(rec.Digests) && s.digest() != rec.Digests[n] {
				t.Fatalf("after %d ticks, in %T, it is not as it was recorded", tick, s.app.Scene())
			}
		}
	}
	for _, scene := range []string{"*ui.welcome", "*ui.title", "*ui.learn", "*ui.lesson", "*ui.practice", "*ui.match", "*ui.result", "*ui.settings"} {
		if !seen[scene] {
			t.Errorf("the session does not come by %s", scene)
		}
	}
}
