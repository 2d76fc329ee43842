//go:build !js

package lan

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/core/sec"
	"github.com/libp2p/go-libp2p/core/transport"
	"github.com/libp2p/go-libp2p/p2p/muxer/yamux"
	"github.com/libp2p/go-libp2p/p2p/net/upgrader"
	"github.com/libp2p/go-libp2p/p2p/security/noise"
	libp2pquic "github.com/libp2p/go-libp2p/p2p/transport/quic"
	"github.com/libp2p/go-libp2p/p2p/transport/quicreuse"
	"github.com/libp2p/go-libp2p/p2p/transport/tcp"
	ma "github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"
)

// The transports notice a dead peer by themselves in about these times, so
// that its seat becomes free even if nobody above looks; the session's own
// pings notice earlier. A cut of five seconds they survive.
const (
	quicIdle      = 10 * time.Second
	quicKeepAlive = 3 * time.Second
	tcpKeepAlive  = 5 * time.Second
	tcpWriteLimit = 5 * time.Second
)

// What strangers may hold of us: connections in all and from one address.
// Each can make us buffer less than a megabyte.
const (
	maxStrangers     = 32
	maxFromOneSource = 8
	streamWindow     = 256 << 10 // yamux's least
)

// carriers are libp2p's two transports and nothing else of it: no swarm, no
// address book, no dial back-off, no protocol but ours.
type carriers struct {
	self      peer.ID
	reuse     *quicreuse.ConnManager
	quic, tcp transport.Transport
	strangers *strangers
}

// newCarriers makes a libp2p identity afresh, and opens no socket.
func newCarriers() (*carriers, error) {
	c, err := assemble()
	if err != nil {
		return nil, fmt.Errorf("lan: setting up libp2p: %w", err)
	}
	return c, nil
}

func assemble() (*carriers, error) {
	key, public, err := crypto.GenerateEd25519Key(rand.Reader)
	if err != nil {
		return nil, err
	}
	self, err := peer.IDFromPublicKey(public)
	if err != nil {
		return nil, err
	}
	limits := &strangers{from: make(map[netip.Addr]int)}

	mux := *yamux.DefaultTransport
	mux.KeepAliveInterval = tcpKeepAlive
	mux.ConnectionWriteTimeout = tcpWriteLimit
	mux.MaxIncomingStreams = 1
	mux.MaxStreamWindowSize = streamWindow
	muxers := []upgrader.StreamMuxer{{ID: yamux.ID, Muxer: &mux}}
	secure, err := noise.New(noise.ID, key, muxers)
	if err != nil {
		return nil, err
	}
	upgrade, err := upgrader.New([]sec.SecureTransport{secure}, muxers, nil, limits, nil, upgrader.WithAcceptTimeout(strangerLimit))
	if err != nil {
		return nil, err
	}
	overTCP, err := tcp.NewTCPTransport(upgrade, limits, nil, tcp.DisableReuseport())
	if err != nil {
		return nil, err
	}

	var reset, token [32]byte
	rand.Read(reset[:])
	rand.Read(token[:])
	reuse, err := quicreuse.NewConnManager(reset, token)
	if err != nil {
		return nil, err
	}
	// The dialler's idle limit holds for both ends, being the smaller.
	reuse.ClientConfig().MaxIdleTimeout = quicIdle
	reuse.ClientConfig().KeepAlivePeriod = quicKeepAlive
	overQUIC, err := libp2pquic.NewTransport(key, reuse, nil, nil, limits)
	if err != nil {
		reuse.Close()
		return nil, err
	}
	return &carriers{self: self, reuse: reuse, quic: overQUIC, tcp: overTCP, strangers: limits}, nil
}

func (c *carriers) close() { c.reuse.Close() }

// An ear listens on one port, over QUIC and TCP, IPv4 and IPv6.
type ear struct {
	port      int
	listeners []transport.Listener
}

var errNoPort = errors.New("no port is free for both UDP and TCP")

// listen opens port, or any free one if it is 0.
func (c *carriers) listen(port int) (*ear, error) {
	if port != 0 {
		return c.listenOn(port)
	}
	for range 20 {
		free, err := freePort()
		if err != nil {
			return nil, err
		}
		if e, err := c.listenOn(free); err == nil {
			return e, nil
		}
	}
	return nil, errNoPort
}

// freePort asks the system; somebody else may still be quicker.
func freePort() (int, error) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// listenOn opens port in every family that this machine has. Where somebody
// else has a part of it, it is not ours: who came by that part would find him.
func (c *carriers) listenOn(port int) (*ear, error) {
	families, err := free(port)
	if err != nil {
		return nil, err
	}
	e := &ear{port: port}
	for _, ip := range families {
		for _, way := range []carriage{overQUIC, overTCP} {
			l, err := c.by(way).Listen(way.multiaddr(netip.AddrPortFrom(ip, uint16(port))))
			if err != nil {
				e.close()
				return nil, err
			}
			e.listeners = append(e.listeners, l)
		}
	}
	return e, nil
}

// free lists the families that this machine has, if port is free in all of
// them. It is asked beforehand because libp2p keeps a UDP port for some seconds
// after it was closed, and a second try would meet the first.
func free(port int) (families []netip.Addr, err error) {
	var missing []error
	for _, family := range []struct {
		suffix string
		ip     netip.Addr
	}{{"4", netip.IPv4Unspecified()}, {"6", netip.IPv6Unspecified()}} {
		any, err := net.ListenUDP("udp"+family.suffix, nil)
		if err != nil {
			missing = append(missing, err)
			continue
		}
		any.Close()
		udp, err := net.ListenUDP("udp"+family.suffix, &net.UDPAddr{Port: port})
		if err != nil {
			return nil, err
		}
		udp.Close()
		tcp, err := net.ListenTCP("tcp"+family.suffix, &net.TCPAddr{Port: port})
		if err != nil {
			return nil, err
		}
		tcp.Close()
		families = append(families, family.ip)
	}
	if len(families) == 0 {
		return nil, errors.Join(missing...)
	}
	return families, nil
}

func (e *ear) close() {
	for _, l := range e.listeners {
		l.Close()
	}
}

func (c *carriers) by(way carriage) transport.Transport {
	if way == overQUIC {
		return c.quic
	}
	return c.tcp
}

func (way carriage) multiaddr(at netip.AddrPort) ma.Multiaddr {
	ip := "/ip4/"
	if at.Addr().Is6() {
		ip = "/ip6/"
	}
	s := ip + at.Addr().WithZone("").String()
	port := strconv.Itoa(int(at.Port()))
	if way == overQUIC {
		s += "/udp/" + port + "/quic-v1"
	} else {
		s += "/tcp/" + port
	}
	return ma.StringCast(s) // of nothing but numbers, so it parses
}

// wayOf tells how a connection travels, and to where.
func wayOf(link transport.CapableConn) (way carriage, remote string) {
	way = overTCP
	at := link.RemoteMultiaddr()
	if _, err := at.ValueForProtocol(ma.P_QUIC_V1); err == nil {
		way = overQUIC
		at, _ = ma.SplitFunc(at, func(c ma.Component) bool { return c.Protocol().Code == ma.P_QUIC_V1 })
	}
	if a, err := manet.ToNetAddr(at); err == nil {
		remote = a.String()
	}
	return way, remote
}

// strangers is the resource manager: it bounds what others can make us hold.
type strangers struct {
	network.NullResourceManager
	mu    sync.Mutex
	total int
	from  map[netip.Addr]int
}

var errTooMany = errors.New("lan: too many connections")

// OpenConnection counts incoming connections until they are Done.
func (s *strangers) OpenConnection(dir network.Direction, _ bool, remote ma.Multiaddr) (network.ConnManagementScope, error) {
	if dir != network.DirInbound {
		return &stranger{}, nil
	}
	ip, err := manet.ToIP(remote)
	if err != nil {
		return nil, err
	}
	source, _ := netip.AddrFromSlice(ip)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.total >= maxStrangers || s.from[source] >= maxFromOneSource {
		return nil, errTooMany
	}
	s.total++
	s.from[source]++
	return &stranger{leave: func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.total--
		if s.from[source]--; s.from[source] == 0 {
			delete(s.from, source)
		}
	}}, nil
}

// A stranger is one connection. Its receive windows stay at what they begin
// with, which is far more than a game needs.
type stranger struct {
	network.NullScope
	once  sync.Once
	leave func()
}

func (s *stranger) ReserveMemory(int, uint8) error { return network.ErrResourceLimitExceeded }

func (s *stranger) Done() {
	if s.leave != nil {
		s.once.Do(s.leave)
	}
}
