package lockstep

import (
	"encoding/binary"

	"github.com/cleavegame/cleave/lockstep/record"
)

// The bodies of frames of a running match and of its end.

func appendEntries(b []byte, entries []record.SignedEntry) []byte {
	b = append(b, byte(len(entries)))
	for _, e := range entries {
		b = appendBytes(b, e.Append(nil))
	}
	return b
}

func parseEntries(b []byte) ([]record.SignedEntry, Reason) {
	r := reader{b: b}
	n := r.atMost(maxEntries)
	var entries []record.SignedEntry
	for range n {
		raw := r.take(int(r.u16()))
		if r.bad {
			return nil, BadFrame
		}
		e, err := record.ParseSignedEntry(raw)
		if err != nil {
			return nil, badParse(err)
		}
		entries = append(entries, e)
	}
	if !r.end() || n == 0 {
		return nil, BadFrame
	}
	return entries, 0
}

type desyncFrame struct {
	id          record.ID
	index       uint32 // of the entry about which the engines disagree
	part, parts uint8  // part counts from 0
	data        []byte // of the half of a bundle
}

func (m desyncFrame) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(append(b, m.id[:]...), m.index)
	b = append(b, m.part, m.parts)
	return appendBytes(b, m.data)
}

func parseDesync(b []byte) (desyncFrame, Reason) {
	r := reader{b: b}
	m := desyncFrame{id: r.b32(), index: r.index(), part: r.u8(), parts: r.atMost(maxParts), data: r.bytes(maxPartLen)}
	if !r.end() || m.part >= m.parts || m.index == 0 {
		return desyncFrame{}, BadFrame
	}
	return m, 0
}

type callOff struct {
	id    record.ID
	index uint32 // of the last entry
	head  record.Head
	sig   record.Signature
}

// message is what a call-off signs.
func (m callOff) message() []byte { return record.CallOffMessage(m.id, m.index, m.head) }

func (m callOff) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(append(b, m.id[:]...), m.index)
	return append(append(b, m.head[:]...), m.sig[:]...)
}

func parseCallOff(b []byte) (callOff, Reason) {
	r := reader{b: b}
	m := callOff{id: r.b32(), index: r.index(), head: r.b32(), sig: r.b64()}
	if !r.end() {
		return callOff{}, BadFrame
	}
	return m, 0
}

type ended struct {
	id    record.ID
	index uint32 // of the last entry
	head  record.Head
	end   End
}

func (m ended) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(append(b, m.id[:]...), m.index)
	return append(append(b, m.head[:]...), byte(m.end))
}

func parseEnded(b []byte) (ended, Reason) {
	r := reader{b: b}
	m := ended{id: r.b32(), index: r.index(), head: r.b32(), end: End(r.u8())}
	if !r.end() || m.end != Abandoned && m.end != NotBegun {
		return ended{}, BadFrame
	}
	return m, 0
}

type rematch struct {
	last record.ID // the match that was played
	want bool
}

func (m rematch) append(b []byte) []byte {
	return appendFlag(append(b, m.last[:]...), m.want)
}

func parseRematch(b []byte) (rematch, Reason) {
	r := reader{b: b}
	m := rematch{last: r.b32(), want: r.flag()}
	if !r.end() {
		return rematch{}, BadFrame
	}
	return m, 0
}

func parseBye(b []byte) (answer bool, bad Reason) {
	r := reader{b: b}
	answer = r.flag()
	if !r.end() {
		return false, BadFrame
	}
	return answer, 0
}

type preview struct {
	id    record.ID
	index uint32
	data  []byte
}

func (m preview) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(append(b, m.id[:]...), m.index)
	return appendBytes(b, m.data)
}

func parsePreview(b []byte) (preview, Reason) {
	r := reader{b: b}
	m := preview{id: r.b32(), index: r.index(), data: r.bytes(maxPreview)}
	if !r.end() {
		return preview{}, BadFrame
	}
	return m, 0
}
