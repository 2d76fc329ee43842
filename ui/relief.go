package ui

import (
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
)

// A relief gives a shape a soft depth: it is drawn in greys, which darken the
// colour that it is tinted with. It is computed, since each pixel is a function
// of how far it is from the edge.
type relief uint8

const (
	flat   relief = iota
	raised        // a tile that lies on the board: a lit upper edge, a rim below
	sunken        // a hollow in the board: its upper edge lies in the shade
	shadow        // what lies above throws it; its edge fades away
)

// What the greys are. The rim of a tile is so much of its height.
const (
	rimHigh   = 0.075
	rimGrey   = 0.70
	faceGrey  = 0.97
	faceFalls = 0.07 // how much darker the face is at its lower edge
	litHigh   = 0.06 // the lit upper edge
	hollow    = 0.11 // how much darker a hollow is at its upper edge
	hollowIn  = 0.16 // how far down that goes
)

// edge is how far a point is from the edge of a rounded rectangle, in pixels,
// negative within.
func (r Rect) edge(x, y, radius float64) float64 {
	mx, my := r.Mid()
	qx := math.Abs(x-mx) - r.W/2 + radius
	qy := math.Abs(y-my) - r.H/2 + radius
	return math.Hypot(max(qx, 0), max(qy, 0)) + min(max(qx, qy), 0) - radius
}

// covers is how much of a pixel lies within an edge.
func covers(edge float64) float64 { return min(max(0.5-edge, 0), 1) }

// drawRelief computes a picture in greys. img is as large as s, but for
// fractions of a pixel.
func drawRelief(img *ebiten.Image, s shape) {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	pix := make([]byte, 4*w*h)
	full := Rect{0, 0, float64(s.w), float64(s.h)}
	radius := min(float64(s.r), full.W/2, full.H/2)
	rim := max(full.H*rimHigh, 1)
	for py := range h {
		for px := range w {
			x, y := float64(px)+0.5, float64(py)+0.5
			grey, cover := 1.0, covers(full.edge(x, y, radius))
			switch s.relief {
			case raised:
				face := Rect{0, 0, full.W, full.H - rim}
				lit := Rect{0, max(full.H*litHigh, 1), full.W, full.H}
				shade := faceGrey - faceFalls*y/full.H
				shade += (1 - shade) * (1 - covers(lit.edge(x, y, radius)))
				grey = rimGrey + (shade-rimGrey)*covers(face.edge(x, y, radius))
			case sunken:
				deep := min(y/(full.H*hollowIn), 1)
				grey = 1 - hollow*(1-deep)*(1-deep)
			case shadow:
				fade := min(max(-full.edge(x, y, radius)/float64(s.blur), 0), 1)
				cover = fade * fade * (3 - 2*fade)
			}
			v := byte(grey*cover*0xff + 0.5)
			at := pix[4*(py*w+px):]
			at[0], at[1], at[2], at[3] = v, v, v, byte(cover*0xff+0.5)
		}
	}
	img.WritePixels(pix)
}

// Tile draws a rounded rectangle that stands out of the board.
func (p *Paint) Tile(dst *ebiten.Image, r Rect, radius float64, c color.NRGBA) {
	p.put(dst, shape{r: float32(radius), relief: raised}, r, c)
}

// Hollow draws a rounded rectangle that is let into the board.
func (p *Paint) Hollow(dst *ebiten.Image, r Rect, radius float64, c color.NRGBA) {
	p.put(dst, shape{r: float32(radius), relief: sunken}, r, c)
}

// Grown draws a tile larger or smaller than it is, around its middle; share is
// how large.
func (p *Paint) Grown(dst *ebiten.Image, r Rect, radius, share float64, c color.NRGBA) {
	s := shape{r: float32(radius), relief: raised, w: float32(r.W), h: float32(r.H)}
	if p.seen != nil || r.W < 1 || r.H < 1 || share <= 0 {
		return
	}
	x, y := r.Mid()
	p.op = ebiten.DrawImageOptions{Filter: ebiten.FilterLinear}
	p.op.GeoM.Translate(-r.W/2, -r.H/2)
	p.op.GeoM.Scale(share, share)
	p.op.GeoM.Translate(x, y)
	p.op.ColorScale.Scale(scales(c))
	dst.DrawImage(p.image(s), &p.op)
}

// Shadow draws the shadow of a rounded rectangle that lies above the ground,
// blur pixels around it and a third of that below. It is stretched from one
// small picture.
func (p *Paint) Shadow(dst *ebiten.Image, r Rect, radius, blur float64, c color.NRGBA) {
	blur = math.Ceil(blur)
	at := Rect{r.X, r.Y + blur/3, r.W, r.H}.Inset(-blur / 2)
	corner := math.Ceil(radius + blur)
	s := shape{r: float32(radius + blur/2), blur: float32(blur), relief: shadow, w: float32(2*corner + 2), h: float32(2*corner + 2)}
	if p.seen != nil {
		p.seen(s, at, c)
		return
	}
	if at.W < 2*corner || at.H < 2*corner || c.A == 0 {
		return
	}
	parts := p.ninths(s, int(corner))
	xs := [4]float64{at.X, at.X + corner, at.X + at.W - corner, at.X + at.W}
	ys := [4]float64{at.Y, at.Y + corner, at.Y + at.H - corner, at.Y + at.H}
	for i, part := range parts {
		row, col := i/3, i%3
		b := part.Bounds()
		p.op = ebiten.DrawImageOptions{}
		p.op.GeoM.Scale((xs[col+1]-xs[col])/float64(b.Dx()), (ys[row+1]-ys[row])/float64(b.Dy()))
		p.op.GeoM.Translate(xs[col], ys[row])
		p.op.ColorScale.Scale(scales(c))
		dst.DrawImage(part, &p.op)
	}
}
