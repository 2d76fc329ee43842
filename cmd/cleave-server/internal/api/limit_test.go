package api

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
)

// Bodies that do not come whole hold memory: an address has only so many of
// them. A stream, which lasts, holds none.
func TestBodiesOnTheirWay(t *testing.T) {
	limits := plenty
	limits.BodiesPerAddress = 3
	s := newSite(t, limits)
	for i := range 5 {
		table := s.sit(alice, bob, fmt.Sprint(i))
		stream, err := s.client(alice).Open(s.ctx(), table.Terms, table.Sigs)
		if err != nil {
			t.Fatal(err)
		}
		defer stream.Close()
	}
	var slow []net.Conn
	hold := func() {
		c, err := net.Dial("tcp", s.http.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		if _, err := io.WriteString(c, "POST /v1/logs HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nhalf"); err != nil {
			t.Fatal(err)
		}
		slow = append(slow, c)
	}
	want := func(status int, before func()) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; {
			before()
			got, _, body := s.ask("POST", "/v1/logs", []byte("no log"))
			if got == status {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%d %s, want %d", got, body, status)
			}
		}
	}
	// The question itself is a body, beside which one of the slow ones may have
	// been refused: as many come as it takes.
	want(http.StatusTooManyRequests, hold)
	for _, c := range slow {
		c.Close()
	}
	want(http.StatusBadRequest, func() {})
}

func TestLimits(t *testing.T) {
	s := newSite(t, Limits{ReadsPerSecond: 0.5, HandsPerSecond: 0.3, KeyPerSecond: 0.2, Streams: 1})
	count := func(ask func() (int, http.Header, []byte)) int {
		n := 0
		for {
			status, h, body := ask()
			if status == http.StatusTooManyRequests {
				if s.refusal(body).Reason != ranking.SlowDown || h.Get("Retry-After") == "" {
					t.Errorf("%s %v", body, h)
				}
				return n
			}
			if n++; n > 100 {
				t.Fatal("no limit")
			}
		}
	}
	if n := count(func() (int, http.Header, []byte) { return s.ask("GET", "/v1/info", nil) }); n != 5 {
		t.Errorf("%d reads", n)
	}
	if n := count(func() (int, http.Header, []byte) {
		return s.send(s.signed(alice, "/v1/tickets", []byte("{}"), ranking.NewNonce(s.nowMs()+1)))
	}); n != 2 {
		t.Errorf("%d requests of one key", n)
	}

	s.restart(Limits{ReadsPerSecond: 1e6, HandsPerSecond: 0.3, KeyPerSecond: 1e6, Streams: 1})
	if n := count(func() (int, http.Header, []byte) { return s.ask("POST", "/v1/logs", nil) }); n != 3 {
		t.Errorf("%d uploads", n)
	}
	s.restart(Limits{ReadsPerSecond: 1e6, HandsPerSecond: 1e6, KeyPerSecond: 1e6, Streams: 1})
	table := s.sit(alice, bob, "m")
	st, err := s.client(alice).Open(s.ctx(), table.Terms, table.Sigs)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	_, err = s.client(bob).Open(s.ctx(), table.Terms, table.Sigs)
	s.refused(err, ranking.ServerFull)
}

func TestAddress(t *testing.T) {
	for _, c := range []struct {
		remote, forwarded string
		proxy             bool
		want              string
	}{
		{"192.0.2.7:1", "", false, "192.0.2.7"},
		{"192.0.2.7:1", "198.51.100.1", false, "192.0.2.7"},
		{"127.0.0.1:1", "203.0.113.9, 198.51.100.1", true, "198.51.100.1"},
		{"127.0.0.1:1", "", true, "127.0.0.1"},
		{"127.0.0.1:1", "rubbish", true, "::"},
		{"[2001:db8:1:2:3:4:5:6]:1", "", false, "2001:db8:1:2::"},
		{"[::ffff:192.0.2.7]:1", "", false, "192.0.2.7"},
		{"[fe80::1%eth0]:1", "", false, "fe80::"},
	} {
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{}}
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := Address(r, c.proxy).String(); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestSweep(t *testing.T) {
	now := time.Now()
	l := newLimiter(Limits{ReadsPerSecond: 1})
	for range burst {
		if !l.allow("a", reading, now) {
			t.Fatal("less than the burst")
		}
	}
	l.sweep(now.Add(5 * time.Second))
	if len(l.buckets) != 1 || !l.allow("a", reading, now.Add(5*time.Second)) {
		t.Error("half-full buckets are forgotten, or do not fill")
	}
	l.sweep(now.Add(time.Minute))
	if len(l.buckets) != 0 {
		t.Error("full buckets are kept")
	}
	n := newNonces(1_000_000)
	nonce := ranking.NewNonce(1_000_000)
	if !n.fresh(alice.Key, nonce, 1_000_000) || n.fresh(alice.Key, nonce, 1_000_001) || !n.fresh(bob.Key, nonce, 1_000_001) {
		t.Error("a nonce is good once for a key")
	}
	// It is remembered for as long as its time would let it in.
	n.sweep(1_000_000 + nonceSpanMs)
	if n.fresh(alice.Key, nonce, 1_000_000+ranking.NonceWindowMs) {
		t.Error("forgotten too early")
	}
	n.sweep(1_000_000 + 2*nonceSpanMs)
	if len(n.seen)+len(n.old) != 0 {
		t.Error("never forgotten")
	}
}
