package signal

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
)

// ResumeAddress is where at a rendezvous server the two players of a match
// find each other again: HKDF of the session secret of the pairing in which
// the match began. Nobody else can compute it.
func ResumeAddress(session, match [32]byte) [32]byte {
	return resumeKey(session, match, "cleave/resume/address/1")
}

// ResumeSecret is the Secret with which those two pair anew, there or on a
// LAN; it keeps to itself what the address tells the server.
func ResumeSecret(session, match [32]byte) string {
	key := resumeKey(session, match, "cleave/resume/secret/1")
	return hex.EncodeToString(key[:])
}

func resumeKey(session, match [32]byte, info string) [32]byte {
	key, err := hkdf.Key(sha256.New, session[:], match[:], info, 32)
	if err != nil {
		panic("signal: " + err.Error())
	}
	return [32]byte(key)
}
