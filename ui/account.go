package ui

import (
	"fmt"
	"strings"

	"github.com/ebitenui/ebitenui/widget"

	"github.com/cleavegame/cleave/assets"
)

// account is who the player is: name, player code, and how to take both to
// another device.
type account struct {
	menu
	name   string
	phrase string
	words  []string
	said   string
	fault  string
}

func newAccount(w World) *account {
	a := &account{menu: menu{world: w, back: func() Scene { return newTitle(w) }}, name: w.Account().Name}
	a.screen.Build = a.build
	return a
}

func (a *account) build(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	who := a.world.Account()
	small := func(id string) *widget.Text { return e.Words(e.T(id), Small, e.Theme.Faint, width) }
	save := e.Button("account.save", Primary, func() { a.done(e, "account.saved", a.world.SetName(a.name)) })
	content := []widget.PreferredSizeLocateableWidget{e.Title("account.title", width)}
	if a.said != "" {
		content = append(content, e.Words(a.said, Body, e.Theme.Accent, width))
	}
	if a.fault != "" {
		content = append(content, e.Words(a.fault, Body, e.Theme.Danger, width))
	}
	content = append(content,
		small("account.name"),
		e.Field("account.name_field", a.name, e.T("welcome.name"), func(v string) { a.name = v }, nil),
		save,
		small("account.code"),
		e.Words(who.Code, Heading, e.Theme.Ink, width),
		e.Button("account.copy", Plain, func() { a.done(e, "waiting.copied", a.world.Copy(who.Code)) }),
		small("account.keep"),
	)
	if a.words == nil {
		content = append(content, e.Button("account.show_words", Plain, func() {
			words, err := a.world.Words()
			a.words = words
			a.done(e, "account.words_warn", err)
		}))
	} else {
		content = append(content, e.Card(e.Words(numbered(a.words), Body, e.Theme.Ink, width-e.Px(2*margin))))
	}
	content = append(content,
		small("account.file"),
		e.Field("account.phrase", a.phrase, e.T("account.phrase"), func(v string) { a.phrase = v }, nil),
		e.Button("account.export", Plain, func() {
			path, err := a.world.Export(a.phrase)
			a.done(e, "account.exported", err)
			if err == nil {
				a.said = e.T("account.exported", Vars{"Path": path})
			}
		}),
		a.backButton(e),
	)
	root, scroll := e.Page(content...)
	a.screen.Scroll = scroll
	return root, save
}

// done says what a press led to.
func (a *account) done(e *Env, id string, err error) {
	a.said, a.fault = e.T(id), ""
	if err != nil {
		a.said, a.fault = "", err.Error()
	}
	a.screen.Stale()
}

// numbered writes words in their order.
func numbered(words []string) string {
	var b strings.Builder
	for i, w := range words {
		fmt.Fprintf(&b, "%d %s   ", i+1, w)
	}
	return b.String()
}

// Update waits for presses.
func (a *account) Update(e *Env, c *Controls) Scene { return a.update(a, e, c) }

// ladder is the season's table and one's own place.
type ladder struct {
	menu
	standing Standing
}

func newLadder(w World) *ladder {
	l := &ladder{menu: menu{world: w, back: func() Scene { return newTitle(w) }}, standing: w.Standing()}
	l.screen.Build = l.build
	return l
}

func (l *ladder) build(e *Env) (*widget.Container, widget.Focuser) {
	width, s := e.ColumnWidth(), l.standing
	content := []widget.PreferredSizeLocateableWidget{e.Title("ladder.title", width)}
	switch {
	case s.Trouble != "":
		content = append(content, e.Words(s.Trouble, Body, e.Theme.Faint, width))
	case s.Placements > 0:
		content = append(content, e.Words(e.T("ladder.placements", Vars{"N": s.Placements}), Body, e.Theme.Ink, width))
	case s.Known:
		content = append(content, e.Words(e.T("ladder.mine", Vars{"Rating": s.Rating}), Body, e.Theme.Ink, width))
	}
	if s.Known {
		content = append(content, e.Words(e.T("ladder.season", Vars{"Season": s.Season}), Strong, e.Theme.Ink, width))
	}
	for _, r := range s.Table {
		tint := e.Theme.Ink
		if r.Me {
			tint = e.Theme.Seat[0]
		}
		content = append(content, e.line([3]string{fmt.Sprint(r.Rank), shortCode(r.Player.Code), fmt.Sprint(r.Rating)}, tint))
	}
	if s.Known && len(s.Table) == 0 {
		content = append(content, e.Words(e.T("ladder.empty"), Body, e.Theme.Faint, width))
	}
	if waiting := l.world.Outbox(); len(waiting) > 0 {
		content = append(content, e.Words(e.T("ladder.outbox"), Strong, e.Theme.Ink, width))
		for _, w := range waiting {
			content = append(content, e.Words(w, Small, e.Theme.Faint, width))
		}
	}
	back := l.backButton(e)
	root, scroll := e.Page(append(content, back)...)
	l.screen.Scroll = scroll
	return root, back
}

// Update follows the standing.
func (l *ladder) Update(e *Env, c *Controls) Scene {
	if s := l.world.Standing(); s.Season != l.standing.Season || s.Rating != l.standing.Rating || s.Trouble != l.standing.Trouble || len(s.Table) != len(l.standing.Table) {
		l.standing = s
		l.screen.Stale()
	}
	return l.update(l, e, c)
}

// licences are the terms of what the program is made of.
type licences struct{ menu }

func newLicences(w World) *licences {
	l := &licences{menu{world: w, back: func() Scene { return newSettings(w) }}}
	l.screen.Build = l.build
	return l
}

func (l *licences) build(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	back := l.backButton(e)
	root, scroll := e.Page(
		e.Title("licences.title", width),
		back,
		e.Words(e.T("licences.version", Vars{"Version": l.world.Version()}), Body, e.Theme.Ink, width),
		e.Words(e.T("licences.own"), Body, e.Theme.Ink, width),
		e.Words(e.T("licences.parts"), Body, e.Theme.Ink, width),
		e.Words(assets.InterLicense, Small, e.Theme.Faint, width),
	)
	l.screen.Scroll = scroll
	return root, back
}

// Update waits for Back.
func (l *licences) Update(e *Env, c *Controls) Scene { return l.update(l, e, c) }
