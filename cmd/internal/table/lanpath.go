//go:build !js

package table

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/lan"
	"github.com/cleavegame/cleave/p2p/signal"
)

// A LANRoom is a room to host on the local network.
type LANRoom struct {
	Player     string // one's own name
	Name       string // the room's
	Password   string
	Clocks     string // "standard", "double" or "off"
	Rated      bool
	Port       int      // 0 for any free one
	Interfaces []string // the only ones for multicast, all if empty
}

// lanHost hosts a room on the local network.
type lanHost struct {
	node *lan.Node
	room LANRoom

	mu   sync.Mutex
	info lan.RoomInfo
	out  bool // announced
}

// HostLAN is the path of who hosts a room on the local network.
func HostLAN(id *vault.Identity, room LANRoom) (Path, error) {
	node, err := lan.New(identityOf(id), lan.Options{Port: room.Port, Interfaces: room.Interfaces})
	if err != nil {
		return nil, err
	}
	return &lanHost{node: node, room: room, info: lan.RoomInfo{
		Player: room.Player, Name: room.Name, State: p2p.RoomOpen, Clocks: room.Clocks,
		Rated: room.Rated, Password: room.Password,
	}}, nil
}

func (h *lanHost) Host() bool   { return true }
func (h *lanHost) Guards() bool { return true }

func (h *lanHost) announce(change func(*lan.RoomInfo)) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	change(&h.info)
	h.out = true
	return h.node.Announce(h.info)
}

func (h *lanHost) Run(ctx context.Context) error { return h.node.Run(ctx) }

func (h *lanHost) Meet(ctx context.Context, tell func(Event)) (p2p.Conn, error) {
	err := h.announce(func(i *lan.RoomInfo) { i.State, i.Resume, i.Peer = p2p.RoomOpen, "", [32]byte{} })
	if err != nil {
		return nil, err
	}
	tell(Invited{Room: h.room.Name, Port: h.node.Port()})
	watch, stop := context.WithCancel(ctx)
	defer stop()
	go h.watchTrouble(watch, tell)
	for {
		conn, err := h.node.Accept(ctx)
		if errors.Is(err, signal.TooManyTries) {
			tell(Visited{err})
			continue
		}
		return conn, err
	}
}

// watchTrouble tells why others cannot see the room, when they cannot.
func (h *lanHost) watchTrouble(ctx context.Context, tell func(Event)) {
	told := ""
	for {
		if err := h.node.Trouble(); err != nil && err.Error() != told {
			told = err.Error()
			tell(Noted{"others cannot see this room (" + told + "); they can still come by address: join --peer HOST:PORT", NotedUnseen})
		}
		select {
		case <-time.After(2 * time.Second):
		case <-ctx.Done():
			return
		}
	}
}

func (h *lanHost) Again(ctx context.Context, r Reunion) (p2p.Conn, error) {
	err := h.announce(func(i *lan.RoomInfo) {
		i.State, i.Resume, i.Peer = p2p.RoomPlaying, signal.ResumeSecret(r.Session, r.Match), r.Peer
	})
	for err != nil {
		// The port may be taken for a moment after a crash.
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		err = h.announce(func(*lan.RoomInfo) {})
	}
	for {
		conn, err := h.node.Accept(ctx)
		if err == nil {
			return conn, nil
		}
		if !errors.Is(err, signal.TooManyTries) {
			return nil, err
		}
	}
}

func (h *lanHost) Show(state p2p.RoomState) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.info.State = state
	if h.out {
		// The port is open already, so this cannot fail.
		_ = h.node.Announce(h.info)
	}
}

func (h *lanHost) Save() SavedPath {
	return SavedPath{Kind: "lan", Host: true, Room: h.room.Name, Interfaces: h.room.Interfaces, Port: h.room.Port}
}

func (h *lanHost) Close() error { return h.node.Close() }

// A LANVisit is where a guest goes on the local network.
type LANVisit struct {
	Room       string      // by name; "" for any
	Addr       string      // host:port, instead of looking for a room
	Expect     record.Code // of the host; zero for anybody
	Password   string
	Wait       time.Duration // for the room to appear; 0 for 10 s
	Interfaces []string
}

type lanGuest struct {
	node  *lan.Node
	visit LANVisit
}

// JoinLAN is the path of who joins a room on the local network.
func JoinLAN(id *vault.Identity, visit LANVisit) (Path, error) {
	if visit.Wait == 0 {
		visit.Wait = 10 * time.Second
	}
	node, err := lan.New(identityOf(id), lan.Options{Interfaces: visit.Interfaces})
	if err != nil {
		return nil, err
	}
	return &lanGuest{node: node, visit: visit}, nil
}

func (g *lanGuest) Host() bool { return false }

func (g *lanGuest) Run(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func (g *lanGuest) Meet(ctx context.Context, _ func(Event)) (p2p.Conn, error) {
	waiting, cancel := context.WithTimeout(ctx, g.visit.Wait)
	defer cancel()
	pass := lan.Pass{Password: g.visit.Password}
	if g.visit.Addr != "" {
		return g.meetAt(ctx, waiting, pass)
	}
	room, err := g.find(ctx, waiting)
	if err != nil {
		return nil, err
	}
	return g.checked(g.node.Dial(ctx, room, pass))
}

// meetAt goes to an address, until the host is up or the wait is over.
func (g *lanGuest) meetAt(ctx, waiting context.Context, pass lan.Pass) (p2p.Conn, error) {
	for {
		conn, err := g.node.Dial(ctx, p2p.Room{Addrs: []string{g.visit.Addr}}, pass)
		if f, ok := signal.FailureOf(err); !ok || f != signal.NoRoute {
			return g.checked(conn, err)
		}
		select {
		case <-time.After(300 * time.Millisecond):
		case <-waiting.Done():
			return nil, err
		}
	}
}

// find looks for the room until it can be joined or the wait is over.
func (g *lanGuest) find(ctx, waiting context.Context) (p2p.Room, error) {
	var closed signal.Failure
	room, err := g.node.Find(waiting, func(r p2p.Room) bool {
		if g.visit.Room != "" && !strings.EqualFold(r.Name, g.visit.Room) {
			return false
		}
		if g.visit.Expect != (record.Code{}) && record.Key(r.Key).Code() != g.visit.Expect {
			return false
		}
		switch r.State {
		case p2p.RoomFull:
			closed = signal.RoomFull
		case p2p.RoomPlaying:
			closed = signal.RoomInMatch
		default:
			return true
		}
		return false
	})
	if ctx.Err() != nil {
		return room, ctx.Err()
	}
	if err != nil && closed != 0 {
		return room, closed
	}
	return room, err
}

func (g *lanGuest) checked(conn p2p.Conn, err error) (p2p.Conn, error) {
	if err != nil || g.visit.Expect == (record.Code{}) || record.Key(conn.Info().Peer).Code() == g.visit.Expect {
		return conn, err
	}
	conn.Close()
	return nil, &OtherPlayerError{Want: g.visit.Expect, Got: record.Key(conn.Info().Peer).Code()}
}

// againTry bounds one try to come back, so that a stale address of a host that
// was restarted does not hold up the look for its new one.
const againTry = 2 * time.Second

func (g *lanGuest) Again(ctx context.Context, r Reunion) (p2p.Conn, error) {
	pass := lan.Pass{Resume: signal.ResumeSecret(r.Session, r.Match)}
	var stale []string // instances that did not answer just now
	for {
		if g.visit.Addr != "" {
			if conn := g.dial(ctx, p2p.Room{Key: r.Peer, Addrs: []string{g.visit.Addr}}, pass); conn != nil {
				return conn, nil
			}
		}
		limited, cancel := context.WithTimeout(ctx, againTry)
		room, err := g.node.Find(limited, func(room p2p.Room) bool {
			return room.Key == r.Peer && !slices.Contains(stale, room.Instance)
		})
		cancel()
		if err == nil {
			if conn := g.dial(ctx, room, pass); conn != nil {
				return conn, nil
			}
			stale = append(stale, room.Instance)
		} else {
			stale = nil // perhaps the same one answers now
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (g *lanGuest) dial(ctx context.Context, room p2p.Room, pass lan.Pass) p2p.Conn {
	ctx, cancel := context.WithTimeout(ctx, againTry)
	defer cancel()
	conn, err := g.node.Dial(ctx, room, pass)
	if err != nil {
		return nil
	}
	return conn
}

func (g *lanGuest) Show(p2p.RoomState) {}

func (g *lanGuest) Save() SavedPath {
	return SavedPath{Kind: "lan", Room: g.visit.Room, Addr: g.visit.Addr, Interfaces: g.visit.Interfaces}
}

func (g *lanGuest) Close() error { return g.node.Close() }

// BrowseLAN calls see with the rooms on the local network, at once and after
// each change, until ctx ends, whose error it returns.
func BrowseLAN(ctx context.Context, id *vault.Identity, interfaces []string, see func(rooms []p2p.Room, trouble error)) error {
	node, err := lan.New(identityOf(id), lan.Options{Interfaces: interfaces})
	if err != nil {
		return err
	}
	defer node.Close()
	return node.Browse(ctx, see)
}

// openLAN makes the path of an unfinished match anew.
func openLAN(id *vault.Identity, p SavedPath, name string) (Path, error) {
	if p.Host {
		return HostLAN(id, LANRoom{Player: name, Name: p.Room, Clocks: "standard", Port: p.Port, Interfaces: p.Interfaces})
	}
	return JoinLAN(id, LANVisit{Room: p.Room, Addr: p.Addr, Interfaces: p.Interfaces})
}
