// Package rendezvous is the server's side of p2p/signal, which specifies the
// messages: it lends two programs a mailbox to find each other in, and knows
// as little of them as that needs. It sees numbers, random names of mailboxes
// and sealed bytes; of a room that its host lists, the listing as well. It
// keeps nothing on disk, and no address longer than a limit needs it.
//
// Run must run beside ServeHTTP: it ends what has had its time.
package rendezvous

import (
	"context"
	"maps"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

// Config is what a Server is built from. Zero values take the defaults.
type Config struct {
	// Credentials returns the STUN and TURN servers for one seat of one
	// visit. The seat's name is random, and says nothing of mailbox or
	// address. It is called under the server's lock and must not wait for
	// anything. nil offers none.
	Credentials func(seat string) []signal.ICEServer
	// Address is the client's address, for the limits; nil takes it from
	// Request.RemoteAddr. Behind a proxy it must read what the proxy vouches
	// for.
	Address func(r *http.Request) netip.Addr
	Limits
}

// A Server is the rendezvous server. It is an http.Handler for signal.Path.
type Server struct {
	credentials func(seat string) []signal.ICEServer
	address     func(r *http.Request) netip.Addr
	handlers    sync.WaitGroup
	// tap sees every message that the server reads or writes, in tests.
	tap func(data []byte)

	mu       sync.Mutex
	desk     *desk
	draining bool
}

// New makes a Server; it starts nothing.
func New(config Config) *Server {
	s := &Server{credentials: config.Credentials, address: config.Address}
	if s.credentials == nil {
		s.credentials = func(string) []signal.ICEServer { return nil }
	}
	if s.address == nil {
		s.address = remoteAddress
	}
	s.desk = newDesk(config.Limits.orDefaults(), s.credentials)
	return s
}

func remoteAddress(r *http.Request) netip.Addr {
	a, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		// A listener without addresses: all its clients share one limit.
		return netip.Addr{}
	}
	return a.Addr()
}

// sweepEvery is how exact the times of the server are.
const sweepEvery = time.Second

// Run ends codes, seats and sockets whose time is over, until ctx ends.
func (s *Server) Run(ctx context.Context) error {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.mu.Lock()
			s.desk.sweep(time.Now())
			s.mu.Unlock()
		case <-ctx.Done():
			return nil
		}
	}
}

// ServeHTTP serves one socket for as long as it lasts.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, why := s.open(r)
	if why != 0 {
		w.Header().Set(signal.FailureHeader, strconv.Itoa(int(why)))
		status := http.StatusServiceUnavailable
		if why == signal.SlowDown {
			status = http.StatusTooManyRequests
		}
		http.Error(w, why.Error(), status)
		return
	}
	defer s.handlers.Done()
	defer s.close(c)
	socket, err := signal.Accept(w, r)
	if err != nil {
		return
	}
	var writer sync.WaitGroup
	writer.Go(func() { s.write(c, socket) })
	s.read(c, socket)
	c.end(0)
	writer.Wait()
}

func (s *Server) open(r *http.Request) (*client, signal.Failure) {
	prefix := prefixOf(s.address(r))
	s.mu.Lock()
	defer s.mu.Unlock()
	why := signal.ServerFull
	var c *client
	if !s.draining {
		c, why = s.desk.open(time.Now(), prefix)
	}
	if why != 0 {
		s.desk.failures[why]++
		return nil, why
	}
	s.handlers.Add(1)
	return c, 0
}

func (s *Server) close(c *client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.desk.lost(time.Now(), c)
}

func (s *Server) read(c *client, socket *signal.Socket) {
	for {
		// The socket is closed by the writer, never by this context.
		data, text, err := socket.Read(context.Background())
		if err != nil {
			return
		}
		if s.tap != nil {
			s.tap(data)
		}
		s.mu.Lock()
		why := s.desk.message(time.Now(), c, data, text)
		if why != 0 {
			s.desk.failures[why]++
		}
		s.mu.Unlock()
		if why != 0 {
			c.end(why)
			return
		}
	}
}

func (s *Server) write(c *client, socket *signal.Socket) {
	for {
		select {
		case m := <-c.out:
			if !s.writeOne(socket, m) {
				socket.Drop()
				return
			}
		case <-c.done:
			// What was said before the end is still to be heard.
			for len(c.out) > 0 {
				if !s.writeOne(socket, <-c.out) {
					break
				}
			}
			socket.Close(c.why)
			return
		}
	}
}

func (s *Server) writeOne(socket *signal.Socket, m outgoing) bool {
	if s.tap != nil {
		s.tap(m.data)
	}
	return socket.Write(m.data, m.text) == nil
}

// drainPoll is how often a draining server looks whether it may go.
const drainPoll = 50 * time.Millisecond

// Drain takes no more clients, waits until no pairing is in progress or ctx
// has ended, then closes every socket and waits until they are closed.
func (s *Server) Drain(ctx context.Context) {
	s.mu.Lock()
	s.draining = true
	s.desk.closed = true
	s.mu.Unlock()
	tick := time.NewTicker(drainPoll)
	defer tick.Stop()
	for busy := true; busy && ctx.Err() == nil; {
		s.mu.Lock()
		busy = s.desk.pairing(time.Now())
		s.mu.Unlock()
		if !busy {
			break
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	s.mu.Lock()
	for c := range s.desk.clients {
		c.end(signal.NoServer)
	}
	s.mu.Unlock()
	s.handlers.Wait()
}

// Stats are figures for the server's metrics.
type Stats struct {
	Sockets, Mailboxes, Rooms, Visits int
	// Pairings counts the CPace messages and shares that were answered.
	Pairings uint64
	// Failures counts what clients were told, and the refusals that hosts
	// sent to their visitors in clear.
	Failures map[signal.Failure]uint64
}

// Stats returns the figures as they are now.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.desk
	return Stats{
		Sockets: len(d.clients), Mailboxes: len(d.boxes), Rooms: d.rooms, Visits: len(d.visits),
		Pairings: d.pairings, Failures: maps.Clone(d.failures),
	}
}
