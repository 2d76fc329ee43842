//go:build !js

package signal

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/coder/websocket"
)

// A Socket is one WebSocket between a client and a rendezvous server, the
// same type at both ends. Read belongs to one goroutine; the rest may be
// called from several.
type Socket struct {
	conn *websocket.Conn
	life context.Context // ended by kill: then a Read closes the socket at once
	kill context.CancelFunc
}

func newSocket(conn *websocket.Conn, limit int64) *Socket {
	conn.SetReadLimit(limit)
	life, kill := context.WithCancel(context.Background())
	return &Socket{conn, life, kill}
}

// writeLimit bounds a write: who does not read for so long is gone.
const writeLimit = 10 * time.Second

// Accept takes over an HTTP request as the server's end of a Socket. It lets
// pages of any origin in: nothing that a browser would add to the request, a
// cookie say, is ever looked at. Where it returns an error it has answered.
func Accept(w http.ResponseWriter, r *http.Request) (*Socket, error) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true,
		// Sealed messages do not compress, and a compressor that sees secrets
		// and guesses together tells them apart by length.
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return nil, err
	}
	return newSocket(conn, max(MaxRelayed, MaxRequest)), nil
}

// Read returns the next message and whether it is text. The error is a
// Failure if the other end closed the socket with one, or sent a message that
// is too large. When ctx ends the socket is closed.
func (s *Socket) Read(ctx context.Context) (data []byte, text bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	kind, data, err := s.conn.Read(ctx)
	if err != nil {
		if f := failureOfCode(int(websocket.CloseStatus(err))); f != 0 {
			return nil, false, f
		}
		if errors.Is(err, websocket.ErrMessageTooBig) {
			return nil, false, ProtocolError
		}
		return nil, false, err
	}
	return data, kind == websocket.MessageText, nil
}

// Write sends a message. A write that takes more than 10 seconds closes the
// socket.
func (s *Socket) Write(data []byte, text bool) error {
	// Not the caller's context: one that ends would close the socket.
	ctx, cancel := context.WithTimeout(context.Background(), writeLimit)
	defer cancel()
	kind := websocket.MessageBinary
	if text {
		kind = websocket.MessageText
	}
	return s.conn.Write(ctx, kind, data)
}

// Close says why (0 for no reason) and closes the socket. While a Read is
// waiting it takes a second at most.
func (s *Socket) Close(why Failure) {
	defer s.kill()
	defer time.AfterFunc(closeLimit, s.kill).Stop()
	s.conn.Close(websocket.StatusCode(why.code()), why.reason())
}

// Drop closes the socket at once, without a word.
func (s *Socket) Drop() {
	s.kill()
	s.conn.CloseNow()
}
