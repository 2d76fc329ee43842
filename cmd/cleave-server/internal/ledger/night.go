package ledger

import (
	"context"
	"errors"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
)

// nightBatch is how many runs are read at once.
const nightBatch = 50

// ReplayNight replays every run that came before today and was not replayed
// again since. One that does not hold any more is flagged, its receipt says so,
// and it is taken off the boards. It returns how many were replayed and which
// were flagged; a night that was cut off goes on where it was.
func (l *Ledger) ReplayNight(ctx context.Context, nowMs int64) (replayed int, flagged []ranking.Run, err error) {
	before := ranking.DayAt(nowMs).StartMs()
	for {
		runs, files, err := l.unreplayed(ctx, before)
		if err != nil || len(runs) == 0 {
			return replayed, flagged, err
		}
		var fresh []*store.Run // that do not hold any more
		for i := range runs {
			if err := ctx.Err(); err != nil {
				return replayed, flagged, err
			}
			r := &runs[i]
			r.ReplayedMs = nowMs
			if r.State == ranking.RunFlagged {
				continue
			}
			reason, err := l.again(ctx, *r, files[i])
			if err != nil {
				return replayed, flagged, err
			}
			if reason != ranking.None {
				r.State, r.Reason = ranking.RunFlagged, reason
				fresh = append(fresh, r)
			}
		}
		err = l.write(ctx, nowMs, func(t *turn) error {
			for _, r := range fresh {
				var err error
				if r.Receipt, err = t.runReceipt(*r); err != nil {
					return err
				}
			}
			for _, r := range runs {
				if err := t.SetReplayed(r); err != nil {
					return err
				}
			}
			for _, r := range fresh {
				c, ok := ranking.ParseContest(r.Contest)
				if !ok {
					panic("ledger: a contest called " + r.Contest)
				}
				if err := t.recount(c, r.Player); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return replayed, flagged, err
		}
		replayed += len(runs)
		for _, r := range fresh {
			flagged = append(flagged, publicRun(*r, 0))
		}
	}
}

// unreplayed reads some runs that wait to be replayed, and their files.
func (l *Ledger) unreplayed(ctx context.Context, beforeMs int64) (runs []store.Run, files [][]byte, err error) {
	err = l.store.View(ctx, func(tx *store.Tx) error {
		var err error
		if runs, err = tx.Unreplayed(beforeMs, nightBatch); err != nil {
			return err
		}
		for _, r := range runs {
			file, err := tx.RunFile(r.ID, r.Hash)
			if err != nil {
				return err
			}
			files = append(files, file)
		}
		return nil
	})
	return runs, files, err
}

// again is what is wrong with a run that held when it came, None for nothing.
// The error is ctx's when that ends before.
func (l *Ledger) again(ctx context.Context, r store.Run, file []byte) (ranking.Reason, error) {
	v, err := judge.ReadRun(file, l.games, l.key)
	if err == nil {
		v, err = v.PlayAgain(ctx)
	}
	if refusal, ok := errors.AsType[*ranking.Refusal](err); ok {
		return refusal.Reason, nil
	}
	switch {
	case err != nil:
		return ranking.None, err
	case v.Flag != ranking.None:
		return v.Flag, nil
	case v.Hash != r.Hash || v.ID != r.ID:
		return ranking.NotARun, nil
	case v.Claim.Score != r.Score:
		return ranking.RunWrongScore, nil
	}
	return ranking.None, nil
}
