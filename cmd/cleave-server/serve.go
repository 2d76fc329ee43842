package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/api"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/ledger"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/relay"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/rendezvous"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/web"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/p2p/signal"
)

// drainFor is how long what is being done may take to end.
const drainFor = 20 * time.Second

// serve runs the server until ctx ends, then drains it. ready gets the line
// that says where it listens.
func serve(ctx context.Context, o options, log *slog.Logger, ready io.Writer) error {
	if o.tlsCert != "" {
		// Before anybody is told that there is something to connect to.
		if _, err := tls.LoadX509KeyPair(o.tlsCert, o.tlsKey); err != nil {
			return fmt.Errorf("reading the certificate: %w", err)
		}
	}
	db, err := store.Open(ctx, o.db)
	if err != nil {
		return err
	}
	defer db.Close()
	book, err := ledger.Open(ctx, db, games.All())
	if err != nil {
		return err
	}
	parts := &parts{options: o, log: log, book: book}
	if err := parts.listenTurn(); err != nil {
		return err
	}
	parts.rendezvous = rendezvous.New(rendezvous.Config{
		Credentials: parts.credentials,
		Address:     func(r *http.Request) netip.Addr { return api.Address(r, o.behindProxy) },
	})
	parts.api = api.New(api.Config{Ledger: book, Games: games.All(), Program: program(), URL: o.publicURL, BehindProxy: o.behindProxy,
		Log: log, Figures: parts.figures})
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		parts.close()
		return fmt.Errorf("listening: %w", err)
	}
	scheme := "http"
	if o.tlsCert != "" {
		scheme = "https"
	}
	fmt.Fprintf(ready, "cleave-server listening on %s://%s\n", scheme, listener.Addr())
	log.Info("listening", "address", listener.Addr().String(), "key", book.Key().String(), "leaves", book.Count(), "program", program())
	return parts.run(ctx, listener)
}

// parts are what the server is composed of.
type parts struct {
	options
	log        *slog.Logger
	book       *ledger.Ledger
	relay      *relay.Server // nil without --turn
	rendezvous *rendezvous.Server
	api        *api.Server
}

func (p *parts) listenTurn() error {
	if p.turn == "" {
		return nil
	}
	var err error
	if p.relay, err = relay.Listen(relay.Config{Listen: p.turn, IP: p.turnIP, Log: p.log}); err != nil {
		return fmt.Errorf("listening for TURN: %w", err)
	}
	p.log.Info("TURN", "address", p.relay.Addr().String(), "ip", p.turnIP.String())
	return nil
}

func (p *parts) close() {
	if p.relay != nil {
		p.relay.Close()
	}
}

func (p *parts) credentials(seat string) []signal.ICEServer {
	if p.relay == nil {
		return nil
	}
	return []signal.ICEServer{p.relay.Credentials(seat, time.Now())}
}

func (p *parts) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle(signal.Path, p.rendezvous)
	for _, path := range []string{"/v1/", "/healthz", "/metrics"} {
		mux.Handle(path, p.api.Handler())
	}
	mux.Handle("/", web.Handler())
	return mux
}

// run serves until ctx ends or a part fails, then drains.
func (p *parts) run(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           p.handler(),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(p.log.Handler(), slog.LevelDebug),
	}
	// The background work outlives ctx: a match that is being relayed, or a
	// result that is being booked, ends first.
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	group, failed := errgroup.WithContext(background)
	group.Go(func() error { return p.rendezvous.Run(failed) })
	group.Go(func() error { return p.api.Run(failed) })
	group.Go(func() error { return p.api.RunArenas(failed) })
	group.Go(func() error { return p.api.RunNights(failed) })
	if p.relay != nil {
		group.Go(func() error { return p.relay.Run(failed) })
	}
	group.Go(func() error {
		var err error
		if p.tlsCert != "" {
			err = server.ServeTLS(listener, p.tlsCert, p.tlsKey)
		} else {
			err = server.Serve(listener)
		}
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return fmt.Errorf("serving: %w", err)
	})
	select {
	case <-ctx.Done():
		p.log.Info("draining")
	case <-failed.Done():
	}
	p.drain(context.WithoutCancel(ctx), server)
	stop()
	return group.Wait()
}

// drain ends streams and sockets, then the requests that are being answered.
func (p *parts) drain(ctx context.Context, server *http.Server) {
	ctx, cancel := context.WithTimeout(ctx, drainFor)
	defer cancel()
	var ends errgroup.Group
	ends.Go(func() error { p.api.Drain(ctx); return nil })
	ends.Go(func() error { p.rendezvous.Drain(ctx); return nil })
	ends.Go(func() error { return server.Shutdown(ctx) })
	if err := ends.Wait(); err != nil {
		p.log.Warn("not all requests ended in time", "err", err.Error())
		server.Close()
	}
}

// figures writes those of the relay and the rendezvous for /metrics.
func (p *parts) figures(w io.Writer) {
	r := p.rendezvous.Stats()
	fmt.Fprintf(w, "# TYPE cleave_rendezvous gauge\n")
	for _, f := range []struct {
		name string
		n    int
	}{{"sockets", r.Sockets}, {"mailboxes", r.Mailboxes}, {"rooms", r.Rooms}, {"visits", r.Visits}} {
		fmt.Fprintf(w, "cleave_rendezvous{what=%q} %d\n", f.name, f.n)
	}
	fmt.Fprintf(w, "# TYPE cleave_pairings_total counter\ncleave_pairings_total %d\n", r.Pairings)
	fmt.Fprintf(w, "# TYPE cleave_pairing_failures_total counter\n")
	for f := signal.NoServer; f <= signal.NoRoute; f++ {
		if n := r.Failures[f]; n > 0 {
			fmt.Fprintf(w, "cleave_pairing_failures_total{failure=%q} %d\n", f.Name(), n)
		}
	}
	if p.relay == nil {
		return
	}
	t := p.relay.Stats()
	fmt.Fprintf(w, "# TYPE cleave_relay gauge\ncleave_relay{what=\"allocations\"} %d\ncleave_relay{what=\"streams\"} %d\n", t.Live, t.Streams)
	fmt.Fprintf(w, "# TYPE cleave_relay_total counter\n")
	for _, f := range []struct {
		name string
		n    uint64
	}{{"allocations", t.Allocations}, {"refused", t.Refused}, {"over_quota", t.OverQuota}, {"packets", t.Packets},
		{"bytes", t.Bytes}, {"too_fast", t.TooFast}, {"nowhere", t.Nowhere}} {
		fmt.Fprintf(w, "cleave_relay_total{what=%q} %d\n", f.name, f.n)
	}
}

// program is the name and version that /v1/info shows.
func program() string {
	version := "unversioned"
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" && info.Main.Version != "(devel)" {
			version = info.Main.Version
		}
	}
	return "cleave-server " + version
}
