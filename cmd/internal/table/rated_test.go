package table

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
)

// judge is a ranking server that answers as a test wants it to.
type judge struct {
	*httptest.Server
	private ed25519.PrivateKey

	mu     sync.Mutex
	refuse *ranking.Refusal // instead of an answer to logs and tickets
	lie    bool             // sign receipts with another key
	logs   [][]byte
	ended  int // terms handed in for tickets
	serial byte
}

func newJudge(t *testing.T) *judge {
	t.Helper()
	j := &judge{private: ed25519.NewKeyFromSeed(make([]byte, 32))}
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		if _, bad := v.(*ranking.Refusal); bad {
			w.WriteHeader(http.StatusBadRequest)
		}
		json.NewEncoder(w).Encode(v)
	}
	mux.HandleFunc("GET /v1/info", func(w http.ResponseWriter, r *http.Request) {
		answer(w, ranking.Info{API: 1, Server: j.key().String(), NowMs: time.Now().UnixMilli()})
	})
	mux.HandleFunc("POST /v1/logs", func(w http.ResponseWriter, r *http.Request) {
		j.mu.Lock()
		defer j.mu.Unlock()
		if j.refuse != nil {
			answer(w, j.refuse)
			return
		}
		b, _ := io.ReadAll(r.Body)
		j.logs = append(j.logs, b)
		receipt := ranking.Receipt{Kind: ranking.Confirmed, Server: j.key(), Match: record.ID{7}, TimeMs: 1, Leaf: 0}.Sign(j.sign)
		if j.lie {
			receipt.TimeMs++
		}
		answer(w, ranking.UploadAnswer{Match: hex.EncodeToString(receipt.Match[:]), State: "confirmed", Receipt: receipt})
	})
	mux.HandleFunc("POST /v1/tickets", func(w http.ResponseWriter, r *http.Request) {
		j.mu.Lock()
		defer j.mu.Unlock()
		if j.refuse != nil {
			answer(w, j.refuse)
			return
		}
		var ask ranking.TicketRequest
		json.NewDecoder(r.Body).Decode(&ask)
		j.ended += len(ask.Ended)
		player, err := ranking.ParseKeyText(r.Header.Get("Cleave-Key"))
		if err != nil {
			t.Error(err)
		}
		var out ranking.TicketAnswer
		now := time.Now().Unix()
		for range ask.Count {
			j.serial++
			ticket := record.IssueTicket(player, j.key(), [16]byte{j.serial}, now, now+record.TicketLife, j.sign)
			out.Tickets = append(out.Tickets, ticket.Append(nil))
		}
		answer(w, out)
	})
	j.Server = httptest.NewServer(mux)
	t.Cleanup(j.Close)
	return j
}

func (j *judge) key() (k record.Key) {
	copy(k[:], j.private.Public().(ed25519.PublicKey))
	return k
}

func (j *judge) sign(m []byte) (s record.Signature) {
	copy(s[:], ed25519.Sign(j.private, m))
	return s
}

func (j *judge) set(f func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	f()
}

func TestTheOutbox(t *testing.T) {
	id := record.ID{7}
	name := hex.EncodeToString(id[:])
	now := time.Now()
	for what, tc := range map[string]struct {
		parcel  vault.Parcel
		prepare func(*judge)
		told    func(Event) bool
		left    int
		receipt bool
	}{
		"taken": {
			vault.Parcel{Kind: parcelLog, Body: []byte("log")}, func(*judge) {},
			func(e Event) bool {
				d, ok := e.(Delivered)
				return ok && d.Match == id && d.Kind == "log" && d.Text == "confirmed"
			}, 0, true,
		},
		"refused for good": {
			vault.Parcel{Kind: parcelLog}, func(j *judge) { j.refuse = ranking.Refuse(ranking.WrongSeal, "") },
			func(e Event) bool { u, ok := e.(Undelivered); return ok && !u.Later }, 0, false,
		},
		"refused for now": {
			vault.Parcel{Kind: parcelLog}, func(j *judge) { j.refuse = ranking.Refuse(ranking.SlowDown, "") },
			func(e Event) bool { u, ok := e.(Undelivered); return ok && u.Later }, 1, false,
		},
		"a receipt that is none": {
			vault.Parcel{Kind: parcelLog}, func(j *judge) { j.lie = true },
			func(e Event) bool {
				u, ok := e.(Undelivered)
				return ok && u.Later && errors.Is(u.Err, ranking.ErrReceipt)
			}, 1, false,
		},
		"nobody there": {
			vault.Parcel{Kind: parcelLog}, func(j *judge) { j.Close() },
			func(e Event) bool {
				u, ok := e.(Undelivered)
				return ok && u.Later && errors.Is(u.Err, ranking.ErrUnreachable)
			}, 1, false,
		},
		"an unknown kind":  {vault.Parcel{Kind: "cake"}, func(*judge) {}, func(e Event) bool { _, ok := e.(Undelivered); return ok }, 0, false},
		"a broken claim":   {vault.Parcel{Kind: parcelClaim, Body: []byte("{")}, func(*judge) {}, func(e Event) bool { u, ok := e.(Undelivered); return ok && !u.Later }, 0, false},
		"not yet due":      {vault.Parcel{Kind: parcelLog, Next: now.Add(time.Hour)}, func(*judge) {}, nil, 1, false},
		"terms stay there": {vault.Parcel{Kind: parcelTerms}, func(*judge) {}, nil, 1, false},
	} {
		t.Run(what, func(t *testing.T) {
			j := newJudge(t)
			v := vault.Memory("p")
			tc.parcel.ID, tc.parcel.Server, tc.parcel.Created = name+"-"+tc.parcel.Kind, j.URL, now
			if _, err := OpenRanking(t.Context(), v, j.URL); err != nil {
				t.Fatal(err)
			}
			if err := v.PutParcel(tc.parcel); err != nil {
				t.Fatal(err)
			}
			tc.prepare(j)
			var told []Event
			o := NewOutbox(v, func(e Event) { told = append(told, e) })
			next, err := o.Deliver(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if tc.told == nil && len(told) != 0 || tc.told != nil && (len(told) != 1 || !tc.told(told[0])) {
				t.Errorf("told %+v", told)
			}
			left, _ := v.Parcels(now)
			if len(left) != tc.left {
				t.Errorf("left: %+v", left)
			}
			if waits := tc.left > 0 && tc.parcel.Kind != parcelTerms; waits != !next.IsZero() || waits && !next.After(now) {
				t.Errorf("next try at %v", next)
			}
			if _, err := v.Receipt(name); (err == nil) != tc.receipt {
				t.Errorf("receipt: %v", err)
			}
			// What failed is not tried again at once.
			told = nil
			if _, err := o.Deliver(t.Context()); err != nil || len(told) != 0 {
				t.Errorf("tried again at once: %v, %v", told, err)
			}
		})
	}
}

func TestRetriesGrowApart(t *testing.T) {
	last := time.Duration(0)
	for n := 1; n < 40; n++ {
		d := retryAfter(n)
		if d < last || d > time.Hour || d < 5*time.Second {
			t.Fatalf("try %d: %v after %v", n, d, last)
		}
		last = d
	}
	if last != time.Hour {
		t.Errorf("in the end every %v", last)
	}
}

func TestARankingServerIsKnownByItsKey(t *testing.T) {
	j := newJudge(t)
	v := vault.Memory("p")
	if _, err := OpenRanking(t.Context(), v, "http://127.0.0.1:1"); !errors.Is(err, ErrRankingUnknown) {
		t.Errorf("never met and away: %v", err)
	}
	r, err := OpenRanking(t.Context(), v, j.URL)
	if err != nil || r.Key != j.key() {
		t.Fatalf("got %+v, %v", r, err)
	}
	if servers, err := RankingServers(v); err != nil || servers[j.key()] != j.URL {
		t.Errorf("kept %v, %v", servers, err)
	}
	j.Server.Config.Handler = nil // whatever is there, nobody asks
	if again, err := OpenRanking(t.Context(), v, j.URL); err != nil || again.Key != j.key() {
		t.Errorf("away and known: %v, %v", again, err)
	}
}

func TestAnotherServerAtTheAddressIsNotBelieved(t *testing.T) {
	j := newJudge(t)
	v := vault.Memory("p")
	if _, err := OpenRanking(t.Context(), v, j.URL); err != nil {
		t.Fatal(err)
	}
	j.private = ed25519.NewKeyFromSeed([]byte("another key, another server, yes"))
	r, err := OpenRanking(t.Context(), v, j.URL)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := FetchTickets(t.Context(), v, r); !errors.Is(err, ranking.ErrOtherServer) {
		t.Errorf("got %v", err)
	}
}

func TestTicketsAreFilledUp(t *testing.T) {
	j := newJudge(t)
	v := vault.Memory("p")
	r, err := OpenRanking(t.Context(), v, j.URL)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := json.Marshal(ranking.SignedTerms{})
	if err := v.PutParcel(vault.Parcel{ID: "x-terms", Kind: parcelTerms, Server: j.URL, Created: time.Now(), Body: body}); err != nil {
		t.Fatal(err)
	}
	if n, err := FetchTickets(t.Context(), v, r); n != fewTickets || err != nil || j.ended != 1 {
		t.Fatalf("%d tickets, %v, %d terms handed in", n, err, j.ended)
	}
	if left, _ := v.Parcels(time.Now()); len(left) != 0 {
		t.Errorf("the terms stay: %v", left)
	}
	tickets, err := v.Tickets(r.Key, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := v.SpendTicket(r.Key, tickets[0].Serial); err != nil {
		t.Fatal(err)
	}
	j.set(func() { j.refuse = ranking.Refuse(ranking.NoMoreToday, "") })
	if n, err := FetchTickets(t.Context(), v, r); n != fewTickets-1 || err == nil {
		t.Errorf("refused: %d tickets, %v", n, err)
	}
	j.set(func() { j.refuse = nil })
	if n, err := FetchTickets(t.Context(), v, r); n != fewTickets || err != nil || j.serial != fewTickets+1 {
		t.Errorf("filled up: %d tickets of %d, %v", n, j.serial, err)
	}
}
