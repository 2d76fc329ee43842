package ledger

import (
	"context"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/rating"
	"github.com/cleavegame/cleave/lockstep/record"
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
		return nil
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

// Claim takes a claim with the log so far, and says whether it is new. It is
// kept and receipted; claims are not decided yet, so the match stays unrated
// (ClaimUndecided) until a complete log comes.
func (l *Ledger) Claim(ctx context.Context, nowMs int64, player record.Key, kind ranking.ClaimKind, v judge.Verdict) (_ ranking.Receipt, fresh bool, err error) {
	if kind != ranking.Silence && kind != ranking.Overdue && kind != ranking.CallOff {
		return ranking.Receipt{}, false, ranking.Refuse(ranking.BadRequest, "no such kind of claim")
	}
	if v.Reason == ranking.Friendly {
		return ranking.Receipt{}, false, ranking.Refuse(ranking.Friendly, "")
	}
	if v.Verified.Terms().Seat(player) < 0 {
		return ranking.Receipt{}, false, ranking.Refuse(ranking.NotYourMatch, "")
	}
	if v.Outcome.Over {
		return ranking.Receipt{}, false, ranking.Refuse(ranking.AlreadyDecided, "the log is complete: upload it")
	}
	entry := v.Verified.Len() + 1
	var m store.Match
	var body []byte
	err = l.write(ctx, nowMs, func(t *turn) error {
		var known bool
		if m, known, err = t.Match(v.Verified.ID()); err != nil {
			return err
		}
		if !known || m.OpenedMs == 0 {
			return ranking.Refuse(ranking.NotOpened, "")
		}
		if body, known, err = t.ClaimReceipt(m.ID, player, entry, string(kind)); known || err != nil {
			return err
		}
		if m.State == ranking.StateConfirmed || m.State == ranking.StateVoid || m.State == ranking.StatePending {
			return ranking.Refuse(ranking.AlreadyDecided, "")
		}
		if err := t.join(&m, v); err != nil {
			return err
		}
		fresh = true
		m.Claims++
		number, err := t.leaf(rating.Leaf{Kind: rating.LeafClaim, Match: m.ID, Keys: keysOf(m), Winner: rating.Nobody, Index: uint32(entry), Player: player, Evidence: v.Evidence})
		if err != nil {
			return err
		}
		r := ranking.Receipt{Kind: ranking.Claimed, Server: l.key, Match: m.ID, Head: v.Verified.Head(), TimeMs: nowMs, Reason: ranking.ClaimUndecided,
			Leaf: number, Player: player, Index: uint32(entry)}
		if body, err = r.Sign(l.sign).MarshalJSON(); err != nil {
			return err
		}
		claim := store.Claim{Match: m.ID, Player: player, Entry: entry, Kind: string(kind), ReceivedMs: nowMs, Log: v.Log, Receipt: body}
		if err := t.AddClaim(claim); err != nil {
			return err
		}
		return t.settle(&m)
	})
	if err != nil {
		return ranking.Receipt{}, false, err
	}
	r, err := readReceipt(body)
	return r, fresh, err
}
