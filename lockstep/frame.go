package lockstep

import (
	"encoding/binary"
	"errors"

	"github.com/cleavegame/cleave/lockstep/record"
)

// MaxFrame is the largest frame in bytes.
const MaxFrame = 4096

// headerLen is the length in bytes of what stands before a frame's body.
const headerLen = 19

// maxNumber bounds connection numbers, so that there is always a higher one.
const maxNumber = 1<<63 - 1

// frameVersion is the first byte of every frame. 1: the first.
const frameVersion = 1

// A FrameKind says what a frame's body is.
type FrameKind uint8

// The kinds of frames. Those below 32 are numbered, acknowledged and delivered
// exactly once and in order; the others may be lost.
const (
	FrameHello   FrameKind = 1
	FrameResume  FrameKind = 2
	FrameRoom    FrameKind = 3
	FrameReady   FrameKind = 4
	FrameStart   FrameKind = 5
	FrameAccept  FrameKind = 6
	FrameSign    FrameKind = 7
	FrameRefuse  FrameKind = 8
	FrameTerms   FrameKind = 9
	FrameEntries FrameKind = 10
	FrameSeal    FrameKind = 11
	FrameDesync  FrameKind = 12
	FrameCallOff FrameKind = 13
	FrameEnded   FrameKind = 14
	FrameRematch FrameKind = 15
	FrameBye     FrameKind = 16

	FramePing       FrameKind = 32
	FramePong       FrameKind = 33
	FrameAck        FrameKind = 34
	FramePreview    FrameKind = 35
	FrameChat       FrameKind = 36
	FrameExpression FrameKind = 37
)

var frameNames = map[FrameKind]string{
	FrameHello: "hello", FrameResume: "resume", FrameRoom: "room", FrameReady: "ready",
	FrameStart: "start", FrameAccept: "accept", FrameSign: "sign", FrameRefuse: "refuse",
	FrameTerms: "terms", FrameEntries: "entries", FrameSeal: "seal", FrameDesync: "desync",
	FrameCallOff: "call-off", FrameEnded: "ended", FrameRematch: "rematch", FrameBye: "bye",
	FramePing: "ping", FramePong: "pong", FrameAck: "ack", FramePreview: "preview",
	FrameChat: "chat", FrameExpression: "expression",
}

func (k FrameKind) String() string {
	if n := frameNames[k]; n != "" {
		return n
	}
	return "unknown"
}

// numbered reports whether frames of this kind have a sequence number.
func (k FrameKind) numbered() bool { return k >= FrameHello && k <= FrameBye }

// A header is what stands before a frame's body.
type header struct {
	kind   FrameKind
	heard  bool   // the sender has had frames of the receiver under this number
	number uint64 // connection number
	seq    uint32 // place among the sender's numbered frames from 1, else 0
	ack    uint32 // the receiver's numbered frames 1..ack have arrived
}

// errFrame says that bytes are no frame.
var errFrame = errors.New("lockstep: not a frame")

// append appends the header to b.
func (h header) append(b []byte) []byte {
	var flags byte
	if h.heard {
		flags = 1
	}
	b = append(b, frameVersion, byte(h.kind), flags)
	b = binary.BigEndian.AppendUint64(b, h.number)
	b = binary.BigEndian.AppendUint32(b, h.seq)
	return binary.BigEndian.AppendUint32(b, h.ack)
}

// parseFrame splits a frame. The body aliases b.
func parseFrame(b []byte) (header, []byte, error) {
	if len(b) < headerLen || len(b) > MaxFrame || b[0] != frameVersion || b[2] > 1 {
		return header{}, nil, errFrame
	}
	h := header{
		kind:   FrameKind(b[1]),
		heard:  b[2] == 1,
		number: binary.BigEndian.Uint64(b[3:]),
		seq:    binary.BigEndian.Uint32(b[11:]),
		ack:    binary.BigEndian.Uint32(b[15:]),
	}
	if frameNames[h.kind] == "" || h.kind.numbered() != (h.seq != 0) || h.number == 0 || h.number > maxNumber {
		return header{}, nil, errFrame
	}
	return h, b[headerLen:], nil
}

// A reader takes fixed-size fields off the front of a body. Once something is
// missing or out of range bad is set and everything it returns is zero.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) []byte {
	if r.bad || n > len(r.b) {
		r.bad = true
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) u8() uint8 {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// atMost reads a byte of which no value above limit has a meaning.
func (r *reader) atMost(limit uint8) uint8 {
	v := r.u8()
	if v > limit {
		r.bad = true
		return 0
	}
	return v
}

func (r *reader) flag() bool { return r.atMost(1) == 1 }

func (r *reader) u16() uint16 {
	if b := r.take(2); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

func (r *reader) u32() uint32 {
	if b := r.take(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

// index is that of an entry. No record has as many entries as bytes, and an
// index that a peer makes up fits into an int everywhere.
func (r *reader) index() uint32 {
	n := r.u32()
	if n > record.MaxMatch {
		r.bad = true
		return 0
	}
	return n
}

func (r *reader) u64() uint64 {
	if b := r.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func (r *reader) b16() (v [16]byte) { copy(v[:], r.take(16)); return v }
func (r *reader) b32() (v [32]byte) { copy(v[:], r.take(32)); return v }
func (r *reader) b64() (v [64]byte) { copy(v[:], r.take(64)); return v }

// bytes reads a two-byte length of at most limit, and as many bytes, copied.
func (r *reader) bytes(limit int) []byte {
	n := int(r.u16())
	if n > limit {
		r.bad = true
		return nil
	}
	return append([]byte(nil), r.take(n)...)
}

// str reads a one-byte length of at most limit, and as many bytes.
func (r *reader) str(limit int) string {
	n := int(r.u8())
	if n > limit {
		r.bad = true
		return ""
	}
	return string(r.take(n))
}

// end reports whether everything was there, in range, and nothing is left.
func (r *reader) end() bool { return !r.bad && len(r.b) == 0 }

func appendFlag(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendStr(b []byte, s string) []byte { return append(append(b, byte(len(s))), s...) }

func appendBytes(b, v []byte) []byte {
	return append(binary.BigEndian.AppendUint16(b, uint16(len(v))), v...)
}
