//go:build js

package signal

import (
	"context"
	"fmt"
	"net/http"

	"github.com/coder/websocket"
)

// A browser says nothing about why a socket did not open.
func dialSocket(ctx context.Context, url string, _ *http.Client) (*Socket, error) {
	conn, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return nil, fmt.Errorf("signal: reaching the rendezvous server: %w (%w)", NoServer, err)
	}
	return newSocket(conn, MaxReply), nil
}
