package ui

import (
	"image"

	"github.com/ebitenui/ebitenui/widget"
	"github.com/hajimehoshi/ebiten/v2"
)

// A field is a text field that is drawn by pictures of its own size. By itself
// it would have two as large as the screen.
type field struct {
	*widget.TextInput
	img *ebiten.Image
}

// Render draws it where it lies.
func (f *field) Render(screen *ebiten.Image) {
	w := f.GetWidget()
	at := w.Rect
	if at.Empty() || !at.Overlaps(screen.Bounds()) {
		return
	}
	if f.img == nil || f.img.Bounds().Size() != at.Size() {
		if f.img != nil {
			f.img.Deallocate()
		}
		f.img = ebiten.NewImage(at.Dx(), at.Dy())
	}
	f.img.Clear()
	w.Rect = image.Rectangle{Max: at.Size()}
	f.TextInput.Render(f.img)
	w.Rect = at
	var op ebiten.DrawImageOptions
	op.GeoM.Translate(float64(at.Min.X), float64(at.Min.Y))
	screen.DrawImage(f.img, &op)
}

// fieldOf is the text field that has or can have the focus; ebitenui knows it
// without what is around it once it was pressed.
func fieldOf(f any) (*widget.TextInput, bool) {
	switch f := f.(type) {
	case *field:
		return f.TextInput, true
	case *widget.TextInput:
		return f, true
	}
	return nil, false
}
