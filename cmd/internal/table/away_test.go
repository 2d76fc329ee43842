package table

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/memnet"
)

func TestWhoStaysAwayHasAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(1, memnet.Conditions{Delay: time.Millisecond})
		a, b := newSeat(t, link, 0), newSeat(t, link, 1)
		short, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var wg sync.WaitGroup
		wg.Go(func() { b.sit(short, Sitting{Player: easy(2, time.Second)}) })
		began := time.Now()
		fa, err := a.sit(t.Context(), Sitting{Player: easy(1, time.Second)})
		wg.Wait()
		if err != nil {
			t.Fatal(err)
		}
		if len(fa) != 1 || fa[0].Result.End != lockstep.Abandoned || fa[0].Result.By != 1-fa[0].Seat {
			t.Fatalf("got %+v", fa)
		}
		if took := time.Since(began); took < 38*time.Second || took > 90*time.Second {
			t.Errorf("abandoned after %v", took)
		}
		log, err := record.ParseLog(fa[0].Log)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := record.Verify(log, games.All()); err != nil || v.Complete() {
			t.Errorf("the unfinished log: %v, complete %v", err, v.Complete())
		}
	})
}

// Who goes on with a match whose next entry is his own, and finds that the
// other does not come back, is not kept for ever; the match is kept.
func TestNobodyComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(1, memnet.Conditions{Delay: time.Millisecond})
		a, b := newSeat(t, link, 0), newSeat(t, link, 1)
		short, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		asleep := decider(func(ctx context.Context, _ duel.State, _ int) (engine.Move, error) {
			<-ctx.Done()
			return engine.Move{}, ctx.Err()
		})
		var wg sync.WaitGroup
		wg.Go(func() { a.sit(short, Sitting{Player: asleep}) })
		wg.Go(func() { b.sit(short, Sitting{Player: easy(2, time.Second)}) })
		wg.Wait()
		began := time.Now()
		fa, err := a.sit(t.Context(), Sitting{Player: easy(1, time.Second)})
		if !errors.Is(err, ErrNotBack) || len(fa) != 0 {
			t.Errorf("%v, %+v", err, fa)
		}
		if took := time.Since(began); took != returnPatience {
			t.Errorf("it waited for %v", took)
		}
		// Both are there at last, the one later than the other.
		var fb []Finished
		wg.Go(func() {
			time.Sleep(returnPatience / 2)
			fb, _ = b.sit(t.Context(), Sitting{Player: easy(2, time.Second)})
		})
		fa, err = a.sit(t.Context(), Sitting{Player: easy(1, time.Second)})
		wg.Wait()
		if err != nil {
			t.Fatal(err)
		}
		checkLogs(t, fa, fb)
	})
}

func TestAnAbandonedMatchIsNeverGoneOnWith(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(1, memnet.Conditions{Delay: time.Millisecond})
		a, b := newSeat(t, link, 0), newSeat(t, link, 1)
		short, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		both(short, a, b, Sitting{Player: easy(1, time.Second)}, Sitting{Player: easy(2, time.Second)})
		list, err := Unfinish(a.vault, time.Now())
		if err != nil || len(list) != 1 || list[0].Peer != record.Key(b.id.Key()) || list[0].PeerName != "P1" || !list[0].Path.Host {
			t.Fatalf("got %+v, %v", list, err)
		}
		if err := Abandon(a.vault, list[0], time.Now()); err != nil {
			t.Fatal(err)
		}
		if list, _ := Unfinish(a.vault, time.Now()); len(list) != 0 {
			t.Errorf("still there: %+v", list)
		}
		if list, _ := Unfinish(b.vault, time.Now().Add(25*time.Hour)); len(list) != 0 {
			t.Errorf("after a day: %+v", list)
		}
	})
}

// A wrongPath leads to somebody else before it leads back to the peer.
type wrongPath struct {
	Path
	key   [32]byte // one's own
	other record.Key
	wrong int // how often it still does
}

func (p *wrongPath) Guards() bool { return false }

func (p *wrongPath) Again(ctx context.Context, r Reunion) (p2p.Conn, error) {
	if p.wrong > 0 {
		p.wrong--
		conn, _ := memnet.NewLink(9, memnet.Conditions{}).Pair(p.key, p.other)
		return conn, nil
	}
	return p.Path.Again(ctx, r)
}

// Somebody else who turns up where the peer of a match is looked for is sent
// away, and the match goes on with the peer.
func TestSomebodyElseComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(5, memnet.Conditions{Delay: 10 * time.Millisecond})
		a, b := newSeat(t, link, 0), newSeat(t, link, 1)
		stranger, err := vault.Memory("stranger").Identity()
		if err != nil {
			t.Fatal(err)
		}
		path := &wrongPath{key: a.id.Key(), other: stranger.Key(), wrong: 2}
		a.by = func(p Path) Path { path.Path = p; return path }
		cut := time.AfterFunc(7300*time.Millisecond, func() {
			link.Cut()
			time.AfterFunc(10*time.Second, link.Heal)
		})
		defer cut.Stop()
		fa, fb, err := both(t.Context(), a, b, Sitting{Player: easy(1, time.Second)}, Sitting{Player: easy(2, time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		checkLogs(t, fa, fb)
		if path.wrong != 0 {
			t.Error("nobody else came")
		}
		for _, e := range a.events {
			if j, ok := e.(Joined); ok && j.Info.Peer != b.id.Key() {
				t.Error("somebody else sat down")
			}
		}
	})
}
