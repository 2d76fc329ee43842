// Package ledger decides what counts. It keeps the matches, the tickets, the
// leaves of the public log in their order, and the ladder, which is nothing but
// the fold of the leaves.
//
// It holds no clock: whoever calls it says what time it is, in Unix
// milliseconds. One call writes at a time, in one transaction, and a receipt is
// part of the transaction that it is about: what was answered once is answered
// again, to the byte, after a crash at any point.
package ledger

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/rating"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A Ledger is the server's book. It may be used by several goroutines at once.
type Ledger struct {
	store *store.Store
	games record.Games
	key   record.Key
	sign  record.Signer
	// secret is what the key was made of; see derived.
	secret []byte

	aiPlacements int // of an AI player's run; fewer in tests

	// mu is held by the one who writes.
	mu sync.Mutex
	// stale says that a commit ended in an error, so that the leaves in the
	// database may be more than those folded.
	stale bool

	// fold guards what readers look at. Only the writer changes it.
	fold   sync.RWMutex
	ladder *rating.Ladder
	leaves int64 // how many are folded
	moved  int64 // how many of them may have moved somebody

	tablesMu sync.Mutex
	tables   map[rating.Season]*table
}

// Open opens the book in the store, makes the server's key at the first time,
// and folds all leaves.
func Open(ctx context.Context, s *store.Store, games record.Games) (*Ledger, error) {
	l := &Ledger{store: s, games: games, ladder: rating.NewLadder(), tables: map[rating.Season]*table{}, aiPlacements: aiPlacements}
	seed := make([]byte, ed25519.SeedSize)
	err := s.Update(ctx, func(tx *store.Tx) error {
		kept, err := tx.Meta("server-key")
		if err != nil {
			return err
		}
		if len(kept) == ed25519.SeedSize {
			seed = kept
			return nil
		}
		rand.Read(seed)
		return tx.PutMeta("server-key", seed)
	})
	if err != nil {
		return nil, fmt.Errorf("ledger: reading the server's key: %w", err)
	}
	l.secret = seed
	private := ed25519.NewKeyFromSeed(seed)
	l.key = record.Key(private.Public().(ed25519.PublicKey))
	l.sign = func(message []byte) record.Signature { return record.Signature(ed25519.Sign(private, message)) }
	if err := l.refold(ctx); err != nil {
		return nil, err
	}
	return l, nil
}

// Key is the server's key.
func (l *Ledger) Key() record.Key { return l.key }

// refold folds the leaves that the database has and the ladder lacks.
func (l *Ledger) refold(ctx context.Context) error {
	l.fold.Lock()
	defer l.fold.Unlock()
	err := l.store.View(ctx, func(tx *store.Tx) error {
		return tx.Leaves(l.leaves, func(number int64, body []byte) error {
			leaf, err := rating.ParseLeaf(body)
			if err != nil || number != l.leaves {
				return fmt.Errorf("ledger: leaf %d of the database is damaged or missing", l.leaves)
			}
			if err := l.ladder.Fold(leaf); err != nil {
				return fmt.Errorf("ledger: folding leaf %d: %w", number, err)
			}
			l.folded(leaf)
			return nil
		})
	})
	if err != nil {
		return fmt.Errorf("ledger: reading the leaves: %w", err)
	}
	return nil
}

// A turn is one writer's transaction and the leaves it makes.
type turn struct {
	*store.Tx
	l     *Ledger
	nowMs int64
	made  []rating.Leaf
}

// write runs f as the only writer. The leaves that it made are folded once they
// are in the database.
func (l *Ledger) write(ctx context.Context, nowMs int64, f func(*turn) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stale {
		if err := l.refold(ctx); err != nil {
			return err
		}
		l.stale = false
	}
	// A request that its client gave up is finished all the same: the answer
	// is there when it asks again.
	ctx = context.WithoutCancel(ctx)
	var t *turn
	err := l.store.Update(ctx, func(tx *store.Tx) error {
		t = &turn{Tx: tx, l: l, nowMs: nowMs}
		return f(t)
	})
	if err != nil {
		l.stale = t != nil && len(t.made) > 0
		return err
	}
	l.fold.Lock()
	defer l.fold.Unlock()
	for _, leaf := range t.made {
		if err := l.ladder.Fold(leaf); err != nil {
			panic("ledger: a leaf of its own does not fold: " + err.Error())
		}
		l.folded(leaf)
	}
	return nil
}

// folded counts a leaf.
func (l *Ledger) folded(leaf rating.Leaf) {
	l.leaves++
	if leaf.Kind.Moves() {
		l.moved++
	}
}

// leaf appends a leaf and returns its number. Its time is not before that of
// the leaf before it, whatever the clock did.
func (t *turn) leaf(leaf rating.Leaf) (int64, error) {
	leaf.TimeMs = max(t.nowMs, t.l.ladder.LastMs())
	number := t.l.leaves + int64(len(t.made))
	if err := t.AddLeaf(number, leaf.TimeMs, leaf.Match, leaf.Append(nil)); err != nil {
		return 0, err
	}
	t.made = append(t.made, leaf)
	return number, nil
}

// Check is nil when the database takes what is written.
func (l *Ledger) Check(ctx context.Context, nowMs int64) error {
	return l.write(ctx, nowMs, func(t *turn) error { return t.PutMeta("checked", fmt.Append(nil, nowMs)) })
}

// Refusal turns an error of a ledger or a judge into the numbered one that a
// client is shown.
func Refusal(err error) *ranking.Refusal {
	if r, ok := errors.AsType[*ranking.Refusal](err); ok {
		return r
	}
	if errors.Is(err, store.ErrFull) {
		return ranking.Refuse(ranking.DiskFull, "")
	}
	return ranking.Refuse(ranking.ServerTrouble, "")
}

// Count is the number of leaves.
func (l *Ledger) Count() int64 {
	l.fold.RLock()
	defer l.fold.RUnlock()
	return l.leaves
}
