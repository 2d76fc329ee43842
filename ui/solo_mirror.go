package ui

import (
	"strconv"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
)

func (s *solo) widgets() *Screen { return &s.screen }

// The parts that a solo game adds to its buttons, beside those that move a
// piece.
const (
	partPiece    = "mirror.piece/" // and the number of the slot
	partPlace    = "mirror.place"
	partPutBack  = "mirror.put_back"
	mirrorPieces = streak.Hand
)

// mirror says the whole game in words, and gives what pointer and arrows do
// with the hand and the board to buttons.
func (s *solo) mirror(e *Env, out *Mirror) {
	out.Heading = soloName(e, s.choice)
	if s.asking != askNothing {
		head, text := s.question(e)
		out.Heading, out.Said = head, head
		out.Lines = append(out.Lines, text)
		return
	}
	out.Said = s.task(e)
	add := func(id string, v Vars) { out.Lines = append(out.Lines, e.T(id, v)) }
	add("mirror.solo_score", Vars{"N": s.state.Score(), "Points": number(s.state.Score()), "Pieces": number(s.state.Placements())})
	switch st := s.state.(type) {
	case classic.State:
		if st.Combo() > 0 {
			add("classic.combo", Vars{"N": st.Combo()})
		}
	case streak.State:
		add("streak.now", Vars{"N": st.Tally().Streak(), "Times": st.Tally().Multiplier()})
		out.Lines = append(out.Lines, streakTask(e, st.Tally()))
	}
	for i := range mirrorPieces {
		p := s.state.Piece(i)
		if p == 0 {
			continue
		}
		id := partPiece + strconv.Itoa(i)
		fits := "mirror.fits"
		if p.Fits(s.state.Board(), soloSize) == 0 {
			fits = "mirror.fits_not"
		}
		label := e.T("mirror.solo_piece", Vars{"Slot": i + 1, "Cells": p.Size(), "Rows": rowsOf(e, p.Cells(), soloSize), "Fits": e.T(fits)})
		out.Parts = append(out.Parts, MirrorPart{ID: id, Label: label, Chosen: s.hold.slot == i, Disabled: s.settled(), Rect: s.place.slots[i]})
	}
	if s.hold.slot != noSlot {
		for _, id := range [...]string{partBest, partUp, partDown, partLeft, partRight} {
			out.Parts = append(out.Parts, MirrorPart{ID: id, Label: e.T(id), Rect: s.place.board})
		}
		out.Parts = append(out.Parts, MirrorPart{ID: partPlace, Label: e.T(partPlace), Disabled: !s.hold.aimed || !s.hold.fits, Rect: s.place.board})
		out.Parts = append(out.Parts, MirrorPart{ID: partPutBack, Label: e.T(partPutBack), Rect: s.place.slots[s.hold.slot]})
		s.mirrorGhost(e, out)
	}
	add("mirror.mine", Vars{"Rows": rowsOf(e, s.state.Board(), soloSize)})
}

// mirrorGhost says where the piece would lie, and what it would do.
func (s *solo) mirrorGhost(e *Env, out *Mirror) {
	if !s.hold.aimed {
		return
	}
	cells := rowsOf(e, s.piece().At(s.hold.r, s.hold.c), soloSize)
	if !s.hold.fits {
		out.Said = e.T("mirror.not_there", Vars{"Rows": cells}) + " " + out.Said
		return
	}
	would := tryPlace(s.state, s.hold.slot, s.hold.r, s.hold.c)
	out.Said = e.T("mirror.ghost", Vars{"Rows": cells, "Lines": would.lines, "Points": would.points}) + " " + out.Said
}

// press does what a part of the game's own says.
func (s *solo) press(id string) bool {
	if s.asking != askNothing || s.settled() {
		return false
	}
	if len(id) == len(partPiece)+1 && id[:len(partPiece)] == partPiece {
		slot := int(id[len(partPiece)] - '0')
		if slot < 0 || slot >= mirrorPieces || s.state.Piece(slot) == 0 {
			return false
		}
		s.take(slot)
		return true
	}
	if s.hold.slot == noSlot {
		return false
	}
	switch id {
	case partUp:
		s.nudge(-1, 0)
	case partDown:
		s.nudge(1, 0)
	case partLeft:
		s.nudge(0, -1)
	case partRight:
		s.nudge(0, 1)
	case partBest:
		s.anotherSpot()
	case partPutBack:
		s.letGo()
	case partPlace:
		if !s.hold.aimed || !s.hold.fits {
			return false
		}
		s.due = true
	default:
		return false
	}
	return true
}

// anotherSpot takes the piece to the next place where it fits.
func (s *solo) anotherSpot() {
	h := &s.hold
	spots := s.piece().Fits(s.state.Board(), soloSize)
	if spots == 0 {
		return
	}
	after := spots
	if h.aimed && h.fits {
		// Those behind the place where it is, and from the first again.
		after &^= engine.Cell(h.r, h.c)<<1 - 1
		if after == 0 {
			after = spots
		}
	}
	h.r, h.c = after.First()
	h.aimed, h.fits, h.sure = true, true, true
}

func (s *soloReplay) mirror(e *Env, m *Mirror) {
	s.table.mirror(e, m)
	m.Parts = nil
	m.Said = e.T("replay.at", Vars{"At": s.at, "Of": len(s.states) - 1})
}

func (s *soloReplay) press(string) bool { return false }
