package ui

import (
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/vector"
)

// An icon is a sign that stands for a word, or beside it.
type icon uint8

const (
	noIcon icon = iota
	iconBack
	iconTurn
	iconUndo
	iconNext
	iconDone
	iconHint
	iconPause
	iconPlay
	iconLock
	iconCopy
	iconStepBack
	iconNear
	iconFar
	iconPair
	iconLearn
	iconList
	iconLadder
	iconPerson
	iconSettings
	iconClassic
	iconStreak
)

// iconPath draws an icon in a box of 24 by 24.
func iconPath(k icon) *vector.Path {
	p := &vector.Path{}
	line := func(points ...float32) {
		p.MoveTo(points[0], points[1])
		for i := 2; i < len(points); i += 2 {
			p.LineTo(points[i], points[i+1])
		}
	}
	arc := func(x, y, r float32, from, to float64, dir vector.Direction) {
		p.MoveTo(x+r*float32(math.Cos(from)), y+r*float32(math.Sin(from)))
		p.Arc(x, y, r, float32(from), float32(to), dir)
	}
	switch k {
	case iconBack:
		line(20, 12, 4, 12)
		line(11, 5, 4, 12, 11, 19)
	case iconTurn:
		arc(11.5, 12.5, 8, 0.11*math.Pi, 1.75*math.Pi, vector.Clockwise)
		p.LineTo(21.5, 11)
		line(21.5, 4.5, 21.5, 11, 15, 11)
	case iconUndo:
		line(9, 4, 4, 9, 9, 14)
		line(4, 9, 14, 9)
		p.CubicTo(18, 9, 20, 11.5, 20, 14.5)
		p.CubicTo(20, 17.5, 18, 20, 14, 20)
		p.LineTo(9, 20)
	case iconNext:
		line(5, 5, 12, 12, 5, 19)
		line(13, 5, 20, 12, 13, 19)
	case iconStepBack:
		line(19, 5, 12, 12, 19, 19)
		line(11, 5, 4, 12, 11, 19)
	case iconDone:
		line(4, 13, 10, 19, 20, 6)
	case iconHint:
		arc(12, 9, 6.5, 0.75*math.Pi, 2.25*math.Pi, vector.Clockwise)
		line(7.4, 13.6, 9, 17, 15, 17, 16.6, 13.6)
		line(10, 21, 14, 21)
	case iconPause:
		line(8, 5, 8, 19)
		line(16, 5, 16, 19)
	case iconPlay:
		line(7, 4.5, 19, 12, 7, 19.5)
		p.Close()
	case iconLock:
		line(5, 11, 19, 11, 19, 21, 5, 21)
		p.Close()
		line(8, 11, 8, 7)
		p.CubicTo(8, 1.6, 16, 1.6, 16, 7)
		p.LineTo(16, 11)
	case iconNear:
		arc(12, 19, 14, 1.25*math.Pi, 1.75*math.Pi, vector.Clockwise)
		arc(12, 19, 8, 1.25*math.Pi, 1.75*math.Pi, vector.Clockwise)
		arc(12, 19, 1, 0, 2*math.Pi, vector.Clockwise)
	case iconFar:
		arc(12, 12, 9, 0, 2*math.Pi, vector.Clockwise)
		line(3, 12, 21, 12)
		p.MoveTo(12, 3)
		p.CubicTo(6.5, 8, 6.5, 16, 12, 21)
		p.MoveTo(12, 3)
		p.CubicTo(17.5, 8, 17.5, 16, 12, 21)
	case iconPair:
		for _, x := range [...]float32{7, 17} {
			arc(x, 8, 3, 0, 2*math.Pi, vector.Clockwise)
			arc(x, 19, 5, math.Pi, 2*math.Pi, vector.Clockwise)
		}
	case iconLearn:
		arc(12, 8, 4.5, math.Pi, 2.25*math.Pi, vector.Clockwise)
		p.LineTo(12, 14)
		line(12, 14, 12, 15)
		arc(12, 20, 0.6, 0, 2*math.Pi, vector.Clockwise)
	case iconList:
		for _, y := range [...]float32{6, 12, 18} {
			line(9, y, 20, y)
			line(4, y, 4.6, y)
		}
	case iconLadder:
		line(5, 20, 5, 13)
		line(12, 20, 12, 5)
		line(19, 20, 19, 9)
	case iconPerson:
		arc(12, 8, 4, 0, 2*math.Pi, vector.Clockwise)
		arc(12, 21, 7.5, math.Pi, 2*math.Pi, vector.Clockwise)
	case iconSettings:
		line(4, 7, 20, 7)
		line(4, 17, 20, 17)
		arc(9, 7, 2.2, 0, 2*math.Pi, vector.Clockwise)
		arc(15, 17, 2.2, 0, 2*math.Pi, vector.Clockwise)
	case iconClassic:
		line(4, 4, 20, 4, 20, 20, 4, 20)
		p.Close()
		line(12, 4, 12, 20)
		line(4, 12, 20, 12)
	case iconStreak:
		line(13, 3, 5, 14, 12, 14, 11, 21, 19, 10, 12, 10)
		p.Close()
	case iconCopy:
		line(9, 9, 20, 9, 20, 20, 9, 20)
		p.Close()
		line(15, 4, 4, 4, 4, 15)
	}
	return p
}

func drawIcon(img *ebiten.Image, s shape) {
	path := &vector.Path{}
	var op vector.AddPathOptions
	op.GeoM.Scale(float64(s.w)/24, float64(s.w)/24)
	path.AddPath(iconPath(s.icon), &op)
	var white vector.DrawPathOptions
	white.AntiAlias = true
	white.ColorScale.ScaleWithColor(color.White)
	vector.StrokePath(img, path, &vector.StrokeOptions{Width: s.w / 24 * 2.4, LineCap: vector.LineCapRound, LineJoin: vector.LineJoinRound}, &white)
}

// Icon draws an icon in the middle of an area.
func (p *Paint) Icon(dst *ebiten.Image, k icon, r Rect, size float64, c color.NRGBA) {
	if k == noIcon {
		return
	}
	x, y := r.Mid()
	p.put(dst, shape{icon: k}, Rect{math.Floor(x - size/2), math.Floor(y - size/2), size, size}, c)
}
