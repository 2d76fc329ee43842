package ui

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	eimage "github.com/ebitenui/ebitenui/image"
	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/vector"
)

// Measures in design pixels.
const (
	target   = 44  // the least height and width of what can be pressed
	gap      = 12  // between two things
	margin   = 16  // from the edge of the screen
	corner   = 10  // the radius of cards and buttons
	measure  = 520 // the widest column of text and buttons
	textPad  = 14  // between the words of a button and its ends
	tightPad = 7   // the same where several stand side by side
)

// A Kind is what a button is for.
type Kind uint8

// The kinds of buttons.
const (
	Primary Kind = iota // the one that most want; there is one on a screen
	Plain
	Quiet  // of lesser weight
	Costly // what loses something
	Chosen // one of several, that is chosen
	kinds
)

// A nineKey is a rounded rectangle that can be stretched.
type nineKey struct {
	fill, edge    color.NRGBA
	radius, width float64
	// A key that can be pressed has a lip below, so many pixels high, and lies
	// so much lower while it is down.
	lip, down float64
	side      color.NRGBA // the lip's
}

func (e *Env) nine(fill, edge color.NRGBA, width float64) *eimage.NineSlice {
	return e.Paint.nine(nineKey{fill: fill, edge: edge, radius: e.Px(corner), width: max(e.Px(width), 1)})
}

// nine is the picture of a rectangle that can be stretched, drawn once.
func (p *Paint) nine(k nineKey) *eimage.NineSlice {
	if n := p.nines[k]; n != nil {
		return n
	}
	if len(p.nines) >= maxShapes {
		clear(p.nines)
	}
	r := int(k.radius) + 1
	top, low := r+int(k.down), r+int(k.lip)
	img := ebiten.NewImage(2*r+2, top+2+low)
	var op vector.DrawPathOptions
	op.AntiAlias = true
	wide, high := float32(2*r+2), float32(2*r+2)
	y := float32(int(k.down))
	if k.lip > 0 {
		op.ColorScale.ScaleWithColor(k.side)
		vector.FillPath(img, roundPath(0, y, wide, high+float32(int(k.lip)), float32(r), 0), nil, &op)
		op.ColorScale.Reset()
	}
	op.ColorScale.ScaleWithColor(k.fill)
	vector.FillPath(img, roundPath(0, y, wide, high, float32(r), 0), nil, &op)
	if k.edge.A != 0 {
		w := float32(k.width)
		op.ColorScale.Reset()
		op.ColorScale.ScaleWithColor(k.edge)
		vector.StrokePath(img, roundPath(w/2, y+w/2, wide-w, high-w, float32(r)-w/2, 0), &vector.StrokeOptions{Width: w}, &op)
	}
	n := eimage.NewNineSlice(img, [3]int{r, 2, r}, [3]int{top, 2, low})
	p.nines[k] = n
	return n
}

// A look is the pictures and colours of one kind of button, made once for each
// size and theme.
type look struct {
	images              *widget.ButtonImage
	fill, ink, disabled color.NRGBA
	lip                 float64 // in pixels: how much of its height is below its face
}

// lipHigh is how high the lip of a button is, in design pixels.
const lipHigh = 3

func (e *Env) look(k Kind) *look {
	l := &e.looks[k]
	if l.images != nil {
		return l
	}
	t := e.Theme
	fill, edge, ink := t.Surface, t.Edge, t.Ink
	width := 1.0
	switch k {
	case Primary:
		fill, edge, ink = t.Accent, color.NRGBA{}, t.OnTint
	case Quiet:
		fill, edge = t.Ground, color.NRGBA{}
	case Costly:
		edge, ink = t.Danger, t.Danger
	case Chosen:
		fill, edge, width = mix(t.Surface, t.Accent, 0.12), t.Accent, 2.5
	}
	hover := mix(fill, ink, 0.06)
	press := mix(fill, ink, 0.14)
	key := nineKey{edge: edge, radius: e.Px(corner), width: max(e.Px(width), 1)}
	if k != Quiet && k != Chosen && !t.Outlines {
		l.lip = math.Round(e.Px(lipHigh))
		key.side = edge
		if k == Primary {
			key.side = mix(fill, rgb(0), 0.28)
		}
	}
	up := func(c color.NRGBA) *eimage.NineSlice {
		key := key
		key.fill, key.lip = c, l.lip
		return e.Paint.nine(key)
	}
	key.down = l.lip
	key.fill = press
	down := e.Paint.nine(key)
	key.down = 0
	l.images = &widget.ButtonImage{
		Idle: up(fill), Hover: up(hover), Pressed: down, PressedHover: down, Disabled: e.nine(t.Ground, t.Edge, 1),
	}
	l.fill, l.ink, l.disabled = fill, ink, mix(t.Faint, t.Ground, 0.35)
	return l
}

func (e *Env) px(design float64) int { return int(e.Px(design) + 0.5) }

// name gives a widget a name, by which it keeps the focus when the screen is
// built again, and by which tests and the reader's mirror find it.
func name(id string) widget.WidgetOpt { return widget.WidgetOpts.CustomData(id) }

// Button is a button that can be pressed by everything. The text id is its
// name.
func (e *Env) Button(id string, k Kind, do func()) *tile { return e.tile(id, e.T(id), k, do) }

// Labelled is a Button whose text is not of the texts.
func (e *Env) Labelled(id, label string, k Kind, do func()) *tile { return e.tile(id, label, k, do) }

func stretch() widget.WidgetOpt {
	return widget.WidgetOpts.LayoutData(widget.RowLayoutData{Stretch: true})
}

// Words is a text that breaks into lines of the column's width.
func (e *Env) Words(s string, style Style, c color.NRGBA, width float64) *picture {
	return e.words(s, style, c, width, Left)
}

// Centred is Words in the middle of the column.
func (e *Env) Centred(s string, style Style, c color.NRGBA, width float64) *picture {
	return e.words(s, style, c, width, Centre)
}

func (e *Env) words(s string, style Style, c color.NRGBA, width float64, align Align) *picture {
	lines, high := e.Type.Wrap(s, style, width), e.Type.Line(style)
	return newPicture(width, float64(len(lines))*high, func(dst *ebiten.Image, r Rect) {
		x, y := r.X+r.W*float64(align)/2, r.Y+high/2
		for _, line := range lines {
			if line != "" && y > -high && y < e.H+high {
				e.Type.Draw(dst, line, x, y, style, align, c)
			}
			y += high
		}
	}).saying(s)
}

// air is room between two groups of things.
func (e *Env) air(high float64) *picture {
	return newPicture(1, e.Px(high), func(*ebiten.Image, Rect) {})
}

// Column stacks things.
func (e *Env) Column(space float64, children ...widget.PreferredSizeLocateableWidget) *widget.Container {
	c := widget.NewContainer(
		widget.ContainerOpts.Layout(widget.NewRowLayout(
			widget.RowLayoutOpts.Direction(widget.DirectionVertical), widget.RowLayoutOpts.Spacing(e.px(space)))),
		widget.ContainerOpts.WidgetOpts(stretch()))
	c.AddChild(children...)
	return c
}

// Pair lays things side by side in columns of one width.
func (e *Env) Pair(children ...widget.PreferredSizeLocateableWidget) *widget.Container {
	stretches := make([]bool, len(children))
	for i, c := range children {
		stretches[i] = true
		if t, ok := c.(*tile); ok && t.paint == nil {
			t.fit(e.part(len(children)), tightPad)
		}
	}
	c := widget.NewContainer(
		widget.ContainerOpts.Layout(widget.NewGridLayout(
			widget.GridLayoutOpts.Columns(len(children)), widget.GridLayoutOpts.Stretch(stretches, []bool{true}),
			widget.GridLayoutOpts.Spacing(e.px(gap), e.px(gap)))),
		widget.ContainerOpts.WidgetOpts(stretch()))
	c.AddChild(children...)
	return c
}

// part is the width of one of n things side by side.
func (e *Env) part(n int) float64 {
	return (e.ColumnWidth() - e.Px(gap)*float64(n-1)) / float64(n)
}

// rows lays tiles in rows of as many as their words leave room for, of the
// numbers that are allowed; the last of those is taken in any case.
func (e *Env) rows(tiles []*tile, allowed ...int) *widget.Container {
	columns := allowed[len(allowed)-1]
	for _, n := range allowed {
		fits := true
		for _, t := range tiles {
			fits = fits && e.Type.Width(t.label, Strong) <= e.part(n)-2*e.Px(tightPad)
		}
		if fits {
			columns = n
			break
		}
	}
	c := e.Column(8)
	for row := range slices.Chunk(tiles, columns) {
		widgets := make([]widget.PreferredSizeLocateableWidget, columns)
		for i := range widgets {
			if i < len(row) {
				widgets[i] = row[i]
			} else {
				widgets[i] = newPicture(1, 1, func(*ebiten.Image, Rect) {})
			}
		}
		c.AddChild(e.Pair(widgets...))
	}
	return c
}

// Card is a column on a surface of its own.
func (e *Env) Card(children ...widget.PreferredSizeLocateableWidget) *widget.Container {
	c := widget.NewContainer(
		widget.ContainerOpts.BackgroundImage(e.nine(e.Theme.Surface, e.Theme.Edge, 1)),
		widget.ContainerOpts.Layout(widget.NewRowLayout(
			widget.RowLayoutOpts.Direction(widget.DirectionVertical), widget.RowLayoutOpts.Spacing(e.px(gap)),
			widget.RowLayoutOpts.Padding(widget.NewInsetsSimple(e.px(margin))))),
		widget.ContainerOpts.WidgetOpts(stretch()))
	c.AddChild(children...)
	return c
}

// Field is a line of text that a player can write. Submit is called with Enter.
func (e *Env) Field(id, value, hint string, changed func(string), submit func()) *field {
	t := e.Theme
	e.hints[id] = hint
	f := widget.NewTextInput(
		widget.TextInputOpts.Image(&widget.TextInputImage{Idle: e.nine(t.Surface, t.Faint, 1), Disabled: e.nine(t.Ground, t.Edge, 1)}),
		widget.TextInputOpts.Face(&e.Type.faces[Body]),
		widget.TextInputOpts.Color(&widget.TextInputColor{Idle: t.Ink, Disabled: t.Faint, Caret: t.Accent, DisabledCaret: t.Faint}),
		widget.TextInputOpts.Padding(widget.NewInsetsSimple(e.px(11))),
		widget.TextInputOpts.CaretWidth(max(e.px(2), 1)),
		widget.TextInputOpts.Placeholder(hint),
		widget.TextInputOpts.ChangedHandler(func(a *widget.TextInputChangedEventArgs) { changed(a.InputText) }),
		widget.TextInputOpts.SubmitHandler(func(*widget.TextInputChangedEventArgs) {
			if submit != nil {
				submit()
			}
		}),
		widget.TextInputOpts.WidgetOpts(name(id), widget.WidgetOpts.MinSize(e.px(target), e.px(target)), stretch()),
	)
	if value != "" {
		f.SetText(value)
	}
	return &field{TextInput: f}
}

// Choice is a row of buttons of which one is chosen.
func (e *Env) Choice(id string, labels []string, chosen int, choose func(int)) *widget.Container {
	tiles := make([]*tile, len(labels))
	for i, label := range labels {
		kind := Plain
		if i == chosen {
			kind = Chosen
		}
		tiles[i] = e.Labelled(fmt.Sprintf("%s/%d", id, i), label, kind, func() { choose(i) })
	}
	return e.rows(tiles, []int{5, 4, 3, 2, 1}[5-min(len(labels), 5):]...)
}

// caption stands above a choice or a field.
func (e *Env) caption(id string) *picture {
	return e.Words(e.T(id), Small, e.Theme.Faint, e.ColumnWidth())
}

// head is the top of a page: the way back, and its name.
func (e *Env) head(title string, back func()) (*widget.Container, *tile) {
	arrow := e.tile("back", e.T("back"), Quiet, back)
	arrow.face(e.Px(target), func(dst *ebiten.Image, r Rect, ink color.NRGBA) {
		e.Paint.Icon(dst, iconBack, r, e.Px(22), ink)
	})
	centre := widget.WidgetOpts.LayoutData(widget.RowLayoutData{Position: widget.RowLayoutPositionCenter})
	centre(arrow.GetWidget())
	words := e.Words(title, Heading, e.Theme.Ink, e.ColumnWidth()-e.Px(target+gap))
	centre(words.GetWidget())
	row := widget.NewContainer(
		widget.ContainerOpts.Layout(widget.NewRowLayout(
			widget.RowLayoutOpts.Direction(widget.DirectionHorizontal), widget.RowLayoutOpts.Spacing(e.px(gap)))),
		widget.ContainerOpts.WidgetOpts(stretch()))
	row.AddChild(arrow, words)
	return row, arrow
}
