package table

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep"
)

// parcelWithdrawal is the kind of a parcel that withdraws claims.
const parcelWithdrawal = "withdrawal"

// claim brings a claim that was made to the ranking server's outbox.
func (t *Table) claim(c lockstep.Claim) error {
	if !c.Opened {
		return nil
	}
	kind := ranking.Silence
	if c.Reason == lockstep.ClaimOwed {
		kind = ranking.Overdue
	}
	return t.file(ranking.ClaimRequest{Kind: kind, Log: c.Log})
}

func (t *Table) file(c ranking.ClaimRequest) error {
	body, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return t.post(t.match.id, parcelClaim, body)
}

// calledOff brings both players' signatures of a match that they have called
// off to the ranking server that had opened it, which would else hear claims of
// either.
func (t *Table) calledOff(c lockstep.CallOffSigned) error {
	if !t.session.View().Opened {
		return nil
	}
	return t.file(ranking.ClaimRequest{Kind: ranking.CallOff, Log: t.session.Log(), CalledOff: [][]byte{c.Sigs[0][:], c.Sigs[1][:]}})
}

// withdrawPatience is how long this side signs nothing while the ranking server
// does not answer to a withdrawal. After that it plays on: this version's server
// decides no claims, the seat's own time runs, and the outbox keeps trying.
const withdrawPatience = 4 * time.Second

// withdraw takes a claim back that is moot: at the ranking server first, then
// here, and only then anything is signed again.
func (t *Table) withdraw(ctx context.Context) error {
	m := t.match
	if m.withdrawing {
		return nil
	}
	m.withdrawing = true
	// What has not left yet need not; and it must not leave after this.
	if err := t.cfg.Vault.RemoveParcel(m.idText() + "-" + parcelClaim); err != nil {
		return err
	}
	body, err := json.Marshal(ranking.WithdrawRequest{Match: hex.EncodeToString(m.id[:])})
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	if err := t.post(m.id, parcelWithdrawal, body); err != nil {
		return err
	}
	if t.cfg.Ranking == nil || t.cfg.Ranking.Key != m.terms.Server {
		return t.withdrawn(ctx, m)
	}
	client := t.cfg.Ranking.Client
	t.carriers.Go(func() {
		limited, cancel := context.WithTimeout(ctx, withdrawPatience)
		defer cancel()
		// The answer is the outbox's to keep, which asks again: only it knows
		// whether the claim is on its way at this moment.
		_, _ = client.Withdraw(limited, m.id)
		t.answer(ctx, func() ([]lockstep.Action, error) {
			return nil, t.withdrawn(ctx, m)
		})
	})
	return nil
}

func (t *Table) withdrawn(ctx context.Context, m *match) error {
	m.withdrawing = false
	if t.match != m || !t.session.View().Claiming {
		return nil
	}
	return t.carryOut(ctx, t.session.WithdrawClaim(t.now()))
}

// lastClaim files the claim that is due when this side goes away, so that who
// stays away does not gain by it.
func (t *Table) lastClaim(ctx context.Context) error {
	if t.session == nil || t.match == nil {
		return nil
	}
	if v := t.session.View(); !v.ClaimDue || v.Claiming || !v.Opened || v.Over {
		return nil
	}
	return t.carryOut(ctx, t.session.Claim(t.now()))
}
