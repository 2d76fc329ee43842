package ledger

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store/pgtest"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/rating"
	"github.com/cleavegame/cleave/lockstep/record"
)

const (
	t0     = int64(1_790_000_000_000) // Unix ms
	second = int64(1000)
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

var alice, bob, carol = judgetest.NewSigner("alice"), judgetest.NewSigner("bob"), judgetest.NewSigner("carol")

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// A desk is a ledger under test, with the file it keeps, or the database of
// PostgreSQL.
type desk struct {
	*Ledger
	t        *testing.T
	file     string
	postgres string
	now      int64
}

// onEither runs a test with SQLite and with PostgreSQL.
func onEither(t *testing.T, test func(*testing.T, *desk)) {
	t.Run("sqlite", func(t *testing.T) { test(t, newDesk(t)) })
	t.Run("postgres", func(t *testing.T) {
		d := &desk{t: t, postgres: pgtest.Database(t), now: t0}
		d.open()
		test(t, d)
	})
}

// disk is the database behind the ledger's back.
func (d *desk) disk() *sql.DB {
	d.t.Helper()
	if d.postgres != "" {
		return pgtest.Open(d.t, d.postgres)
	}
	db, err := sql.Open("sqlite", d.file)
	if err != nil {
		d.t.Fatal(err)
	}
	return db
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, file: filepath.Join(t.TempDir(), "cleave.db"), now: t0}
	d.open()
	return d
}

func (d *desk) open() {
	d.t.Helper()
	var s *store.Store
	var err error
	if d.postgres != "" {
		s, err = store.On(d.t.Context(), d.disk())
	} else {
		s, err = store.Open(d.t.Context(), d.file)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { s.Close() })
	if d.Ledger == nil { // always the same key, and so the same deals of days
		err := s.Update(d.t.Context(), func(tx *store.Tx) error { return tx.PutMeta("server-key", bytes.Repeat([]byte{7}, 32)) })
		if err != nil {
			d.t.Fatal(err)
		}
	}
	if d.Ledger, err = Open(d.t.Context(), s, games.All()); err != nil {
		d.t.Fatal(err)
	}
}

// restart closes the database and opens it anew.
func (d *desk) restart() {
	d.t.Helper()
	if err := d.store.Close(); err != nil {
		d.t.Fatal(err)
	}
	d.open()
}

// server signs tickets as the ledger does. Its key is not in judgetest's
// hands, so the ledger's own signer is used.
func (d *desk) ticket(player judgetest.Signer, name string, issuedMs int64) record.Ticket {
	var serial [16]byte
	copy(serial[:], name)
	return record.IssueTicket(player.Key, d.key, serial, issuedMs/1000, issuedMs/1000+record.TicketLife, d.sign)
}

func (d *desk) sit(a, b judgetest.Signer, name string) *judgetest.Table {
	return d.sitWith(a, b, name, [2]record.Ticket{d.ticket(a, name+"/0", d.now), d.ticket(b, name+"/1", d.now)})
}

func (d *desk) sitWith(a, b judgetest.Signer, name string, tickets [2]record.Ticket) *judgetest.Table {
	t, chances := judgetest.RatedTerms(judgetest.Signer{Key: d.key}, a, b, tickets, name)
	return judgetest.Begin(a, b, t, chances)
}

func (d *desk) read(table *judgetest.Table) judge.Verdict {
	d.t.Helper()
	v, err := judge.Read(table.Log(), d.games, d.key, d.now)
	if err != nil {
		d.t.Fatal(err)
	}
	return v
}

// upload hands in what a table has so far, and wants it to stand there.
func (d *desk) upload(table *judgetest.Table, state ranking.State, reason ranking.Reason) ranking.UploadAnswer {
	d.t.Helper()
	a, err := d.Upload(d.t.Context(), d.now, d.read(table))
	if err != nil {
		d.t.Fatal(err)
	}
	d.want(a, state, reason)
	return a
}

func (d *desk) want(a ranking.UploadAnswer, state ranking.State, reason ranking.Reason) {
	d.t.Helper()
	if a.State != state || a.Reason != reason {
		d.t.Fatalf("the match is %s (%d), want %s (%d)", a.State, a.Reason, state, reason)
	}
	if err := a.Receipt.Check(d.key); err != nil {
		d.t.Fatal(err)
	}
}

// opened opens the match as two connections would.
func (d *desk) opened(table *judgetest.Table) ranking.Receipt {
	d.t.Helper()
	for seat := range 2 {
		if got, _, err := d.Hand(d.t.Context(), d.now, table.Players[seat].Key, table.Terms, table.Sigs); err != nil || got != seat {
			d.t.Fatal(got, err)
		}
	}
	r, err := d.Opened(d.t.Context(), d.now, table.Terms.ID())
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

func (d *desk) refused(err error, want ranking.Reason) {
	d.t.Helper()
	if r, ok := errors.AsType[*ranking.Refusal](err); !ok || r.Reason != want {
		d.t.Fatalf("got %v, want refusal %d", err, want)
	}
}

func (d *desk) due() []record.ID {
	d.t.Helper()
	settled, _, err := d.Due(d.t.Context(), d.now)
	if err != nil {
		d.t.Fatal(err)
	}
	return settled
}

// rated is a player's rating, as a whole number.
func (d *desk) rated(p judgetest.Signer) int {
	player, ok := d.ladder.Player(rating.Key(p.Key))
	if !ok {
		return 1500
	}
	return player.Rating.Round()
}

func (d *desk) state(table *judgetest.Table) ranking.Match {
	d.t.Helper()
	m, err := d.Match(d.t.Context(), table.Terms.ID())
	if err != nil {
		d.t.Fatal(err)
	}
	return m
}

// lastLeaf is the newest leaf of the log, and its number.
func (d *desk) lastLeaf() (leaf rating.Leaf, number int64) {
	d.t.Helper()
	err := d.Leaves(d.t.Context(), d.Count()-1, func(n int64, body []byte) (err error) {
		number = n
		leaf, err = rating.ParseLeaf(body)
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return leaf, number
}

// leavesOf counts the leaves of each kind.
func (d *desk) leavesOf() map[rating.LeafKind]int {
	d.t.Helper()
	kinds := map[rating.LeafKind]int{}
	last := int64(0)
	err := d.Leaves(d.t.Context(), 0, func(_ int64, body []byte) error {
		leaf, err := rating.ParseLeaf(body)
		if err != nil {
			return err
		}
		if leaf.TimeMs < last {
			return fmt.Errorf("a leaf's time is %d, after %d", leaf.TimeMs, last)
		}
		last = leaf.TimeMs
		kinds[leaf.Kind]++
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return kinds
}

// tinyDisk is a folder on a file system of so many bytes.
func tinyDisk(t *testing.T, bytes int) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", bytes), "tmpfs", dir).CombinedOutput()
	if err != nil {
		if os.Getenv("STRICT") == "1" {
			t.Fatalf("a small disk cannot be made: %v %s", err, out)
		}
		t.Skipf("a small disk cannot be made: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	return dir
}
