//go:build !js

package lan

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/sec"
	"github.com/libp2p/go-libp2p/core/transport"

	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/signal"
)

const (
	// connectLimit is for finding a way to the other machine.
	connectLimit = 6 * time.Second
	// dialLimit is for all of Dial: after 20 s nothing may still be hanging.
	dialLimit = 18 * time.Second
	// Addresses outside the own subnets are tried this much later, and TCP
	// this much after QUIC, so that the better way wins where both work.
	farLater = 30 * time.Millisecond
	tcpLater = 250 * time.Millisecond
	// refusedLimit is what is left for QUIC when every address has refused
	// TCP.
	refusedLimit = 500 * time.Millisecond
)

// Dial visits a room and returns the Conn once its host has let us in. room is
// one that Browse has shown; or, for a host whose address was told, it has
// that as "host:port" in Addrs and nothing else, or the Key as well if only
// that player will do. The error is or wraps a signal.Failure, or is ctx's.
func (n *Node) Dial(ctx context.Context, room p2p.Room, pass Pass) (p2p.Conn, error) {
	if !n.begin() {
		return nil, p2p.ErrClosed
	}
	defer n.serving.Done()
	limited, cancel := context.WithTimeout(ctx, dialLimit)
	defer cancel()
	stop := context.AfterFunc(n.end, cancel)
	defer stop()
	c, err := n.dial(limited, room, pass)
	switch {
	case err == nil:
		return c, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case n.end.Err() != nil:
		return nil, p2p.ErrClosed
	}
	if _, ok := signal.FailureOf(err); !ok {
		err = errors.Join(signal.NoRoute, err)
	}
	return nil, fmt.Errorf("lan: %w", err)
}

// begin counts the caller among those that Close waits for, if the Node is
// open.
func (n *Node) begin() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.closed {
		n.serving.Add(1)
	}
	return !n.closed
}

func (n *Node) dial(ctx context.Context, room p2p.Room, pass Pass) (*conn, error) {
	if room.Key == n.identity.Key {
		return nil, signal.OwnAccount
	}
	addrs, err := resolve(ctx, room.Addrs)
	if err != nil {
		return nil, err
	}
	routes := n.routes(addrs)
	var host peer.ID
	if room.Instance != "" {
		if host, err = peer.Decode(room.Instance); err != nil {
			return nil, fmt.Errorf("the room's instance: %w", err)
		}
	} else if host, err = n.ask(ctx, routes); err != nil {
		return nil, err
	}
	link, err := n.connect(ctx, host, routes)
	if err != nil {
		return nil, err
	}
	leave := context.AfterFunc(ctx, func() { link.Close() })
	c, err := n.approach(ctx, room.Key, pass, link)
	if !leave() && err == nil {
		c.Close()
		err = ctx.Err()
	}
	if err != nil {
		link.Close()
		return nil, err
	}
	return c, nil
}

// approach asks for the seat and pairs, over a fresh connection.
func (n *Node) approach(ctx context.Context, key [32]byte, pass Pass, link transport.CapableConn) (*conn, error) {
	stream, err := link.OpenStream(ctx)
	if err != nil {
		return nil, err
	}
	p := newPipe(stream)
	config := n.pairing(signal.Guest)
	config.Context, config.Expect = link.RemotePeer().String(), key
	config.Secret, config.Password = pass.Password, true
	want := byte(wantJoin)
	if pass.Resume != "" {
		want, config.Secret, config.Password = wantResume, pass.Resume, false
	}
	if err := p.Send(ctx, appendApproach(nil, want, n.identity.Key)); err != nil {
		return nil, errors.Join(signal.PeerLeft, err)
	}
	channel, err := signal.Pair(ctx, p, config)
	if err != nil {
		return nil, err
	}
	if string(channel.PeerBinding()) != string(link.RemotePeer()) {
		return nil, signal.ProtocolError
	}
	answer, err := channel.Receive(ctx)
	if err != nil {
		return nil, errors.Join(signal.PeerLeft, err)
	}
	switch {
	case len(answer) != 1:
		return nil, signal.ProtocolError
	case answer[0] == seated:
		return n.newConn(p, link, channel), nil
	}
	switch why := signal.Failure(answer[0]); why {
	case signal.RoomFull, signal.RoomInMatch:
		return nil, why
	}
	return nil, signal.ProtocolError
}

// A route is one address over one carriage, tried after a pause.
type route struct {
	way   carriage
	at    netip.AddrPort
	later time.Duration
}

func (n *Node) routes(addrs []netip.AddrPort) []route {
	g, _ := survey(n.options.Interfaces) // none: everything is far
	var routes []route
	for _, at := range addrs {
		for _, way := range []carriage{overQUIC, overTCP} {
			if n.options.only != "" && way != n.options.only {
				continue
			}
			r := route{way: way, at: at}
			if !g.near(at.Addr()) && !at.Addr().IsLoopback() {
				r.later += farLater
			}
			if way == overTCP && n.options.only == "" {
				r.later += tcpLater
			}
			routes = append(routes, r)
		}
	}
	return routes
}

// resolve turns "host:port" into addresses, names through the system.
func resolve(ctx context.Context, hosts []string) ([]netip.AddrPort, error) {
	var addrs []netip.AddrPort
	var failed error
	for _, h := range hosts[:min(len(hosts), maxAddrs)] {
		if at, err := netip.ParseAddrPort(h); err == nil {
			addrs = append(addrs, at)
			continue
		}
		name, port, err := net.SplitHostPort(h)
		if err != nil {
			failed = err
			continue
		}
		number, err := net.DefaultResolver.LookupPort(ctx, "udp", port)
		if err != nil {
			failed = err
			continue
		}
		ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", name)
		if err != nil {
			failed = err
			continue
		}
		for _, ip := range ips[:min(len(ips), maxAddrs)] {
			addrs = append(addrs, netip.AddrPortFrom(ip.Unmap(), uint16(number)))
		}
	}
	addrs = slices.DeleteFunc(addrs, func(a netip.AddrPort) bool { return a.Port() == 0 || a.Addr().IsUnspecified() })
	if len(addrs) == 0 {
		if failed == nil {
			failed = errors.New("no address to dial")
		}
		return nil, failed
	}
	return addrs, nil
}

// connect tries all routes, and takes the first connection whose other end is
// host.
func (n *Node) connect(ctx context.Context, host peer.ID, routes []route) (transport.CapableConn, error) {
	link, err := n.race(ctx, host, routes, func(error) bool { return false })
	if err != nil {
		return nil, fmt.Errorf("dialling %s: %w", list(routes), err)
	}
	return link, nil
}

// ask learns who is there: libp2p dials nobody without knowing the peer id, so
// we dial one that is made up, and are told the true one in the refusal.
func (n *Node) ask(ctx context.Context, routes []route) (peer.ID, error) {
	_, public, err := crypto.GenerateEd25519Key(rand.Reader)
	if err != nil {
		return "", err
	}
	nobody, err := peer.IDFromPublicKey(public)
	if err != nil {
		return "", err
	}
	link, err := n.race(ctx, nobody, routes, func(err error) bool {
		var mismatch sec.ErrPeerIDMismatch
		return errors.As(err, &mismatch)
	})
	if err == nil {
		link.Close()
		return "", signal.ProtocolError
	}
	var mismatch sec.ErrPeerIDMismatch
	if errors.As(err, &mismatch) {
		return mismatch.Actual, nil
	}
	return "", fmt.Errorf("dialling %s: %w", list(routes), err)
}

// race dials all routes at once, each after its pause, and returns the first
// connection, or the first error that is enough, or all the errors.
func (n *Node) race(ctx context.Context, host peer.ID, routes []route, enough func(error) bool) (transport.CapableConn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	type result struct {
		route route
		link  transport.CapableConn
		err   error
	}
	results := make(chan result)
	for _, r := range routes {
		n.serving.Go(func() {
			got := result{route: r}
			select {
			case <-time.After(r.later):
				got.link, got.err = n.carriers.by(r.way).Dial(ctx, r.way.multiaddr(r.at), host)
			case <-ctx.Done():
				got.err = ctx.Err()
			}
			select {
			case results <- got:
			case <-ctx.Done(): // decided without this one
				if got.link != nil {
					got.link.Close()
				}
			}
		})
	}
	var errs []error
	var nobody <-chan time.Time
	unrefused := slices.DeleteFunc(slices.Clone(routes), func(r route) bool { return r.way != overTCP })
	for range routes {
		var got result
		select {
		case got = <-results:
		case <-nobody:
			return nil, errors.Join(errs...)
		case <-ctx.Done():
			return nil, errors.Join(append(errs, ctx.Err())...)
		}
		if got.err == nil {
			return got.link, nil
		}
		if enough(got.err) {
			return nil, got.err
		}
		errs = append(errs, got.err)
		// Where TCP is refused there is no host, and QUIC would never be told.
		if errors.Is(got.err, syscall.ECONNREFUSED) {
			unrefused = slices.DeleteFunc(unrefused, func(r route) bool { return r == got.route })
			if len(unrefused) == 0 {
				nobody = time.After(refusedLimit)
			}
		}
	}
	return nil, errors.Join(errs...)
}

// list names the addresses that were tried, for an error.
func list(routes []route) string {
	var names []string
	for _, r := range routes {
		if s := r.at.String(); !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	return strings.Join(names, ", ")
}
