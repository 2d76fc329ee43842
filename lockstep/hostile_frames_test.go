package lockstep

import (
	"strconv"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

// What a hostile side sends: any frame, right or nearly so, signed or not.

func (h *hostile) pick(n int) bool { return h.r.IntN(n) == 0 }

func (h *hostile) bytes32() (b [32]byte) {
	for i := range b {
		b[i] = byte(h.r.Uint32())
	}
	return b
}

// id is the match's, or another that there was, or none.
func (h *hostile) id() record.ID {
	if m := h.s[h.honest].match; m != nil && !h.pick(6) {
		return m.id
	}
	if len(h.ids) > 0 && !h.pick(4) {
		return h.ids[h.r.IntN(len(h.ids))]
	}
	return record.ID(h.bytes32())
}

// index is at the edges of what the match holds.
func (h *hostile) index() uint32 {
	n := 0
	if m := h.s[h.honest].match; m != nil {
		n = m.chain.Len()
	}
	switch h.r.IntN(6) {
	case 0:
		return h.r.Uint32()
	case 1:
		return 0
	}
	return uint32(max(0, n+h.r.IntN(5)-3))
}

func (h *hostile) head() record.Head {
	if m := h.s[h.honest].match; m != nil && !h.pick(4) {
		if head, ok := m.chain.HeadAt(h.r.IntN(m.chain.Len() + 1)); ok {
			return head
		}
	}
	return record.Head(h.bytes32())
}

// entry is one that the hostile key signs, of the right shape or nearly so.
func (h *hostile) entry() (e record.SignedEntry, ok bool) {
	foe := 1 - h.honest
	if len(h.entries) > 0 && h.pick(3) {
		return h.entries[h.r.IntN(len(h.entries))], true
	}
	if h.s[foe].match == nil || h.s[foe].match.chain.Over() {
		return e, false
	}
	defer func() { // there are moves that no entry can hold
		if recover() != nil {
			ok = false
		}
	}()
	e = h.pair.signed(foe, func(e *record.SignedEntry) {
		switch h.r.IntN(10) {
		case 0:
			e.Index = h.index()
		case 1:
			e.Prev = h.head()
		case 2:
			e.Entry.Move = engine.Move{Seat: e.Entry.Move.Seat, Kind: engine.Resign}
			e.Entry.Digest = resignDigest(h.s[foe].match.chain.Position(), e.Entry.Move)
		case 3:
			e.Entry.Digest[0] ^= 1
		case 4:
			e.Entry.Move.Data = h.r.Uint64()
		case 5:
			e.Entry.Move.Kind = engine.Flag
		case 6:
			e.Match = h.id()
		case 7:
			if m := h.s[foe].match; m.chain.Len() > 0 {
				at := 1 + h.r.IntN(m.chain.Len())
				e.Index, e.Prev = uint32(at), m.chain.EntryAt(at).Prev
				e.Entry.Move = engine.Move{Seat: e.Entry.Move.Seat, Kind: engine.Resign}
				e.Entry.Digest = resignDigest(m.positions[at-1], e.Entry.Move)
			}
		}
	})
	h.entries = append(h.entries, e)
	return e, true
}

func resignDigest(pos engine.Position, m engine.Move) (d [32]byte) {
	if next, err := pos.Apply(m); err == nil {
		d = next.Digest()
	}
	return d
}

// body is that of a frame of any kind.
func (h *hostile) body() (FrameKind, []byte) {
	foe := 1 - h.honest
	them := h.s[foe]
	switch h.r.IntN(24) {
	case 0:
		return FrameHello, helloBody(h.pair, foe, func(m *hello) {
			m.name = "Eve" + strconv.Itoa(h.r.IntN(3))
			switch h.r.IntN(6) {
			case 0:
				m.key = h.key[h.honest]
			case 1:
				m.oldest, m.newest = 2, 2
			case 2:
				m.rules = nil
			}
			if h.pick(2) {
				m.tickets = h.cfg[foe].Tickets[:min(1, len(h.cfg[foe].Tickets))]
			}
		})
	case 1, 2:
		m := resume{stands: uint8(h.r.IntN(4)), ref: h.id(), index: h.index(), head: h.head()}
		if h.pick(3) && h.s[h.honest].phase != phaseLobby {
			m.ref = h.s[h.honest].offer.start.half.anchor
		}
		if m.stands != standsMatch {
			m.index = 0
		}
		m.yours = min(h.index(), m.index)
		return FrameResume, m.append(nil)
	case 3:
		return FrameRoom, roomFrame{rev: h.s[h.honest].rev + uint32(h.r.IntN(2)), room: Room{Clocks: Clocks(h.r.IntN(3)), Friendly: h.pick(2)}, why: uint16(h.r.Uint32())}.append(nil)
	case 4, 5:
		return FrameReady, readyFrame{rev: h.s[h.honest].rev, ready: !h.pick(4), why: uint16(h.r.IntN(3))}.append(nil)
	case 6:
		return FrameStart, start{rev: h.s[h.honest].rev, seat: uint8(h.r.IntN(2)), half: half{anchor: h.bytes32(), nonce: [16]byte{byte(h.r.Uint32())}}}.append(nil)
	case 7:
		o := h.s[h.honest].offer
		o.accept = accept{start: o.start.digest(), rated: o.start.rated, half: half{anchor: h.bytes32(), nonce: [16]byte{byte(h.r.Uint32()), 1}}}
		if h.cfg[h.honest].Host && !h.pick(3) {
			o.terms = h.s[h.honest].termsOf(o)
			o.accept.sig = o.terms.Sign(h.cfg[foe].Sign)
		}
		return FrameAccept, o.accept.append(nil)
	case 8:
		m := sign{id: h.id()}
		if o := h.s[h.honest].offer; h.s[h.honest].phase == phaseAccepted {
			m.id = o.terms.ID()
			if h.pick(2) {
				m.sig = o.terms.Sign(h.cfg[foe].Sign)
			}
		}
		return FrameSign, m.append(nil)
	case 9:
		return FrameRefuse, refuseFrame{start: h.s[h.honest].offer.start.digest(), reason: Reason(h.r.Uint32())}.append(nil)
	case 10:
		if m := them.match; m != nil {
			return FrameTerms, termsFrame{m.sigs, m.terms}.append(nil)
		}
	case 11, 12, 13, 14:
		var list []record.SignedEntry
		for range 1 + h.r.IntN(3) {
			if e, ok := h.entry(); ok {
				list = append(list, e)
			}
		}
		if len(list) > 0 {
			return FrameEntries, appendEntries(nil, list)
		}
	case 15:
		if m := them.match; m != nil && m.chain.Len() > 0 {
			last := m.chain.EntryAt(m.chain.Len())
			s := record.Seal{Match: m.id, Index: last.Index + 1, Prev: last.Prev, Last: last.Entry}
			if h.pick(3) {
				s.Index = h.index()
			}
			return FrameSeal, h.sealed(foe, s).Append(nil)
		}
	case 16:
		d := desyncFrame{id: h.id(), index: max(1, h.index()), parts: uint8(1 + h.r.IntN(3)), data: Half{Client: "x"}.append(nil)}
		d.part = uint8(h.r.IntN(int(d.parts)))
		return FrameDesync, d.append(nil)
	case 17:
		c := callOff{id: h.id(), index: h.index(), head: h.head()}
		if m := h.s[h.honest].match; m != nil && h.pick(2) {
			c = callOff{id: m.id, index: uint32(m.chain.Len()), head: m.chain.Head()}
		}
		c.sig = h.cfg[foe].Sign(c.message())
		return FrameCallOff, c.append(nil)
	case 18:
		return FrameEnded, ended{h.id(), h.index(), h.head(), []End{Abandoned, NotBegun}[h.r.IntN(2)]}.append(nil)
	case 19, 20:
		return FrameRematch, rematch{h.id(), !h.pick(4)}.append(nil)
	case 21:
		if h.pick(40) {
			return FrameBye, appendFlag(nil, h.pick(2))
		}
	case 22:
		if h.pick(2) {
			return FrameChat, chatBody(h.pair, func(c *ChatLine) { c.Match = h.id() })
		}
		return FramePreview, preview{h.id(), h.index(), []byte("x")}.append(nil)
	}
	return FramePing, []byte{1, 2, 3, 4}
}

// strike sends the honest side one frame of the hostile one's making.
func (h *hostile) strike() {
	kind, body := h.body()
	l := &h.s[1-h.honest].link
	head := header{kind: kind, heard: !h.pick(8), number: l.number, ack: l.next - 1}
	if l.number == 0 || !l.up {
		return
	}
	if kind.numbered() {
		l.sent++
		head.seq = l.sent
	}
	switch h.r.IntN(30) {
	case 0:
		head.ack = h.r.Uint32()
	case 1:
		head.number += uint64(h.r.IntN(3))
		head.seq = min(head.seq, 1)
	case 2:
		head.ack = 0
	}
	frame := append(head.append(nil), body...)
	switch h.r.IntN(40) {
	case 0:
		frame[h.r.IntN(len(frame))] ^= byte(h.r.Uint32())
	case 1:
		frame = frame[:h.r.IntN(len(frame))]
	case 2:
		frame = append(frame, 0)
	}
	h.frames = append(h.frames, frame)
	if h.pick(10) {
		frame = h.frames[h.r.IntN(len(h.frames))]
	}
	h.hear(frame)
}
