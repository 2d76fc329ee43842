package ui

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
)

// advise shows the best decision there is, and a reason that anybody can check
// on the boards. Nothing is decided by it.
func (m *match) advise(e *Env) {
	s := m.view.State
	options := bot.Evaluate(s, m.me())
	if len(options) == 0 || m.step.sent {
		return
	}
	mv := options[0].Move
	switch mv.Kind {
	case engine.Split:
		m.step.paint = uint16(mv.Data)
		m.advice = m.whySplit(e, uint16(mv.Data))
	case engine.Choose:
		m.step.taken = int(mv.Data) + 1
		m.step.hover = m.step.taken
		m.advice = m.whyChoice(e, int(mv.Data))
	case engine.Place:
		m.aim(engine.Board(mv.Data))
		m.advice = m.whyPlace(e, engine.Board(mv.Data))
	}
	m.banner, m.bannerUntil, m.after = "", 0, banner{}
	e.Redraw()
}

// aim turns the piece so that it can lie in a place, and lays it there, not
// yet decided.
func (m *match) aim(spot engine.Board) {
	r, c := corner0(spot)
	for range 4 {
		if m.piece().At(r, c) == spot {
			break
		}
		m.step.turn = (m.step.turn + 1) % 4
	}
	m.step.ghost, m.step.pinned = spot, true
}

// whySplit says what the other side can make of each piece at best.
func (m *match) whySplit(e *Env, small uint16) string {
	block := uint16(m.view.State.Block())
	board := m.view.State.Board(m.them())
	_, a, okA := bestSpot(board, duel.PartPiece(small))
	_, b, okB := bestSpot(board, duel.PartPiece(block&^small))
	switch {
	case !okA && !okB:
		return e.Say("hint.split_blocked", m.name(m.them()), 0)
	case max(a, b) > 0:
		return e.Say("hint.split", m.name(m.them()), max(a, b))
	}
	return e.Say("hint.split_none", m.name(m.them()), 0)
}

// whyChoice compares what the two pieces bring now.
func (m *match) whyChoice(e *Env, taken int) string {
	_, mine, ok := m.best(m.me(), taken)
	_, other, otherOK := m.best(m.me(), 1-taken)
	_, theirs, theirsOK := m.best(m.them(), 1-taken)
	_, given, _ := m.best(m.them(), taken)
	switch {
	case !otherOK && ok:
		return e.Say("hint.choose_only", "", 0)
	case !theirsOK:
		return e.Say("hint.choose_blocks", m.name(m.them()), -duel.BlockedPoints)
	case mine > other:
		return e.Say("hint.choose_more", "", mine)
	case theirs < given:
		return e.Say("hint.choose_denies", m.name(m.them()), given)
	}
	return e.Say("hint.choose_room", "", 0)
}

// whyPlace says what a placement does on the board.
func (m *match) whyPlace(e *Env, spot engine.Board) string {
	before := m.view.State.Board(m.me())
	after, lines := (before | spot).Clear(duel.Size)
	holes := single(after) - single(before)
	switch k := lines.Count(); {
	case k == 1:
		return e.Say("hint.line", "", duel.LinePoints(k))
	case k > 1:
		return e.Say("hint.lines", "", duel.LinePoints(k))
	case fullest(after) == duel.Size-1 && fullest(before) < duel.Size-1:
		return e.Say("hint.nearly", "", 0)
	case holes <= 0:
		return e.Say("hint.no_holes", "", 0)
	}
	return e.Say("hint.least", "", 0)
}

// single counts the empty cells that have no empty neighbour.
func single(b engine.Board) int {
	n := 0
	empty := func(r, c int) bool {
		return r >= 0 && c >= 0 && r < duel.Size && c < duel.Size && !b.Has(r, c)
	}
	for r := range duel.Size {
		for c := range duel.Size {
			if empty(r, c) && !empty(r-1, c) && !empty(r+1, c) && !empty(r, c-1) && !empty(r, c+1) {
				n++
			}
		}
	}
	return n
}

// fullest is how many cells the fullest line of a board has.
func fullest(b engine.Board) int {
	most := 0
	for i := range duel.Size {
		row, col := 0, 0
		for j := range duel.Size {
			if b.Has(i, j) {
				row++
			}
			if b.Has(j, i) {
				col++
			}
		}
		most = max(most, row, col)
	}
	return most
}
