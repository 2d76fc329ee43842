package record

import "github.com/cleavegame/cleave/engine"

// A Verified is a log that holds: its chain and its signatures fit, and the
// engine of exactly its rules gave every digest that its authors signed. It
// is made by Verify alone.
type Verified struct{ unwritten int }

// Verify checks the log against the games. A log that is not complete or not
// sealed holds too; see Complete and Sealed. It checks two signatures,
// however long the match, and no ticket's. The error is a *VerifyError.
func Verify(l Log, games Games) (Verified, error) { panic("record: being written") }

// Log is the log that was verified.
func (v Verified) Log() Log { panic("record: being written") }

// Terms are what the match was played under.
func (v Verified) Terms() Terms { panic("record: being written") }

// ID is the match id.
func (v Verified) ID() ID { panic("record: being written") }

// Outcome is the result that the replay gives.
func (v Verified) Outcome() engine.Outcome { panic("record: being written") }

// Complete reports whether the match was decided.
func (v Verified) Complete() bool { panic("record: being written") }

// Sealed reports whether both players signed the final head (or each a
// resignation at one index).
func (v Verified) Sealed() bool { panic("record: being written") }

// Len is the index of the last entry.
func (v Verified) Len() int { panic("record: being written") }

// Head is the final head.
func (v Verified) Head() Head { panic("record: being written") }

// EntryAt is entry n, 1 <= n <= Len. It panics otherwise.
func (v Verified) EntryAt(n int) Entry { panic("record: being written") }

// Position is the state after the last entry.
func (v Verified) Position() engine.Position { panic("record: being written") }

// PositionAt is the state after entry n, 0 <= n <= Len; it replays so far. It
// panics otherwise.
func (v Verified) PositionAt(n int) engine.Position { panic("record: being written") }

// A VerifyError says which entry of a log does not hold, and why. Signed says
// that the signatures hold, so that both players, or the run's, answer for
// what is wrong.
type VerifyError struct {
	Entry  int   // the index of the entry; 0 for the terms and the log as a whole
	Reason error // is or wraps a Reason
	Signed bool
}

func (e *VerifyError) Error() string { panic("record: being written") }

// Unwrap is e.Reason.
func (e *VerifyError) Unwrap() error { return e.Reason }
