package store

import (
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

// SetCountry keeps what country a player wants to be listed under, and has all
// boards list him there, if it is another than before. That writes once for each
// day that he has played.
func (t *Tx) SetCountry(player record.Key, country string) error {
	was, err := t.Country(player)
	if err != nil || was == country {
		return err
	}
	err = t.exec(`INSERT INTO profiles (player, country) VALUES ($1, $2) ON CONFLICT (player) DO UPDATE SET country = excluded.country`, player[:], country)
	if err != nil {
		return err
	}
	var boards []string
	var board string
	if err := t.rows([]any{&board}, func() error { boards = append(boards, board); return nil }, `SELECT board FROM scores WHERE player = $1 ORDER BY board`, player[:]); err != nil {
		return err
	}
	for _, board := range boards {
		s, _, err := t.Score(board, player)
		if err != nil {
			return err
		}
		s.Country = country
		if err := t.PutScore(board, s); err != nil {
			return err
		}
	}
	return nil
}

// Country is the country of a player, "" for none.
func (t *Tx) Country(player record.Key) (string, error) {
	var country string
	_, err := t.row([]any{&country}, `SELECT country FROM profiles WHERE player = $1`, player[:])
	return country, err
}

// An Attempt is one that was opened.
type Attempt struct {
	Contest  string
	Player   record.Key
	Number   int
	Nonce    [16]byte
	IssuedMs int64
	Body     []byte // ranking.Attempt.Append
}

// AddAttempt keeps an attempt; it changes nothing when its number is known.
func (t *Tx) AddAttempt(a Attempt) error {
	return t.exec(`INSERT INTO attempts (contest, player, number, nonce, issued_ms, body) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (contest, player, number) DO NOTHING`, a.Contest, a.Player[:], a.Number, a.Nonce[:], a.IssuedMs, blob(a.Body))
}

// Attempts are the player's at a contest, by number.
func (t *Tx) Attempts(contest string, player record.Key) ([]Attempt, error) {
	return t.attempts(`WHERE contest = $1 AND player = $2 ORDER BY number`, contest, player[:])
}

// Entrants are all attempts at a contest, the first first.
func (t *Tx) Entrants(contest string) ([]Attempt, error) {
	return t.attempts(`WHERE contest = $1 ORDER BY issued_ms, player`, contest)
}

func (t *Tx) attempts(where string, args ...any) ([]Attempt, error) {
	var all []Attempt
	var a Attempt
	var player, nonce []byte
	err := t.rows([]any{&a.Contest, &player, &a.Number, &nonce, &a.IssuedMs, &a.Body}, func() error {
		copy(a.Player[:], player)
		copy(a.Nonce[:], nonce)
		all = append(all, a)
		return nil
	}, `SELECT contest, player, number, nonce, issued_ms, body FROM attempts `+where, args...)
	return all, err
}

// CountAttempts counts a player's attempts that were opened after a time, at
// contests whose name is as long as the one given: days, or arenas.
func (t *Tx) CountAttempts(player record.Key, sinceMs int64, like string) (n int, err error) {
	_, err = t.row([]any{&n}, `SELECT COUNT(*) FROM attempts WHERE player = $1 AND issued_ms > $2 AND LENGTH(contest) = $3`, player[:], sinceMs, len(like))
	return n, err
}

// A Run is one that was received.
type Run struct {
	ID         record.ID
	Hash       [32]byte    // SHA-256 of the file
	Head       record.Head // zero when it is not known
	Contest    string
	Player     record.Key
	Attempt    int    // 0 when it was begun offline
	Bot        string // its name, "" for a person
	State      ranking.RunState
	Reason     ranking.Reason
	Score      int32
	Combo      int
	Placements int
	ReceivedMs int64
	ReplayedMs int64  // when it was replayed again, 0 while it was not
	Receipt    []byte // JSON
}

// AddRun keeps a run and its file.
func (t *Tx) AddRun(r Run, file []byte) error {
	err := t.exec(`INSERT INTO runs (id, hash, head, contest, player, attempt, bot, state, reason, score, combo, placements, received_ms, replayed_ms, receipt)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
		r.ID[:], r.Hash[:], r.Head[:], r.Contest, r.Player[:], r.Attempt, r.Bot, string(r.State), int(r.Reason), r.Score, r.Combo, r.Placements,
		r.ReceivedMs, r.ReplayedMs, blob(r.Receipt))
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO run_files (id, hash, file) VALUES ($1, $2, $3)`, r.ID[:], r.Hash[:], blob(file))
}

// SetReplayed notes what replaying a run again gave, and its receipt.
func (t *Tx) SetReplayed(r Run) error {
	return t.exec(`UPDATE runs SET replayed_ms = $3, state = $4, reason = $5, receipt = $6 WHERE id = $1 AND hash = $2`,
		r.ID[:], r.Hash[:], r.ReplayedMs, string(r.State), int(r.Reason), blob(r.Receipt))
}

// Runs returns what was received under a run's id, the first first: one, but
// for players who signed several.
func (t *Tx) Runs(id record.ID) ([]Run, error) {
	return t.runs(`WHERE id = $1 ORDER BY received_ms, hash`, id[:])
}

// RunsOf are the player's runs in a contest, the first first.
func (t *Tx) RunsOf(contest string, player record.Key) ([]Run, error) {
	return t.runs(`WHERE contest = $1 AND player = $2 ORDER BY received_ms, id, hash`, contest, player[:])
}

// RunsIn are all runs in a contest.
func (t *Tx) RunsIn(contest string) ([]Run, error) {
	return t.runs(`WHERE contest = $1 ORDER BY received_ms, id, hash`, contest)
}

// Unreplayed are at most limit runs received before a time that were not
// replayed again, the oldest first.
func (t *Tx) Unreplayed(beforeMs int64, limit int) ([]Run, error) {
	return t.runs(`WHERE replayed_ms = 0 AND received_ms < $1 ORDER BY received_ms, id, hash LIMIT $2`, beforeMs, limit)
}

func (t *Tx) runs(where string, args ...any) ([]Run, error) {
	var all []Run
	var r Run
	var id, hash, head, player []byte
	var state string
	err := t.rows([]any{&id, &hash, &head, &r.Contest, &player, &r.Attempt, &r.Bot, &state, &r.Reason, &r.Score, &r.Combo, &r.Placements,
		&r.ReceivedMs, &r.ReplayedMs, &r.Receipt}, func() error {
		copy(r.ID[:], id)
		copy(r.Hash[:], hash)
		copy(r.Head[:], head)
		copy(r.Player[:], player)
		r.State = ranking.RunState(state)
		all = append(all, r)
		return nil
	}, `SELECT id, hash, head, contest, player, attempt, bot, state, reason, score, combo, placements, received_ms, replayed_ms, receipt FROM runs `+where, args...)
	return all, err
}

// RunFile is the file of a run, nil if there is none.
func (t *Tx) RunFile(id record.ID, hash [32]byte) ([]byte, error) {
	var b []byte
	_, err := t.row([]any{&b}, `SELECT file FROM run_files WHERE id = $1 AND hash = $2`, id[:], hash[:])
	return b, err
}

// An Arena is one that was opened.
type Arena struct {
	ID       string // hex
	Seed     [32]byte
	OpenedMs int64
	ClosesMs int64
	Entrants int
	Closed   bool // it is over, and its last seats are filled
}

// PutArena writes an arena.
func (t *Tx) PutArena(a Arena) error {
	return t.exec(`INSERT INTO arenas (id, seed, opened_ms, closes_ms, entrants, closed) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (id) DO UPDATE SET entrants = excluded.entrants, closed = excluded.closed`,
		a.ID, a.Seed[:], a.OpenedMs, a.ClosesMs, a.Entrants, bit(a.Closed))
}

// Arena reads an arena and says whether it is known.
func (t *Tx) Arena(id string) (Arena, bool, error) {
	all, err := t.arenas(`WHERE id = $1`, id)
	if len(all) == 0 || err != nil {
		return Arena{}, false, err
	}
	return all[0], true, nil
}

// OpenArenas are those that are not closed, the oldest first.
func (t *Tx) OpenArenas() ([]Arena, error) {
	return t.arenas(`WHERE closed = 0 ORDER BY opened_ms, id`)
}

func (t *Tx) arenas(where string, args ...any) ([]Arena, error) {
	var all []Arena
	var a Arena
	var seed []byte
	var closed int
	err := t.rows([]any{&a.ID, &seed, &a.OpenedMs, &a.ClosesMs, &a.Entrants, &closed}, func() error {
		copy(a.Seed[:], seed)
		a.Closed = closed != 0
		all = append(all, a)
		return nil
	}, `SELECT id, seed, opened_ms, closes_ms, entrants, closed FROM arenas `+where, args...)
	return all, err
}
