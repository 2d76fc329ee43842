package vault

import (
	"bytes"
	"encoding/hex"
	"slices"
	"time"
)

// A Ticket is a ranking server's leave for one rated match, as far as the
// vault must know it.
type Ticket struct {
	Server  [32]byte  // the ranking server's key
	Serial  [16]byte  // unique with that server
	Expires time.Time // not to be used after this
	Bytes   []byte    // the ticket itself
}

type ticketFile struct {
	Tickets []ticketJSON `json:"tickets"`
	Spent   []spentJSON  `json:"spent"`
}

type ticketJSON struct {
	Server  string    `json:"server"`
	Serial  string    `json:"serial"`
	Expires time.Time `json:"expires"`
	Bytes   []byte    `json:"bytes"`
}

// spentJSON outlives its ticket, because a server may hand out again what it
// thinks is still unused, and a ticket goes into one terms only, for ever.
type spentJSON struct {
	Server  string    `json:"server"`
	Serial  string    `json:"serial"`
	Expires time.Time `json:"expires"`
}

// Tickets lists the unused tickets of a server that are good until at least
// the given time, those that expire first in front.
func (v *Vault) Tickets(server [32]byte, until time.Time) ([]Ticket, error) {
	v.kept.Lock()
	defer v.kept.Unlock()
	var f ticketFile
	if _, err := v.loadJSON("tickets", &f); err != nil {
		return nil, err
	}
	var out []Ticket
	for _, t := range f.Tickets {
		tk := Ticket{Expires: t.Expires, Bytes: t.Bytes}
		if !unhex(tk.Server[:], t.Server) || !unhex(tk.Serial[:], t.Serial) {
			continue
		}
		if tk.Server == server && !t.Expires.Before(until) {
			out = append(out, tk)
		}
	}
	slices.SortFunc(out, func(a, b Ticket) int {
		if c := a.Expires.Compare(b.Expires); c != 0 {
			return c
		}
		return bytes.Compare(a.Serial[:], b.Serial[:])
	})
	return out, nil
}

// AddTickets keeps tickets; those it has, or has seen spent, are passed over.
// Tickets that expired before now are forgotten.
func (v *Vault) AddTickets(now time.Time, tickets ...Ticket) error {
	return v.changeTickets(func(f *ticketFile) error {
		f.Tickets = slices.DeleteFunc(f.Tickets, func(t ticketJSON) bool { return t.Expires.Before(now) })
		f.Spent = slices.DeleteFunc(f.Spent, func(t spentJSON) bool { return t.Expires.Before(now) })
		for _, t := range tickets {
			server, serial := hex.EncodeToString(t.Server[:]), hex.EncodeToString(t.Serial[:])
			known := slices.ContainsFunc(f.Tickets, func(o ticketJSON) bool { return o.Server == server && o.Serial == serial }) ||
				slices.ContainsFunc(f.Spent, func(o spentJSON) bool { return o.Server == server && o.Serial == serial })
			if !known && !t.Expires.Before(now) {
				f.Tickets = append(f.Tickets, ticketJSON{server, serial, t.Expires.UTC(), t.Bytes})
			}
		}
		return nil
	})
}

// SpendTicket notes, before it is put into terms, that a ticket is used. It
// returns ErrNotFound for one that is not there or is spent already.
func (v *Vault) SpendTicket(server [32]byte, serial [16]byte) error {
	return v.changeTickets(func(f *ticketFile) error {
		srv, ser := hex.EncodeToString(server[:]), hex.EncodeToString(serial[:])
		i := slices.IndexFunc(f.Tickets, func(t ticketJSON) bool { return t.Server == srv && t.Serial == ser })
		if i < 0 {
			return ErrNotFound
		}
		f.Spent = append(f.Spent, spentJSON{srv, ser, f.Tickets[i].Expires})
		f.Tickets = slices.Delete(f.Tickets, i, i+1)
		return nil
	})
}

func (v *Vault) changeTickets(change func(*ticketFile) error) error {
	v.kept.Lock()
	defer v.kept.Unlock()
	var f ticketFile
	if _, err := v.loadJSON("tickets", &f); err != nil {
		return err
	}
	if err := change(&f); err != nil {
		return err
	}
	return v.storeJSON("tickets", f)
}

func unhex(to []byte, from string) bool {
	b, err := hex.DecodeString(from)
	if err != nil || len(b) != len(to) {
		return false
	}
	copy(to, b)
	return true
}
