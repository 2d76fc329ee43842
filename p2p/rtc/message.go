package rtc

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cleavegame/cleave/p2p/signal"
)

type kind byte

const (
	offer     kind = 1
	answer    kind = 2
	candidate kind = 3
	gathered  kind = 4
	bye       kind = 5
)

const (
	maxSDP       = 4096 // bytes; browsers and pion write 400 to 700
	maxCandidate = 512  // bytes; usual ones have 60 to 120
)

// A message is one setup message.
type message struct {
	kind   kind
	text   string         // of offer, answer and candidate
	reason signal.Failure // of bye
}

var errMalformed = errors.New("malformed setup message")

func (m message) encode() []byte {
	if m.kind == bye {
		return []byte{byte(bye), byte(m.reason)}
	}
	return append([]byte{byte(m.kind)}, m.text...)
}

func parseMessage(b []byte) (message, error) {
	if len(b) == 0 {
		return message{}, fmt.Errorf("%w: empty", errMalformed)
	}
	m, body := message{kind: kind(b[0])}, b[1:]
	switch m.kind {
	case offer, answer:
		if len(body) == 0 || len(body) > maxSDP || !printable(body, "\r\n") {
			return message{}, fmt.Errorf("%w: description", errMalformed)
		}
		m.text = string(body)
	case candidate:
		if len(body) > maxCandidate || !printable(body, "") || !strings.HasPrefix(string(body), "candidate:") {
			return message{}, fmt.Errorf("%w: candidate", errMalformed)
		}
		m.text = string(body)
	case gathered:
		if len(body) != 0 {
			return message{}, fmt.Errorf("%w: bytes after the last", errMalformed)
		}
	case bye:
		if len(body) != 1 {
			return message{}, fmt.Errorf("%w: bye", errMalformed)
		}
		m.reason = signal.Failure(body[0])
	default:
		return message{}, fmt.Errorf("%w: kind %d", errMalformed, m.kind)
	}
	return m, nil
}

// printable reports whether b has only printable ASCII and the bytes in also.
func printable(b []byte, also string) bool {
	for _, c := range b {
		if (c < ' ' || c > '~') && strings.IndexByte(also, c) < 0 {
			return false
		}
	}
	return true
}

// withoutOrigin returns a candidate without the address that a relay or a STUN
// server saw it come from, if it is a relayed one: whoever plays through a relay
// may do so to hide that address. RFC 8839 asks for the two fields, so they are
// kept and say nothing, as browsers have it.
func withoutOrigin(c string) string {
	f := strings.Fields(c)
	relayed := false
	for i := 0; i+1 < len(f); i++ {
		if f[i] == "typ" && f[i+1] == "relay" {
			relayed = true
		}
	}
	if !relayed {
		return c
	}
	for i := 0; i+1 < len(f); i++ {
		switch f[i] {
		case "raddr":
			f[i+1] = "0.0.0.0"
		case "rport":
			f[i+1] = "9"
		}
	}
	return strings.Join(f, " ")
}

// isRelayed reports whether c is a relay's address.
func isRelayed(c string) bool { return strings.Contains(c, " typ relay") }
