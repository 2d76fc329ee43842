package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/rating"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

// answer is what an upload of the match is told.
func answer(m store.Match) (ranking.UploadAnswer, error) {
	r, err := readReceipt(m.Receipt)
	if err != nil {
		return ranking.UploadAnswer{}, err
	}
	return uploadAnswer(m.ID, m.State, m.Reason, m.DueMs, r), nil
}

func uploadAnswer(id record.ID, state ranking.State, reason ranking.Reason, dueMs int64, r ranking.Receipt) ranking.UploadAnswer {
	a := ranking.UploadAnswer{Match: hex.EncodeToString(id[:]), State: state, Reason: reason, DueMs: dueMs, Receipt: r}
	if reason != ranking.None {
		a.Text = reason.Text()
	}
	return a
}

// Known answers an upload whose very bytes are the log that stands, without
// replaying it.
func (l *Ledger) Known(ctx context.Context, log []byte) (a ranking.UploadAnswer, known bool, err error) {
	parsed, err := record.ParseLog(log)
	if err != nil {
		return a, false, nil
	}
	var m store.Match
	err = l.store.View(ctx, func(tx *store.Tx) error {
		m, known, err = tx.Match(parsed.Terms().ID())
		return err
	})
	if err != nil || !known || len(m.Receipt) == 0 || sha256.Sum256(m.Log) != sha256.Sum256(log) {
		return a, false, err
	}
	a, err = answer(m)
	return a, err == nil, err
}

// Upload takes a log that the judge has read.
func (l *Ledger) Upload(ctx context.Context, nowMs int64, v judge.Verdict) (ranking.UploadAnswer, error) {
	if v.Reason == ranking.Friendly {
		// Friendly matches cost no ticket, so they are not kept; their
		// receipt names no time and is the same for ever.
		r := ranking.Receipt{Kind: ranking.Unrated, Server: l.key, Match: v.Verified.ID(), Head: v.Verified.Head(), Reason: ranking.Friendly, Leaf: -1}
		return uploadAnswer(r.Match, ranking.StateUnrated, ranking.Friendly, 0, r.Sign(l.sign)), nil
	}
	var m store.Match
	err := l.write(ctx, nowMs, func(t *turn) error {
		var err error
		m, err = t.upload(v)
		return err
	})
	if err != nil {
		return ranking.UploadAnswer{}, err
	}
	return answer(m)
}

// upload joins a log to what is known of its match.
func (t *turn) upload(v judge.Verdict) (store.Match, error) {
	m, err := t.register(v.Verified.Terms(), v.Verified.Log().TermsSignatures())
	if err != nil {
		return m, err
	}
	was := m
	if err := t.join(&m, v); err != nil {
		return m, err
	}
	if was.DecidedMs > 0 && t.nowMs > was.DecidedMs+proofsMs && (m.Forged != was.Forged || m.Winner != was.Winner || m.End != was.End) {
		return m, ranking.Refuse(ranking.TooLate, "the result is older than a week")
	}
	return m, t.settle(&m)
}

// join lets a log change what is known, without deciding anything.
func (t *turn) join(m *store.Match, v judge.Verdict) error {
	if len(m.Log) == 0 {
		adopt(m, v)
		return nil
	}
	if m.Head == v.Verified.Head() {
		if v.Verified.Sealed() && !m.Sealed {
			adopt(m, v)
		}
		return nil
	}
	stands, err := judge.Read(m.Log, t.l.games, t.l.key, 0)
	if err != nil {
		return err // a log that was read once
	}
	switch c := judge.Compare(stands.Verified, v.Verified); c.Relation {
	case judge.Longer:
		adopt(m, v)
	case judge.Drops:
		if err := t.keep(m, m.Evidence, "log", m.Log); err != nil {
			return err
		}
		adopt(m, v)
	case judge.Drawn, judge.Forked:
		if err := t.keep(m, v.Evidence, "log", v.Log); err != nil {
			return err
		}
		if c.Relation == judge.Drawn {
			m.Winner, m.End, m.Sealed = rating.Nobody, int(engine.Resigned), true
		}
		for seat, forged := range c.Forged {
			m.Forged[seat] = m.Forged[seat] || forged
		}
		m.Rounds = max(m.Rounds, v.Outcome.Rounds)
		m.Evidence = sha256.Sum256(append(stands.Evidence[:], v.Evidence[:]...))
	}
	return nil
}

// maxEvidence is how many logs and proofs are kept for one match beside the
// one that stands: two decide a dispute.
const maxEvidence = 8

// keep stores evidence, as long as there is not plenty already.
func (t *turn) keep(m *store.Match, hash [32]byte, kind string, body []byte) error {
	had, err := t.Evidence(m.ID)
	if err != nil || len(had) >= maxEvidence {
		return err
	}
	return t.AddEvidence(m.ID, hash, kind, body, t.nowMs)
}

// Prove takes a proof of fraud.
func (l *Ledger) Prove(ctx context.Context, nowMs int64, body []byte) (ranking.UploadAnswer, error) {
	fraud, err := record.ParseFraud(body)
	if err != nil {
		return ranking.UploadAnswer{}, ranking.Refuse(ranking.NotFraud, err.Error())
	}
	if err := fraud.Check(); err != nil {
		return ranking.UploadAnswer{}, ranking.Refuse(ranking.NotFraud, err.Error())
	}
	id, player := fraud.Terms.ID(), fraud.Terms.Keys[fraud.Seat]
	var m store.Match
	var receipt []byte
	err = l.write(ctx, nowMs, func(t *turn) error {
		var known bool
		if m, known, err = t.Match(id); err != nil {
			return err
		}
		if !known {
			return ranking.Refuse(ranking.NotFound, "hand in the log or the terms of the match first")
		}
		if receipt, known, err = t.ProofReceipt(id, player); known || err != nil {
			return err
		}
		if m.DecidedMs > 0 && nowMs > m.DecidedMs+proofsMs {
			return ranking.Refuse(ranking.TooLate, "the result is older than a week")
		}
		m.Forged[fraud.Seat] = true
		m.Evidence = sha256.Sum256(body)
		if err := t.settle(&m); err != nil {
			return err
		}
		r := ranking.Receipt{Kind: ranking.Proven, Server: l.key, Match: id, Head: m.Head, TimeMs: nowMs, Reason: m.Reason, Leaf: m.Leaf, Player: player}
		if receipt, err = r.Sign(l.sign).MarshalJSON(); err != nil {
			return err
		}
		return t.AddProof(id, player, body, receipt, nowMs)
	})
	if err != nil {
		return ranking.UploadAnswer{}, err
	}
	r, err := readReceipt(receipt)
	return uploadAnswer(id, m.State, m.Reason, m.DueMs, r), err
}

// Due settles pending matches whose time has come, a hundred at most, and says
// which they were and when to look again (0 for no idea).
func (l *Ledger) Due(ctx context.Context, nowMs int64) (settled []record.ID, nextMs int64, err error) {
	err = l.store.View(ctx, func(tx *store.Tx) error {
		nextMs, err = tx.NextDue()
		return err
	})
	if err != nil || nextMs == 0 || nextMs > nowMs {
		return nil, nextMs, err
	}
	err = l.write(ctx, nowMs, func(t *turn) error {
		due, err := t.Due(nowMs, 100)
		if err != nil {
			return err
		}
		for _, m := range due {
			if err := t.settle(&m); err != nil {
				return err
			}
			settled = append(settled, m.ID)
		}
		nextMs, err = t.NextDue()
		return err
	})
	return settled, nextMs, err
}
