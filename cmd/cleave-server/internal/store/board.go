package store

import (
	"math"
	"strconv"

	"github.com/cleavegame/cleave/lockstep/record"
)

// A Score is a player's line on a board.
type Score struct {
	Player    record.Key
	Country   string
	Score     int64
	ReachedMs int64
	Combo     int
	Attempt   int
	Days      int
	Run       record.ID
}

// PutScore writes a player's line.
func (t *Tx) PutScore(board string, s Score) error {
	if err := t.DropScore(board, s.Player); err != nil {
		return err
	}
	err := t.exec(`INSERT INTO scores (board, player, country, down, reached_ms, combo, attempt, days, run) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		board, s.Player[:], s.Country, -s.Score, s.ReachedMs, s.Combo, s.Attempt, s.Days, s.Run[:])
	if err != nil {
		return err
	}
	return t.countScore(board, s, 1)
}

// DropScore takes a player off a board, if he is on it.
func (t *Tx) DropScore(board string, player record.Key) error {
	s, known, err := t.Score(board, player)
	if !known || err != nil {
		return err
	}
	if err := t.exec(`DELETE FROM scores WHERE board = $1 AND player = $2`, board, player[:]); err != nil {
		return err
	}
	return t.countScore(board, s, -1)
}

const (
	world = "*" // the country under which the world is counted
	// bucketBits is how many bits of a score its bucket leaves out: boards have
	// some hundreds of buckets then, each of which holds few of their players.
	bucketBits = 8
)

// countScore keeps the counts of the buckets.
func (t *Tx) countScore(board string, s Score, n int) error {
	countries := []string{world}
	if s.Country != "" {
		countries = append(countries, s.Country)
	}
	for _, c := range countries {
		err := t.exec(`INSERT INTO score_counts (board, country, bucket, n) VALUES ($1, $2, $3, $4)
			ON CONFLICT (board, country, bucket) DO UPDATE SET n = score_counts.n + excluded.n`, board, c, s.Score>>bucketBits, n)
		if err != nil {
			return err
		}
	}
	return nil
}

// Score reads a player's line and says whether there is one.
func (t *Tx) Score(board string, player record.Key) (Score, bool, error) {
	all, err := t.scores(`WHERE board = $1 AND player = $2`, board, player[:])
	if len(all) == 0 || err != nil {
		return Score{}, false, err
	}
	return all[0], true, nil
}

func (t *Tx) scores(where string, args ...any) ([]Score, error) {
	var all []Score
	var s Score
	var player, run []byte
	err := t.rows([]any{&player, &s.Country, &s.Score, &s.ReachedMs, &s.Combo, &s.Attempt, &s.Days, &run}, func() error {
		copy(s.Player[:], player)
		copy(s.Run[:], run)
		all = append(all, s)
		return nil
	}, `SELECT player, country, -down, reached_ms, combo, attempt, days, run FROM scores `+where, args...)
	return all, err
}

// A Board is one board, of the world where Country is "".
type Board struct{ Name, Country string }

// where is the condition that picks the board, and its arguments.
func (b Board) where() (string, []any) {
	if b.Country == "" {
		return `WHERE board = $1 `, []any{b.Name}
	}
	return `WHERE board = $1 AND country = $2 `, []any{b.Name, b.Country}
}

// more is a condition with its arguments numbered behind those of the board:
// every ? of it is the next one.
func (b Board) more(condition string, args ...any) (string, []any) {
	where, all := b.where()
	for _, c := range condition {
		if c == '?' {
			all = append(all, args[0])
			args = args[1:]
			where += "$" + strconv.Itoa(len(all))
			continue
		}
		where += string(c)
	}
	return where, append(all, args...)
}

// Page returns a board's lines from an offset on: the best score first, of
// equal ones the earlier.
func (t *Tx) Page(b Board, offset, limit int) ([]Score, error) {
	if offset == 0 {
		where, args := b.more(`ORDER BY down, reached_ms, player LIMIT ?`, limit)
		return t.scores(where, args...)
	}
	// The lines before the page are counted in the index alone.
	same, _ := b.where()
	where, args := b.more(`AND (down, reached_ms, player) >= (SELECT down, reached_ms, player FROM scores `+same+`ORDER BY down, reached_ms, player LIMIT 1 OFFSET ?)
		ORDER BY down, reached_ms, player LIMIT ?`, offset, limit)
	return t.scores(where, args...)
}

// Before and After return up to limit lines next to one, the nearest first.
func (t *Tx) Before(b Board, s Score, limit int) ([]Score, error) {
	where, args := b.more(`AND (down, reached_ms, player) < (?, ?, ?) ORDER BY down DESC, reached_ms DESC, player DESC LIMIT ?`, -s.Score, s.ReachedMs, s.Player[:], limit)
	return t.scores(where, args...)
}

// After is the other side of Before.
func (t *Tx) After(b Board, s Score, limit int) ([]Score, error) {
	where, args := b.more(`AND (down, reached_ms, player) > (?, ?, ?) ORDER BY down, reached_ms, player LIMIT ?`, -s.Score, s.ReachedMs, s.Player[:], limit)
	return t.scores(where, args...)
}

// CountBoard is how many are on a board.
func (t *Tx) CountBoard(b Board) (n int, err error) {
	n, _, err = t.Standing(b, math.MaxInt64)
	return n, err
}

func (b Board) counted() string {
	if b.Country == "" {
		return world
	}
	return b.Country
}

// Standing is how many are on a board, and how many of them have a higher score
// than that.
func (t *Tx) Standing(b Board, score int64) (total, above int, err error) {
	bucket := score >> bucketBits
	_, err = t.row([]any{&total, &above}, `SELECT COALESCE(SUM(n), 0), COALESCE(SUM(CASE WHEN bucket > $3 THEN n ELSE 0 END), 0)
		FROM score_counts WHERE board = $1 AND country = $2`, b.Name, b.counted(), bucket)
	if err != nil || score == math.MaxInt64 {
		return total, above, err
	}
	where, args := b.more(`AND down >= ? AND down < ?`, -((bucket+1)<<bucketBits - 1), -score)
	var same int
	_, err = t.row([]any{&same}, `SELECT COUNT(*) FROM scores `+where, args...)
	return total, above + same, err
}

// Ties is how many have each of the scores, at most five.
func (t *Tx) Ties(b Board, scores ...int64) (map[int64]int, error) {
	downs := make([]any, 5)
	for i := range downs {
		downs[i] = -scores[min(i, len(scores)-1)]
	}
	ties := map[int64]int{}
	where, args := b.more(`AND down IN (?, ?, ?, ?, ?) GROUP BY down`, downs...)
	var down int64
	var n int
	err := t.rows([]any{&down, &n}, func() error { ties[-down] = n; return nil }, `SELECT down, COUNT(*) FROM scores `+where, args...)
	return ties, err
}
