package signal

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
)

func TestCheckKey(t *testing.T) {
	key, _ := identity(1)
	if err := checkKey(key); err != nil {
		t.Error(err)
	}
	for name, text := range map[string]string{
		"the identity":           "0100000000000000000000000000000000000000000000000000000000000000",
		"the identity, sign set": "0100000000000000000000000000000000000000000000000000000000000080",
		"zero":                   "0000000000000000000000000000000000000000000000000000000000000000",
		"order 2":                "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"order 2, sign set":      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"order 8":                "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"another of order 8":     "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
		"the prime":              "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"the prime and one":      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"all ones":               "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	} {
		b, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		if checkKey([32]byte(b)) == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	// Just below the prime, and with the highest byte alone at its top.
	for _, text := range []string{
		"ebffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"edfffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe7f",
	} {
		b, _ := hex.DecodeString(text)
		if err := checkKey([32]byte(b)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestListing(t *testing.T) {
	key, sign := identity(1)
	l := Listing{
		Instance: Mailbox{1, 2}, Key: key, Player: "Zoë", Name: "Friday 🎲", State: RoomStateLocked,
		Clocks: "double", Rated: true, Version: 1,
	}
	b, err := l.Append(nil, sign)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ParseListing(b); err != nil || got != l {
		t.Errorf("%+v, %v", got, err)
	}
	for i := range b {
		changed := bytes.Clone(b)
		changed[i] ^= 1
		if got, err := ParseListing(changed); err == nil {
			t.Errorf("with byte %d changed it is %+v", i, got)
		}
	}
	for n := range b {
		if _, err := ParseListing(b[:n]); err == nil {
			t.Errorf("its first %d bytes are a listing", n)
		}
	}
	if _, err := ParseListing(append(bytes.Clone(b), 0)); err == nil {
		t.Error("a byte after its end is accepted")
	}
	for what, bad := range map[string]func(*Listing){
		"long name":       func(l *Listing) { l.Name = strings.Repeat("x", MaxName+1) },
		"not UTF-8":       func(l *Listing) { l.Player = "\xff" },
		"a line break":    func(l *Listing) { l.Player = "a\nb" },
		"turns direction": func(l *Listing) { l.Name = "a\u202eb" },
		"unknown state":   func(l *Listing) { l.State = "gone" },
		"unknown clocks":  func(l *Listing) { l.Clocks = "" },
	} {
		c := l
		bad(&c)
		if _, err := c.Append(nil, sign); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}

func FuzzParseListing(f *testing.F) {
	key, sign := identity(1)
	b, err := Listing{Key: key, State: RoomStateOpen, Clocks: "off", Name: "x"}.Append(nil, sign)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := ParseListing(b)
		if err != nil {
			return
		}
		body, err := l.body()
		if err != nil || !bytes.Equal(body, b[:len(b)-64]) {
			t.Errorf("%x is %+v, which is %x, %v", b, l, body, err)
		}
	})
}

func FuzzParseReply(f *testing.F) {
	f.Add(Marshal(Reply{N: 1, Number: 7, Mailbox: Mailbox{}.String(), Token: "x", ICE: []ICEServer{{URLs: []string{"stun:x"}}}}))
	f.Add(Marshal(Reply{Event: EventVisit, Visit: 1, By: ByCode}))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := ParseReply(b)
		if err != nil {
			if err != ProtocolError {
				t.Error(err)
			}
			return
		}
		if r.N == 0 && r.Event == "" {
			t.Errorf("%q is neither answer nor event", b)
		}
	})
}

func FuzzParseRequest(f *testing.F) {
	f.Add(Marshal(Request{N: 1, Do: DoJoin, Number: 7}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := ParseRequest(b); err != nil && err != ProtocolError {
			t.Error(err)
		}
	})
}

func FuzzParseRelayed(f *testing.F) {
	f.Add(AppendRelayed(nil, 3, []byte("x")))
	f.Fuzz(func(t *testing.T, b []byte) {
		visit, m, err := ParseRelayed(b)
		if err == nil && !bytes.Equal(AppendRelayed(nil, visit, m), b) {
			t.Errorf("%x", b)
		}
	})
}

func FuzzParseCard(f *testing.F) {
	key, _ := identity(1)
	f.Add(newCard(key, []byte("binding")).append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := parseCard(b)
		if err == nil && !bytes.Equal(c.append(nil), b) {
			t.Errorf("%x", b)
		}
	})
}

func FuzzParseHello(f *testing.F) {
	f.Add(hello{oldest: 1, newest: 2, secret: true}.append(nil))
	f.Add(appendRefusal(nil, RoomFull))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return
		}
		if h, err := parseHello(b[1:]); err == nil && b[0] == kindHello && !bytes.Equal(h.append(nil), b) {
			t.Errorf("hello %x", b)
		}
		if why, ok := RefusesPairing(b); ok && !bytes.Equal(appendRefusal(nil, why), b) {
			t.Errorf("refusal %x", b)
		}
	})
}

func FuzzParseMailbox(f *testing.F) {
	f.Add(Mailbox{1, 2, 3}.String())
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ParseMailbox(s)
		if err == nil && m.String() != s {
			t.Errorf("%q", s)
		}
	})
}

// script is a peer that sends what it was given and then leaves.
type script struct{ messages [][]byte }

func (s *script) Send(context.Context, []byte) error { return nil }
func (s *script) Receive(context.Context) ([]byte, error) {
	if len(s.messages) == 0 {
		return nil, errHungUp
	}
	m := s.messages[0]
	s.messages = s.messages[1:]
	return m, nil
}

// FuzzPair lets Pair hear any bytes at all, cut into messages at each length
// byte. It must end with one of the failures, and never with a channel.
func FuzzPair(f *testing.F) {
	f.Add(true, []byte{6, kindHello, 0, 1, 0, 1, 1, 33, kindAnswer})
	f.Add(false, append([]byte{6, kindHello, 0, 1, 0, 1, 1, 49, kindStart}, make([]byte, 48)...))
	f.Add(false, []byte{6, kindHello, 0, 1, 0, 1, 0, 33, kindStart})
	f.Add(true, []byte{2, kindRefuse, byte(RoomFull)})
	f.Fuzz(func(t *testing.T, host bool, b []byte) {
		s := &script{}
		for len(b) > 0 {
			n := min(int(b[0]), len(b)-1)
			s.messages = append(s.messages, b[1:1+n])
			b = b[1+n:]
		}
		for _, secret := range []string{"maple-orbit", ""} {
			c, guest := configs(secret)
			if !host {
				c = guest
			}
			copied := *s
			channel, err := Pair(t.Context(), &copied, c)
			var pe *PairError
			if channel != nil || !errors.As(err, &pe) || failures[pe.Failure].name == "" {
				t.Errorf("channel %v, error %v", channel, err)
			}
		}
	})
}

// FuzzLink lets a client hear anything at all from its server.
func FuzzLink(f *testing.F) {
	f.Add(true, Marshal(Reply{Event: EventVisit, Visit: 1, By: ByCode}))
	f.Add(true, Marshal(Reply{Event: EventGone, Visit: 1}))
	f.Add(true, Marshal(Reply{N: 1, Visit: 1}))
	f.Add(false, AppendRelayed(nil, 1, []byte("x")))
	f.Fuzz(func(t *testing.T, text bool, b []byte) {
		l := &link{calls: map[uint32]chan Reply{1: make(chan Reply, 1)}, arrivals: make(chan *Visit, 1), wake: make(chan struct{}, 1)}
		l.begin(Reply{Visit: 1})
		for range 3 {
			var err error
			if text {
				err = l.reply(b)
			} else {
				err = l.relayed(b)
			}
			if err != nil && err != ProtocolError {
				t.Error(err)
			}
		}
	})
}

func TestVisitBoundsWhatNobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &link{calls: map[uint32]chan Reply{}}
		v := l.begin(Reply{Visit: 1})
		for range visitQueue + 1 {
			if err := l.relayed(AppendRelayed(nil, 1, []byte("x"))); err != nil {
				t.Fatal(err)
			}
		}
		for range visitQueue {
			if _, err := v.Receive(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		_, err := v.Receive(t.Context())
		if f, _ := FailureOf(err); f != ProtocolError {
			t.Error(err)
		}
	})
}
