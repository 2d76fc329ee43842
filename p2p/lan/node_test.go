//go:build !js

package lan

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/conntest"
)

const patience = 30 * time.Second

// salt keeps the players of this run apart from those of another that happens
// on the same machine.
var salt = rand.Text()

// player is a player of the given name, always with the same key.
func player(name string) p2p.Identity {
	seed := sha256.Sum256([]byte(salt + name))
	key := ed25519.NewKeyFromSeed(seed[:])
	return p2p.Identity{
		Key:  [32]byte(key.Public().(ed25519.PublicKey)),
		Sign: func(message []byte) [64]byte { return [64]byte(ed25519.Sign(key, message)) },
	}
}

func node(t testing.TB, name string, o Options) *Node {
	t.Helper()
	if o.Interfaces == nil {
		o.Interfaces = []string{"lo"}
	}
	n, err := New(player(name), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

func host(t testing.TB, name string, o Options, info RoomInfo) *Node {
	t.Helper()
	n := node(t, name, o)
	announce(t, n, info)
	return n
}

func announce(t testing.TB, n *Node, info RoomInfo) {
	t.Helper()
	if info.State == "" {
		info.State = p2p.RoomOpen
	}
	if info.Clocks == "" {
		info.Clocks = "standard"
	}
	if err := n.Announce(info); err != nil {
		t.Fatal(err)
	}
}

// at is the room of a host whose address was told.
func at(n *Node) p2p.Room {
	return p2p.Room{Addrs: []string{net.JoinHostPort("127.0.0.1", strconv.Itoa(n.Port()))}}
}

func wait(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// join dials and accepts.
func join(t testing.TB, guest, host *Node, room p2p.Room, pass Pass) (here, there p2p.Conn) {
	t.Helper()
	here, err := guest.Dial(wait(t), room, pass)
	if err != nil {
		t.Fatalf("Dial: %v", err)
	}
	there, err = host.Accept(wait(t))
	if err != nil {
		t.Fatalf("Accept: %v", err)
	}
	return here, there
}

func TestConformance(t *testing.T) {
	for _, way := range []carriage{overQUIC, overTCP} {
		t.Run(string(way), func(t *testing.T) {
			conntest.Run(t, func(t *testing.T) (a, b p2p.Conn) {
				h := host(t, "host", Options{}, RoomInfo{})
				g := node(t, "guest", Options{only: way})
				a, b = join(t, g, h, at(h), Pass{})
				if a.Info().Path != string(way) {
					t.Fatalf("travels by %s, want %s", a.Info().Path, way)
				}
				return a, b
			})
		})
	}
}
