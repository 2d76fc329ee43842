package record

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/cleavegame/cleave/engine"
)

// MaxMatch is the largest .cleave file of a match in bytes.
const MaxMatch = 64 << 10

const (
	magic = "CLEAVE"

	// logFormat is the version of the layout of a file.
	//
	//	1  the first
	logFormat = 1

	seatsMatch = 2
	seatsRun   = 1
)

// How a log ends.
const (
	endOpen   = 0 // each seat's last signature
	endSealed = 1 // the last author's signature and the other's seal
	endDrawn  = 2 // two resignations at one index
)

// A Log is the content of the .cleave file of a match: the signed terms, the
// entries, and as few signatures as carry them. It is well formed, no more:
// only a Verified is believed.
type Log struct {
	terms     Terms
	termsSigs [2]Signature
	entries   []Entry      // of a drawn match, both resignations are the last
	end       byte         // endOpen, endSealed or endDrawn
	last      [2]Signature // by seat: on its last entry, or its seal
}

// logSize is the length of a log without entries and with all signatures,
// given that of its terms.
func logSize(terms int) int { return len(magic) + 2 + 2 + terms + 2*64 + 2 + 1 + 2*64 }

// Append appends the bytes of the file to b.
func (l Log) Append(b []byte) []byte {
	b = append(append(b, magic...), seatsMatch, logFormat)
	at := len(b)
	b = l.terms.Append(append(b, 0, 0))
	binary.BigEndian.PutUint16(b[at:], uint16(len(b)-at-2))
	b = append(append(b, l.termsSigs[0][:]...), l.termsSigs[1][:]...)
	b = binary.BigEndian.AppendUint16(b, uint16(len(l.entries)))
	var made [2]bool
	for i := range l.entries {
		b = l.entries[i].append(b)
		made[l.entries[i].Move.Seat] = true
	}
	b = append(b, l.end)
	for seat := range 2 {
		if made[seat] || l.end != endOpen {
			b = append(b, l.last[seat][:]...)
		}
	}
	return b
}

// TermsSignatures are the signatures on the terms, by seat.
func (l Log) TermsSignatures() [2]Signature { return l.termsSigs }

// form reads the first bytes of a .cleave file, which say how many seats made
// it: 2 for a match, 1 for a run.
func (r *reader) form() int {
	head := r.take(len(magic))
	if head == nil {
		return 0
	}
	if string(head) != magic {
		r.refuse(ErrMagic)
	}
	seats := r.byte()
	if r.err == nil && seats != seatsMatch && seats != seatsRun {
		r.refuse(ErrSeats)
	}
	if r.byte() != logFormat {
		r.refuse(ErrFormat)
	}
	return int(seats)
}

// ParseLog reads a .cleave file of a match, whole. It refuses a run's with
// ErrSeats.
func ParseLog(b []byte) (Log, error) {
	r := read(b, MaxMatch)
	if r.form() == seatsRun {
		r.refuse(ErrSeats)
	}
	l := Log{terms: r.sizedTerms()}
	l.termsSigs = [2]Signature{r.signature(), r.signature()}
	count := int(r.uint16())
	// A count that cannot be is refused before room is made for it.
	if r.err == nil && count > len(r.b)/minEntry {
		r.refuse(ErrEntryCount)
	}
	if r.err != nil {
		return Log{}, r.err
	}
	l.entries = make([]Entry, count)
	var made [2]bool
	for i := range l.entries {
		r.entry(&l.entries[i])
		if r.err != nil {
			return Log{}, r.err
		}
		made[l.entries[i].Move.Seat] = true
	}
	l.end = r.byte()
	if r.err == nil && !l.endFits() {
		r.refuse(ErrEnd)
	}
	for seat := range 2 {
		if made[seat] || l.end != endOpen {
			l.last[seat] = r.signature()
		}
	}
	if err := r.end(); err != nil {
		return Log{}, err
	}
	return l, nil
}

// endFits reports whether the entries allow the end: a seal needs an entry
// before it, a draw two resignations, seat 0's first.
func (l *Log) endFits() bool {
	n := len(l.entries)
	switch l.end {
	case endOpen:
		return true
	case endSealed:
		return n > 0
	case endDrawn:
		return n > 1 && l.entries[n-2].Move == engine.Move{Kind: engine.Resign} &&
			l.entries[n-1].Move == engine.Move{Seat: 1, Kind: engine.Resign}
	}
	return false
}

// Terms are what the log was made under.
func (l Log) Terms() Terms { return l.terms }

// drawHead is the final head of a match in which both resigned at one index,
// given the heads that they signed.
func drawHead(seat0, seat1 Head) Head {
	var buf [len(drawDomain) + 2*len(seat0)]byte
	b := append(append(buf[:0], drawDomain...), seat0[:]...)
	return sha256.Sum256(append(b, seat1[:]...))
}
