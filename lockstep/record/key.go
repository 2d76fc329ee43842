package record

import (
	"crypto/ed25519"
	"encoding/base64"
)

// A Key is a player's or a ranking server's Ed25519 public key. One that came
// from outside is made by ParseKey; the zero Key is of small order and so
// never valid.
type Key [32]byte

// A Signature is an Ed25519 signature. Its bytes are not checked when parsed;
// it is valid exactly when crypto/ed25519.Verify says so.
type Signature [64]byte

// A Signer signs a message with the key of its owner, who alone knows it.
type Signer func(message []byte) Signature

// ParseKey reads the 32 bytes of a public key. It refuses the eight points of
// small order, under which a signature of nobody verifies, and every second
// spelling of a point (a y of 2^255-19 or more, or a sign where x is 0), with
// ErrKeyLength, ErrKeySmallOrder or ErrKeyForm. Bytes that are no point at
// all are let through: no signature verifies under them.
func ParseKey(b []byte) (Key, error) {
	if len(b) != len(Key{}) {
		return Key{}, ErrKeyLength
	}
	k := Key(b)
	return k, k.Check()
}

// Check refuses what ParseKey refuses.
func (k Key) Check() error {
	y := k
	y[31] &= 0x7f
	signed := k[31] != y[31]
	// y >= p = 2^255-19, little-endian: 0xed, 30 times 0xff, 0x7f.
	if y[31] == 0x7f && y[0] >= 0xed {
		over := true
		for _, c := range y[1:31] {
			over = over && c == 0xff
		}
		if over {
			return ErrKeyForm
		}
	}
	switch y {
	case orderOne, orderTwo:
		if signed { // x is 0, which has no sign
			return ErrKeyForm
		}
		return ErrKeySmallOrder
	case orderFour, orderEightA, orderEightB:
		return ErrKeySmallOrder
	}
	return nil
}

// The y coordinates of the points of order 1, 2, 4 and 8; those of order 4
// and 8 are valid with either sign of x, which makes eight points.
var (
	orderOne  = Key{0: 1}
	orderTwo  = Key{0: 0xec, 1: 0xff, 2: 0xff, 3: 0xff, 4: 0xff, 5: 0xff, 6: 0xff, 7: 0xff, 8: 0xff, 9: 0xff, 10: 0xff, 11: 0xff, 12: 0xff, 13: 0xff, 14: 0xff, 15: 0xff, 16: 0xff, 17: 0xff, 18: 0xff, 19: 0xff, 20: 0xff, 21: 0xff, 22: 0xff, 23: 0xff, 24: 0xff, 25: 0xff, 26: 0xff, 27: 0xff, 28: 0xff, 29: 0xff, 30: 0xff, 31: 0x7f}
	orderFour = Key{}
	// Order 8: 26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05
	// and its negative.
	orderEightA = Key{0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05}
	orderEightB = Key{0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a}
)

// Verify reports whether sig is k's signature of message.
func (k Key) Verify(message []byte, sig Signature) bool {
	return ed25519.Verify(k[:], message, sig[:])
}

// String is the key in base64url without padding.
func (k Key) String() string { return base64.RawURLEncoding.EncodeToString(k[:]) }
