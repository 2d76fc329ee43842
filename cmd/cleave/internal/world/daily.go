package world

import (
	"context"
	"errors"
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

// dailyLines is how many players of a board are shown.
const dailyLines = 20

// contests is what is known of the contests of one server, and the runs in them
// that are being begun.
type contests struct {
	daily  glance[dailyTold]
	open   door
	arenas glance[arenasTold]

	mu        sync.Mutex
	key       record.Key // of the server that was met last
	keyAt     string     // its address, "" before one was
	arena     map[string]*glance[ranking.Arena]
	boards    map[ui.BoardChoice]*glance[ranking.Board]
	published map[string]*glance[ui.SoloReplay]
}

// soon makes the next looks ask.
func (c *contests) soon() {
	c.daily.soon()
	c.arenas.soon()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, g := range c.arena {
		g.soon()
	}
	for _, g := range c.boards {
		g.soon()
	}
}

// glanceOf is the glance for a key, a new one at its first look. What was looked
// at before many others is forgotten with all of them.
func glanceOf[K comparable, T any](c *contests, all *map[K]*glance[T], key K) *glance[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *all == nil || len(*all) >= 50 {
		*all = map[K]*glance[T]{}
	}
	if (*all)[key] == nil {
		(*all)[key] = &glance[T]{}
	}
	return (*all)[key]
}

// dailyTold is what a server told of today's challenge.
type dailyTold struct {
	deal  ranking.Daily
	board ranking.Board
}

// dailyChoice is the choice of a daily challenge.
var dailyChoice = ui.SoloChoice{Game: "streak", Level: "daily"}

// Daily is what is known of today's challenge; it asks again now and then.
func (w *World) Daily() ui.DailyView {
	s := look(w, &w.contests.daily, w.askDaily)
	v := ui.DailyView{Looking: s.looking, Trouble: s.trouble, Place: noPlace}
	if s.trouble.ID == "problem.ranking" {
		v.Trouble = ui.Notice{ID: "trouble.away"}
	}
	if s.known {
		v.Board, v.Place = w.boardLines(s.told.board.Players), placeOf(s.told.board.Place)
	}
	key, met := w.serverKey(w.server)
	if !met {
		return v
	}
	play := contest.New(w.vault, nil, key)
	deal, err := play.Fetched()
	if err != nil {
		if !errors.Is(err, contest.ErrNotFetched) {
			v.Trouble = notice(err)
		}
		return v
	}
	v.Day, v.Proven = deal.Day, true
	if pos, err := solo.Peek(w.vault, play.Slot()); err == nil {
		v.InProgress, v.Score = true, int(pos.Outcome().Score[0])
	}
	runs, err := play.Runs(deal.Day)
	if err != nil {
		v.Trouble = notice(err)
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
		lines = append(lines, ui.DailyLine{Score: int(r.Score), Chance: r.Chance, Status: string(r.State), Why: why(r.Reason, r.Text)})
		if r.State == contest.Counted && (best < 0 || r.Score > runs[best].Score) {
			best = i
		}
	}
	if best >= 0 {
		lines[best].Best = true
	}
	return lines
}

// why is the reason for which a run was not taken.
func why(r ranking.Reason, text string) ui.Notice {
	if r == ranking.None {
		return ui.Notice{}
	}
	return ui.Notice{ID: rankingReason(r), Name: text}
}

// serverKey is the key of a server that was met before: without it nothing is
// known of what was played there.
func (w *World) serverKey(server string) (record.Key, bool) {
	c := &w.contests
	c.mu.Lock()
	defer c.mu.Unlock()
	if server == "" {
		return record.Key{}, false
	}
	if c.keyAt == server {
		return c.key, true
	}
	known, err := table.RankingServers(w.vault)
	if err != nil {
		w.note("reading the servers", err)
	}
	for key, url := range known {
		if url == server {
			c.key, c.keyAt = key, server
			return key, true
		}
	}
	return record.Key{}, false
}

// askDaily hands in what waits, and asks for the day and its board.
func (w *World) askDaily(ctx context.Context, r *table.Ranking) (told dailyTold, err error) {
	if told.deal, err = contest.New(w.vault, r.Client, r.Key).Fetch(ctx); err != nil {
		return told, err
	}
	if err := w.handIn(ctx, r); err != nil {
		return told, err
	}
	told.board, err = r.Client.Board(ctx, ranking.BoardAsk{Kind: ranking.DayBoard, Of: told.deal.Day, Limit: dailyLines, Player: w.code()})
	if err != nil {
		return told, err
	}
	return told, w.keepStanding(ctx, r)
}

// code is the player's own.
func (w *World) code() string { return record.PlayerCode(w.id.Key()) }

// PlayDaily begins a run in the background, and returns its seat once there is
// one.
func (w *World) PlayDaily() (ui.SoloSeat, error) {
	if w.server == "" {
		return nil, ui.Notice{ID: "trouble.no_server"}
	}
	server := w.server
	return w.through(&w.contests.open, "daily", func(ctx context.Context) (*soloSeat, error) { return w.openDaily(ctx, server) })
}

func (w *World) openDaily(ctx context.Context, server string) (*soloSeat, error) {
	r, err := table.OpenRanking(ctx, w.vault, server)
	if err != nil {
		return nil, err
	}
	play := contest.New(w.vault, r.Client, r.Key)
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
	return &soloSeat{w: w, choice: dailyChoice, run: run, entry: play}, nil
}
