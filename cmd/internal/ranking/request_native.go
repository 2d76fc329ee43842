//go:build !js

package ranking

import (
	"encoding/base64"
	"net/http"

	"github.com/cleavegame/cleave/lockstep/record"
)

// SignRequest sets the headers that make r a request of the key, whose body is
// given. The path signed is the one of the URL with its query.
func SignRequest(r *http.Request, body []byte, server, key record.Key, nonce Nonce, sign record.Signer) {
	for _, h := range signature(r.Method, r.URL.RequestURI(), body, server, key, nonce, sign) {
		r.Header.Set(h[0], h[1])
	}
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
