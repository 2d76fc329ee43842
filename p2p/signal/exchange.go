package signal

import (
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"filippo.io/cpace"
)

// exchange is the host's half of an open key exchange: CPace when there is a
// secret, X25519 of two ephemeral shares when there is none. This file is the
// only one that knows which.
type exchange struct {
	pake  *cpace.State
	share *ecdh.PrivateKey
}

var errExchange = errors.New("signal: not a share of a key exchange")

func contextInfo(ad []byte) *cpace.ContextInfo {
	return cpace.NewContextInfo("cleave host", "cleave guest", ad)
}

func startExchange(secret string, ad []byte) (*exchange, []byte, error) {
	if secret == "" {
		share, err := ecdh.X25519().GenerateKey(rand.Reader)
		if err != nil {
			return nil, nil, err
		}
		return &exchange{share: share}, share.PublicKey().Bytes(), nil
	}
	start, state, err := cpace.Start(secret, contextInfo(ad))
	if err != nil {
		return nil, nil, err
	}
	return &exchange{pake: state}, start, nil
}

func (x *exchange) finish(answer []byte) ([]byte, error) {
	if x.share != nil {
		return agree(x.share, answer)
	}
	shared, err := x.pake.Finish(answer)
	if err != nil {
		return nil, errExchange
	}
	return shared, nil
}

func answerExchange(secret string, ad, start []byte) (answer, shared []byte, err error) {
	if secret == "" {
		share, err := ecdh.X25519().GenerateKey(rand.Reader)
		if err != nil {
			return nil, nil, err
		}
		shared, err := agree(share, start)
		return share.PublicKey().Bytes(), shared, err
	}
	answer, shared, err = cpace.Exchange(secret, contextInfo(ad), start)
	if err != nil {
		return nil, nil, errExchange
	}
	return answer, shared, nil
}

func agree(own *ecdh.PrivateKey, share []byte) ([]byte, error) {
	peer, err := ecdh.X25519().NewPublicKey(share)
	if err != nil {
		return nil, errExchange
	}
	shared, err := own.ECDH(peer) // refuses shares of small order
	if err != nil {
		return nil, errExchange
	}
	return shared, nil
}

const pairDomain = "cleave/pair/1"

// appendAssociated appends what both sides must agree on before the exchange:
// a difference in any of it gives another key, just as another secret does.
func appendAssociated(b []byte, version uint16, host, guest hello, context string) []byte {
	b = append(b, pairDomain...)
	b = binary.BigEndian.AppendUint16(b, version)
	b = host.append(b)
	b = guest.append(b)
	return append(b, context...)
}

// transcriptHash covers all that was said in clear. The lengths make the
// parts unambiguous.
func transcriptHash(ad, start, answer []byte) [32]byte {
	h := sha256.New()
	for _, part := range [][]byte{ad, start, answer} {
		var n [2]byte
		binary.BigEndian.PutUint16(n[:], uint16(len(part)))
		h.Write(n[:])
		h.Write(part)
	}
	return [32]byte(h.Sum(nil))
}

const confirmSize = sha256.Size

// schedule is every key of one pairing.
type schedule struct {
	root                      []byte
	confirmHost, confirmGuest []byte
	sealHost, sealGuest       []byte
}

func deriveKeys(shared []byte, transcript [32]byte) schedule {
	root, err := hkdf.Extract(sha256.New, shared, transcript[:])
	if err != nil {
		panic("signal: " + err.Error())
	}
	return schedule{
		root:         root,
		confirmHost:  expand(root, "cleave/confirm/host"),
		confirmGuest: expand(root, "cleave/confirm/guest"),
		sealHost:     expand(root, "cleave/seal/host"),
		sealGuest:    expand(root, "cleave/seal/guest"),
	}
}

func expand(root []byte, info string) []byte {
	key, err := hkdf.Expand(sha256.New, root, info, 32)
	if err != nil {
		panic("signal: " + err.Error())
	}
	return key
}

func (s schedule) confirmation(by Role, transcript [32]byte) []byte {
	key := s.confirmHost
	if by == Guest {
		key = s.confirmGuest
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(transcript[:])
	return mac.Sum(nil)
}

// session is the secret that outlives the channel: made from fresh bytes of
// both sides, so that neither alone decides it, and from the pairing's key.
func (s schedule) session(transcript [32]byte, host, guest card) [32]byte {
	ikm := append([]byte(nil), s.root...)
	ikm = append(ikm, host.fresh[:]...)
	ikm = append(ikm, guest.fresh[:]...)
	key, err := hkdf.Key(sha256.New, ikm, transcript[:], "cleave/session/1", 32)
	if err != nil {
		panic("signal: " + err.Error())
	}
	return [32]byte(key)
}
