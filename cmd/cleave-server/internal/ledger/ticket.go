package ledger

import (
	"context"
	"crypto/rand"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

const (
	daySeconds  = 24 * 3600
	weekSeconds = 7 * daySeconds
)

// Tickets issues tickets to a player, at least one, or refuses.
func (l *Ledger) Tickets(ctx context.Context, nowMs int64, player record.Key, ask ranking.TicketRequest) ([]record.Ticket, error) {
	if ask.Count < 1 || ask.Count > ranking.TicketsOutstanding || len(ask.Ended) > ranking.TicketsOutstanding {
		return nil, ranking.Refuse(ranking.BadRequest, "ask for 1 to 10 tickets, with at most 10 terms that ended")
	}
	ended, err := l.ended(nowMs, player, ask.Ended)
	if err != nil {
		return nil, err
	}
	now := nowMs / 1000
	var tickets []record.Ticket
	err = l.write(ctx, nowMs, func(t *turn) error {
		sinceMs, known, err := t.Player(player)
		if err != nil {
			return err
		}
		if !known {
			if !ranking.CheckWork(l.key, player, ask.Work, ranking.WorkBits) {
				return ranking.Refuse(ranking.WorkNeeded, "")
			}
			if sinceMs, err = t.AddPlayer(player, nowMs); err != nil {
				return err
			}
		}
		unplayed, err := t.hand(player, ended)
		if err != nil {
			return err
		}
		outstanding, today, refunds, err := t.CountTickets(player, now, now-daySeconds)
		if err != nil {
			return err
		}
		perDay := ranking.TicketsPerDay
		if now-sinceMs/1000 < weekSeconds {
			perDay = ranking.TicketsPerDayNew
		}
		count := min(ask.Count, ranking.TicketsOutstanding-outstanding)
		back := max(0, min(count, len(unplayed), perDay-refunds))
		fresh := max(0, min(count-back, perDay-today))
		if back+fresh == 0 {
			if count <= 0 {
				return ranking.Refuse(ranking.TooManyTickets, "")
			}
			return ranking.Refuse(ranking.NoMoreToday, "")
		}
		for _, m := range unplayed[:back] {
			m.Refunded |= 1 << seatOf(m, player)
			if err := t.PutMatch(m); err != nil {
				return err
			}
		}
		for n := range back + fresh {
			var serial [16]byte
			rand.Read(serial[:])
			k := record.IssueTicket(player, l.key, serial, now, now+record.TicketLife, l.sign)
			if err := t.AddTicket(store.Ticket{Serial: serial, Player: player, Issued: k.Issued, Expires: k.Expires, Refund: n < back}); err != nil {
				return err
			}
			tickets = append(tickets, k)
		}
		return nil
	})
	return tickets, err
}

type signedTerms struct {
	terms record.Terms
	sigs  [2]record.Signature
}

// ended reads terms that were handed in as ended before their first reveal.
func (l *Ledger) ended(nowMs int64, player record.Key, all []ranking.SignedTerms) ([]signedTerms, error) {
	var read []signedTerms
	for _, s := range all {
		terms, sigs, err := ReadTerms(s)
		if err != nil {
			return nil, err
		}
		if terms.Seat(player) < 0 {
			return nil, ranking.Refuse(ranking.NotYourMatch, "")
		}
		if err := judge.Terms(terms, sigs, l.games, l.key, nowMs); err != nil {
			return nil, err
		}
		read = append(read, signedTerms{terms, sigs})
	}
	return read, nil
}

// ReadTerms reads terms as they travel.
func ReadTerms(s ranking.SignedTerms) (record.Terms, [2]record.Signature, error) {
	var sigs [2]record.Signature
	terms, err := record.ParseTerms(s.Terms)
	if err != nil {
		return terms, sigs, ranking.Refuse(ranking.BadRequest, err.Error())
	}
	for seat, b := range s.Signatures {
		if len(b) != len(sigs[seat]) {
			return terms, sigs, ranking.Refuse(ranking.WrongSignatures, "")
		}
		sigs[seat] = record.Signature(b)
	}
	return terms, sigs, nil
}

// hand takes ended terms in and returns the matches for which the player gets
// a ticket back: no log of them is known, and he got none before.
func (t *turn) hand(player record.Key, ended []signedTerms) ([]store.Match, error) {
	var unplayed []store.Match
	seen := map[record.ID]bool{}
	for _, s := range ended {
		m, err := t.register(s.terms, s.sigs)
		if err != nil {
			return nil, err
		}
		if len(m.Log) == 0 && m.Refunded>>seatOf(m, player)&1 == 0 && !seen[m.ID] {
			unplayed = append(unplayed, m)
		}
		seen[m.ID] = true
	}
	return unplayed, nil
}

func seatOf(m store.Match, player record.Key) int {
	if m.Players[1] == player {
		return 1
	}
	return 0
}

// register notes a match by its co-signed terms, which were checked, and
// spends its tickets. Where a ticket is found under other terms too, what its
// owner won under those is taken back.
func (t *turn) register(terms record.Terms, sigs [2]record.Signature) (store.Match, error) {
	id := terms.ID()
	m, known, err := t.Match(id)
	if known || err != nil {
		return m, err
	}
	m = store.Match{ID: id, Terms: terms.Append(nil), Signatures: sigs, Players: terms.Keys, FirstMs: t.nowMs,
		State: ranking.StateOpen, Winner: -1, Leaf: -1}
	for seat, k := range terms.Tickets {
		m.Tickets[seat] = k.Serial
		if _, err := t.AddPlayer(terms.Keys[seat], t.nowMs); err != nil {
			return m, err
		}
		if err := t.SpendTicket(store.Ticket{Serial: k.Serial, Player: k.Player, Issued: k.Issued, Expires: k.Expires}); err != nil {
			return m, err
		}
	}
	if err := t.PutMatch(m); err != nil {
		return m, err
	}
	for seat := range 2 {
		others, err := t.others(m, seat)
		if err != nil {
			return m, err
		}
		for _, o := range others {
			if err := t.settle(&o); err != nil {
				return m, err
			}
		}
	}
	return m, nil
}

// others returns the other matches under the seat's ticket.
func (t *turn) others(m store.Match, seat int) ([]store.Match, error) {
	under, err := t.MatchesUnder(m.Tickets[seat])
	if err != nil {
		return nil, err
	}
	var others []store.Match
	for _, o := range under {
		if o.ID != m.ID {
			others = append(others, o)
		}
	}
	return others, nil
}
