package ui

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
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

func (r *soloRun) Choice() SoloChoice { return r.choice }
func (r *soloRun) State() SoloState   { return r.state }
func (r *soloRun) Leave()             { r.left = true }

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
	opened   func() (SoloSeat, error) // what PlayDaily and PlayArena answer
	proof    SoloProof
	kept     []byte // the file
	sundays  bool
	arenas   ArenasView
	arena    ArenaView
	board    BoardView
	country  string
}

func newSoloData() soloData {
	d := soloData{seat: func(c SoloChoice) *soloRun { return newSoloRun(c, "fake") }, progress: map[SoloChoice]int{}}
	at := time.Date(2026, 11, 28, 9, 30, 0, 0, time.UTC)
	for i, score := range []int{1284, 2310, 655, 987, 1730, 402, 1511, 88, 1102, 760, 1965, 1340} {
		for _, c := range []SoloChoice{{Game: "classic", Level: "medium"}, {Game: "streak", Level: "training"}} {
			r := SoloPlayed{ID: fmt.Sprintf("run%d", i), Choice: c, At: at.Add(-time.Duration(i) * 31 * time.Hour), Score: score, Combo: 2 + i%4, Placements: score / 9, Complete: i != 5}
			if c.Game == "streak" {
				r.Score *= 11
			}
			d.runs = append(d.runs, r)
		}
	}
	d.daily = DailyView{Day: "2026-11-28", Proven: true, Left: 1, Place: Place{Rank: 3, Total: 9, Above: 6, Of: 8, Percentile: -1},
		Runs: []DailyLine{{Score: 9120, Chance: 1, Status: "counted", Best: true}, {Score: 4410, Chance: 2, Status: "waiting"}}}
	for i, code := range codes {
		d.daily.Board = append(d.daily.Board, DailyLine{Rank: i + 1, Code: code, Score: 12480 - 1680*i, Chance: 1 + i%3, Me: i == 2})
	}
	d.proof = SoloProof{Seed: strings.Repeat("0a1b2c3d", 8), Command: "cleavectl classic --level hard --seed " + strings.Repeat("0a1b2c3d", 8) + " --player human", Check: "cleavectl verify /home/ada/.local/share/cleave/default/runlog-5fe1"}
	d.sundays = true
	d.arenas = ArenasView{Known: true, Open: []ArenaLine{{ID: "3f2a", Left: 1432, Taken: 2, Seats: 20}, {ID: "91c0", Left: 47, Taken: 18, Seats: 20}},
		Mine: []ArenaLine{{ID: "b07d", Left: 312, Taken: 12, Seats: 20, Status: "counted", Score: 9120, Rank: 3}, {ID: "4e11", Closed: true, Taken: 20, Seats: 20, Status: "counted", Score: 5230, Rank: 11},
			{ID: "77aa", Closed: true, Taken: 20, Seats: 20, Status: "refused", Why: Notice{ID: "ranking.421", Name: "that day or arena is over"}, Score: 60}}}
	d.arena = ArenaView{Known: true, ArenaLine: d.arenas.Mine[0]}
	for i, level := range []string{"expert", "hard", "", "medium", "", "easy", "beginner"} {
		l := DailyLine{Rank: i + 1, Code: codes[i%4], Score: 14480 - 2180*i, Bot: level, Me: i == 2}
		if i == 4 {
			l.Country = "NP"
		}
		d.arena.Board = append(d.arena.Board, l)
	}
	d.arena.Board = append(d.arena.Board, DailyLine{Code: codes[3]})
	d.board = BoardView{Known: true, Of: "2026-11", Total: 57, Place: Place{Rank: 24, Total: 57, Above: 33, Of: 56, Percentile: 58}}
	for i := range 20 {
		l := DailyLine{Rank: i + 1, Code: codes[i%4], Score: 91480 - 3180*i}
		if i%3 == 1 {
			l.Country = "NP"
		}
		d.board.Lines = append(d.board.Lines, l)
	}
	for i := range 5 {
		d.board.Near = append(d.board.Near, DailyLine{Rank: 22 + i, Code: codes[i%4], Score: 21480 - 311*i, Me: i == 2})
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
	r := playedSolo(SoloChoice{Game: "classic", Level: "hard"}, bot.Medium, func(s SoloState) bool { return s.Placements() == 30 })
	return SoloReplay{Start: r.start, Moves: r.moves, File: "/home/ada/runlog-" + id}, nil
}

func (w *fakeWorld) SoloProof(string) (SoloProof, error) { return w.solo.proof, nil }
func (w *fakeWorld) Keep(name string, file []byte) (string, error) {
	w.solo.kept = file
	return "/home/ada/Pictures/" + name, w.refuse
}
func (w *fakeWorld) Sundays() bool                      { return w.solo.sundays }
func (w *fakeWorld) SetSundays(on bool) error           { w.solo.sundays = on; return w.refuse }
func (w *fakeWorld) Arenas() ArenasView                 { return w.solo.arenas }
func (w *fakeWorld) Arena(string) ArenaView             { return w.solo.arena }
func (w *fakeWorld) PlayArena(string) (SoloSeat, error) { return w.solo.opened() }
func (w *fakeWorld) Board(BoardChoice) BoardView        { return w.solo.board }
func (w *fakeWorld) Country() string                    { return w.solo.country }

func (w *fakeWorld) Published(run string) (*SoloReplay, error) {
	r, err := w.SoloReplay(run)
	return &r, err
}

func (w *fakeWorld) SetCountry(code string) error {
	if code != "" && code != "NP" {
		return Notice{ID: "trouble.country"}
	}
	w.solo.country = code
	return nil
}
