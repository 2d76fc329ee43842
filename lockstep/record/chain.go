package record

import (
	"errors"

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
	owes := c.pos.Owes()
	if owes == engine.Nobody {
		return nil, ErrOver
	}
	if m.Seat > 1 {
		return nil, &AuthorError{Index: index, Want: owes, Got: int(m.Seat)}
	}
	if m.Kind != engine.Resign {
		if int(m.Seat) != owes {
			return nil, &AuthorError{Index: index, Want: owes, Got: int(m.Seat)}
		}
		if awaits := c.pos.Awaits(); m.Kind != awaits {
			if m.Kind != engine.Flag || awaits == engine.Reveal {
				return nil, &AwaitedError{Index: index, Want: awaits, Got: m.Kind}
			}
			if c.limits.For(awaits) == 0 {
				return nil, ErrNoClock
			}
		}
	}
	if !encodable(m) {
		return nil, &IllegalError{Index: index, Move: &engine.IllegalMove{Move: *m, Reason: "no entry can hold it"}}
	}
	if m.Kind == engine.Reveal && !LayerFits(c.links[m.Seat], m.Layer) {
		return nil, ErrLayer
	}
	next, err := c.pos.Apply(*m)
	if err != nil {
		illegal, ok := errors.AsType[*engine.IllegalMove](err)
		if !ok {
			illegal = &engine.IllegalMove{Move: *m, Reason: err.Error()}
		}
		return nil, &IllegalError{Index: index, Move: illegal}
	}
	return next, nil
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
