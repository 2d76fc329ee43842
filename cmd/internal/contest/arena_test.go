package contest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

// hall is an endpoint with two arenas, that seats as the real one does.
type hall struct {
	*desk
	seats  map[[16]byte]byte // the arena that a nonce has a seat in
	closed byte
}

func arenaNamed(b byte) ranking.Contest {
	return ranking.Contest{Kind: ranking.ArenaContest, ID: [16]byte{b}}
}

func (h *hall) EnterArena(_ context.Context, arena string, nonce [16]byte) (ranking.Attempt, ranking.AttemptAnswer, error) {
	if err := h.gone(); err != nil {
		return ranking.Attempt{}, ranking.AttemptAnswer{}, err
	}
	in, seated := h.seats[nonce]
	if !seated {
		free := byte(0)
		for b := byte(1); b <= 2; b++ {
			entered := false
			for _, other := range h.seats {
				entered = entered || other == b
			}
			if !entered && b != h.closed && (arena == "" || arena == arenaNamed(b).String()) {
				free = b
				break
			}
		}
		if free == 0 {
			return ranking.Attempt{}, ranking.AttemptAnswer{}, &ranking.Refusal{Reason: ranking.ArenaEntered, Text: "entered already"}
		}
		in = free
		h.seats[nonce] = in
	}
	return ranking.Attempt{Contest: arenaNamed(in), Server: deskKey, Nonce: nonce, Seed: [32]byte{in}, Number: 1},
		ranking.AttemptAnswer{Rules: streak.Rules, Params: streak.Counting.Params(), ClosesMs: 1000 * int64(in)}, nil
}

func atHall(v *vault.Vault) (*hall, *Arenas) {
	h := &hall{desk: newDesk(), seats: map[[16]byte]byte{}}
	return h, &Arenas{daily: &Daily{vault: v, client: h.desk, server: deskKey}, client: h}
}

func TestAnArenaIsEnteredOnceAndHandedIn(t *testing.T) {
	v := vault.Memory("p")
	h, a := atHall(v)
	r, err := a.Enter(t.Context(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	first := arenaNamed(1).String()
	// Killed and gone on with, again and again: it is the same seat.
	for range 3 {
		if err := r.Play(move(r)); err != nil {
			t.Fatal(err)
		}
		was := r.Position()
		r.Close()
		if r, err = a.Resume(first); err != nil || r.Position() != was {
			t.Fatalf("gone on with: %v", err)
		}
	}
	if handed, err := a.Hand(t.Context()); len(handed) != 0 || err != nil {
		t.Errorf("before its end: %v, %v", handed, err)
	}
	play(t, r)
	h.away = true
	info, ok, err := a.Finish(r, noon)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, err := a.Hand(t.Context()); !errors.Is(err, ranking.ErrUnreachable) {
		t.Errorf("handed in to nobody: %v", err)
	}
	if e := entered(t, a); len(e) != 1 || e[0].State != Waiting || e[0].Score != info.Score || e[0].Arena != first || e[0].ClosesMs != 1000 {
		t.Errorf("%+v", e)
	}
	h.away = false
	for range 2 {
		if _, err := a.Hand(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if e := entered(t, a); e[0].State != Counted || len(h.runs) != 1 {
		t.Errorf("%+v, %d runs", e, len(h.runs))
	}
	// Nobody enters twice; what is refused for good is not asked for again.
	refusal := (*ranking.Refusal)(nil)
	if _, err := a.Enter(t.Context(), first, nil); !errors.As(err, &refusal) {
		t.Errorf("%v", err)
	}
	if k, _ := a.daily.kept(); k.Seat != "" {
		t.Error("it will be asked for again")
	}
	if r, err := a.Enter(t.Context(), "", nil); err != nil || r.Terms().Seed != [32]byte{2} {
		t.Errorf("another arena: %v", err)
	}
}

func entered(t *testing.T, a *Arenas) []Entry {
	t.Helper()
	e, err := a.Entered()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Killed at each point, a seat that the server gave is never lost, and no second
// one is taken.
func TestAKillLosesNoSeat(t *testing.T) {
	// After the server was asked, before the run was begun; and then the player
	// wants another arena.
	for wanted, want := range map[string]int{"": 1, arenaNamed(2).String(): 2} {
		h, a := atHall(vault.Memory("p"))
		if err := a.daily.change(func(k *kept) { k.Seat = "000102030405060708090a0b0c0d0e0f" }); err != nil {
			t.Fatal(err)
		}
		h.EnterArena(t.Context(), "", [16]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
		r, err := a.Enter(t.Context(), wanted, nil)
		if err != nil {
			t.Fatal(err)
		}
		if e := entered(t, a); len(h.seats) != want || len(e) != want || e[0].State != Playing {
			t.Errorf("%q: %d seats, entries %+v", wanted, len(h.seats), e)
		}
		if seed := [32]byte{byte(want)}; r.Terms().Seed != seed {
			t.Error("another arena's run")
		}
		r.Close()
		if r, err = a.Resume(arenaNamed(1).String()); err != nil {
			t.Errorf("the first seat cannot be played: %v", err)
		}
	}
	// Before it was listed, and before it was noted that it has ended.
	_, a := atHall(vault.Memory("p"))
	r, err := a.Enter(t.Context(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	if err := a.daily.change(func(k *kept) { k.Arenas = nil }); err != nil {
		t.Fatal(err)
	}
	if r, err = a.Resume(arenaNamed(1).String()); err != nil || len(entered(t, a)) != 1 {
		t.Fatalf("%v", err)
	}
	play(t, r)
	if _, _, _, err := r.Finish(noon); err != nil {
		t.Fatal(err)
	}
	if handed, err := a.Hand(t.Context()); err != nil || len(handed) != 1 || entered(t, a)[0].State != Counted {
		t.Errorf("%v, %v", handed, err)
	}
}

func TestAnArenaThatIsOverTakesNoRun(t *testing.T) {
	h, a := atHall(vault.Memory("p"))
	r, err := a.Enter(t.Context(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	play(t, r)
	if _, _, err := a.Finish(r, noon); err != nil {
		t.Fatal(err)
	}
	h.refuse = &ranking.Refusal{Reason: ranking.Closed, Text: "that day or arena is over"}
	if _, err := a.Hand(t.Context()); err != nil {
		t.Fatal(err)
	}
	if e := entered(t, a)[0]; e.State != Refused || e.Text == "" {
		t.Errorf("%+v", e)
	}
	// A seat that was given up with nothing placed hands nothing in.
	if r, err = a.Enter(t.Context(), "", nil); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := a.Finish(r, noon); ok || err != nil || entered(t, a)[1].State != Empty {
		t.Errorf("%v, %v", ok, err)
	}
}

// A window asks the server in the background while runs end: nothing of what
// either keeps is lost.
func TestTwoChangesAtOnce(t *testing.T) {
	v := vault.Memory("p")
	var group sync.WaitGroup
	const each = 100
	for n := range 2 {
		group.Go(func() {
			d := &Daily{vault: v, server: record.Key{9}}
			for k := range each {
				if err := d.change(func(o *kept) { o.Unsent = append(o.Unsent, fmt.Sprint(n, k)) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if k, _ := (&Daily{vault: v, server: record.Key{9}}).kept(); len(k.Unsent) != 2*each {
		t.Errorf("%d of %d are kept", len(k.Unsent), 2*each)
	}
}
