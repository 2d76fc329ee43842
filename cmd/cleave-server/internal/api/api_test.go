package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestARatedMatchFromTicketsToLadder is the whole way, over HTTP: tickets with
// their proof of work, the opened match, both uploads, the ladder.
func TestARatedMatchFromTicketsToLadder(t *testing.T) {
	s := newSite(t, plenty)
	ca, cb := s.client(alice), s.client(bob)
	ta, err := ca.FetchTickets(s.ctx(), 3)
	if err != nil || len(ta) != 3 {
		t.Fatal(len(ta), err)
	}
	tb, err := cb.FetchTickets(s.ctx(), 1)
	if err != nil {
		t.Fatal(err)
	}
	terms, chances := judgetest.RatedTerms(s.signer, alice, bob, [2]record.Ticket{ta[0], tb[0]}, "whole")
	table := judgetest.Begin(alice, bob, terms, chances)

	sa, err := ca.Open(s.ctx(), terms, table.Sigs)
	if err != nil {
		t.Fatal(err)
	}
	defer sa.Close()
	next(t, sa, ranking.EventWaiting)
	sb, err := cb.Open(s.ctx(), terms, table.Sigs)
	if err != nil {
		t.Fatal(err)
	}
	defer sb.Close()
	next(t, sb, ranking.EventWaiting)
	ra, rb := next(t, sa, ranking.EventOpened).Receipt, next(t, sb, ranking.EventOpened).Receipt
	if *ra != *rb || ra.Kind != ranking.Opened {
		t.Errorf("%+v\n%+v", ra, rb)
	}

	log := table.PlayOut().Seal().Log()
	answers := make([]ranking.UploadAnswer, 4)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			var err error
			if answers[i], err = []*ranking.Client{ca, cb}[i%2].Upload(s.ctx(), log); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, a := range answers {
		if a != answers[0] || a.State != ranking.StateConfirmed {
			t.Errorf("two answers: %+v\n%+v", a, answers[0])
		}
	}
	if e := next(t, sa, ranking.EventDecided); e.State != ranking.StateConfirmed || *e.Receipt != answers[0].Receipt {
		t.Errorf("%+v", e)
	}

	l, err := s.client(carol).Ladder(s.ctx(), "", 0, 0)
	if err != nil || l.Total != 2 || len(l.Players) != 2 || l.Players[0].Note != "provisional (1 of 5)" || l.Players[1].Placement != 1 || !l.Relaxed {
		t.Errorf("%+v %v", l, err)
	}
	m, err := ca.Match(s.ctx(), terms.ID())
	o := table.Match.Outcome()
	if err != nil || m.Winner != o.Winner || m.OpenedMs == 0 || m.Receipt == nil || *m.Receipt != answers[0].Receipt {
		t.Errorf("%+v %v", m, err)
	}
	if got, err := cb.Log(s.ctx(), terms.ID()); err != nil || !bytes.Equal(got, log) {
		t.Errorf("the log comes back as %d bytes, %v", len(got), err)
	}
	p, err := ca.Player(s.ctx(), record.PlayerCode(bob.Key))
	if err != nil || len(p.Matches) != 1 || p.Key != bob.Key.String() {
		t.Errorf("%+v %v", p, err)
	}
	if err := ca.Health(s.ctx()); err != nil {
		t.Error(err)
	}

	s.restart(plenty)
	again, err := s.client(alice).Upload(s.ctx(), log)
	if err != nil || again != answers[0] {
		t.Errorf("after a restart: %+v %v", again, err)
	}
}

// TestBadRequests is what each refused request gets: status and number.
func TestBadRequests(t *testing.T) {
	s := newSite(t, plenty)
	now := s.nowMs()
	table := s.sit(alice, bob, "bad")
	good := table.PlayOut().Seal().Log()
	terms, _ := json.Marshal(ranking.NewSignedTerms(table.Terms, table.Sigs))
	asking := []byte(`{"count":1}`)
	sign := func(p judgetest.Signer, path string, body []byte) *http.Request {
		return s.signed(p, path, body, ranking.NewNonce(now))
	}
	changed := func(r *http.Request, change func(*http.Request)) *http.Request {
		change(r)
		return r
	}
	plain := func(method, path string, body []byte) *http.Request {
		r, err := http.NewRequestWithContext(s.ctx(), method, s.http.URL+path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	elsewhere := sign(alice, "/v1/tickets", asking)
	ranking.SignRequest(elsewhere, asking, bob.Key, alice.Key, ranking.NewNonce(now), alice.Sign)
	broken := bytes.Clone(good)
	broken[len(broken)-1] ^= 1
	claim, _ := json.Marshal(ranking.ClaimRequest{Kind: ranking.Silence, Log: s.sit(alice, bob, "claim").Play(9).Log()})
	for _, c := range []struct {
		name   string
		r      *http.Request
		status int
		want   ranking.Reason
	}{
		{"no path", plain("GET", "/v1/nothing", nil), 404, ranking.NotFound},
		{"wrong method", plain("GET", "/v1/tickets", nil), 404, ranking.NotFound},
		{"unsigned", plain("POST", "/v1/tickets", asking), 401, ranking.NotAuthentic},
		{"another body", changed(sign(alice, "/v1/tickets", asking), func(r *http.Request) {
			r.Body = http.NoBody
			r.ContentLength = 0
		}), 401, ranking.NotAuthentic},
		{"another path", changed(sign(alice, "/v1/tickets", asking), func(r *http.Request) { r.URL.Path = "/v1/claims" }), 401, ranking.NotAuthentic},
		{"a query more", changed(sign(alice, "/v1/tickets", asking), func(r *http.Request) { r.URL.RawQuery = "x" }), 401, ranking.NotAuthentic},
		{"another key", changed(sign(alice, "/v1/tickets", asking), func(r *http.Request) { r.Header.Set("Cleave-Key", bob.Key.String()) }), 401, ranking.NotAuthentic},
		{"another nonce", changed(sign(alice, "/v1/tickets", asking), func(r *http.Request) {
			r.Header.Set("Cleave-Nonce", "AAAAAAAAAAAAAAAAAAAAAA")
		}), 401, ranking.NotAuthentic},
		{"a key of small order", changed(sign(alice, "/v1/tickets", asking), func(r *http.Request) {
			r.Header.Set("Cleave-Key", record.Key{1}.String())
		}), 401, ranking.NotAuthentic},
		{"two keys", changed(sign(alice, "/v1/tickets", asking), func(r *http.Request) { r.Header.Add("Cleave-Key", alice.Key.String()) }), 401, ranking.NotAuthentic},
		{"for another server", elsewhere, 401, ranking.NotAuthentic},
		{"from the past", s.signed(alice, "/v1/tickets", asking, ranking.NewNonce(now-ranking.NonceWindowMs-5000)), 401, ranking.StaleNonce},
		{"from the future", s.signed(alice, "/v1/tickets", asking, ranking.NewNonce(now+ranking.NonceWindowMs+60_000)), 401, ranking.StaleNonce},
		{"without work", sign(alice, "/v1/tickets", asking), 403, ranking.WorkNeeded},
		{"no JSON", sign(alice, "/v1/tickets", []byte("count=1")), 400, ranking.BadRequest},
		{"two objects", sign(alice, "/v1/tickets", []byte(`{"count":1}{}`)), 400, ranking.BadRequest},
		{"too large", plain("POST", "/v1/logs", make([]byte, maxBody+1)), 413, ranking.TooLarge},
		{"too large for a log", plain("POST", "/v1/logs", make([]byte, maxBody)), 413, ranking.LogTooLarge},
		{"an empty log", plain("POST", "/v1/logs", nil), 400, ranking.NotALog},
		{"a broken log", plain("POST", "/v1/logs", broken), 400, brokenReason(table)},
		{"no proof", plain("POST", "/v1/proofs", []byte("x")), 400, ranking.NotFraud},
		{"opening others' match", sign(carol, "/v1/matches", terms), 403, ranking.NotYourMatch},
		{"opening nonsense", sign(alice, "/v1/matches", []byte(`{"terms":"AAAA"}`)), 400, ranking.BadRequest},
		{"claiming what was not opened", sign(alice, "/v1/claims", claim), 409, ranking.NotOpened},
		{"calling off with half a signature", sign(alice, "/v1/claims", []byte(`{"kind":"call-off","log":"`+base64.StdEncoding.EncodeToString(s.sit(alice, bob, "claim").Play(9).Log())+`","calledOff":["AA==",""]}`)), 400, ranking.BadRequest},
		{"withdrawing from no match", sign(alice, "/v1/withdrawals", []byte(`{"match":"00"}`)), 400, ranking.BadRequest},
		{"withdrawing from an unknown match", sign(alice, "/v1/withdrawals", []byte(`{"match":"`+strings.Repeat("00", 32)+`"}`)), 404, ranking.NotFound},
		{"no such match", plain("GET", "/v1/matches/"+strings.Repeat("0", 64), nil), 404, ranking.NotFound},
		{"no such log", plain("GET", "/v1/matches/"+strings.Repeat("0", 64)+"/log", nil), 404, ranking.NotFound},
		{"no id", plain("GET", "/v1/matches/xyz", nil), 400, ranking.BadRequest},
		{"no such player", plain("GET", "/v1/players/0000-0000-0000-0000", nil), 404, ranking.NotFound},
		{"no code", plain("GET", "/v1/players/me", nil), 400, ranking.BadRequest},
		{"no season", plain("GET", "/v1/ladder?season=summer", nil), 400, ranking.BadRequest},
		{"no number", plain("GET", "/v1/ladder?offset=-1", nil), 400, ranking.BadRequest},
	} {
		status, h, body := s.send(c.r)
		r := s.refusal(body)
		if status != c.status || r.Reason != c.want || h.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d, reason %d (%s); want %d, %d", c.name, status, r.Reason, r.Detail, c.status, c.want)
		}
	}
	// A request is good once.
	nonce := ranking.NewNonce(s.nowMs())
	for i, want := range []ranking.Reason{ranking.WorkNeeded, ranking.StaleNonce} {
		_, _, body := s.send(s.signed(bob, "/v1/tickets", asking, nonce))
		if r := s.refusal(body); r.Reason != want || (want == ranking.StaleNonce) != (r.NowMs > 0) {
			t.Errorf("time %d: %+v", i+1, r)
		}
	}
	if m, err := s.client(alice).Match(s.ctx(), table.Terms.ID()); err == nil {
		t.Errorf("a refused log was kept: %+v", m)
	}
}

// brokenReason is what a changed last byte is: the signature of seat 1 on its
// last entry, or its seal.
func brokenReason(table *judgetest.Table) ranking.Reason {
	if table.Match.EntryAt(table.Match.Len()).Entry.Move.Seat == 1 {
		return ranking.EntryNotSigned
	}
	return ranking.WrongSeal
}

func TestNoncesFromBeforeTheStart(t *testing.T) {
	s := newSite(t, plenty)
	nonce := ranking.NewNonce(s.nowMs())
	body := []byte(`{"count":1}`)
	if _, _, got := s.send(s.signed(alice, "/v1/tickets", body, nonce)); s.refusal(got).Reason != ranking.WorkNeeded {
		t.Fatalf("%s", got)
	}
	for s.nowMs() <= nonce.TimeMs() { // so that the restart is later than the nonce
	}
	s.restart(plenty)
	if _, _, got := s.send(s.signed(alice, "/v1/tickets", body, nonce)); s.refusal(got).Reason != ranking.StaleNonce {
		t.Errorf("a request was good for two processes: %s", got)
	}
}

func TestStreams(t *testing.T) {
	s := newSite(t, plenty)
	table := s.sit(alice, bob, "m")
	open := func(p judgetest.Signer) *ranking.Stream {
		t.Helper()
		st, err := s.client(p).Open(s.ctx(), table.Terms, table.Sigs)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { st.Close() })
		return st
	}
	one := open(alice)
	next(t, one, ranking.EventWaiting)
	two := open(alice)
	next(t, two, ranking.EventWaiting)
	// The first was replaced, and both seats are not one seat twice.
	if e, err := one.Next(); !errors.Is(err, ranking.ErrUnreachable) {
		t.Fatalf("the first stream says %+v, %v", e, err)
	}
	two.Close()
	if _, err := two.Next(); !errors.Is(err, ranking.ErrStreamClosed) {
		t.Errorf("after Close: %v", err)
	}
	three := open(alice)
	next(t, three, ranking.EventWaiting)
	other := open(bob)
	next(t, other, ranking.EventWaiting)
	was := next(t, other, ranking.EventOpened).Receipt
	next(t, three, ranking.EventOpened)

	// A claim is told to both.
	claim := ranking.ClaimRequest{Kind: ranking.Silence, Log: table.Play(20).Log()}
	a, err := s.client(alice).Claim(s.ctx(), claim)
	if err != nil || a.Reason != ranking.ClaimUndecided || a.Receipt.Index != 21 || a.Text == "" {
		t.Fatalf("%+v %v", a, err)
	}
	if e := next(t, other, ranking.EventClaimed); *e.Receipt != a.Receipt {
		t.Errorf("%+v", e)
	}
	if again, err := s.client(alice).Claim(s.ctx(), claim); err != nil || again.Receipt != a.Receipt {
		t.Errorf("%+v %v", again, err)
	}
	// So is its withdrawal, once.
	w, err := s.client(alice).Withdraw(s.ctx(), table.Terms.ID())
	if err != nil || w.Receipt.Kind != ranking.Withdrawn || w.Receipt.Index != 21 || w.Text != "" {
		t.Fatalf("%+v %v", w, err)
	}
	if e := next(t, other, ranking.EventWithdrawn); *e.Receipt != w.Receipt {
		t.Errorf("%+v", e)
	}
	if again, err := s.client(alice).Withdraw(s.ctx(), table.Terms.ID()); err != nil || again.Receipt != w.Receipt {
		t.Errorf("%+v %v", again, err)
	}
	_, err = s.client(alice).Claim(s.ctx(), ranking.ClaimRequest{Kind: ranking.Overdue, Log: claim.Log})
	s.refused(err, ranking.ClaimWithdrawn)

	// The server goes down and comes back: the match is still opened.
	drained := make(chan struct{})
	go func() { s.server.Drain(s.ctx()); close(drained) }()
	next(t, other, ranking.EventStopping)
	if _, err := other.Next(); !errors.Is(err, ranking.ErrUnreachable) {
		t.Errorf("after the end: %v", err)
	}
	<-drained
	_, err = s.client(alice).Open(s.ctx(), table.Terms, table.Sigs)
	s.refused(err, ranking.Stopping)
	s.restart(plenty)
	if e := next(t, open(bob), ranking.EventOpened); *e.Receipt != *was {
		t.Error("another receipt after a restart")
	}
}

func TestMetricsAndPreflight(t *testing.T) {
	s := newSite(t, plenty)
	s.ask("GET", "/v1/info", nil)
	status, _, body := s.ask("GET", "/metrics", nil)
	if status != 200 || !strings.Contains(string(body), `cleave_requests_total{path="GET /v1/info",reason="0"} 1`) {
		t.Errorf("%d %s", status, body)
	}
	if status, _, _ := s.ask("GET", "/metrics", nil, "X-Forwarded-For", "192.0.2.1"); status != 404 {
		t.Errorf("metrics for somebody behind a proxy: %d", status)
	}
	status, h, _ := s.ask("OPTIONS", "/v1/tickets", nil)
	if status != 204 || !strings.Contains(h.Get("Access-Control-Allow-Headers"), "Cleave-Signature") {
		t.Errorf("%d %v", status, h)
	}
}

func TestHealthOfAClosedDatabase(t *testing.T) {
	s := newSite(t, plenty)
	if status, _, body := s.ask("GET", "/healthz", nil); status != 200 || string(body) != "{\"ok\":true}\n" {
		t.Errorf("%d %s", status, body)
	}
	s.server.health.at = time.Time{} // let it look again
	s.db.Close()
	if status, _, body := s.ask("GET", "/healthz", nil); status != 500 || s.refusal(body).Reason != ranking.ServerTrouble {
		t.Errorf("%d %s", status, body)
	}
}

// BenchmarkConfirm is confirmations over HTTP: parse, replay, book, receipt.
func BenchmarkConfirm(b *testing.B) {
	s := newSite(b, plenty)
	c := s.client(alice)
	if _, err := c.Info(b.Context()); err != nil {
		b.Fatal(err)
	}
	var logs [][]byte
	next := func(n int) []byte {
		for len(logs) <= n {
			x, y := judgetest.NewSigner(fmt.Sprint("x", len(logs)%50)), judgetest.NewSigner(fmt.Sprint("y", len(logs)%47))
			logs = append(logs, s.sit(x, y, fmt.Sprint("bench", len(logs))).PlayOut().Seal().Log())
		}
		return logs[n]
	}
	for _, parallel := range []int{1, 16} {
		b.Run(fmt.Sprintf("clients=%d", parallel), func(b *testing.B) {
			from := len(logs)
			next(from + b.N)
			work := make(chan []byte)
			var wg sync.WaitGroup
			for range parallel {
				wg.Go(func() {
					for log := range work {
						if a, err := c.Upload(b.Context(), log); err != nil || a.State != ranking.StateConfirmed {
							b.Error(a.State, err)
						}
					}
				})
			}
			b.ResetTimer()
			for i := range b.N {
				work <- logs[from+i]
			}
			close(work)
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "confirmations/s")
		})
	}
}
