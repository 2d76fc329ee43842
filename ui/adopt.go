package ui

import (
	"strings"

	"github.com/ebitenui/ebitenui/widget"
)

// adopt brings an account from another device: it asks for it, says whose it
// is, and asks again before it takes the place of the one that is here.
type adopt struct {
	menu
	from, phrase string
	code         string // whose account was found, "" before
	done         bool
	fault        error
}

func newAdopt(w World, back func() Scene) *adopt {
	a := &adopt{menu: menu{world: w, back: back}}
	a.screen.Build = a.build
	return a
}

func (a *adopt) build(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	switch {
	case a.done:
		a.back = nil
		end := e.Button("adopt.close", Primary, func() { a.next = nil })
		root, scroll := e.Page(e.Words(e.T("adopt.done_title"), Heading, e.Theme.Ink, width), e.Words(e.T("adopt.done"), Body, e.Theme.Ink, width), end)
		a.screen.Scroll = scroll
		return root, end
	case a.code != "":
		return a.buildQuestion(e)
	}
	from := e.Field("adopt.from_field", a.from, e.T("adopt.from_hint"), func(v string) { a.from = v }, a.look)
	content := []widget.PreferredSizeLocateableWidget{
		e.Words(e.T("adopt.explained"), Body, e.Theme.Faint, width),
		e.caption("adopt.from"), from,
		e.caption("adopt.phrase"),
		e.Field("adopt.phrase_field", a.phrase, e.T("account.phrase"), func(v string) { a.phrase = v }, a.look),
	}
	content = append(content, e.fault(a.fault)...)
	content = append(content, e.Button("adopt.look", Primary, a.look))
	return a.sheet(e, e.T("adopt.title"), from, content...)
}

func (a *adopt) buildQuestion(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	keep := e.Button("adopt.keep", Primary, func() { a.next = a.back() })
	content := []widget.PreferredSizeLocateableWidget{
		e.Words(e.T("adopt.found"), Body, e.Theme.Faint, width),
		e.Words(e.brokenCode(a.code), Heading, e.Theme.Ink, width),
		e.Words(e.T("adopt.instead"), Body, e.Theme.Faint, width),
		e.Words(e.brokenCode(a.world.Account().Code), Heading, e.Theme.Ink, width),
		e.Words(e.T("adopt.kept"), Body, e.Theme.Ink, width),
	}
	content = append(content, e.fault(a.fault)...)
	content = append(content, keep, e.Button("adopt.replace", Costly, a.replace))
	return a.sheet(e, e.T("adopt.question"), keep, content...)
}

func (a *adopt) look() {
	if strings.TrimSpace(a.from) == "" {
		return
	}
	a.code, a.fault = a.world.Recover(a.from, a.phrase)
	a.screen.Ask()
}

func (a *adopt) replace() {
	a.fault = a.world.Adopt()
	a.done = a.fault == nil
	a.screen.Ask()
}

// Update waits for presses.
func (a *adopt) Update(e *Env, c *Controls) Scene { return a.update(a, e, c) }
