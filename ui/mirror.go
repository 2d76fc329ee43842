package ui

import (
	"github.com/ebitenui/ebitenui/widget"

	"github.com/cleavegame/cleave/engine"
)

// A Mirror is what a scene shows, in words: for a screen reader, which sees
// nothing of a canvas, and for the real text fields that a page lays over it.
// The page of a browser follows it; a window does not use it.
type Mirror struct {
	Scene string `json:"scene"` // "title", "waiting", "match", "result", "solo", "solo_result" or "menu"
	// Heading says where one is; Said what has just changed, to be read out.
	Heading string   `json:"heading"`
	Said    string   `json:"said"`
	Lines   []string `json:"lines"`
	// Parts can be pressed or written in, in the order of the screen.
	Parts []MirrorPart `json:"parts"`
}

// A MirrorPart is something that can be pressed, or written in.
type MirrorPart struct {
	ID       string `json:"id"` // for App.Press and App.Write
	Label    string `json:"label"`
	Disabled bool   `json:"disabled,omitempty"`
	Chosen   bool   `json:"chosen,omitempty"` // it is the chosen one of several
	Rect     Rect   `json:"rect"`             // where it is, in physical pixels
	Focused  bool   `json:"focused,omitempty"`

	// Of a text field: what is in it.
	Field bool   `json:"field,omitempty"`
	Value string `json:"value,omitempty"`
	Shown bool   `json:"shown,omitempty"` // all of it is on the screen
}

// spoken is a button that draws itself, and says what it shows.
type spoken interface {
	widget.Focuser
	Click()
	spoken() (label string, chosen bool)
}

// mirrored is a scene that says itself what it shows, beyond its widgets.
type mirrored interface {
	// mirror fills in what the widgets do not say; press presses a part of
	// its own, and reports whether there is one.
	mirror(e *Env, m *Mirror)
	press(id string) bool
}

// screened is a scene of widgets.
type screened interface{ widgets() *Screen }

func (m *menu) widgets() *Screen { return &m.screen }

// widgets are those of the match itself until the step is done.
func (l *lesson) widgets() *Screen {
	if l.done {
		return &l.screen
	}
	return &l.table.screen
}

func (l *lesson) mirror(e *Env, m *Mirror) {
	l.table.mirror(e, m)
	m.Lines = append([]string{l.table.hint}, m.Lines...)
	if l.done {
		m.Parts = nil
		m.Said = e.T(lessonPraise(l.number))
	}
}

func (l *lesson) press(id string) bool { return l.table.press(id) }

func (s *replay) mirror(e *Env, m *Mirror) { s.table.mirror(e, m) }
func (s *replay) press(string) bool        { return false }

// Mirror says in words what is shown now.
func (a *App) Mirror() Mirror {
	m := Mirror{Scene: sceneWord(a.scene)}
	if s, ok := a.scene.(mirrored); ok {
		s.mirror(a.Env, &m)
	}
	if s, ok := a.scene.(screened); ok && s.widgets().ui != nil {
		own := m.Parts
		m.Parts = nil
		s.widgets().mirror(a.Env, &m)
		m.Parts = append(own, m.Parts...)
	}
	return m
}

func sceneWord(s Scene) string {
	switch s.(type) {
	case *title:
		return "title"
	case *waiting:
		return "waiting"
	case *match:
		return "match"
	case *result:
		return "result"
	case *solo:
		return "solo"
	case *soloResult:
		return "solo_result"
	}
	return "menu"
}

// mirror adds the widgets to m.
func (s *Screen) mirror(e *Env, m *Mirror) {
	s.mirrorOf(e, s.ui.Container, m)
}

func (s *Screen) mirrorOf(e *Env, w widget.PreferredSizeLocateableWidget, m *Mirror) {
	switch w := w.(type) {
	case *widget.Container:
		for _, child := range w.Children() {
			s.mirrorOf(e, child, m)
		}
	case *picture:
		if m.Heading == "" {
			m.Heading = w.words
		} else if w.words != "" {
			m.Lines = append(m.Lines, w.words)
		}
	case spoken:
		label, chosen := w.spoken()
		m.Parts = append(m.Parts, MirrorPart{ID: nameOf(w), Label: label, Disabled: w.GetWidget().Disabled, Chosen: chosen, Focused: s.Focused() == nameOf(w), Rect: rectOf(w)})
	case *field:
		r := w.GetWidget().Rect
		p := MirrorPart{ID: nameOf(w), Label: e.hints[nameOf(w)], Field: true, Value: w.GetText(), Focused: w.IsFocused(), Disabled: w.GetWidget().Disabled,
			Rect: rectOf(w), Shown: !r.Empty()}
		if s.Scroll != nil && !r.In(s.Scroll.ViewRect().Inset(-2)) {
			p.Shown = false
		}
		m.Parts = append(m.Parts, p)
	}
}

func rectOf(f widget.Focuser) Rect {
	r := f.GetWidget().Rect
	return Rect{float64(r.Min.X), float64(r.Min.Y), float64(r.Dx()), float64(r.Dy())}
}

// find returns the widget with a name.
func (s *Screen) find(id string) widget.Focuser {
	if s.ui == nil {
		return nil
	}
	for _, f := range s.ui.Container.GetFocusers() {
		if nameOf(f) == id {
			return f
		}
	}
	return nil
}

// Press presses the part of the Mirror with an ID, and reports whether there
// was one that could be pressed. It must be called from Before or After.
func (a *App) Press(id string) bool {
	a.rest.quiet = 0
	if s, ok := a.scene.(mirrored); ok && s.press(id) {
		a.Env.Redraw()
		return true
	}
	s, ok := a.scene.(screened)
	if !ok {
		return false
	}
	b, ok := s.widgets().find(id).(interface {
		widget.Focuser
		Click()
	})
	if !ok || b.GetWidget().Disabled {
		return false
	}
	b.Click()
	a.Env.Redraw()
	return true
}

// Write puts text into the field of the Mirror with an ID; submit says that
// Enter was pressed in it. It must be called from Before or After.
func (a *App) Write(id, text string, submit bool) {
	a.rest.quiet = 0
	s, ok := a.scene.(screened)
	if !ok {
		return
	}
	f, ok := fieldOf(s.widgets().find(id))
	if !ok || f.GetWidget().Disabled {
		return
	}
	if f.GetText() != text {
		f.SetText(text)
	}
	if submit {
		f.Submit()
	}
	a.Env.Redraw()
}

// Away tells the other side of a match that the game is not in front of the
// player, or is again. Where a game that is not seen does not tick, as in a
// browser, it may be called from outside of it.
func (a *App) Away(on bool) {
	if m, ok := a.scene.(*match); ok {
		p := m.sent
		p.Away = on
		m.seat.Preview(p)
	}
}

// Awaited is what to tell a player who does not see the game: that a match
// waits for a decision; "" if none does. Like Away it may be called from
// outside of the game.
func (a *App) Awaited() string {
	m, ok := a.scene.(*match)
	if !ok {
		return ""
	}
	v := m.seat.View()
	if v.State.MayDecide(v.Me) == engine.None || v.State.Owes() != v.Me {
		return ""
	}
	return a.Env.T("mirror.yours")
}

// Focus gives the focus to the part with an ID, or takes it from all.
func (a *App) Focus(id string) {
	s, ok := a.scene.(screened)
	if !ok || s.widgets().ui == nil {
		return
	}
	if f := s.widgets().find(id); f != nil {
		s.widgets().ui.SetFocusedWidget(f)
	} else {
		s.widgets().ui.ClearFocus()
	}
	a.Env.Redraw()
}
