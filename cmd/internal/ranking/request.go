package ranking

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"

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

// SignRequest sets the headers that make r a request of the key, whose body is
// given. The path signed is the one of the URL with its query.
func SignRequest(r *http.Request, body []byte, server, key record.Key, nonce Nonce, sign record.Signer) {
	sig := sign(requestMessage(server, r.Method, r.URL.RequestURI(), body, nonce))
	r.Header.Set(keyHeader, base64.RawURLEncoding.EncodeToString(key[:]))
	r.Header.Set(nonceHeader, base64.RawURLEncoding.EncodeToString(nonce[:]))
	r.Header.Set(signatureHeader, base64.RawURLEncoding.EncodeToString(sig[:]))
}

// CheckRequest returns the key that signed r and the nonce, which is not
// judged here. ok is false when a header is missing or malformed or the
// signature does not hold.
func CheckRequest(r *http.Request, body []byte, server record.Key) (key record.Key, nonce Nonce, ok bool) {
	var sig record.Signature
	var raw [32]byte
	if !header(r, keyHeader, raw[:]) || !header(r, nonceHeader, nonce[:]) || !header(r, signatureHeader, sig[:]) {
		return key, nonce, false
	}
	key, err := record.ParseKey(raw[:])
	if err != nil || len(r.Method) > 1<<15 || len(r.URL.RequestURI()) > 1<<15 {
		return key, nonce, false
	}
	return key, nonce, key.Verify(requestMessage(server, r.Method, r.URL.RequestURI(), body, nonce), sig)
}

func header(r *http.Request, name string, into []byte) bool {
	values := r.Header.Values(name)
	if len(values) != 1 || len(values[0]) != base64.RawURLEncoding.EncodedLen(len(into)) {
		return false
	}
	n, err := base64.RawURLEncoding.Strict().Decode(into, []byte(values[0]))
	return err == nil && n == len(into)
}
