package store

import (
	"github.com/cleavegame/cleave/lockstep/record"
)

// Meta reads a value of the server's own, nil if there is none.
func (t *Tx) Meta(name string) ([]byte, error) {
	var b []byte
	_, err := t.row([]any{&b}, `SELECT value FROM meta WHERE name = $1`, name)
	return b, err
}

// PutMeta writes it.
func (t *Tx) PutMeta(name string, value []byte) error {
	return t.exec(`INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, blob(value))
}

// AddPlayer notes a player who was not known, and returns since when he is.
func (t *Tx) AddPlayer(player record.Key, nowMs int64) (sinceMs int64, err error) {
	_, err = t.row([]any{&sinceMs}, `INSERT INTO players (player, code, since_ms) VALUES ($1, $2, $3)
		ON CONFLICT (player) DO UPDATE SET code = excluded.code RETURNING since_ms`, player[:], record.PlayerCode(player), nowMs)
	return sinceMs, err
}

// Player says whether the key is known.
func (t *Tx) Player(player record.Key) (sinceMs int64, known bool, err error) {
	known, err = t.row([]any{&sinceMs}, `SELECT since_ms FROM players WHERE player = $1`, player[:])
	return sinceMs, known, err
}

// PlayersWithCode returns the keys that have the code: one, or rarely more.
func (t *Tx) PlayersWithCode(code record.Code) ([]record.Key, error) {
	var all []record.Key
	var b []byte
	err := t.rows([]any{&b}, func() error {
		all = append(all, record.Key(b))
		return nil
	}, `SELECT player FROM players WHERE code = $1 ORDER BY since_ms, player`, code.String())
	return all, err
}

// A Ticket is one that was issued here. Times are Unix seconds.
type Ticket struct {
	Serial          [16]byte
	Player          record.Key
	Issued, Expires int64
	Spent, Refund   bool
}

// AddTicket notes a ticket; it changes nothing when it is known.
func (t *Tx) AddTicket(k Ticket) error {
	return t.exec(`INSERT INTO tickets (serial, player, issued, expires, spent, refund) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (serial) DO NOTHING`, k.Serial[:], k.Player[:], k.Issued, k.Expires, bit(k.Spent), bit(k.Refund))
}

// SpendTicket marks a ticket as spent, noting it if a restored database has
// lost it.
func (t *Tx) SpendTicket(k Ticket) error {
	return t.exec(`INSERT INTO tickets (serial, player, issued, expires, spent, refund) VALUES ($1, $2, $3, $4, 1, 0)
		ON CONFLICT (serial) DO UPDATE SET spent = 1`, k.Serial[:], k.Player[:], k.Issued, k.Expires)
}

// CountTickets counts a player's tickets: those neither spent nor expired at
// now, and those issued after since, refunds by themselves. Unix seconds.
func (t *Tx) CountTickets(player record.Key, now, since int64) (outstanding, issued, refunds int, err error) {
	_, err = t.row([]any{&outstanding, &issued, &refunds}, `SELECT
		COALESCE(SUM(CASE WHEN spent = 0 AND expires > $2 THEN 1 ELSE 0 END), 0),
		COALESCE(SUM(CASE WHEN refund = 0 AND issued > $3 THEN 1 ELSE 0 END), 0),
		COALESCE(SUM(CASE WHEN refund = 1 AND issued > $3 THEN 1 ELSE 0 END), 0)
		FROM tickets WHERE player = $1`, player[:], now, since)
	return outstanding, issued, refunds, err
}

// AddEvidence keeps what a decision rests on beyond the log that stands.
func (t *Tx) AddEvidence(match record.ID, hash [32]byte, kind string, body []byte, nowMs int64) error {
	return t.exec(`INSERT INTO evidence (match, hash, kind, body, received_ms) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (match, hash) DO NOTHING`, match[:], hash[:], kind, blob(body), nowMs)
}

// Evidence returns the bodies kept for a match, the oldest first.
func (t *Tx) Evidence(match record.ID) ([][]byte, error) {
	var all [][]byte
	var b []byte
	err := t.rows([]any{&b}, func() error {
		all = append(all, b)
		return nil
	}, `SELECT body FROM evidence WHERE match = $1 ORDER BY received_ms, hash`, match[:])
	return all, err
}

// A Claim is one that was received.
type Claim struct {
	Match      record.ID
	Player     record.Key
	Entry      int
	Kind       string
	ReceivedMs int64
	Log        []byte
	Receipt    []byte
}

// AddClaim keeps a claim.
func (t *Tx) AddClaim(c Claim) error {
	return t.exec(`INSERT INTO claims (match, player, entry, kind, received_ms, log, receipt) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		c.Match[:], c.Player[:], c.Entry, c.Kind, c.ReceivedMs, blob(c.Log), blob(c.Receipt))
}

// ClaimReceipt returns the receipt of a claim that was received before.
func (t *Tx) ClaimReceipt(match record.ID, player record.Key, entry int, kind string) ([]byte, bool, error) {
	var b []byte
	ok, err := t.row([]any{&b}, `SELECT receipt FROM claims WHERE match = $1 AND player = $2 AND entry = $3 AND kind = $4`, match[:], player[:], entry, kind)
	return b, ok, err
}

// Claimed tells of the claims of a player in a match whose kind is not but: how
// many stand on entries beyond the last that has a row of kind but, the highest
// of these, and that last one; 0 for none.
func (t *Tx) Claimed(match record.ID, player record.Key, but string) (standing, highest, last int, err error) {
	const of = ` FROM claims WHERE match = $1 AND player = $2 AND kind `
	if _, err = t.row([]any{&last}, `SELECT COALESCE(MAX(entry), 0)`+of+`= $3`, match[:], player[:], but); err != nil {
		return 0, 0, 0, err
	}
	_, err = t.row([]any{&standing, &highest}, `SELECT COUNT(*), COALESCE(MAX(entry), 0)`+of+`<> $3 AND entry > $4`, match[:], player[:], but, last)
	return standing, highest, last, err
}

// AddProof keeps a proof of a player's fraud.
func (t *Tx) AddProof(match record.ID, player record.Key, body, receipt []byte, nowMs int64) error {
	return t.exec(`INSERT INTO proofs (match, player, received_ms, body, receipt) VALUES ($1, $2, $3, $4, $5)`,
		match[:], player[:], nowMs, blob(body), blob(receipt))
}

// ProofReceipt returns the receipt of the first proof of a player's fraud in
// a match.
func (t *Tx) ProofReceipt(match record.ID, player record.Key) ([]byte, bool, error) {
	var b []byte
	ok, err := t.row([]any{&b}, `SELECT receipt FROM proofs WHERE match = $1 AND player = $2`, match[:], player[:])
	return b, ok, err
}

// AddLeaf appends a leaf. Its number is the count of those before it.
func (t *Tx) AddLeaf(number, timeMs int64, match record.ID, body []byte) error {
	return t.exec(`INSERT INTO leaves (number, time_ms, match, body) VALUES ($1, $2, $3, $4)`, number, timeMs, match[:], body)
}

// Leaves calls f with every leaf from a number on, in order. The bytes are
// f's only while it runs.
func (t *Tx) Leaves(from int64, f func(number int64, body []byte) error) error {
	var number int64
	var b []byte
	return t.rows([]any{&number, &b}, func() error { return f(number, b) }, `SELECT number, body FROM leaves WHERE number >= $1 ORDER BY number`, from)
}

// Leaf returns the bytes of one leaf, nil if there is none.
func (t *Tx) Leaf(number int64) ([]byte, error) {
	var b []byte
	_, err := t.row([]any{&b}, `SELECT body FROM leaves WHERE number = $1`, number)
	return b, err
}
