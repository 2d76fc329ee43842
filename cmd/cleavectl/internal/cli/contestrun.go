package cli

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/solo"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

// contestExits are the exit codes of the commands that play for a server.
var contestExits = []exit{
	{exitFailed, "the server refuses; the reason's number and text are on standard error"},
	{exitPartial, "the run waits to be gone on with, or to be handed in"},
	{exitLocked, "another process is using the profile"}, {10, "the server cannot be reached"},
}

// A contestRun is a run that is kept piece by piece, at a server.
type contestRun struct {
	soloRun
	giveUp bool
}

// flags are those that daily and arena share.
func (d *contestRun) flags(fs *flag.FlagSet) (server *string) {
	fs.StringVar(&d.player, "player", "human", "who plays, `P`: bot:LEVEL or human")
	fs.BoolVar(&d.giveUp, "give-up", false, "end the run in progress as it is")
	fs.StringVar(&d.out, "out", "", "write the log of the run to `FILE` too")
	return fs.String("server", "", "the ranking server, `URL`")
}

// bot is how terms name the bot that is to play, nil for a person. The moves of
// a level follow from the deal, so it plays a day or an arena once.
func (d *contestRun) bot() *record.Bot {
	if d.human {
		return nil
	}
	return games.NameBot(d.level, sha256.Sum256([]byte("cleave/daily-bot/1")))
}

// goOn tells of a run in progress. One that a person began is not played on by a
// bot: it is closed, and the error says so.
func (d *contestRun) goOn(r *solo.Run) error {
	if r.Terms().Bot == nil && !d.human && !d.giveUp {
		r.Close()
		return errors.New("a person's run is in progress; go on with --player human, or end it with --give-up")
	}
	d.note("going on after %d placements", r.Position().Outcome().Rounds)
	return nil
}

// finish plays a run to its end, or ends it as it is, and keeps it by end.
func (d *contestRun) finish(ctx context.Context, v *vault.Vault, r *solo.Run, end func(*solo.Run, time.Time) (vault.RunInfo, bool, error)) (vault.RunInfo, error) {
	if !d.giveUp {
		if err := d.play(ctx, r); err != nil {
			if e := r.Close(); e != nil {
				return vault.RunInfo{}, e
			}
			if errors.Is(err, errStopped) {
				d.note("the run is kept; the same command goes on with it")
				return vault.RunInfo{}, &exitError{code: exitPartial}
			}
			return vault.RunInfo{}, err
		}
	}
	info, ok, err := end(r, time.Now())
	if err != nil {
		return info, err
	}
	if !ok {
		return info, errors.New("nothing was played")
	}
	if d.out == "" {
		return info, nil
	}
	file, err := v.RunLog(info.ID)
	if err != nil {
		return info, err
	}
	return info, os.WriteFile(d.out, file, 0o644)
}

// journalled lets a person at a terminal play a run that is kept.
type journalled struct{ *solo.Run }

func (j journalled) Apply(m engine.Move) error { return j.Play(m) }

func (d *contestRun) play(ctx context.Context, r *solo.Run) error {
	var decide func() error
	if name := r.Terms().Bot; name != nil {
		player, err := games.Bot(*name)
		if err != nil {
			return err
		}
		decide = func() error {
			m, ok := player.Decide(r.Position())
			if !ok {
				return fmt.Errorf("%s does not play %s", name.Name, r.Terms().Rules)
			}
			return r.Play(m)
		}
	} else {
		d.in, d.games = bufio.NewReaderSize(d.Stdin, 4096), 1
		t := &terminal{s: &d.soloRun, ctx: ctx, n: 1}
		decide = func() error { return t.move(journalled{r}) }
	}
	for !r.Over() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if r.Terms().Bot != nil && r.Position().Outcome().Rounds >= games.BotPlacements {
			return nil
		}
		if err := decide(); err != nil {
			return err
		}
	}
	if r.Terms().Bot == nil {
		fmt.Fprint(d.Stderr, drawRun(r.Position()))
	}
	return nil
}
