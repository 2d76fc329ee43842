package judge

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A Relation says how two logs of one match stand to each other.
type Relation uint8

// The relations of a log b to a log a.
const (
	// Same: they hold the same entries. b may have a seal that a lacks.
	Same Relation = iota
	// Shorter: b is the beginning of a.
	Shorter
	// Longer: a is the beginning of b.
	Longer
	// Dropped: b is what a resignation in a has dropped.
	Dropped
	// Drops: a resignation in b drops what a has.
	Drops
	// Drawn: both players resigned at one index, one in each log.
	Drawn
	// Forked: a player signed two versions; see Comparison.Forged.
	Forked
)

// A Comparison is what two logs of one match say about each other.
type Comparison struct {
	Relation Relation
	// Forged says which seats signed what no honest player signs. Set only
	// with Forked.
	Forged [2]bool
}

// Compare compares two logs of one match. Each holds by itself, so whatever
// stands in one was signed by its author.
func Compare(a, b record.Verified) Comparison {
	if a.ID() != b.ID() {
		panic("judge: comparing the logs of two matches")
	}
	if a.Head() == b.Head() {
		return Comparison{Relation: Same}
	}
	p := pair{a: a, b: b, rooted: a.Log().TermsSignatures() == b.Log().TermsSignatures()}
	for p.rooted && p.same < min(a.Len(), b.Len()) && a.EntryAt(p.same+1) == b.EntryAt(p.same+1) {
		p.same++
	}
	if forged := p.forged(); forged[0] || forged[1] {
		return Comparison{Relation: Forked, Forged: forged}
	}
	// Of a drawn log seat 0's resignation counts as an entry; the other
	// resignation makes it more than a log that ends with that entry.
	switch {
	case a.Drawn():
		return Comparison{Relation: Dropped}
	case b.Drawn():
		return Comparison{Relation: Drops}
	case p.same == b.Len():
		return Comparison{Relation: Shorter}
	case p.same == a.Len():
		return Comparison{Relation: Longer}
	case !p.rooted:
		// Two signatures of one player on the terms, and so far nothing
		// that goes against the other: the longer log is what was played.
		if b.Len() > a.Len() {
			return Comparison{Relation: Longer}
		}
		return Comparison{Relation: Shorter}
	}
	// They part, and nobody forged: two seats stand at the index, and the one
	// that did not owe it resigned there.
	switch ra, rb := resigns(a, p.same+1), resigns(b, p.same+1); {
	case ra && rb:
		return Comparison{Relation: Drawn}
	case rb:
		return Comparison{Relation: Drops}
	default:
		return Comparison{Relation: Dropped}
	}
}

func resigns(v record.Verified, n int) bool { return v.EntryAt(n).Move.Kind == engine.Resign }

// A pair is two logs of one match with as many entries as they share.
type pair struct {
	a, b   record.Verified
	rooted bool // both stand on the same signatures of the terms
	same   int
}

// forged says which seats signed two things that exclude each other.
func (p pair) forged() (seats [2]bool) {
	for seat := range 2 {
		inA, inB := p.statements(p.a, seat, 1), p.statements(p.b, seat, 2)
		for _, x := range inA {
			for _, y := range inB {
				seats[seat] = seats[seat] || record.Conflict(x, y)
			}
		}
	}
	return seats
}

// statements are what the seat signed in one of the logs. The heads in them
// stand for the true ones: they are equal exactly where those are.
func (p pair) statements(v record.Verified, seat int, mark byte) []record.Statement {
	var all []record.Statement
	prev := func(n int) record.Head { // the head before entry n
		if p.rooted && n <= p.same+1 {
			return record.Head{}
		}
		return record.Head{mark}
	}
	n := v.Len()
	both, drawn := v.Resignations()
	for i := 1; i <= n; i++ {
		e := v.EntryAt(i)
		if drawn && i == n {
			e = both[seat]
		}
		if int(e.Move.Seat) == seat {
			all = append(all, record.Statement{Index: uint32(i), Prev: prev(i), Entry: e})
		}
	}
	if v.Sealed() && !drawn {
		if last := v.EntryAt(n); int(last.Move.Seat) != seat {
			all = append(all, record.Statement{Sealed: true, Index: uint32(n + 1), Prev: prev(n), Entry: last})
		}
	}
	return all
}
