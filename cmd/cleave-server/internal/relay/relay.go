// Package relay is the TURN server inside cleave-server, for pairs of players
// between whom there is no direct path, or who do not want to show each other
// their addresses.
//
// It relays between its own clients and to nowhere else. Therefore a relayed
// address is no socket: it is a port number of a switchboard in this process,
// and what one client sends to another's relayed address is handed over in
// memory. Nothing can be reached through it that is not such an address, no
// range of ports needs opening in a firewall, and it works behind an address
// translation that cannot loop packets back. Clients see plain TURN (RFC 8656)
// over UDP and over TCP, both at one address, which also answers STUN.
//
// # Credentials
//
// They are those of draft-uberti-behave-turn-rest: username
// "<unix seconds of expiry>:<seat>", password base64(HMAC-SHA-1(secret,
// username)), valid for 12 hours, which is longer than any match. The secret is
// drawn at each start: no allocation outlives the process anyway.
//
// # Limits
//
// A seat holds two allocations (one over UDP, one over TCP). An allocation that
// carries nothing and is not refreshed ends after two minutes, whatever lifetime
// the client asked for. Each sends at most 64 KiB/s, with bursts of 256 KiB;
// beyond that packets are lost. A match uses 1 KiB/s.
package relay

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strconv"
	"time"

	"github.com/pion/turn/v5"

	"github.com/cleavegame/cleave/p2p/signal"
)

const realm = "cleave"

// packetSize is the largest packet in bytes that is read from a client.
const packetSize = 1600

// Config says where the relay listens.
type Config struct {
	// Listen is the host:port for UDP and TCP alike. Port 0 takes one that is
	// free for both.
	Listen string
	// IP is the address at which clients reach the server. It is the address
	// of all relayed addresses, too. Its family is the only one spoken.
	IP netip.Addr
	// Host stands in the servers' URLs instead of IP, if not empty.
	Host string
	// Log gets what pion has to say, at debug level; nil for nowhere.
	Log *slog.Logger
}

// limits are the package's, or smaller ones in tests.
type limits struct {
	perSeat     int           // allocations
	allocations int           // of all seats
	lifetime    time.Duration // of one that is silent
	rate, burst int           // bytes per second, bytes
	streams     int           // TCP connections
	streamsPer  int           // TCP connections of one address
}

var standard = limits{
	perSeat:     2,
	allocations: 8192, // of 16384 ports
	lifetime:    2 * time.Minute,
	rate:        64 << 10,
	burst:       256 << 10,
	streams:     4096,
	streamsPer:  64,
}

// A Server is the relay. Listen makes it, Run runs it.
type Server struct {
	cfg     Config
	limits  limits
	secret  []byte
	packets net.PacketConn
	streams *streamListener
	board   *switchboard
	urls    []string
}

// Listen opens the sockets. They are closed by Run when it ends, or by Close.
func Listen(cfg Config) (*Server, error) { return listen(cfg, standard) }

func listen(cfg Config, l limits) (*Server, error) {
	cfg.IP = cfg.IP.Unmap()
	if !cfg.IP.IsValid() || cfg.IP.IsUnspecified() || cfg.IP.IsMulticast() {
		return nil, fmt.Errorf("relay: %v is not an address that clients could reach", cfg.IP)
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	secret := make([]byte, 32)
	rand.Read(secret)
	packets, tcp, err := openBoth(cfg.Listen, cfg.IP.Is4())
	if err != nil {
		return nil, fmt.Errorf("relay: listening: %w", err)
	}
	s := &Server{
		cfg:     cfg,
		limits:  l,
		secret:  secret,
		packets: packets,
		streams: newStreamListener(tcp, l),
		board:   newSwitchboard(cfg.IP, l),
	}
	host := cfg.Host
	if host == "" {
		host = cfg.IP.String()
	}
	at := net.JoinHostPort(host, strconv.Itoa(s.Addr().Port))
	s.urls = []string{"stun:" + at, "turn:" + at + "?transport=udp", "turn:" + at + "?transport=tcp"}
	return s, nil
}

// openBoth opens one port for UDP and for TCP.
func openBoth(address string, v4 bool) (net.PacketConn, net.Listener, error) {
	family := "6"
	if v4 {
		family = "4"
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, nil, err
	}
	for try := 0; ; try++ {
		tcp, err := net.Listen("tcp"+family, net.JoinHostPort(host, port))
		if err != nil {
			return nil, nil, err
		}
		same := strconv.Itoa(tcp.Addr().(*net.TCPAddr).Port)
		udp, err := net.ListenPacket("udp"+family, net.JoinHostPort(host, same))
		if err == nil {
			// All clients share this socket.
			_ = udp.(*net.UDPConn).SetReadBuffer(1 << 20)
			return udp, tcp, nil
		}
		tcp.Close()
		if port != "0" || try == 20 {
			return nil, nil, err
		}
	}
}

// Addr is the address that was opened.
func (s *Server) Addr() *net.UDPAddr { return s.packets.LocalAddr().(*net.UDPAddr) }

// Credentials is what one seat of a mailbox needs to use the relay from now on
// for twelve hours. The seat's name may not contain a colon.
func (s *Server) Credentials(seat string, now time.Time) signal.ICEServer {
	username := usernameFor(seat, now.Add(credentialLife))
	return signal.ICEServer{URLs: s.urls, Username: username, Credential: password(s.secret, username)}
}

// Run relays until ctx ends, then closes everything and returns nil.
func (s *Server) Run(ctx context.Context) error {
	defer s.Close()
	server, err := turn.NewServer(turn.ServerConfig{
		Realm:         realm,
		LoggerFactory: logTo{s.cfg.Log},
		AuthHandler:   s.authenticate,
		QuotaHandler: func(seat, _ string, _ net.Addr) bool {
			return s.board.mayOpen(seat)
		},
		EventHandler: turn.EventHandler{
			OnAuth: func(client, _ net.Addr, _, _, _, _ string, ok bool) {
				if ok {
					s.board.heard(client)
				} else {
					s.board.stats.refused.Add(1)
				}
			},
			OnAllocationCreated: func(client, _ net.Addr, _, _, _ string, relayed net.Addr, _ int) {
				s.board.opened(client, relayed)
			},
		},
		AllocationLifetime: s.limits.lifetime,
		InboundMTU:         packetSize,
		PacketConnConfigs: []turn.PacketConnConfig{{
			PacketConn: s.packets, RelayAddressGenerator: s.board, PermissionHandler: s.permit,
		}},
		ListenerConfigs: []turn.ListenerConfig{{
			Listener: s.streams, RelayAddressGenerator: s.board, PermissionHandler: s.permit,
		}},
	})
	if err != nil {
		return fmt.Errorf("relay: %w", err)
	}
	defer server.Close()
	sweep := time.NewTicker(s.limits.lifetime / 8)
	defer sweep.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case now := <-sweep.C:
			s.board.sweep(now)
		}
	}
}

// Close closes the sockets and all allocations. Run does it by itself.
func (s *Server) Close() error {
	err := errors.Join(s.packets.Close(), s.streams.Close())
	s.board.close()
	if errors.Is(err, net.ErrClosed) {
		return nil // a second time
	}
	return err
}

// permit lets a client send to relayed addresses alone. The switchboard knows no
// others anyway; refusing here tells the client at once.
func (s *Server) permit(_ net.Addr, peer net.IP) bool {
	ip, ok := netip.AddrFromSlice(peer)
	return ok && ip.Unmap() == s.cfg.IP
}
