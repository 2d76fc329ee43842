package store

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

func TestArenasAndAttempts(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		a := Arena{ID: "aa", Seed: [32]byte{1}, OpenedMs: 5, ClosesMs: 10, Entrants: 1}
		b := Arena{ID: "bb", Seed: [32]byte{2}, OpenedMs: 4, ClosesMs: 9}
		attempt := func(contest string, player, number byte, ms int64) Attempt {
			return Attempt{Contest: contest, Player: key(player), Number: int(number), Nonce: [16]byte{number}, IssuedMs: ms, Body: []byte{player, number}}
		}
		first, second, other := attempt("aa", 1, 1, 7), attempt("2026-11-30", 1, 2, 8), attempt("aa", 2, 1, 6)
		again := first
		again.Nonce = [16]byte{99}
		update(t, s, func(tx *Tx) error {
			return errors.Join(tx.PutArena(a), tx.PutArena(b), tx.AddAttempt(first), tx.AddAttempt(second), tx.AddAttempt(other), tx.AddAttempt(again))
		})
		update(t, s, func(tx *Tx) error {
			closed := b
			closed.Closed, closed.Entrants, closed.Seed = true, 20, [32]byte{9} // the seed stays
			a.Entrants = 2
			return errors.Join(tx.PutArena(a), tx.PutArena(closed))
		})
		view(t, s, func(tx *Tx) error {
			open, err := tx.OpenArenas()
			got, known, err2 := tx.Arena("bb")
			_, unknown, err3 := tx.Arena("cc")
			if !reflect.DeepEqual(open, []Arena{a}) || !known || unknown || got.Entrants != 20 || !got.Closed || got.Seed != b.Seed {
				t.Errorf("%+v %+v %v", open, got, unknown)
			}
			mine, err4 := tx.Attempts("aa", key(1))
			all, err5 := tx.Entrants("aa")
			if !reflect.DeepEqual(mine, []Attempt{first}) || !reflect.DeepEqual(all, []Attempt{other, first}) {
				t.Errorf("%+v %+v", mine, all)
			}
			n, err6 := tx.CountAttempts(key(1), 6, "xx")
			m, err7 := tx.CountAttempts(key(1), 7, "xx")
			if n != 1 || m != 0 {
				t.Errorf("%d and %d arenas", n, m)
			}
			return errors.Join(err, err2, err3, err4, err5, err6, err7)
		})
	})
}

func TestRuns(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		run := Run{ID: record.ID{1}, Hash: [32]byte{2}, Head: record.Head{3}, Contest: "2026-11-30", Player: key(1), Attempt: 3, Bot: "bot:easy",
			State: ranking.RunOfBot, Reason: ranking.PlayedByBot, Score: 1 << 30, Combo: 6, Placements: 65535, ReceivedMs: 1 << 41, Receipt: []byte("{}")}
		second := run
		second.Hash, second.ReceivedMs, second.State, second.Reason = [32]byte{4}, run.ReceivedMs+1, ranking.RunFlagged, ranking.SecondRun
		file := bytes.Repeat([]byte{0, 255}, record.MaxRun/2)
		update(t, s, func(tx *Tx) error { return errors.Join(tx.AddRun(run, file), tx.AddRun(second, nil)) })
		if err := s.Update(t.Context(), func(tx *Tx) error { return tx.AddRun(run, file) }); err == nil {
			t.Error("a run was written over")
		}
		view(t, s, func(tx *Tx) error {
			due, err := tx.Unreplayed(run.ReceivedMs+1, 9)
			if !reflect.DeepEqual(due, []Run{run}) {
				t.Errorf("%+v", due)
			}
			return err
		})
		run.ReplayedMs, run.State, run.Reason, run.Receipt = 7, ranking.RunFlagged, ranking.RunIllegalMove, []byte("{1}")
		update(t, s, func(tx *Tx) error { return tx.SetReplayed(run) })
		view(t, s, func(tx *Tx) error {
			want := []Run{run, second}
			byID, err := tx.Runs(run.ID)
			of, err2 := tx.RunsOf("2026-11-30", key(1))
			in, err3 := tx.RunsIn("2026-11-30")
			none, err4 := tx.RunsOf("2026-11-30", key(2))
			due, err5 := tx.Unreplayed(1<<42, 1)
			if !reflect.DeepEqual(byID, want) || !reflect.DeepEqual(of, want) || !reflect.DeepEqual(in, want) || len(none) != 0 || !reflect.DeepEqual(due, []Run{second}) {
				t.Errorf("%+v\n%+v\n%+v\n%+v\n%+v", byID, of, in, none, due)
			}
			got, err6 := tx.RunFile(run.ID, run.Hash)
			nothing, err7 := tx.RunFile(record.ID{9}, run.Hash)
			if !bytes.Equal(got, file) || nothing != nil {
				t.Errorf("files of %d and %d bytes", len(got), len(nothing))
			}
			return errors.Join(err, err2, err3, err4, err5, err6, err7)
		})
	})
}

// TestScores moves a player between buckets, boards and countries.
func TestScores(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		score := func(player byte, score int64) Score {
			return Score{Player: key(player), Score: score, ReachedMs: 1, Days: 1}
		}
		count := func(board Board, score int64, above, total int) {
			t.Helper()
			view(t, s, func(tx *Tx) error {
				n, a, err := tx.Standing(board, score)
				n2, err2 := tx.CountBoard(board)
				if a != above || n != total || n2 != total {
					t.Errorf("%+v: %d above %d, %d and %d in all, want %d and %d", board, a, score, n, n2, above, total)
				}
				return errors.Join(err, err2)
			})
		}
		update(t, s, func(tx *Tx) error {
			return errors.Join(tx.PutScore("all", score(1, 255)), tx.PutScore("all", score(2, 256)), tx.PutScore("all", score(3, 257)), tx.PutScore("all", score(4, 100_000)), tx.PutScore("x", score(1, 9)))
		})
		count(Board{Name: "all"}, 255, 3, 4)
		count(Board{Name: "all"}, 256, 2, 4)
		count(Board{Name: "all"}, 300, 1, 4)
		update(t, s, func(tx *Tx) error {
			return errors.Join(tx.PutScore("all", score(1, 511)), tx.SetCountry(key(1), "NP"), tx.SetCountry(key(2), "NP"))
		})
		count(Board{Name: "all"}, 256, 3, 4)
		count(Board{Name: "all", Country: "NP"}, 256, 1, 2)
		count(Board{Name: "x", Country: "NP"}, 0, 1, 1)
		update(t, s, func(tx *Tx) error {
			return errors.Join(tx.SetCountry(key(1), "CA"), tx.DropScore("all", key(2)), tx.DropScore("all", key(9)))
		})
		count(Board{Name: "all", Country: "NP"}, 0, 0, 0)
		count(Board{Name: "all", Country: "CA"}, 0, 1, 1)
		count(Board{Name: "all"}, 0, 3, 3)
		update(t, s, func(tx *Tx) error { return tx.SetCountry(key(1), "") })
		count(Board{Name: "all", Country: "CA"}, 0, 0, 0)
		count(Board{Name: "all"}, 0, 3, 3)
	})
}
