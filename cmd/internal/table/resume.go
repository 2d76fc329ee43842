package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p"
)

// ResumableFor is how long after its beginning a match can be gone on with.
const ResumableFor = 24 * time.Hour

// An Unfinished is a match that a journal in the vault tells of.
type Unfinished struct {
	Journal  string // its name in the vault
	ID       record.ID
	Peer     record.Key
	PeerName string
	Begun    time.Time
	Path     SavedPath
	Ranking  string // base URL of the ranking server, "" for none
	Name     string // one's own, as it was said
}

// Unfinish lists the matches of the vault that can be gone on with, those begun
// first in front. Journals that tell of none (the terms were never signed, it
// is decided, or too old) are put away. A damaged journal is no error: the
// vault's Problems tell of it.
func Unfinish(v *vault.Vault, now time.Time) ([]Unfinished, error) {
	names, err := v.Journals()
	if err != nil {
		return nil, err
	}
	var out []Unfinished
	for _, name := range names {
		records, err := v.ReadJournal(name)
		var damaged *vault.CorruptError
		if errors.As(err, &damaged) {
			continue
		}
		if err != nil {
			return nil, err
		}
		u, ok := readUnfinished(name, records, now)
		if !ok {
			if err := v.FinishJournal(name, now); err != nil && !errors.Is(err, vault.ErrReadOnly) {
				return nil, err
			}
			continue
		}
		out = append(out, u)
	}
	return out, nil
}

func readUnfinished(name string, records [][]byte, now time.Time) (Unfinished, bool) {
	rec, session, err := splitJournal(records)
	if err != nil {
		return Unfinished{}, false
	}
	saved, err := lockstep.ReadJournal(session)
	if err != nil || !saved.Signed || saved.Over || now.Sub(rec.Begun) > ResumableFor {
		return Unfinished{}, false
	}
	return Unfinished{
		Journal: name, ID: saved.ID, Peer: saved.Peer, PeerName: rec.PeerName,
		Begun: rec.Begun, Path: rec.Path, Ranking: rec.Ranking, Name: rec.Name,
	}, true
}

// splitJournal parts the table's record from the session's.
func splitJournal(records [][]byte) (tableRecord, [][]byte, error) {
	var rec tableRecord
	if len(records) == 0 || len(records[0]) == 0 || records[0][0] != recordTable {
		return rec, nil, fmt.Errorf("table: a journal without a beginning")
	}
	if err := json.Unmarshal(records[0][1:], &rec); err != nil {
		return rec, nil, fmt.Errorf("table: reading a journal's beginning: %w", err)
	}
	session := make([][]byte, 0, len(records)-1)
	for _, r := range records[1:] {
		if len(r) == 0 || r[0] != recordSession {
			return rec, nil, fmt.Errorf("table: a record of unknown kind in a journal")
		}
		session = append(session, r[1:])
	}
	return rec, session, nil
}

// Abandon gives an unfinished match up: it can never be gone on with.
func Abandon(v *vault.Vault, u Unfinished, now time.Time) error {
	return v.FinishJournal(u.Journal, now)
}

// resumed is what Resume has read.
type resumed struct {
	unfinished Unfinished
	journal    *vault.Journal
	records    [][]byte // the session's
}

// Resume makes a table that goes on with an unfinished match. cfg.Path is one
// made from u.Path.
func Resume(cfg Config, u Unfinished) (*Table, error) {
	t, err := New(cfg)
	if err != nil {
		return nil, err
	}
	journal, records, err := cfg.Vault.OpenJournal(u.Journal)
	if err != nil {
		return nil, err
	}
	_, session, err := splitJournal(records)
	if err != nil {
		journal.Close()
		return nil, err
	}
	t.resumed = &resumed{unfinished: u, journal: journal, records: session}
	return t, nil
}

// takeUp begins the session of a resumed match and looks for its peer.
func (t *Table) takeUp(ctx context.Context) error {
	r := t.resumed
	saved, err := lockstep.ReadJournal(r.records)
	if err != nil {
		r.journal.Close()
		return fmt.Errorf("reading the match's journal: %w", err)
	}
	t.match = &match{
		nonce: saved.Journal, journal: r.journal, id: saved.ID, terms: saved.Terms,
		seat: saved.Terms.Seat(t.identity.Key()), peerName: r.unfinished.PeerName, begun: true,
	}
	t.secret = saved.Secret
	cfg := t.sessionConfig()
	cfg.Host, cfg.Peer, cfg.Secret = saved.Host, saved.Peer, saved.Secret
	if cfg.Tickets, err = t.tickets(); err != nil {
		return err
	}
	if t.session, err = lockstep.Resume(cfg, t.now(), r.records); err != nil {
		return fmt.Errorf("taking the match up again: %w", err)
	}
	t.cfg.Path.Show(p2p.RoomPlaying)
	t.again = true
	t.seek(ctx)
	return t.carryOut(ctx, t.session.Tick(t.now()))
}
