package ledger

import (
	"context"
	"crypto/sha256"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/rating"
	"github.com/cleavegame/cleave/lockstep/record"
)

// Claim takes a claim with the log so far, and says whether it is new. It is
// kept, entered in the public log and receipted; claims are not decided yet, so
// the match stays unrated (ClaimUndecided) until a complete log comes.
//
// off is, of a match that both have called off, both signatures by seat.
func (l *Ledger) Claim(ctx context.Context, nowMs int64, player record.Key, kind ranking.ClaimKind, off []record.Signature, v judge.Verdict) (_ ranking.Receipt, fresh bool, err error) {
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
	called, err := calledOff(kind, off, v.Verified)
	if err != nil {
		return ranking.Receipt{}, false, err
	}
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
		_, _, withdrawn, err := t.Claimed(m.ID, player, withdrawal)
		if err != nil {
			return err
		}
		if entry <= withdrawn {
			return ranking.Refuse(ranking.ClaimWithdrawn, "")
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
		if called != nil {
			if err := t.keep(&m, sha256.Sum256(called), "call-off", called); err != nil {
				return err
			}
		}
		return t.settle(&m)
	})
	if err != nil {
		return ranking.Receipt{}, false, err
	}
	r, err := readReceipt(body)
	return r, fresh, err
}

// calledOff checks both players' signatures of a match called off after v's
// last entry, and returns what is kept of them: what was signed and both
// signatures, by seat. It is nil when the claim is none of such a match.
func calledOff(kind ranking.ClaimKind, off []record.Signature, v record.Verified) ([]byte, error) {
	if len(off) == 0 {
		return nil, nil
	}
	if kind != ranking.CallOff || len(off) != 2 {
		return nil, ranking.Refuse(ranking.BadRequest, "signatures that belong to no match called off")
	}
	message := record.CallOffMessage(v.ID(), uint32(v.Len()), v.Head())
	body := message
	for seat, sig := range off {
		if !v.Terms().Keys[seat].Verify(message, sig) {
			return nil, ranking.Refuse(ranking.BadRequest, "a signature of the match called off does not hold")
		}
		body = append(body, sig[:]...)
	}
	return body, nil
}

// withdrawal is the kind of the row that says that a player has withdrawn what
// it had claimed up to that entry.
const withdrawal = "withdrawn"

// Withdraw takes back what a player has claimed in a match, and says whether
// that is new. It is kept, entered in the public log and receipted as the claims
// were: what its player signs from then on proves no claim false.
func (l *Ledger) Withdraw(ctx context.Context, nowMs int64, player record.Key, id record.ID) (_ ranking.Receipt, fresh bool, err error) {
	var body []byte
	err = l.write(ctx, nowMs, func(t *turn) error {
		m, known, err := t.Match(id)
		if err != nil {
			return err
		}
		if !known {
			return ranking.Refuse(ranking.NotFound, "no such match")
		}
		standing, entry, last, err := t.Claimed(id, player, withdrawal)
		switch {
		case err != nil:
			return err
		case standing == 0 && last > 0:
			body, _, err = t.ClaimReceipt(id, player, last, withdrawal)
			return err
		case standing == 0:
			return ranking.Refuse(ranking.NotFound, "no claim to withdraw")
		}
		fresh = true
		m.Claims -= standing
		number, err := t.leaf(rating.Leaf{Kind: rating.LeafWithdrawal, Match: id, Keys: keysOf(m), Winner: rating.Nobody, Index: uint32(entry), Player: player})
		if err != nil {
			return err
		}
		r := ranking.Receipt{Kind: ranking.Withdrawn, Server: l.key, Match: id, Head: m.Head, TimeMs: nowMs, Leaf: number, Player: player, Index: uint32(entry)}
		if body, err = r.Sign(l.sign).MarshalJSON(); err != nil {
			return err
		}
		row := store.Claim{Match: id, Player: player, Entry: entry, Kind: withdrawal, ReceivedMs: nowMs, Receipt: body}
		if err := t.AddClaim(row); err != nil {
			return err
		}
		if m.State == ranking.StateConfirmed || m.State == ranking.StateVoid {
			return t.PutMatch(m)
		}
		return t.settle(&m)
	})
	if err != nil {
		return ranking.Receipt{}, false, err
	}
	r, err := readReceipt(body)
	return r, fresh, err
}
