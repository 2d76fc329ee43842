package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/contest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/solo"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
)

var dailyCommand = &command{
	name:  "daily",
	args:  "--server URL [--player P] [--country CC] [--offline] [--give-up] [--out FILE]",
	short: "play the daily challenge of a server",
	long: `
Opens one of the day's three attempts with the ranking server, plays the day's
Streak, hands the run in, and prints where the profile stands. Everybody has the
same deal, and the best of the three counts. The day is the server's, in UTC. A
bot's run says that a bot played it and is on no board.

A run is kept piece by piece: after quit, or a kill, the same command goes on
with it, under the same attempt. --give-up ends it as it is. With --offline a
challenge that was fetched before is played without the server, and no attempt
is shown for it; the next time the server is there it is handed in, as is
whatever else waits. It prints

  RUN id SCORE PIECES BEST-COMBO ATTEMPT STATE
  DAY day RANK of PLAYERS, and all time, of a run that counts`,
	exits: contestExits,
	bind: func(fs *flag.FlagSet) func(context.Context, *call) error {
		var d dailyRun
		server := d.flags(fs)
		fs.StringVar(&d.country, "country", "", "be listed under the country `CC`, such as NP")
		fs.BoolVar(&d.offline, "offline", false, "play the challenge that was fetched last, without the server")
		return func(ctx context.Context, c *call) error {
			url, err := serverArg(c, *server, 0)
			if err != nil {
				return err
			}
			if err := d.parsePlayer(); err != nil {
				return err
			}
			if !ranking.ValidCountry(d.country) {
				return usagef("--country takes the two letters of ISO 3166, such as NP")
			}
			d.call = c
			return d.run(ctx, url)
		}
	},
}

// A dailyRun is one call of the command.
type dailyRun struct {
	contestRun
	country string
	offline bool
	daily   *contest.Daily
}

func (d *dailyRun) run(ctx context.Context, url string) error {
	v, err := d.open()
	if err != nil {
		return err
	}
	defer v.Close()
	server, err := table.OpenRanking(ctx, v, url)
	if err != nil {
		return unreachable(err)
	}
	d.daily = contest.New(v, server.Client, server.Key)
	if !d.offline {
		if d.country != "" {
			if _, err := server.Client.MakeKnown(ctx, d.country); err != nil {
				return unreachable(err)
			}
		}
		// A run of before that is refused is told of, and is done with.
		refused := (*ranking.Refusal)(nil)
		if err := d.hand(ctx); err != nil && !errors.As(err, &refused) {
			return unreachable(err)
		}
	}
	r, err := d.sit(ctx)
	if err != nil {
		return unreachable(err)
	}
	info, err := d.finish(ctx, v, r, d.daily.Finish)
	if err != nil {
		return err
	}
	if d.offline {
		d.note("%d points; the run waits to be handed in", info.Score)
		return &exitError{code: exitPartial}
	}
	return unreachable(d.hand(ctx))
}

// sit goes on with the run in progress, or begins one.
func (d *dailyRun) sit(ctx context.Context) (*solo.Run, error) {
	r, err := d.daily.Resume()
	switch {
	case err == nil:
		return r, d.goOn(r)
	case !errors.Is(err, vault.ErrNotFound):
		return nil, err
	case d.giveUp:
		return nil, errors.New("there is no run in progress")
	}
	name := d.bot()
	if d.offline {
		return d.daily.BeginOffline(ranking.DayAt(time.Now().UnixMilli()), name)
	}
	return d.daily.Begin(ctx, name)
}

// hand hands in what waits, and tells of each run. The first that is refused is
// the error.
func (d *dailyRun) hand(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	all, err := d.daily.Hand(ctx)
	return errors.Join(err, d.tellHanded(all))
}

// tellHanded tells of runs that were handed in. The error is of those that were
// refused.
func (c *call) tellHanded(all []contest.Handed) error {
	var refused error
	for _, h := range all {
		if h.Err != nil {
			c.note("run %s is not taken: %v", h.Run, h.Err)
			refused = errors.Join(refused, h.Err)
			continue
		}
		c.tellRun(h.Answer)
	}
	return refused
}

func (c *call) tellRun(a ranking.RunAnswer) {
	if c.json {
		c.emit(a)
		return
	}
	attempt := "offline"
	if a.Attempt > 0 {
		attempt = fmt.Sprint(a.Attempt)
	}
	fmt.Fprintf(c.Stdout, "RUN %s %d %d %d %s %s\n", a.Run.Run, a.Score, a.Placements, a.Combo, attempt, a.State)
	if a.Text != "" {
		c.note("%s", a.Text)
	}
	tell := func(name string, p *ranking.Place) {
		if p == nil {
			return
		}
		line := fmt.Sprintf("%s %d of %d", name, p.Rank, p.Total)
		if p.Sentence != "" {
			line += ", " + p.Sentence
		}
		if p.Percentile != nil {
			line += fmt.Sprintf(", percentile %d", *p.Percentile)
		}
		fmt.Fprintln(c.Stdout, line)
	}
	where := "DAY "
	if in, ok := ranking.ParseContest(a.Contest); ok && in.Kind == ranking.ArenaContest {
		where = "ARENA "
	}
	tell(where+a.Contest, a.Place)
	tell("ALL", a.Total)
}
