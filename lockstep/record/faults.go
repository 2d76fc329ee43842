package record

import (
	"fmt"

	"github.com/cleavegame/cleave/engine"
)

// An IndexError is an entry that is not the next: those between are missing.
type IndexError struct{ Want, Got uint32 }

func (e *IndexError) Error() string {
	return fmt.Sprintf("%v: entry %d, want %d", ErrIndex, e.Got, e.Want)
}

// Unwrap is ErrIndex.
func (e *IndexError) Unwrap() error { return ErrIndex }

// A HeadError is an entry or seal that follows another history.
type HeadError struct {
	Index     uint32
	Want, Got Head // the head before it here, and the one it names
}

func (e *HeadError) Error() string { return fmt.Sprintf("%v: entry %d", ErrHead, e.Index) }

// Unwrap is ErrHead.
func (e *HeadError) Unwrap() error { return ErrHead }

// An AuthorError is an entry by a seat that does not owe it.
type AuthorError struct {
	Index     uint32
	Want, Got int // seats
}

func (e *AuthorError) Error() string {
	return fmt.Sprintf("%v: entry %d is seat %d's", ErrAuthor, e.Index, e.Want)
}

// Unwrap is ErrAuthor.
func (e *AuthorError) Unwrap() error { return ErrAuthor }

// An AwaitedError is an entry of a kind that is not awaited.
type AwaitedError struct {
	Index     uint32
	Want, Got engine.Kind
}

func (e *AwaitedError) Error() string {
	return fmt.Sprintf("%v: entry %d is of kind %d, want %d", ErrNotAwaited, e.Index, e.Got, e.Want)
}

// Unwrap is ErrNotAwaited.
func (e *AwaitedError) Unwrap() error { return ErrNotAwaited }

// An IllegalError is an entry whose move the rules forbid.
type IllegalError struct {
	Index uint32
	Move  *engine.IllegalMove
}

func (e *IllegalError) Error() string {
	return fmt.Sprintf("%v: entry %d: %s", ErrIllegal, e.Index, e.Move.Reason)
}

// Unwrap is ErrIllegal and the engine's error.
func (e *IllegalError) Unwrap() []error { return []error{ErrIllegal, e.Move} }

// A DigestError is an entry whose author's engine came to another state.
type DigestError struct {
	Index     uint32
	Want, Got [32]byte // what the replay gives, and what the author signed
}

func (e *DigestError) Error() string {
	return fmt.Sprintf("%v: entry %d: %x, signed %x", ErrDigest, e.Index, e.Want[:4], e.Got[:4])
}

// Unwrap is ErrDigest.
func (e *DigestError) Unwrap() error { return ErrDigest }

// A ForkError is an entry or seal whose author has signed another in its
// place; Fraud proves it.
type ForkError struct{ Fraud Fraud }

func (e *ForkError) Error() string { return fmt.Sprintf("%v: seat %d", ErrFork, e.Fraud.Seat) }

// Unwrap is ErrFork.
func (e *ForkError) Unwrap() error { return ErrFork }
