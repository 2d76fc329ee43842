//go:build !js

package ranking

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/nodetest"
)

// TestClientOfABrowser has the tests in node_js_test.go run against this
// server, which behaves in a way of its own under each path.
func TestClientOfABrowser(t *testing.T) {
	hungUp := make(chan string, 16) // the paths on which the page went away
	mux := http.NewServeMux()
	for path, h := range map[string]http.HandlerFunc{
		"/good/v1/tickets": func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			key, _, ok := CheckRequest(r, body, serverKey)
			if !ok || key != playerKey || r.Method != "POST" || r.Header.Get("Content-Type") != "application/json" || !bytes.Contains(body, []byte(`"count":3`)) {
				say(w, 401, Refuse(NotAuthentic, ""))
				return
			}
			now := time.Now().Unix()
			k := record.IssueTicket(playerKey, serverKey, [16]byte{7}, now, now+record.TicketLife, serverSign)
			say(w, 200, TicketAnswer{Tickets: [][]byte{k.Append(nil)}})
		},
		// The query is signed too, as the browser writes it.
		"/good/v1/ladder": func(w http.ResponseWriter, r *http.Request) {
			say(w, 200, Ladder{Season: r.URL.Query().Get("season") + r.Header.Get("Content-Type")})
		},
		"/good/v1/matches/{id}/log": func(w http.ResponseWriter, r *http.Request) { w.Write(everyByte()) },
		"/good/v1/matches":          opened(hungUp),
		"/good/v1/logs": func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if !bytes.Equal(body, everyByte()) {
				t.Errorf("%d bytes came", len(body))
			}
			say(w, 400, &Refusal{Reason: WrongDigest, Text: "x", Entry: 12})
		},
		"/good/healthz":              func(w http.ResponseWriter, r *http.Request) {},
		"/large/v1/matches/{id}/log": func(w http.ResponseWriter, r *http.Request) { endless(w, r, hungUp) },
		"/endless/v1/ladder": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			endless(w, r, hungUp)
		},
		"/page/v1/ladder":    func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>hello") },
		"/gateway/v1/ladder": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(502) },
		"/empty/v1/ladder":   func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) },
		"/untyped/v1/ladder": func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Type"] = nil
			io.WriteString(w, "{}")
		},
		"/cut/v1/ladder": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "{")
		},
		"/silent/v1/ladder": func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			hungUp <- "silent"
		},
		"/slow/v1/ladder": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			hungUp <- "slow"
		},
		"/hungup/{path}": func(w http.ResponseWriter, r *http.Request) {
			want := r.PathValue("path")
			late := time.After(time.Minute)
			for {
				select {
				case got := <-hungUp:
					if got != want {
						hungUp <- got
						time.Sleep(time.Millisecond)
						continue
					}
					w.Write([]byte("yes"))
				case <-late:
					w.Write([]byte("no"))
				case <-r.Context().Done():
				}
				return
			}
		},
	} {
		mux.HandleFunc(path, h)
	}
	mux.HandleFunc("/{case}/v1/info", func(w http.ResponseWriter, r *http.Request) { say(w, 200, info(serverKey)) })
	server := httptest.NewServer(mux)
	defer server.Close()
	nodetest.Run(t, server.URL)
}

// opened is a stream with one event, which then stays open.
func opened(hungUp chan<- string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"event":"waiting"}`+"\n"+`{"eve`)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		hungUp <- "stream"
	}
}

// endless sends until the client has gone.
func endless(w http.ResponseWriter, r *http.Request, hungUp chan<- string) {
	for {
		if _, err := io.Copy(w, io.LimitReader(zeros{}, 1<<20)); err != nil || r.Context().Err() != nil {
			hungUp <- "endless"
			return
		}
	}
}
