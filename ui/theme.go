package ui

import "image/color"

// A Theme is the look of the game: every colour that is drawn, by what it is
// for. Nothing else names a colour.
type Theme struct {
	Name string

	Ground  color.NRGBA // behind everything
	Surface color.NRGBA // cards, bars, fields
	Edge    color.NRGBA // lines between surfaces
	Ink     color.NRGBA // text
	Faint   color.NRGBA // text of lesser weight, still 4.5:1 on Surface
	Accent  color.NRGBA // the primary action, and focus
	OnTint  color.NRGBA // text on Accent and on Danger
	Danger  color.NRGBA // what costs something; where a piece does not fit
	Gold    color.NRGBA // lines that would clear

	Shade color.NRGBA // the shadow of what lies above the ground

	// Outlines draws the edge of an empty cell, where its depth alone would
	// not show it.
	Outlines bool
	// Well is an empty cell of a board, WellEdge the line around it.
	Well     color.NRGBA
	WellEdge color.NRGBA
	// Seat is the accent of each player: one's own first, then the friend's.
	Seat [2]color.NRGBA
	// Part is the colour of the two pieces of a split, smaller and larger,
	// before they belong to anybody.
	Part [2]color.NRGBA
	// Patterns draws a pattern over each colour of Seat and Part, so that
	// they differ without colour too.
	Patterns bool
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// The themes. Light and dark keep to few colours; contrast is black, white and
// one yellow.
var (
	Light = Theme{
		Name:   "light",
		Ground: rgb(0xf3f0e9), Surface: rgb(0xfffdf8), Edge: rgb(0xd8d2c4),
		Ink: rgb(0x23262b), Faint: rgb(0x5d636c),
		Accent: rgb(0x1c6b62), OnTint: rgb(0xffffff), Danger: rgb(0xb3261e), Gold: rgb(0xeaa91e),
		Shade: color.NRGBA{0x4a, 0x3c, 0x20, 0x2c},
		Well:  rgb(0xe9e4d9), WellEdge: rgb(0xd3ccbd),
		Seat: [2]color.NRGBA{rgb(0x1f7a70), rgb(0xb04a26)},
		Part: [2]color.NRGBA{rgb(0x6a5bb0), rgb(0x8a6d1f)},
	}
	Dark = Theme{
		Name:   "dark",
		Ground: rgb(0x14171c), Surface: rgb(0x1d2127), Edge: rgb(0x363c46),
		Ink: rgb(0xeceef1), Faint: rgb(0xa4acb7),
		Accent: rgb(0x58c4b4), OnTint: rgb(0x0f1215), Danger: rgb(0xff8a80), Gold: rgb(0xf2c14e),
		Shade: color.NRGBA{0, 0, 0, 0x60},
		Well:  rgb(0x262b33), WellEdge: rgb(0x39404b),
		Seat: [2]color.NRGBA{rgb(0x46b5a5), rgb(0xf0855f)},
		Part: [2]color.NRGBA{rgb(0xa598ea), rgb(0xd6b04a)},
	}
	Contrast = Theme{
		Name:   "contrast",
		Ground: rgb(0x000000), Surface: rgb(0x000000), Edge: rgb(0xffffff),
		Ink: rgb(0xffffff), Faint: rgb(0xffffff),
		Accent: rgb(0xffe14d), OnTint: rgb(0x000000), Danger: rgb(0xff9d94), Gold: rgb(0xffe14d),
		Outlines: true,
		Well:     rgb(0x161616), WellEdge: rgb(0x8a8a8a),
		Seat: [2]color.NRGBA{rgb(0x5ee0ff), rgb(0xffa24d)},
		Part: [2]color.NRGBA{rgb(0xd9c2ff), rgb(0xc9f27b)},
	}
)

// colourBlind replaces the colours that tell two things apart with a pair that
// stays apart for every kind of colour vision (after Okabe and Ito), and adds
// the patterns.
func (t Theme) colourBlind() Theme {
	t.Patterns = true
	if t.Name == "light" {
		t.Seat = [2]color.NRGBA{rgb(0x0060a0), rgb(0xad5000)}
		t.Part = [2]color.NRGBA{rgb(0x7a4a86), rgb(0x6f6a1a)}
		return t
	}
	t.Seat = [2]color.NRGBA{rgb(0x56b4e9), rgb(0xe69f00)}
	t.Part = [2]color.NRGBA{rgb(0xcc9ad8), rgb(0xf0e442)}
	return t
}

// fade returns c with its opacity times alpha, 0 to 1.
func fade(c color.NRGBA, alpha float64) color.NRGBA {
	c.A = uint8(float64(c.A)*alpha + 0.5)
	return c
}

// mix returns the colour between a and b, t of the way from a.
func mix(a, b color.NRGBA, t float64) color.NRGBA {
	at := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*t + 0.5) }
	return color.NRGBA{R: at(a.R, b.R), G: at(a.G, b.G), B: at(a.B, b.B), A: at(a.A, b.A)}
}
