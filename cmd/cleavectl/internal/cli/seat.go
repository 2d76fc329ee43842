package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/players"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
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

// A seat is one profile that is about to play.
type seat struct {
	c       *call
	f       *seatFlags
	vault   *vault.Vault
	id      *vault.Identity
	name    string
	ranking *table.Ranking
	outbox  *table.Outbox
	wrote   []record.ID // matches written for --out
	first   func(table.Event) bool
	why     string // why a match in this room does not count, "" if it does
}

// sitDown opens the profile and says who plays.
func (c *call) sitDown(f *seatFlags) (*seat, error) {
	v, err := c.open()
	if err != nil {
		return nil, err
	}
	s := &seat{c: c, f: f, vault: v}
	if err := s.prepare(); err != nil {
		v.Close()
		return nil, err
	}
	return s, nil
}

func (s *seat) prepare() (err error) {
	if s.id, err = s.vault.Identity(); err != nil {
		return err
	}
	for _, p := range s.vault.Problems() {
		s.c.note("%v", p)
	}
	if s.name, err = s.vault.Name(); err != nil {
		return err
	}
	if s.f.name != "" && s.name == "" {
		if err := s.vault.SetName(s.f.name); err != nil {
			return err
		}
	}
	if s.f.name != "" {
		s.name = s.f.name
	}
	if !lockstep.ValidName(s.name) {
		s.name = "Player " + record.PlayerCode(s.id.Key())[:4]
	}
	s.outbox = table.NewOutbox(s.vault, s.tell)
	return s.vault.PrunePast(time.Now())
}

// unfinished returns the match that is to be gone on with, nil for none. With
// --new those there are given up.
func (s *seat) unfinished() (*table.Unfinished, error) {
	list, err := table.Unfinish(s.vault, time.Now())
	if err != nil {
		return nil, err
	}
	if !s.f.fresh {
		if len(list) == 0 {
			return nil, nil
		}
		return &list[len(list)-1], nil
	}
	for _, u := range list {
		s.c.note("giving up the unfinished match against %s", record.PlayerCode(u.Peer))
		if err := table.Abandon(s.vault, u, time.Now()); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// rankingSetting names the ranking server that the profile's tickets came from
// last.
const rankingSetting = "ranking"

// rankingLimit bounds the wait for a ranking server before a match: without an
// answer it is played with the tickets that are there.
const rankingLimit = 8 * time.Second

// meetRanking finds the ranking server and fetches tickets, as far as that can
// be done.
func (s *seat) meetRanking(ctx context.Context, url string) error {
	if url == "" {
		url = s.f.ranking
	}
	if url == "" {
		url = s.f.server
	}
	if url == "" {
		if _, err := s.vault.Setting(rankingSetting, &url); err != nil {
			return err
		}
	}
	if url == "" || s.f.friendly {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, rankingLimit)
	defer cancel()
	r, err := table.OpenRanking(limited, s.vault, url)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		if r == nil {
			s.c.note("no rated match: %v", err)
			return nil
		}
		return err // the vault's
	}
	s.ranking = r
	n, err := table.FetchTickets(limited, s.vault, r)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, vault.ErrDiskFull):
		return err
	case err != nil && n == 0:
		s.c.note("no tickets for a rated match: %v", err)
	}
	return nil
}

// errNoRanking is why --rated fails before anybody has come.
var errNoRanking = errors.New("a rated match needs a ranking server (--ranking URL) that can be reached now or has given tickets before")

// play sits at the table until it is over, and gives the exit code.
func (s *seat) play(ctx context.Context, t *table.Table) error {
	player, err := players.Parse(ctx, s.f.player, players.Options{
		In: s.c.Stdin, Out: s.c.Stdout, Seed: uint64(time.Now().UnixNano()), Think: time.Duration(s.f.think) * time.Millisecond,
	})
	if err != nil {
		return err
	}
	defer player.Close()

	delivering, stop := context.WithCancel(ctx)
	delivered := make(chan error, 1)
	go func() { delivered <- s.outbox.Run(delivering) }()
	finished, err := table.Play(ctx, t, table.Sitting{
		Player: player, Matches: s.f.matches, MustRate: s.f.rated, Tell: s.tell,
	})
	stop()
	<-delivered
	if ctx.Err() == nil {
		s.deliverLast(ctx)
	}
	for _, m := range finished {
		s.result(m)
	}
	if err != nil {
		var notRated *table.NotRatedError
		if errors.As(err, &notRated) {
			return &exitError{exitNotRated, err}
		}
		return err
	}
	if len(finished) == 0 {
		return &exitError{exitNoResult, errors.New("the other player left before a match was over")}
	}
	if last := finished[len(finished)-1]; last.Result.End != lockstep.ByEngine {
		return &exitError{exitNoResult, errors.New("the match has no result: " + endText(last.Result))}
	}
	return nil
}

// deliverLast hands over what the matches have left in the outbox, once.
func (s *seat) deliverLast(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if _, err := s.outbox.Deliver(ctx); err != nil {
		s.c.note("handing in results: %v", err)
	}
}

// deliverAll tries everything in the outbox now, however long it was to wait.
func (s *seat) deliverAll(ctx context.Context) error {
	parcels, err := s.vault.Parcels(time.Now())
	if err != nil {
		return err
	}
	for _, p := range parcels {
		p.Next = time.Time{}
		if err := s.vault.PutParcel(p); err != nil {
			return err
		}
	}
	_, err = table.NewOutbox(s.vault, s.tell).Deliver(ctx)
	return err
}

// tell shows a person, or a script, what happens.
func (s *seat) tell(e table.Event) {
	if s.first != nil && s.first(e) {
		return
	}
	c := s.c
	switch e := e.(type) {
	case table.Visited:
		why := e.Err.Error()
		if f, ok := signal.FailureOf(e.Err); ok {
			why = f.Error()
		}
		c.note("somebody tried to come: %s", why)
		c.emitIf(event{"event": "visited", "error": why, "detail": e.Err.Error()})
	case table.Joined:
		code := record.PlayerCode(e.Info.Peer)
		c.note("connected to %s (%s)", code, e.Info.Path)
		c.emitIf(event{"event": "connected", "player": code, "path": e.Info.Path, "again": e.Again})
	case table.Parted:
		c.note("the connection is lost; looking for the other player")
		c.emitIf(event{"event": "parted"})
	case table.Noted:
		c.note("%s", e.Text)
	case table.Saved:
		s.write(e)
	case table.Bundled:
		c.note("what the two programs disagree on is kept in %s", e.Where)
		c.emitIf(event{"event": "bundle", "file": e.Where})
	case table.Delivered:
		c.note("ranking server: %s %s", e.Kind, e.Text)
		c.emitIf(event{"event": "receipt", "match": fmt.Sprintf("%x", e.Match[:]), "kind": e.Kind, "text": e.Text, "receipt": rawJSON(e.Receipt)})
	case table.Undelivered:
		after := ""
		if e.Later {
			after = "; it will be tried again"
		}
		c.note("ranking server: %s not taken: %v%s", e.Kind, e.Err, after)
		c.emitIf(event{"event": "undelivered", "match": fmt.Sprintf("%x", e.Match[:]), "kind": e.Kind, "error": e.Err.Error(), "later": e.Later})
	case table.FromSession:
		s.tellSession(e.Event)
	}
}

func (s *seat) tellSession(e lockstep.Event) {
	c := s.c
	switch e := e.(type) {
	case lockstep.Met:
		c.note("playing %s (%s)", e.Peer.Name, record.PlayerCode(e.Peer.Key))
		c.emitIf(event{"event": "met", "name": e.Peer.Name, "player": record.PlayerCode(e.Peer.Key), "client": e.Peer.Client})
	case lockstep.RoomChanged:
		why := make([]string, len(e.Why))
		for i, w := range e.Why {
			why[i] = w.String()
		}
		s.why = strings.Join(why, "; ")
		c.emitIf(event{"event": "room-changed", "room": e.Room.Name, "ready": e.Ready, "unrated": why})
	case lockstep.Started:
		id := fmt.Sprintf("%x", e.ID[:])
		c.note("match %s begins, %s; you are %s", id[:16], ratedWord(e.Terms.Rated), seatName[e.Seat])
		if !e.Terms.Rated && s.why != "" {
			c.note("it does not count: %s", s.why)
		}
		c.emitIf(event{"event": "started", "match": id, "seat": e.Seat, "rated": e.Terms.Rated})
	case lockstep.Resumed:
		id := fmt.Sprintf("%x", e.ID[:])
		c.note("match %s goes on", id[:16])
		c.emitIf(event{"event": "resumed", "match": id})
	case lockstep.Applied:
		c.emitIf(event{"event": "entry", "entry": e.Index, "seat": e.Entry.Move.Seat, "kind": kindName(e.Entry.Move.Kind)})
	case lockstep.Trouble:
		c.note("connection trouble")
	case lockstep.Offline:
		c.note("the other player is offline")
		c.emitIf(event{"event": "offline"})
	case lockstep.Back:
		c.note("the other player is back")
		c.emitIf(event{"event": "back"})
	case lockstep.Desync:
		c.note("the two programs disagree at entry %d: %v", e.Index, e.Reason)
		c.emitIf(event{"event": "desync", "entry": e.Index, "reason": e.Reason.String()})
	case lockstep.ClaimDue:
		c.note("the other player has stayed away too long")
		c.emitIf(event{"event": "claim-due", "entry": e.Claim.Index})
	case lockstep.Refused:
		c.note("refused: %v", e.Reason)
		c.emitIf(event{"event": "refused", "reason": e.Reason.String(), "by_peer": e.ByPeer})
	case lockstep.RematchOffered:
		c.emitIf(event{"event": "rematch-offered"})
	case lockstep.RematchRefused:
		c.note("no rematch")
		c.emitIf(event{"event": "rematch-refused"})
	case lockstep.PeerLeft:
		c.note("the other player has left")
		c.emitIf(event{"event": "peer-left"})
	}
}

// event is one line of --json.
type event map[string]any

func (c *call) emitIf(e event) {
	if c.json {
		c.emit(e)
	}
}

// write keeps the log where --out wants it.
func (s *seat) write(e table.Saved) {
	if s.f.out == "" || !e.Sealed && !e.Last {
		return
	}
	n := slices.Index(s.wrote, e.ID)
	if n < 0 {
		n = len(s.wrote)
		s.wrote = append(s.wrote, e.ID)
	}
	name := outName(s.f.out, n+1)
	if err := os.WriteFile(name, e.Log, 0o644); err != nil {
		s.c.note("writing the log: %v", err)
	}
}

// outName is FILE for the first match, then FILE-2 and so on, in front of the
// file's extension.
func outName(file string, n int) string {
	if n == 1 {
		return file
	}
	ext := filepath.Ext(file)
	return strings.TrimSuffix(file, ext) + "-" + strconv.Itoa(n) + ext
}

// result prints how a match ended.
func (s *seat) result(m table.Finished) {
	c, out := s.c, m.Result.Outcome
	id := fmt.Sprintf("%x", m.ID[:])
	how := "no result"
	if m.Result.End == lockstep.ByEngine {
		switch {
		case out.Winner == m.Seat:
			how = "won"
		case out.Winner == 1-m.Seat:
			how = "lost"
		case out.End != engineNoResult:
			how = "draw"
		}
	}
	if c.json {
		c.emit(event{
			"event": "finished", "match": id, "seat": m.Seat, "result": how, "end": endText(m.Result),
			"score": [2]int32{out.Score[m.Seat], out.Score[1-m.Seat]}, "rated": m.Terms.Rated, "sealed": m.Sealed,
			"opponent": record.PlayerCode(m.Terms.Keys[1-m.Seat]),
		})
		return
	}
	seal := "sealed"
	if !m.Sealed {
		seal = "unsealed"
	}
	fmt.Fprintf(c.Stdout, "RESULT %s %s %d %d %s %s\n", id, strings.ReplaceAll(how, " ", "-"), out.Score[m.Seat], out.Score[1-m.Seat], ratedWord(m.Terms.Rated), seal)
}

func endText(r lockstep.Result) string {
	switch r.End {
	case lockstep.ByEngine:
		return endName(r.Outcome.End)
	case lockstep.Abandoned:
		return "the other player stayed away"
	case lockstep.CalledOff:
		return "called off by both"
	case lockstep.NotBegun:
		return "somebody left before it began"
	case lockstep.Desynced:
		return "the two programs disagreed"
	case lockstep.Claimed:
		return "decided by claim"
	}
	return "unfinished"
}
