package signal

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Version is the newest version of the pairing that this package speaks.
//
// 1: the first one.
const Version uint16 = 1

// MaxMessage is the largest message in bytes that Messages must be able to
// carry, and MaxSealed the largest that Channel.Send accepts.
const (
	MaxMessage = 16 << 10
	MaxSealed  = MaxMessage - 1 - sealOverhead
)

// The times within which a pairing must move on. Together they stay under 20
// seconds, after which nothing may still be hanging.
const (
	// visitorLimit is what a visitor has for the version and the answer; who
	// is silent for longer loses the seat.
	visitorLimit = 5 * time.Second
	// hostLimit is what a guest grants its host for the version and the
	// start: more, because the host's socket may just be coming back.
	hostLimit = 8 * time.Second
	// stepLimit is for each message after these.
	stepLimit = 5 * time.Second
)

// Messages carries whole messages between the two programs that pair: a
// mailbox at the rendezvous server (Visit) or a stream of a LAN connection.
// It keeps their order and loses none while it is open. Neither end trusts it
// with anything.
//
// The error of a pipe that has ended may be a Failure, which Pair passes on;
// any other means that the other side left. A Receive that returned because
// its context ended must have consumed nothing if the pipe is to be used on.
type Messages interface {
	Send(ctx context.Context, message []byte) error
	Receive(ctx context.Context) ([]byte, error)
}

// A Role says which end of a pairing one is.
type Role uint8

// The roles. The host waits, the guest comes.
const (
	Host  Role = 1
	Guest Role = 2
)

func (r Role) other() Role { return Host + Guest - r }

func (r Role) String() string {
	switch r {
	case Host:
		return "host"
	case Guest:
		return "guest"
	}
	return "nobody"
}

// PairConfig is what one end brings to a pairing.
type PairConfig struct {
	Role Role
	// Key is the own player key and Sign makes Ed25519 signatures under it.
	Key  [32]byte
	Sign func(message []byte) [64]byte
	// Secret is what both sides know: Code.Secret, a password, ResumeSecret.
	// Empty means a public room. At most 1024 bytes.
	Secret string
	// Password says that Secret is a room's password: then a wrong one is
	// WrongPassword and not WrongCode.
	Password bool
	// Context names the place of the meeting, the same on both sides
	// (Visit.Context, or the host's libp2p id), so that no message of another
	// place is accepted here. At most 1024 bytes.
	Context string
	// Binding is what ties this pairing to the connection that it is for:
	// the fingerprint of the own DTLS certificate, or the own libp2p id. 1 to
	// 64 bytes. The other side gets it sealed and signed.
	Binding []byte
	// Newest and Oldest are the protocol versions spoken; 0 means Version.
	Newest, Oldest uint16
	// Expect is the player key that the other side must prove; zero accepts
	// any. Another key is a ProtocolError.
	Expect [32]byte
	// Tries limits how often a host's password may be guessed; nil for a
	// code, which a single answer spends.
	Tries *Tries
}

// A PairError says why a pairing failed. FailureOf finds its Failure.
type PairError struct {
	Failure Failure
	// Spent is true once the CPace message had been answered: the code must
	// not be used again, by either side.
	Spent bool
	// Detail is for the log: what was being waited for.
	Detail string
	// Err is the cause underneath, if there is one.
	Err error
}

func (e *PairError) Error() string { return "signal: " + e.Detail + ": " + e.Failure.Error() }

// Unwrap gives the failure and the cause.
func (e *PairError) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Failure}
	}
	return []error{e.Failure, e.Err}
}

// Pair makes a sealed channel over m with whoever is at its other end, who
// must know the same secret and prove a player key. It takes at most 20
// seconds. The error is a *PairError, or ctx's error if ctx ended first (then
// a code must be taken as spent). After an error m is of no further use; it
// is to be closed so that what was sent still arrives, a refusal perhaps.
func Pair(ctx context.Context, m Messages, config PairConfig) (*Channel, error) {
	p, err := newPairing(m, config)
	if err != nil {
		return nil, err
	}
	if config.Role == Host {
		err = p.host(ctx)
	} else {
		err = p.guest(ctx)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("signal: %s: %w", p.doing, context.Cause(ctx))
		}
		var pe *PairError
		if !errors.As(err, &pe) {
			pe = &PairError{Failure: ProtocolError, Err: err}
		}
		pe.Spent, pe.Detail = p.spent, p.doing
		return nil, pe
	}
	return p.channel(), nil
}

// Refuse tells a visitor, in the place of a pairing, why there will be none:
// RoomFull, RoomInMatch, SlowDown or TooManyTries.
func Refuse(ctx context.Context, m Messages, why Failure) error {
	ctx, cancel := context.WithTimeout(ctx, stepLimit)
	defer cancel()
	return m.Send(ctx, appendRefusal(nil, why))
}
