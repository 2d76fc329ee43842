package record

import (
	"errors"
	"fmt"

	"github.com/cleavegame/cleave/engine"
)

// A chain is the replay that Match and Verify share: where the engine stands,
// and how deep into its chance each seat has shown.
type chain struct {
	limits  Limits
	pos     engine.Position
	links   [2][32]byte // what the next layer of each seat must hash to
	reveals [2]int
}

// check returns the position after a move by its author, and changes nothing.
// index names the entry in errors.
func (c *chain) check(index uint32, m *engine.Move) (engine.Position, error) {
	// The engine by itself refuses a wrong author or kind, so a good entry
	// asks it once, and only a bad one asks why.
	var err error
	if encodable(m) && c.revealFits(m) && c.flagFits(m) {
		var next engine.Position
		if next, err = c.pos.Apply(*m); err == nil {
			return next, nil
		}
	}
	return nil, c.refusal(index, m, err)
}

// revealFits reports whether a revealed layer hashes to what its seat showed
// before.
func (c *chain) revealFits(m *engine.Move) bool {
	return m.Kind != engine.Reveal || layerFits(c.links[m.Seat], m.Layer)
}

// flagFits reports whether a flag stands for a decision that has a limit.
func (c *chain) flagFits(m *engine.Move) bool {
	return m.Kind != engine.Flag || c.limits.For(c.pos.Awaits()) != 0
}

// refusal says why m is no entry, err being what the engine said, if it was
// asked.
func (c *chain) refusal(index uint32, m *engine.Move, err error) error {
	owes, awaits := c.pos.Owes(), c.pos.Awaits()
	timed := awaits != engine.Reveal
	switch {
	case owes == engine.Nobody:
		return ErrOver
	case m.Seat > 1, m.Kind != engine.Resign && int(m.Seat) != owes:
		return &AuthorError{Index: index, Want: owes, Got: int(m.Seat)}
	case m.Kind != engine.Resign && m.Kind != awaits && !(m.Kind == engine.Flag && timed):
		return &AwaitedError{Index: index, Want: awaits, Got: m.Kind}
	case !encodable(m):
		err = errors.New("no entry can hold it")
	case !c.flagFits(m):
		return ErrNoClock
	case !c.revealFits(m):
		return ErrLayer
	}
	return &IllegalError{Index: index, Move: asIllegal(*m, err)}
}

// asIllegal is the engine's error as it should be.
func asIllegal(m engine.Move, err error) *engine.IllegalMove {
	if illegal, ok := errors.AsType[*engine.IllegalMove](err); ok {
		return illegal
	}
	return &engine.IllegalMove{Move: m, Reason: err.Error()}
}

// advance makes next, which check returned for m, the position.
func (c *chain) advance(next engine.Position, m *engine.Move) {
	c.pos = next
	if m.Kind == engine.Reveal {
		c.links[m.Seat] = m.Layer
		c.reveals[m.Seat]++
	}
}

// step checks an entry with its digest and advances.
func (c *chain) step(index uint32, e *Entry) error {
	next, err := c.check(index, &e.Move)
	if err != nil {
		return err
	}
	if digest := next.Digest(); digest != e.Digest {
		return &DigestError{Index: index, Want: digest, Got: e.Digest}
	}
	c.advance(next, &e.Move)
	return nil
}

// drawn is the outcome of two resignations at one index, given the position
// before them.
func drawn(pos engine.Position) engine.Outcome {
	o := pos.Outcome()
	o.Over, o.End, o.Winner = true, engine.Resigned, engine.Nobody
	return o
}

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
