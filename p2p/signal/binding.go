package signal

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
)

const maxBinding = 64

// card is who one side says it is; sealed, and believed only once the proof
// has held.
type card struct {
	fresh   [32]byte // its half of the session secret
	key     [32]byte
	binding []byte
}

func newCard(key [32]byte, binding []byte) card {
	c := card{key: key, binding: bytes.Clone(binding)}
	rand.Read(c.fresh[:]) // never fails: the runtime crashes first
	return c
}

func (c card) append(b []byte) []byte {
	b = append(b, c.fresh[:]...)
	b = append(b, c.key[:]...)
	b = append(b, byte(len(c.binding)))
	return append(b, c.binding...)
}

func parseCard(b []byte) (card, error) {
	const fixed = 32 + 32 + 1
	if len(b) < fixed || len(b) != fixed+int(b[fixed-1]) || b[fixed-1] == 0 || b[fixed-1] > maxBinding {
		return card{}, errors.New("signal: malformed card")
	}
	c := card{fresh: [32]byte(b), key: [32]byte(b[32:]), binding: bytes.Clone(b[fixed:])}
	if err := checkKey(c.key); err != nil {
		return card{}, err
	}
	return c, nil
}

const bindingDomain = "cleave/binding/1"

// appendBound appends what a side signs: whoever signer is, it binds its
// player key to this pairing, to the other's key, and to the two ends of the
// connection that the pairing is for.
func appendBound(b []byte, signer Role, version uint16, transcript [32]byte, host, guest card) []byte {
	h := sha256.New()
	h.Write(transcript[:])
	for _, c := range []card{host, guest} {
		h.Write(c.fresh[:])
		h.Write([]byte{byte(len(c.binding))})
		h.Write(c.binding)
	}
	b = append(b, bindingDomain...)
	b = append(b, byte(signer))
	b = binary.BigEndian.AppendUint16(b, version)
	b = append(b, host.key[:]...)
	b = append(b, guest.key[:]...)
	return h.Sum(b)
}

func verifyBound(key [32]byte, message, sig []byte) error {
	if len(sig) != ed25519.SignatureSize || !ed25519.Verify(key[:], message, sig) {
		return errors.New("signal: the proof of the other's key does not hold")
	}
	return nil
}

// smallOrder are the y coordinates of the eight points of small order, whose
// signatures prove nothing. The sign bit is cleared.
var smallOrder = func() (ys [5][32]byte) {
	for i, s := range [5]string{
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000000",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	} {
		if n, err := hex.Decode(ys[i][:], []byte(s)); n != 32 || err != nil {
			panic("signal: malformed table")
		}
	}
	return ys
}()

// checkKey refuses a player key that could never be one, or that has a second
// spelling: a point of small order, or a coordinate that is not reduced.
func checkKey(key [32]byte) error {
	y := key
	y[31] &= 0x7f
	for _, bad := range smallOrder {
		if y == bad {
			return errors.New("signal: player key of small order")
		}
	}
	// The prime is 2^255 - 19: ed ff … ff 7f in this order of bytes.
	if y[31] == 0x7f && y[0] >= 0xed {
		reduced := false
		for _, b := range y[1:31] {
			reduced = reduced || b != 0xff
		}
		if !reduced {
			return errors.New("signal: player key not in canonical form")
		}
	}
	return nil
}
