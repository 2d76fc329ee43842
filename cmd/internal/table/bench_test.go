package table

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p/memnet"
)

// A bench is a ranking server in memory, which opens matches and takes claims.
type bench struct {
	*judge
	away bool          // it cannot be reached
	slow time.Duration // before it hears a withdrawal

	filed   []string // "claim silence", "withdrawal", in the order of their coming
	calls   []ranking.ClaimRequest
	claimed map[record.Key]bool
	streams map[record.Key]*io.PipeWriter
}

// newBench makes the bench what every request of the test goes to.
func newBench(t *testing.T) *bench {
	b := &bench{judge: newJudge(t), claimed: map[record.Key]bool{}, streams: map[record.Key]*io.PipeWriter{}}
	http.DefaultClient.Transport = b
	t.Cleanup(func() { http.DefaultClient.Transport = nil })
	return b
}

// RoundTrip answers a request.
func (b *bench) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/v1/withdrawals" {
		time.Sleep(b.slow) // in a bubble
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.away {
		return nil, errors.New("no route to host")
	}
	answer := func(v any) (*http.Response, error) {
		status := http.StatusOK
		if refused, ok := v.(*ranking.Refusal); ok {
			status = http.StatusBadRequest
			if refused.Reason == ranking.NotFound {
				status = http.StatusNotFound
			}
		}
		data, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(data)), Request: r}, nil
	}
	player, _ := ranking.ParseKeyText(r.Header.Get("Cleave-Key"))
	receipt := ranking.Receipt{Server: b.key(), TimeMs: 1, Leaf: -1, Player: player}
	switch r.URL.Path {
	case "/v1/info":
		return answer(ranking.Info{API: 1, Server: b.key().String(), NowMs: time.Now().UnixMilli()})
	case "/v1/matches":
		var signed ranking.SignedTerms
		if err := json.NewDecoder(r.Body).Decode(&signed); err != nil {
			return nil, err
		}
		terms, err := record.ParseTerms(signed.Terms)
		if err != nil {
			return nil, err
		}
		out, in := io.Pipe()
		if old := b.streams[player]; old != nil {
			old.Close()
		}
		b.streams[player] = in
		context.AfterFunc(r.Context(), func() { in.CloseWithError(r.Context().Err()) })
		if len(b.streams) == 2 {
			receipt.Kind, receipt.Match = ranking.Opened, terms.ID()
			opened := receipt.Sign(b.sign)
			line, err := json.Marshal(ranking.Event{Event: ranking.EventOpened, Receipt: &opened})
			if err != nil {
				return nil, err
			}
			for _, w := range b.streams {
				go w.Write(append(slices.Clip(line), '\n')) // ends with its reader
			}
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/x-ndjson"}}, Body: out, Request: r}, nil
	case "/v1/claims":
		var c ranking.ClaimRequest
		if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
			return nil, err
		}
		b.filed, b.calls = append(b.filed, "claim "+string(c.Kind)), append(b.calls, c)
		b.claimed[player] = true
		receipt.Kind = ranking.Claimed
		return answer(ranking.ClaimAnswer{Receipt: receipt.Sign(b.sign)})
	case "/v1/withdrawals":
		if !b.claimed[player] {
			return answer(ranking.Refuse(ranking.NotFound, "no claim to withdraw"))
		}
		b.filed = append(b.filed, "withdrawal")
		receipt.Kind = ranking.Withdrawn
		return answer(ranking.ClaimAnswer{Receipt: receipt.Sign(b.sign)})
	case "/v1/logs":
		b.filed = append(b.filed, "log")
		receipt.Kind = ranking.Confirmed
		return answer(ranking.UploadAnswer{State: ranking.StateConfirmed, Receipt: receipt.Sign(b.sign)})
	}
	return answer(ranking.Refuse(ranking.SlowDown, r.URL.Path)) // more tickets: later
}

func (b *bench) story() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.filed)
}

// ranked gives a seat tickets of the bench and an outbox that delivers until
// ctx ends.
func (b *bench) ranked(ctx context.Context, s *seat, wg *sync.WaitGroup) {
	// What is kept in memory alone makes no match that counts.
	v, err := vault.Open(s.t.TempDir(), "p")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { v.Close() })
	if s.id, err = v.Identity(); err != nil {
		s.t.Fatal(err)
	}
	s.vault = v
	client, err := ranking.NewClient(ranking.Config{
		URL: "http://bench.test", Server: b.key(), Key: s.id.Key(),
		Sign: func(m []byte) record.Signature { return s.id.Sign(m) },
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.ranking = &Ranking{URL: "http://bench.test", Key: b.key(), Client: client}
	now := time.Now()
	serial := [16]byte{byte(s.end + 1)}
	ticket := record.IssueTicket(s.id.Key(), b.key(), serial, now.Unix(), now.Unix()+record.TicketLife, b.sign)
	if err := s.vault.AddTickets(now, vault.Ticket{Server: b.key(), Serial: serial, Expires: time.Unix(ticket.Expires, 0), Bytes: ticket.Append(nil)}); err != nil {
		s.t.Fatal(err)
	}
	s.room.Friendly = false
	s.outbox = NewOutbox(s.vault, func(Event) {})
	s.outbox.clients[s.ranking.URL] = s.ranking
	wg.Go(func() { s.outbox.Run(ctx) })
}

// openedPair is two seats whose rated match the bench opens.
func openedPair(t *testing.T, b *bench, link *memnet.Link) (x, y *seat, stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	x, y = newSeat(t, link, 0), newSeat(t, link, 1)
	b.ranked(ctx, x, &wg)
	b.ranked(ctx, y, &wg)
	return x, y, func() { cancel(); wg.Wait() }
}
