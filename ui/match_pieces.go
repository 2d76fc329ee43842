package ui

import (
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// drawBlock draws the round's block, as it is being painted by whoever splits.
func (m *match) drawBlock(e *Env, dst *ebiten.Image) {
	t, s := e.Theme, m.view.State
	e.tray(dst, m.place.block)
	if s.Block() == 0 {
		return
	}
	r := m.place.grid(s.Block())
	mySplit := m.step.kind == engine.Split
	paint := m.view.Peer.Part & uint16(s.Block())
	if mySplit {
		paint = m.step.paint
	}
	if s.Split() != 0 {
		paint = s.Split()
	}
	if m.better.Kind == engine.Split {
		paint = uint16(m.better.Data)
	}
	small := paint
	if part, ok := splitOf(s.Block(), paint); ok {
		small = part
	}
	whole := s.Split() != 0 || small != 0 && s.Block().IsSplit(small)
	open := addable(s.Block(), paint)
	var marked uint16 // the piece that the other one is about to take
	if m.step.kind == engine.None && s.MayDecide(m.them()) == engine.Choose {
		switch m.view.Peer.Hover {
		case 1:
			marked = s.Split()
		case 2:
			marked = uint16(s.Block()) &^ s.Split()
		}
	}
	if m.better.Kind == engine.Choose {
		marked = [2]uint16{s.Split(), uint16(s.Block()) &^ s.Split()}[m.better.Data&1]
	}
	for i := range duel.Frame * duel.Frame {
		bit := uint16(1) << i
		if uint16(s.Block())&bit == 0 {
			continue
		}
		c := cellOf(r, duel.Frame, i)
		switch {
		case whole && small&bit != 0:
			e.cell(dst, c, t.Part[0], partPattern(e, 0))
		case whole:
			e.cell(dst, c, t.Part[1], partPattern(e, 1))
		case paint&bit != 0:
			e.cell(dst, c, t.Part[0], partPattern(e, 0))
		case mySplit && open&bit == 0 && paint != 0:
			e.cell(dst, c, mix(t.Well, t.Faint, 0.3), plain)
		default:
			e.cell(dst, c, mix(t.Faint, t.Well, 0.15), plain)
		}
		if marked&bit != 0 || mySplit && m.step.keyed && m.step.cursor == i {
			e.Paint.Stroke(dst, c, c.W*0.16, max(e.Px(3), 2), t.Ink)
		}
	}
}

// tray is the surface on which a block or a piece lies.
func (e *Env) tray(dst *ebiten.Image, r Rect) { e.panel(dst, r, e.Theme.Surface, e.Theme.Edge, 1) }

// drawShape draws a piece in the middle of an area, its cells no larger than
// size.
func (m *match) drawShape(e *Env, dst *ebiten.Image, r Rect, p engine.Piece, size float64, c color.NRGBA, pat pattern) {
	w, h := float64(p.Width()), float64(p.Height())
	size = min(size, r.W/w, r.H/h)
	x, y := r.X+(r.W-w*size)/2, r.Y+(r.H-h*size)/2
	for row := range p.Height() {
		for col := range p.Width() {
			if p.Cells().Has(row, col) {
				e.cell(dst, Rect{x + float64(col)*size, y + float64(row)*size, size, size}, c, pat)
			}
		}
	}
}

// drawCards draws the two pieces to choose from, and what each would bring.
func (m *match) drawCards(e *Env, dst *ebiten.Image) {
	t, s := e.Theme, m.view.State
	for i, p := range s.Parts() {
		r := m.place.cards[i]
		edge, width := t.Edge, 1.0
		fill := t.Surface
		if m.step.hover == i+1 {
			fill, edge, width = mix(t.Surface, t.Ink, 0.05), t.Faint, 2
		}
		if m.step.taken == i+1 {
			fill, edge, width = mix(t.Surface, t.Seat[0], 0.12), t.Seat[0], 3
		}
		e.panel(dst, r, fill, edge, width)
		pad := e.Px(12)
		in := r.Inset(pad)
		if r.W > r.H*1.25 {
			// The words stand beside the piece.
			words := Rect{in.X + in.W*0.5, in.Y, in.W * 0.5, in.H}
			notes := m.layNotes(e, i, words, words.H)
			m.drawShape(e, dst, Rect{in.X, in.Y, in.W*0.5 - pad, in.H}, p, in.W/4.6, t.Part[i], partPattern(e, i))
			if notesHigh(e, notes) > words.H {
				// Both numbers in one line.
				_, y := words.Mid()
				x := words.X
				for k := range notes {
					e.Type.Draw(dst, notes[k].text, x, y, Small, Left, t.Seat[k])
					x += e.Type.Width(notes[k].text, Small) + e.Px(8)
				}
				continue
			}
			m.drawNotes(e, dst, notes, words.X, words.Y+(words.H-notesHigh(e, notes))/2, Left)
			continue
		}
		notes := m.layNotes(e, i, in, in.H*0.45)
		high := notesHigh(e, notes)
		gap := e.Px(8)
		if high == 0 {
			gap = 0
		}
		m.drawShape(e, dst, Rect{in.X, in.Y, in.W, in.H - high - gap}, p, in.W/4.6, t.Part[i], partPattern(e, i))
		mid, _ := in.Mid()
		m.drawNotes(e, dst, notes, mid, in.Y+in.H-high, Centre)
	}
}

// layNotes says what a piece would bring each side: the best points where they
// may be shown, and always what it costs where it fits nowhere. Where there is
// no room for words the points alone stand, in the colours of the two.
func (m *match) layNotes(e *Env, part int, r Rect, high float64) *[2]laid {
	for form := range m.notes[part] {
		notes := &m.notes[part][form]
		for k, seat := range [2]int{m.me(), m.them()} {
			piece := part
			if k == 1 {
				piece = 1 - part
			}
			notes[k].note(e, m.note(e, seat, piece, form == 1), r.W)
		}
		if notesHigh(e, notes) <= high && !broken(notes) {
			return notes
		}
	}
	return &m.notes[part][1]
}

// broken says that a word of a note had to be broken.
func broken(notes *[2]laid) bool {
	for k := range notes {
		words := 0
		for i := range len(notes[k].text) {
			if notes[k].text[i] == ' ' {
				words++
			}
		}
		if notes[k].text != "" && len(notes[k].lines) > words+1 {
			return true
		}
	}
	return false
}

// note is what a piece would bring a seat, in words or as a number.
func (m *match) note(e *Env, seat, part int, brief bool) string {
	_, points, ok := m.best(seat, part)
	ids, name := [...]string{"choose.mine", "choose.mine_none", "choose.mine_blocked"}, ""
	if seat != m.me() {
		ids, name = [...]string{"choose.theirs", "choose.theirs_none", "choose.theirs_blocked"}, m.name(seat)
	}
	switch {
	case ok && !m.view.Friendly:
		return ""
	case brief:
		return signed(points)
	case !ok:
		return e.Say(ids[2], name, points)
	case points == 0:
		return e.Say(ids[1], name, 0)
	}
	return e.Say(ids[0], name, points)
}

// note breaks a note for a width, if it is not the one that was broken last.
func (l *laid) note(e *Env, text string, width float64) {
	if l.text == text && l.w == width && l.version == e.version {
		return
	}
	*l = laid{text: text, w: width, version: e.version, style: Small}
	if text != "" {
		l.lines = e.Type.Wrap(text, Small, width)
	}
}

func notesHigh(e *Env, notes *[2]laid) float64 {
	return float64(len(notes[0].lines)+len(notes[1].lines)) * e.Type.Line(Small)
}

func (m *match) drawNotes(e *Env, dst *ebiten.Image, notes *[2]laid, x, y float64, align Align) {
	y += e.Type.Line(Small) / 2
	for k := range notes {
		for _, line := range notes[k].lines {
			e.Type.Draw(dst, line, x, y, Small, align, e.Theme.Seat[k])
			y += e.Type.Line(Small)
		}
	}
}

// drawPiece draws the piece that is to be placed.
func (m *match) drawPiece(e *Env, dst *ebiten.Image) {
	r := m.place.block
	e.tray(dst, r)
	tint := e.Theme.Seat[0]
	if m.step.ghost != 0 {
		tint = mix(e.Theme.Surface, tint, 0.3)
	}
	m.drawShape(e, dst, r.Inset(r.W*0.1), m.piece(), m.place.mine.W/duel.Size, tint, seatPattern(e, 0))
}
