package table

import (
	"context"
	"fmt"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/rtc"
	"github.com/cleavegame/cleave/p2p/signal"
)

// rtcSide is what both ends of a path over a rendezvous server share.
type rtcSide struct {
	identity  p2p.Identity
	server    string // base URL
	relayOnly bool
	role      signal.Role
}

// connect pairs with whoever is at the other end of the visit, and opens a
// WebRTC channel to it. The visit is closed when it returns.
func (s *rtcSide) connect(ctx context.Context, visit *signal.Visit, secret string, password bool, tries *signal.Tries, expect [32]byte) (p2p.Conn, error) {
	defer visit.Close()
	cert, err := rtc.NewCertificate()
	if err != nil {
		return nil, fmt.Errorf("table: %w: %w", signal.WebRTCUnavailable, err)
	}
	channel, err := signal.Pair(ctx, visit, signal.PairConfig{
		Role: s.role, Key: s.identity.Key, Sign: s.identity.Sign, Secret: secret, Password: password,
		Context: visit.Context(), Binding: cert.Binding(), Expect: expect, Tries: tries,
	})
	if err != nil {
		return nil, err
	}
	cfg := rtc.Config{
		Certificate: cert, PeerBinding: channel.PeerBinding(), Offerer: s.role == signal.Guest,
		Peer: channel.Peer(), Session: channel.Session(), Servers: visit.ICEServers(), RelayOnly: s.relayOnly,
	}
	return rtc.Connect(ctx, channel, cfg)
}

// again meets the other player of a match at its resume address.
func (s *rtcSide) again(ctx context.Context, r Reunion) (p2p.Conn, error) {
	for wait := 200 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		conn, err := s.meetAgain(ctx, r)
		if err == nil {
			return conn, nil
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (s *rtcSide) meetAgain(ctx context.Context, r Reunion) (p2p.Conn, error) {
	client, err := signal.Dial(ctx, s.server)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	visit, err := client.Resume(ctx, s.role, signal.ResumeAddress(r.Session, r.Match))
	if err != nil {
		return nil, err
	}
	return s.connect(ctx, visit, signal.ResumeSecret(r.Session, r.Match), false, nil, r.Peer)
}

// OpenPath makes the path of an unfinished match anew.
func OpenPath(id *vault.Identity, u Unfinished) (Path, error) {
	switch p := u.Path; p.Kind {
	case "lan":
		return openLAN(id, p, u.Name)
	case "server":
		if p.Host {
			return HostServer(id, ServerRoom{Server: p.Server, RelayOnly: p.Relay, Player: u.Name, Name: p.Room, Clocks: "standard"}), nil
		}
		return JoinServer(id, ServerVisit{Server: p.Server, RelayOnly: p.Relay, Room: p.Room})
	}
	return nil, fmt.Errorf("table: there is no way back to a match played by %q", u.Path.Kind)
}

// ServerRooms lists the rooms at a rendezvous server.
func ServerRooms(ctx context.Context, server string) ([]signal.Listing, error) {
	client, err := signal.Dial(ctx, server)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	return client.Rooms(ctx)
}
