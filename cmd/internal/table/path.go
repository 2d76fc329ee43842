package table

import (
	"context"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/memnet"
	"github.com/cleavegame/cleave/p2p/signal"
)

// A Path is one way to a peer: a room on the local network, an invite code, an
// address. One goroutine at a time calls Meet and Again.
type Path interface {
	// Host says which end of the path this is.
	Host() bool
	// Meet waits for a peer, or goes to one, and returns an authenticated
	// pipe. A host's Meet is called again when a visit came to nothing. The
	// error is the guest's last word, and the host's only when there is no
	// point in waiting on (then it says so: Hopeless); tell is told what a
	// person should know while it waits.
	Meet(ctx context.Context, tell func(Event)) (p2p.Conn, error)
	// Again finds the same peer again in the middle of a match, trying until
	// it has or ctx ends.
	Again(ctx context.Context, r Reunion) (p2p.Conn, error)
	// Show tells passers-by how the room is; a path that nobody passes by
	// ignores it.
	Show(p2p.RoomState)
	// Save describes the path, so that a later process can go on with its
	// match; see Opener.
	Save() SavedPath
	// Run does what must be done all the time, such as announcing a room,
	// until ctx ends, whose error it returns.
	Run(ctx context.Context) error
	// Close frees what the path holds. Run, Meet and Again have returned.
	Close() error
}

// A Reunion is what the two players of a match know of each other.
type Reunion struct {
	Peer    record.Key
	Session [32]byte // the secret of the pairing that the match began in
	Match   record.ID
}

// A SavedPath is a path as the journal of a match keeps it.
type SavedPath struct {
	Kind   string `json:"kind"` // "memory", "lan", "server"
	Host   bool   `json:"host"`
	Server string `json:"server,omitempty"` // base URL
	Addr   string `json:"addr,omitempty"`   // host:port that was dialled
	Port   int    `json:"port,omitempty"`   // that was asked for, 0 for any
	Room   string `json:"room,omitempty"`
	// Interfaces are the only network interfaces used on a LAN, all if empty.
	Interfaces []string `json:"interfaces,omitempty"`
	Relay      bool     `json:"relay_only,omitempty"`
}

// Memory is the path of two seats in one process: end 0 of the link is the
// host.
func Memory(link *memnet.Link, end int, key [32]byte) Path {
	return &memory{link: link, end: end, key: key}
}

type memory struct {
	link *memnet.Link
	end  int
	key  [32]byte
}

func (m *memory) Host() bool { return m.end == 0 }

func (m *memory) Meet(ctx context.Context, _ func(Event)) (p2p.Conn, error) {
	return m.link.Meet(ctx, m.end, m.key)
}

func (m *memory) Again(ctx context.Context, _ Reunion) (p2p.Conn, error) {
	return m.link.Meet(ctx, m.end, m.key)
}

func (m *memory) Show(p2p.RoomState) {}

func (m *memory) Save() SavedPath { return SavedPath{Kind: "memory", Host: m.Host()} }

func (m *memory) Guards() bool { return m.Host() }

func (m *memory) Run(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func (m *memory) Close() error { return nil }

func identityOf(id *vault.Identity) p2p.Identity {
	return p2p.Identity{Key: id.Key(), Sign: id.Sign}
}

// An OtherPlayerError is a host who is not the one that was expected.
type OtherPlayerError struct{ Want, Got record.Code }

func (e *OtherPlayerError) Error() string {
	return "the player there is " + e.Got.String() + ", not " + e.Want.String()
}

// Unwrap makes it a failure of pairing: the room looked for is not there.
func (e *OtherPlayerError) Unwrap() error { return signal.NoSuchRoom }
