package record

import (
	"slices"

	"github.com/cleavegame/cleave/engine"
)

// cross judges an entry at an index that is taken already, or behind the end
// of a match that is over.
func (m *Match) cross(e SignedEntry) error {
	move := &e.Entry.Move
	if !encodable(move) {
		return &IllegalError{Index: e.Index, Move: &engine.IllegalMove{Move: *move, Reason: "no entry can hold it"}}
	}
	seat := int(move.Seat)
	if fork := m.conflict(seat, e.statement()); fork != nil {
		return fork
	}
	taken := e.Index <= uint32(m.Len())
	same := func(h *SignedEntry) bool { return e.Index == h.Index && e.Prev == h.Prev && e.Entry == h.Entry }
	if taken && same(&m.entries[e.Index-1]) || m.drawn && same(&m.draw) {
		return ErrHeld // another signature for the same statement
	}
	if by := m.resigned(); by != engine.Nobody && by != seat && e.Index >= uint32(m.Len()) {
		if move.Kind != engine.Resign || e.Index > uint32(m.Len()) {
			return ErrDropped
		}
	}
	if !taken {
		return ErrOver
	}
	if e.Prev != m.entries[e.Index-1].Prev {
		return &HeadError{Index: e.Index, Want: m.entries[e.Index-1].Prev, Got: e.Prev}
	}
	if move.Kind != engine.Resign {
		return &AuthorError{Index: e.Index, Want: int(m.entries[e.Index-1].Entry.Move.Seat), Got: seat}
	}
	for i := range m.entries[e.Index-1:] {
		if int(m.entries[int(e.Index)-1+i].Entry.Move.Seat) == seat {
			return ErrStaleResign
		}
	}
	if m.sealed { // by this seat, with a signature that proves nothing
		return ErrStaleResign
	}
	return m.resign(e)
}

// resigned is the seat whose resignation ends the chain, engine.Nobody if
// none does or both do.
func (m *Match) resigned() int {
	if m.drawn || m.Len() == 0 || m.last().Entry.Move.Kind != engine.Resign {
		return engine.Nobody
	}
	return int(m.last().Entry.Move.Seat)
}

// resign lets a resignation stand at an index from which on all entries are
// the other seat's. It is checked against the position before it first, so
// that one with a wrong digest drops nothing.
func (m *Match) resign(e SignedEntry) error {
	trial := *m
	trial.entries = slices.Clone(m.entries)
	trial.rewind(int(e.Index) - 1)
	if m.resigned() == engine.Nobody || e.Index != uint32(m.Len()) {
		if err := trial.push(e); err != nil {
			return err
		}
		*m = trial
		return nil
	}
	alone := trial.chain
	if err := alone.step(e.Index, &e.Entry); err != nil {
		return err
	}
	// Two at one index: seat 0's stands first, whichever came first.
	both := [2]SignedEntry{*m.last(), e}
	if e.Entry.Move.Seat == 0 {
		both[0], both[1] = both[1], both[0]
	}
	trial.entries = append(trial.entries, both[0])
	trial.draw, trial.drawn = both[1], true
	trial.size += entrySize(&both[0].Entry) + entrySize(&both[1].Entry)
	trial.head = drawHead(both[0].Head(), both[1].Head())
	*m = trial
	return nil
}

// conflict looks for what the chain holds of the seat and excludes s, nil if
// there is nothing, or if a signature that would prove it does not hold.
func (m *Match) conflict(seat int, s Statement) error {
	held := func(h Statement) error {
		if !Conflict(h, s) {
			return nil
		}
		f := NewFraud(m.terms, seat, h, s)
		if f.Check() != nil {
			return nil
		}
		return &ForkError{Fraud: f}
	}
	if m.sealed && 1-int(m.seal.Last.Move.Seat) == seat {
		if err := held(m.seal.statement()); err != nil {
			return err
		}
	}
	if m.drawn && seat == 1 {
		if err := held(m.draw.statement()); err != nil {
			return err
		}
	}
	for i := len(m.entries) - 1; i >= 0; i-- {
		e := &m.entries[i]
		if int(e.Entry.Move.Seat) != seat {
			continue
		}
		// Before the entry at the index of s nothing but a resignation, which
		// is the last, can exclude it.
		if err := held(e.statement()); err != nil {
			return err
		}
		if e.Index <= s.Index {
			break
		}
	}
	return nil
}
