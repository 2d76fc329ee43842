package api

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/ledger"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

// open takes co-signed terms and holds the connection: the stream of an opened
// match.
func (s *Server) open(w http.ResponseWriter, r *request) error {
	var signed ranking.SignedTerms
	if err := parse(r.body, &signed); err != nil {
		return err
	}
	terms, sigs, err := ledger.ReadTerms(signed)
	if err != nil {
		return err
	}
	seat, opening, err := s.config.Ledger.Hand(r.Context(), r.nowMs(), r.key, terms, sigs)
	if err != nil {
		return err
	}
	st, both, err := s.hub.join(terms.ID(), seat, r.who.address)
	if err != nil {
		return err
	}
	defer s.hub.leave(st)
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // or a proxy keeps the lines back
	switch {
	case opening != nil:
		st.events <- ranking.Event{Event: ranking.EventOpened, Receipt: opening}
	default:
		st.events <- ranking.Event{Event: ranking.EventWaiting}
		if both {
			if err := s.opened(r, terms.ID()); err != nil {
				return err
			}
		}
	}
	s.figures.streams.Add(1)
	defer s.figures.streams.Add(^uint64(0))
	r.drop() // for as long as the match lasts
	st.run(r.Context(), w, s.now)
	return nil
}

// opened notes that both are here and tells them.
func (s *Server) opened(r *request, id record.ID) error {
	receipt, err := s.config.Ledger.Opened(r.Context(), r.nowMs(), id)
	if err != nil {
		return err
	}
	s.hub.tell(id, ranking.Event{Event: ranking.EventOpened, Receipt: &receipt})
	return nil
}

// tell tells the holders of a match's streams how it was decided.
func (s *Server) tell(ctx context.Context, id record.ID) {
	if !s.hub.holds(id) {
		return
	}
	m, err := s.config.Ledger.Match(ctx, id)
	if err != nil {
		s.config.Log.Error("telling of a match", "err", err)
		return
	}
	s.hub.tell(id, ranking.Event{Event: ranking.EventDecided, State: m.State, Reason: m.Reason, Receipt: m.Receipt})
}

// A hub knows who holds a stream for which match.
type hub struct {
	mu       sync.Mutex
	matches  map[record.ID]*[2]*stream
	from     map[string]int // streams by address
	open     int
	most     int
	mostFrom int
	stopping bool
	gone     chan struct{} // closed when stopping and none is left
}

func newHub(most, mostFrom int) hub {
	return hub{matches: map[record.ID]*[2]*stream{}, from: map[string]int{}, most: most, mostFrom: mostFrom, gone: make(chan struct{})}
}

// A stream is one player's connection for one match.
type stream struct {
	match   record.ID
	seat    int
	address string
	events  chan ranking.Event
	// end is closed when the stream has to go: another takes its place, or
	// the server stops.
	end     chan struct{}
	endOnce sync.Once
	last    ranking.Event // said before the end, if it says something
}

func (s *stream) stop(last ranking.Event) {
	s.endOnce.Do(func() {
		s.last = last
		close(s.end)
	})
}

// join adds a stream; one that the seat has already is ended. both says that
// the other seat has one too.
func (h *hub) join(id record.ID, seat int, address string) (_ *stream, both bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.stopping:
		return nil, false, ranking.Refuse(ranking.Stopping, "")
	case h.open >= h.most:
		return nil, false, ranking.Refuse(ranking.ServerFull, "")
	case h.from[address] >= h.mostFrom:
		return nil, false, slowDown()
	}
	seats := h.matches[id]
	if seats == nil {
		seats = new([2]*stream)
		h.matches[id] = seats
	}
	if old := seats[seat]; old != nil {
		old.stop(ranking.Event{})
	}
	st := &stream{match: id, seat: seat, address: address, events: make(chan ranking.Event, 16), end: make(chan struct{})}
	seats[seat] = st
	h.open++
	h.from[address]++
	return st, seats[1-seat] != nil, nil
}

func (h *hub) leave(st *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open--
	if h.from[st.address]--; h.from[st.address] == 0 {
		delete(h.from, st.address)
	}
	if seats := h.matches[st.match]; seats != nil && seats[st.seat] == st {
		seats[st.seat] = nil
		if seats[1-st.seat] == nil {
			delete(h.matches, st.match)
		}
	}
	if h.stopping && h.open == 0 {
		close(h.gone)
	}
}

func (h *hub) holds(id record.ID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.matches[id] != nil
}

// tell hands an event to the streams of a match. One that does not keep up
// loses it; what it says can be asked for.
func (h *hub) tell(id record.ID, e ranking.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	seats := h.matches[id]
	if seats == nil {
		return
	}
	for _, st := range seats {
		if st == nil {
			continue
		}
		select {
		case st.events <- e:
		default:
		}
	}
}

func (h *hub) drain(ctx context.Context) {
	h.mu.Lock()
	h.stopping = true
	for _, seats := range h.matches {
		for _, st := range seats {
			if st != nil {
				st.stop(ranking.Event{Event: ranking.EventStopping})
			}
		}
	}
	none := h.open == 0
	h.mu.Unlock()
	if none {
		return
	}
	select {
	case <-h.gone:
	case <-ctx.Done():
	}
}

// run writes events, each with the time that it is, until the client goes or the
// stream ends.
func (st *stream) run(ctx context.Context, w http.ResponseWriter, now func() time.Time) {
	control := http.NewResponseController(w)
	write := func(e ranking.Event) bool {
		e.NowMs = now().UnixMilli()
		b, err := json.Marshal(e)
		if err != nil {
			panic("api: an event cannot be written: " + err.Error())
		}
		control.SetWriteDeadline(time.Now().Add(writeTime))
		if _, err := w.Write(append(b, '\n')); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	control.SetReadDeadline(time.Time{})
	ping := time.NewTicker(ranking.PingSeconds * time.Second)
	defer ping.Stop()
	for {
		var e ranking.Event
		select {
		case <-ctx.Done():
			return
		case <-st.end:
			if st.last.Event != "" {
				write(st.last)
			}
			return
		case e = <-st.events:
		case <-ping.C:
			e = ranking.Event{Event: ranking.EventPing}
		}
		if !write(e) {
			return
		}
	}
}
