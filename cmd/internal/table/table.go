// Package table is one seat at one table: it finds the peer, owns the lockstep
// session and the pipe in one goroutine, carries out what the session asks for
// in order, keeps the journal and the finished logs in the vault, finds the
// peer again when the pipe is lost, and hands results to a ranking server. The
// window, the command line and the tests sit at it alike.
//
// It is the only package where lockstep and p2p meet. A frame never leaves
// before what stands in front of it is on the disk.
//
// # A table's life
//
// New makes a table and starts nothing; Run does everything until the peer has
// left, the caller asked to Leave, or ctx ended. A host whose visitor left
// before a match began waits for the next one. When ctx ends in the middle of
// a match the journal stays, and Resume goes on with the match, in another
// process if need be.
//
// # The journal
//
// The vault's journal of a match holds records that begin with one byte: 'T'
// for the table's own (JSON: how the peer was found), which comes first, and
// 'S' for the session's, in order.
package table

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p"
)

// Client is how this program names itself to a peer.
const Client = "cleave 0.1"

// Config is what a table is made of.
type Config struct {
	Vault *vault.Vault
	Path  Path
	// Name is shown to the peer.
	Name string
	// Room is what the host sets; a guest gets the host's.
	Room lockstep.Room
	// Ranking is the ranking server, nil for none: then no match is rated.
	Ranking *Ranking
	// Outbox is poked when something was put into it; nil if nobody delivers
	// while the table lives.
	Outbox *Outbox
	// Games are the rulesets; nil for all that this build knows.
	Games record.Games
	// Now is the time, nil for the real one. A match within one process can
	// be paused by a clock that stands still, if both its tables have it.
	Now func() lockstep.Now
	// Fresh returns 32 bytes that nobody can foresee; nil for the operating
	// system's. Only practice, where both seats are one's own, may draw them
	// from a seed.
	Fresh func() [32]byte
}

// A Table is one seat at one table.
type Table struct {
	cfg      Config
	identity *vault.Identity
	events   chan Event
	snapshot atomic.Pointer[Snapshot]

	mu       sync.Mutex // guards what callers add
	commands []command
	wake     chan struct{} // of one
	leaving  chan struct{} // closed by Leave
	leave    sync.Once

	// What follows belongs to the goroutine of Run.
	began      time.Time
	session    *lockstep.Session
	conn       p2p.Conn
	number     int // of conn, so that late frames of an older one are told apart
	again      bool
	secret     [32]byte
	in         chan inbound
	found      chan arrival
	seeking    context.CancelFunc // stops the search for a new path, nil if none
	seekingFor Reunion            // while there is a search
	sought     chan struct{}      // closed when the last search has ended
	match      *match
	queue      []Event
	closed     bool // there is nothing more to do
	peerLeft   bool // the peer has said goodbye
	answers    chan func() ([]lockstep.Action, error)
	carriers   sync.WaitGroup
	resumed    *resumed // set by Resume
}

type inbound struct {
	number int
	frame  []byte
	err    error
}

// ErrLeft is returned by Run when the peer has left, or this side has.
var ErrLeft = errors.New("table: the game is over")

// New makes a table at which nobody sits yet. The error is the vault's.
func New(cfg Config) (*Table, error) {
	id, err := cfg.Vault.Identity()
	if err != nil {
		return nil, err
	}
	if cfg.Fresh == nil {
		cfg.Fresh = fresh
	}
	if cfg.Games == nil {
		cfg.Games = games.All()
	}
	t := &Table{
		cfg: cfg, identity: id,
		events:  make(chan Event),
		wake:    make(chan struct{}, 1),
		leaving: make(chan struct{}),
		in:      make(chan inbound),
		found:   make(chan arrival),
		answers: make(chan func() ([]lockstep.Action, error)),
	}
	t.snapshot.Store(&Snapshot{Stage: Finding})
	return t, nil
}

// Events is what happens at the table. It is closed when Run returns. Whoever
// sits at the table reads it all the time; the table waits for nobody, and
// keeps what is not read yet.
func (t *Table) Events() <-chan Event { return t.events }

// Snapshot is the table as it is now, for a screen that draws from scratch. It
// may be called from any goroutine.
func (t *Table) Snapshot() *Snapshot { return t.snapshot.Load() }

func (t *Table) now() lockstep.Now {
	if t.cfg.Now != nil {
		return t.cfg.Now()
	}
	now := time.Now()
	return lockstep.Now{Mono: now.Sub(t.began).Milliseconds(), Wall: now.UnixMilli()}
}

func fresh() (b [32]byte) {
	rand.Read(b[:])
	return b
}

func (t *Table) sessionConfig() lockstep.Config {
	return lockstep.Config{
		Key:    t.identity.Key(),
		Sign:   func(m []byte) record.Signature { return t.identity.Sign(m) },
		Host:   t.cfg.Path.Host(),
		Name:   t.cfg.Name,
		Client: Client,
		Games:  t.cfg.Games,
		Rules:  duel.Rules,
		Layers: duel.Rounds,
		Room:   t.cfg.Room,
		Unsafe: t.cfg.Vault.Where() == "memory",
		Fresh:  t.cfg.Fresh,

		OpenWaitMs: openWait.Milliseconds(),
	}
}

// Run sits down and stays until the game is over. It returns ErrLeft when
// somebody left in good order, ctx's error when that ended, why the peer could
// not be found, or what the vault could not store.
func (t *Table) Run(ctx context.Context) error {
	t.began = time.Now()
	ctx, cancel := context.WithCancel(ctx)
	t.carriers.Go(func() { t.cfg.Path.Run(ctx) }) // ends with ctx
	err := t.run(ctx)
	if errors.Is(err, ErrLeft) || ctx.Err() != nil {
		err = errors.Join(err, t.lastClaim(ctx))
	}
	cancel()
	if t.conn != nil {
		t.conn.Close()
	}
	t.carriers.Wait()
	if t.match != nil {
		if t.match.done {
			err = errors.Join(err, t.closeMatch())
		} else {
			t.match.journal.Close()
		}
	}
	t.publish()
	t.drain()
	close(t.events)
	return err
}

func (t *Table) run(ctx context.Context) error {
	if t.resumed != nil {
		if err := t.takeUp(ctx); err != nil {
			return err
		}
		return t.loop(ctx)
	}
	for {
		conn, err := t.meet(ctx)
		if err != nil {
			return err
		}
		visit, over := context.WithCancel(ctx)
		err = t.sit(ctx, visit, conn)
		if err == nil {
			err = t.loop(ctx)
		}
		over()
		// A host's visitor who goes before a match began was a visitor.
		if !errors.Is(err, ErrLeft) || !t.cfg.Path.Host() || t.left() || t.match != nil && t.match.begun {
			return err
		}
		if err := t.closeMatch(); err != nil {
			return err
		}
		if t.conn != nil {
			t.conn.Close()
		}
		t.conn, t.session = nil, nil
		t.closed, t.peerLeft, t.again = false, false, false
		t.cfg.Path.Show(p2p.RoomOpen)
	}
}

func (t *Table) left() bool {
	select {
	case <-t.leaving:
		return true
	default:
		return false
	}
}
