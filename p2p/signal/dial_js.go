package signal

import (
	"context"
	"fmt"
	"strings"
	"syscall/js"
)

// dialSocket opens a browser's own WebSocket. A browser says nothing about
// why one did not open.
func dialSocket(ctx context.Context, url string) (*Socket, error) {
	var ws js.Value
	if err := attempt(func() {
		// "http" becomes "ws", and "https" "wss".
		ws = js.Global().Get("WebSocket").New("ws" + strings.TrimPrefix(url, "http"))
	}); err != nil {
		return nil, fmt.Errorf("signal: reaching the rendezvous server: %w (%w)", NoServer, err)
	}
	s := newSocket(ws)
	select {
	case <-s.opened:
		return s, nil
	case <-s.closed:
		return nil, fmt.Errorf("signal: reaching the rendezvous server: %w (%w)", NoServer, s.end)
	case <-ctx.Done():
		s.Drop()
		return nil, fmt.Errorf("signal: reaching the rendezvous server: %w (%w)", NoServer, ctx.Err())
	}
}
