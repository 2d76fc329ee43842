package table

import (
	"context"
	"errors"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/signal"
)

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
