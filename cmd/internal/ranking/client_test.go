//go:build !js

package ranking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cleavegame/cleave/lockstep/record"
)

// fake is a server that answers what a test says, and /v1/info by itself.
func fake(t *testing.T, paths map[string]http.HandlerFunc) *Client {
	t.Helper()
	mux := http.NewServeMux()
	if paths["/v1/info"] == nil {
		mux.HandleFunc("/v1/info", func(w http.ResponseWriter, r *http.Request) { say(w, 200, info(serverKey)) })
	}
	for path, h := range paths {
		mux.HandleFunc(path, h)
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	c, err := NewClient(Config{URL: s.URL + "/", Key: playerKey, Sign: playerSign})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func info(k record.Key) Info {
	return Info{API: 1, Server: k.String(), NowMs: time.Now().UnixMilli(), WorkBits: 8}
}

func say(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func ctx(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestClientURLs(t *testing.T) {
	for _, bad := range []string{"", "cleave.example", "ftp://cleave.example", "http://", "http://h/?q", "http://h/#f", "://"} {
		if _, err := NewClient(Config{URL: bad}); err == nil {
			t.Errorf("%q is the URL of a server", bad)
		}
	}
}

func TestClientHoldsTheServerToItsKey(t *testing.T) {
	now := serverKey
	c := fake(t, map[string]http.HandlerFunc{"/v1/info": func(w http.ResponseWriter, r *http.Request) { say(w, 200, info(now)) }})
	if _, err := c.Info(ctx(t)); err != nil {
		t.Fatal(err)
	}
	now = playerKey
	if _, err := c.Info(ctx(t)); !errors.Is(err, ErrOtherServer) {
		t.Errorf("the key changed: %v", err)
	}
	pinned, err := NewClient(Config{URL: c.base, Server: serverKey})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pinned.ServerKey(ctx(t)); !errors.Is(err, ErrOtherServer) {
		t.Errorf("not the pinned key: %v", err)
	}
	now = record.Key{1}
	if _, err := c.Info(ctx(t)); !errors.Is(err, record.ErrKeySmallOrder) {
		t.Errorf("a key of small order: %v", err)
	}
}

func TestClientAnswersThatAreNone(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"a page":        func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>hello") },
		"a page of 502": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(502) },
		"other JSON":    func(w http.ResponseWriter, r *http.Request) { say(w, 500, "oops") },
		"JSON of 404":   func(w http.ResponseWriter, r *http.Request) { say(w, 404, map[string]string{"error": "no"}) },
		"endless": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.Copy(w, io.LimitReader(zeros{}, maxAnswer+10))
		},
		"cut in the air": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "{")
		},
	} {
		c := fake(t, map[string]http.HandlerFunc{"/v1/ladder": h})
		if _, err := c.Ladder(ctx(t), "", 0, 0); !errors.Is(err, ErrUnreachable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := fake(t, map[string]http.HandlerFunc{"/v1/ladder": func(w http.ResponseWriter, r *http.Request) { say(w, 200, []int{1}) }})
	if _, err := c.Ladder(ctx(t), "", 0, 0); err == nil || errors.Is(err, ErrUnreachable) {
		t.Errorf("JSON of another shape: %v", err)
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	c, err := NewClient(Config{URL: gone.URL})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Health(ctx(t)); !errors.Is(err, ErrUnreachable) {
		t.Errorf("nobody there: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Health(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that had ended: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '0'
	}
	return len(b), nil
}

func TestClientRefusals(t *testing.T) {
	c := fake(t, map[string]http.HandlerFunc{"/v1/logs": func(w http.ResponseWriter, r *http.Request) {
		say(w, 400, &Refusal{Reason: WrongDigest, Text: "x", Entry: 12})
	}})
	_, err := c.Upload(ctx(t), []byte("log"))
	if r, ok := errors.AsType[*Refusal](err); !ok || r.Reason != WrongDigest || r.Entry != 12 || !strings.Contains(err.Error(), "118") {
		t.Errorf("%v", err)
	}
}

func TestClientSetsItsClockOnce(t *testing.T) {
	var asked atomic.Int32
	ahead := (3 * time.Hour).Milliseconds()
	c := fake(t, map[string]http.HandlerFunc{"/v1/tickets": func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		key, nonce, ok := CheckRequest(r, body, serverKey)
		now := time.Now().UnixMilli() + ahead
		switch {
		case !ok || key != playerKey:
			say(w, 401, Refuse(NotAuthentic, ""))
		case asked.Add(1) == 1 || nonce.TimeMs() < now-NonceWindowMs:
			refusal := Refuse(StaleNonce, "")
			refusal.NowMs = now
			say(w, 401, refusal)
		default:
			k := record.IssueTicket(playerKey, serverKey, [16]byte{1}, now/1000, now/1000+record.TicketLife, serverSign)
			say(w, 200, TicketAnswer{Tickets: [][]byte{k.Append(nil)}})
		}
	}})
	if got, err := c.FetchTickets(ctx(t), 1); err != nil || len(got) != 1 || asked.Load() != 2 {
		t.Errorf("%d tickets after %d requests, %v", len(got), asked.Load(), err)
	}
	ahead *= 2
	asked.Store(0)
	never := fake(t, map[string]http.HandlerFunc{"/v1/claims": func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		say(w, 401, &Refusal{Reason: StaleNonce, NowMs: 1})
	}})
	if _, err := never.Claim(ctx(t), ClaimRequest{}); err == nil || asked.Load() != 2 {
		t.Errorf("asked %d times, %v", asked.Load(), err)
	}
}

func TestClientDoesTheWork(t *testing.T) {
	c := fake(t, map[string]http.HandlerFunc{"/v1/tickets": func(w http.ResponseWriter, r *http.Request) {
		var ask TicketRequest
		json.NewDecoder(r.Body).Decode(&ask)
		if !CheckWork(serverKey, playerKey, ask.Work, 8) {
			say(w, 403, Refuse(WorkNeeded, ""))
			return
		}
		now := time.Now().Unix()
		k := record.IssueTicket(playerKey, serverKey, [16]byte{byte(ask.Count)}, now, now+record.TicketLife, serverSign)
		say(w, 200, TicketAnswer{Tickets: [][]byte{k.Append(nil)}})
	}})
	got, err := c.FetchTickets(ctx(t), 3)
	if err != nil || len(got) != 1 || got[0].Serial[0] != 3 {
		t.Errorf("%+v %v", got, err)
	}
}

func TestClientChecksWhatItIsGiven(t *testing.T) {
	_, otherSign := signer("other")
	now := time.Now().Unix()
	ticket := record.IssueTicket(playerKey, serverKey, [16]byte{}, now, now+record.TicketLife, otherSign)
	good := UploadAnswer{Match: "00", State: StateConfirmed, Receipt: receipt()}
	bad := good
	bad.Receipt.Leaf++
	c := fake(t, map[string]http.HandlerFunc{
		"/v1/tickets": func(w http.ResponseWriter, r *http.Request) {
			say(w, 200, TicketAnswer{Tickets: [][]byte{ticket.Append(nil)}})
		},
		"/v1/logs":             func(w http.ResponseWriter, r *http.Request) { say(w, 200, bad) },
		"/v1/proofs":           func(w http.ResponseWriter, r *http.Request) { say(w, 200, good) },
		"/v1/claims":           func(w http.ResponseWriter, r *http.Request) { say(w, 200, ClaimAnswer{Receipt: bad.Receipt}) },
		"/v1/matches/{id}/log": func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, record.MaxMatch+1)) },
	})
	if _, err := c.FetchTickets(ctx(t), 1); !errors.Is(err, record.ErrTicketSignature) {
		t.Errorf("a forged ticket: %v", err)
	}
	if _, err := c.Upload(ctx(t), nil); !errors.Is(err, ErrReceipt) {
		t.Errorf("a changed receipt: %v", err)
	}
	if got, err := c.Prove(ctx(t), nil); err != nil || got != good {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := c.Claim(ctx(t), ClaimRequest{}); !errors.Is(err, ErrReceipt) {
		t.Errorf("a changed receipt of a claim: %v", err)
	}
	if _, err := c.Log(ctx(t), record.ID{}); !errors.Is(err, record.ErrTooLarge) {
		t.Errorf("a log that is too large: %v", err)
	}
	keyless, err := NewClient(Config{URL: c.base})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keyless.FetchTickets(ctx(t), 1); err == nil {
		t.Error("tickets for nobody")
	}
}

func TestStreamOfEvents(t *testing.T) {
	terms := record.Terms{Version: 1, Rules: "duel/1"}
	r := Receipt{Kind: Opened, Server: serverKey, Match: terms.ID(), Leaf: -1}.Sign(serverSign)
	b, _ := json.Marshal(r)
	foreign := Receipt{Kind: Opened, Server: serverKey, Match: record.ID{9}, Leaf: -1}.Sign(serverSign)
	f, _ := json.Marshal(foreign)
	for _, c := range []struct {
		name, lines string
		want        []EventKind
		end         error
	}{
		{"good", `{"event":"waiting"}` + "\n" + `{"event":"opened","receipt":` + string(b) + "}\n", []EventKind{EventWaiting, EventOpened}, ErrUnreachable},
		{"another match", `{"event":"opened","receipt":` + string(f) + "}\n", nil, ErrReceipt},
		{"unsigned", `{"event":"opened","receipt":` + strings.Replace(string(b), `"leaf":-1`, `"leaf":1`, 1) + "}\n", nil, ErrReceipt},
		{"cut", `{"event":"wai`, nil, ErrUnreachable},
		{"no event", "{}x\n", nil, nil},
		{"endless line", strings.Repeat("x", maxLine+1), nil, ErrUnreachable},
	} {
		cl := fake(t, map[string]http.HandlerFunc{"/v1/matches": func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, c.lines) }})
		s, err := cl.Open(ctx(t), terms, [2]record.Signature{})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if e, err := s.Next(); err != nil || e.Event != want {
				t.Errorf("%s: %+v %v, want %s", c.name, e, err, want)
			}
		}
		if e, err := s.Next(); err == nil || c.end != nil && !errors.Is(err, c.end) {
			t.Errorf("%s: ends with %+v %v", c.name, e, err)
		}
		s.Close()
	}
}

func TestStreamClosesFromElsewhere(t *testing.T) {
	c := fake(t, map[string]http.HandlerFunc{"/v1/matches": func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}})
	s, err := c.Open(ctx(t), record.Terms{}, [2]record.Signature{})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { _, err := s.Next(); done <- err }()
	s.Close()
	s.Close()
	if err := <-done; !errors.Is(err, ErrStreamClosed) {
		t.Errorf("Next ends with %v", err)
	}
}
