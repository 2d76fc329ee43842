// Package engine is the rules of Cleave: boards, pieces, the deal, and the
// small interface that every ruleset meets.
//
// It decides, and nothing else. It imports the standard library's pure parts
// only, knows no clock, no chance of its own, no network and no screen, and
// computes in integers, so that one sequence of moves gives one state on every
// machine. A ruleset lives in a package of its own below this one
// (engine/duel, engine/streak, engine/classic) and its package comment is its
// rules.
package engine

// A Kind says what a move does. The numbers are part of the record's format
// and are never given a second meaning.
type Kind uint8

// The kinds of moves. Data of a Move is read according to its kind.
const (
	// None is the kind of no move: nothing is awaited.
	None Kind = 0
	// Reveal opens one layer of the author's commitment (Move.Layer).
	Reveal Kind = 1
	// Split divides the block; Data is the mask of its smaller part in the
	// block's 4x4 frame.
	Split Kind = 2
	// Choose takes a piece; Data is 0 for the smaller, 1 for the larger.
	Choose Kind = 3
	// Place puts a piece on the author's board; Data is the set of its cells
	// (see Board) in a Duel, and slot<<8 | cell in the solo games.
	Place Kind = 4
	// Flag says that the author's time ran out. Data is 0.
	Flag Kind = 5
	// Resign gives the match up. Data is 0.
	Resign Kind = 6
	// Chance takes a second chance in a training run. Data is 0.
	Chance Kind = 7
	// Hint notes that a hint was taken. Data is 0.
	Hint Kind = 8
)

// Nobody is the seat that Owes returns when no entry is awaited, and the
// winner of an outcome that has none.
const Nobody = -1

// A Move is one decision, or one revealed layer of chance, of one seat. It is
// a value and compares with ==. Fields that its kind does not use are zero.
type Move struct {
	Seat  uint8
	Kind  Kind
	Data  uint64
	Layer [32]byte
}

// A Position is one state of one match or run. Positions are immutable
// values: Apply returns a new one, and a kept one stays as it was. The
// concrete type is a ruleset's State, which the screen and the bots use
// directly.
type Position interface {
	// Owes returns the seat that must author the next entry, or Nobody when
	// the match is over.
	Owes() int
	// Awaits returns the kind of the entry that the owing seat must make. A
	// Flag may stand in its place when Awaits is a timed decision, and a
	// Resign of either seat may stand anywhere before the end.
	Awaits() Kind
	// MayDecide returns the kind of decision that the seat can make up its
	// mind about now, None if it has nothing to decide. While both place, it
	// is Place for both, though only one owes the next entry.
	MayDecide(seat int) Kind
	// Check reports whether the seat could decide m now: nil exactly when m
	// is the author's legal decision (see MayDecide), whether or not it is
	// that seat's turn to sign.
	Check(m Move) error
	// Apply returns the position after m, which must be what Owes and Awaits
	// say (or a Flag or Resign where one may stand). The error is an
	// *IllegalMove.
	Apply(m Move) (Position, error)
	// Append appends the canonical encoding of the whole state to b. Equal
	// states, and only those, have equal encodings.
	Append(b []byte) []byte
	// Digest is the SHA-256 of the domain of the rules and the encoding.
	Digest() [32]byte
	// Fields lists the state by name for the comparison of two states that
	// should be equal, in a fixed order.
	Fields() []Field
	// Outcome says how it ended; Outcome.Over is false until it has.
	Outcome() Outcome
}

// A Game is a ruleset.
type Game interface {
	// Rules is the name and version that terms carry, such as "duel/1".
	Rules() string
	// Seats is how many sign the record: 2 for a match, 1 for a run.
	Seats() int
	// Start returns the first position. The seed is the match id for a
	// match, and the deal's seed for a run; params are the game's own, in
	// canonical form (empty where it has none).
	Start(seed [32]byte, params []byte) (Position, error)
}

// A Field is one named part of a state, its value written for a person.
type Field struct{ Name, Value string }

// An End says why a match or run is over.
type End uint8

// The ways to end.
const (
	// Unfinished is not over.
	Unfinished End = iota
	// Played to the last round, or the run's last placement.
	Played
	// Forfeited: all decisions of two rounds in a row were flags.
	Forfeited
	// Resigned: a seat gave up. Two resignations at one index are a draw.
	Resigned
	// NoResult: both seats forfeited in the same round.
	NoResult
)

// An Outcome is the result of a match or run as the engine sees it.
type Outcome struct {
	Over   bool
	End    End
	Winner int      // seat, or Nobody (a draw, no result, a run)
	Score  [2]int32 // points by seat; a run uses the first
	Rounds int      // whole rounds played; placements of a run
}

// An IllegalMove says which move was refused and why.
type IllegalMove struct {
	Move   Move
	Reason string
}

func (e *IllegalMove) Error() string { return "engine: illegal move: " + e.Reason }
