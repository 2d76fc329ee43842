package lockstep

import (
	"encoding/binary"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep/record"
)

// smallOrder is a public key under which anybody can sign.
var smallOrder = record.Key{0: 1}

// TestLyingPeer has a peer with a true key send what no honest one sends. Side
// 0 is the honest host, side 1 the liar, unless the row says otherwise.
func TestLyingPeer(t *testing.T) {
	other := record.ID{1, 2, 3}
	rows := []struct {
		name string
		at   func(p *pair) // where it happens
		to   int           // who is lied to
		kind FrameKind
		body func(p *pair) []byte
		want string
	}{
		// HELLO
		{"hello with a small-order key", (*pair).connect, 0, FrameHello, func(p *pair) []byte {
			return helloBody(p, 1, func(m *hello) { m.key = smallOrder })
		}, "Bad(hello: key is not valid)"},
		{"hello with a key in a second spelling", (*pair).connect, 0, FrameHello, func(p *pair) []byte {
			return helloBody(p, 1, func(m *hello) {
				m.key = record.Key{0: 0xee}
				for i := 1; i < 32; i++ {
					m.key[i] = 0xff
				}
				m.key[31] = 0x7f
			})
		}, "Bad(hello: key is not valid)"},
		{"hello with another key than proved", (*pair).connect, 0, FrameHello, func(p *pair) []byte {
			return helloBody(p, 1, func(m *hello) { m.key = p.key[0] })
		}, "Refused(the other side says another key than it proved; leave, and meet again) Bad(hello: the other side says another key than it proved; leave, and meet again)"},
		{"hello with a name that hides", (*pair).connect, 0, FrameHello, func(p *pair) []byte {
			return helloBody(p, 1, func(m *hello) { m.name = "Ann\u202e" })
		}, "Bad(hello: the name is empty, too long, or has characters that do not show)"},
		{"hello with a name of 25", (*pair).connect, 0, FrameHello, func(p *pair) []byte {
			return helloBody(p, 1, func(m *hello) { m.name = "abcdefghijklmnopqrstuvwxy" })
		}, "Bad(hello: the name is empty, too long, or has characters that do not show)"},
		{"hello of a newer protocol only", (*pair).connect, 0, FrameHello, func(p *pair) []byte {
			return helloBody(p, 1, func(m *hello) { m.oldest, m.newest = 2, 3 })
		}, "Refused(your version is too old for this game; update Cleave)"},
		{"hello without the ruleset", (*pair).connect, 0, FrameHello, func(p *pair) []byte {
			return helloBody(p, 1, func(m *hello) { m.rules = []string{"duel/2"} })
		}, "Refused(the other player's program does not know this game; ask them to update it)"},
		{"hello with a ticket whose player key is small", (*pair).connect, 0, FrameHello, func(p *pair) []byte {
			return helloBody(p, 1, func(m *hello) {
				m.tickets = []record.Ticket{{Player: smallOrder, Server: p.key[0], Issued: 1, Expires: 2}}
			})
		}, "Bad(hello: key is not valid)"},

		// Frames of the wrong side or at the wrong time
		{"a guest that sets the room", (*pair).connect, 0, FrameRoom, func(p *pair) []byte {
			return roomFrame{rev: 9}.append(nil)
		}, "Bad(room: frame out of place)"},
		{"a guest that starts", (*pair).connect, 0, FrameStart, func(p *pair) []byte {
			return start{}.append(nil)
		}, "Bad(start: frame out of place)"},
		{"a host that accepts", (*pair).connect, 1, FrameAccept, func(p *pair) []byte {
			return accept{}.append(nil)
		}, "Bad(accept: frame out of place)"},
		{"a signature without an answer", (*pair).connect, 1, FrameSign, func(p *pair) []byte {
			return sign{}.append(nil)
		}, "Bad(sign: frame out of place)"},
		{"terms that were never offered", (*pair).connect, 0, FrameTerms, func(p *pair) []byte {
			q := newPair(p.t, nil).begin()
			return termsFrame{q.s[0].match.sigs, q.s[0].match.terms}.append(nil)
		}, "Bad(terms: frame out of place)"},
		{"terms with a small-order key", (*pair).connect, 0, FrameTerms, func(p *pair) []byte {
			q := newPair(p.t, nil).begin()
			terms := q.s[0].match.terms
			terms.Keys[1] = smallOrder
			return termsFrame{q.s[0].match.sigs, terms}.append(nil)
		}, "Bad(terms: key is not valid)"},
		{"entries without a match", (*pair).connect, 0, FrameEntries, func(p *pair) []byte {
			q := newPair(p.t, nil).begin()
			return entriesBody(q.s[0].match.chain.EntryAt(1))
		}, "Bad(entries: of another match)"},

		// START and its answers
		{"a start for a room that changed", ready, 1, FrameStart, startBody(func(m *start) { m.rev++ }),
			"Refused(both players must be ready first) RoomChanged"},
		{"a start with the seats the other way round", ready, 1, FrameStart, startBody(func(m *start) { m.seat = 1 }),
			"Refused(the two programs do not agree on the terms of the match; update both) RoomChanged"},
		{"a start that says rated", ready, 1, FrameStart, startBody(func(m *start) {
			m.rated, m.server = true, record.Key{9}
			m.half.ticket = record.Ticket{Player: record.Key{9}, Server: record.Key{9}, Issued: 1, Expires: 2}
		}), "Refused(whether the match counts has changed; look again, then start) RoomChanged"},
		{"an answer with the host's own anchor", offered, 0, FrameAccept, acceptBody(func(p *pair, m *accept) {
			m.half.anchor = p.s[0].offer.start.half.anchor
		}), "Void Refused(the two programs do not agree on the terms of the match; update both) RoomChanged"},
		{"an answer with the host's own nonce", offered, 0, FrameAccept, acceptBody(func(p *pair, m *accept) {
			m.half.nonce = p.s[0].offer.start.half.nonce
		}), "Void Refused(the two programs do not agree on the terms of the match; update both) RoomChanged"},
		{"an answer with another nonce than signed", offered, 0, FrameAccept, acceptBodySigned(func(p *pair, m *accept) {
			m.half.nonce[0] ^= 1
		}), "Bad(accept: signature does not match) Void Refused(the two programs do not agree on the terms of the match; update both) RoomChanged"},
		{"an answer with a bad signature", offered, 0, FrameAccept, acceptBodySigned(func(p *pair, m *accept) {
			m.sig[0] ^= 1
		}), "Bad(accept: signature does not match) Void Refused(the two programs do not agree on the terms of the match; update both) RoomChanged"},
		{"an answer to another start", offered, 0, FrameAccept, acceptBodySigned(func(p *pair, m *accept) {
			m.start[0] ^= 1
		}), ""},
		{"a signature of another match", accepted, 1, FrameSign, func(p *pair) []byte {
			return sign{id: other}.append(nil)
		}, "Bad(sign: of another match)"},
		{"a bad signature", accepted, 1, FrameSign, func(p *pair) []byte {
			return sign{id: p.s[1].offer.terms.ID()}.append(nil)
		}, "Bad(sign: signature does not match)"},

		// Entries
		{"entry of another match", splitting, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) { e.Match = other }))
		}, "Bad(entries: of another match)"},
		{"entry beyond the next", splitting, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) { e.Index += 3 }))
		}, "Bad(entries: not the next entry)"},
		{"entry in place of one's own earlier one", splitting, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) { e.Index = 2; e.Prev = p.s[0].match.chain.EntryAt(2).Prev }))
		}, "Fraud Bad(entries: its author signed something else in its place)"},
		{"entry by the other seat, signed by its key", splitting, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) { e.Entry.Move.Seat = 0 }))
		}, "Bad(entries: signature does not match)"},
		{"decision of a seat that owes none", choosing, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) { e.Entry.Move = engine.Move{Seat: 1, Kind: engine.Choose} }))
		}, "Bad(entries: by the wrong seat)"},
		{"entry with a bad signature", splitting, 0, FrameEntries, func(p *pair) []byte {
			e := p.signed(1, nil)
			e.Sig[5] ^= 4
			return entriesBody(e)
		}, "Bad(entries: signature does not match)"},
		{"entry on another history", splitting, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) { e.Prev[0] ^= 1 }))
		}, "Bad(entries: signed on another history)"},
		{"entry of a kind not awaited", splitting, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) { e.Entry.Move = engine.Move{Seat: 1, Kind: engine.Choose} }))
		}, "Bad(entries: of a kind that is not awaited)"},
		{"flag where there are no clocks", splittingWithoutClocks, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) { e.Entry.Move = engine.Move{Seat: 1, Kind: engine.Flag} }))
		}, "Bad(entries: of a kind that is not awaited)"},
		{"illegal move", splitting, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) { e.Entry.Move.Data = 1 }))
		}, "Bad(entries: illegal move)"},
		{"wrong digest", splitting, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) { e.Entry.Digest[0] ^= 1 }))
		}, "Bad(entries: replay gives another state)"},
		{"wrong layer", revealing, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) { e.Entry.Move.Layer[0] ^= 1 }))
		}, "Bad(entries: layer does not fit the commitment)"},
		{"a later layer", revealing, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) {
				m := p.s[1].match
				e.Entry.Move.Layer = m.chance.Layer(m.chain.Reveals(1) + 2)
			}))
		}, "Bad(entries: layer does not fit the commitment)"},
		{"an earlier layer", revealing, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) {
				m := p.s[1].match
				e.Entry.Move.Layer = m.chance.Layer(m.chain.Reveals(1))
			}))
		}, "Bad(entries: layer does not fit the commitment)"},
		{"entry after the end", over, 0, FrameEntries, func(p *pair) []byte {
			return entriesBody(p.signed(1, func(e *record.SignedEntry) {
				e.Index++ // its seal has the index before
				e.Entry.Move = engine.Move{Seat: 1, Kind: engine.Flag}
			}))
		}, ""},

		// Seals
		{"seal of another match", over, 0, FrameSeal, sealBody(func(p *pair, s *record.Seal) { s.Match = other }),
			"Bad(seal: of another match)"},
		{"seal before the end", splitting, 0, FrameSeal, func(p *pair) []byte {
			q := newPair(p.t, nil).begin()
			q.do(0, func(s *Session) []Action { return s.Resign(q.now()) })
			seal, _ := q.s[0].match.chain.Seal()
			seal.Match = p.s[0].match.id
			return p.sealed(1, seal).Append(nil)
		}, "Bad(seal: frame out of place)"},
		{"seal with a bad signature", unsealed, 0, FrameSeal, sealBody(func(p *pair, s *record.Seal) { s.Sig[0] ^= 1 }),
			"Bad(seal: signature does not match)"},
		{"seal of another head", unsealed, 0, FrameSeal, sealBodySigned(func(p *pair, s *record.Seal) { s.Last.ThinkMs++ }),
			"Bad(seal: signed on another history)"},

		// Beside the record
		{"disagreement about another match", splitting, 0, FrameDesync, func(p *pair) []byte {
			return desyncFrame{id: other, index: 1, parts: 1, data: []byte{1}}.append(nil)
		}, "Bad(desync: of another match)"},
		{"disagreement with the peer's own entry", splitting, 0, FrameDesync, func(p *pair) []byte {
			return desyncFrame{id: p.s[0].match.id, index: 2, parts: 1, data: []byte{1}}.append(nil)
		}, "Bad(desync: frame out of place)"},
		{"disagreement about an entry that no record can hold", splitting, 0, FrameDesync, func(p *pair) []byte {
			// As an int of 32 bits it would be negative.
			return desyncFrame{id: p.s[0].match.id, index: 1 << 31, parts: 1, data: []byte{1}}.append(nil)
		}, "Bad(desync: not a frame)"},
		{"call-off with a bad signature", splitting, 0, FrameCallOff, func(p *pair) []byte {
			m := p.s[0].match
			return callOff{id: m.id, index: uint32(m.chain.Len()), head: m.chain.Head()}.append(nil)
		}, "Bad(call-off: signature does not match)"},
		{"call-off of another match", splitting, 0, FrameCallOff, func(p *pair) []byte {
			return callOff{id: other}.append(nil)
		}, "Bad(call-off: of another match)"},
		{"abandoned, though it is the peer who owes", splitting, 0, FrameEnded, func(p *pair) []byte {
			m := p.s[0].match
			return ended{m.id, uint32(m.chain.Len()), m.chain.Head(), Abandoned}.append(nil)
		}, "Bad(ended: frame out of place) Forgotten"},
		{"ended of another match", splitting, 0, FrameEnded, func(p *pair) []byte {
			return ended{id: other, end: Abandoned}.append(nil)
		}, "Bad(ended: of another match)"},
		{"ended in a way that nobody may say", splitting, 0, FrameEnded, func(p *pair) []byte {
			return ended{id: p.s[0].match.id, end: Desynced}.append(nil)
		}, "Bad(ended: not a frame)"},
		{"rematch of another match", over, 0, FrameRematch, func(p *pair) []byte {
			return rematch{other, true}.append(nil)
		}, "Bad(rematch: of another match)"},
		{"rematch before the end", splitting, 0, FrameRematch, func(p *pair) []byte {
			return rematch{p.s[0].match.id, true}.append(nil)
		}, "Bad(rematch: frame out of place)"},
		{"preview of another match", splitting, 0, FramePreview, func(p *pair) []byte {
			return preview{id: other, index: 99}.append(nil)
		}, "Bad(preview: of another match)"},
		{"chat of another match", splitting, 0, FrameChat, func(p *pair) []byte {
			return chatBody(p, func(c *ChatLine) { c.Match = other })
		}, "Bad(chat: of another match)"},
		{"chat with a bad signature", splitting, 0, FrameChat, func(p *pair) []byte {
			return chatBody(p, func(c *ChatLine) { c.Sig[0] ^= 1 })
		}, "Bad(chat: signature does not match)"},
		{"chat that was signed for somebody else", splitting, 0, FrameChat, func(p *pair) []byte {
			return chatBody(p, func(c *ChatLine) {
				c.Other = record.Key{7}
				c.Sig = p.cfg[1].Sign(c.Message())
			})
		}, "Bad(chat: signature does not match)"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := newPair(t, nil)
			row.at(p)
			body := row.body(p)
			p.hook = func(int, FrameKind, []byte) [][]byte { return nil } // the liar hears no more
			p.clear()
			before := 0
			if m := p.s[row.to].match; m != nil {
				before = m.chain.Len()
			}
			p.forge(row.to, row.kind, body)
			if got := p.said(row.to); got != row.want {
				t.Errorf("shown %q\nwant  %q", got, row.want)
			}
			if m := p.s[row.to].match; m != nil && m.chain.Len() != before {
				t.Errorf("the chain has grown from %d to %d", before, m.chain.Len())
			}
		})
	}
}

func ready(p *pair) { p.connect(); p.ready() }

// offered has the host's START unanswered.
func offered(p *pair) {
	ready(p)
	p.hook = func(from int, k FrameKind, f []byte) [][]byte {
		if k == FrameAccept {
			return nil
		}
		return [][]byte{f}
	}
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
}

// accepted has the guest's answer unsigned.
func accepted(p *pair) {
	ready(p)
	p.hook = func(from int, k FrameKind, f []byte) [][]byte {
		if k == FrameSign || k == FrameEntries {
			return nil
		}
		return [][]byte{f}
	}
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	p.s[0].link.sent = 10 // what it sent is lost: the forger takes its place
	p.s[1].link.next = 11
}

// splitting is a running match in which side 1 owes a split.
func splitting(p *pair) {
	p.begin()
	for p.state().Awaits() != engine.Split || p.decider() != 1 {
		p.step()
	}
}

func splittingWithoutClocks(p *pair) {
	p.connect()
	p.do(0, func(s *Session) []Action { return s.SetRoom(p.now(), Room{Clocks: ClocksOff}) })
	p.ready()
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	for p.state().Awaits() != engine.Split || p.decider() != 1 {
		p.step()
	}
}

// choosing is a running match in which side 0 owes a choice.
func choosing(p *pair) {
	splitting(p)
	p.step()
}

// revealing is a match in which side 1 owes a reveal and has not sent it.
func revealing(p *pair) {
	ready(p)
	p.hook = func(from int, k FrameKind, f []byte) [][]byte {
		if from == 1 && k == FrameEntries {
			return nil
		}
		return [][]byte{f}
	}
	p.do(0, func(s *Session) []Action { return s.Start(p.now()) })
	// Side 1 has made its reveal; forget it, so that the liar can make another.
	m := p.s[1].match
	chain, err := record.Begin(m.terms, m.sigs, p.cfg[1].Games)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := chain.Apply(p.s[0].match.chain.EntryAt(1)); err != nil {
		p.t.Fatal(err)
	}
	m.chain = chain
	p.s[1].link.sent = p.s[0].link.next - 1
}

func over(p *pair) {
	p.begin()
	p.do(0, func(s *Session) []Action { return s.Resign(p.now()) })
}

// unsealed is a match that side 0 has resigned and side 1 has not sealed.
func unsealed(p *pair) {
	p.begin()
	p.hook = func(from int, k FrameKind, f []byte) [][]byte {
		if k == FrameSeal {
			return nil
		}
		return [][]byte{f}
	}
	p.do(0, func(s *Session) []Action { return s.Resign(p.now()) })
	p.s[1].link.sent = p.s[0].link.next - 1
}

func helloBody(p *pair, i int, change func(m *hello)) []byte {
	m := hello{oldest: 1, newest: 1, key: p.key[i], name: p.cfg[i].Name, client: p.cfg[i].Client, rules: []string{duel.Rules}}
	change(&m)
	return m.append(nil)
}

func startBody(change func(m *start)) func(p *pair) []byte {
	return func(p *pair) []byte {
		m := start{rev: p.s[0].rev, half: half{anchor: [32]byte{1}, nonce: [16]byte{1}}}
		change(&m)
		return m.append(nil)
	}
}

// acceptBody changes side 1's answer and signs what comes of it.
func acceptBody(change func(p *pair, m *accept)) func(p *pair) []byte {
	return func(p *pair) []byte {
		o := p.s[1].offer
		change(p, &o.accept)
		o.accept.sig = p.s[1].termsOf(o).Sign(p.cfg[1].Sign)
		p.s[1].link.sent = p.s[0].link.next - 1
		return o.accept.append(nil)
	}
}

// acceptBodySigned changes side 1's answer after it was signed.
func acceptBodySigned(change func(p *pair, m *accept)) func(p *pair) []byte {
	return func(p *pair) []byte {
		a := p.s[1].offer.accept
		change(p, &a)
		p.s[1].link.sent = p.s[0].link.next - 1
		return a.append(nil)
	}
}

// sealed puts side i's signature on a seal.
func (p *pair) sealed(i int, s record.Seal) record.Seal {
	head := s.Head()
	msg := append([]byte("cleave/seal/1"), s.Match[:]...)
	msg = binary.BigEndian.AppendUint32(msg, s.Index)
	s.Sig = p.cfg[i].Sign(append(msg, head[:]...))
	return s
}

func sealBody(change func(p *pair, s *record.Seal)) func(p *pair) []byte {
	return func(p *pair) []byte {
		seal, _ := p.s[1].match.chain.Seal()
		change(p, &seal)
		return seal.Append(nil)
	}
}

func sealBodySigned(change func(p *pair, s *record.Seal)) func(p *pair) []byte {
	return func(p *pair) []byte {
		seal, _ := p.s[1].match.chain.Seal()
		change(p, &seal)
		return p.sealed(1, seal).Append(nil)
	}
}

func chatBody(p *pair, change func(c *ChatLine)) []byte {
	c := ChatLine{Author: p.key[1], Other: p.key[0], Match: p.s[0].scope(), Counter: 1 << 62, Text: "psst"}
	c.Sig = p.cfg[1].Sign(c.Message())
	change(&c)
	return c.append(nil)
}
