package ranking

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/cleavegame/cleave/lockstep/record"
)

// The headers of a signed request.
const (
	keyHeader       = "Cleave-Key"
	nonceHeader     = "Cleave-Nonce"
	signatureHeader = "Cleave-Signature"
)

// NonceWindowMs is how far a nonce's time may lie from the server's.
const NonceWindowMs = 5 * 60 * 1000

// A Nonce makes each signed request another. Its first 8 bytes are the time in
// Unix milliseconds, big-endian; the others are random.
type Nonce [16]byte

// NewNonce makes a nonce for a request at the server's time nowMs.
func NewNonce(nowMs int64) Nonce {
	var n Nonce
	binary.BigEndian.PutUint64(n[:8], uint64(nowMs))
	rand.Read(n[8:])
	return n
}

// TimeMs is the time in the nonce.
func (n Nonce) TimeMs() int64 { return int64(binary.BigEndian.Uint64(n[:8])) }

// requestMessage is what the player's key signs.
func requestMessage(server record.Key, method, path string, body []byte, nonce Nonce) []byte {
	var b bytes.Buffer
	b.WriteString("cleave/request/1")
	b.Write(server[:])
	for _, s := range []string{method, path} {
		b.Write(binary.BigEndian.AppendUint16(nil, uint16(len(s))))
		b.WriteString(s)
	}
	hash := sha256.Sum256(body)
	b.Write(hash[:])
	b.Write(nonce[:])
	return b.Bytes()
}

// signature is the values of the headers that make a request one of the key:
// key, nonce and signature. target is the path with its query.
func signature(method, target string, body []byte, server, key record.Key, nonce Nonce, sign record.Signer) (headers [][2]string) {
	sig := sign(requestMessage(server, method, target, body, nonce))
	for _, h := range []struct {
		name  string
		value []byte
	}{{keyHeader, key[:]}, {nonceHeader, nonce[:]}, {signatureHeader, sig[:]}} {
		headers = append(headers, [2]string{h.name, base64.RawURLEncoding.EncodeToString(h.value)})
	}
	return headers
}
