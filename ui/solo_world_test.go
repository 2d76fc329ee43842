package ui

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
)

// soloStart is the first state of a choice.
func soloStart(c SoloChoice, seed string) SoloState {
	if c.Game == "streak" {
		return streak.New(sha256.Sum256([]byte(seed)), streak.Training)
	}
	for d := classic.Easy; ; d++ {
		if d.String() == c.Level {
			return classic.New(sha256.Sum256([]byte(seed)), d)
		}
	}
}

// soloRun is a SoloSeat that keeps nothing.
type soloRun struct {
	choice SoloChoice
	start  SoloState
	state  SoloState
	moves  []engine.Move
	hinted bool
	refuse error
	left   bool
	done   bool
}

func newSoloRun(c SoloChoice, seed string) *soloRun {
	s := soloStart(c, seed)
	return &soloRun{choice: c, start: s, state: s}
}

func (r *soloRun) State() SoloState { return r.state }
func (r *soloRun) Leave()           { r.left = true }

func (r *soloRun) Play(m engine.Move) error {
	if r.refuse != nil {
		return r.refuse
	}
	next, err := r.state.Apply(m)
	if err != nil {
		return err
	}
	r.state, r.hinted = next.(SoloState), m.Kind == engine.Hint
	r.moves = append(r.moves, m)
	return nil
}

func (r *soloRun) Hint() (bot.Hint, bool) {
	if !r.hinted {
		return bot.Hint{}, false
	}
	return bot.ClassicHint(r.state.(classic.State)), true
}

func (r *soloRun) TakeHint() (bot.Hint, error) {
	if !r.hinted {
		if err := r.Play(engine.Move{Kind: engine.Hint}); err != nil {
			return bot.Hint{}, err
		}
	}
	h, _ := r.Hint()
	return h, nil
}

func (r *soloRun) Finish() (SoloPlayed, bool, error) {
	if r.refuse != nil {
		return SoloPlayed{}, false, r.refuse
	}
	r.done = true
	return SoloPlayed{ID: "run0", Choice: r.choice, At: time.Date(2026, 11, 28, 9, 30, 0, 0, time.UTC), Score: r.state.Score(), Combo: r.state.BestCombo(),
		Placements: r.state.Placements(), Complete: r.state.Outcome().Over}, len(r.moves) > 0, nil
}

// decide is what a bot of a level does.
func (r *soloRun) decide(level bot.Level) engine.Move {
	p := bot.New(level, 5)
	if s, ok := r.state.(streak.State); ok {
		return p.Streak(s)
	}
	return p.Classic(r.state.(classic.State))
}

// playedSolo returns a run that a bot has played until stop says so.
func playedSolo(c SoloChoice, level bot.Level, stop func(SoloState) bool) *soloRun {
	for n := range 200 {
		r := newSoloRun(c, fmt.Sprint("solo", n))
		for !stop(r.state) && !r.state.Outcome().Over {
			if err := r.Play(r.decide(level)); err != nil {
				panic(err)
			}
		}
		if stop(r.state) {
			return r
		}
	}
	panic("no run has such a place")
}

// soloData is what the fake world knows of the solo games.
type soloData struct {
	seat     func(SoloChoice) *soloRun
	progress map[SoloChoice]int
	runs     []SoloPlayed
	daily    DailyView
	opened   func() (SoloSeat, error) // what PlayDaily answers
}

func newSoloData() soloData {
	d := soloData{seat: func(c SoloChoice) *soloRun { return newSoloRun(c, "fake") }, progress: map[SoloChoice]int{}}
	at := time.Date(2026, 11, 28, 9, 30, 0, 0, time.UTC)
	for i, score := range []int{1284, 2310, 655, 987, 1730, 402, 1511, 88, 1102, 760, 1965, 1340} {
		for _, c := range []SoloChoice{{"classic", "medium"}, {"streak", "training"}} {
			r := SoloPlayed{ID: fmt.Sprintf("run%d", i), Choice: c, At: at.Add(-time.Duration(i) * 31 * time.Hour), Score: score, Combo: 2 + i%4, Placements: score / 9, Complete: i != 5}
			if c.Game == "streak" {
				r.Score *= 11
			}
			d.runs = append(d.runs, r)
		}
	}
	d.daily = DailyView{Day: "2026-11-28", Proven: true, Left: 1, Place: "Place 3 of 9, above 6 of 8 players",
		Runs: []DailyLine{{Score: 9120, Chance: 1, Status: "counted", Best: true}, {Score: 4410, Chance: 2, Status: "waiting"}}}
	for i, code := range codes {
		d.daily.Board = append(d.daily.Board, DailyLine{Rank: i + 1, Code: code, Score: 12480 - 1680*i, Chance: 1 + i%3, Me: i == 2})
	}
	d.opened = func() (SoloSeat, error) {
		r := newSoloRun(training, "daily")
		r.choice = dailyChoice
		return r, nil
	}
	return d
}

func (w *fakeWorld) PlaySolo(c SoloChoice) (SoloSeat, error) {
	if w.refuse != nil {
		return nil, w.refuse
	}
	return w.solo.seat(c), nil
}

func (w *fakeWorld) SoloInProgress(c SoloChoice) (int, bool) {
	score, ok := w.solo.progress[c]
	return score, ok
}

func (w *fakeWorld) SoloBest(c SoloChoice) []SoloPlayed {
	var best []SoloPlayed
	for _, r := range w.solo.runs {
		if r.Choice != c {
			continue
		}
		i := 0
		for i < len(best) && best[i].Score >= r.Score {
			i++
		}
		best = append(best[:i], append([]SoloPlayed{r}, best[i:]...)...)
	}
	return best[:min(len(best), 10)]
}

func (w *fakeWorld) Daily() DailyView { return w.solo.daily }

func (w *fakeWorld) PlayDaily() (SoloSeat, error) { return w.solo.opened() }

func (w *fakeWorld) SoloRuns() []SoloPlayed { return w.solo.runs }

func (w *fakeWorld) SoloReplay(id string) (SoloReplay, error) {
	if id == "broken" {
		return SoloReplay{}, errors.New("entry 17 cannot be made")
	}
	r := playedSolo(SoloChoice{"classic", "hard"}, bot.Medium, func(s SoloState) bool { return s.Placements() == 30 })
	return SoloReplay{Start: r.start, Moves: r.moves, File: "/home/ada/runlog-" + id}, nil
}
