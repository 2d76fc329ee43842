//go:build !js

package signal

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"syscall"

	"github.com/coder/websocket"
)

// DialHTTP is Dial with an HTTP client of the caller's, nil for the usual one.
func DialHTTP(ctx context.Context, server string, client *http.Client) (*Client, error) {
	return dialWith(ctx, server, func(ctx context.Context, url string) (*Socket, error) {
		return dialHTTP(ctx, url, client)
	})
}

func dialSocket(ctx context.Context, url string) (*Socket, error) { return dialHTTP(ctx, url, nil) }

func dialHTTP(ctx context.Context, url string, client *http.Client) (*Socket, error) {
	conn, response, err := websocket.Dial(ctx, url, &websocket.DialOptions{
		HTTPClient:      client,
		CompressionMode: websocket.CompressionDisabled,
	})
	if err == nil {
		return newSocket(conn, MaxReply), nil
	}
	f := ProtocolError
	if response != nil {
		f = refusedUpgrade(response)
	} else if unreachable(err) {
		f = NoServer
	}
	return nil, fmt.Errorf("signal: reaching the rendezvous server: %w (%w)", f, err)
}

// refusedUpgrade reads an HTTP answer that is not the one asked for. A proxy
// whose server is down gives a 502 to 504 without our header.
func refusedUpgrade(r *http.Response) Failure {
	if n, err := strconv.ParseUint(r.Header.Get(FailureHeader), 10, 8); err == nil && failures[Failure(n)].name != "" {
		return Failure(n)
	}
	switch {
	case r.StatusCode >= 500:
		return NoServer
	case r.StatusCode == http.StatusTooManyRequests:
		return SlowDown
	}
	return ProtocolError
}

// unreachable tells a server that is not there from one that answers
// something else than HTTP.
func unreachable(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	var timeout net.Error
	var record tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	var alert tls.AlertError
	return errors.As(err, &op) || errors.As(err, &dns) || errors.As(err, &timeout) && timeout.Timeout() ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) ||
		errors.As(err, &record) || errors.As(err, &certificate) || errors.As(err, &alert)
}
