package world

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/contest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/solo"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/ui"
)

// dailyEvery is how often the day's challenge is asked for while it is looked
// at.
const dailyEvery = 30 * time.Second

// dailyLines is how many players of a day's board are shown.
const dailyLines = 20

// daily is what is known of the day's challenge of one server.
type daily struct {
	mu      sync.Mutex
	server  string // its address
	asked   time.Time
	looking bool
	play    *contest.Daily // nil until the server is known
	online  bool           // it has answered
	trouble string
	place   string
	board   []ui.DailyLine

	opening bool // a run is being begun
	seat    *soloSeat
	err     error
}

// dailyChoice is the choice of a daily challenge.
var dailyChoice = ui.SoloChoice{Game: "streak", Level: "daily"}

// Daily is what is known of today's challenge; it asks again now and then.
func (w *World) Daily() ui.DailyView {
	d := &w.daily
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.server != w.server {
		// Another server has another day.
		d.server, d.asked, d.play, d.online, d.trouble, d.place, d.board = w.server, time.Time{}, nil, false, "", "", nil
	}
	if w.server == "" {
		return ui.DailyView{Trouble: "The daily challenge needs a server. Choose one under “Friends far away”."}
	}
	if !d.looking && time.Since(d.asked) > dailyEvery {
		d.looking, d.asked = true, time.Now()
		server := w.server
		w.work.Go(func() { w.lookAtDaily(server) })
	}
	v := ui.DailyView{Looking: d.looking, Trouble: d.trouble, Place: d.place, Board: d.board}
	if d.play == nil {
		return v
	}
	deal, err := d.play.Fetched()
	if err != nil {
		if !errors.Is(err, contest.ErrNotFetched) {
			v.Trouble = err.Error()
		}
		return v
	}
	v.Day, v.Proven = deal.Day, true
	if pos, err := solo.Peek(w.vault, d.play.Slot()); err == nil {
		v.InProgress, v.Score = true, int(pos.Outcome().Score[0])
	}
	runs, err := d.play.Runs(deal.Day)
	if err != nil {
		v.Trouble = err.Error()
		return v
	}
	v.Left = max(ranking.DailyAttempts-len(runs), 0)
	v.Runs = dailyRuns(runs)
	return v
}

// dailyRuns says which of the runs counts: the best that was not refused, of
// two with one score the earlier.
func dailyRuns(runs []contest.Run) []ui.DailyLine {
	var lines []ui.DailyLine
	best := -1
	for i, r := range runs {
		lines = append(lines, ui.DailyLine{Score: int(r.Score), Chance: r.Chance, Status: string(r.State), Why: r.Text})
		if r.State == contest.Counted && (best < 0 || r.Score > runs[best].Score) {
			best = i
		}
	}
	if best >= 0 {
		lines[best].Best = true
	}
	return lines
}

// meetDaily returns the server, and the daily challenge of its key.
func (w *World) meetDaily(ctx context.Context, server string) (*table.Ranking, *contest.Daily, error) {
	r, err := table.OpenRanking(ctx, w.vault, server)
	if err != nil {
		return nil, nil, err
	}
	return r, contest.New(w.vault, r.Client, r.Key), nil
}

// lookAtDaily hands in what waits, and asks for the day and its board.
func (w *World) lookAtDaily(server string) {
	ctx, cancel := context.WithTimeout(w.ctx, askFor)
	defer cancel()
	var (
		board ranking.Board
		deal  ranking.Daily
	)
	r, play, err := w.meetDaily(ctx, server)
	if err == nil {
		deal, err = play.Fetch(ctx)
	}
	if err == nil {
		_, err = play.Hand(ctx)
	}
	if err == nil {
		board, err = r.Client.Board(ctx, ranking.BoardAsk{Kind: ranking.DayBoard, Of: deal.Day, Limit: dailyLines, Player: record.PlayerCode(w.id.Key())})
	}
	d := &w.daily
	d.mu.Lock()
	defer d.mu.Unlock()
	d.looking = false
	if d.server != server {
		return
	}
	if play != nil {
		d.play = play
	}
	d.online, d.trouble = err == nil, ""
	if err != nil {
		if w.ctx.Err() == nil {
			d.trouble = dailyTrouble(err)
		}
		return
	}
	d.board, d.place = nil, ""
	me := record.PlayerCode(w.id.Key())
	for _, l := range board.Players {
		d.board = append(d.board, ui.DailyLine{Rank: l.Rank, Code: l.Code, Me: l.Code == me, Score: int(l.Score), Chance: l.Attempt})
	}
	if p := board.Place; p != nil {
		d.place = fmt.Sprintf("Place %d of %d", p.Rank, p.Total)
		if p.Sentence != "" {
			d.place += ", " + p.Sentence
		}
	}
}

// dailyTrouble is an error in words for the player.
func dailyTrouble(err error) string {
	if errors.Is(err, ranking.ErrUnreachable) {
		return "The server cannot be reached. What was fetched can be played, and is handed in later."
	}
	return err.Error()
}

// PlayDaily begins a run in the background, and returns its seat once there is
// one.
func (w *World) PlayDaily() (ui.SoloSeat, error) {
	d := &w.daily
	d.mu.Lock()
	defer d.mu.Unlock()
	if seat, err := d.seat, d.err; seat != nil || err != nil {
		d.seat, d.err = nil, nil
		if err != nil {
			return nil, err
		}
		return seat, nil
	}
	if d.opening {
		return nil, nil
	}
	if w.server == "" {
		return nil, errors.New("the daily challenge needs a server")
	}
	d.opening = true
	server := w.server
	w.work.Go(func() {
		seat, err := w.openDaily(server)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.opening, d.seat, d.err = false, seat, err
	})
	return nil, nil
}

func (w *World) openDaily(server string) (*soloSeat, error) {
	ctx, cancel := context.WithTimeout(w.ctx, 2*time.Minute) // a new key's proof of work takes a while
	defer cancel()
	_, play, err := w.meetDaily(ctx, server)
	if err != nil {
		return nil, err
	}
	run, err := play.Resume()
	var spoilt *vault.CorruptError
	if errors.As(err, &spoilt) {
		w.note("going on with a daily challenge", err)
		err = vault.ErrNotFound
	}
	if errors.Is(err, vault.ErrNotFound) {
		run, err = play.Begin(ctx, nil)
	}
	if errors.Is(err, ranking.ErrUnreachable) {
		run, err = play.BeginOffline(ranking.DayAt(time.Now().UnixMilli()), nil)
	}
	if err != nil {
		return nil, err
	}
	return &soloSeat{w: w, choice: dailyChoice, run: run, daily: play}, nil
}

// askDailySoon makes the next look at the daily challenge ask the server.
func (w *World) askDailySoon() {
	w.daily.mu.Lock()
	defer w.daily.mu.Unlock()
	w.daily.asked = time.Time{}
}
