package cli

import (
	"flag"
	"strconv"
	"strings"

	"github.com/cleavegame/cleave/cmd/internal/players"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/p2p/signal"
)

// seatFlags are what host and join take alike.
type seatFlags struct {
	lan        bool
	server     string
	ranking    string
	name       string
	room       string
	password   string
	clocks     string
	friendly   bool
	rated      bool
	player     string
	think      int
	matches    int
	relayOnly  bool
	out        string
	fresh      bool
	interfaces listFlag
}

// listFlag is a flag that may be given more than once.
type listFlag []string

func (l *listFlag) String() string     { return strings.Join(*l, ",") }
func (l *listFlag) Set(s string) error { *l = append(*l, s); return nil }

func (f *seatFlags) bind(fs *flag.FlagSet) {
	fs.BoolVar(&f.lan, "lan", false, "play on the local network")
	fs.StringVar(&f.server, "server", "", "meet over the rendezvous server at `URL`")
	fs.StringVar(&f.ranking, "ranking", "", "the ranking server, `URL` (the rendezvous server, else the one that tickets came from last)")
	fs.StringVar(&f.name, "name", "", "your name as the other player sees it, `N`")
	fs.StringVar(&f.room, "room", "", "the name of the room, `R`")
	fs.StringVar(&f.password, "password", "", "the password of the room, `P`")
	fs.StringVar(&f.clocks, "clocks", "standard", "the clocks, `WHICH`: standard, double or off; the host decides")
	fs.BoolVar(&f.friendly, "friendly", false, "the match does not count (the host decides)")
	fs.BoolVar(&f.rated, "rated", false, "play a rated match or none")
	fs.StringVar(&f.player, "player", "human", "who plays, `P`: bot:LEVEL, human or exec:COMMAND")
	fs.IntVar(&f.think, "think", 0, "take at least `MS` milliseconds for each decision")
	fs.IntVar(&f.matches, "matches", 1, "play up to `N` matches, as rematches")
	fs.BoolVar(&f.relayOnly, "relay-only", false, "hide this machine's addresses from the other player")
	fs.StringVar(&f.out, "out", "", "write the match's log to `FILE` too (the second to FILE-2, …)")
	fs.BoolVar(&f.fresh, "new", false, "give up an unfinished match instead of going on with it")
	fs.Var(&f.interfaces, "interface", "find rooms by this network interface alone, `NAME`; may be repeated, and lo keeps to this machine")
}

func (f *seatFlags) check(fs *flag.FlagSet) error {
	if err := players.Check(f.player); err != nil {
		return usagef("%v", err)
	}
	if _, err := parseClocks(f.clocks); err != nil {
		return err
	}
	switch {
	case f.matches < 1:
		return usagef("--matches must be at least 1")
	case f.think < 0:
		return usagef("--think must not be negative")
	case f.rated && f.friendly:
		return usagef("a match is rated or friendly, not both")
	case f.rated && f.clocks != "standard":
		return usagef("a rated match has standard clocks")
	case f.name != "" && !lockstep.ValidName(f.name):
		return usagef("the name is too long, or has characters that do not show")
	case f.room != "" && !signal.ValidName(f.room):
		return usagef("the room's name is too long, or has characters that do not show")
	}
	var err error
	if f.server != "" {
		if f.server, err = signal.ServerURL(f.server); err != nil {
			return usagef("%v", err)
		}
	}
	if f.ranking != "" {
		if f.ranking, err = signal.ServerURL(f.ranking); err != nil {
			return usagef("%v", err)
		}
	}
	return nil
}

func parseClocks(s string) (lockstep.Clocks, error) {
	switch s {
	case "standard":
		return lockstep.ClocksStandard, nil
	case "double":
		return lockstep.ClocksDouble, nil
	case "off":
		return lockstep.ClocksOff, nil
	}
	return 0, usagef("clocks are standard, double or off, not %q", s)
}

// parsePort reads ":PORT", or a port alone.
func parsePort(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(strings.TrimPrefix(s, ":"))
	if err != nil || n < 0 || n > 65535 {
		return 0, usagef("--listen takes :PORT, not %q", s)
	}
	return n, nil
}
