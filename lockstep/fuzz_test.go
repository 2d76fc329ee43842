package lockstep

import (
	"bytes"
	"testing"

	"github.com/cleavegame/cleave/lockstep/record"
)

// played is every frame and journal record of a match with all that can
// happen beside it, for the corpora.
func played(t interface{ Fatal(...any) }) (frames, records [][]byte, bundle []byte) {
	tt := new(testing.T)
	p := newPair(tt, rated)
	p.onFrame = func(_ int, f []byte) { frames = append(frames, bytes.Clone(f)) }
	p.begin()
	p.do(0, func(s *Session) []Action { return s.Say(p.now(), "hello") })
	p.do(1, func(s *Session) []Action { return s.Preview(p.now(), []byte{1}) })
	p.do(0, func(s *Session) []Action { return s.Express(p.now(), 1) })
	p.wait(1500)
	p.playOut()
	for i := range 2 {
		p.do(i, func(s *Session) []Action { return s.Rematch(p.now(), true) })
		for _, r := range p.journal[i] {
			records = append(records, r...)
		}
	}
	q := unlike(tt, 1, nil)
	q.onFrame = p.onFrame
	q.wait(11_000)
	b, raw := bundles(q)
	if b[0].Index == 0 {
		t.Fatal("no bundle")
	}
	frames = append(frames, []byte{}, []byte{frameVersion})
	return frames, records, raw[0]
}

// FuzzFrame gives a session in the middle of a match any frame: it never
// panics, and whatever it sends is a frame.
func FuzzFrame(f *testing.F) {
	frames, _, _ := played(f)
	for _, b := range frames {
		f.Add(b, false)
		f.Add(b, true)
	}
	f.Fuzz(func(t *testing.T, b []byte, early bool) {
		p := newPair(t, nil)
		if early {
			p.connect()
		} else {
			p.begin()
		}
		// Under the present number, so that it is looked into.
		if h, body, err := parseFrame(b); err == nil {
			p.forge(0, h.kind, body)
			p.forge(1, h.kind, body)
			if again := h.append(nil); !bytes.Equal(again, b[:headerLen]) {
				t.Error("the header does not encode back")
			}
		}
		p.do(0, func(s *Session) []Action { return s.Receive(p.now(), b) })
		p.do(1, func(s *Session) []Action { return s.Receive(p.now(), b) })
	})
}

// FuzzBody holds that every body that reads encodes back to its bytes.
func FuzzBody(f *testing.F) {
	frames, _, _ := played(f)
	for _, b := range frames {
		if h, body, err := parseFrame(b); err == nil {
			f.Add(uint8(h.kind), body)
		}
	}
	f.Add(uint8(FrameCallOff), callOff{}.append(nil))
	f.Add(uint8(FrameEnded), ended{end: Abandoned}.append(nil))
	f.Add(uint8(FrameRefuse), refuseFrame{}.append(nil))
	f.Add(uint8(FrameDesync), desyncFrame{index: 1, parts: 1}.append(nil))
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) {
		if again, ok := reencode(FrameKind(kind), b); ok && !bytes.Equal(again, b) {
			t.Errorf("%v: %x becomes %x", FrameKind(kind), b, again)
		}
	})
}

func reencode(kind FrameKind, b []byte) (again []byte, ok bool) {
	var bad Reason
	switch kind {
	case FrameHello:
		var m hello
		m, bad = parseHello(b)
		again = m.append(nil)
	case FrameResume:
		var m resume
		m, bad = parseResume(b)
		again = m.append(nil)
	case FrameRoom:
		var m roomFrame
		m, bad = parseRoom(b)
		again = m.append(nil)
	case FrameReady:
		var m readyFrame
		m, bad = parseReady(b)
		again = m.append(nil)
	case FrameStart:
		var m start
		m, bad = parseStart(b)
		again = m.append(nil)
	case FrameAccept:
		var m accept
		m, bad = parseAccept(b)
		again = m.append(nil)
	case FrameSign:
		var m sign
		m, bad = parseSign(b)
		again = m.append(nil)
	case FrameRefuse:
		var m refuseFrame
		m, bad = parseRefuse(b)
		again = m.append(nil)
	case FrameTerms:
		var m termsFrame
		if m, bad = parseTermsFrame(b); bad == 0 {
			again = m.append(nil)
		}
	case FrameEntries:
		var m []record.SignedEntry
		if m, bad = parseEntries(b); bad == 0 {
			again = appendEntries(nil, m)
		}
	case FrameDesync:
		var m desyncFrame
		m, bad = parseDesync(b)
		again = m.append(nil)
	case FrameCallOff:
		var m callOff
		m, bad = parseCallOff(b)
		again = m.append(nil)
	case FrameEnded:
		var m ended
		m, bad = parseEnded(b)
		again = m.append(nil)
	case FrameRematch:
		var m rematch
		m, bad = parseRematch(b)
		again = m.append(nil)
	case FramePreview:
		var m preview
		m, bad = parsePreview(b)
		again = m.append(nil)
	case FrameChat:
		var m ChatLine
		m, bad = parseChat(b)
		again = m.append(nil)
	default:
		return nil, false
	}
	return again, bad == 0
}

// FuzzJournal reads any records: it never panics, and what is accepted is
// taken up.
func FuzzJournal(f *testing.F) {
	_, records, _ := played(f)
	for _, r := range records {
		f.Add(r, uint8(0))
		f.Add(r, uint8(3))
	}
	f.Fuzz(func(t *testing.T, b []byte, at uint8) {
		p := newPair(t, nil)
		splitting(p)
		j := append([][]byte(nil), p.journal[1][p.last[1]]...)
		j[int(at)%len(j)] = b
		if _, err := ReadJournal(j); err != nil {
			return
		}
		if s, err := Resume(p.cfg[1], p.now(), j); err == nil {
			p.s[1] = s
			p.connect()
		}
	})
}

// FuzzBundle holds that a bundle that reads encodes back to its bytes.
func FuzzBundle(f *testing.F) {
	_, _, bundle := played(f)
	f.Add(bundle)
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := ParseBundle(b)
		if err != nil {
			return
		}
		v.Differ()
		if again := v.Append(nil); !bytes.Equal(again, b) {
			t.Error("does not encode back")
		}
	})
}
