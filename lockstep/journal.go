package lockstep

import (
	"encoding/binary"
	"errors"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

// ErrJournal says that a journal does not read, or does not fit together.
// Nothing may be signed in its match again.
var ErrJournal = errors.New("lockstep: the journal of this match does not hold")

// The kinds of a journal's records. The package comment has their layout.
const (
	recordOffer  = 1 // the host's half, or the guest's with the terms it signed
	recordSigned = 2 // the terms with both signatures
	recordEntry  = 3
	recordHeld   = 4
	recordSeal   = 5
	recordClaim  = 6
	recordEnded  = 7
	recordOpened = 8
	recordFrozen = 9
	recordOff    = 10
)

// journalVersion is in the first record. 1: the first.
const journalVersion = 1

// persist appends a record to the journal of a match.
func (s *Session) persist(j Journal, first bool, b []byte) {
	s.emit(Persist{Journal: j, First: first, Bytes: b})
}

// firstRecord is what the first record of a journal holds.
type firstRecord struct {
	host   bool
	peer   record.Key
	secret [32]byte // of the pairing
	room   Room
	name   string // the peer's
	offer  offer
}

// offerRecord is the first record of the present offer's journal.
func (s *Session) offerRecord() []byte {
	o := &s.offer
	b := []byte{recordOffer, journalVersion}
	b = appendFlag(b, s.cfg.Host)
	b = append(b, s.cfg.Peer[:]...)
	b = append(b, s.cfg.Secret[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(o.wallMs))
	b = append(b, byte(s.room.Clocks))
	b = appendFlag(b, s.room.Friendly)
	b = appendStr(b, s.room.Name)
	b = appendStr(b, s.peer.Name)
	b = append(b, o.secret[:]...)
	b = appendBytes(b, o.start.append(nil))
	if s.cfg.Host {
		return b
	}
	b = appendBytes(b, o.accept.append(nil))
	return appendBytes(b, o.terms.Append(nil))
}

func parseOfferRecord(r *reader) (f firstRecord, ok bool) {
	if r.u8() != journalVersion {
		return f, false
	}
	f.host = r.flag()
	f.peer, f.secret = r.b32(), r.b32()
	f.offer.wallMs = int64(r.u64())
	f.room.Clocks = Clocks(r.atMost(uint8(ClocksOff)))
	f.room.Friendly = r.flag()
	f.room.Name, f.name = r.str(maxRoomLen), r.str(maxNameLen)
	f.offer.secret = r.b32()
	var bad Reason
	if f.offer.start, bad = parseStart(r.bytes(MaxFrame)); bad != 0 {
		return f, false
	}
	f.offer.journal = f.offer.start.half.nonce
	if f.host {
		return f, r.end()
	}
	if f.offer.accept, bad = parseAccept(r.bytes(MaxFrame)); bad != 0 {
		return f, false
	}
	f.offer.journal = f.offer.accept.half.nonce
	var err error
	f.offer.terms, err = record.ParseTerms(r.bytes(MaxFrame))
	return f, err == nil && r.end()
}

func signedRecord(t record.Terms, sigs [2]record.Signature) []byte {
	return termsFrame{sigs, t}.append([]byte{recordSigned})
}

func entryRecord(wallMs int64, e record.SignedEntry) []byte {
	return e.Append(binary.BigEndian.AppendUint64([]byte{recordEntry}, uint64(wallMs)))
}

func heldRecord(d decision) []byte {
	b := []byte{recordHeld, d.move.Seat, byte(d.move.Kind)}
	b = binary.BigEndian.AppendUint64(b, d.move.Data)
	return binary.BigEndian.AppendUint32(b, d.thinkMs)
}

func sealRecord(seal record.Seal) []byte { return seal.Append([]byte{recordSeal}) }

func claimRecord(r ClaimReason) []byte { return []byte{recordClaim, byte(r)} }

func endedRecord(r Result) []byte { return []byte{recordEnded, byte(r.End), byte(r.By + 1)} }

func openedRecord(opened bool) []byte { return appendFlag([]byte{recordOpened}, opened) }

func frozenRecord(index int, entry []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{recordFrozen}, uint32(index)), entry...)
}

func offRecord(m callOff) []byte { return m.append([]byte{recordOff}) }

// journal is what the records of one journal say together.
type journal struct {
	first   firstRecord
	signed  bool
	terms   record.Terms
	sigs    [2]record.Signature
	entries []journalEntry
	held    *decision
	seal    *record.Seal
	claim   ClaimReason // of one's own that stands
	claimed int         // how many of entries were there when it was made
	ended   *Result
	opened  bool
	frozen  int
	// frozenEntry is the entry at which the engines disagreed, where this
	// side has refused it.
	frozenEntry []byte
	off         *callOff
	wallMs      int64 // of the last record that has one
}

// seat is the seat of the side that wrote the journal.
func (j *journal) seat() uint8 {
	if j.first.host {
		return j.first.offer.start.seat
	}
	return 1 - j.first.offer.start.seat
}

type journalEntry struct {
	wallMs int64
	entry  record.SignedEntry
}

func readJournal(records [][]byte) (*journal, error) {
	if len(records) == 0 {
		return nil, ErrJournal
	}
	j := new(journal)
	for i, b := range records {
		r := reader{b: b}
		kind := r.u8()
		if (kind == recordOffer) != (i == 0) || !j.read(kind, &r) {
			return nil, ErrJournal
		}
	}
	return j, nil
}

// read takes the rest of one record.
func (j *journal) read(kind uint8, r *reader) bool {
	if kind != recordOffer && kind != recordSigned && !j.signed && kind != recordEnded {
		return false
	}
	switch kind {
	case recordOffer:
		var ok bool
		j.first, ok = parseOfferRecord(r)
		j.wallMs = j.first.offer.wallMs
		return ok
	case recordSigned:
		t, bad := parseTermsFrame(r.b)
		j.terms, j.sigs, j.signed = t.terms, t.sigs, true
		return bad == 0
	case recordEntry:
		j.wallMs = int64(r.u64())
		e, err := record.ParseSignedEntry(r.b)
		j.entries = append(j.entries, journalEntry{j.wallMs, e})
		if e.Entry.Move.Seat == j.seat() {
			j.held = nil
		}
		if j.off != nil && e.Index > j.off.index {
			j.off = nil
		}
		return err == nil && !r.bad
	case recordHeld:
		d := decision{move: engine.Move{Seat: r.u8(), Kind: engine.Kind(r.u8()), Data: r.u64()}, thinkMs: r.u32()}
		j.held = &d
		return r.end()
	case recordSeal:
		seal, err := record.ParseSeal(r.b)
		j.seal = &seal
		return err == nil
	case recordClaim:
		j.claim, j.claimed = ClaimReason(r.atMost(byte(ClaimOwed))), len(j.entries)
	case recordEnded:
		j.ended = &Result{End: End(r.atMost(byte(Claimed))), By: int(r.atMost(2)) - 1}
	case recordOpened:
		j.opened = r.flag()
	case recordFrozen:
		j.frozen = int(r.index())
		j.frozenEntry = append([]byte(nil), r.b...)
		return !r.bad && j.frozen > 0
	case recordOff:
		m, bad := parseCallOff(r.b)
		j.off = &m
		return bad == 0
	default:
		return false
	}
	return r.end()
}

// Saved is what a journal says about its match, so that the driver can find
// the peer again.
type Saved struct {
	Journal Journal
	Host    bool
	Peer    record.Key
	Name    string   // the peer's, as it said
	Secret  [32]byte // of the pairing
	Signed  bool     // this side has signed the terms, which name the match
	ID      record.ID
	Terms   record.Terms
	WallMs  int64 // of the last thing that happened
	Over    bool  // nothing can come of resuming it: sealed, or ended without
}

// ReadJournal reads the records of a journal without beginning a session. The
// error is ErrJournal.
func ReadJournal(records [][]byte) (Saved, error) {
	j, err := readJournal(records)
	if err != nil {
		return Saved{}, err
	}
	f := &j.first
	v := Saved{Journal: f.offer.journal, Host: f.host, Peer: f.peer, Name: f.name, Secret: f.secret, WallMs: j.wallMs}
	switch {
	case j.signed:
		v.Signed, v.Terms = true, j.terms
	case !f.host:
		v.Signed, v.Terms = true, f.offer.terms
	}
	if v.Signed {
		v.ID = v.Terms.ID()
	}
	v.Over = j.ended != nil || j.seal != nil || j.drawn()
	return v, nil
}

// drawn reports whether both seats have resigned at one index, which needs no
// seal.
func (j *journal) drawn() bool {
	n := len(j.entries)
	if n < 2 {
		return false
	}
	a, b := j.entries[n-2].entry, j.entries[n-1].entry
	return a.Index == b.Index && a.Entry.Move.Kind == engine.Resign && b.Entry.Move.Kind == engine.Resign
}
