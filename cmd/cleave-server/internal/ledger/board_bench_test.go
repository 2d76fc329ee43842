package ledger

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store/pgtest"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

// BenchmarkBoards asks for boards of 100,000 runs, each of a player's own: a
// page, and a player's place with the neighbours. It reports the 99th percentile.
func BenchmarkBoards(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) {
		file := filepath.Join(b.TempDir(), "cleave.db")
		s, err := store.Open(b.Context(), file)
		if err != nil {
			b.Fatal(err)
		}
		db, err := sql.Open("sqlite", file)
		if err != nil {
			b.Fatal(err)
		}
		benchmarkBoards(b, s, db, nil)
	})
	b.Run("postgres", func(b *testing.B) {
		db := pgtest.Open(b, pgtest.Database(b))
		s, err := store.On(b.Context(), db)
		if err != nil {
			b.Fatal(err)
		}
		benchmarkBoards(b, s, db, func() {
			// What the server does by itself within minutes.
			if _, err := db.ExecContext(b.Context(), "VACUUM ANALYZE"); err != nil {
				b.Fatal(err)
			}
		})
	})
}

func benchmarkBoards(b *testing.B, s *store.Store, db *sql.DB, settle func()) {
	defer s.Close()
	l, err := Open(b.Context(), s, games.All())
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	keys := fillBoards(b, db, rng)
	if settle != nil {
		settle()
	}
	board := func(ask BoardAsk) func() error {
		return func() error {
			ask.Player = record.PlayerCode(keys[3*rng.IntN(len(keys)/3)])
			got, err := l.Board(b.Context(), t0, ask)
			if err == nil && (got.Place == nil || len(got.Players) != 100) {
				err = fmt.Errorf("%+v", got)
			}
			return err
		}
	}
	for _, c := range []struct {
		name string
		ask  func() error
	}{
		// What a question costs that asks nothing: the load of the machine is in
		// all of these figures.
		{"nothing", func() error {
			return s.View(b.Context(), func(tx *store.Tx) error { _, err := tx.Meta("nothing"); return err })
		}},
		{"world", board(BoardAsk{Kind: ranking.DayBoard, Limit: 100})},
		{"country", board(BoardAsk{Kind: ranking.AllBoard, Country: "NP", Limit: 100})},
		{"deep", board(BoardAsk{Kind: ranking.AllBoard, Offset: maxOffset, Limit: 100})},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				if err := c.ask(); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
	}
}

// fillBoards writes the players, the runs and the boards that 100,000 uploads
// leave, 50 rows at once. It returns the players.
func fillBoards(b *testing.B, db *sql.DB, rng *rand.Rand) []record.Key {
	b.Helper()
	day := ranking.DayAt(t0).String()
	tx, err := db.BeginTx(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer tx.Rollback()
	rows := func(into string, all [][]any) {
		var text strings.Builder
		var args []any
		for i, row := range all {
			text.WriteString([]string{"INSERT INTO " + into + " VALUES ", ", "}[min(i, 1)])
			for j, value := range row {
				args = append(args, value)
				fmt.Fprintf(&text, "%s$%d", []string{"(", ", "}[min(j, 1)], len(args))
			}
			text.WriteString(")")
		}
		if _, err := tx.ExecContext(b.Context(), text.String(), args...); err != nil {
			b.Fatal(err)
		}
	}
	keys := make([]record.Key, 100_000)
	none := make([]byte, 32)
	for at := 0; at < len(keys); at += 50 {
		var players, runs, scores [][]any
		for i := at; i < at+50; i++ {
			keys[i] = record.Key(sha256.Sum256([]byte(strconv.Itoa(i))))
			k, ms, score := keys[i][:], t0+int64(i), int64(rng.ExpFloat64()*5000)
			players = append(players, []any{k, record.PlayerCode(keys[i]), t0})
			runs = append(runs, []any{k, none, none, day, k, 1, "", string(ranking.RunCounted), 0, score, 2, 100, ms, 0, none})
			for _, board := range []string{day, allTime} {
				scores = append(scores, []any{board, k, []string{"NP", "CA", ""}[i%3], -score, ms, 2, 1, 1, k})
			}
		}
		rows("players (player, code, since_ms)", players)
		rows("runs (id, hash, head, contest, player, attempt, bot, state, reason, score, combo, placements, received_ms, replayed_ms, receipt)", runs)
		rows("scores (board, player, country, down, reached_ms, combo, attempt, days, run)", scores)
	}
	for country, where := range map[string]string{"'*'": "1 = 1", "country": "country <> ''"} {
		if _, err := tx.ExecContext(b.Context(), `INSERT INTO score_counts (board, country, bucket, n)
			SELECT board, `+country+`, -down / 256, COUNT(*) FROM scores WHERE `+where+` GROUP BY 1, 2, 3`); err != nil {
			b.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
	return keys
}
