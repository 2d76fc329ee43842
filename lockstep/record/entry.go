package record

import "github.com/cleavegame/cleave/engine"

// An Entry is one step of a match. Its author is Move.Seat. Entries compare
// with ==.
type Entry struct {
	Move    engine.Move
	ThinkMs uint32   // the author's thinking time
	WaitMs  uint16   // ms the author waited for the entry before, less the round trip; 65,535 for that and more
	Digest  [32]byte // of the engine's whole state after the move
}

// A SignedEntry is an entry with all that is needed to check, by itself, that
// its author signed it: it is what travels, what is journaled, and half of a
// proof of fraud.
type SignedEntry struct {
	Match ID
	Index uint32 // the first entry has index 1
	Prev  Head   // head(Index-1)
	Entry Entry
	Sig   Signature // of EntryMessage(Match, Index, Head())
}

// Head is head(Index): SHA-256("cleave/head/1" || Prev || entry).
func (e SignedEntry) Head() Head { panic("record: being written") }

// Append appends the encoding of at most MaxObject bytes to b.
func (e SignedEntry) Append(b []byte) []byte { panic("record: being written") }

// ParseSignedEntry reads the bytes of one signed entry, whole. The signature
// is not checked: see Check and Match.Accept.
func ParseSignedEntry(b []byte) (SignedEntry, error) { panic("record: being written") }

// Check is ErrSignature unless key signed the entry.
func (e SignedEntry) Check(key Key) error { panic("record: being written") }

// A Seal is the signature of the player who did not make the last entry, on
// the final head, at the index after it. It carries that last entry, so that
// what was sealed can be seen.
type Seal struct {
	Match ID
	Index uint32 // of the seal: one more than the last entry's
	Prev  Head   // head(Index-2), the head before the last entry
	Last  Entry  // the last entry, made by the other seat
	Sig   Signature
}

// Head is the final head, which the seal signs.
func (s Seal) Head() Head { panic("record: being written") }

// Append appends the encoding of at most MaxObject bytes to b.
func (s Seal) Append(b []byte) []byte { panic("record: being written") }

// ParseSeal reads the bytes of one seal, whole. The signature is not checked:
// see Check and Match.AcceptSeal.
func ParseSeal(b []byte) (Seal, error) { panic("record: being written") }

// Check is ErrSealSignature unless key signed the seal.
func (s Seal) Check(key Key) error { panic("record: being written") }
