package world

import (
	"fmt"
	"math"
	"path/filepath"
	"sync"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/ui"
)

// Matches lists what was played, newest first.
func (w *World) Matches() []ui.Played {
	logs, err := w.vault.Logs()
	if err != nil {
		w.note("reading the history", err)
	}
	list := make([]ui.Played, 0, len(logs))
	for i := len(logs) - 1; i >= 0; i-- {
		list = append(list, w.played(logs[i]))
	}
	return list
}

func (w *World) played(l vault.LogInfo) ui.Played {
	p := ui.Played{
		ID: l.ID, At: l.Saved, Against: ui.Person{Name: l.OpponentName, Code: l.Opponent}, Rated: l.Rated,
		Score: [2]int{int(l.Score[l.Seat&1]), int(l.Score[1-l.Seat&1])}, Won: 2,
	}
	switch {
	case !l.Complete || l.Result == "no result":
	case l.Winner == engine.Nobody:
		p.Won = 0
	case l.Winner == l.Seat:
		p.Won = 1
	default:
		p.Won = -1
	}
	if l.Rated {
		p.Status = w.status(l.ID)
	}
	return p
}

// Replay opens a match and checks its record: chance, signatures, moves.
func (w *World) Replay(id string) (ui.Replay, error) {
	file, err := w.vault.Log(id)
	if err != nil {
		return ui.Replay{}, told(err)
	}
	r := ui.Replay{File: filepath.Join(w.vault.Where(), "log-"+id)}
	log, err := record.ParseLog(file)
	if err != nil {
		return r, told(err)
	}
	v, err := record.Verify(log, games.All())
	if err != nil {
		return r, told(err)
	}
	pos, ok := v.Position().(duel.State)
	if !ok {
		return r, ui.Notice{ID: "problem.not_duel"}
	}
	for n := 1; n <= v.Len(); n++ {
		r.Moves = append(r.Moves, v.EntryAt(n).Move)
	}
	info := w.info(id)
	r.View = ui.View{State: pos, Moves: r.Moves, Me: info.Seat, Friendly: true}
	r.View.Names[info.Seat&1], r.View.Names[1-info.Seat&1] = w.name(), info.OpponentName
	r.Proofs = proofs(v)
	return r, nil
}

// proofs are the checks that Verify has made, for a person.
func proofs(v record.Verified) []ui.Proof {
	return []ui.Proof{
		{Text: "proof.chain", OK: true},
		{Text: "proof.chance", OK: true},
		{Text: "proof.replay", OK: true},
		{Text: "proof.signatures", OK: true},
		{Text: "proof.sealed", OK: v.Sealed()},
	}
}

func (w *World) info(id string) vault.LogInfo {
	logs, err := w.vault.Logs()
	if err != nil {
		w.note("reading the history", err)
	}
	for _, l := range logs {
		if l.ID == id {
			return l
		}
	}
	return vault.LogInfo{}
}

// reviews are the reviews under way and done, by match and seat.
type reviews struct {
	mu   sync.Mutex
	runs map[string]*review
}

type review struct {
	notes    []ui.ReviewNote
	progress float64
	err      error
}

// leastWorth is how many points a better move must be worth to be told of.
const leastWorth = 1.0

// Review values a seat's decisions in the background.
func (w *World) Review(id string, seat int) ([]ui.ReviewNote, float64, error) {
	w.reviews.mu.Lock()
	defer w.reviews.mu.Unlock()
	key := fmt.Sprint(id, "/", seat)
	r := w.reviews.runs[key]
	if r == nil {
		r = &review{}
		if w.reviews.runs == nil {
			w.reviews.runs = map[string]*review{}
		}
		w.reviews.runs[key] = r
		w.work.Go(func() { w.value(r, id, seat) })
	}
	return r.notes, r.progress, told(r.err)
}

func (w *World) value(r *review, id string, seat int) {
	replay, err := w.Replay(id)
	if err != nil {
		w.reviews.mu.Lock()
		r.err = err
		w.reviews.mu.Unlock()
		return
	}
	s := duel.New(replay.View.State.Match())
	for i, m := range replay.Moves {
		if w.ctx.Err() != nil {
			return
		}
		note, ok := valueMove(s, m, seat)
		w.reviews.mu.Lock()
		if ok {
			note.Move = i
			r.notes = append(r.notes, note)
		}
		r.progress = float64(i+1) / float64(len(replay.Moves))
		w.reviews.mu.Unlock()
		next, _, err := duel.Apply(s, m)
		if err != nil {
			return
		}
		s = next
	}
}

// valueMove compares a decision with the best there was.
func valueMove(s duel.State, m engine.Move, seat int) (ui.ReviewNote, bool) {
	if int(m.Seat) != seat || m.Kind == engine.Reveal || m.Kind == engine.Resign || s.MayDecide(seat) == engine.None {
		return ui.ReviewNote{}, false
	}
	best := ui.ReviewNote{Points: math.Inf(-1)}
	mine := math.Inf(-1)
	for _, o := range bot.Evaluate(s, seat) {
		if o.Value > best.Points {
			best.Points, best.Better = o.Value, o.Move
		}
		if o.Move == m {
			mine = o.Value
		}
	}
	if math.IsInf(best.Points, -1) || m.Kind == engine.Flag {
		return ui.ReviewNote{}, false
	}
	best.Points -= mine
	return best, best.Points >= leastWorth
}
