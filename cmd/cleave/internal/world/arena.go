package world

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/contest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/solo"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/ui"
)

// arenaChoice is the choice of all arenas.
var arenaChoice = ui.SoloChoice{Game: "streak", Level: "arena"}

// arenasShown is how many arenas that were entered are shown, the newest.
const arenasShown = 10

// arenasTold is what a server told of its arenas.
type arenasTold struct {
	open    []ranking.Arena
	mine    []ranking.Arena // with their entrants, the newest first
	entries []contest.Entry // the same, as they are kept
}

// Arenas is what is known of the arenas; it asks again now and then.
func (w *World) Arenas() ui.ArenasView {
	s := look(w, &w.contests.arenas, w.askArenas)
	v := ui.ArenasView{Known: s.known, Looking: s.looking, Trouble: s.trouble}
	for _, a := range s.told.open {
		if !slices.ContainsFunc(s.told.entries, func(e contest.Entry) bool { return e.Arena == a.Arena }) {
			v.Open = append(v.Open, w.arenaLine(a, s.at, contest.Entry{}))
		}
	}
	for i, a := range s.told.mine {
		v.Mine = append(v.Mine, w.arenaLine(a, s.at, s.told.entries[i]))
	}
	return v
}

func (w *World) askArenas(ctx context.Context, r *table.Ranking) (told arenasTold, err error) {
	if err := w.handIn(ctx, r); err != nil {
		return told, err
	}
	open, err := r.Client.Arenas(ctx)
	if err != nil {
		return told, err
	}
	told.open = open.Arenas
	entries, err := contest.NewArenas(w.vault, r.Client, r.Key).Entered()
	if err != nil {
		return told, err
	}
	slices.Reverse(entries)
	for _, e := range entries[:min(len(entries), arenasShown)] {
		a, err := r.Client.Arena(ctx, e.Arena)
		refusal := (*ranking.Refusal)(nil)
		if errors.As(err, &refusal) && refusal.Reason == ranking.NotFound {
			continue
		}
		if err != nil {
			return told, err
		}
		told.mine, told.entries = append(told.mine, a), append(told.entries, e)
	}
	return told, nil
}

// arenaLine is an arena as it is told in a list; at is when the server told it,
// whose clock it follows.
func (w *World) arenaLine(a ranking.Arena, at time.Time, e contest.Entry) ui.ArenaLine {
	now := a.NowMs + time.Since(at).Milliseconds()
	l := ui.ArenaLine{ID: a.Arena, Closed: a.Closed || now >= a.ClosesMs, Left: int(max(a.ClosesMs-now+59_999, 0) / 60_000), Taken: a.Taken, Seats: a.Seats,
		Status: string(e.State), Why: why(e.Reason, e.Text), Score: int(e.Score)}
	for _, o := range a.Entrants {
		if o.Played && o.Code == w.code() {
			l.Rank, l.Score = o.Rank, int(o.Score)
		}
	}
	if l.Status == string(contest.Playing) {
		if pos, err := solo.Peek(w.vault, contest.ArenaSlot(a.Arena)); err == nil {
			l.Score = int(pos.Outcome().Score[0])
		}
	}
	return l
}

// Arena is what is known of one arena; it asks again now and then.
func (w *World) Arena(id string) ui.ArenaView {
	s := look(w, glanceOf(&w.contests, &w.contests.arena, id), func(ctx context.Context, r *table.Ranking) (ranking.Arena, error) {
		if err := w.handIn(ctx, r); err != nil {
			return ranking.Arena{}, err
		}
		return r.Client.Arena(ctx, id)
	})
	v := ui.ArenaView{ArenaLine: ui.ArenaLine{ID: id}, Known: s.known, Looking: s.looking, Trouble: s.trouble}
	if !s.known {
		return v
	}
	var mine contest.Entry
	if key, met := w.serverKey(w.server); met {
		entries, err := contest.NewArenas(w.vault, nil, key).Entered()
		if err != nil {
			v.Trouble = notice(err)
		}
		for _, e := range entries {
			if e.Arena == id {
				mine = e
			}
		}
	}
	v.ArenaLine = w.arenaLine(s.told, s.at, mine)
	lines := make([]ranking.Line, len(s.told.Entrants))
	for i, e := range s.told.Entrants {
		lines[i] = e.Line
	}
	v.Board = w.boardLines(lines)
	if s.told.Closed {
		for i := range v.Board {
			v.Board[i].Run = lines[i].Run
		}
	}
	return v
}

// PlayArena goes on with a run in an arena, or takes a seat, in the background;
// it returns the run's seat once there is one.
func (w *World) PlayArena(id string) (ui.SoloSeat, error) {
	if w.server == "" {
		return nil, ui.Notice{ID: "trouble.no_server"}
	}
	server := w.server
	return w.through(&w.contests.open, "arena "+id, func(ctx context.Context) (*soloSeat, error) { return w.openArena(ctx, server, id) })
}

func (w *World) openArena(ctx context.Context, server, id string) (*soloSeat, error) {
	r, err := table.OpenRanking(ctx, w.vault, server)
	if err != nil {
		return nil, err
	}
	play := contest.NewArenas(w.vault, r.Client, r.Key)
	run, err := (*solo.Run)(nil), error(vault.ErrNotFound)
	if id != "" {
		run, err = play.Resume(id)
	}
	var spoilt *vault.CorruptError
	if errors.As(err, &spoilt) {
		w.note("going on with an arena", err)
		err = vault.ErrNotFound
	}
	if errors.Is(err, vault.ErrNotFound) {
		run, err = play.Enter(ctx, id, nil)
	}
	if err != nil {
		return nil, err
	}
	w.contests.soon()
	choice := arenaChoice
	if seat, err := ranking.ParseAttempt(run.Terms().Attempt); err == nil {
		choice.Arena = seat.Contest.String()
	}
	return &soloSeat{w: w, choice: choice, run: run, entry: play}, nil
}

// boardLines are the lines of a board.
func (w *World) boardLines(lines []ranking.Line) []ui.DailyLine {
	var out []ui.DailyLine
	me := w.code()
	for _, l := range lines {
		out = append(out, ui.DailyLine{Rank: l.Rank, Code: l.Code, Country: l.Country, Me: l.Code == me, Score: int(l.Score), Chance: l.Attempt, Bot: strings.TrimPrefix(l.Bot, "bot:")})
	}
	return out
}

// Published fetches a published run in the background, and checks it.
func (w *World) Published(run string) (*ui.SoloReplay, error) {
	s := look(w, glanceOf(&w.contests, &w.contests.published, run), func(ctx context.Context, r *table.Ranking) (ui.SoloReplay, error) {
		var id record.ID
		if b, err := hex.DecodeString(run); err != nil || len(b) != len(id) {
			return ui.SoloReplay{}, ui.Notice{ID: "trouble.no_run"}
		} else {
			copy(id[:], b)
		}
		file, err := r.Client.RunLog(ctx, id)
		if err != nil {
			return ui.SoloReplay{}, err
		}
		return replayOf(file, id)
	})
	if s.known {
		return &s.told, nil
	}
	if !s.looking && s.trouble != (ui.Notice{}) {
		return nil, s.trouble
	}
	return nil, nil
}
