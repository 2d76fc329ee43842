package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/contest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/solo"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
)

var arenaCommand = &command{
	name:  "arena",
	args:  "list|play [ARENA]|show ARENA --server URL [--player P] [--give-up] [--out FILE] [--logs DIR]",
	short: "play a Streak against up to 19 others at a server",
	long: `
In an arena up to 20 players have one run each on the same deal, within 24
hours; AI players take the seats that stay free. Who enters when no arena has a
seat opens one.

list prints the arenas that can be entered, and those that the profile has
entered. play takes a seat in ARENA, or in any, plays the run and hands it in: a
run is kept piece by piece, and after quit, or a kill, the same command goes on
with it. show prints who stands where; once the arena is closed --logs writes
the moves of every run to DIR, for verify and show.

  list: ARENA id open|closed TAKEN SEATS MINUTES-LEFT STATE RANK SCORE
        of a seat of one's own STATE, RANK and SCORE, else -
  play: RUN id SCORE PIECES BEST-COMBO ATTEMPT STATE
        ARENA id RANK of PLAYERS
  show: ARENA id open|closed TAKEN SEATS MINUTES-LEFT
        RANK CODE SCORE BEST-COMBO RUN person|bot:LEVEL, of each entrant; RANK,
        SCORE, BEST-COMBO and RUN are - while no run has come`,
	exits: contestExits,
	bind: func(fs *flag.FlagSet) func(context.Context, *call) error {
		var a arenaRun
		server := a.flags(fs)
		fs.StringVar(&a.logs, "logs", "", "show: write the logs of a closed arena to the folder `DIR`")
		return func(ctx context.Context, c *call) error {
			a.call = c
			verbs := map[string]func(context.Context) error{"list": a.list, "play": a.enter, "show": a.show}
			if len(c.args) == 0 || verbs[c.args[0]] == nil {
				return usagef("list, play or show?")
			}
			verb := c.args[0]
			if len(c.args) > 2 || verb == "list" && len(c.args) > 1 {
				return usagef("arena %s takes no argument %q", verb, c.args[len(c.args)-1])
			}
			if len(c.args) == 2 {
				a.arena = strings.ToLower(c.args[1])
				if in, ok := ranking.ParseContest(a.arena); !ok || in.Kind != ranking.ArenaContest {
					return usagef("%q is no arena; `arena list` prints them", c.args[1])
				}
			} else if verb == "show" {
				return usagef("which arena?")
			}
			url, err := serverArg(c, *server, len(c.args))
			if err != nil {
				return err
			}
			if err := a.parsePlayer(); err != nil {
				return err
			}
			return a.at(ctx, url, verbs[verb])
		}
	},
}

// An arenaRun is one call of the command.
type arenaRun struct {
	contestRun
	arena string // its id, "" for any
	logs  string

	vault  *vault.Vault
	server *table.Ranking
	arenas *contest.Arenas
	code   string // of the profile
}

// at carries out a verb at a server.
func (a *arenaRun) at(ctx context.Context, url string, do func(context.Context) error) error {
	var err error
	if a.vault, err = a.open(); err != nil {
		return err
	}
	defer a.vault.Close()
	id, err := a.vault.Identity()
	if err != nil {
		return err
	}
	a.code = record.PlayerCode(id.Key())
	if a.server, err = table.OpenRanking(ctx, a.vault, url); err != nil {
		return unreachable(err)
	}
	a.arenas = contest.NewArenas(a.vault, a.server.Client, a.server.Key)
	// A run of before that is refused is told of, and is done with.
	refused := (*ranking.Refusal)(nil)
	if err := a.hand(ctx); err != nil && !errors.As(err, &refused) {
		return unreachable(err)
	}
	return unreachable(do(ctx))
}

// maxListed is how many arenas are asked for one by one.
const maxListed = 20

func (a *arenaRun) list(ctx context.Context) error {
	open, err := a.server.Client.Arenas(ctx)
	if err != nil {
		return err
	}
	mine, err := a.arenas.Entered()
	if err != nil {
		return err
	}
	slices.Reverse(mine)
	for _, arena := range open.Arenas {
		if !slices.ContainsFunc(mine, func(e contest.Entry) bool { return e.Arena == arena.Arena }) {
			a.tellArena(arena, nil)
		}
	}
	for _, e := range mine[:min(len(mine), maxListed)] {
		arena, err := a.server.Client.Arena(ctx, e.Arena)
		if err != nil {
			return err
		}
		a.tellArena(arena, &e)
	}
	return nil
}

// enter goes on with a run in progress, or takes a seat; it plays, and hands in.
func (a *arenaRun) enter(ctx context.Context) error {
	r, err := a.sit(ctx)
	if err != nil {
		return err
	}
	if _, err := a.finish(ctx, a.vault, r, a.arenas.Finish); err != nil {
		return err
	}
	return a.hand(ctx)
}

func (a *arenaRun) sit(ctx context.Context) (*solo.Run, error) {
	mine, err := a.arenas.Entered()
	if err != nil {
		return nil, err
	}
	for _, e := range slices.Backward(mine) {
		if e.State != contest.Playing || a.arena != "" && e.Arena != a.arena {
			continue
		}
		r, err := a.arenas.Resume(e.Arena)
		if errors.Is(err, vault.ErrNotFound) {
			continue // it was damaged, and put aside
		}
		if err != nil {
			return nil, err
		}
		return r, a.goOn(r)
	}
	if a.giveUp {
		return nil, errors.New("there is no run in progress")
	}
	return a.arenas.Enter(ctx, a.arena, a.bot())
}

func (a *arenaRun) hand(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	all, err := a.arenas.Hand(ctx)
	return errors.Join(err, a.tellHanded(all))
}

func (a *arenaRun) show(ctx context.Context) error {
	arena, err := a.server.Client.Arena(ctx, a.arena)
	if err != nil {
		return err
	}
	if a.json {
		a.emit(arena)
	} else {
		fmt.Fprintln(a.Stdout, arenaLine(arena))
		for _, l := range arena.Entrants {
			who := "person"
			if l.Bot != "" {
				who = l.Bot
			}
			if !l.Played {
				fmt.Fprintf(a.Stdout, "- %s - - - %s\n", l.Code, who)
				continue
			}
			fmt.Fprintf(a.Stdout, "%d %s %d %d %s %s\n", l.Rank, l.Code, l.Score, l.Combo, l.Run, who)
		}
	}
	if a.logs == "" {
		return nil
	}
	if err := os.MkdirAll(a.logs, 0o755); err != nil {
		return err
	}
	for _, l := range arena.Entrants {
		var id record.ID
		if _, err := hex.Decode(id[:], []byte(l.Run)); !l.Played || err != nil {
			continue
		}
		file, err := a.server.Client.RunLog(ctx, id)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(a.logs, hex.EncodeToString(id[:])+".cleave"), file, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// arenaLine is the line of an arena.
func arenaLine(r ranking.Arena) string {
	state := "open"
	if r.Closed || r.NowMs >= r.ClosesMs {
		state = "closed"
	}
	left := max(r.ClosesMs-r.NowMs, 0) / 60_000
	return fmt.Sprintf("ARENA %s %s %d %d %d", r.Arena, state, r.Taken, r.Seats, left)
}

// tellArena prints an arena of the list, with one's own seat in it if there is
// one.
func (a *arenaRun) tellArena(r ranking.Arena, mine *contest.Entry) {
	rank, score, state := "-", "-", "-"
	if mine != nil {
		state = string(mine.State)
		if mine.State != contest.Playing && mine.State != contest.Empty {
			score = fmt.Sprint(mine.Score)
		}
		for _, l := range r.Entrants {
			if l.Code == a.code && l.Played {
				rank = fmt.Sprint(l.Rank)
			}
		}
	}
	if a.json {
		r.Entrants = nil
		a.emit(event{"arena": r, "state": state, "rank": rank, "score": score})
		return
	}
	fmt.Fprintln(a.Stdout, arenaLine(r), state, rank, score)
}
