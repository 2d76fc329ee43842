package cli

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/cleavegame/cleave/cmd/internal/players"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep"
)

var duelCommand = &command{
	name:  "duel",
	args:  "--players A,B [--games N] [--seed S] [--out DIR]",
	short: "play both seats in this process",
	long: `
Plays matches between two players in this process: two whole programs, with
keys, signatures and clocks, joined by a pipe in memory. A has seat 0 in the
first game, seat 1 in the second, and so on. With --seed the blocks and the
bots' choices are the same each time (the thinking times in the logs are not).
The logs go to DIR/game-NNNN.cleave. Nothing is kept in the profile, and nothing
counts. The last line of standard output is

  TOTAL games A-won B-won draws A-points B-points`,
	exits: []exit{{exitNoResult, "a match came to no result"}},
	bind: func(fs *flag.FlagSet) func(context.Context, *call) error {
		var d duelRun
		fs.IntVar(&d.games, "games", 1, "how many matches, `N`")
		names := fs.String("players", "", "who plays, `A,B`: each bot:LEVEL, human or exec:COMMAND")
		fs.Uint64Var(&d.seed, "seed", 0, "draw everything from `S` (0: from the operating system)")
		fs.StringVar(&d.out, "out", "", "write the logs to `DIR`")
		fs.StringVar(&d.clocks, "clocks", "standard", "the clocks, `WHICH`: standard, double or off")
		return func(ctx context.Context, c *call) error {
			if len(c.args) != 0 {
				return usagef("duel takes no argument %q", c.args[0])
			}
			if d.games < 1 {
				return usagef("--games must be at least 1")
			}
			// A command of exec: may have commas; the first player that is
			// followed by another's beginning ends there.
			a, b, ok := splitPlayers(*names)
			if !ok {
				return usagef("--players takes two players with a comma between them")
			}
			d.specs = [2]string{a, b}
			for _, spec := range d.specs {
				if err := players.Check(spec); err != nil {
					return usagef("%v", err)
				}
			}
			if _, err := parseClocks(d.clocks); err != nil {
				return err
			}
			d.call = c
			return d.run(ctx)
		}
	},
}

// splitPlayers parts "A,B" at the comma behind which a player begins.
func splitPlayers(s string) (a, b string, ok bool) {
	for i := range len(s) {
		if s[i] != ',' {
			continue
		}
		if players.Check(s[:i]) == nil && players.Check(s[i+1:]) == nil {
			return s[:i], s[i+1:], true
		}
	}
	// It makes no sense; let the check of a half say why.
	return strings.Cut(s, ",")
}

type duelRun struct {
	*call
	specs  [2]string
	games  int
	seed   uint64
	out    string
	clocks string

	mu     sync.Mutex
	won    [2]int // by player, not by seat
	draws  int
	points [2]int
	no     int // without a result
	next   int // game to be printed next
	done   map[int]string
}

func (d *duelRun) run(ctx context.Context) error {
	if d.out != "" {
		if err := os.MkdirAll(d.out, 0o755); err != nil {
			return err
		}
	}
	d.next, d.done = 1, map[int]string{}
	workers := runtime.GOMAXPROCS(0)
	if d.specs[0] == "human" || d.specs[1] == "human" {
		workers = 1
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for n := 1; n <= d.games && inner.Err() == nil; n++ {
		group.Go(func() error { return d.game(inner, n) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if d.json {
		d.emit(event{"event": "total", "games": d.games, "won": d.won, "draws": d.draws, "points": d.points, "no_result": d.no})
	} else {
		fmt.Fprintf(d.Stdout, "TOTAL %d %d %d %d %d %d\n", d.games, d.won[0], d.won[1], d.draws, d.points[0], d.points[1])
	}
	if d.no > 0 {
		return &exitError{exitNoResult, fmt.Errorf("%d %s came to no result", d.no, plural(d.no, "match"))}
	}
	return nil
}

// chance returns a source of 32 bytes for one seat of one game, nil for the
// operating system's.
func (d *duelRun) chance(game, seat int) func() [32]byte {
	if d.seed == 0 {
		return nil
	}
	var b [24]byte
	binary.BigEndian.PutUint64(b[0:], d.seed)
	binary.BigEndian.PutUint64(b[8:], uint64(game))
	binary.BigEndian.PutUint64(b[16:], uint64(seat))
	src := rand.NewChaCha8(sha256.Sum256(append([]byte("cleave/practice/1"), b[:]...)))
	return func() (out [32]byte) {
		src.Read(out[:])
		return out
	}
}

// game plays game n; player i has seat i in odd games, the other in even ones.
func (d *duelRun) game(ctx context.Context, n int) error {
	end := table.Pipe()
	clocks, _ := parseClocks(d.clocks)
	var (
		results [2][]table.Finished
		group   errgroup.Group
	)
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	for seat := range 2 {
		who := seat
		if n%2 == 0 {
			who = 1 - seat
		}
		v := vault.Memory(fmt.Sprintf("seat-%d", seat))
		fresh := d.chance(n, seat)
		if fresh != nil {
			if err := v.Import(vault.FromSeed(fresh()), false); err != nil {
				return err
			}
		}
		id, err := v.Identity()
		if err != nil {
			return err
		}
		seed := rand.Uint64()
		if fresh != nil {
			b := fresh()
			seed = binary.BigEndian.Uint64(b[:])
		}
		player, err := players.Parse(ctx, d.specs[who], players.Options{In: d.Stdin, Out: d.Stdout, Seed: seed, Names: d.names(n)})
		if err != nil {
			return err
		}
		defer player.Close()
		t, err := table.New(table.Config{
			Vault: v, Path: end(seat, id.Key()), Name: seatName[seat], Fresh: fresh,
			Room: lockstep.Room{Name: "practice", Clocks: clocks, Friendly: true},
		})
		if err != nil {
			return err
		}
		group.Go(func() error {
			var err error
			results[seat], err = table.Play(inner, t, table.Sitting{Player: player, Tell: func(e table.Event) {
				if noted, ok := e.(table.Noted); ok {
					d.note("game %d, %s: %s", n, d.specs[who], noted.Text)
				}
			}})
			if err != nil {
				cancel() // the other seat would wait for it
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("game %d: %w", n, err)
	}
	if len(results[0]) == 0 {
		return fmt.Errorf("game %d: nothing was played", n)
	}
	m := results[0][0]
	if d.out != "" {
		if err := os.WriteFile(filepath.Join(d.out, fmt.Sprintf("game-%04d.cleave", n)), m.Log, 0o644); err != nil {
			return err
		}
	}
	d.count(n, m)
	return nil
}

// names are what a person calls the players of a game, by seat.
func (d *duelRun) names(n int) (names [2]string) {
	for seat := range names {
		who := seat
		if n%2 == 0 {
			who = 1 - seat
		}
		kind, rest, _ := strings.Cut(d.specs[who], ":")
		switch kind {
		case "bot":
			names[seat] = "the " + rest + " bot"
		case "exec":
			names[seat] = "the program"
		}
	}
	return names
}

func (d *duelRun) count(n int, m table.Finished) {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := m.Result.Outcome
	byPlayer := func(seat int) int {
		if n%2 == 0 {
			return 1 - seat
		}
		return seat
	}
	how := "no-result"
	switch {
	case m.Result.End != lockstep.ByEngine || out.End == engine.NoResult:
		d.no++
	case out.Winner == engine.Nobody:
		d.draws++
		how = "draw"
	default:
		d.won[byPlayer(out.Winner)]++
		how = "AB"[byPlayer(out.Winner):][:1]
	}
	var score [2]int32
	for seat := range 2 {
		score[byPlayer(seat)] = out.Score[seat]
		d.points[byPlayer(seat)] += int(out.Score[seat])
	}
	line := fmt.Sprintf("GAME %d %s %d %d %x", n, how, score[0], score[1], m.ID[:])
	if d.json {
		line = string(mustJSON(event{"event": "game", "game": n, "winner": how, "score": score, "match": fmt.Sprintf("%x", m.ID[:]), "sealed": m.Sealed}))
	}
	// In the order of the games, whichever is over first.
	d.done[n] = line
	for {
		line, ok := d.done[d.next]
		if !ok {
			return
		}
		fmt.Fprintln(d.Stdout, line)
		delete(d.done, d.next)
		d.next++
	}
}
