package solo

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

// DailySlot is where the run of a daily challenge is kept while it is played.
const DailySlot = "streak-daily"

// A DailyServer is what the daily challenge needs of a server: a
// *ranking.Client.
type DailyServer interface {
	Daily(ctx context.Context, day string) (ranking.Daily, error)
	Anchors(ctx context.Context) ([]ranking.YearAnchor, error)
	OpenAttempt(ctx context.Context, day string, nonce [16]byte) (ranking.Attempt, ranking.AttemptAnswer, error)
	UploadRun(ctx context.Context, file []byte) (ranking.RunAnswer, error)
}

// The states of a run of a daily challenge.
const (
	DailyPlaying = "playing" // it has begun
	DailyWaiting = "waiting" // it has ended, and the server has not taken it yet
	DailyCounted = "counted"
	DailyRefused = "refused" // or flagged; Text says why
)

// A DailyRun is one of one's own runs of a daily challenge.
type DailyRun struct {
	ID     string `json:"id"`
	Day    string `json:"day"`
	Server string `json:"server"` // its key in hex
	// Chance is which of the day's it was, 0 for one begun offline.
	Chance int    `json:"chance"`
	Score  int32  `json:"score"`
	State  string `json:"state"`
	Text   string `json:"text,omitempty"`
	// Place is what the server said of the player's place then.
	Rank     int    `json:"rank,omitempty"`
	Of       int    `json:"of,omitempty"` // players on the board
	Sentence string `json:"sentence,omitempty"`
}

// A DailyDeal is a day's challenge as it was fetched.
type DailyDeal struct {
	Day    string `json:"day"`
	Server string `json:"server"` // its key in hex
	Seed   string `json:"seed"`
	Anchor string `json:"anchor"` // of the year, to which the seed leads
	Params []byte `json:"params"`
	// ClosesMs is when the day takes no run any more, in Unix ms.
	ClosesMs int64 `json:"closes_ms"`
}

// dailyKept is what the profile keeps, in one setting, so that it changes whole
// or not at all.
type dailyKept struct {
	Deal DailyDeal `json:"deal"`
	// Nonce is that of the attempt that is being opened. It is kept before the
	// server is asked: asked again after a crash, the server gives the same
	// attempt and no further one.
	Nonce    string     `json:"nonce,omitempty"`
	NonceDay string     `json:"nonce_day,omitempty"`
	Runs     []DailyRun `json:"runs,omitempty"` // the newest last
}

const (
	dailySetting = "daily"
	maxDailyRuns = 60 // kept of the past
)

// Errors of the daily challenge.
var (
	// ErrNoDaily says that no day's challenge was fetched yet.
	ErrNoDaily = errors.New("solo: today's challenge has not been fetched yet")
	// ErrNoChance says that all chances of the day were used.
	ErrNoChance = errors.New("solo: all three chances of this day have been used")
)

// A Daily is the player's side of the daily challenge of one server. It may be
// used by several goroutines.
type Daily struct {
	vault *vault.Vault
	key   record.Key // the server's
	mu    sync.Mutex // of what is kept
}

// NewDaily returns the daily challenge of the server with that key.
func NewDaily(v *vault.Vault, server record.Key) *Daily { return &Daily{vault: v, key: server} }

func (d *Daily) server() string { return hex.EncodeToString(d.key[:]) }

func (d *Daily) kept() (dailyKept, error) {
	var k dailyKept
	_, err := d.vault.Setting(dailySetting, &k)
	return k, err
}

// change changes what is kept.
func (d *Daily) change(f func(k *dailyKept)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	k, err := d.kept()
	if err != nil {
		return err
	}
	f(&k)
	if n := len(k.Runs) - maxDailyRuns; n > 0 {
		k.Runs = k.Runs[n:]
	}
	return d.vault.SetSetting(dailySetting, k)
}

// Fetch asks the server which day it is and keeps the day's deal, once it has
// been checked against the year's anchor: ranking.ErrAnchor if it does not fit.
func (d *Daily) Fetch(ctx context.Context, s DailyServer) (DailyDeal, error) {
	day, err := s.Daily(ctx, "")
	if err != nil {
		return DailyDeal{}, err
	}
	anchors, err := s.Anchors(ctx)
	if err != nil {
		return DailyDeal{}, err
	}
	if err := ranking.CheckDaily(day, anchors); err != nil {
		return DailyDeal{}, err
	}
	if day.Rules != streak.Rules {
		return DailyDeal{}, fmt.Errorf("solo: this version does not know the rules %s of today's challenge", day.Rules)
	}
	deal := DailyDeal{Day: day.Day, Server: d.server(), Seed: day.Seed, Anchor: day.Anchor, Params: day.Params, ClosesMs: day.ClosesMs}
	return deal, d.change(func(k *dailyKept) { k.Deal = deal })
}

// Deal is the day's challenge as it was fetched last from this server.
func (d *Daily) Deal() (DailyDeal, error) {
	k, err := d.kept()
	if err != nil {
		return DailyDeal{}, err
	}
	if k.Deal.Server != d.server() {
		return DailyDeal{}, ErrNoDaily
	}
	return k.Deal, nil
}

// Runs lists one's own runs of a day, the first first.
func (d *Daily) Runs(day string) ([]DailyRun, error) {
	k, err := d.kept()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(k.Runs, func(r DailyRun) bool { return r.Day != day || r.Server != d.server() }), nil
}

// Begin goes on with the run in progress, of whichever day, or begins one of
// the day that was fetched. It opens an attempt with the server; where the
// server cannot be reached, or s is nil, the run is begun without one, and the
// boards show no chance for it. ErrNoChance when all were used.
func (d *Daily) Begin(ctx context.Context, s DailyServer) (*Run, error) {
	run, err := Resume(d.vault, DailySlot)
	if err == nil {
		return run, d.note(run)
	}
	if !errors.Is(err, vault.ErrNotFound) {
		return nil, err
	}
	deal, err := d.Deal()
	if err != nil {
		return nil, err
	}
	runs, err := d.Runs(deal.Day)
	if err != nil {
		return nil, err
	}
	if len(runs) >= ranking.DailyAttempts {
		return nil, ErrNoChance
	}
	nonce, err := d.nonce(deal.Day)
	if err != nil {
		return nil, err
	}
	seed, err := hex.DecodeString(deal.Seed)
	if err != nil || len(seed) != 32 {
		return nil, ErrNoDaily
	}
	begin := Counting([32]byte(seed))
	begin.Params, begin.Nonce = deal.Params, nonce
	err = ranking.ErrUnreachable
	if s != nil {
		var attempt ranking.Attempt
		if attempt, _, err = s.OpenAttempt(ctx, deal.Day, nonce); err == nil {
			if attempt.Seed != begin.Seed {
				return nil, ranking.ErrAnchor
			}
			begin.Attempt = attempt.Append(nil)
		}
	}
	if err != nil && !errors.Is(err, ranking.ErrUnreachable) {
		return nil, err
	}
	if run, err = Begin(d.vault, DailySlot, begin); err != nil {
		return nil, err
	}
	return run, d.note(run)
}

// note puts a run among the day's, if it is not there yet: the program may have
// been killed right after it was begun. Its nonce is used up.
func (d *Daily) note(r *Run) error {
	id := r.run.ID()
	o := DailyRun{ID: hex.EncodeToString(id[:]), Server: d.server(), State: DailyPlaying}
	attempt, noAttempt := ranking.ParseAttempt(r.terms.Attempt)
	if noAttempt == nil {
		o.Day, o.Chance, o.Server = attempt.Contest.String(), int(attempt.Number), hex.EncodeToString(attempt.Server[:])
	}
	err := d.change(func(k *dailyKept) {
		if o.Day == "" {
			o.Day = k.NonceDay
		}
		if k.Nonce == hex.EncodeToString(r.terms.Nonce[:]) {
			k.Nonce, k.NonceDay = "", ""
		}
		if !slices.ContainsFunc(k.Runs, func(k DailyRun) bool { return k.ID == o.ID }) {
			k.Runs = append(k.Runs, o)
		}
	})
	if err != nil {
		r.Close()
	}
	return err
}

// nonce is that of the next run, kept before anybody is asked.
func (d *Daily) nonce(day string) (n [16]byte, err error) {
	err = d.change(func(k *dailyKept) {
		if b, err := hex.DecodeString(k.Nonce); err == nil && len(b) == len(n) && k.NonceDay == day {
			n = [16]byte(b)
			return
		}
		rand.Read(n[:])
		k.Nonce, k.NonceDay = hex.EncodeToString(n[:]), day
	})
	return n, err
}

// Finish ends the run in progress and keeps it until the server takes it. A
// run without a placement uses its chance up all the same.
func (d *Daily) Finish(r *Run, now time.Time) (vault.RunInfo, bool, error) {
	id := r.run.ID()
	info, _, ok, err := r.Finish(now)
	if err != nil {
		return info, ok, err
	}
	return info, ok, d.change(func(k *dailyKept) {
		at := slices.IndexFunc(k.Runs, func(o DailyRun) bool { return o.ID == hex.EncodeToString(id[:]) })
		if at < 0 {
			return // of so long ago that it is kept no more
		}
		o := &k.Runs[at]
		o.Score, o.State = info.Score, DailyWaiting
		if !ok {
			o.State, o.Text = DailyRefused, "nothing was placed"
		}
	})
}

// Deliver hands in what the server has not taken yet, and notes what it says. A
// run that it refuses is not handed in again.
func (d *Daily) Deliver(ctx context.Context, s DailyServer) error {
	k, err := d.kept()
	if err != nil {
		return err
	}
	for _, r := range k.Runs {
		if r.Server != d.server() || r.State != DailyWaiting && r.State != DailyPlaying {
			continue
		}
		file, err := d.vault.RunLog(r.ID)
		if r.State == DailyPlaying && errors.Is(err, vault.ErrNotFound) {
			continue // it is being played
		}
		if err != nil {
			return err
		}
		// One that is noted as being played and has a log was kept right before
		// the program was killed.
		log, err := record.ParseRunLog(file)
		if err != nil {
			return err
		}
		answer, err := s.UploadRun(ctx, file)
		refusal := (*ranking.Refusal)(nil)
		if err != nil && !errors.As(err, &refusal) {
			return err
		}
		err = d.change(func(k *dailyKept) {
			at := slices.IndexFunc(k.Runs, func(o DailyRun) bool { return o.ID == r.ID })
			if at < 0 {
				return
			}
			o := &k.Runs[at]
			o.Score = log.Claim().Score
			switch {
			case refusal != nil:
				o.State, o.Text = DailyRefused, refusal.Error()
			case answer.State == ranking.RunFlagged:
				o.State, o.Text = DailyRefused, answer.Text
			default:
				o.State = DailyCounted
				if p := answer.Place; p != nil {
					o.Rank, o.Of, o.Sentence = p.Rank, p.Total, p.Sentence
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
