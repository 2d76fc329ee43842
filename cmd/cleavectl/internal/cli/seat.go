package cli

import (
	"context"
	"errors"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/players"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/lockstep/record"
)

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

// workLimit is for the proof of work of a new player's first tickets too, for
// which a small computer takes its time.
const workLimit = 45 * time.Second

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
			s.c.note("no rated match: the ranking server %s cannot be reached", url)
			return nil
		}
		return err // the vault's
	}
	s.ranking = r
	if _, err := r.Client.Info(limited); err == nil {
		// It is there: what may take longer is a new player's work.
		limited, cancel = context.WithTimeout(ctx, workLimit)
		defer cancel()
	}
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
		if errors.Is(err, table.ErrNotBack) {
			return &exitError{exitNoResult, err}
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
