package ui

import (
	"github.com/ebitenui/ebitenui/widget"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/streak"
)

// An asked question stands over the board.
type asked uint8

const (
	askNothing asked = iota
	askRestart
	askChance // none of the pieces fits: a second chance?
	askFault  // the end could not be kept
)

// question is what is asked: its words, and the buttons.
func (s *solo) question(e *Env) (head, text string) {
	switch s.asking {
	case askRestart:
		switch s.choice.Level {
		case "daily":
			return e.T("daily.give_up_question"), e.T("daily.give_up_explained", scored(s.state.Score()))
		case "arena":
			return e.T("arena.give_up_question"), e.T("arena.give_up_explained", scored(s.state.Score()))
		}
		return e.T("solo.restart_question"), e.T("solo.restart_explained", scored(s.state.Score()))
	case askChance:
		left := streak.MaxChances - s.state.(streak.State).ChancesTaken()
		return e.T("solo.stuck"), e.T("solo.chance_explained", Vars{"N": left})
	}
	return e.T("solo.not_kept"), e.Sorry(s.fault)
}

// answers are the ids of the buttons of a question.
func (s *solo) answers() [2]string {
	switch s.asking {
	case askRestart:
		if s.choice.Contest() {
			return [2]string{"solo.keep_playing", "daily.give_up"}
		}
		return [2]string{"solo.keep_playing", "solo.start_anew"}
	case askChance:
		return [2]string{"solo.take_chance", "solo.end"}
	}
	return [2]string{"solo.retry", "solo.leave"}
}

func (s *solo) buildQuestion(e *Env, put func(*tile, Rect) *tile) widget.Focuser {
	_, text := s.question(e)
	ids := s.answers()
	both := e.dialogButtons(text, e.T(ids[0]), e.T(ids[1]))
	var do [2]func()
	kind := Plain
	switch s.asking {
	case askRestart:
		kind = Costly
		do = [2]func(){func() { s.ask(askNothing) }, func() { s.ask(askNothing); s.end(true) }}
	case askChance:
		do = [2]func(){func() { s.ask(askNothing); s.play(e, engine.Move{Kind: engine.Chance}) }, func() { s.ask(askNothing); s.end(false) }}
	default:
		do = [2]func(){func() { s.ask(askNothing); s.end(false) }, s.leave}
	}
	first := put(e.Button(ids[0], Primary, do[0]), both[0])
	put(e.Button(ids[1], kind, do[1]), both[1])
	return first
}

func (s *solo) ask(q asked) {
	s.asking = q
	s.screen.Ask()
}
