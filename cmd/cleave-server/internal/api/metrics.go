package api

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
)

// figures are what /metrics says of the API.
type figures struct {
	mu       sync.Mutex
	requests map[counted]uint64
	streams  atomic.Uint64
	issued   atomic.Uint64
}

type counted struct {
	path   string
	reason ranking.Reason
}

func (f *figures) count(path string, reason ranking.Reason) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.requests == nil {
		f.requests = map[counted]uint64{}
	}
	f.requests[counted{path, reason}]++
}

// metrics writes the figures in Prometheus' text format, to programs on the
// same machine: they are nobody else's business.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() || r.Header.Get("X-Forwarded-For") != "" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	s.figures.mu.Lock()
	all := make([]counted, 0, len(s.figures.requests))
	for c := range s.figures.requests {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b counted) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.reason, b.reason)) })
	fmt.Fprintln(w, "# TYPE cleave_requests_total counter")
	for _, c := range all {
		fmt.Fprintf(w, "cleave_requests_total{path=%q,reason=\"%d\"} %d\n", c.path, c.reason, s.figures.requests[c])
	}
	s.figures.mu.Unlock()
	fmt.Fprintf(w, "# TYPE cleave_streams gauge\ncleave_streams %d\n", s.figures.streams.Load())
	fmt.Fprintf(w, "# TYPE cleave_tickets_total counter\ncleave_tickets_total %d\n", s.figures.issued.Load())
	fmt.Fprintf(w, "# TYPE cleave_leaves_total counter\ncleave_leaves_total %d\n", s.config.Ledger.Count())
	if s.config.Figures != nil {
		s.config.Figures(w)
	}
}
