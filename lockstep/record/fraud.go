package record

import (
	"bytes"
	"encoding/binary"

	"github.com/cleavegame/cleave/engine"
)

// A Statement is one thing that a player signed: an entry at its index, or a
// seal, which names the entry that it found to be the last.
type Statement struct {
	Sealed bool
	Index  uint32 // of the entry or the seal
	Prev   Head   // the head before Entry
	Entry  Entry  // the entry, or the one that was sealed
	Sig    Signature
}

// The tags of statements in a proof.
const (
	tagEntry = 1
	tagSeal  = 2

	// proofFormat is the version of the layout of a proof.
	//
	//	1  the first
	proofFormat = 1
)

func (s Statement) head() Head { return s.Entry.after(&s.Prev) }

func (s Statement) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, s.Index)
	b = append(b, s.Prev[:]...)
	b = s.Entry.append(b)
	return append(b, s.Sig[:]...)
}

func (r *reader) statement(sealed bool) Statement {
	s := Statement{Sealed: sealed}
	s.Index = r.uint32()
	// Entries count from 1, and there is no seal without an entry.
	if r.err == nil && (s.Index == 0 || sealed && s.Index == 1) {
		r.refuse(ErrReserved)
	}
	s.Prev = Head(r.hash())
	r.entry(&s.Entry)
	s.Sig = r.signature()
	return s
}

func (s Statement) check(match ID, key Key) error {
	domain, reason := entryDomain, ErrSignature
	if s.Sealed {
		domain, reason = sealDomain, ErrSealSignature
	}
	if !encodable(&s.Entry.Move) || !key.Verify(signed(domain, match, s.Index, s.head()), s.Sig) {
		return reason
	}
	return nil
}

// A Fraud is a proof that one player signed what no honest player signs (see
// Conflict). Anyone can check it; it costs him that match.
type Fraud struct {
	Terms Terms
	Seat  int          // of the player who signed both
	Both  [2]Statement // in the order of their encodings
}

// NewFraud makes a proof of two statements of one seat, in either order. It
// is not checked: see Check.
func NewFraud(t Terms, seat int, a, b Statement) Fraud {
	if bytes.Compare(a.tagged(nil), b.tagged(nil)) > 0 {
		a, b = b, a
	}
	return Fraud{Terms: t, Seat: seat, Both: [2]Statement{a, b}}
}

func (s Statement) tagged(b []byte) []byte {
	tag := byte(tagEntry)
	if s.Sealed {
		tag = tagSeal
	}
	return s.append(append(b, tag))
}

// Append appends the encoding, at most MaxObject bytes, to b.
func (f Fraud) Append(b []byte) []byte {
	b = append(b, proofFormat)
	at := len(b)
	b = f.Terms.Append(append(b, 0, 0))
	binary.BigEndian.PutUint16(b[at:], uint16(len(b)-at-2))
	b = append(b, byte(f.Seat))
	return f.Both[1].tagged(f.Both[0].tagged(b))
}

// ParseFraud reads the bytes of one proof, whole. It is not checked: see
// Check.
func ParseFraud(b []byte) (Fraud, error) {
	r := read(b, MaxObject)
	if r.byte() != proofFormat {
		r.refuse(ErrFormat)
	}
	var f Fraud
	f.Terms = r.sizedTerms()
	seat := r.byte()
	if seat > 1 {
		r.refuse(ErrReserved)
	}
	f.Seat = int(seat)
	for i := range f.Both {
		tag := r.byte()
		if r.err == nil && tag != tagEntry && tag != tagSeal {
			r.refuse(ErrReserved)
		}
		f.Both[i] = r.statement(tag == tagSeal)
	}
	if err := r.end(); err != nil {
		return Fraud{}, err
	}
	if bytes.Compare(f.Both[0].tagged(nil), f.Both[1].tagged(nil)) > 0 {
		return Fraud{}, ErrProofOrder
	}
	return f, nil
}

// sizedTerms reads terms behind their length in two bytes.
func (r *reader) sizedTerms() Terms {
	t := r.take(int(r.uint16()))
	if r.err != nil {
		return Terms{}
	}
	inner := read(t, MaxObject)
	terms := inner.terms()
	if err := inner.end(); err != nil {
		r.refuse(err)
	}
	return terms
}

// Check is nil exactly when the proof holds: the player of the seat signed
// both statements in the match of these terms, and they conflict. Refused:
// ErrAuthor and ErrSealAuthor (a statement that this seat could not make),
// ErrSignature, ErrSealSignature and ErrNotFraud. Whether the entries are
// legal moves does not matter: who signs one thing at an index has signed it.
func (f Fraud) Check() error {
	if uint(f.Seat) > 1 {
		return ErrAuthor
	}
	id := f.Terms.ID()
	for _, s := range f.Both {
		if s.Sealed == (int(s.Entry.Move.Seat) == f.Seat) {
			if s.Sealed {
				return ErrSealAuthor
			}
			return ErrAuthor
		}
		if err := s.check(id, f.Terms.Keys[f.Seat]); err != nil {
			return err
		}
	}
	if !Conflict(f.Both[0], f.Both[1]) {
		return ErrNotFraud
	}
	return nil
}

// Conflict reports whether no honest player signs both statements in one
// match:
//
//   - two entries at one index with different heads;
//   - two seals at one index with different heads;
//   - an entry and a seal at one index, unless what was sealed is a
//     resignation: that drops the entries of the player who seals, from its
//     index on;
//   - a resignation, and an entry or seal at a later index: who has resigned
//     signs nothing more but the seal of a resignation that stands before his
//     own.
func Conflict(a, b Statement) bool {
	if a.Index > b.Index {
		a, b = b, a
	}
	if a.Index < b.Index {
		return !a.Sealed && a.Entry.Move.Kind == engine.Resign
	}
	switch {
	case a.Sealed == b.Sealed:
		return a.head() != b.head()
	case a.Sealed:
		return a.Entry.Move.Kind != engine.Resign
	default:
		return b.Entry.Move.Kind != engine.Resign
	}
}
