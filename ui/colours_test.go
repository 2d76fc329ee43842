package ui

import (
	"fmt"
	"image/color"
	"math"
	"testing"
)

// sights are how colours are seen: with all cones, without one kind of them
// (Machado, Oliveira and Fernandes 2009, severity 1, on linear light), and
// without colour.
var sights = map[string][9]float64{
	"deutan": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"protan": {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"tritan": {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
	"grey":   {0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722},
}

func linear(v uint8) float64 {
	s := float64(v) / 255
	if s <= 0.04045 {
		return s / 12.92
	}
	return math.Pow((s+0.055)/1.055, 2.4)
}

// lab is how a colour is seen, in CIE L*a*b*.
func lab(c color.NRGBA, m [9]float64) [3]float64 {
	in := [3]float64{linear(c.R), linear(c.G), linear(c.B)}
	var rgb [3]float64
	for i := range rgb {
		rgb[i] = min(max(m[3*i]*in[0]+m[3*i+1]*in[1]+m[3*i+2]*in[2], 0), 1)
	}
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124*rgb[0] + 0.3576*rgb[1] + 0.1805*rgb[2]) / 0.95047)
	y := f(0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2])
	z := f((0.0193*rgb[0] + 0.1192*rgb[1] + 0.9505*rgb[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func difference(a, b color.NRGBA, m [9]float64) float64 {
	x, y := lab(a, m), lab(b, m)
	return math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
}

// apart is the least difference of two colours that are told apart at a
// glance.
const apart = 20

func TestPiecesStandOutAndApart(t *testing.T) {
	for _, theme := range []string{"light", "dark", "contrast"} {
		for _, blind := range []bool{false, true} {
			set := DefaultSettings()
			set.Theme, set.ColourBlind = theme, blind
			e := NewEnv(set)
			th := e.Theme
			name := fmt.Sprintf("%s, colour-blind %v", theme, blind)
			for i := range 2 {
				for _, under := range []color.NRGBA{th.Well, th.Surface} {
					if r := contrast(th.Seat[i], under); r < 3 {
						t.Errorf("%s: the pieces of seat %d have a contrast of %.1f", name, i, r)
					}
				}
				if r := contrast(th.Part[i], th.Surface); r < 3 {
					t.Errorf("%s: part %d has a contrast of %.1f", name, i, r)
				}
			}
			if r := contrast(mix(th.Faint, th.Well, 0.15), th.Surface); r < 3 {
				t.Errorf("%s: an unpainted block has a contrast of %.1f", name, r)
			}
			for sight, m := range sights {
				for what, pair := range map[string][2]color.NRGBA{"players": th.Seat, "parts": th.Part} {
					patterns := seatPattern(e, 0) != seatPattern(e, 1)
					if what == "parts" {
						patterns = partPattern(e, 0) != partPattern(e, 1)
					}
					d := difference(pair[0], pair[1], m)
					// Without the colour-blind set, grey tells nobody apart:
					// boards and pieces also differ by where they are.
					if d < apart && !patterns && (blind || sight != "grey") {
						t.Errorf("%s: %s differ by %.0f as seen with %s, and by no pattern", name, what, d, sight)
					}
				}
			}
		}
	}
}
