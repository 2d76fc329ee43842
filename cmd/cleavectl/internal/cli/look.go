package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/signal"
)

var lanCommand = &command{
	name:  "lan",
	args:  "[--for 5s]",
	short: "list the rooms on the local network",
	long: `
Looks for rooms on the local network and prints a line for each when it is seen,
when it changes and when it has gone:

  seen|changed|gone ROOM STATE CLOCKS rated|friendly PLAYERCODE NAME ADDRESS...`,
	exits: []exit{{29, "LAN play is unavailable on this machine"}},
	bind: func(fs *flag.FlagSet) func(context.Context, *call) error {
		span := fs.Duration("for", 5*time.Second, "how long to look")
		var interfaces listFlag
		fs.Var(&interfaces, "interface", "look by this network interface alone, `NAME`; may be repeated")
		return func(ctx context.Context, c *call) error {
			if len(c.args) != 0 {
				return usagef("lan takes no argument %q", c.args[0])
			}
			if *span <= 0 {
				return usagef("--for must be above 0")
			}
			return c.lan(ctx, *span, interfaces)
		}
	},
}

func (c *call) lan(ctx context.Context, span time.Duration, interfaces []string) error {
	v, id, err := c.lookAt()
	if err != nil {
		return err
	}
	defer v.Close()
	limited, cancel := context.WithTimeout(ctx, span)
	defer cancel()
	var (
		mu      sync.Mutex
		known   = map[string]p2p.Room{}
		trouble error
	)
	err = table.BrowseLAN(limited, id, interfaces, func(rooms []p2p.Room, why error) {
		mu.Lock()
		defer mu.Unlock()
		trouble = why
		present := map[string]bool{}
		for _, r := range rooms {
			key := r.Instance
			present[key] = true
			old, had := known[key]
			known[key] = r
			switch {
			case !had:
				c.roomLine("seen", r)
			case !sameRoom(old, r):
				c.roomLine("changed", r)
			}
		}
		for key, r := range known {
			if !present[key] {
				delete(known, key)
				c.roomLine("gone", r)
			}
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	mu.Lock()
	defer mu.Unlock()
	if trouble != nil {
		return trouble
	}
	if len(known) == 0 && !c.json {
		c.note("no rooms; a firewall may keep multicast DNS (UDP 5353) out")
	}
	return nil
}

func sameRoom(a, b p2p.Room) bool {
	return a.State == b.State && a.Name == b.Name && a.Player == b.Player && a.Clocks == b.Clocks && a.Rated == b.Rated
}

func (c *call) roomLine(what string, r p2p.Room) {
	if c.json {
		c.emit(event{
			"event": what, "room": r.Name, "state": r.State, "clocks": r.Clocks, "rated": r.Rated,
			"player": record.PlayerCode(r.Key), "name": r.Player, "instance": r.Instance, "addrs": r.Addrs, "version": r.Version,
		})
		return
	}
	fmt.Fprintf(c.Stdout, "%s %s %s %s %s %s %s %s\n", what, word(r.Name), r.State, r.Clocks, ratedWord(r.Rated),
		record.PlayerCode(r.Key), word(r.Player), strings.Join(r.Addrs, " "))
}

var roomsCommand = &command{
	name:  "rooms",
	args:  "--server URL",
	short: "list the rooms at a server",
	long: `
Prints a line for each room that is listed at the server, those that can be
joined first:

  ROOM STATE CLOCKS rated|friendly PLAYERCODE NAME`,
	exits: []exit{{10, "the server cannot be reached"}, {11, "the server is full"}, {12, "too many requests"}, {13, "the server answers nonsense"}},
	bind: func(fs *flag.FlagSet) func(context.Context, *call) error {
		server := fs.String("server", "", "the rendezvous server, `URL`")
		return func(ctx context.Context, c *call) error {
			url, err := serverArg(c, *server, 0)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
			defer cancel()
			rooms, err := table.ServerRooms(ctx, url)
			if err != nil {
				return err
			}
			for _, r := range rooms {
				if c.json {
					c.emit(event{"room": r.Name, "state": r.State, "clocks": r.Clocks, "rated": r.Rated, "player": record.PlayerCode(r.Key), "name": r.Player, "version": r.Version})
					continue
				}
				fmt.Fprintf(c.Stdout, "%s %s %s %s %s %s\n", word(r.Name), r.State, r.Clocks, ratedWord(r.Rated), record.PlayerCode(r.Key), word(r.Player))
			}
			return nil
		}
	},
}

// serverArg reads --server and how many arguments there are.
func serverArg(c *call, server string, args int) (string, error) {
	if len(c.args) != args {
		return "", usagef("wrong number of arguments")
	}
	if server == "" {
		return "", usagef("which server? (--server URL)")
	}
	url, err := signal.ServerURL(server)
	if err != nil {
		return "", usagef("%v", err)
	}
	return url, nil
}

var ticketsCommand = &command{
	name:  "tickets",
	args:  "--server URL",
	short: "fetch the tickets that rated matches need",
	long: `
Fetches a few tickets of the ranking server, and prints how many the profile has
now and when they expire; that there are no new ones today is no failure while
some are left. A ticket is good for one match within six days, and is used up by
it. Once fetched they serve without the internet, on a LAN; this server is then
the one that host and join use when none is named. Results that could not be
handed in before are handed in first.`,
	exits: []exit{{exitFailed, "the server does not give any; why is on standard error"}, {exitLocked, "another process is using the profile"}, {exitDiskFull, "the disk is full"}, {10, "the server cannot be reached"}},
	bind: func(fs *flag.FlagSet) func(context.Context, *call) error {
		server := fs.String("server", "", "the ranking server, `URL`")
		return func(ctx context.Context, c *call) error {
			url, err := serverArg(c, *server, 0)
			if err != nil {
				return err
			}
			return c.tickets(ctx, url)
		}
	},
}

func (c *call) tickets(ctx context.Context, url string) error {
	v, err := c.open()
	if err != nil {
		return err
	}
	defer v.Close()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	r, err := table.OpenRanking(ctx, v, url)
	if err != nil {
		return unreachable(err)
	}
	if err := c.deliver(ctx, v); err != nil {
		return err
	}
	if n, err := table.FetchTickets(ctx, v, r); err != nil {
		if n == 0 {
			return unreachable(err)
		}
		c.note("no new tickets: %v", err)
	}
	if err := v.SetSetting(rankingSetting, url); err != nil {
		return err
	}
	list, err := v.Tickets(r.Key, time.Now())
	if err != nil {
		return err
	}
	if c.json {
		expires := []string{}
		for _, t := range list {
			expires = append(expires, t.Expires.UTC().Format(time.RFC3339))
		}
		c.emit(event{"server": url, "server_key": r.Key.String(), "tickets": len(list), "expires": expires})
		return nil
	}
	fmt.Fprintf(c.Stdout, "%d tickets of %s\n", len(list), url)
	for _, t := range list {
		fmt.Fprintf(c.Stdout, "  good until %s\n", t.Expires.Local().Format("2006-01-02 15:04"))
	}
	return nil
}

// deliver hands over what waits in the profile's outbox, now that there is a
// server.
func (c *call) deliver(ctx context.Context, v *vault.Vault) error {
	s := &seat{c: c, f: &seatFlags{}, vault: v}
	return s.deliverAll(ctx)
}

// unreachable gives a ranking server that cannot be reached the exit code that
// a rendezvous server has.
func unreachable(err error) error {
	if errors.Is(err, ranking.ErrUnreachable) || errors.Is(err, context.DeadlineExceeded) {
		return &exitError{signal.NoServer.ExitCode(), fmt.Errorf("%w: %w", signal.NoServer, err)}
	}
	return err
}

// submitLimit is how long handing a log in may take.
var submitLimit = 20 * time.Second

var submitCommand = &command{
	name:  "submit",
	args:  "FILE --server URL",
	short: "hand the log of a match or a run in at a ranking server",
	long: `
Hands the log in FILE in and prints the server's signed receipt, as JSON. It may
be repeated, by either player or anybody; the answer is the same. Standard error
says where the match or run stands.`,
	exits: []exit{{exitFailed, "the file cannot be read, or the server refuses it; the reason's number and text are on standard error"}, {10, "the server cannot be reached"}},
	bind: func(fs *flag.FlagSet) func(context.Context, *call) error {
		server := fs.String("server", "", "the ranking server, `URL`")
		return func(ctx context.Context, c *call) error {
			url, err := serverArg(c, *server, 1)
			if err != nil {
				return err
			}
			data, err := readFile(c.args[0], record.MaxRun)
			if err != nil {
				return err
			}
			if !bytes.HasPrefix(data, []byte("CLEAVE")) {
				return fmt.Errorf("%s is not a .cleave file", c.args[0])
			}
			client, err := ranking.NewClient(ranking.Config{URL: url})
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(ctx, submitLimit)
			defer cancel()
			if isRun(data) {
				answer, err := client.UploadRun(ctx, data)
				if err != nil {
					return unreachable(err)
				}
				return c.taken(string(answer.State), answer.Text, answer.Receipt, answer)
			}
			answer, err := client.Upload(ctx, data)
			if err != nil {
				return unreachable(err)
			}
			return c.taken(string(answer.State), answer.Text, answer.Receipt, answer)
		}
	},
}

// taken tells what a server made of a file, and prints its receipt, or the whole
// answer with --json.
func (c *call) taken(state, text string, receipt ranking.Receipt, answer any) error {
	c.note("%s", strings.TrimSuffix(state+": "+text, ": "))
	if c.json {
		c.emit(answer)
		return nil
	}
	lines, err := json.MarshalIndent(receipt, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Stdout, "%s\n", lines)
	return nil
}
