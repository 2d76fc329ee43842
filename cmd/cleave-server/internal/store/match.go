package store

import (
	"strconv"
	"strings"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A Match is what is known of one rated match.
type Match struct {
	ID         record.ID
	Terms      []byte // record.Terms.Append
	Signatures [2]record.Signature
	Players    [2]record.Key
	Tickets    [2][16]byte // serials
	// Refunded says that the terms were handed in as ended before the first
	// reveal, and tickets given for it: bit 0 to seat 0, bit 1 to seat 1.
	Refunded   int
	FirstMs    int64 // when it was first heard of
	OpenedMs   int64 // 0 if it was not
	CompleteMs int64 // when its first complete log came, else 0
	DueMs      int64 // when a pending one counts, else 0
	DecidedMs  int64 // when its first leaf was made, else 0
	State      ranking.State
	Reason     ranking.Reason
	// Log is the .cleave file that stands, empty before one came; Head its
	// final head, Evidence the hash of what the result rests on.
	Log      []byte
	Head     record.Head
	Evidence [32]byte
	Sealed   bool
	// What it says. Winner is a seat or -1; End an rating.End.
	Winner          int
	End             int
	Rounds          int
	Score           [2]int32
	Decisions, Late [2]uint16
	// Forged are the seats that signed two versions.
	Forged [2]bool
	Claims int
	// Leaf is the number of its newest leaf, -1 for none; Counts says that
	// the ladder holds a result of it.
	Leaf    int64
	Counts  bool
	Receipt []byte // JSON of the present receipt, empty before one
	Opening []byte // JSON of the receipt of its opening, empty before one
}

var matchColumns = strings.Fields(`id terms signature0 signature1 player0 player1 ticket0 ticket1 refunded
	first_ms opened_ms complete_ms due_ms decided_ms state reason log head evidence sealed winner ended rounds
	score0 score1 decisions0 decisions1 late0 late1 forged0 forged1 claims leaf counts receipt opening`)

var (
	selectMatch = "SELECT " + strings.Join(matchColumns, ", ") + " FROM matches "
	upsertMatch = upsert("matches", 1, matchColumns)
)

// upsert is the statement that writes a row whose first keys columns are its
// primary key.
func upsert(table string, keys int, columns []string) string {
	var params, sets []string
	for i, c := range columns {
		params = append(params, "$"+strconv.Itoa(i+1))
		if i >= keys {
			sets = append(sets, c+" = excluded."+c)
		}
	}
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (" + strings.Join(params, ", ") +
		") ON CONFLICT (" + strings.Join(columns[:keys], ", ") + ") DO UPDATE SET " + strings.Join(sets, ", ")
}

// PutMatch writes a match, new or not.
func (t *Tx) PutMatch(m Match) error {
	return t.exec(upsertMatch, m.ID[:], m.Terms, m.Signatures[0][:], m.Signatures[1][:], m.Players[0][:], m.Players[1][:],
		m.Tickets[0][:], m.Tickets[1][:], m.Refunded, m.FirstMs, m.OpenedMs, m.CompleteMs, m.DueMs, m.DecidedMs,
		string(m.State), int(m.Reason), blob(m.Log), m.Head[:], m.Evidence[:], bit(m.Sealed), m.Winner, m.End, m.Rounds,
		m.Score[0], m.Score[1], int(m.Decisions[0]), int(m.Decisions[1]), int(m.Late[0]), int(m.Late[1]),
		bit(m.Forged[0]), bit(m.Forged[1]), m.Claims, m.Leaf, bit(m.Counts), blob(m.Receipt), blob(m.Opening))
}

// blob makes nil an empty blob, which is not NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// matchRow scans one row of selectMatch.
type matchRow struct {
	m                                          Match
	id, sig0, sig1, p0, p1, t0, t1, head, hash []byte
	state                                      string
	sealed, forged0, forged1, counts           int
}

func (r *matchRow) into() []any {
	m := &r.m
	return []any{&r.id, &m.Terms, &r.sig0, &r.sig1, &r.p0, &r.p1, &r.t0, &r.t1, &m.Refunded,
		&m.FirstMs, &m.OpenedMs, &m.CompleteMs, &m.DueMs, &m.DecidedMs, &r.state, &m.Reason, &m.Log, &r.head, &r.hash, &r.sealed, &m.Winner, &m.End, &m.Rounds,
		&m.Score[0], &m.Score[1], &m.Decisions[0], &m.Decisions[1], &m.Late[0], &m.Late[1], &r.forged0, &r.forged1,
		&m.Claims, &m.Leaf, &r.counts, &m.Receipt, &m.Opening}
}

func (r *matchRow) match() Match {
	m := r.m
	copy(m.ID[:], r.id)
	copy(m.Signatures[0][:], r.sig0)
	copy(m.Signatures[1][:], r.sig1)
	copy(m.Players[0][:], r.p0)
	copy(m.Players[1][:], r.p1)
	copy(m.Tickets[0][:], r.t0)
	copy(m.Tickets[1][:], r.t1)
	copy(m.Head[:], r.head)
	copy(m.Evidence[:], r.hash)
	m.State = ranking.State(r.state)
	m.Forged = [2]bool{r.forged0 != 0, r.forged1 != 0}
	m.Sealed, m.Counts = r.sealed != 0, r.counts != 0
	return m
}

// Match reads a match and says whether it is known.
func (t *Tx) Match(id record.ID) (Match, bool, error) {
	var r matchRow
	ok, err := t.row(r.into(), selectMatch+"WHERE id = $1", id[:])
	if !ok || err != nil {
		return Match{}, false, err
	}
	return r.match(), true, nil
}

func (t *Tx) matches(query string, args ...any) ([]Match, error) {
	var all []Match
	var r matchRow
	err := t.rows(r.into(), func() error {
		all = append(all, r.match())
		return nil
	}, selectMatch+query, args...)
	return all, err
}

// Due returns at most limit pending matches whose time has come, the oldest
// first.
func (t *Tx) Due(nowMs int64, limit int) ([]Match, error) {
	return t.matches("WHERE state = $1 AND due_ms <= $2 ORDER BY due_ms, id LIMIT $3", string(ranking.StatePending), nowMs, limit)
}

// NextDue is when the next pending match is due, 0 if there is none.
func (t *Tx) NextDue() (int64, error) {
	var at int64
	_, err := t.row([]any{&at}, "SELECT COALESCE(MIN(due_ms), 0) FROM matches WHERE state = $1", string(ranking.StatePending))
	return at, err
}

// MatchesUnder returns the matches whose terms hold the ticket.
func (t *Tx) MatchesUnder(serial [16]byte) ([]Match, error) {
	return t.matches("WHERE ticket0 = $1 OR ticket1 = $1 ORDER BY first_ms, id", serial[:])
}

// CountNotBegun counts the player's matches that were opened since a time, and of
// which no log is known.
func (t *Tx) CountNotBegun(player record.Key, sinceMs int64) (n int, err error) {
	_, err = t.row([]any{&n}, `SELECT COUNT(*) FROM matches WHERE (player0 = $1 OR player1 = $1) AND first_ms > $2 AND opened_ms > 0 AND state = $3`,
		player[:], sinceMs, string(ranking.StateOpen))
	return n, err
}

// MatchesOf returns the player's newest matches.
func (t *Tx) MatchesOf(player record.Key, limit int) ([]Match, error) {
	// Of either seat the newest, by its index: else every match that the player
	// ever had would be read, with its log.
	return t.matches(`WHERE id IN (
			SELECT id FROM (SELECT id FROM matches WHERE player0 = $1 ORDER BY first_ms DESC, id LIMIT $2) AS a
			UNION ALL
			SELECT id FROM (SELECT id FROM matches WHERE player1 = $1 ORDER BY first_ms DESC, id LIMIT $2) AS b
		) ORDER BY first_ms DESC, id LIMIT $2`, player[:], limit)
}
