package lockstep

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/cleavegame/cleave/lockstep/record"
)

// floods lists a frame of each kind, as a peer sends it a thousand times with
// little things changed.
func floods(p *pair, i int) map[string]func(n int) (FrameKind, []byte) {
	foe := 1 - i
	id := record.ID{}
	if m := p.s[i].match; m != nil {
		id = m.id
	}
	return map[string]func(n int) (FrameKind, []byte){
		"hello": func(n int) (FrameKind, []byte) {
			return FrameHello, helloBody(p, foe, func(m *hello) { m.name = fmt.Sprint("Eve", n) })
		},
		"hello with and without tickets": func(n int) (FrameKind, []byte) {
			return FrameHello, helloBody(p, foe, func(m *hello) { m.tickets = p.cfg[foe].Tickets[:n%2] })
		},
		"hello of two versions": func(n int) (FrameKind, []byte) {
			return FrameHello, helloBody(p, foe, func(m *hello) { m.oldest, m.newest = 1+uint8(n%2), 2 })
		},
		"resume": func(n int) (FrameKind, []byte) {
			return FrameResume, resume{stands: standsMatch, ref: id, index: 1}.append(nil)
		},
		"resume in the lobby": func(n int) (FrameKind, []byte) { return FrameResume, resume{}.append(nil) },
		"room": func(n int) (FrameKind, []byte) {
			return FrameRoom, roomFrame{rev: uint32(n), room: Room{Friendly: n%2 == 0}}.append(nil)
		},
		"ready": func(n int) (FrameKind, []byte) {
			return FrameReady, readyFrame{rev: p.s[i].rev, ready: n%2 == 0}.append(nil)
		},
		"start": func(n int) (FrameKind, []byte) {
			return FrameStart, start{rev: p.s[i].rev, half: half{anchor: [32]byte{byte(n)}, nonce: [16]byte{byte(n)}}}.append(nil)
		},
		"accept": func(n int) (FrameKind, []byte) {
			a := accept{half: half{nonce: [16]byte{byte(n)}}}
			if m := p.s[i].match; m != nil {
				a.half.nonce = m.terms.Nonces[1-m.seat]
			}
			return FrameAccept, a.append(nil)
		},
		"half of a bundle": func(n int) (FrameKind, []byte) {
			index := uint32(1)
			if m := p.s[i].match; m != nil {
				index = uint32(max(1, m.chain.Len()))
			}
			return FrameDesync, desyncFrame{id: id, index: index, parts: 1, data: Half{Client: "x"}.append(nil)}.append(nil)
		},
		"ended": func(n int) (FrameKind, []byte) { return FrameEnded, ended{id: id, end: Abandoned}.append(nil) },
		"rematch": func(n int) (FrameKind, []byte) {
			return FrameRematch, rematch{id, n%2 == 0}.append(nil)
		},
		"bye": func(n int) (FrameKind, []byte) { return FrameBye, appendFlag(nil, false) },
	}
}

// A peer that sends the same again and again, and acknowledges nothing of the
// answers, is not given more memory or events than so many, nor more frames
// than it can hold.
func TestAPeerThatFloods(t *testing.T) {
	states := []struct {
		name string
		at   func(p *pair)
	}{
		{"in the room", (*pair).connect}, {"when both are ready", ready}, {"when a start is out", offered},
		{"when it was answered", accepted}, {"in a match", splitting}, {"after one's own entry", choosing},
		{"after a match", over}, {"when the seal is missing", unsealed},
	}
	kinds := slices.Sorted(maps.Keys(floods(newPair(t, nil), 0)))
	for n, state := range states {
		for k, flood := range kinds {
			i := (n + n/2 + k) % 2 // the side that is flooded: either, by turns
			t.Run(fmt.Sprintf("%s, side %d, %s", state.name, i, flood), func(t *testing.T) {
				p := newPair(t, rated)
				state.at(p)
				p.clear()
				body := floods(p, i)[flood]
				s := p.s[i]
				before := len(p.journal[i][p.last[i]])
				frames, seq := 0, s.link.next
				p.hook = func(from int, _ FrameKind, _ []byte) [][]byte {
					if from == i {
						frames++
					}
					return nil
				}
				for n := range 5 * frameBurst {
					kind, b := body(n)
					h := header{kind: kind, heard: true, number: s.link.number, seq: seq}
					if seq >= s.link.next+window {
						break // it is made to wait
					}
					seq++
					p.carry(i, s.Receive(p.now(), append(h.append(nil), b...)))
					if len(s.link.queue) > maxQueued || len(s.link.held) > window+1 { // one is what the forger stepped over
						t.Fatalf("after %d frames %d are kept and %d held", n, len(s.link.queue), len(s.link.held))
					}
					if s.link.number != h.number {
						// It began anew: so does the peer, at no cost.
						seq = 1
					}
				}
				bundles := 0
				for _, e := range p.events[i] {
					if d, ok := e.(Desync); ok {
						bundles += len(d.Bundle)
					}
				}
				if n := len(p.events[i]); n > 3*frameBurst {
					t.Errorf("%d events", n)
				}
				if bundles > 1<<16 {
					t.Errorf("%d bytes of bundles", bundles)
				}
				if n := len(p.journal[i][p.last[i]]) - before; n > 4 {
					t.Errorf("%d records", n)
				}
				if frames > 40*frameBurst {
					t.Errorf("%d frames for an answer", frames)
				}
			})
		}
	}
}
