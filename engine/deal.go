package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// A Deal is the seed of a solo game's pieces. It has no state: piece n is
// found without those before it.
type Deal [32]byte

// Draw returns what decides about piece n, counted from 0: byte n mod 32 of
// SHA-256("cleave/deal/1" || seed || n div 32 as a big-endian uint32).
func (d Deal) Draw(n uint32) byte {
	const domain = "cleave/deal/1"
	var b [len(domain) + 32 + 4]byte
	copy(b[copy(b[:], domain):], d[:])
	binary.BigEndian.PutUint32(b[len(b)-4:], n/32)
	sum := sha256.Sum256(b[:])
	return sum[n%32]
}

// families are the pictures of the solo games' pieces by name.
var families = map[string]string{
	"1":  "#",
	"I2": "##",
	"I3": "###",
	"V3": "##/#.",
	"I4": "####",
	"O4": "##/##",
	"L4": "#./#./##",
	"J4": ".#/.#/##",
	"T4": "###/.#.",
	"S4": ".##/##.",
	"Z4": "##./.##",
	"I5": "#####",
	"V5": "#../#../###",
	"L5": "#./#./#./##",
	"J5": ".#/.#/.#/##",
	"P5": "##/##/#.",
	"Q5": "##/##/.#",
	"U5": "#.#/###",
	"T5": "###/.#./.#.",
	"W5": "#../##./.##",
	"X5": ".#./###/.#.",
	"B9": "###/###/###",
}

// ParseSlots makes a table of pieces to deal from. The text names families,
// each with how many slots each of its turns gets: "1:4 I2:3". The turns of a
// family follow each other, clockwise from its picture, duplicates dropped.
func ParseSlots(text string) ([]Piece, error) {
	var slots []Piece
	for _, word := range strings.Fields(text) {
		name, count, _ := strings.Cut(word, ":")
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 || n > 256 || families[name] == "" {
			return nil, fmt.Errorf("engine: not a family and its slots: %q", word)
		}
		p, err := ParsePiece(families[name])
		if err != nil {
			return nil, err
		}
		turns := p.Turns()
		for _, q := range turns.Pieces[:turns.N] {
			for range n {
				slots = append(slots, q)
			}
		}
	}
	return slots, nil
}

// MustSlots is ParseSlots for a table that is part of the rules. It panics
// when the text is wrong or makes another number of slots than size.
func MustSlots(size int, text string) []Piece {
	slots, err := ParseSlots(text)
	if err != nil {
		panic(err)
	}
	if len(slots) != size {
		panic(fmt.Sprintf("engine: a table of %d slots, not %d", len(slots), size))
	}
	return slots
}
