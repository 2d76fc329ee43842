package ui

import (
	"strings"
	"testing"

	"github.com/cleavegame/cleave/engine"
)

// mirrored starts an app without devices, and lets it be.
func mirroredApp(first Scene) (*App, func(ticks int)) {
	env := NewEnv(DefaultSettings())
	env.Resize(360, 640, 1)
	a := NewApp(env, first, &Script{})
	img := canvas(360, 640)
	return a, func(ticks int) {
		for range ticks {
			if err := a.Update(); err != nil {
				panic(err)
			}
			a.Draw(img)
			drew(360, 640)
		}
	}
}

func (m Mirror) part(t *testing.T, id string) MirrorPart {
	t.Helper()
	for _, p := range m.Parts {
		if p.ID == id {
			return p
		}
	}
	t.Fatalf("there is no %s in %+v", id, m)
	return MirrorPart{}
}

// A match can be played to its end by what the mirror says and takes alone.
func TestAMatchIsPlayedByTheMirror(t *testing.T) {
	v := newVersus(3)
	a, run := mirroredApp(newMatch(newFakeWorld(), v))
	run(2)
	said := map[string]bool{}
	for range 600 {
		m := a.Mirror()
		if m.Scene == "result" {
			break
		}
		if m.Heading == "" || m.Said == "" && !v.view.State.Over() || len(m.Lines) < 3 {
			t.Fatalf("it says too little: %+v", m)
		}
		said[strings.SplitN(m.Said, ":", 2)[0]] = true
		press := ""
		switch v.view.State.MayDecide(v.view.Me) {
		case engine.Split:
			press = "match.other_split"
			if !m.part(t, "match.confirm_split").Disabled {
				press = "match.confirm_split"
			}
		case engine.Choose:
			press = "mirror.smaller"
			if m.part(t, press).Chosen {
				press = "match.confirm_choice"
			}
		case engine.Place:
			press = "mirror.somewhere"
			if !m.part(t, "match.confirm_place").Disabled {
				press = "match.confirm_place"
			}
		}
		if press != "" && !a.Press(press) {
			t.Fatalf("%s cannot be pressed in %+v", press, m)
		}
		run(2)
	}
	run(400) // what was placed last is shown to its end
	if m := a.Mirror(); m.Scene != "result" || m.Heading == "" {
		t.Errorf("in the end it says %+v", m)
	}
}

func TestTheGhostIsMovedByTheMirror(t *testing.T) {
	a, run := mirroredApp(newMatch(newFakeWorld(), played(mine(engine.Place, 3))))
	run(2)
	seen := map[engine.Board]bool{}
	for _, id := range []string{"mirror.somewhere", "mirror.right", "mirror.down", "match.turn", "mirror.left", "mirror.up"} {
		if !a.Press(id) {
			t.Fatalf("%s cannot be pressed", id)
		}
		run(1)
		seen[a.Scene().(*match).step.ghost] = true
		if said := a.Mirror().Said; !strings.Contains(said, "row ") {
			t.Errorf("after %s it says %q", id, said)
		}
	}
	if len(seen) < 3 || seen[0] {
		t.Errorf("the piece was at %d places", len(seen))
	}
	if a.Press("mirror.smaller") {
		t.Error("what belongs to another step was pressed")
	}
}

func TestFieldsAreMirroredAndWritten(t *testing.T) {
	w := newFakeWorld()
	w.fresh = true
	a, run := mirroredApp(Start(w))
	run(2)
	f := a.Mirror().part(t, "welcome.name")
	if !f.Field || f.Label == "" || !f.Shown || f.Rect.W < 200 || f.Rect.H < target {
		t.Errorf("the field is %+v", f)
	}
	a.Write("welcome.name", "Zoë", false)
	run(1)
	if f := a.Mirror().part(t, "welcome.name"); f.Value != "Zoë" {
		t.Errorf("it holds %q", f.Value)
	}
	a.Write("welcome.name", "Zoë", true)
	run(2)
	if w.name != "Zoë" || a.Mirror().Scene != "title" {
		t.Errorf("the name is %q, the scene %q", w.name, a.Mirror().Scene)
	}
	a.Write("welcome.name", "nobody", true) // is not there any more
	if a.Press("welcome.begin") {
		t.Error("a button of the scene before was pressed")
	}
}

func TestALinkGoesToItsRoom(t *testing.T) {
	w := newFakeWorld()
	w.fresh = true
	w.room.Phase = "meeting"
	a, run := mirroredApp(Visit(w, "https://example.org/#code"))
	run(2)
	if !a.Press("welcome.skip") {
		t.Fatal("the name was not asked for")
	}
	run(3)
	if s := a.Mirror().Scene; s != "waiting" {
		t.Errorf("the scene is %q", s)
	}
}
