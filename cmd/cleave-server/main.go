// Command cleave-server introduces players to each other, relays between those
// who find no way, and keeps a ladder that anybody can recompute.
//
//	cleave-server [--listen ADDR] [--db FILE] [--public-url URL]
//	              [--turn ADDR --turn-ip IP] [--tls-cert FILE --tls-key FILE]
//	              [--behind-proxy] [--log-level LEVEL]
//
// It serves, at one address, the rendezvous (p2p/signal) at /v1/rendezvous, the
// ranking API (cmd/internal/ranking) below /v1, /healthz, /metrics to the same
// machine, and the game at / where the binary was built with it. With --turn it
// is a TURN server, too.
//
// All it keeps is in the one file of --db, the server's own key included: who
// has the file is the server. Its first line on standard output is the URL that
// it listens on; its log is JSON lines on standard error.
//
// On SIGINT or SIGTERM it takes no more, lets what is being done end within 20
// seconds, and exits with 0. It exits with 1 when it cannot start or go on, and
// with 2 when it is called wrongly.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	o, err := parse(os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil:
		fmt.Fprintf(os.Stderr, "cleave-server: %v (cleave-server -h lists what it takes)\n", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal ends the program as it would any other.
	context.AfterFunc(ctx, stop)
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: o.logLevel}))
	if err := serve(ctx, o, log, os.Stdout); err != nil {
		log.Error("the server ends", "err", err.Error())
		os.Exit(1)
	}
}

type options struct {
	listen      string
	db          string
	publicURL   string
	turn        string
	turnIP      netip.Addr
	tlsCert     string
	tlsKey      string
	behindProxy bool
	logLevel    slog.Level
}

const synopsis = `usage: cleave-server [flags]

Introduces players to each other, relays between those who find no way, serves
the game to browsers, and keeps a ladder. Its first line on standard output is
the URL that it listens on; its log is JSON lines on standard error. On SIGINT or
SIGTERM it lets what is being done end within 20 seconds.

`

const exitCodes = `
Exit codes:
  0    it was told to stop
  1    it cannot start or go on; the last line of the log says why
  2    the command line makes no sense
`

// parse reads the command line; usage is written to, if it is asked for.
func parse(args []string, usage io.Writer) (options, error) {
	var o options
	var turnIP string
	f := flag.NewFlagSet("cleave-server", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.listen, "listen", ":8080", "`address` to serve HTTP (or HTTPS) at")
	f.StringVar(&o.db, "db", "cleave.db", "`file` of the database; it is made if it is missing")
	f.StringVar(&o.publicURL, "public-url", "", "the server's `URL` as players reach it")
	f.StringVar(&o.turn, "turn", "", "`address` of the TURN server, UDP and TCP; none if empty")
	f.StringVar(&turnIP, "turn-ip", "", "`IP` address at which players reach the TURN server")
	f.StringVar(&o.tlsCert, "tls-cert", "", "`file` of the certificate, to serve HTTPS")
	f.StringVar(&o.tlsKey, "tls-key", "", "`file` of the certificate's key")
	f.BoolVar(&o.behindProxy, "behind-proxy", false, "believe the last X-Forwarded-For about the client's address")
	f.TextVar(&o.logLevel, "log-level", slog.LevelInfo, "`level` of the log: debug, info, warn or error")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			io.WriteString(usage, synopsis+"Flags:\n")
			f.VisitAll(func(g *flag.Flag) {
				name, use := flag.UnquoteUsage(g)
				if g.DefValue != "" && g.DefValue != "false" {
					use += " (" + g.DefValue + ")"
				}
				fmt.Fprintf(usage, "  --%-22s %s\n", strings.TrimSpace(g.Name+" "+name), use)
			})
			io.WriteString(usage, exitCodes)
		}
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if (o.tlsCert == "") != (o.tlsKey == "") {
		return o, errors.New("--tls-cert and --tls-key go together")
	}
	if o.publicURL != "" {
		u, err := url.Parse(o.publicURL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return o, fmt.Errorf("--public-url: %q is not an http or https URL", o.publicURL)
		}
	}
	return o, o.parseTurn(turnIP)
}

// parseTurn reads --turn-ip, which may be left out when --turn names the
// address itself.
func (o *options) parseTurn(ip string) error {
	if o.turn == "" {
		if ip != "" {
			return errors.New("--turn-ip says nothing without --turn")
		}
		return nil
	}
	if ip == "" {
		ap, err := netip.ParseAddrPort(o.turn)
		if err != nil || ap.Addr().IsUnspecified() {
			return errors.New("--turn needs --turn-ip, the address at which players reach it")
		}
		o.turnIP = ap.Addr()
		return nil
	}
	var err error
	if o.turnIP, err = netip.ParseAddr(ip); err != nil {
		return fmt.Errorf("--turn-ip: %w", err)
	}
	return nil
}
