// Package contest plays the daily challenge and the arenas for one profile at
// one ranking server: it opens attempts, begins and resumes runs, and hands them
// in.
//
// A kill at any moment costs nothing. The nonce of a run is kept before its
// attempt is asked for, and the server answers the same nonce with the same
// attempt; the run is journalled by package solo; and that a run is to be handed
// in is kept before it is finished. What is kept stands in the profile's
// settings, by the server's key, with the list of one's own runs.
package contest

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
	"github.com/cleavegame/cleave/cmd/internal/solo"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
)

// setting is the name under which what is kept stands.
const setting = "daily"

// kept is what is kept of one server.
type kept struct {
	// Anchors are those seen, in hex by year: the server is held to them.
	Anchors map[int]string `json:"anchors,omitempty"`
	// Asked is the nonce of the attempt that is being asked for, and its day.
	Asked    string `json:"asked,omitempty"`
	AskedDay string `json:"askedDay,omitempty"`
	// Fetched is the newest day's challenge, to be played offline.
	Fetched *ranking.Daily `json:"fetched,omitempty"`
	// Unsent are the ids of runs that are to be handed in.
	Unsent []string `json:"unsent,omitempty"`
	// Runs are one's own, the newest last.
	Runs []Run `json:"runs,omitempty"`
	// Seat is the nonce of a seat in an arena that is being asked for, and
	// SeatIn the arena, "" for any.
	Seat   string `json:"seat,omitempty"`
	SeatIn string `json:"seatIn,omitempty"`
	// Arenas are those that were entered, the newest last.
	Arenas []Entry `json:"arenas,omitempty"`
}

// ErrNotFetched says that there is no challenge of that day to play offline.
var ErrNotFetched = errors.New("contest: this day's challenge was not fetched")

// An endpoint is what is asked of a server: a *ranking.Client.
type endpoint interface {
	Daily(ctx context.Context, day string) (ranking.Daily, error)
	Anchors(ctx context.Context) ([]ranking.YearAnchor, error)
	OpenAttempt(ctx context.Context, day string, nonce [16]byte) (ranking.Attempt, ranking.AttemptAnswer, error)
	UploadRun(ctx context.Context, file []byte) (ranking.RunAnswer, error)
}

// A Daily is one profile at one server.
type Daily struct {
	vault  *vault.Vault
	client endpoint // nil while offline
	server record.Key
}

// New is the daily challenge of a server. The client may be nil for what needs
// no server.
func New(v *vault.Vault, client *ranking.Client, server record.Key) *Daily {
	d := &Daily{vault: v, server: server}
	if client != nil {
		d.client = client
	}
	return d
}

// Slot is the vault's slot for the run in progress.
func (d *Daily) Slot() string { return "daily-" + hex.EncodeToString(d.server[:8]) }

// changing is held while what is kept is read, changed and written: a window
// asks the server in the background while a run ends.
var changing sync.Mutex

func (d *Daily) change(f func(*kept)) error {
	changing.Lock()
	defer changing.Unlock()
	all := map[string]kept{}
	if _, err := d.vault.Setting(setting, &all); err != nil {
		return err
	}
	k := all[d.server.String()]
	f(&k)
	all[d.server.String()] = k
	return d.vault.SetSetting(setting, all)
}

func (d *Daily) kept() (kept, error) {
	all := map[string]kept{}
	_, err := d.vault.Setting(setting, &all)
	return all[d.server.String()], err
}

// Fetch gets today's challenge, checks it against the anchor of its year, which
// must be the one that was seen first, and keeps it to be played offline.
func (d *Daily) Fetch(ctx context.Context) (ranking.Daily, error) {
	today, err := d.client.Daily(ctx, "")
	if err != nil {
		return today, err
	}
	anchors, err := d.client.Anchors(ctx)
	if err != nil {
		return today, err
	}
	k, err := d.kept()
	if err != nil {
		return today, err
	}
	for _, a := range anchors {
		if was := k.Anchors[a.Year]; was != "" && was != hex.EncodeToString(a.Anchor[:]) {
			return today, fmt.Errorf("%w: the anchor of %d was another", ranking.ErrAnchor, a.Year)
		}
	}
	if err := ranking.CheckDaily(today, anchors); err != nil {
		return today, err
	}
	return today, d.change(func(k *kept) {
		if k.Anchors == nil {
			k.Anchors = map[int]string{}
		}
		for _, a := range anchors {
			k.Anchors[a.Year] = hex.EncodeToString(a.Anchor[:])
		}
		k.Fetched = &today
	})
}

// Resume goes on with the run in progress; vault.ErrNotFound if there is none.
func (d *Daily) Resume() (*solo.Run, error) {
	r, err := solo.Resume(d.vault, d.Slot())
	if err != nil {
		return nil, err
	}
	return r, d.begun(r)
}

// begun forgets the nonce of a run that has a journal now, and lists the run if
// it is not listed yet: the program may have been killed before it was.
func (d *Daily) begun(r *solo.Run) error {
	t := r.Terms()
	id := t.ID()
	run := Run{ID: hex.EncodeToString(id[:]), State: Playing}
	if a, err := ranking.ParseAttempt(t.Attempt); err == nil {
		run.Day, run.Chance = a.Contest.String(), int(a.Number)
	}
	return d.change(func(k *kept) {
		if k.Asked == hex.EncodeToString(t.Nonce[:]) {
			k.Asked, k.AskedDay = "", ""
		}
		if run.Day == "" && k.Fetched != nil {
			run.Day = k.Fetched.Day
		}
		if k.run(run.ID) == nil {
			k.Runs = append(k.Runs, run)
			k.Runs = k.Runs[max(len(k.Runs)-maxRuns, 0):]
		}
	})
}

// Begin opens an attempt at today's challenge and begins its run. bot names the
// program that is going to play, nil for a person. There must be no run in
// progress.
func (d *Daily) Begin(ctx context.Context, bot *record.Bot) (*solo.Run, error) {
	today, err := d.Fetch(ctx)
	if err != nil {
		return nil, err
	}
	k, err := d.kept()
	if err != nil {
		return nil, err
	}
	var nonce [16]byte
	if b, err := hex.DecodeString(k.Asked); err == nil && len(b) == len(nonce) && k.AskedDay == today.Day {
		nonce = [16]byte(b)
	} else {
		rand.Read(nonce[:])
		if err := d.change(func(k *kept) { k.Asked, k.AskedDay = hex.EncodeToString(nonce[:]), today.Day }); err != nil {
			return nil, err
		}
	}
	a, _, err := d.client.OpenAttempt(ctx, today.Day, nonce)
	if err != nil {
		return nil, err
	}
	if hex.EncodeToString(a.Seed[:]) != today.Seed {
		return nil, ranking.ErrAnchor
	}
	r, err := solo.Begin(d.vault, d.Slot(), solo.Deal{Rules: today.Rules, Params: today.Params, Seed: a.Seed, Attempt: a.Append(nil), Nonce: nonce, Bot: bot})
	if err != nil {
		return nil, err
	}
	return r, d.begun(r)
}

// BeginOffline begins a run of the challenge that was fetched last, which must
// be of that day, without an attempt.
func (d *Daily) BeginOffline(day ranking.Day, bot *record.Bot) (*solo.Run, error) {
	k, err := d.kept()
	if err != nil {
		return nil, err
	}
	if k.Fetched == nil || k.Fetched.Day != day.String() {
		return nil, ErrNotFetched
	}
	b, err := hex.DecodeString(k.Fetched.Seed)
	if err != nil || len(b) != 32 {
		return nil, ErrNotFetched
	}
	runs, err := d.Runs(k.Fetched.Day)
	if err != nil {
		return nil, err
	}
	if len(runs) >= ranking.DailyAttempts {
		return nil, ErrNoChance
	}
	r, err := solo.Begin(d.vault, d.Slot(), solo.Deal{Rules: k.Fetched.Rules, Params: k.Fetched.Params, Seed: [32]byte(b), Bot: bot})
	if err != nil {
		return nil, err
	}
	return r, d.begun(r)
}

// Finish ends a run and keeps it to be handed in. ok is false for a run without
// an entry, which leaves nothing.
func (d *Daily) Finish(r *solo.Run, now time.Time) (info vault.RunInfo, ok bool, err error) {
	id := r.Terms().ID()
	name := hex.EncodeToString(id[:])
	if err := d.change(func(k *kept) {
		if !slices.Contains(k.Unsent, name) {
			k.Unsent = append(k.Unsent, name)
		}
	}); err != nil {
		return info, false, err
	}
	info, _, ok, err = r.Finish(now)
	if err != nil {
		return info, ok, err
	}
	if !ok {
		// Nothing was placed: there is nothing to hand in, and a chance is
		// used up all the same.
		if err = d.sent(name); err != nil {
			return info, ok, err
		}
	}
	return info, ok, d.change(func(k *kept) {
		if o := k.run(name); o != nil {
			o.Score, o.State = info.Score, Waiting
			if !ok {
				o.State = Empty
			}
		}
	})
}

func (d *Daily) sent(name string) error {
	return d.change(func(k *kept) { k.Unsent = slices.DeleteFunc(k.Unsent, func(n string) bool { return n == name }) })
}

// A Handed is a run that was handed in, or why it was not taken.
type Handed struct {
	Run    string // id in hex
	Answer ranking.RunAnswer
	Err    error // a *ranking.Refusal: it is not tried again
}

// Hand hands in what waits. The error is the first that may pass: what is left
// is tried the next time.
func (d *Daily) Hand(ctx context.Context) ([]Handed, error) {
	k, err := d.kept()
	if err != nil {
		return nil, err
	}
	var all []Handed
	for _, name := range k.Unsent {
		file, err := d.vault.RunLog(name)
		if errors.Is(err, vault.ErrNotFound) {
			continue // it is not finished
		}
		if err != nil {
			return all, err
		}
		h := Handed{Run: name}
		h.Answer, h.Err = d.client.UploadRun(ctx, file)
		refusal := (*ranking.Refusal)(nil)
		if h.Err != nil && (!errors.As(h.Err, &refusal) || refusal.Reason.Temporary()) {
			return all, h.Err
		}
		if err := d.told(name, h); err != nil {
			return all, err
		}
		if err := d.sent(name); err != nil {
			return all, err
		}
		all = append(all, h)
	}
	return all, nil
}
