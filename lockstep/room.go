package lockstep

import (
	"unicode"
	"unicode/utf8"

	"github.com/cleavegame/cleave/lockstep/record"
)

// The two sides of pairs that are not by seat.
const (
	ownSide  = 0
	peerSide = 1
)

// Clocks says which limits the decisions have.
type Clocks uint8

// The clocks of a room.
const (
	ClocksStandard Clocks = 0
	ClocksDouble   Clocks = 1
	ClocksOff      Clocks = 2
)

// Limits are the limits that the clocks stand for.
func (c Clocks) Limits() record.Limits {
	switch c {
	case ClocksDouble:
		return record.DoubleLimits
	case ClocksOff:
		return record.NoLimits
	}
	return record.StandardLimits
}

// A Room is what the host sets in the waiting room.
type Room struct {
	Name     string // at most 60 bytes
	Clocks   Clocks
	Friendly bool // never rated
}

func (r Room) valid() bool {
	return len(r.Name) <= maxRoomLen && printable(r.Name) && r.Clocks <= ClocksOff
}

// SetRoom changes the room's settings (host only); both Readys are cleared,
// and a START that is not answered yet is taken back.
func (s *Session) SetRoom(now Now, room Room) []Action {
	s.begin(now)
	switch {
	case !s.cfg.Host:
		s.refuse(NotHost)
	case s.phase == phaseClosed || s.phase == phaseMatch && !s.match.over():
		s.refuse(NotNow)
	case !room.valid():
		s.refuse(BadName)
	default:
		if s.phase == phaseOffered {
			s.show(Void{s.offer.journal})
			s.offer = offer{}
			s.phase = phaseLobby
		}
		s.room = room
		s.rev++
		s.ready = [2]bool{}
		s.sendRoom()
		s.review(true)
	}
	return s.finish()
}

// Ready says that one is ready for the room as last shown, or is not.
func (s *Session) Ready(now Now, ready bool) []Action {
	s.begin(now)
	switch {
	case s.phase != phaseLobby || s.leaving:
		s.refuse(NotNow)
	case !s.met:
		s.refuse(NoPeer)
	case s.barred != 0:
		s.refuse(s.barred)
	case s.ready[ownSide] != ready:
		s.ready[ownSide] = ready
		s.sendReady()
		s.showRoom()
	}
	return s.finish()
}

func (s *Session) sendRoom() {
	s.send(FrameRoom, roomFrame{rev: s.rev, room: s.room, why: s.why}.append(nil))
}

func (s *Session) sendReady() {
	s.send(FrameReady, readyFrame{rev: s.rev, ready: s.ready[ownSide], why: s.why}.append(nil))
}

func (s *Session) onRoom(m roomFrame) {
	if s.cfg.Host {
		s.bad(FrameRoom, BadPlace)
		return
	}
	changed := m.rev != s.rev || m.room != s.room
	if changed && s.phase == phaseAccepted {
		s.takenBack()
	}
	s.rev, s.room, s.peerWhy = m.rev, m.room, m.why
	if changed {
		s.ready = [2]bool{}
	}
	s.review(changed)
}

func (s *Session) onReady(m readyFrame) {
	ready := m.ready && m.rev == s.rev
	if ready {
		s.agreed()
	}
	changed := s.ready[peerSide] != ready
	s.ready[peerSide], s.peerWhy = ready, m.why
	s.review(changed)
}

// showRoom shows the room as it is.
func (s *Session) showRoom() { s.show(s.roomNow()) }

func (s *Session) roomNow() RoomChanged {
	return RoomChanged{Room: s.room, Ready: s.ready, Why: s.reasons()}
}

// review looks again whether a match would count, after something that it
// hangs on has changed: the peer is told what this side finds, and a Ready
// that was given for the opposite is taken back.
func (s *Session) review(changed bool) {
	if why := s.ownWhy(); why != s.why {
		s.why = why
		changed = true
		s.sendReady()
	}
	if rated := len(s.reasons()) == 0; rated != s.rated {
		s.rated = rated
		changed = true
		if s.phase == phaseLobby && s.ready[ownSide] {
			s.ready[ownSide] = false
			s.sendReady()
		}
	}
	if changed && s.met && (s.phase == phaseLobby || s.phase == phaseMatch && s.match.over()) {
		s.showRoom()
	}
}

// ownWhy is why, by this side's own lights, a match in this room would not
// count: a bit for each reason, 0 if it would.
func (s *Session) ownWhy() (why uint16) {
	if s.room.Friendly {
		why |= 1 << WhyFriendly
	}
	if s.room.Clocks != ClocksStandard {
		why |= 1 << WhyClocks
	}
	if s.cfg.Unsafe {
		why |= 1 << WhyJournal
	}
	own := s.offered()
	peer := s.peerOffered()
	switch _, _, _, ok := s.common(own, peer); {
	case len(own) == 0:
		why |= 1 << WhyNoTicket
	case len(peer) == 0:
		why |= 1 << WhyPeerNoTicket
	case !ok:
		why |= 1 << WhyNoServer
	}
	return why
}

// reasons lists why the match would not count: what this side finds, or what
// only the peer does.
func (s *Session) reasons() (list []Reason) {
	for r := WhyFriendly; r <= WhyJournal; r++ {
		if s.why&(1<<r) != 0 {
			list = append(list, r)
		}
	}
	if len(list) == 0 && s.peerWhy != 0 {
		if s.peerWhy&(1<<WhyNoTicket) != 0 {
			return []Reason{WhyPeerNoTicket}
		}
		return []Reason{WhyPeer}
	}
	return list
}

// peerOffered are the peer's tickets that hold.
func (s *Session) peerOffered() (list []record.Ticket) {
	for _, t := range s.peerTickets {
		if t.Check(s.cfg.Peer, t.Server, s.now.Wall/1000) == nil {
			list = append(list, t)
		}
	}
	return list
}

// common finds the ranking server of which both have a ticket: the first in
// the host's list.
func (s *Session) common(own, peer []record.Ticket) (server record.Key, ownTicket, peerTicket record.Ticket, ok bool) {
	first, second := own, peer
	if !s.cfg.Host {
		first, second = peer, own
	}
	for _, a := range first {
		for _, b := range second {
			if a.Server == b.Server {
				if s.cfg.Host {
					return a.Server, a, b, true
				}
				return a.Server, b, a, true
			}
		}
	}
	return record.Key{}, record.Ticket{}, record.Ticket{}, false
}

// ratedBy tells the server and the tickets under which a match that began now
// would count; false if it would not.
func (s *Session) ratedBy() (server record.Key, own, peer record.Ticket, ok bool) {
	if len(s.reasons()) != 0 {
		return record.Key{}, record.Ticket{}, record.Ticket{}, false
	}
	return s.common(s.offered(), s.peerOffered())
}

// ValidName reports whether a display name may be shown: valid UTF-8 of at
// most 160 bytes without characters that do not print, and of 1 to 24
// characters as a reader counts them. Marks, joiners and what they join belong
// to the character before.
func ValidName(name string) bool {
	if name == "" || len(name) > maxNameLen || !printable(name) {
		return false
	}
	count, joined, flag := 0, false, false
	for _, c := range name {
		switch {
		case c == 0x200d: // joins what follows to what stands before
			joined = true
			continue
		case unicode.In(c, unicode.Mn, unicode.Me, unicode.Mc) || c >= 0xfe00 && c <= 0xfe0f || c >= 0x1f3fb && c <= 0x1f3ff:
			if count == 0 {
				count = 1
			}
		case c >= 0x1f1e6 && c <= 0x1f1ff: // two of these are one flag
			if flag = !flag; flag {
				count++
			}
			continue
		case !joined:
			count++
		}
		joined, flag = false, false
	}
	return count >= 1 && count <= 24
}

// printable reports whether text is valid UTF-8 without control characters,
// line breaks, or characters that turn the direction of what stands around
// them.
func printable(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for _, c := range text {
		if c == 0x200d || c == 0x200c { // joiners, which scripts and emoji need
			continue
		}
		if !unicode.IsPrint(c) && !unicode.Is(unicode.Zs, c) {
			return false
		}
	}
	return true
}
