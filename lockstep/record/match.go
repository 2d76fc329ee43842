package record

import (
	"github.com/cleavegame/cleave/engine"
)

// A Match is the chain of one match as one side holds it, from the signed
// terms to the seal. It is grown entry by entry; what it refuses leaves it as
// it was. It is not for several goroutines at once.
//
// Resignation is settled here (see Apply). A resignation may come at an index
// that is taken already by the other seat: it stands, and the entries from
// there on are dropped, so Len may shrink. Two resignations at one index
// stand both: the match is a draw, and needs no seal.
type Match struct {
	terms   Terms
	id      ID
	sigs    [2]Signature // on the terms
	first   Head
	start   engine.Position
	chain   chain
	entries []SignedEntry // entry n is at n-1; of a draw, seat 0's resignation is the last
	draw    SignedEntry   // of a draw, seat 1's resignation
	drawn   bool
	head    Head
	seal    Seal
	sealed  bool
	size    int // bytes of the log with all its signatures
}

// Begin starts the chain on signed terms. It checks them (Terms.Check) and
// both signatures, but no ticket's (Terms.CheckTickets).
func Begin(t Terms, sigs [2]Signature, games Games) (*Match, error) {
	id, start, err := t.start(games)
	if err != nil {
		return nil, err
	}
	for seat, sig := range sigs {
		if err := t.CheckSignature(seat, sig); err != nil {
			return nil, err
		}
	}
	m := &Match{terms: t, id: id, sigs: sigs, start: start, first: firstHead(id, &sigs)}
	m.rewind(0)
	return m, nil
}

// rewind goes back to the state after entry n and forgets those behind it.
func (m *Match) rewind(n int) {
	m.entries = m.entries[:n]
	m.drawn, m.draw = false, SignedEntry{}
	m.chain = chain{limits: m.terms.Limits, pos: m.start, links: m.terms.Anchors}
	m.head = m.first
	m.size = logSize(len(m.terms.Append(nil)))
	for i := range m.entries {
		e := &m.entries[i].Entry
		if err := m.chain.step(uint32(i+1), e); err != nil {
			panic("record: an entry that stood does not stand: " + err.Error())
		}
		m.grow(e)
	}
}

// grow lets head and size take in an entry.
func (m *Match) grow(e *Entry) {
	m.head = e.after(&m.head)
	m.size += entrySize(e)
}

// entrySize is the length of an entry's encoding in bytes.
func entrySize(e *Entry) int { return 1 + 4 + 2 + payload(e.Move.Kind) + 32 }

// ID is the match id.
func (m *Match) ID() ID { return m.id }

// Terms are those of the match.
func (m *Match) Terms() Terms { return m.terms }

// TermsSignatures are the signatures on the terms, by seat.
func (m *Match) TermsSignatures() [2]Signature { return m.sigs }

// Len is the index of the last entry that stands, 0 before the first. Two
// resignations at one index count once.
func (m *Match) Len() int { return len(m.entries) }

// Head is the head of the chain: of its last entry, of the terms before the
// first, and of a drawn match its own final head.
func (m *Match) Head() Head { return m.head }

// HeadAt is head(n) for 0 <= n <= Len; false otherwise. For a drawn match
// HeadAt(Len) is Head.
func (m *Match) HeadAt(n int) (Head, bool) {
	switch {
	case n < 0 || n > len(m.entries):
		return Head{}, false
	case n == len(m.entries):
		return m.head, true
	}
	return m.entries[n].Prev, true
}

// EntryAt is entry n, signed, for 1 <= n <= Len. It panics otherwise. Where
// two resignations stand it is seat 0's: see Resignations.
func (m *Match) EntryAt(n int) SignedEntry { return m.entries[n-1] }

// Resignations are the two resignations of a drawn match, by seat; false if
// it is none.
func (m *Match) Resignations() ([2]SignedEntry, bool) {
	if !m.drawn {
		return [2]SignedEntry{}, false
	}
	return [2]SignedEntry{m.entries[len(m.entries)-1], m.draw}, true
}

// Position is the engine's state after the last entry. For two resignations
// it is the one before them; ask Over and Outcome of the Match, not of the
// position.
func (m *Match) Position() engine.Position { return m.chain.pos }

// Over reports whether the match is decided.
func (m *Match) Over() bool { return m.Outcome().Over }

// Outcome is the result; two resignations at one index are a draw.
func (m *Match) Outcome() engine.Outcome {
	if m.drawn {
		return drawn(m.chain.pos)
	}
	return m.chain.pos.Outcome()
}

// Reveals is how many layers the seat has revealed: its next reveal is
// Chance.Layer(Reveals+1).
func (m *Match) Reveals(seat int) int { return m.chain.reveals[seat] }

// Next builds the entry at index Len+1 for a move, with its digest and the
// head that its author must sign. It changes nothing. The errors are those of
// Apply.
func (m *Match) Next(move engine.Move, thinkMs uint32, waitMs uint16) (Entry, Head, error) {
	e := Entry{Move: move, ThinkMs: thinkMs, WaitMs: waitMs}
	if m.Over() {
		return Entry{}, Head{}, ErrOver
	}
	next, err := m.chain.check(uint32(m.Len()+1), &move)
	if err != nil {
		return Entry{}, Head{}, err
	}
	if m.size+entrySize(&e) > MaxMatch {
		return Entry{}, Head{}, ErrFull
	}
	e.Digest = next.Digest()
	return e, e.after(&m.head), nil
}

// Sign is Next with the signature on it, ready to be journaled, applied and
// sent, in this order. It changes nothing.
func (m *Match) Sign(move engine.Move, thinkMs uint32, waitMs uint16, sign Signer) (SignedEntry, error) {
	e, head, err := m.Next(move, thinkMs, waitMs)
	if err != nil {
		return SignedEntry{}, err
	}
	index := uint32(m.Len() + 1)
	sig := sign(signed(entryDomain, m.id, index, head))
	return SignedEntry{Match: m.id, Index: index, Prev: m.head, Entry: e, Sig: sig}, nil
}

// Apply adds an entry with every check but that of its signature: for one's
// own entries and one's own journal. Refused, with the Reason that the error
// is or wraps:
//
//	ErrWrongMatch   of another match
//	ErrIndex        *IndexError: entries between are missing
//	ErrHeld         held already; nothing is wrong
//	ErrDropped      a resignation stands at its index or before; nothing is
//	                wrong
//	ErrFork         *ForkError with the proof: its author has signed another
//	                entry or seal that excludes it
//	ErrStaleResign  as ErrFork, but a signature that would prove it does not
//	                hold: a resignation that its author has signed beyond
//	ErrHead         *HeadError: it follows another history than this
//	ErrOver         the match is over
//	ErrAuthor       *AuthorError: the other seat owes it
//	ErrNotAwaited   *AwaitedError: another kind is awaited
//	ErrNoClock      a flag where the terms set no limit
//	ErrLayer        a layer that does not fit the commitment
//	ErrIllegal      *IllegalError with the engine's reason
//	ErrDigest       *DigestError with both digests
//	ErrFull         the match has reached 64 KiB
//
// In a rated match an entry refused with one of the last nine is no entry;
// with ErrLayer, ErrIllegal or ErrDigest it is evidence for a claim.
func (m *Match) Apply(e SignedEntry) error { return m.add(e, false) }

// Accept is Apply for an entry from the peer: it checks the signature too
// (ErrSignature), before anything but match and index is believed.
func (m *Match) Accept(e SignedEntry) error { return m.add(e, true) }

func (m *Match) add(e SignedEntry, check bool) error {
	move := &e.Entry.Move
	over := m.Over()
	switch {
	case e.Match != m.id:
		return ErrWrongMatch
	case e.Index == 0 || e.Index > uint32(m.Len()+1) && !over:
		return &IndexError{Want: uint32(m.Len() + 1), Got: e.Index}
	case m.holds(&e):
		return ErrHeld
	case move.Seat > 1:
		return &AuthorError{Index: e.Index, Want: m.chain.pos.Owes(), Got: int(move.Seat)}
	}
	if check {
		if err := e.Check(m.terms.Keys[move.Seat]); err != nil {
			return err
		}
	}
	if over || e.Index <= uint32(m.Len()) {
		return m.cross(e)
	}
	return m.push(e)
}

// holds reports whether the entry, word for word and with the same signature,
// is part of the chain.
func (m *Match) holds(e *SignedEntry) bool {
	return e.Index <= uint32(m.Len()) && m.entries[e.Index-1] == *e || m.drawn && *e == m.draw
}

// push adds the next entry.
func (m *Match) push(e SignedEntry) error {
	if e.Prev != m.head {
		return &HeadError{Index: e.Index, Want: m.head, Got: e.Prev}
	}
	if encodable(&e.Entry.Move) && m.size+entrySize(&e.Entry) > MaxMatch {
		return ErrFull
	}
	if err := m.chain.step(e.Index, &e.Entry); err != nil {
		return err
	}
	m.entries = append(m.entries, e)
	m.grow(&e.Entry)
	return nil
}

// SealOwner is the seat whose seal is missing; engine.Nobody while the match
// is not over, when it is sealed, and after two resignations at one index.
func (m *Match) SealOwner() int {
	if m.sealed || m.drawn || m.Len() == 0 || !m.Over() {
		return engine.Nobody
	}
	return 1 - int(m.last().Entry.Move.Seat)
}

func (m *Match) last() *SignedEntry { return &m.entries[m.Len()-1] }

// SignSeal makes the seal of SealOwner, to be journaled, applied and sent in
// this order. It changes nothing. It is ErrNotOver when none is wanted.
func (m *Match) SignSeal(sign Signer) (Seal, error) {
	if m.SealOwner() == engine.Nobody {
		return Seal{}, ErrNotOver
	}
	last := m.last()
	index := last.Index + 1
	sig := sign(signed(sealDomain, m.id, index, m.head))
	return Seal{Match: m.id, Index: index, Prev: last.Prev, Last: last.Entry, Sig: sig}, nil
}

// ApplySeal adds a seal with every check but that of its signature. Refused:
// ErrWrongMatch; ErrHeld; *ForkError with the proof when its author has signed
// what excludes it; ErrNotOver for a match that is not over, or drawn;
// *HeadError for a seal of another final entry than the one held.
func (m *Match) ApplySeal(s Seal) error { return m.addSeal(s, false) }

// AcceptSeal is ApplySeal for a seal from the peer: it checks the signature
// too (ErrSealSignature), before anything but the match is believed.
func (m *Match) AcceptSeal(s Seal) error { return m.addSeal(s, true) }

func (m *Match) addSeal(s Seal, check bool) error {
	seat := 1 - int(s.Last.Move.Seat)
	switch {
	case s.Match != m.id:
		return ErrWrongMatch
	case m.sealed && s == m.seal:
		return ErrHeld
	case !encodable(&s.Last.Move):
		return ErrSealSignature
	}
	if check {
		if err := s.Check(m.terms.Keys[seat]); err != nil {
			return err
		}
	}
	if fork := m.conflict(seat, s.statement()); fork != nil {
		return fork
	}
	switch {
	case m.sealed && s.Head() == m.head && s.Index == m.seal.Index:
		return ErrHeld // another signature for the same statement
	case m.Len() == 0 || m.drawn || !m.Over():
		return ErrNotOver
	case s.Index != uint32(m.Len()+1) || s.Prev != m.last().Prev || s.Last != m.last().Entry:
		return &HeadError{Index: s.Index, Want: m.last().Prev, Got: s.Prev}
	}
	m.seal, m.sealed = s, true
	return nil
}

// Sealed reports whether the match is co-signed: over, and sealed or drawn by
// two resignations.
func (m *Match) Sealed() bool { return m.sealed || m.drawn }

// Seal is the seal, false while there is none.
func (m *Match) Seal() (Seal, bool) { return m.seal, m.sealed }

// Log is the record so far, as a .cleave file holds it. Both sides of a
// finished match have the same bytes.
func (m *Match) Log() Log {
	l := Log{terms: m.terms, termsSigs: m.sigs, end: endOpen}
	for i := range m.entries {
		e := &m.entries[i]
		l.entries = append(l.entries, e.Entry)
		l.last[e.Entry.Move.Seat] = e.Sig
	}
	switch {
	case m.drawn:
		l.end = endDrawn
		l.entries = append(l.entries, m.draw.Entry)
		l.last[1] = m.draw.Sig
	case m.sealed:
		l.end = endSealed
		l.last[1-m.last().Entry.Move.Seat] = m.seal.Sig
	}
	return l
}
