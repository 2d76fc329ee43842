package signal

import "time"

// closeLimit bounds the goodbye of a socket, which only lets what was sent
// before it arrive.
const closeLimit = time.Second

// The close codes of a WebSocket: one means that nothing is wrong, and the
// failures begin in the range that is left to applications.
const (
	closeNormal = 1000
	closeBase   = 4000
)

// code is the close code that says f; 0 is no failure.
func (f Failure) code() int {
	if f == 0 {
		return closeNormal
	}
	return closeBase + int(f)
}

func (f Failure) reason() string {
	if f == 0 {
		return ""
	}
	return f.Name()
}

// failureOfCode is the failure that a close code says, or 0.
func failureOfCode(code int) Failure {
	if code <= closeBase || code > closeBase+255 {
		return 0
	}
	if f := Failure(code - closeBase); failures[f].name != "" {
		return f
	}
	return 0
}
