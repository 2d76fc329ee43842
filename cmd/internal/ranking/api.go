package ranking

import (
	"github.com/cleavegame/cleave/lockstep/record"
)

// APIVersion is the version of the paths and shapes below /v1.
//
//	1  the first
const APIVersion = 1

// The allowances of tickets for one key.
const (
	// TicketsOutstanding is how many may be unspent and unexpired at once.
	TicketsOutstanding = 10
	// TicketsPerDay is how many are issued within 24 hours.
	TicketsPerDay = 20
	// TicketsPerDayNew is the same within a key's first week.
	TicketsPerDayNew = 5
	// LogsAfterSeconds is how long after its tickets expire a log is taken.
	LogsAfterSeconds = 7 * 24 * 3600
)

// Info is what GET /v1/info says about a server.
type Info struct {
	API     int    `json:"api"`
	Program string `json:"program"` // and its version
	// Server is the server's key in base64url without padding.
	Server string `json:"server"`
	URL    string `json:"url,omitempty"` // as its players should write it
	NowMs  int64  `json:"nowMs"`
	Season string `json:"season"`
	// Rules are the rulesets that it can replay.
	Rules []string `json:"rules"`
	// WorkBits is how hard the proof of work for a first ticket is.
	WorkBits int `json:"workBits"`
}

// Key is the server's key.
func (i Info) Key() (record.Key, error) { return ParseKeyText(i.Server) }

// SignedTerms are terms that both players have signed, as they travel.
type SignedTerms struct {
	Terms      []byte    `json:"terms"`      // base64 of Terms.Append
	Signatures [2][]byte `json:"signatures"` // base64, by seat
}

// NewSignedTerms returns the terms as they travel.
func NewSignedTerms(t record.Terms, sigs [2]record.Signature) SignedTerms {
	return SignedTerms{Terms: t.Append(nil), Signatures: [2][]byte{sigs[0][:], sigs[1][:]}}
}

// TicketRequest is the body of POST /v1/tickets.
type TicketRequest struct {
	// Count is how many tickets are wanted; fewer may come.
	Count int `json:"count"`
	// Work is the proof of work, for a key's first tickets.
	Work uint64 `json:"work,omitempty"`
	// Ended are terms that ended before the first reveal: each gives a
	// ticket that does not count among the day's.
	Ended []SignedTerms `json:"ended,omitempty"`
}

// TicketAnswer is the answer to it.
type TicketAnswer struct {
	Tickets [][]byte `json:"tickets"` // base64 of Ticket.Append
}

// A State is where a match stands with the server.
type State string

// The states of a match.
const (
	// StateOpen: the terms are known, no log has come.
	StateOpen State = "open"
	// StatePending: a log has come and will count later, see DueMs.
	StatePending State = "pending"
	// StateConfirmed: the result counts.
	StateConfirmed State = "confirmed"
	// StateUnrated: it does not count, for the reason given, which a better
	// log may still change.
	StateUnrated State = "unrated"
	// StateVoid: it does not count, for ever.
	StateVoid State = "void"
)

// UploadAnswer is the answer to POST /v1/logs and POST /v1/proofs.
type UploadAnswer struct {
	Match  string `json:"match"` // hex
	State  State  `json:"state"`
	Reason Reason `json:"reason,omitempty"`
	// Text is the sentence for the reason.
	Text string `json:"text,omitempty"`
	// DueMs is when a pending match counts unless something contradicts it.
	DueMs   int64   `json:"dueMs,omitempty"`
	Receipt Receipt `json:"receipt"`
}

// A Seat is one player of a match as GET /v1/matches/ID shows it.
type Seat struct {
	Key  string `json:"key"` // base64url
	Code string `json:"code"`
	// Score is the points made; of a match with a log.
	Score int32 `json:"score"`
	// Weighed says whether the match counted for this player; Before and
	// After are the rating, rounded, and differ only then. They are known for
	// 30 days after the match.
	Weighed bool `json:"weighed"`
	Before  int  `json:"before,omitempty"`
	After   int  `json:"after,omitempty"`
	// Reason is why a confirmed match did not count for this player.
	Reason Reason `json:"reason,omitempty"`
	Text   string `json:"text,omitempty"`
	// Decisions is how many of the player's decisions the other timed, and
	// Late how many of these came later than the limit and 3 s.
	Decisions int `json:"decisions"`
	Late      int `json:"late"`
}

// Match is what GET /v1/matches/ID says.
type Match struct {
	ID     string `json:"id"` // hex
	State  State  `json:"state"`
	Reason Reason `json:"reason,omitempty"`
	Text   string `json:"text,omitempty"`
	Rules  string `json:"rules"`
	// OpenedMs is when both players had opened it here; 0 if they did not.
	OpenedMs int64   `json:"openedMs,omitempty"`
	DueMs    int64   `json:"dueMs,omitempty"`
	Players  [2]Seat `json:"players"`
	// Winner is the seat that won, -1 for a draw or when there is none.
	Winner int `json:"winner"`
	// End is how it ended: "played", "forfeited", "resigned", "no result",
	// "forged", or empty while it is not over.
	End    string `json:"end,omitempty"`
	Rounds int    `json:"rounds"`
	// Nth counts the match among those of the pair within 7 days.
	Nth     int      `json:"nth,omitempty"`
	Claims  int      `json:"claims,omitempty"`
	Receipt *Receipt `json:"receipt,omitempty"`
	// HasLog says that GET /v1/matches/ID/log has the log.
	HasLog bool `json:"hasLog"`
}

// Standing is one line of a ladder.
type Standing struct {
	Rank      int    `json:"rank,omitempty"` // of a listed player
	Code      string `json:"code"`
	Key       string `json:"key"`
	Rating    int    `json:"rating"`
	Deviation int    `json:"deviation"`
	Wins      int    `json:"wins"`
	Draws     int    `json:"draws"`
	Losses    int    `json:"losses"`
	Opponents int    `json:"opponents"` // placed ones met this season
	// Place is "listed", "unlisted", "slow" or "provisional".
	Place string `json:"place"`
	// Placement counts a provisional player's matches, as in 1 of 5.
	Placement int    `json:"placement,omitempty"`
	Note      string `json:"note"` // the place in words
}

// Ladder is what GET /v1/ladder says: a page of a season's table, listed
// players first, then the others.
type Ladder struct {
	Season  string   `json:"season"`
	Seasons []string `json:"seasons"` // those that have a table, oldest first
	NowMs   int64    `json:"nowMs"`
	// Rule is the listing rule in force, in words; Relaxed says that it is
	// weaker than the standing one, because there are few players.
	Rule    string     `json:"rule"`
	Relaxed bool       `json:"relaxed"`
	Total   int        `json:"total"`
	Offset  int        `json:"offset"`
	Players []Standing `json:"players"`
}

// Player is what GET /v1/players/CODE says.
type Player struct {
	Standing
	Season  string        `json:"season"`
	Matches []PlayerMatch `json:"matches"` // the newest first, 50 at most
}

// PlayerMatch is one match of a player.
type PlayerMatch struct {
	ID     string `json:"id"`
	State  State  `json:"state"`
	Reason Reason `json:"reason,omitempty"`
	Code   string `json:"opponent"`
	Result string `json:"result,omitempty"` // "win", "draw" or "loss"
	TimeMs int64  `json:"timeMs"`           // of the first word of it
}

// An EventKind says what a line of an opened match's stream tells.
type EventKind string

// The events of a stream.
const (
	// EventWaiting: the terms are in; the other player has not come yet.
	EventWaiting EventKind = "waiting"
	// EventOpened: both are here; Receipt says so.
	EventOpened EventKind = "opened"
	// EventClaimed: a claim has come; Receipt names who made it.
	EventClaimed EventKind = "claimed"
	// EventWithdrawn: who had claimed plays on; Receipt names who it is.
	EventWithdrawn EventKind = "withdrawn"
	// EventDecided: the match is confirmed, unrated or void.
	EventDecided EventKind = "decided"
	// EventPing: nothing; the line is alive. One comes every 15 s.
	EventPing EventKind = "ping"
	// EventStopping: the server goes down; come back in a minute.
	EventStopping EventKind = "stopping"
)

// PingSeconds is how often a stream pings.
const PingSeconds = 15

// An Event is one line of a stream.
type Event struct {
	Event   EventKind `json:"event"`
	NowMs   int64     `json:"nowMs"`
	State   State     `json:"state,omitempty"`
	Reason  Reason    `json:"reason,omitempty"`
	Receipt *Receipt  `json:"receipt,omitempty"`
}
