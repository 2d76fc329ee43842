package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
)

// served holds an answer to what every answer is: JSON, and a refusal a numbered
// one that is no trouble of the server's own.
func (s *site) served(t *testing.T, r *http.Request) {
	w := httptest.NewRecorder()
	s.server.Handler().ServeHTTP(w, r)
	if w.Code < 300 {
		return
	}
	var refusal ranking.Refusal
	if err := json.Unmarshal(w.Body.Bytes(), &refusal); err != nil || refusal.Reason == ranking.None || refusal.Text != refusal.Reason.Text() || w.Code >= 500 {
		t.Fatalf("%s %s: %d %s (%v)", r.Method, r.URL, w.Code, w.Body, err)
	}
}

// FuzzBodies has a player sign anything and send it to all that takes a body,
// and hands it in as what proves itself.
func FuzzBodies(f *testing.F) {
	s := newSite(f, plenty)
	s.meet(alice)
	paths := []string{"/v1/tickets", "/v1/matches", "/v1/claims", "/v1/withdrawals", "/v1/profile", "/v1/daily/attempts", "/v1/arenas", "/v1/runs", "/v1/logs", "/v1/proofs"}
	for i, body := range []string{`{"count":2,"ended":[{"terms":"AA==","signatures":["",""]}]}`, `{"terms":"AAAA","signatures":["",""]}`, `{"kind":"overdue","log":"AAAA"}`, `{"match":"00"}`,
		`{"country":"NP","work":1}`, `{"day":"2026-11-30","nonce":"00112233445566778899aabbccddeeff"}`, `{"arena":"","nonce":"00112233445566778899aabbccddeeff"}`, "CLEAVE\x01\x01", "CLEAVE\x02\x01", "",
	} {
		f.Add(uint8(i), []byte(body))
		f.Add(uint8(i+1), []byte(body))
	}
	f.Add(uint8(0), []byte("null"))
	f.Add(uint8(0), []byte("[]"))
	f.Fuzz(func(t *testing.T, at uint8, body []byte) {
		path := paths[int(at)%len(paths)]
		r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
		ranking.SignRequest(r, body, s.signer.Key, alice.Key, ranking.NewNonce(s.nowMs()), alice.Sign)
		s.served(t, r)
	})
}

// FuzzQuestions asks for anything that a path and a query can name.
func FuzzQuestions(f *testing.F) {
	s := newSite(f, plenty)
	paths := []string{"/v1/daily", "/v1/boards/", "/v1/ladder", "/v1/players/", "/v1/runs/", "/v1/matches/", "/v1/arenas/"}
	for i, c := range [][2]string{{"", "day=2026-11-30"}, {"day", "of=2026-11-30&country=NP&player=0000-0000-0000-0000&offset=3&limit=9"}, {"", "season=2026Q4&offset=1"}, {"0000-0000-0000-0000", ""},
		{strings.Repeat("0", 64), ""}, {strings.Repeat("0", 64) + "/log", ""}, {strings.Repeat("0", 32), ""}, {"month", "of=9999-12"}, {"all", "limit=4294967296"},
	} {
		f.Add(uint8(i), c[0], c[1])
	}
	f.Fuzz(func(t *testing.T, at uint8, name, query string) {
		u := url.URL{Path: paths[int(at)%len(paths)] + name, RawQuery: query}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL = &u
		w := httptest.NewRecorder()
		s.server.Handler().ServeHTTP(w, r)
		if w.Code == http.StatusTemporaryRedirect || w.Code == http.StatusMovedPermanently || w.Code == http.StatusNotFound && !strings.HasPrefix(w.Body.String(), "{") {
			return // the router's own: a path that is not clean
		}
		s.served(t, r)
	})
}
