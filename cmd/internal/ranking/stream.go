package ranking

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/cleavegame/cleave/lockstep/record"
)

// maxLine is the longest line of a stream in bytes.
const maxLine = 16 << 10

// ErrStreamClosed is returned by Next after Close.
var ErrStreamClosed = errors.New("ranking: the stream was closed here")

// A Stream is the connection that a player holds to the server during an
// opened match. The match stays opened when it breaks; opening again makes
// another.
type Stream struct {
	body   io.ReadCloser
	cancel context.CancelFunc
	lines  *bufio.Scanner
	server record.Key
	match  record.ID

	mu     sync.Mutex
	closed bool
}

func newStream(body io.ReadCloser, cancel context.CancelFunc, server record.Key, match record.ID) *Stream {
	s := &Stream{body: body, cancel: cancel, lines: bufio.NewScanner(body), server: server, match: match}
	s.lines.Buffer(nil, maxLine)
	s.lines.Split(wholeLine)
	return s
}

// wholeLine splits at line ends. What a broken connection leaves after the last
// is no event.
func wholeLine(data []byte, _ bool) (advance int, line []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	return 0, nil, nil
}

// Next waits for the next event. A receipt in it has been checked. The error
// wraps ErrUnreachable when the line is gone, and is ErrStreamClosed after
// Close. Only one goroutine at a time may call it.
func (s *Stream) Next() (Event, error) {
	if !s.lines.Scan() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.closed {
			return Event{}, ErrStreamClosed
		}
		err := s.lines.Err()
		if err == nil {
			err = io.EOF
		}
		return Event{}, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	var e Event
	if err := json.Unmarshal(s.lines.Bytes(), &e); err != nil {
		return Event{}, fmt.Errorf("ranking: reading an event: %w", err)
	}
	if e.Receipt != nil {
		if err := e.Receipt.Check(s.server); err != nil {
			return Event{}, err
		}
		if e.Receipt.Match != s.match {
			return Event{}, ErrReceipt
		}
	}
	return e, nil
}

// Close ends the stream, and a Next that waits on it. It may be called from
// another goroutine, and again.
func (s *Stream) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	return s.body.Close()
}
