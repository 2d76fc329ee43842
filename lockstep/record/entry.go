package record

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/cleavegame/cleave/engine"
)

const (
	headDomain  = "cleave/head/1"  // of head(0)
	stepDomain  = "cleave/step/1"  // of every later head
	entryDomain = "cleave/entry/1" // of the signature on an entry
	sealDomain  = "cleave/seal/1"  // of the signature on the final head
	drawDomain  = "cleave/draw/1"  // of the final head after two resignations

	// maxEntry is the longest encoding of an entry, that of a reveal. With
	// domain and head before it an entry is hashed in two blocks of SHA-256.
	maxEntry = 1 + 4 + 2 + 32 + 32
	minEntry = 1 + 4 + 2 + 32 // that of a flag
)

// An Entry is one step of a match. Its author is Move.Seat. Entries compare
// with ==.
type Entry struct {
	Move    engine.Move
	ThinkMs uint32   // the author's thinking time
	WaitMs  uint16   // ms the author waited for the entry before, less the round trip; 65,535 for that and more
	Digest  [32]byte // of the engine's whole state after the move
}

// payload is how many bytes a move of the kind takes in an entry, -1 for a
// kind that a match does not have.
func payload(kind engine.Kind) int {
	switch kind {
	case engine.Reveal:
		return 32
	case engine.Split:
		return 2
	case engine.Choose:
		return 1
	case engine.Place:
		return 8
	case engine.Flag, engine.Resign:
		return 0
	}
	return -1
}

// encodable reports whether an entry can hold the move.
func encodable(m *engine.Move) bool {
	n := payload(m.Kind)
	if n < 0 || m.Seat > 1 {
		return false
	}
	if m.Kind == engine.Reveal {
		return m.Data == 0
	}
	return m.Layer == [32]byte{} && (n == 8 || m.Data>>(8*n) == 0)
}

func (e *Entry) append(b []byte) []byte {
	if !encodable(&e.Move) {
		panic("record: a move that no entry can hold")
	}
	b = append(b, e.Move.Seat<<7|byte(e.Move.Kind))
	b = binary.BigEndian.AppendUint32(b, e.ThinkMs)
	b = binary.BigEndian.AppendUint16(b, e.WaitMs)
	switch e.Move.Kind {
	case engine.Reveal:
		b = append(b, e.Move.Layer[:]...)
	case engine.Split:
		b = binary.BigEndian.AppendUint16(b, uint16(e.Move.Data))
	case engine.Choose:
		b = append(b, byte(e.Move.Data))
	case engine.Place:
		b = binary.BigEndian.AppendUint64(b, e.Move.Data)
	}
	return append(b, e.Digest[:]...)
}

// entry reads an entry into e, which is zero.
func (r *reader) entry(e *Entry) {
	first := r.byte()
	if r.err != nil {
		return
	}
	e.Move.Seat = first >> 7
	e.Move.Kind = engine.Kind(first & 0x7f)
	n := payload(e.Move.Kind)
	if n < 0 {
		r.refuse(ErrKind)
		return
	}
	rest := r.take(minEntry - 1 + n)
	if rest == nil {
		return
	}
	e.ThinkMs = binary.BigEndian.Uint32(rest)
	e.WaitMs = binary.BigEndian.Uint16(rest[4:])
	switch data := rest[6 : 6+n]; e.Move.Kind {
	case engine.Reveal:
		e.Move.Layer = [32]byte(data)
	case engine.Split:
		e.Move.Data = uint64(binary.BigEndian.Uint16(data))
	case engine.Choose:
		e.Move.Data = uint64(data[0])
	case engine.Place:
		e.Move.Data = binary.BigEndian.Uint64(data)
	}
	e.Digest = [32]byte(rest[6+n:])
}

// firstHead is head(0). It covers both signatures on the terms, so that those
// on later heads do.
func firstHead(id ID, sigs *[2]Signature) Head {
	var buf [len(headDomain) + len(id) + 2*len(Signature{})]byte
	b := append(append(buf[:0], headDomain...), id[:]...)
	b = append(append(b, sigs[0][:]...), sigs[1][:]...)
	return sha256.Sum256(b)
}

// after is the head of the chain prev with e behind it.
func (e *Entry) after(prev *Head) Head {
	var buf [len(stepDomain) + len(prev) + maxEntry]byte
	b := append(append(buf[:0], stepDomain...), prev[:]...)
	return sha256.Sum256(e.append(b))
}

// signed is the message that a signature of the domain on a head covers.
func signed(domain string, match ID, index uint32, head Head) []byte {
	b := make([]byte, 0, 96)
	b = append(append(b, domain...), match[:]...)
	b = binary.BigEndian.AppendUint32(b, index)
	return append(b, head[:]...)
}

// A SignedEntry is an entry with all that is needed to check, by itself, that
// its author signed it: it is what travels, what is journaled, and half of a
// proof of fraud. They compare with ==.
type SignedEntry struct {
	Match ID
	Index uint32 // the first entry has index 1
	Prev  Head   // head(Index-1)
	Entry Entry
	Sig   Signature // of "cleave/entry/1" || Match || Index || Head()
}

// Head is head(Index): SHA-256("cleave/step/1" || Prev || entry). It panics,
// as Append does, on a move that no entry can hold; a parsed one has none.
func (e SignedEntry) Head() Head { return e.Entry.after(&e.Prev) }

// Append appends the encoding, at most MaxObject bytes, to b.
func (e SignedEntry) Append(b []byte) []byte {
	return e.statement().append(append(b, e.Match[:]...))
}

// ParseSignedEntry reads the bytes of one signed entry, whole. The signature
// is not checked: see Check and Match.Accept.
func ParseSignedEntry(b []byte) (SignedEntry, error) {
	r := read(b, MaxObject)
	match := ID(r.hash())
	s := r.statement(false)
	if err := r.end(); err != nil {
		return SignedEntry{}, err
	}
	return SignedEntry{Match: match, Index: s.Index, Prev: s.Prev, Entry: s.Entry, Sig: s.Sig}, nil
}

// Check is ErrSignature unless key signed the entry.
func (e SignedEntry) Check(key Key) error { return e.statement().check(e.Match, key) }

func (e SignedEntry) statement() Statement {
	return Statement{Index: e.Index, Prev: e.Prev, Entry: e.Entry, Sig: e.Sig}
}
