package games

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

// BotPlacements is the most placements of a run that a bot may play: so that
// playing one again has a bound.
const BotPlacements = 10_000

// Errors of runs that name a bot.
var (
	// ErrUnknownBot is wrapped when terms name a bot that this program cannot
	// play, or the run is longer than a bot's may be.
	ErrUnknownBot = errors.New("games: an unknown bot")
	// ErrOtherMoves is wrapped when the bot that terms name plays otherwise.
	ErrOtherMoves = errors.New("games: the bot plays other moves")
)

// NameBot is how terms name a level with a seed of its chance.
func NameBot(level bot.Level, seed [32]byte) *record.Bot {
	return &record.Bot{Name: bot.SoloName(level), Version: bot.SoloVersion, Seed: seed, Nodes: bot.SoloNodes}
}

// A BotPlayer plays runs as terms name it.
type BotPlayer struct{ player *bot.Player }

// Bot returns the player that terms name: its chance is the first eight bytes
// of the seed, big-endian. The error wraps ErrUnknownBot.
func Bot(b record.Bot) (BotPlayer, error) {
	p, err := bot.Named(b.Name, b.Version, binary.BigEndian.Uint64(b.Seed[:8]), b.Nodes)
	if err != nil {
		return BotPlayer{}, fmt.Errorf("%w: %w", ErrUnknownBot, err)
	}
	return BotPlayer{p}, nil
}

// Decide is the bot's move in a run that is not over. ok is false in a game
// that bots do not know.
func (b BotPlayer) Decide(pos engine.Position) (m engine.Move, ok bool) {
	switch s := pos.(type) {
	case streak.State:
		return b.player.Streak(s), true
	case classic.State:
		return b.player.Classic(s), true
	}
	return engine.Move{}, false
}

// PlayRun has the bot of the terms play to the end, or to so many placements.
// That may take ten seconds; the error is ctx's when that ends before.
func PlayRun(ctx context.Context, t record.RunTerms, placements int) (*record.Run, error) {
	if t.Bot == nil {
		return nil, fmt.Errorf("%w: none is named", ErrUnknownBot)
	}
	b, err := Bot(*t.Bot)
	if err != nil {
		return nil, err
	}
	r, err := record.BeginRun(t, All())
	if err != nil {
		return nil, err
	}
	for placed := 0; placed < placements && r.Position().Owes() == 0 && !r.Full(); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, ok := b.Decide(r.Position())
		if !ok {
			return nil, fmt.Errorf("%w: none plays %s", ErrUnknownBot, t.Rules)
		}
		if err := r.Apply(m); err != nil {
			return nil, err
		}
		if m.Kind == engine.Place {
			placed++
		}
	}
	return r, nil
}

// CheckBot plays a run that names a bot again. It is nil when the bot makes
// exactly these moves, or when the terms name none; else it wraps ErrUnknownBot
// or ErrOtherMoves, or is ctx's.
func CheckBot(ctx context.Context, v record.VerifiedRun) error {
	t := v.Terms()
	if t.Bot == nil {
		return nil
	}
	b, err := Bot(*t.Bot)
	if err != nil {
		return err
	}
	if v.Placements() > BotPlacements {
		return fmt.Errorf("%w: %d placements are more than a bot makes", ErrUnknownBot, v.Placements())
	}
	pos, err := All()[t.Rules].Start(t.Seed, t.Params)
	if err != nil {
		return err
	}
	for n := 1; n <= v.Len(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, ok := b.Decide(pos)
		if !ok {
			return fmt.Errorf("%w: none plays %s", ErrUnknownBot, t.Rules)
		}
		if m != v.MoveAt(n) {
			return fmt.Errorf("%w at entry %d", ErrOtherMoves, n)
		}
		if pos, err = pos.Apply(m); err != nil {
			return err
		}
	}
	return nil
}
