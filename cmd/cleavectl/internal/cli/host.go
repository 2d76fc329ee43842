package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
)

const engineNoResult = engine.NoResult

func rawJSON(b []byte) json.RawMessage { return json.RawMessage(b) }

// seatExits are the exit codes of who plays.
var seatExits = []exit{
	{exitOK, "the last match came to a result"},
	{exitLocked, "another process is using the profile"},
	{exitDiskFull, "the disk is full; the match goes on when there is room"},
	{exitNotRated, "--rated: the match would not have counted, and was not played"},
	{exitNoResult, "no result: the other player left or stayed away, or the programs disagreed"},
	{10, "no server"}, {11, "server full"}, {12, "slow down"}, {13, "protocol error"}, {14, "your version is too old"},
	{15, "their version is too old"}, {16, "no such code"}, {17, "code expired"}, {18, "code already used"},
	{19, "already taken"}, {20, "wrong code"}, {21, "wrong password"}, {22, "too many tries"}, {23, "room full"},
	{24, "room in a match"}, {25, "no such room"}, {26, "peer left"}, {27, "that is your own account"},
	{28, "WebRTC unavailable"}, {29, "LAN unavailable"}, {30, "no route"},
	{exitInterrupted, "interrupted; an unfinished match goes on next time"},
}

var hostCommand = &command{
	name:  "host",
	args:  "(--lan | --server URL [--list]) [flags]",
	short: "wait for another player and play",
	long: `
Waits for one other player and plays. With --lan the room is announced on the
local network and the first line of standard output is

  LAN ROOM PORT PLAYERCODE

where ROOM is a JSON string if it has spaces. With --server it is the invite
code; when that is spent, or has expired, the new one is another line. --list
shows the room by its name to whoever asks the server. A match that this profile
has not finished is gone on with first (first line: RESUME MATCH), unless --new
gives it up.

A match counts when both players have a ticket of one ranking server and the
clocks are standard, unless --friendly says otherwise. Tickets are fetched, and
results handed in, without being asked. At the end a line tells the result of
each match:

  RESULT MATCH won|lost|draw|no-result OWN OTHER rated|friendly sealed|unsealed`,
	exits: seatExits,
	bind: func(fs *flag.FlagSet) func(context.Context, *call) error {
		var f seatFlags
		f.bind(fs)
		list := fs.Bool("list", false, "show the room at the server")
		listen := fs.String("listen", "", "with --lan, listen on `:PORT`")
		return func(ctx context.Context, c *call) error {
			if len(c.args) != 0 {
				return usagef("host takes no argument %q", c.args[0])
			}
			if f.lan == (f.server != "") {
				return usagef("host takes --lan or --server URL")
			}
			if *list && f.lan {
				return usagef("--list is for --server")
			}
			if *listen != "" && !f.lan {
				return usagef("--listen is for --lan")
			}
			if *list && f.room == "" {
				return usagef("a listed room needs a name (--room)")
			}
			if f.password != "" && !f.lan && !*list {
				return usagef("a room that is not listed is joined by its code and has no password")
			}
			if f.relayOnly && f.lan {
				return usagef("--relay-only is for --server")
			}
			if err := f.check(fs); err != nil {
				return err
			}
			port, err := parsePort(*listen)
			if err != nil {
				return err
			}
			s, err := c.sitDown(&f)
			if err != nil {
				return err
			}
			defer s.vault.Close()
			return s.host(ctx, *list, port)
		}
	},
}

// goOnFirst goes on with an unfinished match, if there is one, and says so;
// else it meets the ranking server for a new one.
func (s *seat) goOnFirst(ctx context.Context) (gone bool, err error) {
	u, err := s.unfinished()
	if err != nil {
		return false, err
	}
	if u != nil {
		return true, s.goOn(ctx, u)
	}
	if err := s.meetRanking(ctx, ""); err != nil {
		return false, err
	}
	if s.f.rated && s.ranking == nil {
		return false, &exitError{exitNotRated, errNoRanking}
	}
	return false, nil
}

func (s *seat) host(ctx context.Context, list bool, port int) error {
	if gone, err := s.goOnFirst(ctx); gone || err != nil {
		return err
	}
	clocks, _ := parseClocks(s.f.clocks)
	room := lockstep.Room{Name: s.f.room, Clocks: clocks, Friendly: s.f.friendly}
	if room.Name == "" {
		room.Name = s.name
	}
	rated := !room.Friendly && s.ranking != nil && clocks == lockstep.ClocksStandard
	var path table.Path
	if s.f.lan {
		var err error
		path, err = table.HostLAN(s.id, table.LANRoom{
			Player: s.name, Name: room.Name, Password: s.f.password, Clocks: s.f.clocks, Rated: rated,
			Port: port, Interfaces: s.f.interfaces,
		})
		if err != nil {
			return err
		}
	} else {
		path = table.HostServer(s.id, table.ServerRoom{
			Server: s.f.server, RelayOnly: s.f.relayOnly, List: list, Player: s.name, Name: room.Name,
			Password: s.f.password, Clocks: s.f.clocks, Rated: rated,
		})
	}
	defer path.Close()
	s.first = s.invited
	t, err := table.New(table.Config{Vault: s.vault, Path: path, Name: s.name, Room: room, Ranking: s.ranking, Outbox: s.outbox})
	if err != nil {
		return err
	}
	return s.play(ctx, t)
}

// invited prints what the other player needs.
func (s *seat) invited(e table.Event) bool {
	i, ok := e.(table.Invited)
	if !ok {
		return false
	}
	code := record.PlayerCode(s.id.Key())
	switch {
	case s.c.json:
		s.c.emit(event{"event": "room", "code": i.Code, "link": i.Link, "room": i.Room, "port": i.Port, "player": code})
	case i.Code != "":
		fmt.Fprintln(s.c.Stdout, i.Code)
		s.c.note("tell the other player this code, or the link %s", i.Link)
	default:
		fmt.Fprintf(s.c.Stdout, "LAN %s %d %s\n", word(i.Room), i.Port, code)
	}
	return true
}

// word is a room's name as one word of a line.
func word(name string) string {
	b, err := json.Marshal(name)
	if err != nil || len(b) == len(name)+2 && !containsSpace(name) {
		return name
	}
	return string(b)
}

func containsSpace(s string) bool {
	for _, r := range s {
		if r == ' ' || r == '\t' {
			return true
		}
	}
	return false
}

// goOn takes up an unfinished match.
func (s *seat) goOn(ctx context.Context, u *table.Unfinished) error {
	id := fmt.Sprintf("%x", u.ID[:])
	if s.c.json {
		s.c.emit(event{"event": "resume", "match": id, "player": record.PlayerCode(u.Peer)})
	} else {
		fmt.Fprintf(s.c.Stdout, "RESUME %s\n", id)
	}
	s.c.note("going on with the match against %s (--new gives it up)", record.PlayerCode(u.Peer))
	if u.Name != "" {
		s.name = u.Name
	}
	if u.Ranking != "" {
		if err := s.meetRanking(ctx, u.Ranking); err != nil {
			return err
		}
	}
	path, err := table.OpenPath(s.id, *u)
	if err != nil {
		return err
	}
	defer path.Close()
	t, err := table.Resume(table.Config{Vault: s.vault, Path: path, Name: s.name, Ranking: s.ranking, Outbox: s.outbox}, *u)
	if err != nil {
		return err
	}
	return s.play(ctx, t)
}

var joinCommand = &command{
	name:  "join",
	args:  "(--lan [ROOM] | --server URL (CODE | --room R) | --peer HOST:PORT [--expect PLAYERCODE]) [flags]",
	short: "go to another player and play",
	long: `
Goes to a player who hosts, and plays. With --lan to a room on the local
network, by name or any that is open; with --server by an invite code or to a
listed room by name; with --peer to an address, where no multicast gets through.
A code may be typed with spaces, be a whole link, and name its server itself. A room that is not
there yet is waited for (--wait).

A match that this profile has not finished is gone on with first (first line:
RESUME MATCH), unless --new gives it up. At the end a line tells the result of
each match:

  RESULT MATCH won|lost|draw|no-result OWN OTHER rated|friendly sealed|unsealed`,
	exits: seatExits,
	bind: func(fs *flag.FlagSet) func(context.Context, *call) error {
		var f seatFlags
		f.bind(fs)
		peer := fs.String("peer", "", "go to the host at `HOST:PORT`")
		expect := fs.String("expect", "", "play only the player with this code, `PLAYERCODE`")
		wait := fs.Duration("wait", 10*time.Second, "how long to wait for a room to appear")
		return func(ctx context.Context, c *call) error {
			if err := f.check(fs); err != nil {
				return err
			}
			var want record.Code
			if *expect != "" {
				var err error
				if want, err = record.ParsePlayerCode(*expect); err != nil {
					return usagef("--expect: %v", err)
				}
			}
			if *wait <= 0 {
				return usagef("--wait must be above 0")
			}
			where, err := joinWhere(c, &f, *peer)
			if err != nil {
				return err
			}
			s, err := c.sitDown(&f)
			if err != nil {
				return err
			}
			defer s.vault.Close()
			return s.join(ctx, where, want, *wait)
		}
	},
}

// destination is where join goes: exactly one of the three.
type destination struct {
	lan  bool
	addr string // host:port
	code string
	room string
}

func joinWhere(c *call, f *seatFlags, peer string) (destination, error) {
	arg := ""
	switch {
	case len(c.args) > 1 && (f.lan || peer != ""):
		return destination{}, usagef("join takes one argument at most; a name with spaces stands in quotes")
	case len(c.args) > 0:
		arg = strings.Join(c.args, " ") // the words of a code
	}
	switch {
	case peer != "":
		if f.lan || f.server != "" || arg != "" {
			return destination{}, usagef("join takes one of --lan, --server and --peer")
		}
		if _, _, err := net.SplitHostPort(peer); err != nil {
			return destination{}, usagef("--peer takes HOST:PORT, not %q", peer)
		}
		return destination{addr: peer}, nil
	case f.lan:
		if f.server != "" {
			return destination{}, usagef("join takes one of --lan, --server and --peer")
		}
		if arg == "" {
			arg = f.room
		}
		return destination{lan: true, room: arg}, nil
	case arg != "":
		return destination{code: arg}, nil // it may name its server
	case f.server != "" && f.room != "":
		return destination{room: f.room}, nil
	case f.server != "":
		return destination{}, usagef("join --server takes a CODE or --room R")
	}
	return destination{}, usagef("join takes --lan, --server URL or --peer HOST:PORT")
}

func (s *seat) join(ctx context.Context, to destination, expect record.Code, wait time.Duration) error {
	if gone, err := s.goOnFirst(ctx); gone || err != nil {
		return err
	}
	var (
		path table.Path
		err  error
	)
	if to.lan || to.addr != "" {
		path, err = table.JoinLAN(s.id, table.LANVisit{
			Room: to.room, Addr: to.addr, Expect: expect, Password: s.f.password, Wait: wait, Interfaces: s.f.interfaces,
		})
	} else {
		path, err = table.JoinServer(s.id, table.ServerVisit{
			Server: s.f.server, RelayOnly: s.f.relayOnly, Code: to.code, Room: to.room, Password: s.f.password, Expect: expect, Wait: wait,
		})
	}
	if err != nil {
		return err
	}
	defer path.Close()
	t, err := table.New(table.Config{Vault: s.vault, Path: path, Name: s.name, Ranking: s.ranking, Outbox: s.outbox})
	if err != nil {
		return err
	}
	return s.play(ctx, t)
}
