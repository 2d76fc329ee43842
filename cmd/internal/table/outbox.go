package table

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
)

// An Outbox hands what waits in the vault to the ranking servers it is for.
type Outbox struct {
	vault   *vault.Vault
	tell    func(Event)
	poke    chan struct{} // of one
	clients map[string]*Ranking
}

// NewOutbox makes an outbox; tell is told of each Delivered and Undelivered,
// from the goroutine that delivers.
func NewOutbox(v *vault.Vault, tell func(Event)) *Outbox {
	return &Outbox{vault: v, tell: tell, poke: make(chan struct{}, 1), clients: map[string]*Ranking{}}
}

// Poke says that there may be something new.
func (o *Outbox) Poke() {
	select {
	case o.poke <- struct{}{}:
	default:
	}
}

// Run delivers until ctx ends, whose error it returns, or the vault fails.
func (o *Outbox) Run(ctx context.Context) error {
	for {
		next, err := o.Deliver(ctx)
		if err != nil {
			return err
		}
		wait := time.Hour
		if !next.IsZero() {
			wait = max(time.Until(next), 0)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-o.poke:
		case <-time.After(wait):
		}
	}
}

// retryAfter is how long after so many tries a parcel is tried again.
func retryAfter(tries int) time.Duration {
	return min(time.Hour, 5*time.Second<<min(tries, 12))
}

// requestLimit bounds one request to a ranking server.
const requestLimit = 15 * time.Second

// Deliver tries each parcel that is due once. It returns when the next one is
// due, zero if none waits. The error is the vault's or ctx's.
func (o *Outbox) Deliver(ctx context.Context) (time.Time, error) {
	parcels, err := o.vault.Parcels(time.Now())
	if err != nil {
		return time.Time{}, err
	}
	var next time.Time
	later := func(at time.Time) {
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	for _, p := range parcels {
		if p.Kind == parcelTerms {
			continue // see FetchTickets
		}
		if p.Next.After(time.Now()) {
			later(p.Next)
			continue
		}
		err := o.deliver(ctx, p)
		if ctx.Err() != nil {
			return next, ctx.Err()
		}
		var refused *ranking.Refusal
		if err == nil || errors.As(err, &refused) && !refused.Reason.Temporary() || errors.Is(err, errParcel) {
			// A claim that never arrived needs no withdrawing.
			if err != nil && !(p.Kind == parcelWithdrawal && refused != nil && refused.Reason == ranking.NotFound) {
				o.tell(Undelivered{Match: parcelMatch(p), Kind: p.Kind, Err: err})
			}
			if err := o.vault.ReplaceParcel(p, nil); err != nil {
				return next, err
			}
			continue
		}
		again := p
		again.Tries++
		again.Last = err.Error()
		again.Next = time.Now().UTC().Add(retryAfter(again.Tries))
		if err := o.vault.ReplaceParcel(p, &again); err != nil {
			return next, err
		}
		later(again.Next)
		o.tell(Undelivered{Match: parcelMatch(p), Kind: p.Kind, Err: err, Later: true})
	}
	return next, nil
}

// errParcel is a parcel that this program cannot send.
var errParcel = errors.New("table: a parcel that makes no sense")

func parcelMatch(p vault.Parcel) (id record.ID) {
	text, _, _ := strings.Cut(p.ID, "-")
	b, err := hex.DecodeString(text)
	if err == nil && len(b) == len(id) {
		copy(id[:], b)
	}
	return id
}

func (o *Outbox) deliver(ctx context.Context, p vault.Parcel) error {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	server := o.clients[p.Server]
	if server == nil {
		var err error
		if server, err = OpenRanking(ctx, o.vault, p.Server); err != nil {
			return err
		}
		o.clients[p.Server] = server
	}
	var (
		receipt ranking.Receipt
		text    string
		err     error
	)
	switch p.Kind {
	case parcelLog, parcelFraud:
		var a ranking.UploadAnswer
		if p.Kind == parcelLog {
			a, err = server.Client.Upload(ctx, p.Body)
		} else {
			a, err = server.Client.Prove(ctx, p.Body)
		}
		receipt, text = a.Receipt, string(a.State)
		if a.Text != "" {
			text += ": " + a.Text
		}
	case parcelClaim:
		var c ranking.ClaimRequest
		if json.Unmarshal(p.Body, &c) != nil {
			return errParcel
		}
		var a ranking.ClaimAnswer
		a, err = server.Client.Claim(ctx, c)
		receipt, text = a.Receipt, a.Text
	case parcelWithdrawal:
		var w ranking.WithdrawRequest
		if json.Unmarshal(p.Body, &w) != nil {
			return errParcel
		}
		id, ok := ranking.ParseMatchID(w.Match)
		if !ok {
			return errParcel
		}
		var a ranking.ClaimAnswer
		a, err = server.Client.Withdraw(ctx, id)
		receipt, text = a.Receipt, "taken"
	default:
		return fmt.Errorf("%w: of kind %q", errParcel, p.Kind)
	}
	if err != nil {
		return err
	}
	data, err := json.Marshal(receipt)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	id := parcelMatch(p)
	name := hex.EncodeToString(id[:])
	if p.Kind != parcelLog {
		name += "-" + p.Kind
	}
	if err := o.vault.SaveReceipt(name, data); err != nil {
		return err
	}
	o.tell(Delivered{Match: id, Kind: p.Kind, Receipt: data, Text: text})
	return nil
}
