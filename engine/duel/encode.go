package duel

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/cleavegame/cleave/engine"
)

const (
	digestDomain = "cleave/state/duel/1"
	encodedLen   = 96
)

// Append appends the encoding of the state, 96 bytes, as the package comment
// lays it out.
func (s State) Append(b []byte) []byte {
	var e [encodedLen]byte
	s.encode(&e)
	return append(b, e[:]...)
}

func (s *State) encode(e *[encodedLen]byte) {
	copy(e[0:], s.match[:])
	copy(e[32:], s.layer[:])
	binary.BigEndian.PutUint64(e[64:], uint64(s.boards[0]))
	binary.BigEndian.PutUint64(e[72:], uint64(s.boards[1]))
	binary.BigEndian.PutUint16(e[80:], uint16(s.scores[0]))
	binary.BigEndian.PutUint16(e[82:], uint16(s.scores[1]))
	binary.BigEndian.PutUint16(e[84:], uint16(s.block))
	binary.BigEndian.PutUint16(e[86:], s.split)
	e[88] = s.round
	e[89] = uint8(s.phase)
	e[90] = s.first
	e[91] = s.choice
	e[92] = s.owed
	e[93] = uint8(s.idle[0])
	e[94] = uint8(s.idle[1])
	e[95] = uint8(s.end) | s.departed<<4
}

// Digest returns SHA-256("cleave/state/duel/1" || encoding).
func (s State) Digest() [32]byte {
	var b [len(digestDomain) + encodedLen]byte
	copy(b[:], digestDomain)
	s.encode((*[encodedLen]byte)(b[len(digestDomain):]))
	return sha256.Sum256(b[:])
}

// Fields lists the state by name, as the encoding orders it.
func (s State) Fields() []engine.Field {
	list := make([]engine.Field, 0, 20)
	add := func(name, format string, args ...any) {
		list = append(list, engine.Field{Name: name, Value: fmt.Sprintf(format, args...)})
	}
	add("match", "%x", s.match)
	add("layer", "%x", s.layer)
	for seat, b := range s.boards {
		add(fmt.Sprintf("board %d", seat), "%s", boardLine(b))
	}
	for seat, n := range s.scores {
		add(fmt.Sprintf("score %d", seat), "%d", n)
	}
	add("block", "%04x", uint16(s.block))
	add("split", "%04x", s.split)
	add("round", "%d", s.round)
	add("phase", "%d", s.phase)
	add("first splitter", "%d", s.first)
	add("choice", "%d", s.choice)
	add("owed", "%d", s.owed)
	for seat, i := range s.idle {
		add(fmt.Sprintf("idle %d", seat), "flagged %d decided %d rounds %d", i&idleFlagged, i&idleDecided/idleDecided, i.row())
	}
	add("end", "%d", s.end)
	add("departed", "%d", s.departed)
	return list
}

// boardLine draws a board in one line, rows parted by slashes.
func boardLine(b engine.Board) string {
	text := []byte(b.Text(Size))
	for i, c := range text {
		if c == '\n' {
			text[i] = '/'
		}
	}
	return string(text)
}
