// Package solo owns one solo game: it makes the terms, journals each entry
// before it counts, takes hints, and ends in a signed log that is kept.
//
// # The journal
//
// The first record is the terms of the run (record.RunTerms), each later one
// an entry in two bytes, kind<<12 | data, big-endian, as in the file of a run.
// Nothing in it is secret. An entry is on the disk before the position shows
// it, so that a program that is killed at any moment goes on at exactly the
// board that was seen, and a hint or a second chance taken stays taken. A log is
// kept before its journal is removed; killed between the two, the same log is
// made and kept once more.
package solo

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A Deal is what a run is played on.
type Deal struct {
	Rules   string
	Params  []byte
	Seed    [32]byte
	Attempt []byte // the endpoint's leave, nil for none
	// Nonce is the one that the attempt was opened for; zero draws one.
	Nonce [16]byte
	Bot   *record.Bot // the program that is going to play, nil for a person
}

// Classic is the deal of a game of that difficulty.
func Classic(d classic.Difficulty, seed [32]byte) Deal {
	return Deal{Rules: classic.Rules, Params: d.Params(), Seed: seed}
}

// Counting is the deal of a Streak without second chances, for a daily challenge
// or an arena.
func Counting(seed [32]byte) Deal {
	return Deal{Rules: streak.Rules, Params: streak.Counting.Params(), Seed: seed}
}

// Training is the deal of a Streak with second chances.
func Training(seed [32]byte) Deal {
	return Deal{Rules: streak.Rules, Params: streak.Training.Params(), Seed: seed}
}

// NewSeed draws a seed from the operating system.
func NewSeed() (seed [32]byte) {
	rand.Read(seed[:])
	return seed
}

// The errors for which the screen has words of its own.
var (
	// ErrNoHint says that all hints were taken, or that the game has none.
	ErrNoHint = errors.New("solo: there is no hint left")
	// ErrOver says that the run has ended.
	ErrOver = errors.New("solo: the game is over")
)

// A Run is one solo game. It is used by one goroutine.
type Run struct {
	vault   *vault.Vault
	journal *vault.RunJournal
	terms   record.RunTerms
	run     *record.Run
	moves   []engine.Move
}

// Begin starts a run in a slot that has none in progress.
func Begin(v *vault.Vault, slot string, d Deal) (*Run, error) {
	id, err := v.Identity()
	if err != nil {
		return nil, err
	}
	r := &Run{vault: v, terms: record.RunTerms{
		Version: record.Protocol, Rules: d.Rules, Params: d.Params, Key: record.Key(id.Key()), Seed: d.Seed, Attempt: d.Attempt,
		Nonce: d.Nonce, Bot: d.Bot,
	}}
	if r.terms.Nonce == ([16]byte{}) {
		rand.Read(r.terms.Nonce[:])
	}
	if r.run, err = record.BeginRun(r.terms, games.All()); err != nil {
		return nil, err
	}
	r.journal, err = v.CreateRun(slot, r.terms.Append(nil))
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Resume goes on with the run in a slot: exactly where it was. The error is
// vault.ErrNotFound where there is none, and a *vault.CorruptError where the
// journal does not read, or was begun under another key of the profile, which
// alone could sign it; it is kept in quarantine then, and the slot is free.
func Resume(v *vault.Vault, slot string) (*Run, error) {
	j, records, err := v.OpenRun(slot)
	if err != nil {
		return nil, err
	}
	id, err := v.Identity()
	if err != nil {
		j.Close()
		return nil, err
	}
	r := &Run{vault: v, journal: j}
	if err := r.replay(records, id); err != nil {
		j.Close()
		return nil, v.SpoilRun(slot, err.Error())
	}
	return r, nil
}

// Peek is where the run in a slot stands, without going on with it. The error
// is vault.ErrNotFound where there is none.
func Peek(v *vault.Vault, slot string) (record.Solo, error) {
	records, err := v.ReadRun(slot)
	if err != nil {
		return nil, err
	}
	id, err := v.Identity()
	if err != nil {
		return nil, err
	}
	var r Run
	if err := r.replay(records, id); err != nil {
		return nil, v.SpoilRun(slot, err.Error())
	}
	return r.Position(), nil
}

// replay takes what a journal holds, of a player's own run.
func (r *Run) replay(records [][]byte, player *vault.Identity) error {
	if len(records) == 0 {
		return errors.New("it has no terms")
	}
	terms, err := record.ParseRunTerms(records[0])
	if err != nil {
		return err
	}
	if terms.Key != record.Key(player.Key()) {
		return errors.New("it was begun under another key of this profile")
	}
	r.terms = terms
	if r.run, err = record.BeginRun(terms, games.All()); err != nil {
		return err
	}
	for n, entry := range records[1:] {
		if len(entry) != 2 {
			return fmt.Errorf("entry %d has %d bytes", n+1, len(entry))
		}
		packed := binary.BigEndian.Uint16(entry)
		m := engine.Move{Kind: engine.Kind(packed >> 12), Data: uint64(packed & 0xfff)}
		if err := r.run.Apply(m); err != nil {
			return err
		}
		r.moves = append(r.moves, m)
	}
	return nil
}

// Position is where the game stands: a classic.State or a streak.State.
func (r *Run) Position() record.Solo { return r.run.Position() }

// Terms are what the run is played under.
func (r *Run) Terms() record.RunTerms { return r.terms }

// Moves are the entries so far. The caller does not change them.
func (r *Run) Moves() []engine.Move { return r.moves }

// Over reports whether the run has ended, by its rules or at its limit.
func (r *Run) Over() bool { return r.Position().Outcome().Over || r.run.Full() }

// Play makes a placement or takes a second chance. What is refused changes
// nothing: ErrOver, an *engine.IllegalMove, or an error of the journal.
func (r *Run) Play(m engine.Move) error {
	if r.Over() {
		return ErrOver
	}
	if err := r.Position().Check(m); err != nil {
		return err
	}
	if err := r.journal.Append(binary.BigEndian.AppendUint16(nil, uint16(m.Kind)<<12|uint16(m.Data))); err != nil {
		return err
	}
	if err := r.run.Apply(m); err != nil {
		panic("solo: a move that was checked is refused: " + err.Error())
	}
	r.moves = append(r.moves, m)
	return nil
}

// Hint is the hint that was taken for the position as it is, if one was.
func (r *Run) Hint() (bot.Hint, bool) {
	s, ok := r.Position().(classic.State)
	if !ok || len(r.moves) == 0 || r.moves[len(r.moves)-1].Kind != engine.Hint || r.Over() {
		return bot.Hint{}, false
	}
	return bot.ClassicHint(s), true
}

// TakeHint takes a hint, which the log will tell. One that was taken for this
// position already is given again. ErrNoHint when all were taken.
func (r *Run) TakeHint() (bot.Hint, error) {
	if h, ok := r.Hint(); ok {
		return h, nil
	}
	s, ok := r.Position().(classic.State)
	if !ok || s.HintsTaken() == classic.MaxHints {
		return bot.Hint{}, ErrNoHint
	}
	if err := r.Play(engine.Move{Kind: engine.Hint}); err != nil {
		return bot.Hint{}, err
	}
	h, _ := r.Hint()
	return h, nil
}

// Close leaves the run to be gone on with.
func (r *Run) Close() error { return r.journal.Close() }

// Finish signs what the run came to, keeps the log and gives the slot free. A
// run that is not over is given up by it: its log holds, and says that it is
// not complete. A run without an entry leaves nothing, and ok is false.
func (r *Run) Finish(now time.Time) (info vault.RunInfo, log record.RunLog, ok bool, err error) {
	if r.run.Len() == 0 {
		return vault.RunInfo{}, record.RunLog{}, false, r.journal.Remove()
	}
	id, err := r.vault.Identity()
	if err != nil {
		return vault.RunInfo{}, record.RunLog{}, false, err
	}
	log, err = r.run.Finish(func(message []byte) record.Signature { return id.Sign(message) })
	if err != nil {
		return vault.RunInfo{}, record.RunLog{}, false, err
	}
	runID := r.run.ID()
	pos := r.Position()
	info = vault.RunInfo{
		ID: fmt.Sprintf("%x", runID[:]), Saved: now, Rules: r.terms.Rules, Params: r.terms.Params,
		Score: log.Claim().Score, Combo: log.Claim().Combo, Placements: pos.Outcome().Rounds,
		Helped: Helped(pos), Complete: r.Over(), Attempt: r.terms.Attempt,
	}
	if err := r.vault.SaveRun(info, log.Append(nil)); err != nil {
		return vault.RunInfo{}, record.RunLog{}, false, err
	}
	return info, log, true, r.journal.Remove()
}

// Helped is how many hints or second chances a position has taken.
func Helped(pos record.Solo) int {
	switch s := pos.(type) {
	case classic.State:
		return s.HintsTaken()
	case streak.State:
		return s.ChancesTaken()
	}
	return 0
}
