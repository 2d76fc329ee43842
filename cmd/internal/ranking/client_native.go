//go:build !js

package ranking

import (
	"bytes"
	"context"
	"net/http"
)

// exchange sends a request and waits for the head of the answer. There is no
// limit of time but the context's, since a stream stays open.
func exchange(ctx context.Context, method, url string, headers [][2]string, body []byte) (*answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for _, h := range headers {
		req.Header.Set(h[0], h[1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	return &answer{resp.StatusCode, resp.Header.Get("Content-Type"), resp.Body}, nil
}
