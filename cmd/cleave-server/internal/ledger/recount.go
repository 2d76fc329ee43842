package ledger

import (
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

// recount puts a player's best run of a contest on its boards. It follows from
// the runs alone, so it may be done at any time: the sums of days change by what
// the best changes.
func (t *turn) recount(c ranking.Contest, player record.Key) error {
	runs, err := t.RunsOf(c.String(), player)
	if err != nil {
		return err
	}
	var best *store.Run
	for i, r := range runs {
		counts := r.State == ranking.RunCounted || r.State == ranking.RunOfBot && c.Kind == ranking.ArenaContest
		if counts && (best == nil || r.Score > best.Score) {
			best = &runs[i]
		}
	}
	was, had, err := t.Score(c.String(), player)
	if err != nil {
		return err
	}
	now, err := t.line(c.String(), player, best)
	if err != nil {
		return err
	}
	if c.Kind == ranking.ArenaContest {
		return nil
	}
	days := 0
	if best != nil {
		days++
	}
	if had {
		days--
	}
	if now == was.Score && days == 0 {
		return nil
	}
	for _, board := range []string{c.Day().Month(), allTime} {
		if err := t.add(board, player, now-was.Score, days); err != nil {
			return err
		}
	}
	return nil
}

// allTime is the name of the board of all time.
const allTime = "all"

// line writes a player's line of a contest's board, and returns its score.
func (t *turn) line(board string, player record.Key, best *store.Run) (int64, error) {
	if best == nil {
		return 0, t.DropScore(board, player)
	}
	country, err := t.Country(player)
	if err != nil {
		return 0, err
	}
	return int64(best.Score), t.PutScore(board, store.Score{Player: player, Country: country, Score: int64(best.Score), ReachedMs: best.ReceivedMs,
		Combo: best.Combo, Attempt: best.Attempt, Days: 1, Run: best.ID})
}

// add changes a player's sum on a board of several days.
func (t *turn) add(board string, player record.Key, score int64, days int) error {
	s, had, err := t.Score(board, player)
	if err != nil {
		return err
	}
	if !had {
		country, err := t.Country(player)
		if err != nil {
			return err
		}
		s = store.Score{Player: player, Country: country}
	}
	s.Score += score
	s.Days += days
	s.ReachedMs = t.nowMs
	if s.Days == 0 {
		return t.DropScore(board, player)
	}
	return t.PutScore(board, s)
}
