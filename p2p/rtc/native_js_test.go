package rtc

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"
)

// mail is the sealed channel to a native peer, without the sealing: messages
// are left and fetched at a server that both reach.
type mail struct{ url string }

func (m mail) Send(ctx context.Context, b []byte) error {
	_, err := m.do(ctx, http.MethodPost, "/up", b)
	return err
}

func (m mail) Receive(ctx context.Context) ([]byte, error) {
	return m.do(ctx, http.MethodGet, "/down", nil)
}

func (m mail) do(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, m.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", path, resp.Status)
	}
	return io.ReadAll(resp.Body)
}

// Frames of a native peer come whole and in order, the first and the last ones
// too, however soon they are sent. The peer is a program of package browsertest,
// whose page has told where it is and how often and how many.
func TestFramesOfANativePeer(t *testing.T) {
	url := os.Getenv("CLEAVE_NATIVE")
	if url == "" {
		t.Skip("no native peer was told of")
	}
	number := func(name string) int {
		n, err := strconv.Atoi(os.Getenv(name))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	runs, frames := number("CLEAVE_RUNS"), number("CLEAVE_FRAMES")
	for run := range runs {
		at := mail{fmt.Sprintf("%s/run/%d", url, run)}
		ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
		cfg := Config{Certificate: certificate(t), Offerer: run%2 == 0}
		if err := at.Send(ctx, cfg.Certificate.Binding()); err != nil {
			t.Fatal(err)
		}
		var err error
		if cfg.PeerBinding, err = at.Receive(ctx); err != nil {
			t.Fatal(err)
		}
		conn, err := Connect(ctx, at, cfg)
		if err != nil {
			t.Fatalf("run %d: %v", run, err)
		}
		if run%3 == 0 {
			time.Sleep(20 * time.Millisecond) // nobody receives yet
		}
		sum := sha256.New()
		for n := range frames {
			f, err := conn.Receive(ctx)
			if err != nil {
				t.Fatalf("run %d: frame %d of %d: %v", run, n, frames, err)
			}
			sum.Write(binary.BigEndian.AppendUint32(nil, uint32(len(f))))
			sum.Write(f)
		}
		if err := conn.Send(sum.Sum(nil)); err != nil {
			t.Fatal(err)
		}
		if f, err := conn.Receive(ctx); err == nil {
			t.Errorf("run %d: another frame, of %d bytes", run, len(f))
		}
		conn.Close()
		cancel()
	}
}
