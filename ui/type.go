package ui

import (
	"bytes"
	"image/color"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/text/v2"

	"github.com/cleavegame/cleave/assets"
)

// A Style is a size and weight of text.
type Style uint8

// The styles, from the largest down.
const (
	Poster  Style = iota // the title on a wide screen
	Display              // the title, a final score
	Figure               // a score
	Heading              // a scene's name
	Strong               // a button, a name
	Body                 // sentences
	Small                // what stands beside something
	styles
)

var styleSizes = [styles]struct {
	size float64 // in design pixels at text scale 1
	bold bool
}{{76, true}, {48, true}, {34, true}, {24, true}, {17, true}, {17, false}, {14, false}}

// Type is the typeface at one scale: a face for each Style.
type Type struct {
	faces [styles]text.Face
	line  [styles]float64
	op    text.DrawOptions
	// seen is told of every text in place of drawing it, where a test listens.
	seen func(s string, r Rect, style Style, c color.NRGBA)
}

var sources [2]*text.GoTextFaceSource

func fontSources() [2]*text.GoTextFaceSource {
	if sources[0] == nil {
		for i, data := range [2][]byte{assets.InterRegular, assets.InterBold} {
			source, err := text.NewGoTextFaceSource(bytes.NewReader(data))
			if err != nil {
				panic("ui: embedded font: " + err.Error())
			}
			sources[i] = source
		}
	}
	return sources
}

// newType returns the faces for a scale in physical pixels per design pixel.
func newType(scale float64) *Type {
	t := &Type{}
	for s, d := range styleSizes {
		source := fontSources()[0]
		if d.bold {
			source = fontSources()[1]
		}
		size := d.size * scale
		face := &text.GoTextFace{Source: source, Size: size}
		// Figures of one width, so that clocks and scores do not dance.
		face.SetFeature(text.MustParseTag("tnum"), 1)
		t.faces[s] = face
		t.line[s] = size * 1.3
	}
	return t
}

// Width is the width in pixels of one line of text.
func (t *Type) Width(s string, style Style) float64 { return text.Advance(s, t.faces[style]) }

// Line is the height in pixels of one line.
func (t *Type) Line(style Style) float64 { return t.line[style] }

// Align says which end of a line the given point is.
type Align uint8

// The alignments of a line of text.
const (
	Left Align = iota
	Centre
	Right
)

// Draw draws one line with its vertical middle at y.
func (t *Type) Draw(dst *ebiten.Image, s string, x, y float64, style Style, align Align, c color.NRGBA) {
	if t.seen != nil {
		w := t.Width(s, style)
		t.seen(s, Rect{x - w*float64(align)/2, y - t.line[style]/2, w, t.line[style]}, style, c)
		return
	}
	t.op = text.DrawOptions{}
	t.op.GeoM.Translate(x, y)
	t.op.ColorScale.Scale(scales(c))
	t.op.PrimaryAlign = [...]text.Align{text.AlignStart, text.AlignCenter, text.AlignEnd}[align]
	t.op.SecondaryAlign = text.AlignCenter
	text.Draw(dst, s, t.faces[style], &t.op)
}

// Wrap breaks text into lines of at most width pixels. A word that is wider
// than a line is broken within.
func (t *Type) Wrap(s string, style Style, width float64) []string {
	var lines []string
	space := t.Width(" ", style)
	for para := range strings.SplitSeq(s, "\n") {
		line, long := "", 0.0
		for word := range strings.FieldsSeq(para) {
			w := t.Width(word, style)
			if line == "" && w <= width {
				line, long = word, w
				continue
			}
			if line != "" && long+space+w <= width {
				line, long = line+" "+word, long+space+w
				continue
			}
			if line != "" {
				lines = append(lines, line)
			}
			for w > width && len(word) > 1 {
				cut := t.fit(word, style, width)
				if cut == len(word) {
					break
				}
				lines = append(lines, word[:cut])
				word = word[cut:]
				w = t.Width(word, style)
			}
			line, long = word, w
		}
		lines = append(lines, line)
	}
	return lines
}

// fit returns how many bytes of s, whole characters and at least one, fit into
// width pixels.
func (t *Type) fit(s string, style Style, width float64) int {
	end := 0
	for i := range s {
		if i > 0 && t.Width(s[:i], style) > width {
			break
		}
		if i > 0 {
			end = i
		}
	}
	if end == 0 {
		for i := range s {
			if i > 0 {
				return i
			}
		}
		return len(s)
	}
	return end
}

// Shorten returns s, or its beginning with an ellipsis, so that it fits.
func (t *Type) Shorten(s string, style Style, width float64) string {
	if t.Width(s, style) <= width {
		return s
	}
	cut := t.fit(s, style, width-t.Width("…", style))
	return strings.TrimSpace(s[:cut]) + "…"
}
