package lockstep

import (
	"encoding/binary"
	"math"
)

// The link's times in milliseconds, and its window in frames.
const (
	resendMs  = 1500 // an unacknowledged frame is sent again
	pingMs    = 1000 // a ping is sent
	troubleMs = 3000 // without a frame: connection trouble
	offlineMs = 6000 // without a frame: offline, and a new path is wanted

	// window is how far ahead of the next expected number a frame is held, and
	// how many that are not acknowledged are on their way at most.
	window = 64
	// maxQueued is how many own frames wait for acknowledgements before this
	// side begins a new number instead, under which it says anew where it
	// stands. A few dozen is what an honest peer can be behind.
	maxQueued = 128
	// Numbered frames are taken at this rate, one each so many ms after a
	// burst; the rest is held, and the peer made to wait by not having it
	// acknowledged. Two bots in one process stay below it.
	frameBurst, frameEveryMs = 512, 1
	// maxRoundTripMs bounds what is taken off a waiting time: answering
	// pings late must not hide that moves are late.
	maxRoundTripMs = 2000
	// maxStepMs bounds what one call adds to the time that the peer has been
	// silent or has owed something. The driver ticks at least each second, so
	// a longer gap means that it was this side that slept.
	maxStepMs = 2000
	// never is the time of what is not going to happen.
	never = math.MaxInt64
)

// link is the numbered, acknowledged exchange of frames under one connection
// number. It begins anew with each number.
type link struct {
	up     bool   // there is a pipe
	number uint64 // connection number, 0 before the first
	heard  bool   // frames of the peer have arrived under this number
	rate   bucket // of numbered frames that are taken

	sent  uint32   // last own number given to a frame
	queue []queued // own numbered frames not acknowledged yet

	next   uint32            // number of the peer's that is delivered next
	held   map[uint32][]byte // kind and body of frames that arrived too early
	ackDue bool

	silentMs  int64 // without any frame
	pingAt    int64 // mono of the next ping
	rttMs     int64 // round trip, the least of late; 0 if not known
	condition condition
}

// queued is one numbered frame on its way.
type queued struct {
	seq    uint32
	kind   FrameKind
	body   []byte
	sentAt int64 // mono of the last sending, -1 if not sent yet
}

// condition is how the connection is, as last shown.
type condition uint8

const (
	conditionGood condition = iota
	conditionTrouble
	conditionOffline
)

// Connected says that there is a pipe to the peer, the first or a new one in
// place of another. The session opens a new connection number on it and says
// where it stands.
func (s *Session) Connected(now Now) []Action {
	s.begin(now)
	if s.phase != phaseClosed {
		s.link.up = true
		s.open(s.link.number)
	}
	return s.finish()
}

// Disconnected says that the pipe is gone. Clocks go on.
func (s *Session) Disconnected(now Now) []Action {
	s.begin(now)
	s.link.up = false
	s.link.queue = nil
	if s.match != nil {
		s.match.heard = false
	}
	return s.finish()
}

// open begins a connection number higher than above, and says under it where
// this side stands.
func (s *Session) open(above uint64) {
	if above >= maxNumber {
		return
	}
	fresh := s.cfg.Fresh()
	seconds := uint64(min(max(s.now.Wall/1000, 0), math.MaxInt32-1))
	number := seconds<<32 | uint64(binary.BigEndian.Uint32(fresh[:]))
	s.adopt(max(number, above+1))
}

// adopt begins a connection number, and says under it where this side stands.
func (s *Session) adopt(number uint64) {
	l := &s.link
	l.number, l.heard = number, false
	l.sent, l.queue = 0, nil
	l.next, l.held = 1, nil
	l.ackDue = false
	l.pingAt = s.now.Mono + pingMs
	s.greeted = false
	s.greet()
}

// send queues a numbered frame. What is queued without a pipe is dropped,
// because a new pipe begins with where both sides stand.
func (s *Session) send(kind FrameKind, body []byte) {
	l := &s.link
	if !l.up || l.number == 0 {
		return
	}
	if headerLen+len(body) > MaxFrame {
		panic("lockstep: frame of kind " + kind.String() + " is too large")
	}
	l.sent++
	l.queue = append(l.queue, queued{seq: l.sent, kind: kind, body: body, sentAt: -1})
}

// sendLoose sends a frame that may be lost.
func (s *Session) sendLoose(kind FrameKind, body []byte) {
	if s.link.up && s.link.number != 0 {
		s.emitFrame(kind, 0, body)
	}
}

func (s *Session) emitFrame(kind FrameKind, seq uint32, body []byte) {
	l := &s.link
	h := header{kind: kind, heard: l.heard, number: l.number, seq: seq, ack: l.next - 1}
	frame := h.append(make([]byte, 0, headerLen+len(body)))
	s.emit(Send{append(frame, body...)})
	l.ackDue = false
}

// under are the first in the queue, which the peer can hold.
func (l *link) under() []queued { return l.queue[:min(len(l.queue), window)] }

// relieve begins a new number when the peer has left too much unacknowledged.
func (s *Session) relieve() {
	l := &s.link
	if len(l.queue) <= maxQueued {
		return
	}
	s.open(l.number)
	l.queue = l.queue[:min(len(l.queue), maxQueued)] // there may be no higher number
}

// flush sends what was queued in this call, what is due again, a ping, and an
// acknowledgement if nothing else carried it.
func (s *Session) flush() {
	l := &s.link
	if !l.up || l.number == 0 {
		return
	}
	for i := range l.under() {
		q := &l.queue[i]
		if q.sentAt < 0 || s.now.Mono-q.sentAt >= resendMs {
			q.sentAt = s.now.Mono
			s.emitFrame(q.kind, q.seq, q.body)
		}
	}
	if s.now.Mono >= l.pingAt {
		l.pingAt = s.now.Mono + pingMs
		s.emitFrame(FramePing, 0, binary.BigEndian.AppendUint32(nil, uint32(s.now.Mono)))
	}
	if l.ackDue {
		s.emitFrame(FrameAck, 0, nil)
	}
}

// Receive takes one frame that arrived by the pipe. Frames may come twice, out
// of order, late or damaged.
func (s *Session) Receive(now Now, frame []byte) []Action {
	s.begin(now)
	s.receive(frame)
	return s.finish()
}

func (s *Session) receive(frame []byte) {
	l := &s.link
	if s.phase == phaseClosed || !l.up {
		return
	}
	h, body, err := parseFrame(frame)
	if err != nil {
		s.bad(0, BadFrame)
		return
	}
	switch {
	case h.number < l.number:
		return // of a connection that was replaced
	case h.number > l.number && h.heard:
		// The peer has heard a session before this one under that number:
		// both must begin again.
		s.open(h.number)
		return
	case h.number > l.number:
		s.adopt(h.number)
	}
	s.hear()
	if h.ack <= l.sent {
		n := 0
		for n < len(l.queue) && l.queue[n].seq <= h.ack {
			n++
		}
		l.queue = l.queue[n:]
		if n > 0 && s.match != nil {
			s.tryRematch()
		}
	}
	if !h.kind.numbered() {
		s.handle(h.kind, body)
		return
	}
	l.ackDue = true
	if h.seq < l.next || h.seq-l.next >= window {
		return
	}
	if l.held == nil {
		l.held = make(map[uint32][]byte)
	}
	if _, have := l.held[h.seq]; have {
		return
	}
	l.held[h.seq] = append([]byte{byte(h.kind)}, body...)
	s.deliver()
}

// deliver takes the frames that are held and whose turn has come.
func (s *Session) deliver() {
	l := &s.link
	for number := l.number; l.number == number; {
		next, have := l.held[l.next]
		if !have || !l.rate.take(s.now, frameBurst, frameEveryMs) {
			return
		}
		delete(l.held, l.next)
		l.next++
		l.ackDue = true
		s.handle(FrameKind(next[0]), next[1:])
		s.advance() // a frame behind it may stand on what it brings about
	}
}

// hear notes that a frame of the peer has arrived.
func (s *Session) hear() {
	l := &s.link
	l.heard = true
	l.silentMs = 0
	if l.condition != conditionGood {
		l.condition = conditionGood
		s.show(Back{})
	}
}

// listen shows how the connection is when that has changed for the worse.
func (s *Session) listen() {
	l := &s.link
	if s.phase == phaseClosed || !s.met {
		return
	}
	if l.condition < conditionTrouble && l.silentMs >= troubleMs {
		l.condition = conditionTrouble
		s.show(Trouble{})
	}
	if l.condition < conditionOffline && l.silentMs >= offlineMs {
		l.condition = conditionOffline
		s.show(Offline{})
	}
}

// onPing answers a ping.
func (s *Session) onPing(body []byte) {
	if len(body) != 4 {
		s.bad(FramePing, BadFrame)
		return
	}
	s.sendLoose(FramePong, body)
}

// onPong takes the round trip's measure.
func (s *Session) onPong(body []byte) {
	if len(body) != 4 {
		s.bad(FramePong, BadFrame)
		return
	}
	took := int64(uint32(s.now.Mono) - binary.BigEndian.Uint32(body))
	if took < 0 || took > 60_000 {
		return
	}
	// The least of late: a single slow answer does not count, a path that has
	// become slower does in time.
	if l := &s.link; l.rttMs == 0 || took < l.rttMs {
		l.rttMs = took
	} else {
		l.rttMs += (took - l.rttMs) / 8
	}
}

// RoundTripMs is the round trip to the peer in milliseconds, 0 if not known.
func (s *Session) RoundTripMs() int64 { return s.link.rttMs }

// linkTick is when the link wants to be called next, in mono.
func (s *Session) linkTick() int64 {
	l := &s.link
	at := int64(never)
	if l.up && l.number != 0 {
		at = l.pingAt
		for _, q := range l.under() {
			at = min(at, q.sentAt+resendMs)
		}
		if _, have := l.held[l.next]; have {
			at = min(at, s.now.Mono+frameEveryMs)
		}
	}
	return at
}
