package lockstep

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"github.com/cleavegame/cleave/lockstep/record"
)

// The bodies of frames; those of a running match are in matchmessage.go. Each
// has append, and a parser that refuses whatever append does not write; the
// reason is 0 when it reads. The package comment has the layout.

// Limits of what frames hold, in bytes or pieces.
const (
	maxNameLen   = 160
	maxClientLen = 64
	maxRoomLen   = 60
	maxRules     = 8
	maxRulesLen  = 32
	maxTickets   = 4
	ticketLen    = 160
	maxEntries   = 16
	maxPartLen   = 3500
	maxParts     = 16
	maxPreview   = 64
	maxChat      = 280
)

type hello struct {
	oldest, newest uint8 // versions of the protocol
	key            record.Key
	caps           uint32
	name, client   string
	rules          []string
	tickets        []record.Ticket
}

func (m hello) append(b []byte) []byte {
	b = append(b, m.oldest, m.newest)
	b = append(b, m.key[:]...)
	b = binary.BigEndian.AppendUint32(b, m.caps)
	b = appendStr(b, m.name)
	b = appendStr(b, m.client)
	b = append(b, byte(len(m.rules)))
	for _, r := range m.rules {
		b = appendStr(b, r)
	}
	b = append(b, byte(len(m.tickets)))
	for _, t := range m.tickets {
		b = t.Append(b)
	}
	return b
}

func parseHello(b []byte) (hello, Reason) {
	r := reader{b: b}
	var m hello
	m.oldest, m.newest = r.u8(), r.u8()
	key := r.b32()
	m.caps = r.u32()
	m.name = r.str(maxNameLen)
	m.client = r.str(maxClientLen)
	for range r.atMost(maxRules) {
		m.rules = append(m.rules, r.str(maxRulesLen))
	}
	n := r.atMost(maxTickets)
	if r.bad || len(r.b) != int(n)*ticketLen || m.oldest == 0 || m.oldest > m.newest {
		return hello{}, BadFrame
	}
	var err error
	if m.key, err = record.ParseKey(key[:]); err != nil {
		return hello{}, BadKey
	}
	for range n {
		t, err := record.ParseTicket(r.take(ticketLen))
		if err != nil {
			return hello{}, badParse(err)
		}
		m.tickets = append(m.tickets, t)
	}
	if !ValidName(m.name) || !printable(m.client) {
		return hello{}, BadName
	}
	return m, 0
}

// badParse is the reason for what a parser of record refused.
func badParse(err error) Reason {
	if errors.Is(err, record.ErrKeySmallOrder) || errors.Is(err, record.ErrKeyForm) {
		return BadKey
	}
	return BadFrame
}

// Where a side stands, as its RESUME says.
const (
	standsLobby    = 0 // no match; ref is zero
	standsOffered  = 1 // ref is the host's anchor
	standsAccepted = 2 // ref is the match id; the host's signature is missing
	standsMatch    = 3 // ref is the match id
)

type resume struct {
	stands uint8
	ref    [32]byte
	index  uint32      // of the last entry held
	head   record.Head // of the chain there
	yours  uint32      // index of the last entry held that the receiver signed
}

func (m resume) append(b []byte) []byte {
	b = append(b, m.stands)
	b = append(b, m.ref[:]...)
	b = binary.BigEndian.AppendUint32(b, m.index)
	b = append(b, m.head[:]...)
	return binary.BigEndian.AppendUint32(b, m.yours)
}

func parseResume(b []byte) (resume, Reason) {
	r := reader{b: b}
	m := resume{stands: r.atMost(standsMatch), ref: r.b32(), index: r.index(), head: r.b32(), yours: r.index()}
	if !r.end() || m.yours > m.index || m.stands != standsMatch && m.index != 0 {
		return resume{}, BadFrame
	}
	return m, 0
}

type roomFrame struct {
	rev  uint32
	room Room
	why  uint16 // what the host's side says, a bit for each Reason
}

func (m roomFrame) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, m.rev)
	b = append(b, byte(m.room.Clocks))
	b = appendFlag(b, m.room.Friendly)
	b = appendStr(b, m.room.Name)
	return binary.BigEndian.AppendUint16(b, m.why)
}

func parseRoom(b []byte) (roomFrame, Reason) {
	r := reader{b: b}
	m := roomFrame{rev: r.u32()}
	m.room.Clocks = Clocks(r.atMost(uint8(ClocksOff)))
	m.room.Friendly = r.flag()
	m.room.Name = r.str(maxRoomLen)
	m.why = r.u16()
	if !r.end() {
		return roomFrame{}, BadFrame
	}
	if !printable(m.room.Name) {
		return roomFrame{}, BadName
	}
	return m, 0
}

type readyFrame struct {
	rev   uint32
	ready bool
	why   uint16
}

func (m readyFrame) append(b []byte) []byte {
	b = appendFlag(binary.BigEndian.AppendUint32(b, m.rev), m.ready)
	return binary.BigEndian.AppendUint16(b, m.why)
}

func parseReady(b []byte) (readyFrame, Reason) {
	r := reader{b: b}
	m := readyFrame{rev: r.u32(), ready: r.flag(), why: r.u16()}
	if !r.end() {
		return readyFrame{}, BadFrame
	}
	return m, 0
}

// half is one side's share of the terms.
type half struct {
	anchor [32]byte
	nonce  [16]byte
	ticket record.Ticket // when rated
}

func (m half) append(b []byte, rated bool) []byte {
	b = append(b, m.anchor[:]...)
	b = append(b, m.nonce[:]...)
	if rated {
		b = m.ticket.Append(b)
	}
	return b
}

func (r *reader) half(rated bool) (m half, err error) {
	m.anchor, m.nonce = r.b32(), r.b16()
	if !rated {
		return m, nil
	}
	if b := r.take(ticketLen); b != nil {
		m.ticket, err = record.ParseTicket(b)
	}
	return m, err
}

type start struct {
	rev    uint32
	seat   uint8 // the host's
	rated  bool
	server record.Key // when rated
	half   half       // the host's
}

func (m start) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, m.rev)
	b = append(b, m.seat)
	b = appendFlag(b, m.rated)
	if m.rated {
		b = append(b, m.server[:]...)
	}
	return m.half.append(b, m.rated)
}

// digest names a START in its answers.
func (m start) digest() [32]byte {
	return sha256.Sum256(m.append([]byte("cleave/start/1")))
}

func parseStart(b []byte) (start, Reason) {
	r := reader{b: b}
	m := start{rev: r.u32(), seat: r.atMost(1), rated: r.flag()}
	var err error
	if m.rated {
		key := r.b32()
		if m.server, err = record.ParseKey(key[:]); err != nil && !r.bad {
			return start{}, BadKey
		}
	}
	m.half, err = r.half(m.rated)
	switch {
	case !r.end():
		return start{}, BadFrame
	case err != nil:
		return start{}, badParse(err)
	}
	return m, 0
}

type accept struct {
	start [32]byte // digest of the START it answers
	rated bool
	half  half             // the guest's
	sig   record.Signature // the guest's, of the terms
}

func (m accept) append(b []byte) []byte {
	b = appendFlag(append(b, m.start[:]...), m.rated)
	b = m.half.append(b, m.rated)
	return append(b, m.sig[:]...)
}

func parseAccept(b []byte) (accept, Reason) {
	r := reader{b: b}
	m := accept{start: r.b32(), rated: r.flag()}
	var err error
	m.half, err = r.half(m.rated)
	m.sig = r.b64()
	switch {
	case !r.end():
		return accept{}, BadFrame
	case err != nil:
		return accept{}, badParse(err)
	}
	return m, 0
}

type sign struct {
	id  record.ID
	sig record.Signature // the host's, of the terms
}

func (m sign) append(b []byte) []byte { return append(append(b, m.id[:]...), m.sig[:]...) }

func parseSign(b []byte) (sign, Reason) {
	r := reader{b: b}
	m := sign{id: r.b32(), sig: r.b64()}
	if !r.end() {
		return sign{}, BadFrame
	}
	return m, 0
}

type refuseFrame struct {
	start  [32]byte // digest of the START that is refused
	reason Reason
}

func (m refuseFrame) append(b []byte) []byte { return append(append(b, m.start[:]...), byte(m.reason)) }

func parseRefuse(b []byte) (refuseFrame, Reason) {
	r := reader{b: b}
	m := refuseFrame{start: r.b32(), reason: Reason(r.u8())}
	if !r.end() {
		return refuseFrame{}, BadFrame
	}
	return m, 0
}

type termsFrame struct {
	sigs  [2]record.Signature // by seat
	terms record.Terms
}

func (m termsFrame) append(b []byte) []byte {
	return m.terms.Append(append(append(b, m.sigs[0][:]...), m.sigs[1][:]...))
}

func parseTermsFrame(b []byte) (termsFrame, Reason) {
	r := reader{b: b}
	m := termsFrame{sigs: [2]record.Signature{r.b64(), r.b64()}}
	if r.bad {
		return termsFrame{}, BadFrame
	}
	var err error
	if m.terms, err = record.ParseTerms(r.b); err != nil {
		return termsFrame{}, badParse(err)
	}
	return m, 0
}
