package ui

import (
	"image"
	"image/color"

	eimage "github.com/ebitenui/ebitenui/image"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/vector"
)

// A Rect is an area of the screen in physical pixels.
type Rect struct{ X, Y, W, H float64 }

// Inset returns the rectangle smaller by d on each side.
func (r Rect) Inset(d float64) Rect { return Rect{r.X + d, r.Y + d, r.W - 2*d, r.H - 2*d} }

// Mid is the middle of the rectangle.
func (r Rect) Mid() (x, y float64) { return r.X + r.W/2, r.Y + r.H/2 }

// Has reports whether a point lies in the rectangle.
func (r Rect) Has(x, y float64) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// A pattern tells two colours apart without colour.
type pattern uint8

const (
	plain pattern = iota
	stripes
	dots
	cross
	rings
)

// A shape is a picture that is drawn once, in white, and then tinted wherever
// it is needed: drawing a board makes no garbage.
type shape struct {
	w, h, r, stroke, dash float32
	blur                  float32 // of a shadow
	pattern               pattern
	icon                  icon
	relief                relief
}

// Paint draws rounded rectangles from a store of pictures.
type Paint struct {
	shapes map[shape]*ebiten.Image
	op     ebiten.DrawImageOptions
	nines  map[nineKey]*eimage.NineSlice
	cuts   map[shape]*[9]*ebiten.Image // shadows, cut in corners, sides and middle
	most   int                         // that the store holds
	// seen is told of everything in place of drawing it, where a test
	// listens.
	seen func(s shape, r Rect, c color.NRGBA)
}

func newPaint() *Paint {
	return &Paint{shapes: map[shape]*ebiten.Image{}, nines: map[nineKey]*eimage.NineSlice{}, cuts: map[shape]*[9]*ebiten.Image{}, most: maxShapes}
}

// maxShapes bounds the store; a resize makes many sizes that are not used again.
const maxShapes = 400

func (p *Paint) image(s shape) *ebiten.Image {
	if img := p.shapes[s]; img != nil {
		return img
	}
	if len(p.shapes) >= p.most {
		for k, img := range p.shapes {
			img.Deallocate()
			delete(p.shapes, k)
		}
		clear(p.cuts)
	}
	img := ebiten.NewImage(int(s.w+0.999), int(s.h+0.999))
	var white vector.DrawPathOptions
	white.AntiAlias = true
	white.ColorScale.ScaleWithColor(color.White)
	switch {
	case s.relief != flat:
		drawRelief(img, s)
	case s.icon != noIcon:
		drawIcon(img, s)
	case s.pattern != plain:
		drawPattern(img, s)
	case s.stroke > 0:
		half := s.stroke / 2
		path := roundPath(half, half, s.w-s.stroke, s.h-s.stroke, s.r-half, s.dash)
		vector.StrokePath(img, path, &vector.StrokeOptions{Width: s.stroke, LineCap: vector.LineCapRound}, &white)
	default:
		vector.FillPath(img, roundPath(0, 0, s.w, s.h, s.r, 0), nil, &white)
	}
	p.shapes[s] = img
	return img
}

// roundPath is a rounded rectangle; with a dash it is broken into dashes along
// its sides.
func roundPath(x, y, w, h, r, dash float32) *vector.Path {
	path := &vector.Path{}
	if r < 0 {
		r = 0
	}
	if dash > 0 {
		side := func(x0, y0, x1, y1 float32) {
			length := max(abs32(x1-x0), abs32(y1-y0))
			n := max(int(length/(2*dash)), 1)
			for i := range n {
				a := (float32(i) + 0.25) / float32(n)
				b := (float32(i) + 0.75) / float32(n)
				path.MoveTo(x0+(x1-x0)*a, y0+(y1-y0)*a)
				path.LineTo(x0+(x1-x0)*b, y0+(y1-y0)*b)
			}
		}
		side(x, y, x+w, y)
		side(x+w, y, x+w, y+h)
		side(x+w, y+h, x, y+h)
		side(x, y+h, x, y)
		return path
	}
	r = min(r, w/2, h/2)
	path.MoveTo(x+r, y)
	path.ArcTo(x+w, y, x+w, y+h, r)
	path.ArcTo(x+w, y+h, x, y+h, r)
	path.ArcTo(x, y+h, x, y, r)
	path.ArcTo(x, y, x+w, y, r)
	path.Close()
	return path
}

func abs32(x float32) float32 { return max(x, -x) }

func drawPattern(img *ebiten.Image, s shape) {
	step := s.w / 3
	width := s.w / 9
	switch s.pattern {
	case stripes, cross:
		for o := -s.h; o < s.w+s.h; o += step {
			vector.StrokeLine(img, o, 0, o+s.h, s.h, width, color.White, true)
			if s.pattern == cross {
				vector.StrokeLine(img, o+s.h, 0, o, s.h, width, color.White, true)
			}
		}
	case dots:
		for y := step / 2; y < s.h; y += step {
			for x := step / 2; x < s.w; x += step {
				vector.FillCircle(img, x, y, width*0.9, color.White, true)
			}
		}
	case rings:
		vector.StrokeCircle(img, s.w/2, s.h/2, s.w/4, width, color.White, true)
	}
}

// ninths are the corners, sides and middle of a picture, row by row; corner is
// the size of a corner in pixels.
func (p *Paint) ninths(s shape, corner int) *[9]*ebiten.Image {
	if c := p.cuts[s]; c != nil {
		return c
	}
	img, c := p.image(s), &[9]*ebiten.Image{}
	b := img.Bounds()
	at := [4]int{0, corner, b.Dx() - corner, b.Dx()}
	for i := range c {
		row, col := i/3, i%3
		c[i] = img.SubImage(image.Rect(at[col], at[row], at[col+1], at[row+1])).(*ebiten.Image)
	}
	p.cuts[s] = c
	return c
}

func (p *Paint) put(dst *ebiten.Image, s shape, r Rect, c color.NRGBA) {
	if r.W < 1 || r.H < 1 || c.A == 0 {
		return
	}
	s.w, s.h = float32(r.W), float32(r.H)
	if p.seen != nil {
		p.seen(s, r, c)
		return
	}
	p.op = ebiten.DrawImageOptions{}
	p.op.GeoM.Translate(r.X, r.Y)
	p.op.ColorScale.Scale(scales(c))
	dst.DrawImage(p.image(s), &p.op)
}

// scales is a colour as factors of premultiplied white.
func scales(c color.NRGBA) (r, g, b, a float32) {
	a = float32(c.A) / 0xff
	return float32(c.R) / 0xff * a, float32(c.G) / 0xff * a, float32(c.B) / 0xff * a, a
}

// Fill draws a rounded rectangle.
func (p *Paint) Fill(dst *ebiten.Image, r Rect, radius float64, c color.NRGBA) {
	p.put(dst, shape{r: float32(radius)}, r, c)
}

// Stroke draws the outline of a rounded rectangle, inside its edge.
func (p *Paint) Stroke(dst *ebiten.Image, r Rect, radius, width float64, c color.NRGBA) {
	p.put(dst, shape{r: float32(radius), stroke: float32(width)}, r, c)
}

// Dash draws a dashed outline, inside the edge.
func (p *Paint) Dash(dst *ebiten.Image, r Rect, width, dash float64, c color.NRGBA) {
	p.put(dst, shape{stroke: float32(width), dash: float32(dash)}, r, c)
}

// Pattern draws a pattern over an area.
func (p *Paint) Pattern(dst *ebiten.Image, r Rect, kind pattern, c color.NRGBA) {
	if kind != plain {
		p.put(dst, shape{pattern: kind}, r, c)
	}
}
