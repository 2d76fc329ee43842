package ui

import (
	"fmt"
	"strings"

	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/streak"
)

// soloShot is a scene of a run that a bot has brought to where stop says.
func soloShot(name string, c SoloChoice, stop func(SoloState) bool, before func(e *Env, s *solo)) shot {
	return shot{name: name,
		scene: func(w *fakeWorld) Scene { return newSolo(w, c, playedSolo(c, bot.Medium, stop)) },
		before: func(e *Env, s Scene) {
			if before != nil {
				before(e, s.(*solo))
			}
		}}
}

func blockedSpot(s *solo) (r, c int) {
	p := s.piece()
	spots := p.Fits(s.state.Board(), soloSize)
	for i := range soloSize * soloSize {
		r, c := i/soloSize, i%soloSize
		if r+p.Height() <= soloSize && c+p.Width() <= soloSize && !spots.Has(r, c) {
			return r, c
		}
	}
	return 0, 0
}

func init() {
	result := func(c SoloChoice, n int) func(w *fakeWorld) Scene {
		return func(w *fakeWorld) Scene {
			seat := playedSolo(c, bot.Easy, func(s SoloState) bool { return s.Outcome().Over })
			run, _, _ := seat.Finish()
			run.ID, run.Helped = w.SoloBest(SoloChoice{Game: "classic", Level: "medium"})[n].ID, n
			r := newSoloResult(w, c, run, seat.state)
			if n > 0 {
				r.choice = SoloChoice{Game: "classic", Level: "medium"}
			}
			return r
		}
	}
	shots = append(shots,
		shot{name: "solo-classic", scene: func(w *fakeWorld) Scene { return newSoloMenu(w, "classic") }},
		shot{name: "solo-streak", scene: func(w *fakeWorld) Scene { w.solo.progress[training] = 4120; return newSoloMenu(w, "streak") }},
		shot{name: "solo-history", scene: func(w *fakeWorld) Scene { return newSoloHistory(w, "classic") }},
		shot{name: "solo-help-streak", scene: func(w *fakeWorld) Scene { return newSoloHelp(w, "streak") }},
		shot{name: "solo-help-classic", scene: func(w *fakeWorld) Scene { return newSoloHelp(w, "classic") }},
		soloShot("solo-begin", classicHard, after(0), nil),
		soloShot("solo-play", classicHard, after(14), nil),
		soloShot("solo-lines", classicHard, func(s SoloState) bool { _, _, _, ok := completing(s, 2); return ok && s.Placements() > 20 }, func(e *Env, s *solo) {
			slot, r, c, _ := completing(s.state, 2)
			s.pick(slot)
			s.near(float64(r), float64(c), 0.1)
		}),
		soloShot("solo-not-there", classicHard, after(14), func(e *Env, s *solo) {
			s.pick(s.firstSlot())
			r, c := blockedSpot(s)
			s.near(float64(r), float64(c), 0)
			b := s.place.board
			s.hold.carried, s.hold.x, s.hold.y = true, b.X+float64(c)*b.W/8+3, b.Y+float64(r)*b.W/8-4
		}),
		soloShot("solo-carried", training, after(22), func(e *Env, s *solo) {
			s.pick(s.firstSlot())
			r, c := s.piece().Fits(s.state.Board(), soloSize).First()
			x, y := pointerFor(e, s, s.hold.slot, r, c, true, 0.3, 0.25)
			s.carry(e, &Controls{X: x, Y: y, Down: true, Touch: true})
		}),
		soloShot("solo-hint", classicHard, after(17), func(e *Env, s *solo) { s.takeHint(e) }),
		soloShot("solo-keys", training, after(20), func(e *Env, s *solo) { s.keyed = true; s.take(1) }),
		soloShot("solo-danger", training, func(s SoloState) bool {
			return endangered(s.(streak.State).Tally()) && s.(streak.State).Tally().Streak() > 2 && !s.Stuck()
		}, nil),
		soloShot("solo-chance", training, SoloState.Stuck, func(e *Env, s *solo) { s.ask(askChance) }),
		soloShot("solo-restart", classicHard, after(14), func(e *Env, s *solo) { s.ask(askRestart) }),
		shot{name: "solo-daily", scene: func(w *fakeWorld) Scene { return newSoloDaily(w) }},
		shot{name: "solo-daily-away", scene: func(w *fakeWorld) Scene {
			w.solo.daily = DailyView{Trouble: Notice{ID: "trouble.away"}}
			return newSoloDaily(w)
		}},
		shot{name: "solo-daily-used", scene: func(w *fakeWorld) Scene {
			d := &w.solo.daily
			d.Left, d.Runs = 0, append(d.Runs, DailyLine{Score: 60, Status: "refused", Why: Notice{ID: "ranking.421", Name: "the day is over"}})
			return newSoloDaily(w)
		}},
		shot{name: "arenas", scene: func(w *fakeWorld) Scene { return newArenas(w) }},
		shot{name: "arenas-none", scene: func(w *fakeWorld) Scene { w.solo.arenas = ArenasView{Known: true}; return newArenas(w) }},
		shot{name: "arena", scene: func(w *fakeWorld) Scene { return newArena(w, "b07d") }},
		shot{name: "arena-enter", scene: func(w *fakeWorld) Scene {
			w.solo.arena = ArenaView{Known: true, ArenaLine: w.solo.arenas.Open[1], Board: w.solo.arena.Board[1:2]}
			return newArena(w, "91c0")
		}},
		shot{name: "arena-closed", scene: func(w *fakeWorld) Scene {
			a := &w.solo.arena
			a.Closed = true
			for i := range a.Board[:7] {
				a.Board[i].Run = fmt.Sprint("run", i)
			}
			return newArena(w, "b07d")
		}},
		shot{name: "boards", scene: func(w *fakeWorld) Scene {
			w.solo.country = "NP"
			b := newBoards(w, func() Scene { return newSoloDaily(w) })
			b.choice.Span = "month"
			return b
		}},
		shot{name: "boards-empty", scene: func(w *fakeWorld) Scene {
			w.solo.board = BoardView{Known: true, Place: Place{Percentile: -1}}
			return newBoards(w, func() Scene { return newSoloDaily(w) })
		}},
		shot{name: "solo-proof-daily", scene: func(w *fakeWorld) Scene {
			p := &w.solo.proof
			p.Day, p.Layer, p.Anchor, p.Leads = "2026-11-28", 332, strings.Repeat("9e8d7c6b", 8), true
			p.Command = "cleavectl streak --level counting --seed " + p.Seed + " --player human"
			r := result(training, 0)(w).(*soloResult)
			r.choice, r.run.Chance = dailyChoice, 2
			return r
		}, before: func(e *Env, s Scene) { r := s.(*soloResult); r.proven = true; r.screen.Ask() }},
		shot{name: "solo-result-saved", scene: func(w *fakeWorld) Scene {
			r := result(training, 0)(w).(*soloResult)
			r.choice, r.run.Chance = dailyChoice, 2
			return r
		}, before: func(e *Env, s Scene) {
			s.(*soloResult).said = e.T("share.saved", Vars{"Path": "/home/ada/Pictures/cleave-streak-9120.png"})
			s.(*soloResult).screen.Stale()
		}},
		shot{name: "solo-result", scene: result(training, 0)},
		shot{name: "solo-result-best", scene: result(classicHard, 2)},
		shot{name: "solo-proof", scene: result(classicHard, 0), before: func(e *Env, s Scene) { r := s.(*soloResult); r.proven = true; r.screen.Ask() }},
		shot{name: "solo-replay", scene: func(w *fakeWorld) Scene {
			r, _ := w.SoloReplay("run1")
			return newSoloReplay(w, classicHard, r, func() Scene { return newSoloHistory(w, "classic") })
		}, before: func(e *Env, s Scene) { s.(*soloReplay).show(17) }},
	)
}
