package table

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
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

// A ServerRoom is a room to host over a rendezvous server.
type ServerRoom struct {
	Server    string // base URL
	RelayOnly bool
	// List shows the room to whoever asks the server; the rest is for that.
	List     bool
	Player   string
	Name     string
	Password string
	Clocks   string // "standard", "double" or "off"
	Rated    bool
}

type serverHost struct {
	rtcSide
	room  ServerRoom
	tries signal.Tries
	told  string // the code that was told last

	mu      sync.Mutex
	client  *signal.Client
	hosting *signal.Hosting
	state   p2p.RoomState
	changed chan struct{} // of one: state
}

// HostServer is the path of who hosts at a rendezvous server.
func HostServer(id *vault.Identity, room ServerRoom) Path {
	return &serverHost{
		rtcSide: rtcSide{identity: identityOf(id), server: room.Server, relayOnly: room.RelayOnly, role: signal.Host},
		room:    room, state: p2p.RoomOpen, changed: make(chan struct{}, 1),
	}
}

func (h *serverHost) Host() bool { return true }

func (h *serverHost) Meet(ctx context.Context, tell func(Event)) (p2p.Conn, error) {
	for {
		hosting, err := h.open(ctx)
		if err != nil {
			return nil, err
		}
		if err := h.invite(ctx, hosting, tell); err != nil {
			return nil, err
		}
		visit, err := hosting.Visitor(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			f, _ := signal.FailureOf(err)
			if f != signal.CodeUsed && f != signal.CodeExpired {
				return nil, err
			}
			tell(Visited{err})
			h.renew(ctx, hosting)
			continue
		}
		secret, password := h.room.Password, true
		var tries *signal.Tries
		if visit.By() == signal.ByCode {
			code, _ := hosting.Code()
			secret, password = code.Secret(), false
		} else {
			tries = &h.tries
		}
		conn, err := h.connect(ctx, visit, secret, password, tries, [32]byte{})
		if err == nil {
			if !h.room.List {
				h.shut()
			}
			return conn, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		tell(Visited{err})
		if _, ended := hosting.Code(); ended != 0 {
			h.renew(ctx, hosting)
		}
	}
}

// renew asks for another code; a server that has none to give, or has
// forgotten this mailbox, is asked for a new mailbox.
func (h *serverHost) renew(ctx context.Context, hosting *signal.Hosting) {
	if _, err := hosting.Renew(ctx); err != nil && ctx.Err() == nil {
		h.shut()
	}
}

// open makes the mailbox, if there is none.
func (h *serverHost) open(ctx context.Context) (*signal.Hosting, error) {
	h.mu.Lock()
	hosting := h.hosting
	h.mu.Unlock()
	if hosting != nil {
		return hosting, nil
	}
	client, err := signal.Dial(ctx, h.server)
	if err != nil {
		return nil, err
	}
	hosting, err = client.Host(ctx)
	if err != nil {
		client.Close()
		return nil, err
	}
	h.mu.Lock()
	h.client, h.hosting = client, hosting
	h.mu.Unlock()
	return hosting, nil
}

// shut closes the mailbox.
func (h *serverHost) shut() {
	h.mu.Lock()
	client, hosting := h.client, h.hosting
	h.client, h.hosting = nil, nil
	h.mu.Unlock()
	if hosting != nil {
		hosting.Close()
		client.Close()
	}
}

// invite tells the code, and lists the room.
func (h *serverHost) invite(ctx context.Context, hosting *signal.Hosting, tell func(Event)) error {
	if h.room.List {
		h.mu.Lock()
		h.state = p2p.RoomOpen
		h.mu.Unlock()
		if err := h.list(ctx, hosting); err != nil {
			return err
		}
	}
	if code, _ := hosting.Code(); code.String() != h.told {
		h.told = code.String()
		tell(Invited{Code: code.String(), Link: code.Link(), Room: h.room.Name})
	}
	return nil
}

func (h *serverHost) list(ctx context.Context, hosting *signal.Hosting) error {
	h.mu.Lock()
	state := h.state
	h.mu.Unlock()
	if state == p2p.RoomOpen && h.room.Password != "" {
		state = p2p.RoomLocked
	}
	return hosting.List(ctx, signal.Listing{
		Key: h.identity.Key, Player: h.room.Player, Name: h.room.Name, State: string(state),
		Clocks: h.room.Clocks, Rated: h.room.Rated, Version: signal.Version,
	}, h.identity.Sign)
}

func (h *serverHost) Show(state p2p.RoomState) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.state = state
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// Run shows a listed room as it is now.
func (h *serverHost) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-h.changed:
		}
		h.mu.Lock()
		hosting := h.hosting
		h.mu.Unlock()
		if !h.room.List || hosting == nil {
			continue
		}
		if err := h.list(ctx, hosting); err != nil && ctx.Err() == nil {
			// Visitors learn how the room is when they come.
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(5 * time.Second):
				h.mu.Lock()
				state := h.state
				h.mu.Unlock()
				h.Show(state)
			}
		}
	}
}

func (h *serverHost) Again(ctx context.Context, r Reunion) (p2p.Conn, error) { return h.again(ctx, r) }

func (h *serverHost) Save() SavedPath {
	return SavedPath{Kind: "server", Host: true, Server: h.server, Room: h.room.Name, Relay: h.relayOnly}
}

func (h *serverHost) Close() error {
	h.shut()
	return nil
}

// A ServerVisit is where a guest goes at a rendezvous server: to a code, or to
// a listed room by name.
type ServerVisit struct {
	Server    string // base URL; a code that names its own goes before it
	RelayOnly bool
	Code      string
	Room      string
	Password  string
	Expect    record.Code
	Wait      time.Duration // for a room to be listed; 0 for 10 s
}

type serverGuest struct {
	rtcSide
	visit ServerVisit
	code  signal.Code
}

// JoinServer is the path of who joins at a rendezvous server. The error is that
// of a code which is none; nothing has been tried with it then.
func JoinServer(id *vault.Identity, visit ServerVisit) (Path, error) {
	g := &serverGuest{rtcSide: rtcSide{identity: identityOf(id), server: visit.Server, relayOnly: visit.RelayOnly, role: signal.Guest}, visit: visit}
	if g.visit.Wait == 0 {
		g.visit.Wait = 10 * time.Second
	}
	if visit.Code != "" {
		var err error
		if g.code, err = signal.ParseCode(visit.Code); err != nil {
			return nil, err
		}
		if g.code.Server != "" {
			g.server = g.code.Server
		}
	}
	if g.server == "" {
		return nil, signal.NoServer
	}
	return g, nil
}

func (g *serverGuest) Host() bool { return false }

func (g *serverGuest) Meet(ctx context.Context, _ func(Event)) (p2p.Conn, error) {
	client, err := signal.Dial(ctx, g.server)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	var (
		visit    *signal.Visit
		secret   = g.visit.Password
		password = true
	)
	if g.visit.Code != "" {
		secret, password = g.code.Secret(), false
		visit, err = client.Join(ctx, g.code)
	} else {
		visit, err = g.joinRoom(ctx, client)
	}
	if err != nil {
		return nil, err
	}
	conn, err := g.connect(ctx, visit, secret, password, nil, visit.Expect())
	if err != nil {
		return nil, err
	}
	if got := record.Key(conn.Info().Peer).Code(); g.visit.Expect != (record.Code{}) && got != g.visit.Expect {
		conn.Close()
		return nil, &OtherPlayerError{Want: g.visit.Expect, Got: got}
	}
	return conn, nil
}

// joinRoom takes the seat in the listed room, and waits a little for a room
// that is not listed yet.
func (g *serverGuest) joinRoom(ctx context.Context, client *signal.Client) (*signal.Visit, error) {
	over := time.After(g.visit.Wait)
	for {
		room, err := client.FindRoom(ctx, g.visit.Room)
		if err == nil {
			return client.JoinRoom(ctx, room)
		}
		if !errors.Is(err, signal.NoSuchRoom) {
			return nil, err
		}
		select {
		case <-time.After(500 * time.Millisecond):
		case <-over:
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (g *serverGuest) Again(ctx context.Context, r Reunion) (p2p.Conn, error) { return g.again(ctx, r) }

func (g *serverGuest) Show(p2p.RoomState) {}

func (g *serverGuest) Run(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func (g *serverGuest) Save() SavedPath {
	return SavedPath{Kind: "server", Server: g.server, Room: g.visit.Room, Relay: g.relayOnly}
}

func (g *serverGuest) Close() error { return nil }

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
