package ledger

import (
	"crypto/sha256"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

// BenchmarkBoards asks for boards of 100,000 players, each by one run: a page,
// and a player's place with the neighbours. It reports the 99th percentile.
func BenchmarkBoards(b *testing.B) {
	s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "cleave.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	l, err := Open(b.Context(), s, games.All())
	if err != nil {
		b.Fatal(err)
	}
	day := ranking.DayAt(t0).String()
	rng := rand.New(rand.NewPCG(1, 2))
	keys := make([]record.Key, 100_000)
	err = s.Update(b.Context(), func(tx *store.Tx) error {
		for i := range keys {
			keys[i] = record.Key(sha256.Sum256([]byte(strconv.Itoa(i))))
			if _, err := tx.AddPlayer(keys[i], t0); err != nil {
				return err
			}
			score := store.Score{Player: keys[i], Country: []string{"NP", "CA", ""}[i%3], Score: int64(rng.ExpFloat64() * 5000), ReachedMs: t0 + int64(i), Attempt: 1, Days: 1, Run: record.ID{1}}
			for _, board := range []string{day, allTime} {
				if err := tx.PutScore(board, score); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for name, ask := range map[string]BoardAsk{
		"world":   {Kind: ranking.DayBoard, Limit: 100},
		"country": {Kind: ranking.AllBoard, Country: "NP", Limit: 100},
		"deep":    {Kind: ranking.AllBoard, Offset: maxOffset, Limit: 100},
	} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				ask.Player = record.PlayerCode(keys[3*rng.IntN(len(keys)/3)])
				start := time.Now()
				got, err := l.Board(b.Context(), t0, ask)
				if err != nil || got.Place == nil || len(got.Players) != 100 {
					b.Fatalf("%+v %v", got, err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}
