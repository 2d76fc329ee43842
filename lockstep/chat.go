package lockstep

import (
	"encoding/binary"

	"github.com/cleavegame/cleave/lockstep/record"
)

// Rates: a bucket holds so many, and one comes back each so many ms. The
// receiver's are more generous, because frames of seconds may arrive at once.
const (
	chatBurst, chatEveryMs       = 5, 1000
	previewBurst, previewEveryMs = 10, 100
	heardBurstFactor             = 3
)

// bucket limits a rate.
type bucket struct {
	left   int64 // in ms
	atMono int64
	begun  bool
}

// take reports whether one more may pass.
func (b *bucket) take(now Now, burst, everyMs int64) bool {
	if !b.begun {
		*b = bucket{left: burst * everyMs, atMono: now.Mono, begun: true}
	}
	b.left = min(burst*everyMs, b.left+now.Mono-b.atMono)
	b.atMono = now.Mono
	if b.left < everyMs {
		return false
	}
	b.left -= everyMs
	return true
}

// A ChatLine is a signed line of chat: evidence for a report. It belongs to a
// match, or outside of one to the two players, and cannot be quoted out of
// its place.
type ChatLine struct {
	Author, Other record.Key
	Match         record.ID // zero outside a match
	Counter       uint64    // grows with each line of its author
	Text          string
	Sig           record.Signature // of Message
}

// Message is what the author of a line signs:
// "cleave/chat/1" || author || other || match || counter || text.
func (c ChatLine) Message() []byte {
	b := append([]byte("cleave/chat/1"), c.Author[:]...)
	b = append(b, c.Other[:]...)
	b = append(b, c.Match[:]...)
	b = binary.BigEndian.AppendUint64(b, c.Counter)
	return append(b, c.Text...)
}

// Check reports whether the line is signed by its author.
func (c ChatLine) Check() bool { return c.Author.Verify(c.Message(), c.Sig) }

func (c ChatLine) append(b []byte) []byte {
	b = append(b, c.Match[:]...)
	b = binary.BigEndian.AppendUint64(b, c.Counter)
	b = append(b, c.Sig[:]...)
	return appendBytes(b, []byte(c.Text))
}

func parseChat(b []byte) (ChatLine, Reason) {
	r := reader{b: b}
	c := ChatLine{Match: r.b32(), Counter: r.u64(), Sig: r.b64(), Text: string(r.bytes(maxChat))}
	if !r.end() || c.Text == "" || !printable(c.Text) {
		return ChatLine{}, BadFrame
	}
	return c, 0
}

// scope is the match that lines belong to now, zero if there is none.
func (s *Session) scope() record.ID {
	if s.match != nil {
		return s.match.id
	}
	return record.ID{}
}

// Say sends a line of chat of at most 280 bytes of printable UTF-8. It may be
// lost.
func (s *Session) Say(now Now, text string) []Action {
	s.begin(now)
	switch {
	case len(text) == 0 || len(text) > maxChat || !printable(text):
		s.refuse(TooLong)
	case !s.met || s.phase == phaseClosed:
		s.refuse(NoPeer)
	case !s.chatOut.take(s.now, chatBurst, chatEveryMs):
		s.refuse(TooFast)
	default:
		// The wall clock keeps the counter growing over restarts.
		s.counter = max(s.counter+1, uint64(max(s.now.Wall, 0)))
		c := ChatLine{Author: s.cfg.Key, Other: s.cfg.Peer, Match: s.scope(), Counter: s.counter, Text: text}
		c.Sig = s.cfg.Sign(c.Message())
		s.sendLoose(FrameChat, c.append(nil))
	}
	return s.finish()
}

func (s *Session) onChat(c ChatLine) {
	if !s.chatIn.take(s.now, heardBurstFactor*chatBurst, chatEveryMs) {
		return
	}
	c.Author, c.Other = s.cfg.Peer, s.cfg.Key
	switch {
	case c.Match != s.scope() && c.Match != (record.ID{}):
		s.bad(FrameChat, BadMatch)
	case c.Counter <= s.heardCounter: // heard before, or overtaken
	case !c.Check():
		s.bad(FrameChat, BadSignature)
	default:
		s.heardCounter = c.Counter
		s.show(Said{c})
	}
}

// Preview shows the peer what one is about to do: at most 64 bytes. It may be
// lost.
func (s *Session) Preview(now Now, data []byte) []Action {
	s.begin(now)
	switch m := s.match; {
	case len(data) > maxPreview:
		s.refuse(TooLong)
	case m == nil || m.over():
		s.refuse(NotNow)
	case s.previewOut.take(s.now, previewBurst, previewEveryMs):
		s.sendLoose(FramePreview, preview{m.id, uint32(m.chain.Len() + 1), data}.append(nil))
	}
	return s.finish()
}

func (s *Session) onPreview(p preview) {
	switch m := s.match; {
	case m == nil || p.id != m.id:
		s.bad(FramePreview, BadMatch)
	case m.over() || int(p.index) <= m.chain.Len():
		// It comes behind the entry that it announced.
	case s.previewIn.take(s.now, heardBurstFactor*previewBurst, previewEveryMs):
		s.show(Previewed{Index: int(p.index), Data: p.data})
	}
}

// Express sends one of the preset expressions. It may be lost.
func (s *Session) Express(now Now, number uint8) []Action {
	s.begin(now)
	switch {
	case !s.met || s.phase == phaseClosed:
		s.refuse(NoPeer)
	case !s.chatOut.take(s.now, chatBurst, chatEveryMs):
		s.refuse(TooFast)
	default:
		s.sendLoose(FrameExpression, []byte{number})
	}
	return s.finish()
}

func (s *Session) onExpression(body []byte) {
	switch {
	case len(body) != 1:
		s.bad(FrameExpression, BadFrame)
	case s.chatIn.take(s.now, heardBurstFactor*chatBurst, chatEveryMs):
		s.show(Expressed{body[0]})
	}
}
