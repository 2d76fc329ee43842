package record

import "github.com/cleavegame/cleave/engine"

// A Match is the chain of one match as one side holds it, from the signed
// terms to the seal. It is grown entry by entry; what it refuses leaves it as
// it was. It is not for several goroutines at once.
//
// Resignation is settled here. A resignation may come at an index that is
// taken already by the other seat: it stands, and the entries from there on
// are dropped, so Len may shrink. Two resignations at one index stand both:
// the match is a draw, and needs no seal.
type Match struct{ unwritten int }

// Begin starts the chain on signed terms. It checks them (Terms.Check) and
// both signatures, but no ticket's (Terms.CheckTickets).
func Begin(t Terms, sigs [2]Signature, games Games) (*Match, error) { panic("record: being written") }

// ID is the match id.
func (m *Match) ID() ID { panic("record: being written") }

// Terms are those of the match.
func (m *Match) Terms() Terms { panic("record: being written") }

// Len is the index of the last entry that stands, 0 before the first. Two
// resignations at one index count once.
func (m *Match) Len() int { panic("record: being written") }

// Head is the head of the chain: of its last entry, of the terms before the
// first, and of a drawn match its own final head.
func (m *Match) Head() Head { panic("record: being written") }

// HeadAt is head(n) for 0 <= n <= Len; false otherwise. For a drawn match
// HeadAt(Len) is Head.
func (m *Match) HeadAt(n int) (Head, bool) { panic("record: being written") }

// EntryAt is entry n, signed, for 1 <= n <= Len. It panics otherwise. Where
// two resignations stand it is seat 0's: see Resignations.
func (m *Match) EntryAt(n int) SignedEntry { panic("record: being written") }

// Resignations are the two resignations of a drawn match, by seat; false if
// it is none.
func (m *Match) Resignations() ([2]SignedEntry, bool) { panic("record: being written") }

// Position is the engine's state after the last entry. For two resignations
// it is the one before them; ask Over and Outcome of the Match, not of the
// position.
func (m *Match) Position() engine.Position { panic("record: being written") }

// Over reports whether the match is decided.
func (m *Match) Over() bool { panic("record: being written") }

// Outcome is the result; two resignations at one index are a draw.
func (m *Match) Outcome() engine.Outcome { panic("record: being written") }

// Reveals is how many layers the seat has revealed: its next reveal is
// Chance.Layer(Reveals+1).
func (m *Match) Reveals(seat int) int { panic("record: being written") }

// Next builds the entry at index Len+1 for a move, with its digest and the
// head that its author must sign. It changes nothing. The errors are those of
// Apply.
func (m *Match) Next(move engine.Move, thinkMs uint32, waitMs uint16) (Entry, Head, error) {
	panic("record: being written")
}

// Sign is Next with the signature on it, ready to be journaled, applied and
// sent, in this order. It changes nothing.
func (m *Match) Sign(move engine.Move, thinkMs uint32, waitMs uint16, sign Signer) (SignedEntry, error) {
	panic("record: being written")
}

// Apply adds an entry with every check but that of its signature: for one's
// own entries and one's own journal. Refused, with the Reason that the error
// is or wraps:
//
//	ErrWrongMatch   of another match
//	ErrIndex        *IndexError: entries between are missing
//	ErrHeld         held already; nothing is wrong
//	ErrDropped      a resignation stands before it; nothing is wrong
//	ErrStaleResign  a resignation before an entry of its own author
//	ErrFork         *ForkError with the proof: another entry of this author
//	                stands at the index
//	ErrHead         *HeadError: it follows another history than this
//	ErrOver         the match is over
//	ErrAuthor       *AuthorError: the other seat owes it
//	ErrNotAwaited   *AwaitedError: another kind is awaited
//	ErrNoClock      a flag where the terms set no limit
//	ErrLayer        a layer that does not fit the commitment
//	ErrIllegal      *IllegalError with the engine's reason
//	ErrDigest       *DigestError with both digests
//	ErrFull         the match has reached 64 KiB
//
// In a rated match an entry refused with one of the last nine is no entry;
// with ErrDigest or ErrIllegal it is evidence for a claim.
func (m *Match) Apply(e SignedEntry) error { panic("record: being written") }

// Accept is Apply for an entry from the peer: it checks the signature before
// anything is believed (ErrSignature), after ErrWrongMatch and ErrIndex.
func (m *Match) Accept(e SignedEntry) error { panic("record: being written") }

// SealOwner is the seat whose seal is missing; engine.Nobody while the match
// is not over, when it is sealed, and after two resignations at one index.
func (m *Match) SealOwner() int { panic("record: being written") }

// SignSeal makes the seal of SealOwner, to be journaled, applied and sent in
// this order. It changes nothing. It is ErrNotOver when none is wanted.
func (m *Match) SignSeal(sign Signer) (Seal, error) { panic("record: being written") }

// ApplySeal adds a seal with every check but that of its signature. Refused:
// ErrWrongMatch, ErrNotOver, ErrIndex, ErrHead, ErrSealAuthor, and ErrHeld
// when the match is sealed already.
func (m *Match) ApplySeal(s Seal) error { panic("record: being written") }

// AcceptSeal is ApplySeal for a seal from the peer: its signature is checked
// too (ErrSealSignature).
func (m *Match) AcceptSeal(s Seal) error { panic("record: being written") }

// Sealed reports whether the match is co-signed: over, and sealed or drawn by
// two resignations.
func (m *Match) Sealed() bool { panic("record: being written") }

// Log is the record so far, as a .cleave file holds it. Both sides of a
// finished match have the same bytes.
func (m *Match) Log() Log { panic("record: being written") }
