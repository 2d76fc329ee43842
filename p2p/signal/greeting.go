package signal

import "encoding/binary"

// The first byte of each message of a pairing. The rendezvous server reads it
// too, and nothing else of a message: an answer spends a code.
const (
	kindHello   = 1
	kindStart   = 2
	kindAnswer  = 3
	kindConfirm = 4
	kindRefuse  = 5
	kindSealed  = 6
)

// maxContext bounds the context and the secret, in bytes.
const maxContext = 1024

const (
	helloSize = 5 // without the kind
)

// hello is what each side says in clear before anything else. Its layout
// stays as it is in every version to come, or the versions could not be told.
type hello struct {
	oldest, newest uint16
	secret         bool // whether the sender brings a secret
}

func (h hello) append(b []byte) []byte {
	b = append(b, kindHello)
	b = binary.BigEndian.AppendUint16(b, h.oldest)
	b = binary.BigEndian.AppendUint16(b, h.newest)
	if h.secret {
		return append(b, 1)
	}
	return append(b, 0)
}

func parseHello(body []byte) (hello, error) {
	if len(body) != helloSize || body[4] > 1 {
		return hello{}, &PairError{Failure: ProtocolError}
	}
	h := hello{
		oldest: binary.BigEndian.Uint16(body),
		newest: binary.BigEndian.Uint16(body[2:]),
		secret: body[4] == 1,
	}
	if h.oldest == 0 || h.oldest > h.newest {
		return hello{}, &PairError{Failure: ProtocolError}
	}
	return h, nil
}

func appendRefusal(b []byte, why Failure) []byte { return append(b, kindRefuse, byte(why)) }

// parseRefusal accepts only the failures that a host can mean. They come in
// clear, so whoever carries the messages can invent them; that is no more
// than it could do by staying silent.
func parseRefusal(body []byte) (Failure, error) {
	if len(body) != 1 {
		return 0, &PairError{Failure: ProtocolError}
	}
	switch f := Failure(body[0]); f {
	case SlowDown, WrongCode, WrongPassword, TooManyTries, RoomFull, RoomInMatch:
		return f, nil
	}
	return 0, &PairError{Failure: ProtocolError}
}

// AnswersPairing reports whether a relayed message is the guest's answer to
// the host's CPace message, from which on a code is spent.
func AnswersPairing(message []byte) bool { return len(message) > 0 && message[0] == kindAnswer }

// StartsPairing reports whether a relayed message is the host's start, from
// which on the visitor owes an answer.
func StartsPairing(message []byte) bool { return len(message) > 0 && message[0] == kindStart }

// RefusesPairing returns the failure of a relayed message that is a host's
// refusal.
func RefusesPairing(message []byte) (Failure, bool) {
	if len(message) == 0 || message[0] != kindRefuse {
		return 0, false
	}
	why, err := parseRefusal(message[1:])
	return why, err == nil
}
