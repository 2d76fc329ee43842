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
	"fmt"
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

// meet waits for the first pipe, and meanwhile tells what it learns.
func (t *Table) meet(ctx context.Context) (p2p.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type met struct {
		conn p2p.Conn
		err  error
	}
	done := make(chan met, 1)
	told := make(chan Event)
	t.carriers.Go(func() {
		conn, err := t.cfg.Path.Meet(ctx, func(e Event) {
			select {
			case told <- e:
			case <-ctx.Done():
			}
		})
		done <- met{conn, err}
	})
	abandon := func() {
		cancel()
		if m := <-done; m.conn != nil {
			m.conn.Close()
		}
	}
	for {
		out, head := t.next()
		select {
		case m := <-done:
			return m.conn, m.err
		case e := <-told:
			t.tell(e)
		case out <- head:
			t.queue = t.queue[1:]
		case <-t.leaving:
			abandon()
			return nil, ErrLeft
		case <-ctx.Done():
			abandon()
			return nil, ctx.Err()
		}
	}
}

// sit begins a session with the peer at the other end of conn. visit ends when
// that peer has gone.
func (t *Table) sit(ctx, visit context.Context, conn p2p.Conn) error {
	info := conn.Info()
	cfg := t.sessionConfig()
	cfg.Peer, cfg.Secret = info.Peer, info.Session
	tickets, err := t.tickets()
	if err != nil {
		conn.Close()
		return err
	}
	cfg.Tickets = tickets
	t.secret = info.Session
	t.session = lockstep.New(cfg)
	t.cfg.Path.Show(p2p.RoomFull)
	if t.cfg.Ranking != nil && len(tickets) == 0 {
		t.carriers.Go(func() { t.awaitTickets(visit) })
	}
	return t.connect(ctx, conn)
}

// connect makes conn the pipe of the session, in place of any other.
func (t *Table) connect(ctx context.Context, conn p2p.Conn) error {
	if t.conn != nil {
		old := t.conn
		t.carriers.Go(func() { old.Close() })
	}
	t.number++
	t.conn = conn
	number := t.number
	t.carriers.Go(func() {
		for {
			frame, err := conn.Receive(ctx)
			select {
			case t.in <- inbound{number, frame, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	})
	t.tell(Joined{Info: conn.Info(), Again: t.again})
	t.again = true
	return t.carryOut(ctx, t.session.Connected(t.now()))
}

// loop lets the session live until it is closed.
func (t *Table) loop(ctx context.Context) error {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	leaving := t.leaving
	for !t.closed {
		t.publish()
		t.resetTimer(timer)
		out, head := t.next()
		var actions []lockstep.Action
		select {
		case <-ctx.Done():
			return ctx.Err()
		case out <- head:
			t.queue = t.queue[1:]
			continue
		case in := <-t.in:
			if in.number != t.number {
				continue
			}
			if in.err != nil {
				actions = t.lost(ctx)
			} else {
				actions = t.session.Receive(t.now(), in.frame)
			}
		case a := <-t.found:
			if err := t.arrived(ctx, a); err != nil {
				return err
			}
			continue
		case <-t.wake:
			if err := t.obey(ctx); err != nil {
				return err
			}
			continue
		case f := <-t.answers:
			var err error
			if actions, err = f(); err != nil {
				return err
			}
		case <-leaving:
			leaving = nil
			actions = t.session.Leave(t.now())
		case <-timer.C:
			actions = t.session.Tick(t.now())
		}
		if err := t.carryOut(ctx, actions); err != nil {
			return err
		}
	}
	t.stopSeeking()
	return ErrLeft
}

func (t *Table) resetTimer(timer *time.Timer) {
	now, next := t.now().Mono, t.session.NextTick()
	wait := time.Hour
	if ms := next - now; ms < wait.Milliseconds() {
		wait = time.Duration(max(ms, 0)) * time.Millisecond
	}
	timer.Reset(wait)
}

// carryOut does what the session asks for, in order. An error means that the
// session must not go on: something that had to be kept is not.
func (t *Table) carryOut(ctx context.Context, actions []lockstep.Action) error {
	for i := 0; i < len(actions); i++ {
		switch a := actions[i].(type) {
		case lockstep.Persist:
			batch := []lockstep.Persist{a}
			for i+1 < len(actions) {
				p, ok := actions[i+1].(lockstep.Persist)
				if !ok || p.Journal != a.Journal || p.First {
					break
				}
				batch = append(batch, p)
				i++
			}
			if err := t.persist(batch); err != nil {
				return err
			}
		case lockstep.Send:
			if t.conn != nil {
				// A frame that the pipe drops is sent again by the session.
				_ = t.conn.Send(a.Frame)
			}
		case lockstep.Show:
			if err := t.happened(ctx, a.Event); err != nil {
				return err
			}
		default:
			panic(fmt.Sprintf("table: unknown action %T", a))
		}
	}
	return nil
}

// maxQueue bounds the events kept for a reader that has stopped reading.
const maxQueue = 10_000

func (t *Table) tell(e Event) {
	if len(t.queue) < maxQueue {
		t.queue = append(t.queue, e)
	}
}

// next is where the oldest event not read yet goes.
func (t *Table) next() (chan<- Event, Event) {
	if len(t.queue) == 0 {
		return nil, nil
	}
	return t.events, t.queue[0]
}

// drain lets a reader that is there have the last events.
func (t *Table) drain() {
	patience := time.After(time.Second)
	for len(t.queue) > 0 {
		select {
		case t.events <- t.queue[0]:
			t.queue = t.queue[1:]
		case <-patience:
			return
		}
	}
}
