package ranking

import (
	"crypto/ed25519"
	"crypto/sha256"

	"github.com/cleavegame/cleave/lockstep/record"
)

// signer is the key pair of a name, always the same.
func signer(name string) (record.Key, record.Signer) {
	seed := sha256.Sum256([]byte(name))
	private := ed25519.NewKeyFromSeed(seed[:])
	return record.Key(private.Public().(ed25519.PublicKey)), func(m []byte) record.Signature { return record.Signature(ed25519.Sign(private, m)) }
}

var (
	serverKey, serverSign = signer("server")
	playerKey, playerSign = signer("player")
)

// everyByte is each byte a few times, longer than a piece of a body.
func everyByte() []byte {
	b := make([]byte, record.MaxMatch)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}
