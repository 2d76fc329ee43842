package rtc

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/p2p/signal"
)

var messages = []message{
	{kind: offer, text: "v=0\r\n"},
	{kind: answer, text: "v=0\r\n"},
	{kind: candidate, text: "candidate:1 1 udp 2130706431 192.0.2.1 5000 typ host"},
	{kind: gathered},
	{kind: bye, reason: signal.NoRoute},
}

func TestMessage(t *testing.T) {
	for _, m := range messages {
		got, err := parseMessage(m.encode())
		if err != nil || got != m {
			t.Errorf("%+v came back as %+v, %v", m, got, err)
		}
	}
}

func TestMessageRefused(t *testing.T) {
	for _, tt := range []struct{ name, b string }{
		{"empty", ""},
		{"kind 0", "\x00"},
		{"kind 6", "\x06"},
		{"offer without text", "\x01"},
		{"offer too long", "\x01" + strings.Repeat("a", maxSDP+1)},
		{"offer with a control byte", "\x01v=0\x00"},
		{"answer in Latin-1", "\x02v=\xe9"},
		{"candidate of another name", "\x03a=candidate:1"},
		{"candidate too long", "\x03candidate:" + strings.Repeat("1", maxCandidate)},
		{"candidate of two lines", "\x03candidate:1\r\na=x"},
		{"gathered with a tail", "\x04x"},
		{"bye of two bytes", "\x05\x1e\x1e"},
	} {
		if m, err := parseMessage([]byte(tt.b)); !errors.Is(err, errMalformed) {
			t.Errorf("%s: parsed as %+v, %v", tt.name, m, err)
		}
	}
}

func FuzzMessage(f *testing.F) {
	for _, m := range messages {
		f.Add(m.encode())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseMessage(b)
		if err == nil && !bytes.Equal(m.encode(), b) {
			t.Errorf("%x parsed as %+v, which encodes as %x", b, m, m.encode())
		}
	})
}

func TestWithoutOrigin(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{
			"candidate:1 1 udp 1 203.0.113.1 50000 typ relay raddr 192.168.1.7 rport 40000",
			"candidate:1 1 udp 1 203.0.113.1 50000 typ relay raddr 0.0.0.0 rport 9",
		},
		{
			"candidate:1 1 udp 1 203.0.113.1 50000 typ relay raddr 2001:db8::7 rport 40000 generation 0",
			"candidate:1 1 udp 1 203.0.113.1 50000 typ relay raddr 0.0.0.0 rport 9 generation 0",
		},
		{
			"candidate:1 1 udp 1 203.0.113.1 50000 typ srflx raddr 192.168.1.7 rport 40000",
			"candidate:1 1 udp 1 203.0.113.1 50000 typ srflx raddr 192.168.1.7 rport 40000",
		},
		{"candidate:1 typ", "candidate:1 typ"},
		{"candidate:1 typ relay raddr", "candidate:1 typ relay raddr"},
		{"", ""},
	} {
		if got := withoutOrigin(tt.in); got != tt.want {
			t.Errorf("%q\nbecame %q\n  want %q", tt.in, got, tt.want)
		}
	}
}
