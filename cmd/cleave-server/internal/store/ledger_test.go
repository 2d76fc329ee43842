package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/ledger"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

// TestALedgerOnEitherDatabase runs one story of a server on both, and wants the
// same answers from both.
func TestALedgerOnEitherDatabase(t *testing.T) {
	sqlite, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cleave.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer sqlite.Close()
	t.Run("sqlite", func(t *testing.T) { story(t, sqlite) })
	t.Run("postgres", func(t *testing.T) { story(t, store.OpenPostgres(t)) })
}

func story(t *testing.T, s *store.Store) {
	l, err := ledger.Open(t.Context(), s, games.All())
	if err != nil {
		t.Fatal(err)
	}
	var seed []byte
	if err := s.View(t.Context(), func(tx *store.Tx) error { seed, err = tx.Meta("server-key"); return err }); err != nil {
		t.Fatal(err)
	}
	server, alice, bob := judgetest.FromSeed(seed), judgetest.NewSigner("alice"), judgetest.NewSigner("bob")
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	sit := func(name string) *judgetest.Table { return judgetest.Sit(server, alice, bob, now/1000, name) }
	upload := func(table *judgetest.Table, state ranking.State, reason ranking.Reason) ranking.UploadAnswer {
		t.Helper()
		v, err := judge.Read(table.Log(), games.All(), l.Key(), now)
		if err != nil {
			t.Fatal(err)
		}
		a, err := l.Upload(t.Context(), now, v)
		if err != nil || a.State != state || a.Reason != reason {
			t.Fatalf("%+v %v, want %s (%d)", a, err, state, reason)
		}
		return a
	}
	proof, _ := ranking.Work(l.Key(), alice.Key, ranking.WorkBits, func() bool { return false })
	if got, err := l.Tickets(t.Context(), now, alice.Key, ranking.TicketRequest{Count: 10, Work: proof}); err != nil || len(got) != ranking.TicketsPerDayNew {
		t.Fatal(len(got), err)
	}
	sealed := sit("sealed").PlayOut().Seal()
	one := upload(sealed, ranking.StateConfirmed, ranking.None)
	if again := upload(sealed, ranking.StateConfirmed, ranking.None); again != one {
		t.Error("two answers")
	}
	// Two versions by one player: the result is reversed.
	fork := sealed.Fork(20)
	seat := fork.Match.Position().Owes()
	other := sealed.Fork(20).Resign(seat)
	upload(other, ranking.StateConfirmed, ranking.Forged)

	opened := sit("opened")
	for _, p := range []judgetest.Signer{alice, bob} {
		if _, _, err := l.Hand(t.Context(), now, p.Key, opened.Terms, opened.Sigs); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Opened(t.Context(), now, opened.Terms.ID()); err != nil {
		t.Fatal(err)
	}
	v, err := judge.Read(opened.Play(20).Log(), games.All(), l.Key(), now)
	if err != nil {
		t.Fatal(err)
	}
	claim, fresh, err := l.Claim(t.Context(), now, alice.Key, ranking.Silence, nil, v)
	if err != nil || !fresh {
		t.Fatal(err)
	}
	if again, fresh, err := l.Claim(t.Context(), now, alice.Key, ranking.Silence, nil, v); err != nil || fresh || again != claim {
		t.Error("two receipts of a claim", err)
	}
	if w, fresh, err := l.Withdraw(t.Context(), now, alice.Key, v.Verified.ID()); err != nil || !fresh || w.Index != 21 {
		t.Errorf("%+v %v %v", w, fresh, err)
	}
	upload(opened.PlayOut(), ranking.StatePending, ranking.AwaitingSeal)
	now += 10 * 60 * 1000
	if settled, next, err := l.Due(t.Context(), now); err != nil || len(settled) != 1 || next != 0 {
		t.Errorf("settled %x, next %d, %v", settled, next, err)
	}
	if p, err := l.Player(t.Context(), now, record.PlayerCode(bob.Key)); err != nil || len(p.Matches) != 2 || p.Placement != 2 {
		t.Errorf("%+v %v", p, err)
	}
	page, err := l.Ladder(now, "", 0, 10)
	if err != nil || page.Total != 2 {
		t.Fatalf("%+v %v", page, err)
	}
	again, err := ledger.Open(t.Context(), s, games.All())
	if err != nil {
		t.Fatal(err)
	}
	if p, err := again.Ladder(now, "", 0, 10); err != nil || p.Players[0] != page.Players[0] || p.Players[1] != page.Players[1] || again.Count() != l.Count() {
		t.Errorf("after a restart: %+v %v", p, err)
	}
}
