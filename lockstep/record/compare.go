package record

import "github.com/cleavegame/cleave/engine"

// A Relation is how two logs of one match stand to each other.
type Relation uint8

const (
	// Same: both have the same final head.
	Same Relation = iota + 1
	// Longer: one goes on where the other ends.
	Longer
	// Crossed: a resignation in one met what the other side had signed in
	// the other; it stands. Two of them are a draw.
	Crossed
	// Forked: two histories that no two honest players come to.
	Forked
)

// A Comparison says which of two logs of one match is to be believed.
type Comparison struct {
	Relation Relation
	// Index is the first entry in which they differ, 0 for the signatures on
	// the terms; of logs that are the same or longer, that behind the end of
	// the shorter.
	Index int
	// Stands is what both together prove, the first log where they are as
	// good as each other; false when they are forked. It may be a third one:
	// the draw of two logs that end in a resignation each.
	Stands Log
	Holds  bool
	// Fraud says, by seat, who signed both of two histories. The two logs
	// are the proof.
	Fraud [2]bool
}

// Compare holds two verified logs of one match against each other. It is
// ErrWrongMatch when they are of two. A player has signed both histories when
// in each log his last signature stands at or behind the first difference,
// and it is not the seal of a resignation that dropped his own entries.
func Compare(a, b Verified) (Comparison, error) {
	if a.id != b.id {
		return Comparison{}, ErrWrongMatch
	}
	if a.head == b.head {
		c := Comparison{Relation: Same, Index: a.Len() + 1, Stands: a.log, Holds: true}
		if b.Sealed() && !a.Sealed() {
			c.Stands = b.log
		}
		return c, nil
	}
	d := a.differs(b)
	c := Comparison{Relation: Forked, Index: d}
	if d > 0 {
		switch {
		case d == a.Len()+1:
			c.Relation, c.Stands, c.Holds = Longer, b.log, true
		case d == b.Len()+1:
			c.Relation, c.Stands, c.Holds = Longer, a.log, true
		default:
			c.cross(a, b, d)
		}
	}
	for seat := range 2 {
		c.Fraud[seat] = signedBoth(a, b, d, seat)
	}
	if c.Fraud != ([2]bool{}) {
		c.Relation, c.Stands, c.Holds = Forked, Log{}, false
	}
	return c, nil
}

// signedBoth reports whether the seat vouches for both histories, which
// differ at d.
func signedBoth(a, b Verified, d, seat int) bool {
	// The signature on the terms says nothing about the other's.
	behind := max(d, 1)
	if a.lastSigned(seat) < behind || b.lastSigned(seat) < behind {
		return false
	}
	if droppedBySeal(a, b, d, seat) || droppedBySeal(b, a, d, seat) {
		return false
	}
	// Its own resignation at d, to which only one log has the other's.
	ownA, okA := a.by(d, seat)
	ownB, okB := b.by(d, seat)
	return !(okA && okB && ownA == ownB && a.lastSigned(seat) == d && b.lastSigned(seat) == d)
}

// by is the seat's entry at d, if it made one there.
func (v Verified) by(d, seat int) (Entry, bool) {
	if v.drawnAt(d) {
		return v.log.entries[d-1+seat], true
	}
	if d < 1 || d > v.Len() || int(v.log.entries[d-1].Move.Seat) != seat {
		return Entry{}, false
	}
	return v.log.entries[d-1], true
}

// differs is the index of the first difference, 0 for the terms' signatures.
func (v Verified) differs(o Verified) int {
	if v.first != o.first {
		return 0
	}
	n := min(v.Len(), o.Len())
	for i := 1; i <= n; i++ {
		for seat := range 2 {
			mine, ok := v.by(i, seat)
			theirs, also := o.by(i, seat)
			if ok != also || mine != theirs {
				return i
			}
		}
	}
	return n + 1
}

func (v Verified) drawnAt(n int) bool { return v.log.end == endDrawn && n == v.Len() }

// lastSigned is the index of the seat's last signature, 0 for that on the
// terms.
func (v Verified) lastSigned(seat int) int {
	n := v.Len()
	if v.log.end == endDrawn {
		return n
	}
	for i := n; i > 0; i-- {
		if int(v.log.entries[i-1].Move.Seat) == seat {
			return i
		}
		if v.log.end == endSealed {
			return n + 1
		}
	}
	return 0
}

// resigns is the seat that alone resigned in entry n, engine.Nobody if that
// was something else or both did.
func (v Verified) resigns(n int) int {
	if n < 1 || n > v.Len() || v.drawnAt(n) || v.log.entries[n-1].Move.Kind != engine.Resign {
		return engine.Nobody
	}
	return int(v.log.entries[n-1].Move.Seat)
}

// droppedBySeal reports whether the seat's signature in r is the seal of the
// other's resignation at d, and what it signed in o was dropped by that.
func droppedBySeal(r, o Verified, d, seat int) bool {
	if r.resigns(d) != 1-seat || d > o.Len() || o.drawnAt(d) {
		return false
	}
	e := o.log.entries[d-1].Move
	return int(e.Seat) == seat && e.Kind != engine.Resign
}

// cross settles two logs that both have an entry d, and differ in it.
func (c *Comparison) cross(a, b Verified, d int) {
	byA, byB := a.resigns(d), b.resigns(d)
	switch {
	case byA != engine.Nobody && byB != engine.Nobody && byA != byB:
		c.Stands = bothResigned(a.log, b.log)
		if byA == 1 {
			c.Stands = bothResigned(b.log, a.log)
		}
	case a.drawnAt(d):
		c.Stands = a.log
	case b.drawnAt(d):
		c.Stands = b.log
	case byA != engine.Nobody:
		c.Stands = a.log
	case byB != engine.Nobody:
		c.Stands = b.log
	default:
		return
	}
	c.Relation, c.Holds = Crossed, true
}

// bothResigned joins a log that ends in the resignation of seat 0 with one
// that ends in that of seat 1 at the same index.
func bothResigned(a, b Log) Log {
	n := len(a.entries)
	l := a
	l.end = endDrawn
	l.entries = append(a.entries[:n:n], b.entries[n-1])
	l.last = [2]Signature{a.last[0], b.last[1]}
	return l
}
