//go:build !js

package lan

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net/netip"
	"sync"
	"time"

	"github.com/grandcat/zeroconf"

	"github.com/cleavegame/cleave/p2p"
)

// This file is all that touches zeroconf 1.0.0, and works around what it does:
// a Resolver finds each name once, then stops asking, reports no departure and
// is of no use a second time; a Server must not be changed.

const (
	service = "_cleave._udp"
	domain  = "local"
)

// hear asks once who is there, calls seen with each answer until ctx ends, and
// with whoever announces itself meanwhile. It returns when ctx has ended, or
// at once with an error.
func (g ground) hear(ctx context.Context, seen func(room p2p.Room)) error {
	hush()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var refused []error
	for _, family := range []zeroconf.IPType{zeroconf.IPv4AndIPv6, zeroconf.IPv4, zeroconf.IPv6} {
		resolver, err := zeroconf.NewResolver(zeroconf.SelectIfaces(g.interfaces), zeroconf.SelectIPTraffic(family))
		if err != nil {
			refused = append(refused, err)
			continue
		}
		entries := make(chan *zeroconf.ServiceEntry)
		err = resolver.Browse(ctx, service, domain+".", entries)
		if err != nil {
			cancel()
		}
		// To the end in any case: a reader that stops blocks the library
		// for ever.
		for e := range entries {
			if room, err := g.read(e); err == nil && ctx.Err() == nil {
				seen(room)
			}
		}
		return err
	}
	return errors.Join(refused...)
}

// read copies what it takes from e, which the library goes on changing.
func (g ground) read(e *zeroconf.ServiceEntry) (p2p.Room, error) {
	if len(e.Text) > 32 || e.Port < 1 || e.Port > 65535 {
		return p2p.Room{}, errAnnouncement
	}
	room, err := parseTXT(e.Text)
	if err != nil {
		return p2p.Room{}, err
	}
	var near, far []string
	for _, raw := range append(e.AddrIPv4[:len(e.AddrIPv4):len(e.AddrIPv4)], e.AddrIPv6...) {
		ip, ok := netip.AddrFromSlice(raw)
		if ip = ip.Unmap(); !ok || !dialable(ip, g.loopback) {
			continue
		}
		at := netip.AddrPortFrom(ip, uint16(e.Port)).String()
		if g.near(ip) {
			near = append(near, at)
		} else {
			far = append(far, at)
		}
	}
	room.Addrs = append(near, far...)
	if len(room.Addrs) == 0 {
		return p2p.Room{}, errAnnouncement
	}
	room.Addrs = room.Addrs[:min(len(room.Addrs), maxAddrs)]
	return room, nil
}

// settled is how long a Server must have been running before it may be shut
// down: its receiving goroutines count themselves in only as they begin.
const settled = 100 * time.Millisecond

// A sign is one registration, which says one thing at one port.
type sign struct {
	server *zeroconf.Server
	since  time.Time
}

// hang announces room at port.
func (g ground) hang(room p2p.Room, port int) (*sign, error) {
	hush()
	// The instance and the host carry the peer id, for the library resolves
	// no conflict of names; the machine's own host name is left to others.
	name := "cleave-" + room.Instance
	server, err := zeroconf.RegisterProxy(name, service, domain, port, name, g.addrs(), txt(room), g.interfaces)
	if err != nil {
		return nil, err
	}
	return &sign{server: server, since: time.Now()}, nil
}

// takeDown says goodbye and frees the sockets. It takes up to 100 ms.
func (s *sign) takeDown() {
	time.Sleep(time.Until(s.since.Add(settled)))
	s.server.Shutdown()
}

// hush keeps the library's own lines out of the program's log, and lets all
// others through.
var hush = sync.OnceFunc(func() { log.SetOutput(quiet{log.Writer()}) })

type quiet struct{ to io.Writer }

func (q quiet) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("zeroconf")) {
		return len(line), nil
	}
	return q.to.Write(line)
}
