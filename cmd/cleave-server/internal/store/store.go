// Package store keeps what the server must not forget, in one SQLite file.
//
// The SQL is the subset that PostgreSQL runs unchanged ($1 parameters, ON
// CONFLICT, RETURNING), and the tests run every statement against both. There
// is one writer: the ledger takes its turns.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"modernc.org/sqlite"
)

// Errors of a store.
var (
	// ErrFull is wrapped when the disk, or the database's own limit, is full.
	// Nothing was written.
	ErrFull = errors.New("store: the disk is full")
	// ErrNewer is the error of a database that a newer program has made.
	ErrNewer = errors.New("store: the database was made by a newer version of this program")
)

// A Store is an open database.
type Store struct {
	write, read      *sql.DB
	writing, reading statements
}

// begin brings the database up to date.
func (s *Store) begin(ctx context.Context) (*Store, error) {
	if err := s.migrate(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// On is the store on a database that is open already, such as PostgreSQL's through
// pgx. It is closed with the store, or here in case of an error.
func On(ctx context.Context, db *sql.DB) (*Store, error) {
	s := &Store{write: db, read: db}
	// pgx keeps the statements of each connection itself. One of database/sql
	// belongs to the connection that it was prepared on, and every transaction on
	// another prepares it anew: three questions instead of one.
	s.writing.none, s.reading.none = true, true
	return s.begin(ctx)
}

// Open opens the SQLite database in the file, which is made, readable by its
// owner alone, when it is missing: it holds the server's key.
func Open(ctx context.Context, file string) (*Store, error) {
	if dir := filepath.Dir(file); dir != "." {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("store: making the folder: %w", err)
		}
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("store: opening the database: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("store: opening the database: %w", err)
	}
	// FULL syncs at every commit: a receipt stands for what is on the disk.
	dsn := "file:" + (&url.URL{Path: file}).EscapedPath() + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)"
	write, err := sql.Open("sqlite", dsn+"&_txlock=immediate")
	if err != nil {
		return nil, fmt.Errorf("store: opening the database: %w", err)
	}
	write.SetMaxOpenConns(1)
	read, err := sql.Open("sqlite", dsn+"&_pragma=query_only(1)")
	if err != nil {
		write.Close()
		return nil, fmt.Errorf("store: opening the database: %w", err)
	}
	read.SetMaxOpenConns(8)
	return (&Store{write: write, read: read}).begin(ctx)
}

// Close closes the database.
func (s *Store) Close() error {
	err := s.write.Close()
	if s.read != s.write {
		err = errors.Join(err, s.read.Close())
	}
	return err
}

// migrate runs the steps that the database lacks, each in a transaction.
func (s *Store) migrate(ctx context.Context) error {
	if _, err := s.write.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS migrations (step BIGINT PRIMARY KEY)`); err != nil {
		return fmt.Errorf("store: preparing the database: %w", classify(err))
	}
	var done int
	if err := s.write.QueryRowContext(ctx, `SELECT COUNT(*) FROM migrations`).Scan(&done); err != nil {
		return fmt.Errorf("store: reading the schema's version: %w", classify(err))
	}
	if done > len(migrations) {
		return ErrNewer
	}
	for step := done; step < len(migrations); step++ {
		err := s.Update(ctx, func(tx *Tx) error {
			for _, q := range migrations[step] {
				if _, err := tx.tx.ExecContext(ctx, q); err != nil {
					return classify(err)
				}
			}
			return tx.exec(`INSERT INTO migrations (step) VALUES ($1)`, step)
		})
		if err != nil {
			return fmt.Errorf("store: migrating to version %d: %w", step+1, err)
		}
	}
	return nil
}

// statements are the prepared ones of one pool. Parsing SQL costs more than
// running it here.
type statements struct {
	none bool // is kept: the driver does it
	mu   sync.Mutex
	have map[string]*sql.Stmt // nil: wanted by the next transaction
}

// prepare makes the statements that transactions have wanted. It takes a
// connection, so it is done between them, and nobody waits for it who may hold
// the last one.
func (s *statements) prepare(ctx context.Context, db *sql.DB) error {
	var wanted []string
	s.mu.Lock()
	for query, stmt := range s.have {
		if stmt == nil {
			wanted = append(wanted, query)
		}
	}
	s.mu.Unlock()
	for _, query := range wanted {
		stmt, err := db.PrepareContext(ctx, query)
		if err != nil {
			return classify(err)
		}
		s.mu.Lock()
		if s.have[query] == nil {
			s.have[query], stmt = stmt, nil
		}
		s.mu.Unlock()
		if stmt != nil {
			stmt.Close() // another was faster
		}
	}
	return nil
}

// of returns the statement of a query, nil while there is none.
func (s *statements) of(query string) *sql.Stmt {
	if s.none {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	stmt, known := s.have[query]
	if !known {
		if s.have == nil {
			s.have = map[string]*sql.Stmt{}
		}
		s.have[query] = nil
	}
	return stmt
}

// A Tx is one transaction. Its methods return errors of the database, which
// wrap ErrFull when the disk is full.
type Tx struct {
	ctx   context.Context
	tx    *sql.Tx
	stmts *statements
}

// Update runs f in a transaction that writes, and commits it when f returns
// nil. When the commit itself ends in an error, it is not known whether
// anything was written.
func (s *Store) Update(ctx context.Context, f func(*Tx) error) error {
	return run(ctx, s.write, &s.writing, f)
}

// View runs f in a transaction that only reads.
func (s *Store) View(ctx context.Context, f func(*Tx) error) error {
	return run(ctx, s.read, &s.reading, f)
}

func run(ctx context.Context, db *sql.DB, stmts *statements, f func(*Tx) error) error {
	if err := stmts.prepare(ctx, db); err != nil {
		return fmt.Errorf("store: preparing: %w", err)
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("store: beginning: %w", classify(err))
	}
	if err := f(&Tx{ctx: ctx, tx: tx, stmts: stmts}); err != nil {
		tx.Rollback()
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("store: committing: %w", classify(err))
	}
	return nil
}

func (t *Tx) exec(query string, args ...any) (err error) {
	if stmt := t.stmts.of(query); stmt != nil {
		_, err = t.tx.StmtContext(t.ctx, stmt).ExecContext(t.ctx, args...)
	} else {
		_, err = t.tx.ExecContext(t.ctx, query, args...)
	}
	return classify(err)
}

func (t *Tx) query(query string, args ...any) (*sql.Rows, error) {
	if stmt := t.stmts.of(query); stmt != nil {
		return t.tx.StmtContext(t.ctx, stmt).QueryContext(t.ctx, args...)
	}
	return t.tx.QueryContext(t.ctx, query, args...)
}

// row scans one row and says whether there was one.
func (t *Tx) row(into []any, query string, args ...any) (found bool, err error) {
	err = t.rows(into, func() error { found = true; return errEnough }, query, args...)
	if errors.Is(err, errEnough) {
		err = nil
	}
	return found && err == nil, err
}

var errEnough = errors.New("store: one row is enough")

// rows calls each after every scan.
func (t *Tx) rows(into []any, each func() error, query string, args ...any) error {
	rows, err := t.query(query, args...)
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return classify(err)
		}
		if err := each(); err != nil {
			return err
		}
	}
	return classify(rows.Err())
}

const (
	sqliteFull   = 13      // SQLITE_FULL
	postgresFull = "53100" // disk_full
)

// classify marks the error of a full disk.
func classify(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code()&0xff == sqliteFull {
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	if e, ok := errors.AsType[interface {
		error
		SQLState() string
	}](err); ok && e.SQLState() == postgresFull {
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}
