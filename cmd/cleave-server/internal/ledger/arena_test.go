package ledger

import (
	"encoding/hex"
	"errors"
	"slices"
	"testing"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/lockstep/record"
)

func (d *desk) enter(p judgetest.Signer, arena string, n int) (ranking.AttemptAnswer, error) {
	b := nonce(n)
	return d.EnterArena(d.t.Context(), d.now, p.Key, ranking.AttemptRequest{Arena: arena, Nonce: hex.EncodeToString(b[:])})
}

func (d *desk) seated(p judgetest.Signer, arena string, n int) record.RunTerms {
	d.t.Helper()
	a, err := d.enter(p, arena, n)
	if err != nil || a.Number != 1 {
		d.t.Fatal(a, err)
	}
	return judgetest.RunTerms(p, d.seedOf(a.Seed), nonce(n), a.Attempt)
}

func (d *desk) fill() int64 {
	d.t.Helper()
	next, err := d.FillArenas(d.t.Context(), d.now)
	if err != nil {
		d.t.Fatal(err)
	}
	return next
}

func (d *desk) arena(id string) ranking.Arena {
	d.t.Helper()
	a, err := d.Arena(d.t.Context(), d.now, id)
	if err != nil {
		d.t.Fatal(err)
	}
	return a
}

// TestAnArena lets 24 hours pass in which three people enter, one of whom never
// hands a run in, and AI players take the other seats.
func TestAnArena(t *testing.T) { onEither(t, testAnArena) }

func testAnArena(t *testing.T, d *desk) {
	d.aiPlacements = 300
	d.meet(alice, bob, carol)
	opened := d.now
	first, err := d.enter(alice, "", 1)
	if err != nil || first.ClosesMs != opened+day {
		t.Fatal(first, err)
	}
	id := first.Contest
	if again, err := d.enter(alice, "", 1); err != nil || string(again.Attempt) != string(first.Attempt) {
		t.Errorf("asked again: %+v %v", again, err)
	}
	tm := judgetest.RunTerms(alice, d.seedOf(first.Seed), nonce(1), first.Attempt)
	a := d.handed(judgetest.PlayRun(alice, tm, bot.Medium, 1, 50), ranking.RunCounted, ranking.None)
	if a.Place.Total != 1 || a.Total != nil || a.Attempt != 1 {
		t.Errorf("%+v", a)
	}
	// One run each.
	_, err = d.enter(alice, id, 2)
	d.refused(err, ranking.ArenaEntered)
	d.handed(judgetest.PlayRun(alice, tm, bot.Easy, 1, 7), ranking.RunFlagged, ranking.SecondRun)
	if next := d.fill(); next != opened+aiEveryMs {
		t.Errorf("looks again at %d", next)
	}
	// As time passes AI players come in; a restart brings none twice.
	late := d.seated(carol, "", 1)
	for d.now < opened+20*aiEveryMs-1 {
		d.now += aiEveryMs / 2
		d.fill()
		if n := (d.now - opened) / aiEveryMs; n == 5 {
			d.restart()
			d.aiPlacements = 300
			d.fill()
			if got := len(d.arena(id).Entrants); got != 2+5 {
				t.Errorf("%d entrants after %d AI players were due", got, n)
			}
		}
		if d.now == opened+10*aiEveryMs {
			d.handed(judgetest.PlayRun(bob, d.seated(bob, id, 1), bot.Easy, 1, 20), ranking.RunCounted, ranking.None)
			if n := len(d.arena(id).Entrants); n != 3+10 {
				t.Errorf("%d entrants at half time", n)
			}
		}
		if d.now == opened+18*aiEveryMs {
			// 3 + 17: it is full before its close.
			_, err = d.enter(judgetest.NewSigner("dan"), id, 1)
			d.refused(err, ranking.WorkNeeded)
			dan := judgetest.NewSigner("dan")
			d.meet(dan)
			_, err = d.enter(dan, id, 1)
			d.refused(err, ranking.ArenaFull)
			other, err := d.enter(dan, "", 1)
			if err != nil || other.Contest == id || other.Seed == first.Seed {
				t.Errorf("the 21st got %+v %v", other, err)
			}
		}
	}
	// It is over: no run and no entrant any more.
	d.now = opened + day
	d.fill()
	_, err = d.hand(judgetest.PlayRun(carol, late, bot.Easy, 1, 50))
	d.refused(err, ranking.Closed)
	_, err = d.enter(judgetest.NewSigner("dan"), id, 2)
	d.refused(err, ranking.Closed)

	arena := d.arena(id)
	if !arena.Closed || len(arena.Entrants) != ranking.ArenaSeats {
		t.Fatalf("closed %v, %d entrants", arena.Closed, len(arena.Entrants))
	}
	bots, unplayed := 0, 0
	for i, l := range arena.Entrants {
		if !l.Played {
			if unplayed++; l.Key != carol.Key.String() || l.Rank != 0 || i != len(arena.Entrants)-1 {
				t.Errorf("%+v", l)
			}
			continue
		}
		rank := 1 + len(slices.DeleteFunc(slices.Clone(arena.Entrants), func(o ranking.ArenaLine) bool { return !o.Played || o.Score <= l.Score }))
		if l.Rank != rank || i > 0 && arena.Entrants[i-1].Score < l.Score {
			t.Errorf("line %d: rank %d, want %d", i, l.Rank, rank)
		}
		runID, _ := ranking.ParseMatchID(l.Run)
		file, err := d.RunFile(t.Context(), d.now, runID)
		if err != nil {
			t.Fatal(err)
		}
		log, err := record.ParseRunLog(file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := record.VerifyRun(log, games.All())
		if err != nil || int64(v.Claim().Score) != l.Score || v.Terms().Seed != d.seedOf(first.Seed) {
			t.Errorf("line %d does not verify: %v", i, err)
		}
		if b := v.Terms().Bot; b != nil {
			bots++
			if b.Name != l.Bot || games.CheckBot(t.Context(), v) != nil {
				t.Errorf("the run of %s is not played again", l.Bot)
			}
		}
	}
	if bots != 17 || unplayed != 1 {
		t.Errorf("%d AI players, %d without a run", bots, unplayed)
	}
	if lines := d.board(ranking.AllBoard, ""); len(lines) != 0 {
		t.Errorf("an arena counts for the sums: %+v", lines)
	}
	if all, err := d.Arenas(t.Context(), d.now); err != nil || len(all.Arenas) != 1 || all.Arenas[0].Arena == id {
		t.Errorf("%+v %v", all, err)
	}
}

func TestTiesInAnArena(t *testing.T) { onEither(t, testTiesInAnArena) }

func testTiesInAnArena(t *testing.T, d *desk) {
	d.meet(alice, bob, carol)
	id := ""
	for i, p := range []judgetest.Signer{alice, bob, carol} {
		tm := d.seated(p, id, 1)
		a, _ := ranking.ParseAttempt(tm.Attempt)
		id = a.Contest.String()
		d.now += second
		d.handed(judgetest.PlayRun(p, tm, bot.Medium, 1, []int{3, 8, 8}[i]), ranking.RunCounted, ranking.None)
	}
	var got []int
	for _, l := range d.arena(id).Entrants {
		got = append(got, l.Rank)
	}
	if e := d.arena(id).Entrants; !slices.Equal(got, []int{1, 1, 3}) || e[0].Key != bob.Key.String() || e[2].Key != alice.Key.String() {
		t.Errorf("ranks %v: %+v", got, e)
	}
}

func TestWhoMayEnterArenas(t *testing.T) { onEither(t, testWhoMayEnterArenas) }

func testWhoMayEnterArenas(t *testing.T, d *desk) {
	d.meet(alice, bob)
	for n := range ranking.ArenasPerDay {
		if _, err := d.enter(alice, "", n); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := d.Arenas(t.Context(), d.now); err != nil || len(all.Arenas) != ranking.ArenasPerDay {
		t.Errorf("%d arenas %v", len(all.Arenas), err)
	}
	_, err := d.enter(alice, "", 99)
	d.refused(err, ranking.TooManyArenas)
	// Another takes the oldest that has a seat, until its last hour.
	oldest, err := d.enter(bob, "", 1)
	if err != nil || len(d.arena(oldest.Contest).Entrants) != 2 {
		t.Error(oldest, err)
	}
	d.now += day - arenaLastMs
	d.meet(carol)
	if a, err := d.enter(carol, "", 1); err != nil || len(d.arena(a.Contest).Entrants) != 1 {
		t.Error(a, err)
	}
	for _, id := range []string{"x", "00000000000000000000000000000000"} {
		_, err = d.enter(carol, id, 5)
		d.refused(err, ranking.NotFound)
		if _, err := d.Arena(t.Context(), d.now, id); err == nil {
			t.Errorf("there is an arena %q", id)
		}
	}
	_, err = d.EnterArena(t.Context(), d.now, carol.Key, ranking.AttemptRequest{Nonce: "12"})
	d.refused(err, ranking.BadRequest)
	var refusal *ranking.Refusal
	if _, err = d.OpenAttempt(t.Context(), d.now, carol.Key, ranking.AttemptRequest{Nonce: "0000000000000000000000000000000g"}); !errors.As(err, &refusal) {
		t.Error(err)
	}
}

func TestNotAllArenasAreListed(t *testing.T) {
	d := newDesk(t)
	err := d.store.Update(t.Context(), func(tx *store.Tx) error {
		for n := range maxArenas + 7 {
			id := nonce(n)
			if err := tx.PutArena(store.Arena{ID: hex.EncodeToString(id[:]), OpenedMs: d.now + int64(n), ClosesMs: d.now + day, Entrants: 1}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all, err := d.Arenas(t.Context(), d.now)
	if err != nil || len(all.Arenas) != maxArenas || all.Arenas[0].OpenedMs != d.now {
		t.Errorf("%d arenas, %v", len(all.Arenas), err)
	}
}
