package ranking

// Daily is what GET /v1/daily says: a day's challenge.
type Daily struct {
	Day    string `json:"day"` // YYYY-MM-DD, in UTC
	Seed   string `json:"seed"`
	Anchor string `json:"anchor"` // of the day's year
	Layer  int    `json:"layer"`  // of the year's chain: the number of the day in it
	Rules  string `json:"rules"`
	Params []byte `json:"params"` // base64
	// StartMs, EndMs and ClosesMs are the times of Day.
	StartMs  int64 `json:"startMs"`
	EndMs    int64 `json:"endMs"`
	ClosesMs int64 `json:"closesMs"`
	NowMs    int64 `json:"nowMs"`
	Attempts int   `json:"attempts"` // that a key has
}

// Anchors is what GET /v1/daily/anchors says: those of the last year, this one
// and the next.
type Anchors struct {
	Anchors []AnchorLine `json:"anchors"`
}

// AnchorLine is a YearAnchor as it travels.
type AnchorLine struct {
	Year      int    `json:"year"`
	Anchor    string `json:"anchor"`    // hex
	Signature string `json:"signature"` // base64url
}

// AttemptRequest is the body of POST /v1/daily/attempts and POST /v1/arenas.
type AttemptRequest struct {
	// Day is the day that is meant; of an arena empty. A player whose clock is
	// wrong learns it here.
	Day string `json:"day,omitempty"`
	// Arena is the id of the arena that is meant, empty for any.
	Arena string `json:"arena,omitempty"`
	// Nonce is that of the run's terms, 16 random bytes in hex. Asking again
	// with the same nonce gives the same attempt, to the byte.
	Nonce string `json:"nonce"`
	// Work is the proof of work of a new key.
	Work uint64 `json:"work,omitempty"`
}

// AttemptAnswer is the answer to it.
type AttemptAnswer struct {
	Contest  string `json:"contest"` // the day, or the arena's id
	Number   int    `json:"number"`  // 1 to 3, 1 in an arena
	Attempt  []byte `json:"attempt"` // base64 of Attempt.Append, for the run's terms
	Seed     string `json:"seed"`
	Rules    string `json:"rules"`
	Params   []byte `json:"params"`
	ClosesMs int64  `json:"closesMs"`
	NowMs    int64  `json:"nowMs"`
}

// ProfileRequest is the body of POST /v1/profile: a player makes itself known.
type ProfileRequest struct {
	// Country is the code that the player wants to be listed under, such as
	// "NP"; empty for none. Nobody checks that it is true.
	Country string `json:"country"`
	Work    uint64 `json:"work,omitempty"`
}

// Profile is the answer to it.
type Profile struct {
	Code    string `json:"code"`
	Country string `json:"country"`
}

// A RunState says what a run is worth.
type RunState string

// The states of a run.
const (
	// RunCounted: it counts.
	RunCounted RunState = "counted"
	// RunOfBot: a program played it, by its own word, and it plays so again.
	// Boards are of people; in an arena it has a rank.
	RunOfBot RunState = "bot"
	// RunFlagged: its player signed something that does not hold. It is kept
	// and counts for nothing.
	RunFlagged RunState = "flagged"
)

// Run is what GET /v1/runs/ID says, and what an upload of it is told.
type Run struct {
	Run     string   `json:"run"` // its id, hex
	Contest string   `json:"contest"`
	State   RunState `json:"state"`
	Reason  Reason   `json:"reason,omitempty"`
	Text    string   `json:"text,omitempty"`
	Code    string   `json:"code"`
	Key     string   `json:"key"`
	Bot     string   `json:"bot,omitempty"`
	// Attempt is which of the day's chances it was; 0 for a run that was begun
	// offline.
	Attempt    int   `json:"attempt,omitempty"`
	Score      int32 `json:"score"`
	Combo      int   `json:"combo"`
	Placements int   `json:"placements"`
	ReceivedMs int64 `json:"receivedMs"`
	// ReplayedMs is when it was replayed again; 0 while it was not.
	ReplayedMs int64 `json:"replayedMs,omitempty"`
	// Hash is the SHA-256 of the .cleave file, in hex. The file itself is
	// published at PublishedMs.
	Hash        string `json:"hash"`
	PublishedMs int64  `json:"publishedMs"`
}

// RunAnswer is the answer to POST /v1/runs.
type RunAnswer struct {
	Run
	Receipt Receipt `json:"receipt"`
	// Place is where its player stands on the board of the day or the arena
	// now, by the best run; nil for a flagged run.
	Place *Place `json:"place,omitempty"`
	// Total is where the player stands on the board of all time, of a run that
	// counts for a day.
	Total *Place `json:"total,omitempty"`
}

// A Line is one player on a board.
type Line struct {
	Rank    int    `json:"rank"` // 1 is the best; equal scores share one
	Code    string `json:"code"`
	Key     string `json:"key"`
	Country string `json:"country,omitempty"`
	Score   int64  `json:"score"`
	// Combo, Attempt and Run are those of the best run, on a day's board or in
	// an arena. Attempt 0 is a run begun offline.
	Combo   int    `json:"combo,omitempty"`
	Attempt int    `json:"attempt,omitempty"`
	Run     string `json:"run,omitempty"`
	// Days is how many days went into the score, on the other boards.
	Days int `json:"days,omitempty"`
	// Bot names the program that played it, in an arena.
	Bot    string `json:"bot,omitempty"`
	TimeMs int64  `json:"timeMs"` // when the score was reached
}

// A Place is where one player stands.
type Place struct {
	Line
	Total int `json:"total"` // players on the board
	// Above is how many have a lower score, of Of others. Both are 0 for who is
	// alone.
	Above int `json:"above"`
	Of    int `json:"of"`
	// Percentile is 100 * Above / Of, rounded down; nil on a board of fewer
	// than 20.
	Percentile *int `json:"percentile,omitempty"`
	// Sentence says it: "above 3 of 7 players", or "".
	Sentence string `json:"sentence,omitempty"`
	// Neighbours are up to two players before and two behind, in order.
	Neighbours []Line `json:"neighbours,omitempty"`
}

// A BoardKind names a board.
type BoardKind string

// The boards.
const (
	// DayBoard is of the best runs of one day.
	DayBoard BoardKind = "day"
	// MonthBoard and AllBoard are of the sums of the days' best runs.
	MonthBoard BoardKind = "month"
	AllBoard   BoardKind = "all"
)

// Board is what GET /v1/boards/KIND says.
type Board struct {
	Kind BoardKind `json:"kind"`
	// Of is the day or month, empty for all time.
	Of      string `json:"of,omitempty"`
	Country string `json:"country,omitempty"` // empty for the world
	Total   int    `json:"total"`
	Offset  int    `json:"offset"`
	NowMs   int64  `json:"nowMs"`
	Players []Line `json:"players"`
	// Place is where the player who was asked for stands.
	Place *Place `json:"place,omitempty"`
}

// An ArenaLine is one entrant of an arena.
type ArenaLine struct {
	Line // Rank is 0 while no run has come
	// Played says that a run that counts has come.
	Played bool `json:"played"`
}

// Arena is what GET /v1/arenas/ID says.
type Arena struct {
	Arena    string `json:"arena"` // hex
	OpenedMs int64  `json:"openedMs"`
	ClosesMs int64  `json:"closesMs"`
	NowMs    int64  `json:"nowMs"`
	Rules    string `json:"rules"`
	Params   []byte `json:"params"`
	Seats    int    `json:"seats"`
	Taken    int    `json:"taken"` // seats that are taken
	// Closed says that the ranks are final and the moves are published.
	Closed   bool        `json:"closed"`
	Entrants []ArenaLine `json:"entrants"` // by rank, then those without a run
}

// Arenas is what GET /v1/arenas says: those that can be entered, without their
// entrants.
type Arenas struct {
	NowMs  int64   `json:"nowMs"`
	Arenas []Arena `json:"arenas"`
}
