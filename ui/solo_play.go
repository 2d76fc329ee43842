package ui

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
)

// play hands a decision in, and shows what it did.
func (s *solo) play(e *Env, m engine.Move) {
	before := s.state
	if err := s.seat.Play(m); err != nil {
		s.say(e, e.Sorry(err), 240)
		e.Play(SoundBlocked)
		s.letGo()
		return
	}
	s.state = s.seat.State()
	s.given = false
	s.letGo()
	s.gone = e.Now
	if m.Kind == engine.Place {
		r := tryPlace(before, int(m.Data>>8), int(m.Data&0xff)/soloSize, int(m.Data&0xff)%soloSize)
		s.anims = append(s.anims, flash{placed: r.placed, cleared: r.cleared, points: r.points, start: e.Now, still: e.Settings.LessMotion})
		if r.lines > 0 {
			e.Play(SoundClear)
		} else {
			e.Play(SoundPlace)
		}
		s.tell(e, before, r)
	}
	if s.state.Stuck() {
		e.Play(SoundBlocked)
	}
	s.cursor = s.firstSlot()
	s.screen.Stale()
	e.Redraw()
}

// tell says what a placement meant beyond its points.
func (s *solo) tell(e *Env, before SoloState, r trial) {
	after, ok := s.state.(streak.State)
	if ok {
		was := before.(streak.State).Tally()
		switch now := after.Tally(); {
		case was.Streak() > 0 && now.Streak() == 0:
			s.say(e, e.T("streak.lost", Vars{"N": was.Streak()}), 200)
			return
		case now.Streak() > was.Streak():
			s.say(e, e.T("streak.grew", Vars{"N": now.Streak()}), 120)
			return
		}
	}
	if r.lines > 1 {
		s.say(e, e.T("solo.lines_at_once", Vars{"N": r.lines}), 120)
	}
}

func (s *solo) say(e *Env, text string, ticks int64) {
	s.banner, s.bannerUntil = text, e.Now+ticks
	e.Redraw()
}

// A trial is what a placement would do.
type trial struct {
	ok              bool
	placed, cleared engine.Board
	lines, points   int
}

// tryPlace is what placing a piece of the hand with its corner on a cell would
// do.
func tryPlace(state SoloState, slot, r, c int) trial {
	m := engine.Move{Kind: engine.Place, Data: streak.PlaceData(slot, r, c)}
	switch s := state.(type) {
	case classic.State:
		_, rep, err := classic.Apply(s, m)
		return trial{err == nil, rep.Placed, rep.Cleared, rep.Lines.Count(), rep.Points}
	case streak.State:
		_, rep, err := streak.Apply(s, m)
		return trial{err == nil, rep.Placed, rep.Cleared, rep.Lines.Count(), rep.Points.Sum()}
	}
	panic("ui: a solo game that is neither Classic nor Streak")
}

// takeHint takes a hint and lays the piece where it says, for a second press.
func (s *solo) takeHint(e *Env) {
	h, err := s.seat.TakeHint()
	if err != nil {
		s.say(e, e.T("solo.no_hint"), 150)
		return
	}
	s.state = s.seat.State()
	s.hint, s.given = h, true
	cell := int(h.Move.Data & 0xff)
	s.hold = hold{slot: int(h.Move.Data >> 8), aimed: true, r: cell / soloSize, c: cell % soloSize, fits: true, sure: true, pinned: true}
	s.bannerUntil = 0
	s.screen.Stale()
	e.Redraw()
}

// why puts the reason of a hint in words.
func (s *solo) why(e *Env) string { return e.T(whyTexts[s.hint.Why], Vars{"N": s.hint.N}) }

var whyTexts = map[bot.Why]string{
	bot.OnlyWay: "why.only_way", bot.ManyLines: "why.many_lines", bot.Combo: "why.combo", bot.OneLine: "why.one_line",
	bot.RoomForSquare: "why.square", bot.RoomForBar: "why.bar", bot.Ready: "why.ready", bot.NoHole: "why.no_hole", bot.BestPlan: "why.best_plan",
}
