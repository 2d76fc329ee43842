package ledger

import (
	"encoding/json"
	"fmt"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/rating"
)

const (
	// openedWaitMs is how long a complete log of an opened match waits for its
	// seal or for something that contradicts it.
	openedWaitMs = 10 * 60 * 1000
	// unopenedWaitMs is the same for a match that was not opened.
	unopenedWaitMs = weekSeconds * 1000
	// proofsMs is how long after its confirmation a result can be reversed.
	proofsMs = weekSeconds * 1000
)

// adopt makes a log the one that stands.
func adopt(m *store.Match, v judge.Verdict) {
	o := v.Outcome
	m.Log, m.Head, m.Evidence, m.Sealed = v.Log, v.Verified.Head(), v.Evidence, v.Verified.Sealed()
	m.Winner, m.End, m.Rounds, m.Score = o.Winner, int(o.End), o.Rounds, o.Score
	if !o.Over {
		m.Winner, m.End = rating.Nobody, 0
	}
	m.Decisions, m.Late = v.Decisions, v.Late
}

// fate is where a match belongs by what is known of it.
func (t *turn) fate(m *store.Match) (ranking.State, ranking.Reason, error) {
	if m.Forged[0] && m.Forged[1] {
		return ranking.StateVoid, ranking.BothForged, nil
	}
	reason := ranking.None
	if m.Forged[0] || m.Forged[1] {
		reason = ranking.Forged
		m.Winner, m.End = 0, int(rating.EndForged)
		if m.Forged[0] {
			m.Winner = 1
		}
	} else {
		switch {
		case m.End == 0 && len(m.Log) == 0 && m.Claims == 0:
			return ranking.StateOpen, ranking.None, nil
		case m.End == 0 && m.Claims > 0:
			return ranking.StateUnrated, ranking.ClaimUndecided, nil
		case m.End == 0:
			return ranking.StateUnrated, ranking.Unfinished, nil
		case m.End == int(rating.EndNoResult) && m.Sealed:
			return ranking.StateVoid, ranking.NoResult, nil
		case m.End == int(rating.EndNoResult):
			return ranking.StateUnrated, ranking.NoResult, nil
		}
		if !m.Sealed && m.State != ranking.StateConfirmed {
			m.DueMs = m.CompleteMs + unopenedWaitMs
			wait := ranking.AwaitingWeek
			if m.OpenedMs > 0 {
				m.DueMs, wait = m.CompleteMs+openedWaitMs, ranking.AwaitingSeal
			}
			if t.nowMs < m.DueMs {
				return ranking.StatePending, wait, nil
			}
		}
	}
	// A ticket under two terms: its owner's losses stand, nothing else does.
	for seat := range 2 {
		others, err := t.others(*m, seat)
		if err != nil {
			return "", 0, err
		}
		if len(others) > 0 && m.Winner != 1-seat {
			return ranking.StateVoid, ranking.TicketTwice, nil
		}
	}
	return ranking.StateConfirmed, reason, nil
}

// settle brings a match to where it belongs: its state, its leaf, its receipt,
// and writes it.
func (t *turn) settle(m *store.Match) error {
	if m.End != 0 && m.CompleteMs == 0 {
		m.CompleteMs = t.nowMs
	}
	state, reason, err := t.fate(m)
	if err != nil {
		return err
	}
	m.State, m.Reason = state, reason
	if state != ranking.StatePending {
		m.DueMs = 0
	}
	if err := t.book(m); err != nil {
		return err
	}
	if state != ranking.StateOpen {
		if err := t.receipt(m); err != nil {
			return err
		}
	}
	return t.PutMatch(*m)
}

// book makes the leaf that a match needs, if it needs another than it has.
func (t *turn) book(m *store.Match) error {
	leaf := rating.Leaf{Match: m.ID, Keys: keysOf(*m), Winner: m.Winner, End: rating.End(m.End), Rounds: m.Rounds, Score: m.Score,
		Decisions: m.Decisions, Late: m.Late, Reason: uint16(m.Reason), Evidence: m.Evidence}
	last, booked, err := t.lastLeaf(m)
	if err != nil {
		return err
	}
	switch m.State {
	case ranking.StateConfirmed:
		leaf.Kind = rating.LeafResult
		if booked {
			leaf.Kind = rating.LeafReversal
			if last.Kind != rating.LeafVoid && last.Winner == leaf.Winner && last.End.Early() == leaf.End.Early() && last.Rounds == leaf.Rounds {
				return nil
			}
		}
		m.Counts = true
	case ranking.StateVoid:
		leaf.Kind, leaf.Winner = rating.LeafVoid, rating.Nobody
		if booked && last.Kind == rating.LeafVoid {
			return nil
		}
		m.Counts = false
	default:
		return nil
	}
	if m.DecidedMs == 0 {
		m.DecidedMs = t.nowMs
	}
	m.Leaf, err = t.leaf(leaf)
	return err
}

// lastLeaf is the leaf that m.Leaf names, if there is one.
func (t *turn) lastLeaf(m *store.Match) (rating.Leaf, bool, error) {
	if m.Leaf < 0 {
		return rating.Leaf{}, false, nil
	}
	body, err := t.Leaf(m.Leaf)
	if err != nil {
		return rating.Leaf{}, false, err
	}
	leaf, err := rating.ParseLeaf(body)
	if err != nil {
		return rating.Leaf{}, false, fmt.Errorf("ledger: leaf %d of the database: %w", m.Leaf, err)
	}
	return leaf, true, nil
}

var receiptKinds = map[ranking.State]ranking.ReceiptKind{
	ranking.StatePending:   ranking.Accepted,
	ranking.StateConfirmed: ranking.Confirmed,
	ranking.StateUnrated:   ranking.Unrated,
	ranking.StateVoid:      ranking.Unrated,
}

// receipt gives the match the receipt of its state, the one that it has if
// that says the same.
func (t *turn) receipt(m *store.Match) error {
	r := ranking.Receipt{Kind: receiptKinds[m.State], Server: t.l.key, Match: m.ID, Head: m.Head, TimeMs: t.nowMs, Reason: m.Reason, Leaf: m.Leaf}
	if len(m.Receipt) > 0 {
		had, err := readReceipt(m.Receipt)
		if err != nil {
			return err
		}
		if had.Kind == r.Kind && had.Head == r.Head && had.Reason == r.Reason && had.Leaf == r.Leaf {
			return nil
		}
	}
	var err error
	m.Receipt, err = json.Marshal(r.Sign(t.l.sign))
	return err
}

func readReceipt(b []byte) (ranking.Receipt, error) {
	var r ranking.Receipt
	if err := json.Unmarshal(b, &r); err != nil {
		return r, fmt.Errorf("ledger: reading a receipt: %w", err)
	}
	return r, nil
}

func keysOf(m store.Match) [2]rating.Key {
	return [2]rating.Key{rating.Key(m.Players[0]), rating.Key(m.Players[1])}
}
