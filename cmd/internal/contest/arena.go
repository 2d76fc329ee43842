package contest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/solo"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
)

// An Entry is an arena that the profile has entered, with its one run there.
type Entry struct {
	Arena string `json:"arena"` // its id, in hex
	Run   string `json:"run"`   // its id, in hex
	// ClosesMs is when the arena closes, 0 where a kill lost it.
	ClosesMs int64 `json:"closesMs,omitempty"`
	Score    int32 `json:"score"` // once it has ended
	State    State `json:"state"`
	// Reason is why the server did not take it, and Text the same in its words.
	Reason ranking.Reason `json:"reason,omitempty"`
	Text   string         `json:"text,omitempty"`
}

// maxEntries is how many arenas are listed, the newest.
const maxEntries = 40

// arenaEndpoint is what is asked of a server: a *ranking.Client.
type arenaEndpoint interface {
	EnterArena(ctx context.Context, arena string, nonce [16]byte) (ranking.Attempt, ranking.AttemptAnswer, error)
	UploadRun(ctx context.Context, file []byte) (ranking.RunAnswer, error)
}

// Arenas is one profile at the arenas of one server.
type Arenas struct {
	daily  *Daily // keeps
	client arenaEndpoint
}

// NewArenas is the arenas of a server. The client may be nil for what needs no
// server.
func NewArenas(v *vault.Vault, client *ranking.Client, server record.Key) *Arenas {
	a := &Arenas{daily: New(v, client, server)}
	if client != nil {
		a.client = client
	}
	return a
}

// ArenaSlot is the vault's slot for the run in progress in an arena.
func ArenaSlot(arena string) string { return "arena-" + arena }

// Entered lists the arenas that the profile has entered, the newest last.
func (a *Arenas) Entered() ([]Entry, error) {
	k, err := a.daily.kept()
	return k.Arenas, err
}

// Resume goes on with the run in progress in an arena; vault.ErrNotFound if
// there is none.
func (a *Arenas) Resume(arena string) (*solo.Run, error) {
	r, err := solo.Resume(a.daily.vault, ArenaSlot(arena))
	if err != nil {
		return nil, err
	}
	return r, a.begun(r, 0)
}

// begun lists a run that has a journal, if it is not listed yet, and forgets the
// nonce that its seat was asked for with.
func (a *Arenas) begun(r *solo.Run, closesMs int64) error {
	t := r.Terms()
	attempt, err := ranking.ParseAttempt(t.Attempt)
	if err != nil {
		return err
	}
	id := t.ID()
	name := hex.EncodeToString(id[:])
	return a.daily.change(func(k *kept) {
		if k.Seat == hex.EncodeToString(t.Nonce[:]) {
			k.Seat, k.SeatIn = "", ""
		}
		if k.entry(name) == nil {
			k.Arenas = append(k.Arenas, Entry{Arena: attempt.Contest.String(), Run: name, ClosesMs: closesMs, State: Playing})
			k.Arenas = k.Arenas[max(len(k.Arenas)-maxEntries, 0):]
		}
	})
}

// entry is the entry with a run's id, nil if it is not listed.
func (k *kept) entry(run string) *Entry {
	i := slices.IndexFunc(k.Arenas, func(e Entry) bool { return e.Run == run })
	if i < 0 {
		return nil
	}
	return &k.Arenas[i]
}

// Enter takes a seat in the arena, "" for any that has one, and begins its run.
// bot names the program that is going to play, nil for a person. A seat that was
// asked for before a kill comes first: if it is in another arena its run is
// begun, and left to be gone on with.
func (a *Arenas) Enter(ctx context.Context, arena string, bot *record.Bot) (*solo.Run, error) {
	k, err := a.daily.kept()
	if err != nil {
		return nil, err
	}
	if k.Seat != "" {
		r, err := a.sit(ctx, k.Seat, k.SeatIn, bot)
		refusal := (*ranking.Refusal)(nil)
		if err != nil && (!errors.As(err, &refusal) || refusal.Reason.Temporary()) {
			return nil, err
		}
		if err == nil {
			seat, err := ranking.ParseAttempt(r.Terms().Attempt)
			if err == nil && (arena == "" || seat.Contest.String() == arena) {
				return r, nil
			}
			if err := errors.Join(err, r.Close()); err != nil {
				return nil, err
			}
		}
	}
	var nonce [16]byte
	rand.Read(nonce[:])
	name := hex.EncodeToString(nonce[:])
	if err := a.daily.change(func(k *kept) { k.Seat, k.SeatIn = name, arena }); err != nil {
		return nil, err
	}
	return a.sit(ctx, name, arena, bot)
}

// sit takes the seat for a nonce that is kept, and begins its run. A seat that is
// refused for good is not asked for again.
func (a *Arenas) sit(ctx context.Context, name, arena string, bot *record.Bot) (*solo.Run, error) {
	b, err := hex.DecodeString(name)
	if err != nil || len(b) != 16 {
		return nil, errors.Join(errors.New("contest: what was kept of an arena is no seat"), a.forget())
	}
	nonce := [16]byte(b)
	seat, answer, err := a.client.EnterArena(ctx, arena, nonce)
	refusal := (*ranking.Refusal)(nil)
	if errors.As(err, &refusal) && !refusal.Reason.Temporary() {
		return nil, errors.Join(err, a.forget())
	}
	if err != nil {
		return nil, err
	}
	id := seat.Contest.String()
	r, err := solo.Begin(a.daily.vault, ArenaSlot(id), solo.Deal{Rules: answer.Rules, Params: answer.Params, Seed: seat.Seed, Attempt: seat.Append(nil), Nonce: nonce, Bot: bot})
	if err != nil {
		return nil, err
	}
	return r, a.begun(r, answer.ClosesMs)
}

func (a *Arenas) forget() error {
	return a.daily.change(func(k *kept) { k.Seat, k.SeatIn = "", "" })
}

// Finish ends a run and keeps it to be handed in. ok is false for a run without
// an entry, which leaves nothing but a seat that is used up.
func (a *Arenas) Finish(r *solo.Run, now time.Time) (info vault.RunInfo, ok bool, err error) {
	id := r.Terms().ID()
	info, _, ok, err = r.Finish(now)
	if err != nil {
		return info, ok, err
	}
	return info, ok, a.daily.change(func(k *kept) {
		if e := k.entry(hex.EncodeToString(id[:])); e != nil {
			e.Score, e.State = info.Score, Waiting
			if !ok {
				e.State = Empty
			}
		}
	})
}

// Hand hands in what waits. The error is the first that may pass: what is left
// is tried the next time.
func (a *Arenas) Hand(ctx context.Context) ([]Handed, error) {
	k, err := a.daily.kept()
	if err != nil {
		return nil, err
	}
	var all []Handed
	for _, e := range k.Arenas {
		if e.State != Waiting && e.State != Playing {
			continue
		}
		// Killed before it was noted that a run has ended, it is there all the
		// same.
		file, err := a.daily.vault.RunLog(e.Run)
		if errors.Is(err, vault.ErrNotFound) {
			continue
		}
		if err != nil {
			return all, err
		}
		h := Handed{Run: e.Run}
		h.Answer, h.Err = a.client.UploadRun(ctx, file)
		refusal := (*ranking.Refusal)(nil)
		if h.Err != nil && (!errors.As(h.Err, &refusal) || refusal.Reason.Temporary()) {
			return all, h.Err
		}
		err = a.daily.change(func(k *kept) {
			o := k.entry(e.Run)
			switch {
			case o == nil: // of so long ago that it is listed no more
			case h.Err != nil:
				o.State, o.Reason, o.Text = Refused, refusal.Reason, refusal.Text
			case h.Answer.State == ranking.RunFlagged:
				o.State, o.Reason, o.Text, o.Score = Refused, h.Answer.Reason, h.Answer.Text, h.Answer.Score
			default:
				o.State, o.Score = Counted, h.Answer.Score
			}
		})
		if err != nil {
			return all, err
		}
		all = append(all, h)
	}
	return all, nil
}
