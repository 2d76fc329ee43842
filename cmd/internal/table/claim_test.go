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
	"testing/synctest"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep"
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

// Both claim while the line is cut, and the owed entry comes when it is whole
// again: what was claimed is withdrawn at the server before anything is signed,
// and the match is played to its end and counts.
func TestAMootClaimIsWithdrawn(t *testing.T) {
	b := newBench(t)
	b.slow = 2 * time.Second
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(5, memnet.Conditions{Delay: 10 * time.Millisecond})
		x, y, stop := openedPair(t, b, link)
		defer stop()
		cut := time.AfterFunc(9300*time.Millisecond, func() {
			link.Cut()
			time.AfterFunc(45*time.Second, link.Heal)
		})
		defer cut.Stop()
		fx, fy, err := both(t.Context(), x, y, Sitting{Player: easy(1, time.Second)}, Sitting{Player: easy(2, time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		checkLogs(t, fx, fy)
		time.Sleep(time.Minute) // the outboxes
		story := b.story()
		claims, withdrawn := 0, 0
		for i, what := range story {
			switch {
			case what == "withdrawal":
				withdrawn++
			case what != "log":
				claims++
				if i > 1 && story[i-1] == "log" {
					t.Error("a claim after the end")
				}
			}
		}
		if claims == 0 || withdrawn < claims || !slices.Contains(story, "log") {
			t.Errorf("the server got %v\n%s\n%s", story, x.story(), y.story())
		}
		for i, s := range []*seat{x, y} {
			seat := [][]Finished{fx, fy}[i][0].Seat
			if waited := s.afterClaimGone(seat); waited < b.slow {
				t.Errorf("seat %d signed %v after its claim was moot", seat, waited)
			}
			if left, err := s.vault.Parcels(time.Now()); err != nil || len(left) != 0 {
				t.Errorf("in the outbox: %+v %v", left, err)
			}
		}
	})
}

// afterClaimGone is how long after its claim was moot the seat made an entry.
func (s *seat) afterClaimGone(seat int) time.Duration {
	var gone time.Time
	for i, e := range s.events {
		from, ok := e.(FromSession)
		if !ok {
			continue
		}
		switch e := from.Event.(type) {
		case lockstep.ClaimGone:
			gone = s.times[i]
		case lockstep.Applied:
			if !gone.IsZero() && int(e.Entry.Move.Seat) == seat {
				return s.times[i].Sub(gone)
			}
		}
	}
	return 0
}

// A server that is away keeps nobody from playing on for long, and gets to know
// when it is back.
func TestWithdrawingWithoutTheServer(t *testing.T) {
	b := newBench(t)
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(5, memnet.Conditions{Delay: 10 * time.Millisecond})
		x, y, stop := openedPair(t, b, link)
		defer stop()
		cut := time.AfterFunc(9300*time.Millisecond, func() {
			link.Cut()
			time.AfterFunc(40*time.Second, func() { b.set(func() { b.away = true }) }) // the claims are there
			time.AfterFunc(45*time.Second, link.Heal)
		})
		defer cut.Stop()
		fx, fy, err := both(t.Context(), x, y, Sitting{Player: easy(1, time.Second)}, Sitting{Player: easy(2, time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		checkLogs(t, fx, fy)
		if slices.Contains(b.story(), "withdrawal") {
			t.Error("a server that is away has got a withdrawal")
		}
		b.set(func() { b.away = false })
		time.Sleep(2 * time.Hour)
		if story := b.story(); !slices.Contains(story, "withdrawal") || !slices.Contains(story, "log") {
			t.Errorf("the server got %v", story)
		}
	})
}

// person sits at a new table of the seat and does what a sitter does, but for
// the events that own takes.
func (s *seat) person(ctx context.Context, p Decider, own func(*Table, lockstep.Event) bool) error {
	table, err := New(s.config())
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- table.Run(ctx) }()
	sit := &sitter{Sitting: Sitting{Player: p}, table: table, decided: make(chan decision), gone: make(chan struct{})}
	defer close(sit.gone)
	for {
		select {
		case e, ok := <-table.Events():
			if !ok {
				sit.stopThinking()
				return <-done
			}
			if from, ok := e.(FromSession); ok && !own(table, from.Event) {
				sit.answer(ctx, from.Event)
			}
		case d := <-sit.decided:
			sit.decide(d)
		}
	}
}

// Who goes away when a claim is due has filed it, if the server can hear it.
func TestGoingAwayFilesTheClaimThatIsDue(t *testing.T) {
	for _, how := range []string{"leaving", "closing the window", "a friendly match"} {
		t.Run(how, func(t *testing.T) {
			b := newBench(t)
			synctest.Test(t, func(t *testing.T) {
				link := memnet.NewLink(5, memnet.Conditions{Delay: 10 * time.Millisecond})
				x, y, stop := openedPair(t, b, link)
				defer stop()
				x.room.Friendly = how == "a friendly match"
				peer, kill := context.WithCancel(t.Context())
				ctx, closeWindow := context.WithCancel(t.Context())
				defer closeWindow()
				var wg sync.WaitGroup
				wg.Go(func() { y.sit(peer, Sitting{Player: easy(2, time.Second)}) })
				cut := time.AfterFunc(9300*time.Millisecond, func() { link.Cut(); kill() })
				defer cut.Stop()
				err := x.person(ctx, easy(1, time.Second), func(table *Table, e lockstep.Event) bool {
					_, due := e.(lockstep.ClaimDue)
					if due && how == "closing the window" {
						closeWindow()
					} else if due {
						table.Leave()
					}
					return due
				})
				wg.Wait()
				if !errors.Is(err, ErrLeft) && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				time.Sleep(time.Minute)
				story := b.story()
				if how == "a friendly match" {
					if len(story) != 0 {
						t.Errorf("the server got %v", story)
					}
					return
				}
				if len(story) != 1 || story[0] != "claim silence" && story[0] != "claim overdue" {
					t.Errorf("the server got %v", story)
				}
				// The match can be gone on with, and is claimed once.
				if u, err := Unfinish(x.vault, time.Now()); err != nil || len(u) != 1 {
					t.Errorf("unfinished: %+v %v", u, err)
				}
			})
		})
	}
}

// An opened match that both call off is handed in with both signatures, by
// both.
func TestAMatchCalledOffIsHandedIn(t *testing.T) {
	b := newBench(t)
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(5, memnet.Conditions{Delay: 10 * time.Millisecond})
		x, y, stop := openedPair(t, b, link)
		defer stop()
		began := time.Now()
		y.stop(10 * time.Second)
		var wg sync.WaitGroup
		var errs [2]error
		off := [2]int{}
		wg.Go(func() {
			errs[1] = y.person(t.Context(), easy(2, 3*time.Second), func(table *Table, e lockstep.Event) bool {
				switch e.(type) {
				case lockstep.CallOffOffered:
					table.CallOff()
					return true
				case lockstep.CallOffSigned:
					off[1]++
				case lockstep.YourTurn:
					return time.Since(began) > 10*time.Second
				}
				return false
			})
		})
		errs[0] = x.person(t.Context(), easy(1, time.Second), func(table *Table, e lockstep.Event) bool {
			switch e.(type) {
			case lockstep.ClaimDue:
				table.CallOff()
				return true
			case lockstep.CallOffSigned:
				off[0]++
			}
			return false
		})
		wg.Wait()
		for i, err := range errs {
			if !errors.Is(err, ErrLeft) {
				t.Errorf("side %d: %v", i, err)
			}
		}
		time.Sleep(time.Minute)
		if off != [2]int{1, 1} || !slices.Equal(b.story(), []string{"claim call-off", "claim call-off"}) {
			t.Fatalf("called off %v; the server got %v", off, b.story())
		}
		for _, c := range b.calls {
			log, err := record.ParseLog(c.Log)
			if err != nil {
				t.Fatal(err)
			}
			v, err := record.Verify(log, games.All())
			if err != nil || v.Complete() || len(c.CalledOff) != 2 {
				t.Fatalf("%v, complete %v, %d signatures", err, v.Complete(), len(c.CalledOff))
			}
			message := record.CallOffMessage(v.ID(), uint32(v.Len()), v.Head())
			for seat, sig := range c.CalledOff {
				if !v.Terms().Keys[seat].Verify(message, record.Signature(sig)) {
					t.Errorf("the signature of seat %d does not hold", seat)
				}
			}
		}
	})
}

// stop lets the seat's clock stand still after so long: it answers, and decides
// nothing.
func (s *seat) stop(after time.Duration) {
	began := time.Now()
	s.now = func() lockstep.Now {
		ms := min(time.Since(began), after).Milliseconds()
		return lockstep.Now{Mono: ms, Wall: began.UnixMilli() + ms}
	}
}

// Who plays by himself agrees to no end without a result: whoever is about to
// lose would offer it.
func TestNobodyIsTalkedOutOfAMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(5, memnet.Conditions{Delay: 10 * time.Millisecond})
		x, y := newSeat(t, link, 0), newSeat(t, link, 1)
		y.stop(10 * time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		var wg sync.WaitGroup
		asleep := decider(func(ctx context.Context, _ duel.State, _ int) (engine.Move, error) {
			<-ctx.Done()
			return engine.Move{}, ctx.Err()
		})
		wg.Go(func() { y.sit(ctx, Sitting{Player: asleep}) })
		offered := false
		x.person(ctx, easy(1, time.Second), func(table *Table, e lockstep.Event) bool {
			if _, due := e.(lockstep.ClaimDue); !due {
				return false
			}
			offered = true
			table.CallOff()
			return true
		})
		wg.Wait()
		got, signed := 0, 0
		for _, e := range y.events {
			if from, ok := e.(FromSession); ok {
				switch from.Event.(type) {
				case lockstep.CallOffOffered:
					got++
				case lockstep.CallOffSigned:
					signed++
				}
			}
		}
		if !offered || got != 1 || signed != 0 {
			t.Errorf("offered %v, %d times there, agreed %d times\n%s", offered, got, signed, y.story())
		}
	})
}
