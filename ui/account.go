package ui

import (
	"strconv"
	"strings"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"

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
	fault  error
}

func newAccount(w World) *account {
	a := &account{menu: menu{world: w, back: func() Scene { return newTitle(w) }}, name: w.Account().Name}
	a.screen.Build = a.build
	return a
}

func (a *account) build(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	who := a.world.Account()
	save := e.Button("account.save", Primary, func() { a.done(e, "account.saved", a.world.SetName(a.name)) })
	var content []widget.PreferredSizeLocateableWidget
	if a.said != "" {
		content = append(content, e.Words(a.said, Body, e.Theme.Accent, width))
	}
	content = append(content, e.fault(a.fault)...)
	content = append(content,
		e.caption("account.name"),
		e.Field("account.name_field", a.name, e.T("welcome.name"), func(v string) { a.name = v }, nil),
		save,
		e.air(8),
		e.caption("account.code"),
		e.Words(e.brokenCode(who.Code), Heading, e.Theme.Ink, width),
		e.Button("account.copy", Plain, func() { a.done(e, "waiting.copied", a.world.Copy(who.Code)) }),
		e.air(8),
		e.caption("account.keep"),
	)
	if a.words == nil {
		content = append(content, e.Button("account.show_words", Plain, func() {
			words, err := a.world.Words()
			a.words = words
			a.done(e, "account.words_warn", err)
		}))
	} else {
		content = append(content, e.numbered(a.words))
	}
	content = append(content,
		e.air(8),
		e.caption("account.file"),
		e.Field("account.phrase", a.phrase, e.T("account.phrase"), func(v string) { a.phrase = v }, nil),
		e.Button("account.export", Plain, func() {
			path, err := a.world.Export(a.phrase)
			a.done(e, "account.exported", err)
			if err == nil {
				a.said = e.T("account.exported", Vars{"Path": path})
			}
		}),
	)
	content = append(content, e.air(8), e.Button("account.adopt", Quiet, a.to(func() Scene {
		return newAdopt(a.world, func() Scene { return newAccount(a.world) })
	})))
	return a.sheet(e, e.T("account.title"), save, content...)
}

// done says what a press led to.
func (a *account) done(e *Env, id string, err error) {
	a.said, a.fault = e.T(id), err
	if err != nil {
		a.said = ""
	}
	a.screen.Stale()
}

// numbered is a card with words in their order, in columns.
func (e *Env) numbered(words []string) *picture {
	cell := e.Type.Width("24  umbrella", Body) + e.Px(28)
	columns := max(int((e.ColumnWidth()-e.Px(2*margin))/cell), 1)
	rows := (len(words) + columns - 1) / columns
	line := e.Type.Line(Body) * 1.15
	return newPicture(e.ColumnWidth(), float64(rows)*line+e.Px(2*margin), func(dst *ebiten.Image, r Rect) {
		e.Paint.Fill(dst, r, e.Px(corner), e.Theme.Surface)
		e.Paint.Stroke(dst, r, e.Px(corner), max(e.Px(1), 1), e.Theme.Edge)
		in := r.Inset(e.Px(margin))
		number := e.Type.Width("24", Body)
		for i, w := range words {
			x := in.X + float64(i/rows)*in.W/float64(columns)
			y := in.Y + (float64(i%rows)+0.5)*line
			e.Type.Draw(dst, strconv.Itoa(i+1), x+number, y, Body, Right, e.Theme.Faint)
			e.Type.Draw(dst, w, x+number+e.Px(10), y, Body, Left, e.Theme.Ink)
		}
	}).saying(words...)
}

// brokenCode breaks a player code in the middle where it is too wide.
func (e *Env) brokenCode(code string) string {
	if half := len(code) / 2; e.Type.Width(code, Heading) > e.ColumnWidth() && half > 0 && code[half] == '-' {
		return code[:half+1] + "\n" + code[half+1:]
	}
	return code
}

// Update waits for presses.
func (a *account) Update(e *Env, c *Controls) Scene { return a.update(a, e, c) }

// licences are the terms of what the program is made of.
type licences struct{ menu }

func newLicences(w World) *licences {
	l := &licences{menu{world: w, back: func() Scene { return newSettings(w) }}}
	l.screen.Build = l.build
	return l
}

func (l *licences) build(e *Env) (*widget.Container, widget.Focuser) {
	width := e.ColumnWidth()
	return l.sheet(e, e.T("licences.title"), nil,
		e.Words(e.T("licences.version", Vars{"Version": l.world.Version()}), Strong, e.Theme.Ink, width),
		e.Words(e.T("licences.own"), Body, e.Theme.Ink, width),
		e.Words(e.T("licences.parts"), Body, e.Theme.Ink, width),
		e.Words(paragraphs(assets.InterLicense), Small, e.Theme.Faint, width),
	)
}

// paragraphs joins the lines of a file that was broken at some width.
func paragraphs(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "---"):
			b.WriteString("\n\n")
		case b.Len() == 0 || strings.HasSuffix(b.String(), "\n"):
			b.WriteString(line)
		default:
			b.WriteString(" " + line)
		}
	}
	return strings.ReplaceAll(b.String(), "\n\n\n", "\n")
}

// Update waits for Back.
func (l *licences) Update(e *Env, c *Controls) Scene { return l.update(l, e, c) }
