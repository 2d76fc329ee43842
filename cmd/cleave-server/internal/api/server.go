// Package api is the ranking server's HTTP side: it authenticates, limits,
// reads the clock, and asks judge and ledger. Package cmd/internal/ranking
// specifies what it speaks.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/ledger"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/rating"
	"github.com/cleavegame/cleave/lockstep/record"
)

// maxBody is the largest body of a request in bytes: ten terms in base64, or a
// log in base64.
const maxBody = 256 << 10

// Config is what a Server is made of.
type Config struct {
	Ledger  *ledger.Ledger
	Games   record.Games
	Program string // name and version, for /v1/info
	URL     string // the server's, as players write it; may be empty
	// BehindProxy says that the last X-Forwarded-For names the client.
	BehindProxy bool
	Log         *slog.Logger
	// Figures adds other figures to /metrics; nil for none.
	Figures func(io.Writer)
	Limits  Limits
	// Now is the clock, time.Now where it is nil. It decides what day it is, and
	// no network deadline.
	Now func() time.Time
}

// A Server serves the API. Run, RunArenas and RunNights must run beside Handler.
type Server struct {
	config Config
	mux    *http.ServeMux
	limits limiter
	nonces nonces
	hub    hub
	// replays is held by who replays a log: as many at once as there are
	// processors. bots is held by who has a bot play again, which may take a
	// thousand times as long: it leaves processors for everybody else.
	replays, bots chan struct{}
	// due wakes the job loop, when something may be due earlier.
	due     chan struct{}
	figures figures
	health  health
}

// New makes a server. It starts nothing.
func New(c Config) *Server {
	s := &Server{config: c, mux: http.NewServeMux(), replays: make(chan struct{}, runtime.NumCPU()),
		bots: make(chan struct{}, max(runtime.NumCPU()/2, 1)), due: make(chan struct{}, 1)}
	if s.config.Now == nil {
		s.config.Now = time.Now
	}
	s.limits = newLimiter(c.Limits)
	s.nonces = newNonces(s.now().UnixMilli())
	s.hub = newHub(s.limits.Streams, s.limits.StreamsPerAddress)
	for _, route := range []struct {
		pattern string
		kind    kind
		handle  handler
	}{
		{"GET /v1/info", reading, s.info},
		{"POST /v1/tickets", signing, s.tickets},
		{"POST /v1/matches", signing, s.open},
		{"POST /v1/logs", handing, s.upload},
		{"POST /v1/proofs", handing, s.prove},
		{"POST /v1/claims", signing, s.claim},
		{"POST /v1/withdrawals", signing, s.withdraw},
		{"GET /v1/matches/{id}", reading, s.match},
		{"GET /v1/matches/{id}/log", reading, s.log},
		{"GET /v1/ladder", reading, s.ladder},
		{"GET /v1/players/{code}", reading, s.player},
		{"GET /v1/daily", reading, s.daily},
		{"GET /v1/daily/anchors", reading, s.anchors},
		{"POST /v1/daily/attempts", signing, s.attempt},
		{"POST /v1/profile", signing, s.profile},
		{"POST /v1/runs", handingRun, s.uploadRun},
		{"GET /v1/runs/{id}", reading, s.run},
		{"GET /v1/runs/{id}/log", reading, s.runLog},
		{"GET /v1/boards/{board}", reading, s.board},
		{"GET /v1/arenas", reading, s.arenas},
		{"POST /v1/arenas", signing, s.enter},
		{"GET /v1/arenas/{id}", reading, s.arena},
		{"GET /healthz", reading, s.healthz},
	} {
		s.mux.Handle(route.pattern, s.wrap(route.pattern, route.kind, route.handle))
	}
	s.mux.HandleFunc("OPTIONS /v1/", preflight)
	s.mux.Handle("/v1/", s.wrap("other", reading, func(http.ResponseWriter, *request) error {
		return ranking.Refuse(ranking.NotFound, "no such path")
	}))
	s.mux.HandleFunc("GET /metrics", s.metrics)
	return s
}

func (s *Server) now() time.Time { return s.config.Now() }

// Handler serves /v1, /healthz and /metrics.
func (s *Server) Handler() http.Handler { return s.mux }

// Run settles what is due and forgets what is old, until ctx ends.
func (s *Server) Run(ctx context.Context) error {
	const look = 30 * time.Second
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-s.due:
		}
		now := s.now()
		s.limits.sweep(now)
		s.nonces.sweep(now.UnixMilli())
		wait := look
		settled, nextMs, err := s.config.Ledger.Due(ctx, now.UnixMilli())
		if err != nil && ctx.Err() == nil {
			s.config.Log.Error("settling what is due", "err", err)
		}
		for _, id := range settled {
			s.tell(ctx, id)
		}
		if err == nil && nextMs > 0 {
			wait = min(wait, max(time.UnixMilli(nextMs).Sub(now), 10*time.Millisecond))
		}
		timer.Reset(wait)
	}
}

// Drain ends the streams, telling each player to come back, and waits until
// they are gone or ctx ends.
func (s *Server) Drain(ctx context.Context) { s.hub.drain(ctx) }

// wake has the job loop look again.
func (s *Server) wake() {
	select {
	case s.due <- struct{}{}:
	default:
	}
}

// replay runs f when a processor is free for it.
func replay(ctx context.Context, slots chan struct{}, f func() error) error {
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
		return f()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A request is one that was let in.
type request struct {
	*http.Request
	now  time.Time
	body []byte
	key  record.Key // of a signed one
	who  client
	// drop forgets the body, of which nothing is needed any more.
	drop func()
}

func (r *request) nowMs() int64 { return r.now.UnixMilli() }

// A handler answers with JSON of its own, or returns why not.
type handler func(w http.ResponseWriter, r *request) error

// A kind of request says what it must bring, and what it counts against.
type kind uint8

const (
	reading    kind = iota
	handing         // a body that proves itself
	handingRun      // the same, as large as a run
	signing         // a body that a player signed
)

const (
	bodyTime  = 30 * time.Second // to send a body
	writeTime = 30 * time.Second // to take an answer
)

func (s *Server) wrap(pattern string, k kind, handle handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		began := time.Now()
		r := &request{Request: hr, now: s.now(), who: s.client(hr), drop: func() {}}
		defer func() { r.drop() }()
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		control := http.NewResponseController(w)
		control.SetReadDeadline(began.Add(bodyTime))
		control.SetWriteDeadline(began.Add(writeTime))
		err := s.letIn(w, r, k)
		if err == nil {
			err = handle(w, r)
		}
		reason := ranking.None
		if err != nil {
			if errors.Is(err, context.Canceled) && hr.Context().Err() != nil {
				return // nobody is there to be told
			}
			refusal := ledger.Refusal(err)
			reason = refusal.Reason
			if reason == ranking.ServerTrouble || reason == ranking.DiskFull {
				s.config.Log.Error("a request ended in trouble", "path", pattern, "err", err)
			}
			s.refuse(w, refusal)
		}
		s.figures.count(pattern, reason)
		s.config.Log.Debug("request", "path", pattern, "reason", int(reason), "ms", time.Since(began).Milliseconds())
	})
}

// letIn holds a request to the limits, reads its body and checks its
// signature.
func (s *Server) letIn(w http.ResponseWriter, r *request, k kind) error {
	if !s.limits.allow(r.who.address, k, r.now) {
		return slowDown()
	}
	if k == reading {
		return nil
	}
	release, ok := s.limits.hold(r.who.address)
	if !ok {
		return slowDown()
	}
	r.drop = func() { r.body = nil; release() }
	most := int64(maxBody)
	if k == handingRun {
		most = record.MaxRun
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return ranking.Refuse(ranking.TooLarge, "")
		}
		return ranking.Refuse(ranking.BadRequest, "the body did not come whole")
	}
	r.body = body
	if k != signing {
		return nil
	}
	key, nonce, ok := ranking.CheckRequest(r.Request, body, s.config.Ledger.Key())
	if !ok {
		return ranking.Refuse(ranking.NotAuthentic, "")
	}
	if !s.nonces.fresh(key, nonce, r.nowMs()) {
		refusal := ranking.Refuse(ranking.StaleNonce, "")
		refusal.NowMs = r.nowMs()
		return refusal
	}
	if !s.limits.allowKey(key, r.now) {
		return slowDown()
	}
	r.key = key
	return nil
}

func slowDown() *ranking.Refusal {
	r := ranking.Refuse(ranking.SlowDown, "")
	r.RetrySeconds = 5
	return r
}

var statuses = map[ranking.Reason]int{
	ranking.NotAuthentic:   http.StatusUnauthorized,
	ranking.NotBegun:       http.StatusConflict,
	ranking.Closed:         http.StatusGone,
	ranking.AttemptsSpent:  http.StatusConflict,
	ranking.ArenaFull:      http.StatusConflict,
	ranking.ArenaEntered:   http.StatusConflict,
	ranking.NotPublished:   http.StatusForbidden,
	ranking.TooManyFlagged: http.StatusTooManyRequests,
	ranking.TooManyArenas:  http.StatusTooManyRequests,
	ranking.StaleNonce:     http.StatusUnauthorized,
	ranking.WorkNeeded:     http.StatusForbidden,
	ranking.NotFound:       http.StatusNotFound,
	ranking.SlowDown:       http.StatusTooManyRequests,
	ranking.NoMoreToday:    http.StatusTooManyRequests,
	ranking.TooManyTickets: http.StatusTooManyRequests,
	ranking.NotOpened:      http.StatusConflict,
	ranking.NotYourMatch:   http.StatusForbidden,
	ranking.TooLate:        http.StatusGone,
	ranking.TooLarge:       http.StatusRequestEntityTooLarge,
	ranking.LogTooLarge:    http.StatusRequestEntityTooLarge,
	ranking.AlreadyDecided: http.StatusConflict,
	ranking.TicketSpent:    http.StatusConflict,
	ranking.ClaimWithdrawn: http.StatusConflict,
	ranking.LeftTooOften:   http.StatusTooManyRequests,
	ranking.ServerTrouble:  http.StatusInternalServerError,
	ranking.DiskFull:       http.StatusInsufficientStorage,
	ranking.ServerFull:     http.StatusServiceUnavailable,
	ranking.Stopping:       http.StatusServiceUnavailable,
}

func (s *Server) refuse(w http.ResponseWriter, r *ranking.Refusal) {
	status, ok := statuses[r.Reason]
	if !ok {
		status = http.StatusBadRequest
	}
	if r.RetrySeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(r.RetrySeconds))
	}
	send(w, status, r)
}

func send(w http.ResponseWriter, status int, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		panic("api: an answer cannot be written: " + err.Error())
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(append(b, '\n'))
}

// parse reads a JSON body that is one object and nothing behind it.
func parse(body []byte, into any) error {
	if !bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{")) || json.Unmarshal(body, into) != nil {
		return ranking.Refuse(ranking.BadRequest, "the body is not the JSON that is expected here")
	}
	return nil
}

func preflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", "GET, POST")
	h.Set("Access-Control-Allow-Headers", "Content-Type, Cleave-Key, Cleave-Nonce, Cleave-Signature")
	h.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) info(w http.ResponseWriter, r *request) error {
	rules := make([]string, 0, len(s.config.Games))
	for name := range s.config.Games {
		rules = append(rules, name)
	}
	slices.Sort(rules)
	send(w, http.StatusOK, ranking.Info{API: ranking.APIVersion, Program: s.config.Program, Server: s.config.Ledger.Key().String(), URL: s.config.URL,
		NowMs: r.nowMs(), Season: rating.SeasonAt(r.nowMs()).String(), Rules: rules, WorkBits: ranking.WorkBits})
	return nil
}

// health remembers the last check, so that asking often costs nothing.
type health struct {
	mu sync.Mutex
	at time.Time
	is error
}

const healthFor = 2 * time.Second

func (s *Server) healthz(w http.ResponseWriter, r *request) error {
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	if r.now.Sub(s.health.at) >= healthFor {
		s.health.is, s.health.at = s.config.Ledger.Check(r.Context(), r.nowMs()), r.now
	}
	if s.health.is != nil {
		return s.health.is
	}
	send(w, http.StatusOK, struct {
		OK bool `json:"ok"`
	}{true})
	return nil
}
