package ui

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

func (m *match) widgets() *Screen { return &m.screen }

// mirror says the whole match in words, and gives what pointer and arrows do
// with board and block to buttons.
func (m *match) mirror(e *Env, out *Mirror) {
	s := m.view.State
	out.Heading = e.Say("match.round", "", max(min(s.Round(), duel.Rounds), 1))
	add := func(id string, v Vars) { out.Lines = append(out.Lines, e.T(id, v)) }
	if m.leaving {
		out.Heading = e.T("match.leave_question")
		out.Said = out.Heading
		add("match.leave_explained", nil)
		return
	}
	add("mirror.scores", Vars{"Name": m.name(m.them()), "Mine": s.Score(m.me()), "Theirs": s.Score(m.them())})
	out.Said = m.task(e)
	if m.view.Paused {
		out.Said = e.T("match.paused")
	}
	if m.banner != "" && m.bannerUntil != 0 {
		out.Said = m.banner + ". " + out.Said
	}
	if m.advice != "" {
		out.Said = m.advice + ". " + out.Said
	}
	switch m.step.kind {
	case engine.Split:
		m.mirrorSplit(e, out)
	case engine.Choose:
		m.mirrorChoose(e, out)
	case engine.Place:
		m.mirrorPlace(e, out)
	}
	add("mirror.mine", Vars{"Rows": rows(e, s.Board(m.me()))})
	add("mirror.theirs", Vars{"Name": m.name(m.them()), "Rows": rows(e, s.Board(m.them()))})
}

// rows says which cells of a board are set: "row 1: 2, 3; row 4: 6".
func rows(e *Env, b engine.Board) string { return rowsOf(e, b, duel.Size) }

func rowsOf(e *Env, b engine.Board, size int) string {
	var said []string
	for r := range size {
		var columns []string
		for c := range size {
			if b.Has(r, c) {
				columns = append(columns, strconv.Itoa(c+1))
			}
		}
		if columns != nil {
			said = append(said, e.T("mirror.row", Vars{"Row": r + 1, "Columns": strings.Join(columns, ", ")}))
		}
	}
	if said == nil {
		return e.T("mirror.empty")
	}
	return strings.Join(said, "; ")
}

func (m *match) mirrorSplit(e *Env, out *Mirror) {
	block := m.view.State.Block()
	out.Lines = append(out.Lines, e.T("mirror.block", Vars{"Rows": rowsOf(e, block.Cells(), duel.Frame)}))
	if m.step.paint == 0 {
		return
	}
	part := duel.Block(m.step.paint)
	rest := duel.Block(uint16(block) &^ m.step.paint)
	text := e.T("mirror.split", Vars{
		"Cells": bits.OnesCount16(uint16(part)), "Rows": rowsOf(e, part.Cells(), duel.Frame),
		"Others": bits.OnesCount16(uint16(rest)), "Rest": rowsOf(e, rest.Cells(), duel.Frame),
	})
	out.Lines = append(out.Lines, text)
	out.Said = text + " " + out.Said
}

// The parts that a match adds to its buttons.
const (
	partSmaller = "mirror.smaller"
	partLarger  = "mirror.larger"
	partUp      = "mirror.up"
	partDown    = "mirror.down"
	partLeft    = "mirror.left"
	partRight   = "mirror.right"
	partBest    = "mirror.somewhere"
)

func (m *match) mirrorChoose(e *Env, out *Mirror) {
	for i, p := range m.view.State.Parts() {
		id := partSmaller
		if i == 1 {
			id = partLarger
		}
		label := e.T(id, Vars{"Cells": p.Size(), "Rows": rowsOf(e, p.Cells(), duel.Size)})
		out.Parts = append(out.Parts, MirrorPart{ID: id, Label: label, Chosen: m.step.taken == i+1, Disabled: m.step.sent, Rect: m.place.cards[i]})
		if m.step.taken == i+1 {
			out.Said = e.T("mirror.taken", Vars{"Piece": label}) + " " + out.Said
		}
	}
}

func (m *match) mirrorPlace(e *Env, out *Mirror) {
	s := m.view.State
	p := m.piece()
	out.Lines = append(out.Lines, e.T("mirror.piece", Vars{"Cells": p.Size(), "Rows": rowsOf(e, p.Cells(), duel.Size)}))
	for _, id := range [...]string{partBest, partUp, partDown, partLeft, partRight} {
		out.Parts = append(out.Parts, MirrorPart{ID: id, Label: e.T(id), Disabled: m.step.sent, Rect: m.place.mine})
	}
	if g := m.step.ghost; g != 0 {
		_, lines := (s.Board(m.me()) | g).Clear(duel.Size)
		points := 0
		if lines.Count() > 0 {
			points = duel.LinePoints(lines.Count())
		}
		out.Said = e.T("mirror.ghost", Vars{"Rows": rows(e, g), "Lines": lines.Count(), "Points": points}) + " " + out.Said
	}
}

// press does what a part of the match's own says.
func (m *match) press(id string) bool {
	if m.step.sent || m.leaving || m.view.Paused {
		return false
	}
	s := &m.step
	switch {
	case s.kind == engine.Choose && id == partSmaller:
		s.taken, s.hover = 1, 1
	case s.kind == engine.Choose && id == partLarger:
		s.taken, s.hover = 2, 2
	case s.kind != engine.Place:
		return false
	case id == partUp:
		m.mirrorNudge(-1, 0)
	case id == partDown:
		m.mirrorNudge(1, 0)
	case id == partLeft:
		m.mirrorNudge(0, -1)
	case id == partRight:
		m.mirrorNudge(0, 1)
	case id == partBest:
		m.anotherSpot()
	default:
		return false
	}
	return true
}

// mirrorNudge moves the ghost as the arrows do, and leaves it there.
func (m *match) mirrorNudge(dr, dc int) {
	m.nudge(dr, dc)
	m.step.keyed, m.step.pinned = true, m.step.ghost != 0
}

// anotherSpot takes the ghost to the next place where the piece fits, turning
// it when it has been everywhere.
func (m *match) anotherSpot() {
	for range 4 {
		p := m.piece()
		spots := p.Fits(m.view.State.Board(m.me()), duel.Size)
		passed := m.step.ghost == 0
		for rest := spots; rest != 0; rest &= rest - 1 {
			at := p.At((rest & -rest).First())
			if passed {
				m.step.ghost, m.step.pinned, m.step.keyed = at, true, true
				return
			}
			passed = at == m.step.ghost
		}
		m.step.ghost = 0
		m.step.turn = (m.step.turn + 1) % 4
	}
}
