package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/memnet"
)

// thinker decides as a bot does, after some time.
type thinker struct {
	bot  *bot.Player
	time time.Duration
}

func (p thinker) Decide(ctx context.Context, s duel.State, seat int) (engine.Move, error) {
	select {
	case <-time.After(p.time):
		return p.bot.Decide(s, seat), nil
	case <-ctx.Done():
		return engine.Move{}, ctx.Err()
	}
}

func easy(seed uint64, d time.Duration) Decider {
	return thinker{bot.New(bot.Easy, seed), d}
}

// decider makes a Decider of a function.
type decider func(context.Context, duel.State, int) (engine.Move, error)

func (f decider) Decide(ctx context.Context, s duel.State, seat int) (engine.Move, error) {
	return f(ctx, s, seat)
}

// seat is one profile of a test, which may sit down several times.
type seat struct {
	t     *testing.T
	vault *vault.Vault
	id    *vault.Identity
	link  *memnet.Link
	end   int
	room  lockstep.Room
	games record.Games

	ranking *Ranking
	outbox  *Outbox
	now     func() lockstep.Now
	by      func(Path) Path // another path in the place of that through memory

	mu     sync.Mutex
	events []Event
	times  []time.Time
}

func newSeat(t *testing.T, link *memnet.Link, end int) *seat {
	t.Helper()
	v := vault.Memory(fmt.Sprint("seat", end))
	id, err := v.Identity()
	if err != nil {
		t.Fatal(err)
	}
	return &seat{t: t, vault: v, id: id, link: link, end: end, room: lockstep.Room{Name: "r", Friendly: true}}
}

func (s *seat) config() Config {
	path := Memory(s.link, s.end, s.id.Key())
	if s.by != nil {
		path = s.by(path)
	}
	return Config{Vault: s.vault, Path: path, Name: fmt.Sprint("P", s.end), Room: s.room, Games: s.games,
		Ranking: s.ranking, Outbox: s.outbox, Now: s.now}
}

// sit plays, going on with an unfinished match if there is one.
func (s *seat) sit(ctx context.Context, sitting Sitting) ([]Finished, error) {
	unfinished, err := Unfinish(s.vault, time.Now())
	if err != nil {
		return nil, err
	}
	// Nothing here takes so long; the clock in a bubble gets there at once.
	ctx, cancel := context.WithTimeout(ctx, 20*time.Minute)
	defer cancel()
	var t *Table
	if len(unfinished) > 0 {
		t, err = Resume(s.config(), unfinished[0])
	} else {
		t, err = New(s.config())
	}
	if err != nil {
		return nil, err
	}
	tell := sitting.Tell
	sitting.Tell = func(e Event) {
		s.mu.Lock()
		s.events, s.times = append(s.events, e), append(s.times, time.Now())
		s.mu.Unlock()
		if tell != nil {
			tell(e)
		}
	}
	return Play(ctx, t, sitting)
}

// story is what happened at the seat, but for the entries.
func (s *seat) story() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := fmt.Sprintf("seat %d:", s.end)
	for i, e := range s.events {
		name := fmt.Sprintf("%T", e)
		if from, ok := e.(FromSession); ok {
			if _, entry := from.Event.(lockstep.Applied); entry {
				continue
			}
			name = fmt.Sprintf("%T", from.Event)
		}
		text += fmt.Sprintf(" %s@%.2f", name[strings.Index(name, ".")+1:], s.times[i].Sub(s.times[0]).Seconds())
	}
	return text
}

// happened counts the events of the session that f picks.
func (s *seat) happened(f func(lockstep.Event) bool) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.events {
		if from, ok := e.(FromSession); ok && f(from.Event) {
			n++
		}
	}
	return n
}

// both sits two seats down and waits until both have left.
func both(ctx context.Context, a, b *seat, sa, sb Sitting) (fa, fb []Finished, err error) {
	var errs [2]error
	var wg sync.WaitGroup
	wg.Go(func() { fa, errs[0] = a.sit(ctx, sa) })
	wg.Go(func() { fb, errs[1] = b.sit(ctx, sb) })
	wg.Wait()
	if err := errors.Join(errs[0], errs[1]); err != nil {
		return fa, fb, fmt.Errorf("%w\n%s\n%s", err, a.story(), b.story())
	}
	return fa, fb, nil
}

// checkLogs holds two logs of one match against each other and the verifier.
func checkLogs(t *testing.T, a, b []Finished) record.Verified {
	t.Helper()
	if len(a) != len(b) || len(a) == 0 {
		t.Fatalf("%d matches here, %d there", len(a), len(b))
	}
	var v record.Verified
	for i := range a {
		la, err := record.ParseLog(a[i].Log)
		if err != nil {
			t.Fatal(err)
		}
		v, err = record.Verify(la, games.All())
		if err != nil {
			t.Fatal(err)
		}
		if !v.Complete() || !v.Sealed() || !a[i].Sealed || !b[i].Sealed {
			t.Errorf("match %d: complete %v, sealed %v", i, v.Complete(), v.Sealed())
		}
		if !bytes.Equal(a[i].Log, b[i].Log) {
			t.Errorf("match %d: the two logs differ", i)
		}
		if a[i].Seat == b[i].Seat {
			t.Errorf("match %d: both have seat %d", i, a[i].Seat)
		}
	}
	return v
}
