package record

import (
	"crypto/sha256"
	"unicode"
)

const codeDomain = "cleave/player/1"

// crockford is the alphabet of player codes: no I, L, O or U.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// A Code is a player code: the first 80 bits of
// SHA-256("cleave/player/1" || public key). It names a key to people; it
// never replaces one.
type Code [10]byte

// PlayerCode is the code of a key as people see it, XXXX-XXXX-XXXX-XXXX.
func PlayerCode(k Key) string { return k.Code().String() }

// Code is the player code of the key.
func (k Key) Code() Code {
	var b [len(codeDomain) + len(k)]byte
	copy(b[copy(b[:], codeDomain):], k[:])
	h := sha256.Sum256(b[:])
	return Code(h[:10])
}

// String writes the code in Crockford's base32, most significant bit first,
// in four groups of four.
func (c Code) String() string {
	out := make([]byte, 0, 19)
	bits, have := uint32(0), 0
	for _, b := range c {
		bits, have = bits<<8|uint32(b), have+8
		for have >= 5 {
			if n := len(out); n == 4 || n == 9 || n == 14 {
				out = append(out, '-')
			}
			have -= 5
			out = append(out, crockford[bits>>have&31])
		}
	}
	return string(out)
}

// ParsePlayerCode reads a player code as people type it: in any case, O for
// 0, I and L for 1, spaces and dashes anywhere. The error is ErrPlayerCode.
func ParsePlayerCode(s string) (Code, error) {
	var c Code
	bits, have, n := uint32(0), 0, 0
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) {
			continue
		}
		v := symbol(r)
		if v < 0 {
			return Code{}, ErrPlayerCode
		}
		bits, have = bits<<5|uint32(v), have+5
		if have >= 8 {
			if n == len(c) {
				return Code{}, ErrPlayerCode
			}
			have -= 8
			c[n] = byte(bits >> have)
			n++
		}
	}
	if n != len(c) || have != 0 {
		return Code{}, ErrPlayerCode
	}
	return c, nil
}

// symbol is the value of one character of a code, -1 if it has none.
func symbol(r rune) int {
	if 'a' <= r && r <= 'z' {
		r -= 'a' - 'A'
	}
	switch r {
	case 'O':
		return 0
	case 'I', 'L':
		return 1
	}
	for i := range len(crockford) {
		if rune(crockford[i]) == r {
			return i
		}
	}
	return -1
}
