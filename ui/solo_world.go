package ui

import (
	"time"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A SoloChoice is a solo game and its level.
type SoloChoice struct {
	Game  string // "classic" or "streak"
	Level string // of a Classic "easy", "medium" or "hard"; of a Streak "training", "daily" or "arena"
	Arena string // of an arena, its id
}

// Contest is a choice that a server counts: PlaySolo does not play it, but
// PlayDaily or PlayArena.
func (c SoloChoice) Contest() bool { return c.Level == "daily" || c.Level == "arena" }

// SoloWorld is the part of the World that is played alone.
type SoloWorld interface {
	ArenaWorld
	BoardWorld

	// PlaySolo goes on with the run in progress of a choice, or begins one on
	// a new deal.
	PlaySolo(SoloChoice) (SoloSeat, error)
	// SoloInProgress says whether a choice has a run in progress, and what it
	// has scored.
	SoloInProgress(SoloChoice) (score int, ok bool)
	// SoloBest lists the best ten runs of a choice, the best first; of arenas,
	// of all of them.
	SoloBest(SoloChoice) []SoloPlayed
	// SoloRuns lists what was played alone, newest first.
	SoloRuns() []SoloPlayed
	// SoloReplay opens one of them, once it has been checked.
	SoloReplay(id string) (SoloReplay, error)
	// SoloProof is what a run was dealt from.
	SoloProof(id string) (SoloProof, error)
	// Keep gives the player a file. path is where it lies, "" where the player
	// has been asked for a place, as by a browser.
	Keep(name string, file []byte) (path string, err error)
	// Sundays says whether the player wants to be reminded of the daily
	// challenge's standing on Sundays.
	Sundays() bool
	SetSundays(on bool) error

	// Daily is what is known of today's challenge. Looking at it asks the
	// server in the background, now and then.
	Daily() DailyView
	// PlayDaily goes on with the run in progress of a daily challenge, or
	// begins one with the next chance. The server is asked in the background:
	// until it has answered the seat is nil, and it is called again.
	PlayDaily() (SoloSeat, error)
}

// A DailyView is what is known of today's challenge.
type DailyView struct {
	Day     string // YYYY-MM-DD, "" until it is known
	Looking bool   // the server is being asked
	Trouble Notice // why it is not known, or the server is not reached
	// Proven says that the day's deal is the one that the year's anchor
	// promised.
	Proven     bool
	InProgress bool // a run can be gone on with
	Score      int  // of that run
	Left       int  // chances that are left
	Runs       []DailyLine
	Place      Place
	Board      []DailyLine
}

// A DailyLine is one's own run of a day, or a player on its board.
type DailyLine struct {
	Rank    int // on the board
	Code    string
	Me      bool
	Country string // its code, "" for none
	Bot     string // the level of an AI player, "" for a person
	Run     string // the run's id where it can be replayed, else ""
	Score   int
	Chance  int    // 0: begun offline
	Best    bool   // it is the one that counts
	Status  string // of one's own: "playing", "waiting", "counted", "refused" or "empty"
	Why     Notice // of one that was refused
}

// A SoloState is a classic.State or a streak.State.
type SoloState interface {
	record.Solo
	Piece(slot int) engine.Piece
	Score() int
	Placements() int
	Stuck() bool
	Seed() [32]byte
}

// A SoloSeat is one's place at a run. Each decision is kept before its method
// returns, so that the run goes on from it whatever happens.
type SoloSeat interface {
	Choice() SoloChoice
	State() SoloState
	// Hint is the hint that was taken for the state as it is.
	Hint() (bot.Hint, bool)
	// Play makes a placement or takes a second chance.
	Play(engine.Move) error
	// TakeHint takes a hint, which the record tells.
	TakeHint() (bot.Hint, error)
	// Finish ends the run, one that is not over by giving it up, and keeps it.
	// Nothing is kept, and ok is false, if nothing was placed.
	Finish() (run SoloPlayed, ok bool, err error)
	// Leave goes away; the run can be gone on with.
	Leave()
}

// SoloPlayed is one run of the history.
type SoloPlayed struct {
	ID         string
	Choice     SoloChoice
	At         time.Time
	Score      int
	Combo      int // the best
	Placements int
	Helped     int  // hints or second chances
	Complete   bool // false: given up
	Chance     int  // of a daily challenge, which of the three it was; 0: none, or begun offline
}

// A SoloReplay is a whole run.
type SoloReplay struct {
	Start SoloState
	Moves []engine.Move
	File  string // where the record lies
}

// A SoloProof is what a run was dealt from, and how that is checked.
type SoloProof struct {
	Seed    string // in hexadecimal
	Command string // what deals the same again
	Check   string // what replays the record
	// Of a daily challenge: its day, which layer of its year's chain that is,
	// and the anchor that was published for the year, in hexadecimal. Leads says
	// that hashing the seed as often gives the anchor.
	Day    string
	Layer  int
	Anchor string
	Leads  bool
}
