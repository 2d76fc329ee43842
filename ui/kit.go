package ui

import (
	"image"
	"image/color"
	"slices"

	eimage "github.com/ebitenui/ebitenui/image"
	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/vector"
)

// Measures in design pixels.
const (
	target  = 44  // the least height and width of what can be pressed
	gap     = 12  // between two things
	margin  = 16  // from the edge of the screen
	corner  = 10  // the radius of cards and buttons
	measure = 480 // the widest column of text and buttons
	textPad = 14  // between the words of a button and its ends
)

// A Kind is what a button is for.
type Kind uint8

// The kinds of buttons.
const (
	Primary Kind = iota // the one that most want; there is one on a screen
	Plain
	Quiet  // of lesser weight
	Costly // what loses something
	kinds
)

// nine is a rounded rectangle that can be stretched.
func (e *Env) nine(fill, edge color.NRGBA) *eimage.NineSlice {
	r := int(e.Px(corner)) + 1
	size := 2*r + 2
	img := ebiten.NewImage(size, size)
	var op vector.DrawPathOptions
	op.AntiAlias = true
	op.ColorScale.ScaleWithColor(fill)
	full := float32(size)
	vector.FillPath(img, roundPath(0, 0, full, full, float32(r), 0), nil, &op)
	if edge.A != 0 {
		w := float32(max(e.Px(1), 1))
		op.ColorScale.Reset()
		op.ColorScale.ScaleWithColor(edge)
		vector.StrokePath(img, roundPath(w/2, w/2, full-w, full-w, float32(r)-w/2, 0), &vector.StrokeOptions{Width: w}, &op)
	}
	return eimage.NewNineSlice(img, [3]int{r, 2, r}, [3]int{r, 2, r})
}

// A look is the pictures and colours of one kind of button, made once for each
// size and theme.
type look struct {
	images *widget.ButtonImage
	colour *widget.ButtonTextColor
}

func (e *Env) look(k Kind) look {
	if e.looks[k].images == nil {
		images, colour := e.newLook(k)
		e.looks[k] = look{images, colour}
	}
	return e.looks[k]
}

func (e *Env) newLook(k Kind) (*widget.ButtonImage, *widget.ButtonTextColor) {
	t := e.Theme
	fill, edge, ink := t.Surface, t.Edge, t.Ink
	switch k {
	case Primary:
		fill, edge, ink = t.Accent, color.NRGBA{}, t.OnTint
	case Quiet:
		fill, edge = t.Ground, color.NRGBA{}
	case Costly:
		edge, ink = t.Danger, t.Danger
	}
	hover := mix(fill, ink, 0.08)
	press := mix(fill, ink, 0.16)
	return &widget.ButtonImage{
			Idle: e.nine(fill, edge), Hover: e.nine(hover, edge), Pressed: e.nine(press, edge),
			PressedHover: e.nine(press, edge), Disabled: e.nine(t.Ground, t.Edge),
		}, &widget.ButtonTextColor{
			Idle: ink, Hover: ink, Pressed: ink, Disabled: mix(t.Faint, t.Ground, 0.4),
		}
}

func (e *Env) px(design float64) int { return int(e.Px(design) + 0.5) }

// name gives a widget a name, by which it keeps the focus when the screen is
// built again, and by which tests and the reader's mirror find it.
func name(id string) widget.WidgetOpt { return widget.WidgetOpts.CustomData(id) }

// Button is a button that can be pressed by everything. The text id is its
// name.
func (e *Env) Button(id string, k Kind, do func()) *widget.Button {
	return e.Labelled(id, e.T(id), k, do)
}

// Labelled is a Button whose text is not of the texts.
func (e *Env) Labelled(id, label string, k Kind, do func()) *widget.Button {
	l := e.look(k)
	face := &e.Type.faces[Strong]
	return widget.NewButton(
		widget.ButtonOpts.Image(l.images),
		widget.ButtonOpts.Text(label, face, l.colour),
		widget.ButtonOpts.TextPadding(&widget.Insets{Left: e.px(textPad), Right: e.px(textPad), Top: e.px(8), Bottom: e.px(8)}),
		widget.ButtonOpts.DisableDefaultKeys(),
		widget.ButtonOpts.WidgetOpts(name(id), widget.WidgetOpts.MinSize(e.px(target), e.px(target)), stretch()),
		widget.ButtonOpts.ClickedHandler(func(*widget.ButtonClickedEventArgs) { do() }),
	)
}

func stretch() widget.WidgetOpt {
	return widget.WidgetOpts.LayoutData(widget.RowLayoutData{Stretch: true})
}

// Words is a text that breaks into lines of the column's width.
func (e *Env) Words(s string, style Style, c color.NRGBA, width float64) *widget.Text {
	return widget.NewText(
		widget.TextOpts.Text(s, &e.Type.faces[style], c),
		widget.TextOpts.MaxWidth(width),
		widget.TextOpts.WidgetOpts(stretch()),
	)
}

// Centred is Words in the middle of the column.
func (e *Env) Centred(s string, style Style, c color.NRGBA, width float64) *widget.Text {
	return widget.NewText(
		widget.TextOpts.Text(s, &e.Type.faces[style], c),
		widget.TextOpts.MaxWidth(width),
		widget.TextOpts.Position(widget.TextPositionCenter, widget.TextPositionCenter),
		widget.TextOpts.WidgetOpts(stretch()),
	)
}

// Title is the heading of a screen.
func (e *Env) Title(id string, width float64) *widget.Text {
	return e.Words(e.T(id), Heading, e.Theme.Ink, width)
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
	for i := range stretches {
		stretches[i] = true
	}
	c := widget.NewContainer(
		widget.ContainerOpts.Layout(widget.NewGridLayout(
			widget.GridLayoutOpts.Columns(len(children)), widget.GridLayoutOpts.Stretch(stretches, []bool{true}),
			widget.GridLayoutOpts.Spacing(e.px(gap), e.px(gap)))),
		widget.ContainerOpts.WidgetOpts(stretch()))
	c.AddChild(children...)
	return c
}

// An entry is a button of a menu.
type entry struct {
	id string
	do func()
}

// menuOf lays buttons in two columns, or in one where their words are too long
// for two.
func (e *Env) menuOf(entries ...entry) *widget.Container {
	half := (e.ColumnWidth()-e.Px(gap))/2 - 2*e.Px(textPad)
	columns := 2
	for _, b := range entries {
		if e.Type.Width(e.T(b.id), Strong) > half {
			columns = 1
		}
	}
	c := e.Column(gap)
	for row := range slices.Chunk(entries, columns) {
		buttons := make([]widget.PreferredSizeLocateableWidget, len(row))
		for i, b := range row {
			buttons[i] = e.Button(b.id, Plain, b.do)
		}
		if columns == 1 {
			c.AddChild(buttons...)
			continue
		}
		c.AddChild(e.Pair(buttons...))
	}
	return c
}

// Card is a column on a surface of its own.
func (e *Env) Card(children ...widget.PreferredSizeLocateableWidget) *widget.Container {
	c := widget.NewContainer(
		widget.ContainerOpts.BackgroundImage(e.nine(e.Theme.Surface, e.Theme.Edge)),
		widget.ContainerOpts.Layout(widget.NewRowLayout(
			widget.RowLayoutOpts.Direction(widget.DirectionVertical), widget.RowLayoutOpts.Spacing(e.px(gap)),
			widget.RowLayoutOpts.Padding(widget.NewInsetsSimple(e.px(margin))))),
		widget.ContainerOpts.WidgetOpts(stretch()))
	c.AddChild(children...)
	return c
}

// Field is a line of text that a player can write. Submit is called with Enter.
func (e *Env) Field(id, value, hint string, changed func(string), submit func()) *widget.TextInput {
	t := e.Theme
	e.hints[id] = hint
	f := widget.NewTextInput(
		widget.TextInputOpts.Image(&widget.TextInputImage{Idle: e.nine(t.Surface, t.Faint), Disabled: e.nine(t.Ground, t.Edge)}),
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
	return f
}

// Choice is a row of buttons of which one is chosen.
func (e *Env) Choice(id string, labels []string, chosen int, choose func(int)) *widget.Container {
	buttons := make([]widget.PreferredSizeLocateableWidget, len(labels))
	for i, label := range labels {
		shown := label
		if i == chosen {
			shown = "● " + label
		}
		buttons[i] = e.Labelled(id+"/"+label, shown, Plain, func() { choose(i) })
	}
	width := 0.0
	for _, l := range labels {
		width += e.Type.Width("● "+l, Strong) + e.Px(28+gap)
	}
	if width > e.ColumnWidth() {
		return e.Column(6, buttons...)
	}
	return e.Pair(buttons...)
}

// Page is a screen's root: its content in a column in the middle, scrolling
// when it is higher than the screen.
func (e *Env) Page(content ...widget.PreferredSizeLocateableWidget) (root *widget.Container, scroll *widget.ScrollContainer) {
	column := widget.NewContainer(
		widget.ContainerOpts.Layout(widget.NewRowLayout(
			widget.RowLayoutOpts.Direction(widget.DirectionVertical), widget.RowLayoutOpts.Spacing(e.px(gap)),
			widget.RowLayoutOpts.Padding(&widget.Insets{Top: e.px(margin), Bottom: e.px(margin)}))),
		widget.ContainerOpts.WidgetOpts(widget.WidgetOpts.MinSize(int(e.ColumnWidth()), 0)))
	column.AddChild(content...)
	clear := eimage.NewNineSliceColor(color.NRGBA{})
	scroll = widget.NewScrollContainer(
		widget.ScrollContainerOpts.Content(column),
		widget.ScrollContainerOpts.StretchContentWidth(),
		widget.ScrollContainerOpts.WidgetOpts(widget.WidgetOpts.CustomData(column)), // for the Mirror
		widget.ScrollContainerOpts.Image(&widget.ScrollContainerImage{Idle: clear, Disabled: clear, Mask: eimage.NewNineSliceColor(color.White)}),
	)
	root = widget.NewContainer(widget.ContainerOpts.Layout(&pageLayout{env: e, content: column}))
	root.AddChild(scroll)
	return root, scroll
}

// ColumnWidth is the width of a page's column in pixels.
func (e *Env) ColumnWidth() float64 {
	return min(e.W-2*e.Px(margin), e.Px(measure)*max(1, e.textScale()*0.8))
}

// pageLayout puts a page's column in the middle of the screen.
type pageLayout struct {
	env     *Env
	content *widget.Container
}

// PreferredSize is the whole screen.
func (p *pageLayout) PreferredSize([]widget.PreferredSizeLocateableWidget) (int, int) {
	return int(p.env.W), int(p.env.H)
}

// Layout gives the column its own height if it fits, else the whole screen.
func (p *pageLayout) Layout(ws []widget.PreferredSizeLocateableWidget, r image.Rectangle) {
	width := int(p.env.ColumnWidth())
	_, height := p.content.PreferredSize()
	height = min(height, r.Dy())
	x := r.Min.X + (r.Dx()-width)/2
	y := r.Min.Y + (r.Dy()-height)/2
	for _, w := range ws {
		w.SetLocation(image.Rect(x, y, x+width, y+height))
	}
}
