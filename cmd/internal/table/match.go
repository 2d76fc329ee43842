package table

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p"
)

// match is the table's side of the present match: its journal and what was
// done about its end.
type match struct {
	nonce    lockstep.Journal
	journal  *vault.Journal
	id       record.ID
	seat     int
	terms    record.Terms
	sigs     [2]record.Signature
	peerName string
	begun    bool   // Started or taken up
	log      []byte // as it was kept last
	done     bool   // it will stay so, but for a late seal
	opening  context.CancelFunc

	withdrawing bool // the claim that is moot is being withdrawn
}

// The first byte of a journal's records.
const (
	recordTable   = 'T'
	recordSession = 'S'
)

// tableRecord is the table's own record at the beginning of a journal.
type tableRecord struct {
	Path     SavedPath `json:"path"`
	Ranking  string    `json:"ranking,omitempty"` // base URL
	Name     string    `json:"name,omitempty"`    // one's own
	PeerName string    `json:"peer_name,omitempty"`
	Begun    time.Time `json:"begun"`
}

func (t *Table) persist(batch []lockstep.Persist) error {
	records := make([][]byte, 0, len(batch)+1)
	if batch[0].First {
		rec := tableRecord{Path: t.cfg.Path.Save(), Name: t.cfg.Name, Begun: time.Now().UTC(), PeerName: t.peerName()}
		if t.cfg.Ranking != nil {
			rec.Ranking = t.cfg.Ranking.URL
		}
		data, err := json.Marshal(rec)
		if err != nil {
			return fmt.Errorf("table: %w", err)
		}
		records = append(records, append([]byte{recordTable}, data...))
	}
	for _, p := range batch {
		records = append(records, append([]byte{recordSession}, p.Bytes...))
	}
	if batch[0].First {
		if err := t.closeMatch(); err != nil {
			return err
		}
		j, err := t.cfg.Vault.CreateJournal(hex.EncodeToString(batch[0].Journal[:]), records...)
		if err != nil {
			return err
		}
		t.match = &match{nonce: batch[0].Journal, journal: j}
		return nil
	}
	if t.match == nil || t.match.nonce != batch[0].Journal {
		return fmt.Errorf("table: a record for a journal that is not open")
	}
	return t.match.journal.Append(records...)
}

func (t *Table) peerName() string {
	if t.session == nil {
		return ""
	}
	return t.session.View().Peer.Name
}

// closeMatch puts the journal of the match before away.
func (t *Table) closeMatch() error {
	m := t.match
	if m == nil {
		return nil
	}
	t.match = nil
	if m.opening != nil {
		m.opening()
	}
	return m.journal.Finish(time.Now())
}

// happened does the table's part of an event and passes it on.
func (t *Table) happened(ctx context.Context, e lockstep.Event) error {
	switch e := e.(type) {
	case lockstep.TicketSpent:
		// On the disk before the signature leaves: a ticket goes into one
		// terms only.
		if err := t.cfg.Vault.SpendTicket(e.Ticket.Server, e.Ticket.Serial); err != nil && !errors.Is(err, vault.ErrNotFound) {
			return err
		}
	case lockstep.Started:
		m := t.match
		m.id, m.seat, m.terms, m.sigs = e.ID, e.Seat, e.Terms, e.Sigs
		m.begun, m.peerName = true, t.peerName()
		t.cfg.Path.Show(p2p.RoomPlaying)
		t.open(ctx, e)
		t.guard(ctx)
	case lockstep.Resumed:
		if t.match != nil {
			t.match.begun = true
		}
	case lockstep.Offline:
		t.seek(ctx)
	case lockstep.Over:
		t.cfg.Path.Show(p2p.RoomFull)
		t.restock(ctx)
		if e.Result.End == lockstep.NotBegun {
			if err := t.giveBack(); err != nil {
				return err
			}
		}
		if err := t.save(e.Result, e.Log, e.Sealed, e.Sealed || e.Result.End != lockstep.ByEngine); err != nil {
			return err
		}
	case lockstep.Sealed:
		if err := t.save(t.session.View().Result, e.Log, true, true); err != nil {
			return err
		}
	case lockstep.Unsealed:
		if err := t.save(t.session.View().Result, e.Log, false, true); err != nil {
			return err
		}
	case lockstep.Desync:
		if e.Bundle != nil {
			where, err := t.cfg.Vault.SaveBundle(t.match.idText(), e.Bundle)
			if err != nil {
				return err
			}
			t.tell(Bundled{where})
		}
	case lockstep.Void:
		if t.match != nil && t.match.nonce == e.Journal {
			if err := t.closeMatch(); err != nil {
				return err
			}
		}
	case lockstep.ClaimMade:
		if err := t.claim(e.Claim); err != nil {
			return err
		}
	case lockstep.ClaimGone:
		if t.session.View().Claiming {
			if err := t.withdraw(ctx); err != nil {
				return err
			}
		}
	case lockstep.CallOffSigned:
		if err := t.calledOff(e); err != nil {
			return err
		}
	case lockstep.Fraud:
		if t.match != nil && t.match.terms.Rated {
			if err := t.post(t.match.id, parcelFraud, e.Proof.Append(nil)); err != nil {
				return err
			}
		}
	case lockstep.PeerLeft:
		t.peerLeft = true
	case lockstep.Closed:
		t.closed = true
	}
	t.tell(FromSession{e})
	return nil
}

func (m *match) idText() string { return hex.EncodeToString(m.id[:]) }

// save keeps the log of a match that is over, in the vault first and then on
// its way to the ranking server.
func (t *Table) save(r lockstep.Result, log []byte, sealed, last bool) error {
	m := t.match
	if m == nil || len(log) == 0 || m.done && bytes.Equal(m.log, log) {
		return nil
	}
	m.log = log
	info := vault.LogInfo{
		ID: m.idText(), Saved: time.Now().UTC(), Rules: m.terms.Rules, Seat: m.seat,
		Opponent: record.PlayerCode(m.terms.Keys[1-m.seat]), OpponentName: m.peerName,
		Score: r.Outcome.Score, Winner: engine.Nobody, Result: resultText(r),
		Complete: r.End == lockstep.ByEngine && r.Outcome.Over, Sealed: sealed, Rated: m.terms.Rated,
	}
	if info.Complete {
		info.Winner = r.Outcome.Winner
	}
	if m.terms.Rated {
		info.Server = hex.EncodeToString(m.terms.Server[:])
	}
	if err := t.cfg.Vault.SaveLog(info, log); err != nil {
		return err
	}
	t.tell(Saved{ID: m.id, Log: log, Sealed: sealed, Last: last})
	m.done = m.done || last
	// A log whose seal may still come is not handed in yet: if this program
	// dies meanwhile, the next one goes on from the journal.
	if m.terms.Rated && info.Complete && last {
		return t.post(m.id, parcelLog, log)
	}
	return nil
}

func resultText(r lockstep.Result) string {
	switch r.End {
	case lockstep.ByEngine:
		switch r.Outcome.End {
		case engine.Forfeited:
			return "forfeit"
		case engine.Resigned:
			return "resignation"
		case engine.NoResult:
			return "no result"
		}
		return "played"
	case lockstep.Abandoned:
		return "abandoned"
	case lockstep.CalledOff:
		return "called off"
	case lockstep.NotBegun:
		return "not begun"
	case lockstep.Desynced:
		return "the programs disagreed"
	case lockstep.Claimed:
		return "claimed"
	}
	return "unfinished"
}
