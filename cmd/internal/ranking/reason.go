package ranking

import "strconv"

// A Reason is the number under which the server says why something was
// refused, or why a match is not rated. Numbers are permanent: one that was
// given out is never given a second meaning.
type Reason uint16

// None is the reason of what is in order.
const None Reason = 0

// Logs that are refused; nothing is stored.
const (
	NotALog          Reason = 101
	LogTooLarge      Reason = 102
	UnknownFormat    Reason = 103
	NotAMatch        Reason = 104
	UnknownRules     Reason = 105
	BadKey           Reason = 106
	SameKeys         Reason = 107
	SameChance       Reason = 108
	BadLimits        Reason = 109
	BadTickets       Reason = 110
	TicketNotGenuine Reason = 111
	OtherServer      Reason = 112
	TicketTooOld     Reason = 113
	TermsNotSigned   Reason = 114
	WrongAuthor      Reason = 115
	WrongKind        Reason = 116
	IllegalMove      Reason = 117
	WrongDigest      Reason = 118
	WrongLayer       Reason = 119
	EntryNotSigned   Reason = 120
	WrongSeal        Reason = 121
	AfterTheEnd      Reason = 122
)

// Runs that are refused; nothing is stored.
const (
	NotARun           Reason = 131
	RunTooLarge       Reason = 132
	UnknownRunFormat  Reason = 133
	NotSolo           Reason = 134
	UnknownRunRules   Reason = 135
	RunNotSigned      Reason = 136
	UnknownBot        Reason = 137
	AttemptNotGenuine Reason = 138
)

// Runs that are kept and flagged: their player signed them.
const (
	RunIllegalMove  Reason = 201
	RunWrongDigest  Reason = 202
	RunWrongScore   Reason = 203
	RunWrongCombo   Reason = 204
	RunWrongBoard   Reason = 205
	RunWrongSeed    Reason = 206
	FourthChance    Reason = 207
	SecondRun       Reason = 208
	RunWrongRules   Reason = 209
	RunNotOfThatBot Reason = 210
)

// Matches that are known here and not rated, or not rated yet.
const (
	Friendly       Reason = 301
	Unfinished     Reason = 302
	NoResult       Reason = 303
	BothForged     Reason = 304
	TicketTwice    Reason = 305
	AwaitingSeal   Reason = 306
	AwaitingWeek   Reason = 307
	Forged         Reason = 308
	ClaimUndecided Reason = 310
)

// Runs that hold and are on no board.
const PlayedByBot Reason = 320

// Why a confirmed match did not move a player.
const (
	PairTooOften Reason = 351
	NotPlaced    Reason = 352
	NoRounds     Reason = 353
)

// Requests that are refused.
const (
	NotAuthentic    Reason = 401
	StaleNonce      Reason = 402
	WorkNeeded      Reason = 403
	NotFound        Reason = 404
	SlowDown        Reason = 405
	NoMoreToday     Reason = 406
	TooManyTickets  Reason = 407
	BadRequest      Reason = 408
	NotOpened       Reason = 409
	NotYourMatch    Reason = 410
	NotFraud        Reason = 411
	TooLate         Reason = 412
	TooLarge        Reason = 413
	AlreadyDecided  Reason = 414
	TicketSpent     Reason = 415
	WrongSignatures Reason = 416
	ClaimWithdrawn  Reason = 417
	LeftTooOften    Reason = 418
	NotBegun        Reason = 420
	Closed          Reason = 421
	AttemptsSpent   Reason = 422
	ArenaFull       Reason = 423
	NoContest       Reason = 424
	TooManyFlagged  Reason = 425
	NotPublished    Reason = 426
	BadCountry      Reason = 427
	TooManyArenas   Reason = 428
	ArenaEntered    Reason = 429
)

// What is the server's own trouble.
const (
	ServerTrouble Reason = 501
	DiskFull      Reason = 502
	ServerFull    Reason = 503
	Stopping      Reason = 504
)

var reasons = map[Reason]string{
	NotALog:          "this is not a log of a match, or it has been damaged",
	LogTooLarge:      "the log is larger than any match",
	UnknownFormat:    "the log is of a version that this server does not know",
	NotAMatch:        "this is not the log of a match between two players",
	UnknownRules:     "this server does not know the rules that the match was played by",
	BadKey:           "a player's key is not valid",
	SameKeys:         "both players are the same",
	SameChance:       "both players committed to the same chance",
	BadLimits:        "the time limits are not the published ones",
	BadTickets:       "the terms do not hold a fitting ticket of each player",
	TicketNotGenuine: "a ticket was not issued by this server",
	OtherServer:      "the match was played for another ranking server",
	TicketTooOld:     "a ticket expired more than a week ago",
	TermsNotSigned:   "a player has not signed the terms",
	WrongAuthor:      "an entry was made by the player whose turn it was not",
	WrongKind:        "an entry is of a kind that was not awaited",
	IllegalMove:      "a move is against the rules",
	WrongDigest:      "replaying the match gives another state than was signed",
	WrongLayer:       "a revealed secret does not fit what its player committed to",
	EntryNotSigned:   "a player's last signature does not fit the log",
	WrongSeal:        "the seal does not fit the log",
	AfterTheEnd:      "the log goes on after the match was over",

	NotARun:           "this is not the file of a run, or it has been damaged",
	RunTooLarge:       "the file is larger than any run",
	UnknownRunFormat:  "the run is of a version that this server does not know",
	NotSolo:           "this is not a game for one player",
	UnknownRunRules:   "this server does not know the rules that the run was played by",
	RunNotSigned:      "the player has not signed the run as it is",
	UnknownBot:        "the run names a program that this server cannot have play again",
	AttemptNotGenuine: "the attempt was not opened here by this player",

	RunIllegalMove:  "a move of the run is against the rules",
	RunWrongDigest:  "replaying the run gives another state than was signed",
	RunWrongScore:   "the run claims another score than its moves give",
	RunWrongCombo:   "the run claims another best combo than its moves give",
	RunWrongBoard:   "the run claims another last board than its moves give",
	RunWrongSeed:    "the run was played on another deal",
	FourthChance:    "all three chances of that day were used already",
	SecondRun:       "another run was played under this attempt",
	RunWrongRules:   "the run was played by other rules than the challenge",
	RunNotOfThatBot: "the program that the run names plays other moves",

	PlayedByBot: "a program played the run, and the boards are of people",

	Friendly:       "it was a friendly match",
	Unfinished:     "the match was not finished",
	NoResult:       "both players let their time run out",
	BothForged:     "both players signed two versions of the match",
	TicketTwice:    "a player used one ticket for two matches",
	AwaitingSeal:   "the log lacks a player's last signature; it counts in ten minutes unless something contradicts it",
	AwaitingWeek:   "the log lacks a player's last signature; it counts in a week unless something contradicts it",
	Forged:         "a player signed two versions of the match and has lost it",
	ClaimUndecided: "the match was not finished; its claim is kept, and this server does not decide claims yet",

	PairTooOften: "these two have played five rated matches within a week",
	NotPlaced:    "the opponent is not placed yet",
	NoRounds:     "the match ended before its first round was over, so there was nothing to win",

	NotAuthentic:    "the request is not signed by the player's key",
	StaleNonce:      "the request is too old, was seen before, or this device's clock is wrong",
	WorkNeeded:      "a new player's first ticket needs a proof of work",
	NotFound:        "there is no such thing here",
	SlowDown:        "too many requests; wait a little and try again",
	NoMoreToday:     "no more tickets today; friendly matches can be played without",
	TooManyTickets:  "there are unused tickets enough",
	BadRequest:      "the request makes no sense",
	NotOpened:       "only a match that both players opened here can be claimed",
	NotYourMatch:    "this is the match of two other players",
	NotFraud:        "the proof of fraud does not hold",
	TooLate:         "it is too late for that",
	TooLarge:        "the request is too large",
	AlreadyDecided:  "the match is decided already",
	TicketSpent:     "a ticket of these terms was spent on another match",
	WrongSignatures: "the terms are not signed by both players",
	ClaimWithdrawn:  "this claim was withdrawn; a new one can be made about a later move",
	LeftTooOften:    "three matches of the last hour ended before they began; more can be played, and cannot be claimed",
	NotBegun:        "that day has not begun yet",
	Closed:          "that day or arena is over",
	AttemptsSpent:   "all three chances of that day are used",
	ArenaFull:       "the arena is full",
	NoContest:       "the run belongs to no daily challenge or arena of this server",
	TooManyFlagged:  "this player has handed in too many runs that do not hold",
	NotPublished:    "the moves are published when nobody can enter any more",
	BadCountry:      "there is no country with this code",
	ArenaEntered:    "this player has entered that arena already",
	TooManyArenas:   "this player has entered enough arenas for today",

	ServerTrouble: "the server has a problem of its own; try again later",
	DiskFull:      "the server's disk is full; try again later",
	ServerFull:    "the server is full; try again later",
	Stopping:      "the server is being restarted; try again in a minute",
}

// Text is the sentence that players are shown, without a full stop.
func (r Reason) Text() string {
	if t, ok := reasons[r]; ok {
		return t
	}
	return "reason " + strconv.Itoa(int(r)) + ", which this program is too old to know"
}

// Temporary reports whether the same request may succeed later.
func (r Reason) Temporary() bool {
	return r >= 500 || r == SlowDown || r == StaleNonce || r == NoMoreToday || r == TooManyTickets || r == TooManyArenas || r == NotBegun || r == NotPublished
}

// A Refusal is the error of a request that the server answered and refused.
type Refusal struct {
	Reason Reason `json:"reason"`
	// Text is the server's sentence for the reason, for programs that do not
	// know the number.
	Text string `json:"text"`
	// Detail says more, for a log file; it may be empty.
	Detail string `json:"detail,omitempty"`
	// Entry is the index of the entry that does not hold, where it is one.
	Entry int `json:"entry,omitempty"`
	// NowMs is the server's time, by which a wrong clock is corrected.
	NowMs int64 `json:"nowMs,omitempty"`
	// RetrySeconds is how long to wait before trying again, if it is known.
	RetrySeconds int `json:"retrySeconds,omitempty"`
}

// Refuse returns the refusal for a reason.
func Refuse(r Reason, detail string) *Refusal {
	return &Refusal{Reason: r, Text: r.Text(), Detail: detail}
}

func (r *Refusal) Error() string {
	text := r.Text
	if known, ok := reasons[r.Reason]; ok {
		text = known
	}
	if r.Detail != "" {
		text += " (" + r.Detail + ")"
	}
	return "ranking: " + strconv.Itoa(int(r.Reason)) + ": " + text
}
