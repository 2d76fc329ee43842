package table

import (
	"context"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/signal"
)

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
