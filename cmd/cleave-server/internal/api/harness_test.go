package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/ledger"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

var alice, bob, carol = judgetest.NewSigner("alice"), judgetest.NewSigner("bob"), judgetest.NewSigner("carol")

// plenty of everything, for tests of other things than limits.
var plenty = Limits{ReadsPerSecond: 1e6, HandsPerSecond: 1e6, KeyPerSecond: 1e6}

// A site is a server under test, reached over HTTP.
type site struct {
	t      testing.TB
	file   string
	db     *store.Store
	server *Server
	http   *httptest.Server
	signer judgetest.Signer // the server's own key, to issue tickets without work
	stop   func()

	// began is when the test did. The server's day is always the same, and
	// noon when the test begins; passed is what a test adds.
	began  time.Time
	passed atomic.Int64
}

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// now is the server's time.
func (s *site) now() time.Time {
	return noon.Add(time.Since(s.began)).Add(time.Duration(s.passed.Load()))
}

func (s *site) nowMs() int64 { return s.now().UnixMilli() }

// pass lets time pass for the server.
func (s *site) pass(d time.Duration) { s.passed.Add(int64(d)) }

func newSite(t testing.TB, limits Limits) *site {
	t.Helper()
	s := &site{t: t, began: time.Now(), file: filepath.Join(t.TempDir(), "cleave.db")}
	s.start(limits)
	t.Cleanup(func() { s.stop() })
	return s
}

func (s *site) start(limits Limits) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	db, err := store.Open(ctx, s.file)
	if err != nil {
		s.t.Fatal(err)
	}
	book, err := ledger.Open(ctx, db, games.All())
	if err != nil {
		s.t.Fatal(err)
	}
	var seed []byte
	if err := db.View(ctx, func(tx *store.Tx) error { seed, err = tx.Meta("server-key"); return err }); err != nil {
		s.t.Fatal(err)
	}
	s.db, s.signer = db, judgetest.FromSeed(seed)
	s.server = New(Config{Ledger: book, Games: games.All(), Program: "cleave-server test", Log: slog.New(slog.DiscardHandler), Limits: limits, Now: s.now})
	s.http = httptest.NewServer(s.server.Handler())
	ran := make(chan error, 1)
	go func() { ran <- s.server.Run(ctx) }()
	s.stop = func() {
		s.server.Drain(ctx)
		s.http.Close()
		cancel()
		if err := <-ran; err != nil {
			s.t.Error(err)
		}
		if err := db.Close(); err != nil {
			s.t.Error(err)
		}
	}
}

func (s *site) restart(limits Limits) {
	s.t.Helper()
	s.stop()
	s.start(limits)
}

func (s *site) client(p judgetest.Signer) *ranking.Client {
	s.t.Helper()
	c, err := ranking.NewClient(ranking.Config{URL: s.http.URL, Server: s.signer.Key, Key: p.Key, Sign: p.Sign})
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

func (s *site) sit(a, b judgetest.Signer, name string) *judgetest.Table {
	return judgetest.Sit(s.signer, a, b, s.now().Unix(), name)
}

// post does one signed request and returns the body.
func (s *site) post(p judgetest.Signer, path string, ask any) []byte {
	s.t.Helper()
	body, err := json.Marshal(ask)
	if err != nil {
		s.t.Fatal(err)
	}
	_, _, got := s.send(s.signed(p, path, body, ranking.NewNonce(s.nowMs())))
	return got
}

// ask does one plain request and returns status, headers and body.
func (s *site) ask(method, path string, body []byte, headers ...string) (int, http.Header, []byte) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.ctx(), method, s.http.URL+path, bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return s.send(r)
}

func (s *site) send(r *http.Request) (int, http.Header, []byte) {
	s.t.Helper()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, b
}

// ctx bounds what could hang.
func (s *site) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute) // a busy machine takes long for a proof of work
	s.t.Cleanup(cancel)
	return ctx
}

func (s *site) refused(err error, want ranking.Reason) {
	s.t.Helper()
	if r, ok := errors.AsType[*ranking.Refusal](err); !ok || r.Reason != want {
		s.t.Fatalf("got %v, want refusal %d", err, want)
	}
}

// refusal reads a refusal and holds it to what every refusal has.
func (s *site) refusal(body []byte) ranking.Refusal {
	s.t.Helper()
	var r ranking.Refusal
	if err := json.Unmarshal(body, &r); err != nil || r.Reason == 0 || r.Text != r.Reason.Text() {
		s.t.Fatalf("not a refusal: %s (%v)", body, err)
	}
	return r
}

func next(t *testing.T, st *ranking.Stream, want ranking.EventKind) ranking.Event {
	t.Helper()
	for {
		e, err := st.Next()
		if err != nil {
			t.Fatalf("waiting for %q: %v", want, err)
		}
		if e.Event == ranking.EventPing {
			continue
		}
		if e.Event != want {
			t.Fatalf("event %+v, want %q", e, want)
		}
		return e
	}
}

// signed makes a signed request as a client does.
func (s *site) signed(p judgetest.Signer, path string, body []byte, nonce ranking.Nonce) *http.Request {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.ctx(), http.MethodPost, s.http.URL+path, bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	ranking.SignRequest(r, body, s.signer.Key, p.Key, nonce, record.Signer(p.Sign))
	return r
}
