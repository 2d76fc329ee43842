package record

import (
	"fmt"

	"github.com/cleavegame/cleave/engine"
)

// A Verified is a log that holds: its chain and its signatures fit, and the
// engine of exactly its rules gave every digest that its authors signed. It
// is made by Verify alone.
type Verified struct {
	log   Log
	id    ID
	first Head
	head  Head
	start engine.Position
	pos   engine.Position
}

// Verify checks the log against the games. A log that is not complete or not
// sealed holds too; see Complete and Sealed. It checks two signatures,
// however long the match: each player's last, which covers all before it, the
// signatures on the terms included. It does not check those of tickets. The
// error is a *VerifyError.
func Verify(l Log, games Games) (Verified, error) {
	id, start, err := l.terms.start(games)
	if err != nil {
		return Verified{}, &VerifyError{Reason: err}
	}
	v := Verified{log: l, id: id, start: start, pos: start}
	if err := v.checkSignatures(); err != nil {
		return Verified{}, err
	}
	// From here on both players have signed what is found.
	c := chain{limits: l.terms.Limits, pos: start, links: l.terms.Anchors}
	n := v.Len()
	for i := range l.entries {
		if l.end == endDrawn && i+1 == n {
			v.pos = c.pos // both resignations follow it
		} else if i == n {
			c.pos = v.pos
		}
		if err := c.step(uint32(min(i+1, n)), &l.entries[i]); err != nil {
			return Verified{}, &VerifyError{Entry: min(i+1, n), Reason: err, Signed: true}
		}
	}
	if l.end != endDrawn {
		v.pos = c.pos
	}
	if l.end == endSealed && !v.Complete() {
		return Verified{}, &VerifyError{Entry: n + 1, Reason: ErrNotOver, Signed: true}
	}
	return v, nil
}

// checkSignatures computes the heads and checks each seat's last signature.
func (v *Verified) checkSignatures() error {
	l := &v.log
	v.first = firstHead(v.id, &l.termsSigs)
	v.head = v.first
	var heads [2]Head // each seat's last
	var index [2]int
	n := v.Len()
	for i := range l.entries[:n] {
		e := &l.entries[i]
		if l.end == endDrawn && i+1 == n {
			prev := v.head
			heads = [2]Head{e.after(&prev), l.entries[n].after(&prev)}
			index = [2]int{n, n}
			v.head = drawHead(heads[0], heads[1])
			break
		}
		v.head = e.after(&v.head)
		heads[e.Move.Seat], index[e.Move.Seat] = v.head, i+1
	}
	for seat := range 2 {
		key, sig := l.terms.Keys[seat], l.last[seat]
		switch {
		case l.end == endSealed && seat != int(l.entries[n-1].Move.Seat):
			if !key.Verify(signed(sealDomain, v.id, uint32(n+1), v.head), sig) {
				return &VerifyError{Entry: n + 1, Reason: ErrSealSignature}
			}
		case index[seat] == 0:
			if !key.Verify(termsMessage(v.id), l.termsSigs[seat]) {
				return &VerifyError{Reason: ErrTermsSignature}
			}
		default:
			if !key.Verify(signed(entryDomain, v.id, uint32(index[seat]), heads[seat]), sig) {
				return &VerifyError{Entry: index[seat], Reason: ErrSignature}
			}
		}
	}
	return nil
}

// Log is the log that was verified.
func (v Verified) Log() Log { return v.log }

// Terms are what the match was played under.
func (v Verified) Terms() Terms { return v.log.terms }

// ID is the match id.
func (v Verified) ID() ID { return v.id }

// Outcome is the result that the replay gives.
func (v Verified) Outcome() engine.Outcome {
	if v.log.end == endDrawn {
		return drawn(v.pos)
	}
	return v.pos.Outcome()
}

// Complete reports whether the match was decided.
func (v Verified) Complete() bool { return v.Outcome().Over }

// Sealed reports whether both players signed the final head, or each a
// resignation at one index.
func (v Verified) Sealed() bool { return v.log.end != endOpen }

// Drawn reports whether both players resigned at one index, Len. EntryAt(Len)
// is seat 0's resignation then, and Position the state before both.
func (v Verified) Drawn() bool { return v.log.end == endDrawn }

// Resignations are the two resignations of a drawn match, by seat; false if
// it is none.
func (v Verified) Resignations() ([2]Entry, bool) {
	if !v.Drawn() {
		return [2]Entry{}, false
	}
	n := v.Len()
	return [2]Entry(v.log.entries[n-1 : n+1]), true
}

// Len is the index of the last entry. Two resignations at one index count
// once.
func (v Verified) Len() int {
	if v.log.end == endDrawn {
		return len(v.log.entries) - 1
	}
	return len(v.log.entries)
}

// Head is the final head.
func (v Verified) Head() Head { return v.head }

// EntryAt is entry n, 1 <= n <= Len. It panics otherwise.
func (v Verified) EntryAt(n int) Entry { return v.log.entries[:v.Len()][n-1] }

// Position is the state after the last entry, of a drawn match that before
// the resignations.
func (v Verified) Position() engine.Position { return v.pos }

// PositionAt is the state after entry n, 0 <= n <= Len; it replays so far. It
// panics otherwise.
func (v Verified) PositionAt(n int) engine.Position {
	if n == v.Len() {
		return v.pos
	}
	pos := v.start
	for i := range v.log.entries[:v.Len()][:n] {
		next, err := pos.Apply(v.log.entries[i].Move)
		if err != nil {
			panic("record: a verified log does not replay: " + err.Error())
		}
		pos = next
	}
	return pos
}

// A VerifyError says which entry of a log does not hold, and why. Signed says
// that the signatures hold, so that both players, or the run's, answer for
// what is wrong.
type VerifyError struct {
	Entry  int   // the index of the entry, or of the seal; 0 for the terms
	Reason error // is or wraps a Reason
	Signed bool
}

func (e *VerifyError) Error() string {
	if e.Entry == 0 {
		return "record: terms: " + bare(e.Reason)
	}
	return fmt.Sprintf("record: entry %d: %s", e.Entry, bare(e.Reason))
}

// Unwrap is e.Reason.
func (e *VerifyError) Unwrap() error { return e.Reason }
