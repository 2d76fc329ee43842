package ui

import (
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
)

// task says what is to do, or how things stand.
func (s *solo) task(e *Env) string {
	switch {
	case s.bannerUntil != 0:
		return s.banner
	case s.hold.carried && s.hold.aimed && s.hold.fits:
		return e.T("solo.let_go")
	case s.hold.carried && s.hold.aimed:
		return e.T("solo.not_there")
	case s.hold.carried:
		return ""
	case s.given:
		return s.why(e)
	case s.hold.pinned:
		return e.T("solo.press_again")
	case s.hold.slot != noSlot && s.state.Piece(s.hold.slot).Fits(s.state.Board(), soloSize) == 0:
		return e.T("solo.fits_nowhere")
	case s.hold.slot != noSlot && s.keyed:
		return e.T("solo.by_keys")
	case s.hold.slot != noSlot:
		return e.T("solo.picked")
	}
	if st, ok := s.state.(streak.State); ok {
		return streakTask(e, st.Tally())
	}
	if c := s.state.(classic.State); c.Combo() > 0 {
		return e.T("classic.combo_task", Vars{"N": 5 * c.Combo()})
	}
	if s.state.Placements() == 0 {
		return e.T("solo.start")
	}
	return ""
}

// streakTask says what keeps the streak, and what loses it.
func streakTask(e *Env, t streak.Tally) string {
	left := streak.RoundLen - t.PlacedInRound()
	switch {
	case t.ClearedInRound():
		return e.T("streak.safe")
	case t.Streak() == 0:
		return e.T("streak.begin")
	case t.Forgiven():
		return e.T("streak.or_lost", Vars{"N": left})
	}
	return e.T("streak.forgiving")
}
