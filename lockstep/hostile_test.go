package lockstep

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A hostile is a pair one of whose sides sends what it likes besides what its
// program does: any frame, in any state, well signed or not.
type hostile struct {
	*pair
	honest  int
	r       *rand.Rand
	ids     []record.ID // of matches that were begun
	entries []record.SignedEntry
	frames  [][]byte // that the hostile side has sent
	signed  map[record.ID][]record.Statement
	in, out int // bytes
	persist int // records
}

// hear gives the honest side a frame.
func (h *hostile) hear(frame []byte) {
	if len(frame) > MaxFrame {
		return
	}
	h.in += len(frame)
	h.carry(h.honest, h.s[h.honest].Receive(h.now(), frame))
	h.pump()
}

// live is one thing that either program does by itself.
func (h *hostile) live() {
	i := h.r.IntN(2)
	s := h.s[i]
	now := h.now()
	switch h.r.IntN(16) {
	case 0:
		h.do(i, func(s *Session) []Action { return s.Ready(now, !h.pick(4)) })
	case 1:
		h.do(i, func(s *Session) []Action { return s.Start(now) })
	case 2:
		h.wait(int64(h.r.IntN(4000)))
	case 3:
		h.wall += int64(h.r.IntN(200_000)) - 100_000
	case 4:
		if h.pick(8) {
			h.do(i, func(s *Session) []Action { return s.Resign(now) })
		}
	case 5:
		h.do(i, func(s *Session) []Action { return s.Claim(now) })
	case 6:
		h.do(i, func(s *Session) []Action { return s.CallOff(now) })
	case 7:
		h.do(i, func(s *Session) []Action { return s.Rematch(now, !h.pick(4)) })
	case 8:
		h.do(i, func(s *Session) []Action { return s.Opened(now, !h.pick(3)) })
	case 9:
		h.do(i, func(s *Session) []Action { return s.WithdrawClaim(now) })
	case 10:
		if h.pick(4) {
			h.do(i, func(s *Session) []Action { return s.SetRoom(now, Room{Clocks: Clocks(h.r.IntN(2))}) })
		}
	case 11:
		if h.pick(3) {
			h.connect()
		}
	case 12:
		if h.pick(6) {
			h.wait(45_000)
		}
	case 13:
		switch {
		case i == h.honest && h.pick(3):
			h.again()
		case h.pick(60):
			h.do(i, func(s *Session) []Action { return s.Leave(now) })
		case h.pick(60):
			h.do(i, func(s *Session) []Action { return s.Decided(now, h.r.IntN(3)-1) })
		}
	default:
		if m := s.match; m != nil && m.chain.Position().MayDecide(m.seat) > engine.Reveal {
			move := randomMove(m.chain.Position().(duel.State), m.seat, h.r)
			h.do(i, func(s *Session) []Action { return s.Decide(now, move) })
		}
	}
}

// follow gives the hostile side's program what the honest one has taken, so
// that the match goes on.
func (h *hostile) follow() {
	a, b := h.s[h.honest].match, h.s[1-h.honest].match
	if a == nil || b == nil || a.id != b.id {
		return
	}
	for n := b.chain.Len() + 1; n <= a.chain.Len(); n++ {
		h.do(1-h.honest, func(s *Session) []Action {
			s.begin(h.now())
			s.onEntries([]record.SignedEntry{a.chain.EntryAt(n)})
			return s.finish()
		})
		if b.chain.Len() < n {
			return
		}
	}
}

// again restarts the honest side's program.
func (h *hostile) again() {
	i := h.honest
	h.s[1-i].Disconnected(h.now())
	saved, err := ReadJournal(h.journal[i][h.last[i]])
	if len(h.journal[i][h.last[i]]) == 0 || err == nil && saved.Over {
		h.s[i] = New(h.cfg[i])
	} else {
		if err != nil {
			h.t.Fatalf("the honest journal does not read: %v", err)
		}
		if h.s[i], err = Resume(h.cfg[i], h.now(), h.journal[i][h.last[i]]); err != nil {
			h.t.Fatalf("the honest journal does not hold: %v", err)
		}
	}
	h.connect()
}

// sees checks what the honest side has sent, and that what it keeps is bounded.
func (h *hostile) sees(frame []byte) {
	h.out += len(frame)
	head, body, err := parseFrame(frame)
	if err != nil {
		h.t.Fatal("the honest side sends what is no frame")
	}
	m := h.s[h.honest].match
	keep := func(id record.ID, s record.Statement) {
		for _, had := range h.signed[id] {
			if had != s && (record.Conflict(had, s) || had.Index == s.Index && had.Sealed == s.Sealed) {
				h.t.Fatalf("the honest side signs twice at index %d", s.Index)
			}
		}
		if m != nil && m.claims && !slices.Contains(h.signed[id], s) {
			for n := range int(s.Index) {
				if head, _ := m.chain.HeadAt(n); head == m.claimed {
					h.t.Fatalf("the honest side signs at index %d while it claims at %d", s.Index, n+1)
				}
			}
		}
		h.signed[id] = append(h.signed[id], s)
	}
	switch head.kind {
	case FrameEntries:
		entries, bad := parseEntries(body)
		if bad != 0 {
			h.t.Fatal("the honest side sends entries that do not read")
		}
		for _, e := range entries {
			if m != nil && e.Match == m.id && int(e.Entry.Move.Seat) == m.seat {
				keep(e.Match, record.Statement{Index: e.Index, Prev: e.Prev, Entry: e.Entry, Sig: e.Sig})
			}
		}
	case FrameSeal:
		if s, err := record.ParseSeal(body); err == nil && m != nil && int(s.Last.Move.Seat) != m.seat {
			keep(s.Match, record.Statement{Sealed: true, Index: s.Index, Prev: s.Prev, Entry: s.Last, Sig: s.Sig})
		}
	}
}

// However a peer behaves, this side never panics, never signs twice at one
// index, writes a journal that holds, and keeps no more than so much for it.
func TestAHostilePeer(t *testing.T) {
	count := 60
	if os.Getenv("CLEAVE_SOAK") != "" {
		count *= 500
	}
	first := 1
	if s := os.Getenv("CLEAVE_SEED"); s != "" {
		first, _ = strconv.Atoi(s)
		count = 1
	}
	states := map[string]int{}
	for seed := first; seed < first+count; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			change := rated
			if seed%3 == 0 {
				change = nil
			}
			h := &hostile{pair: newPair(t, change), honest: seed % 2, r: rand.New(rand.NewPCG(uint64(seed), 5)), signed: map[record.ID][]record.Statement{}}
			h.onFrame = func(from int, frame []byte) {
				if from == h.honest {
					h.sees(frame)
				}
			}
			if seed%4 == 0 {
				h.connect()
			} else {
				h.begin()
			}
			for range 400 {
				if h.pick(2) {
					h.strike()
				} else {
					h.live()
				}
				h.follow()
				s := h.s[h.honest]
				s.View()
				if m := s.match; m != nil && (len(h.ids) == 0 || h.ids[len(h.ids)-1] != m.id) {
					h.ids = append(h.ids, m.id)
				}
				if n := len(s.link.queue); n > maxQueued {
					t.Fatalf("%d frames are kept", n)
				}
				if n := len(s.link.held); n > window {
					t.Fatalf("%d frames are held", n)
				}
				states[fmt.Sprintf("phase %d", s.phase)]++
				if s.match != nil {
					states[fmt.Sprintf("end %d", s.match.result.End)]++
				}
			}
			for j, records := range h.journal[h.honest] {
				if _, err := ReadJournal(records); err != nil {
					t.Errorf("journal %x: %v", j, err)
				} else if _, err := Resume(h.cfg[h.honest], h.now(), records); err != nil {
					t.Errorf("journal %x: %v", j, err)
				}
			}
		})
	}
	t.Log(states)
}
