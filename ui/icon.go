package ui

import (
	"image"
	"image/color"
	"math"
)

// Icon draws the sign of the game, the two pieces of a cloven block, as a
// square picture of so many pixels for the window and its launcher.
func Icon(size int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	const fine = 4 // samples of a pixel in each direction
	full := float64(size)
	unit := full * 0.172
	left, top := full/2-unit*2.15, full/2-unit*1.5
	at := func(x, y float64) color.NRGBA {
		if !rounded(x, y, Rect{0, 0, full, full}, full*0.2) {
			return color.NRGBA{}
		}
		for i, rows := range emblemRows {
			for r, cells := range rows {
				for c, cell := range cells {
					if cell != '#' {
						continue
					}
					in := Rect{left + (float64(c)+0.3*float64(i))*unit, top + float64(r)*unit, unit, unit}.Inset(unit * 0.05)
					if rounded(x, y, in, unit*0.18) {
						return Dark.Seat[i]
					}
				}
			}
		}
		return Dark.Ground
	}
	for y := range size {
		for x := range size {
			var sum [4]float64
			for dy := range fine {
				for dx := range fine {
					c := at(float64(x)+(float64(dx)+0.5)/fine, float64(y)+(float64(dy)+0.5)/fine)
					a := float64(c.A)
					sum[0] += float64(c.R) * a
					sum[1] += float64(c.G) * a
					sum[2] += float64(c.B) * a
					sum[3] += a
				}
			}
			if sum[3] == 0 {
				continue
			}
			img.SetNRGBA(x, y, color.NRGBA{
				R: uint8(sum[0]/sum[3] + 0.5), G: uint8(sum[1]/sum[3] + 0.5), B: uint8(sum[2]/sum[3] + 0.5),
				A: uint8(sum[3]/(fine*fine) + 0.5),
			})
		}
	}
	return img
}

// rounded reports whether a point lies in a rectangle with round corners.
func rounded(x, y float64, r Rect, radius float64) bool {
	if !r.Has(x, y) {
		return false
	}
	dx := max(r.X+radius-x, x-(r.X+r.W-radius), 0)
	dy := max(r.Y+radius-y, y-(r.Y+r.H-radius), 0)
	return math.Hypot(dx, dy) <= radius
}

// icons are the sizes that window systems ask for.
func icons() []image.Image {
	var all []image.Image
	for _, size := range [...]int{16, 32, 48, 64, 128, 256} {
		all = append(all, Icon(size))
	}
	return all
}
