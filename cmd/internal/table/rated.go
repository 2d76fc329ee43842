package table

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
)

// openWait is how long the first reveal of a rated match waits for the ranking
// server to have both players' terms. A match on a LAN without the internet
// goes on without after that.
const openWait = 5 * time.Second

// A Ranking is a ranking server as one profile knows it.
type Ranking struct {
	URL    string
	Key    record.Key // the server's
	Client *ranking.Client
}

// serversSetting is the setting that keeps the key of each ranking server the
// profile has met, by base URL, so that its tickets can be used and its logs
// kept for it while it is away.
const serversSetting = "ranking_servers"

// ErrRankingUnknown is returned by OpenRanking for a server that is away and
// was never met.
var ErrRankingUnknown = errors.New("table: this ranking server was never met, and cannot be reached now")

// OpenRanking returns the ranking server at url. It asks the server for its key
// the first time, and never takes another key for the same url.
func OpenRanking(ctx context.Context, v *vault.Vault, url string) (*Ranking, error) {
	id, err := v.Identity()
	if err != nil {
		return nil, err
	}
	servers := map[string]string{}
	if _, err := v.Setting(serversSetting, &servers); err != nil {
		return nil, err
	}
	r := &Ranking{URL: url}
	b, err := hex.DecodeString(servers[url])
	known := err == nil && len(b) == len(r.Key)
	copy(r.Key[:], b)
	r.Client, err = ranking.NewClient(ranking.Config{
		URL: url, Server: r.Key, Key: id.Key(),
		Sign: func(m []byte) record.Signature { return id.Sign(m) },
	})
	if err != nil || known {
		return r, err
	}
	limited, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	if r.Key, err = r.Client.ServerKey(limited); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrRankingUnknown, err)
	}
	servers[url] = hex.EncodeToString(r.Key[:])
	return r, v.SetSetting(serversSetting, servers)
}

// RankingServers lists the ranking servers that the profile has met, base URL
// by key.
func RankingServers(v *vault.Vault) (map[record.Key]string, error) {
	servers := map[string]string{}
	if _, err := v.Setting(serversSetting, &servers); err != nil {
		return nil, err
	}
	out := map[record.Key]string{}
	for url, text := range servers {
		var k record.Key
		if b, err := hex.DecodeString(text); err == nil && len(b) == len(k) {
			copy(k[:], b)
			out[k] = url
		}
	}
	return out, nil
}

// ticketMargin is how long a ticket must still run to be used: a day, and a
// little for the time until the terms are signed.
const ticketMargin = (record.TicketMargin + 600) * time.Second

// fewTickets is what a client keeps.
const fewTickets = 5

// FetchTickets fills the profile's tickets up to a few, and hands in terms that
// ended before the first reveal for new ones. It returns how many tickets there
// are now; with an error those that were there still are.
func FetchTickets(ctx context.Context, v *vault.Vault, r *Ranking) (int, error) {
	now := time.Now()
	have, err := v.Tickets(r.Key, now.Add(ticketMargin))
	if err != nil || len(have) >= fewTickets {
		return len(have), err
	}
	parcels, err := v.Parcels(now)
	if err != nil {
		return len(have), err
	}
	var ended []ranking.SignedTerms
	var handed []string
	for _, p := range parcels {
		var t ranking.SignedTerms
		if p.Kind == parcelTerms && p.Server == r.URL && json.Unmarshal(p.Body, &t) == nil {
			ended, handed = append(ended, t), append(handed, p.ID)
		}
	}
	tickets, err := r.Client.FetchTickets(ctx, fewTickets-len(have), ended...)
	if err != nil {
		return len(have), err
	}
	add := make([]vault.Ticket, len(tickets))
	for i, t := range tickets {
		add[i] = vault.Ticket{Server: t.Server, Serial: t.Serial, Expires: time.Unix(t.Expires, 0), Bytes: t.Append(nil)}
	}
	if err := v.AddTickets(now, add...); err != nil {
		return len(have), err
	}
	for _, id := range handed {
		if err := v.RemoveParcel(id); err != nil {
			return len(have), err
		}
	}
	have, err = v.Tickets(r.Key, now.Add(ticketMargin))
	return len(have), err
}

// tickets are those that the session may put into terms.
func (t *Table) tickets() ([]record.Ticket, error) {
	if t.cfg.Ranking == nil {
		return nil, nil
	}
	kept, err := t.cfg.Vault.Tickets(t.cfg.Ranking.Key, time.Now().Add(ticketMargin))
	if err != nil {
		return nil, err
	}
	var out []record.Ticket
	for _, k := range kept {
		if ticket, err := record.ParseTicket(k.Bytes); err == nil {
			out = append(out, ticket)
		}
	}
	return out, nil
}

// ticketsEach is how often a table whose player has no ticket looks for one.
const ticketsEach = time.Second

// awaitTickets gives the session the tickets of a player who came without any,
// as soon as the vault has some: whoever looks after the profile fetches them,
// and a new player's first ones take a while. It ends with ctx.
func (t *Table) awaitTickets(ctx context.Context) {
	for tick := time.NewTicker(ticketsEach); ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			return
		}
		tickets, err := t.tickets()
		if err == nil && len(tickets) == 0 {
			continue
		}
		t.answer(ctx, func() ([]lockstep.Action, error) {
			if err != nil || t.session == nil || ctx.Err() != nil {
				return nil, err
			}
			return t.session.SetTickets(t.now(), tickets), nil
		})
		tick.Stop()
		return
	}
}

// restock fetches tickets for further matches of the same two.
func (t *Table) restock(ctx context.Context) {
	if t.cfg.Ranking == nil {
		return
	}
	t.carriers.Go(func() {
		limited, cancel := context.WithTimeout(ctx, requestLimit)
		defer cancel()
		// Without new ones there are those that are left.
		_, _ = FetchTickets(limited, t.cfg.Vault, t.cfg.Ranking)
		t.answer(ctx, func() ([]lockstep.Action, error) {
			tickets, err := t.tickets()
			if err != nil {
				return nil, err
			}
			return t.session.SetTickets(t.now(), tickets), nil
		})
	})
}

// answer has the goroutine of Run call f, and carry out what it returns.
func (t *Table) answer(ctx context.Context, f func() ([]lockstep.Action, error)) {
	select {
	case t.answers <- f:
	case <-ctx.Done():
	}
}

// open hands the co-signed terms of a rated match to the ranking server and
// keeps the connection for as long as the match lasts.
func (t *Table) open(ctx context.Context, e lockstep.Started) {
	if !e.Terms.Rated {
		return
	}
	answer := func(opened bool) {
		t.answer(ctx, func() ([]lockstep.Action, error) {
			if t.match == nil || t.match.id != e.ID {
				return nil, nil
			}
			return t.session.Opened(t.now(), opened), nil
		})
	}
	if t.cfg.Ranking == nil || t.cfg.Ranking.Key != e.Terms.Server {
		t.carriers.Go(func() { answer(false) })
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	t.match.opening = cancel
	client := t.cfg.Ranking.Client
	t.carriers.Go(func() {
		opened := false
		for wait := time.Second; ctx.Err() == nil; wait = min(2*wait, 30*time.Second) {
			stream, err := client.Open(ctx, e.Terms, e.Sigs)
			if err == nil {
				for {
					var ev ranking.Event
					if ev, err = stream.Next(); err != nil {
						break
					}
					if ev.Event == ranking.EventOpened && !opened {
						opened = true
						answer(true)
					}
				}
				stream.Close()
			}
			var refused *ranking.Refusal
			if !opened && (errors.As(err, &refused) && !refused.Reason.Temporary() || errors.Is(err, ranking.ErrUnreachable)) {
				// The match goes on, and cannot be claimed.
				answer(false)
				return
			}
			select {
			case <-time.After(wait):
			case <-ctx.Done():
			}
		}
	})
}

// The kinds of parcels in the outbox.
const (
	parcelLog   = "log"
	parcelClaim = "claim"
	parcelFraud = "fraud"
	// parcelTerms are terms that ended before the first reveal; they travel
	// with the next request for tickets.
	parcelTerms = "terms"
)

// post puts something for the match's ranking server into the outbox.
func (t *Table) post(id record.ID, kind string, body []byte) error {
	url := ""
	if t.cfg.Ranking != nil && t.cfg.Ranking.Key == t.match.terms.Server {
		url = t.cfg.Ranking.URL
	} else {
		servers, err := RankingServers(t.cfg.Vault)
		if err != nil {
			return err
		}
		url = servers[t.match.terms.Server]
	}
	if url == "" {
		t.tell(Noted{"the ranking server of this match is not known here; hand the log in with cleavectl submit", NotedNoRanking})
		return nil
	}
	now := time.Now().UTC()
	err := t.cfg.Vault.PutParcel(vault.Parcel{
		ID: hex.EncodeToString(id[:]) + "-" + kind, Kind: kind, Server: url, Created: now, Next: now, Body: body,
	})
	if err == nil && t.cfg.Outbox != nil {
		t.cfg.Outbox.Poke()
	}
	return err
}

// giveBack keeps terms that ended before the first reveal, for a new ticket.
func (t *Table) giveBack() error {
	m := t.match
	if m == nil || !m.terms.Rated || m.sigs == ([2]record.Signature{}) {
		return nil
	}
	body, err := json.Marshal(ranking.NewSignedTerms(m.terms, m.sigs))
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return t.post(m.id, parcelTerms, body)
}
