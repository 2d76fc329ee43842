package ui

import (
	"image/color"
	"testing"
)

// The icon shows both pieces at every size, on a ground with round corners.
func TestIcon(t *testing.T) {
	for _, img := range icons() {
		size := img.Bounds().Dx()
		seen := map[int]int{}
		for y := range size {
			for x := range size {
				c := img.At(x, y).(color.NRGBA)
				for i, seat := range Dark.Seat {
					if c == seat {
						seen[i]++
					}
				}
			}
		}
		if least := size * size / 20; seen[0] < least || seen[1] < least {
			t.Errorf("at %d pixels the pieces have %d and %d", size, seen[0], seen[1])
		}
		if _, _, _, a := img.At(0, 0).RGBA(); a > 0xc000 {
			t.Errorf("at %d pixels the corner is not round", size)
		}
	}
}
