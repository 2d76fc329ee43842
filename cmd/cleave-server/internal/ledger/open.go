package ledger

import (
	"context"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

const (
	// leaves is how many opened matches of a player may end before their first
	// reveal within leavesMs, before no more are opened for a while. Who left is
	// not known: a match that is not opened can be played all the same.
	leaves   = 3
	leavesMs = 3600 * 1000
)

// Hand takes co-signed terms that a player wants to open a match with, and
// returns the player's seat and whether the match is opened already, with its
// receipt.
func (l *Ledger) Hand(ctx context.Context, nowMs int64, player record.Key, terms record.Terms, sigs [2]record.Signature) (seat int, opening *ranking.Receipt, err error) {
	seat = terms.Seat(player)
	if seat < 0 {
		return 0, nil, ranking.Refuse(ranking.NotYourMatch, "")
	}
	if err := judge.Terms(terms, sigs, l.games, l.key, nowMs); err != nil {
		return 0, nil, err
	}
	for _, k := range terms.Tickets {
		if nowMs/1000 >= k.Expires {
			return 0, nil, ranking.Refuse(ranking.TicketTooOld, "")
		}
	}
	var spent bool
	var left int
	var m store.Match
	err = l.write(ctx, nowMs, func(t *turn) error {
		if m, err = t.register(terms, sigs); err != nil {
			return err
		}
		for s := range 2 {
			others, err := t.others(m, s)
			if err != nil {
				return err
			}
			spent = spent || len(others) > 0
		}
		left, err = t.CountNotBegun(player, nowMs-leavesMs)
		return err
	})
	switch {
	case err != nil:
		return 0, nil, err
	case spent:
		// That the ticket turned up again is kept; the match is not opened.
		return 0, nil, ranking.Refuse(ranking.TicketSpent, "")
	case m.State != ranking.StateOpen && m.OpenedMs == 0:
		return 0, nil, ranking.Refuse(ranking.AlreadyDecided, "a log of it was handed in before")
	case m.OpenedMs > 0:
		r, err := readReceipt(m.Opening)
		return seat, &r, err
	case left >= leaves:
		return 0, nil, ranking.Refuse(ranking.LeftTooOften, "")
	}
	return seat, nil, nil
}

// Opened notes that both players were there at once, and returns the receipt.
func (l *Ledger) Opened(ctx context.Context, nowMs int64, id record.ID) (ranking.Receipt, error) {
	var m store.Match
	err := l.write(ctx, nowMs, func(t *turn) error {
		var known bool
		var err error
		if m, known, err = t.Match(id); err != nil {
			return err
		}
		switch {
		case !known:
			return ranking.Refuse(ranking.NotFound, "")
		case m.OpenedMs > 0:
			return nil
		case m.State != ranking.StateOpen:
			return ranking.Refuse(ranking.AlreadyDecided, "a log of it was handed in before")
		}
		m.OpenedMs = nowMs
		r := ranking.Receipt{Kind: ranking.Opened, Server: l.key, Match: id, TimeMs: nowMs, Leaf: -1}
		if m.Opening, err = r.Sign(l.sign).MarshalJSON(); err != nil {
			return err
		}
		return t.PutMatch(m)
	})
	if err != nil {
		return ranking.Receipt{}, err
	}
	return readReceipt(m.Opening)
}
