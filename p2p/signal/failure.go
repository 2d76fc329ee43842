package signal

import "errors"

// A Failure is one of the closed list of ways in which two programs fail to
// meet. Its number is the exit code of the command-line tool and the code of
// the rendezvous protocol; numbers are never given a second meaning.
type Failure uint8

// The failures of pairing.
const (
	NoServer          Failure = 10
	ServerFull        Failure = 11
	SlowDown          Failure = 12
	ProtocolError     Failure = 13
	YourVersionOld    Failure = 14
	TheirVersionOld   Failure = 15
	NoSuchCode        Failure = 16
	CodeExpired       Failure = 17
	CodeUsed          Failure = 18
	AlreadyTaken      Failure = 19
	WrongCode         Failure = 20
	WrongPassword     Failure = 21
	TooManyTries      Failure = 22
	RoomFull          Failure = 23
	RoomInMatch       Failure = 24
	NoSuchRoom        Failure = 25
	PeerLeft          Failure = 26
	OwnAccount        Failure = 27
	WebRTCUnavailable Failure = 28
	LANUnavailable    Failure = 29
	NoRoute           Failure = 30
)

var failures = map[Failure]struct{ name, text string }{
	NoServer:          {"no-server", "the server cannot be reached; check the address and your connection, then try again"},
	ServerFull:        {"server-full", "the server has no room for another game just now; try again in a few minutes"},
	SlowDown:          {"slow-down", "too many attempts from here; wait a minute, then try again"},
	ProtocolError:     {"protocol-error", "the other side answered something that makes no sense; update both programs and try again"},
	YourVersionOld:    {"your-version-old", "your version is too old for this game; update Cleave"},
	TheirVersionOld:   {"their-version-old", "your friend's version is too old for this game; ask them to update Cleave"},
	NoSuchCode:        {"no-such-code", "there is no game under this code; check the number and the words"},
	CodeExpired:       {"code-expired", "this code has expired; ask for a new one"},
	CodeUsed:          {"code-used", "this code has been used already; ask for a new one"},
	AlreadyTaken:      {"already-taken", "somebody else is joining with this code just now; ask for a new one"},
	WrongCode:         {"wrong-code", "the words of the code did not match; ask for a new code"},
	WrongPassword:     {"wrong-password", "the password is not right; ask the host, and try again after ten seconds"},
	TooManyTries:      {"too-many-tries", "too many wrong tries; ask the host to open a new room"},
	RoomFull:          {"room-full", "the room is full; join another, or host one"},
	RoomInMatch:       {"room-in-match", "a match is being played in this room; join another, or wait until it is over"},
	NoSuchRoom:        {"no-such-room", "there is no such room; check its name, and that its host is still there"},
	PeerLeft:          {"peer-left", "the other player left; ask whether they want to try again"},
	OwnAccount:        {"own-account", "that is your own account; play a friend, or practise against the computer"},
	WebRTCUnavailable: {"webrtc-unavailable", "no direct connection can be opened here (WebRTC is unavailable); play on the local network, or update Cleave"},
	LANUnavailable:    {"lan-unavailable", "LAN play is unavailable on this machine; check that it is connected to a network"},
	NoRoute:           {"no-route", "no way through to the other machine was found; a firewall may be in the way: allow Cleave in it, or try another network"},
}

// Error is the sentence that a player is shown.
func (f Failure) Error() string {
	if t, ok := failures[f]; ok {
		return t.text
	}
	return "the programs could not meet (an unknown reason)"
}

// Name is the failure's name in metrics and logs, such as "wrong-code".
func (f Failure) Name() string {
	if t, ok := failures[f]; ok {
		return t.name
	}
	return "unknown"
}

// ExitCode is the exit code of a command that ended for this reason.
func (f Failure) ExitCode() int { return int(f) }

// FailureOf returns the Failure that err is or wraps.
func FailureOf(err error) (Failure, bool) {
	var f Failure
	ok := errors.As(err, &f)
	return f, ok
}
