package ui

import (
	"reflect"
	"slices"
	"time"

	"github.com/cleavegame/cleave/engine"
)

// World is what the scenes need beyond the screen: the player's own data, the
// ways to a match, what was played. Whoever opens the window provides it. The
// methods return at once with what is known now, unless they say otherwise;
// what takes time runs elsewhere and shows in a later call. An error that is a
// Notice is a sentence for the player.
type World interface {
	SoloWorld

	Account() Account
	// SetName stores the player's display name; "" goes back to none.
	SetName(name string) error
	// Settings returns the stored settings, Save stores them.
	Settings() Settings
	Save(Settings) error
	// Words returns the 24 words that the account can be brought back from.
	Words() ([]string, error)
	// Export writes the account, sealed with a passphrase, and says where.
	Export(passphrase string) (path string, err error)
	// Recover says whose account it is that 24 words give back, or an exported
	// file (where it lies, or what is in it) and its passphrase.
	Recover(from, passphrase string) (code string, err error)
	// Adopt puts the account that Recover found last in the place of the
	// player's own, which is kept. It takes effect when the program is opened
	// again.
	Adopt() error
	// Version is the program's own, for the licences page and reports.
	Version() string

	// Practise opens a match against the computer, Hotseat one of two
	// players at this device.
	Practise(PracticeChoice) (Seat, error)
	Hotseat(names [2]string, clocks bool) (Seat, error)

	// Earshot returns the rooms that are announced on the LAN just now. The
	// first call begins to listen, Deafen ends it.
	Earshot() Earshot
	Deafen()
	// Listed returns the listed rooms of the server of the settings.
	Listed() Earshot
	// Host opens a room, Join goes to one.
	Host(RoomChoice) (Table, error)
	Join(JoinChoice) (Table, error)
	// HasUnfinished says that this profile is still in a match; Unfinished
	// opens its table, to go on with it.
	HasUnfinished() bool
	Unfinished() (Table, bool)

	// Matches lists what was played, newest first.
	Matches() []Played
	// Replay opens one of them.
	Replay(id string) (Replay, error)
	// Review values the decisions of a seat in a match, off the screen's
	// goroutine; progress goes from 0 to 1.
	Review(id string, seat int) (notes []ReviewNote, progress float64, err error)
	// Standing is what the ranking server says of the player, and the
	// season's table.
	Standing() Standing
	// Server is the address of the server for codes and the ladder, "" for
	// none; fixed says that it cannot be chosen, as in a browser, where it is
	// the one that the page came from. SetServer chooses another and keeps it.
	Server() (address string, fixed bool)
	SetServer(address string) error
	// Outbox lists the results that wait for the server.
	Outbox() []Notice
	// Copy puts text on the clipboard.
	Copy(text string) error
	// Attention tells the player something while the window is not in front.
	Attention(text string)
}

// An Account is who the player is on this device.
type Account struct {
	Name  string
	Code  string // player code, "XXXX-XXXX-XXXX-XXXX"
	Fresh bool   // nothing was ever asked: the first start
}

// A PracticeChoice is how one wants to practise.
type PracticeChoice struct {
	Level  string // a level of bot.Levels
	Clocks bool
}

// An Earshot is the rooms that can be seen.
type Earshot struct {
	Rooms []RoomView
	// Trouble says why nothing can be heard, the zero Notice if all is well.
	Trouble Notice
	// Looking is true until the first answer.
	Looking bool
}

// A RoomView is one room in a lobby.
type RoomView struct {
	ID     string // to join it
	Room   string // its name
	Player string // its host's name
	Code   string // its host's player code
	State  string // "open", "locked", "full" or "playing"
	Clocks string // "standard", "double" or "off"
	Rated  bool
}

// A RoomChoice is the room that one opens.
type RoomChoice struct {
	Way      string // "lan" or "server"
	Name     string
	Password string
	Clocks   string // "standard", "double" or "off"
	Friendly bool   // does not count
	Listed   bool   // on a server: shown in its lobby
}

// A JoinChoice is the room that one goes to: one of the three ways.
type JoinChoice struct {
	Room     string // RoomView.ID, on the LAN or a server
	Listed   bool   // Room is on the server
	Address  string // host:port on the LAN
	Code     string // an invite code, or a link, as it was typed or pasted
	Password string
}

// A Table is a room that one is in: a waiting room, and then a Seat.
type Table interface {
	Seat
	Room() Waiting
	// Ready says that one is ready, or not any more.
	Ready(on bool)
	// Start begins the match; only the host may, when both are ready.
	Start()
	// Change sets the room's clocks and whether it counts; only the host may.
	Change(clocks string, friendly bool)
}

// A Waiting is what a waiting room shows.
type Waiting struct {
	Host     bool // it is one's own room
	Name     string
	Code     string // invite code, for the host of an unlisted room on a server
	Link     string // the same as a link
	Address  string // host:port on the LAN, for who cannot be heard
	Me, Peer Person
	Ready    [2]bool // one's own, the peer's
	Clocks   string
	Friendly bool
	// Counts says why the match will not count; nothing if it will.
	Counts []Notice
	// Path says how the peer is reached ("", "lan", "direct", "relay"), and
	// Bars how well, 0 to 4.
	Path string
	Bars int
	// Phase is "opening", "waiting" (for somebody), "meeting", "room" (both
	// are here), "match", or "ended".
	Phase string
	// Notice is what just happened: somebody tried a wrong code, the peer
	// left.
	Notice Notice
	// Failure says why it ended.
	Failure Notice
}

// same reports whether nothing has changed.
func (w Waiting) same(o Waiting) bool {
	same := slices.Equal(w.Counts, o.Counts)
	w.Counts, o.Counts = nil, nil
	return same && reflect.DeepEqual(w, o)
}

// A Person is the other player as shown.
type Person struct{ Name, Code string }

// Played is one match of the history.
type Played struct {
	ID      string
	At      time.Time
	Against Person
	Score   [2]int // one's own first
	Won     int    // 1 won, 0 drawn, -1 lost, 2 no result or unfinished
	Rated   bool
	Status  Notice // what the ranking server says of it
}

// A Replay is a whole match.
type Replay struct {
	View  View // at its end
	Moves []engine.Move
	// Proofs are the checks of the record, in the order in which they are
	// shown: chance, signatures, replay.
	Proofs []Proof
	// File is where the record lies.
	File string
}

// A Proof is one check of a record, and whether it holds.
type Proof struct {
	Text string
	OK   bool
}

// A ReviewNote values one decision of a review.
type ReviewNote struct {
	Move   int         // index into the moves
	Better engine.Move // what the engine would have done
	Points float64     // what it would have been worth more, in points
}

// A Standing is a player's place on a ladder.
type Standing struct {
	Known      bool
	Rating     int
	Placements int // matches left until placed
	Season     string
	Table      []Row
	Trouble    Notice
}

// A Row is one line of a season's table.
type Row struct {
	Rank   int // 0: not placed yet
	Player Person
	Rating int
	Me     bool
}
