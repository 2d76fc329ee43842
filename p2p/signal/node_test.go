//go:build !js

package signal

import (
	"context"
	"encoding/binary"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/nodetest"
)

// TestSocketOfABrowser has the tests in node_js_test.go run against this
// server.
func TestSocketOfABrowser(t *testing.T) {
	closed := make(chan error, 1) // how the page closed a socket to /listen
	mux := http.NewServeMux()
	socket := func(path string, f func(s *Socket)) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			s, err := Accept(w, r)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				return
			}
			f(s)
		})
	}
	echo := func(s *Socket) {
		for {
			data, text, err := s.Read(context.Background())
			if err != nil {
				return
			}
			s.Write(data, text)
		}
	}
	socket("/echo", echo)
	socket("/burst", func(s *Socket) {
		for i := range uint32(burst) {
			s.Write(binary.BigEndian.AppendUint32(nil, i), false)
		}
		s.Close(SlowDown)
	})
	socket("/unknown", func(s *Socket) { s.conn.Close(closeBase+200, "") })
	for path, size := range map[string]int{"/full": MaxReply, "/much": MaxReply + 1} {
		for _, text := range []bool{true, false} {
			name := path + "/binary"
			if text {
				name = path + "/text"
			}
			socket(name, func(s *Socket) {
				s.Write(make([]byte, size), text)
				s.Read(context.Background())
			})
		}
	}
	// As many UTF-16 units as are allowed, but twice as many bytes.
	socket("/much/letters", func(s *Socket) {
		b := make([]byte, 0, 2*MaxReply)
		for range MaxReply {
			b = append(b, "é"...)
		}
		s.Write(b, true)
		s.Read(context.Background())
	})
	socket("/flood", func(s *Socket) {
		for range 100 {
			if s.Write(make([]byte, MaxReply/2), false) != nil {
				return
			}
		}
		s.Read(context.Background())
	})
	socket("/listen", func(s *Socket) {
		_, _, err := s.Read(context.Background())
		closed <- err
	})
	mux.HandleFunc("/closed", func(w http.ResponseWriter, r *http.Request) {
		select {
		case err := <-closed:
			if f, _ := FailureOf(err); f == RoomFull {
				w.Write([]byte("room-full"))
			} else {
				w.Write([]byte(err.Error()))
			}
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
	})
	mux.HandleFunc("/never", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	server := httptest.NewServer(mux)
	defer server.Close()
	nodetest.Run(t, server.URL)
}
