package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A RunInfo is what the list of runs says of a kept one.
type RunInfo struct {
	ID         string    `json:"id"` // run id in hexadecimal
	Saved      time.Time `json:"saved"`
	Rules      string    `json:"rules"`
	Params     []byte    `json:"params,omitempty"`
	Score      int32     `json:"score"`
	Combo      uint16    `json:"combo"` // the best
	Placements int       `json:"placements"`
	Helped     int       `json:"helped,omitempty"` // hints or second chances taken
	Complete   bool      `json:"complete"`         // false: given up
	// Attempt is the server's leave from the run's terms, of one that counts.
	Attempt []byte `json:"attempt,omitempty"`
}

// A RunJournal is the write-ahead record of one solo game in progress: its
// first record is the terms, each later one an entry. It is used by one
// goroutine.
type RunJournal struct {
	v    *Vault
	slot string
	app  appender
}

// Append stores a record; it is on the disk when it returns nil. After an error
// the record does not count (ErrDiskFull: it may be tried again; ErrBroken: it
// may not).
func (j *RunJournal) Append(record []byte) error {
	if len(record) > maxRecord {
		return errRecordSize(record)
	}
	if err := j.app.append([][]byte{record}); err != nil {
		return fmt.Errorf("writing the game's journal: %w", err)
	}
	return nil
}

// Close closes the journal and leaves the run to be gone on with.
func (j *RunJournal) Close() error { return j.app.close() }

// Remove closes the journal of a run that needs it no longer.
func (j *RunJournal) Remove() error {
	if err := j.app.close(); err != nil {
		return err
	}
	return j.v.store.remove("run-" + j.slot)
}

// CreateRun begins the journal of a run under a slot's name (small letters,
// digits, dashes) that no run in progress has. It is there with its terms or
// not at all.
func (v *Vault) CreateRun(slot string, terms []byte) (*RunJournal, error) {
	if err := checkID(slot); err != nil {
		return nil, err
	}
	if _, err := v.store.records("run-" + slot); !errors.Is(err, ErrNotFound) {
		if err == nil {
			err = fmt.Errorf("vault: there is a game in progress in %q already", slot)
		}
		return nil, err
	}
	if len(terms) > maxRecord {
		return nil, errRecordSize(terms)
	}
	if err := v.store.put("run-"+slot, appendFrame([]byte(journalMagic), terms)); err != nil {
		return nil, fmt.Errorf("beginning a game's journal: %w", err)
	}
	app, _, err := v.store.journal("run-" + slot)
	if err != nil {
		return nil, fmt.Errorf("beginning a game's journal: %w", err)
	}
	return &RunJournal{v: v, slot: slot, app: app}, nil
}

// OpenRun opens the journal of a run in progress for more and returns its
// records, or ErrNotFound. A damaged one is quarantined.
func (v *Vault) OpenRun(slot string) (*RunJournal, [][]byte, error) {
	if err := checkID(slot); err != nil {
		return nil, nil, err
	}
	if _, err := v.store.records("run-" + slot); errors.Is(err, ErrNotFound) {
		return nil, nil, err
	}
	app, records, err := v.store.journal("run-" + slot)
	var d *damage
	if errors.As(err, &d) {
		return nil, nil, v.spoil("run-"+slot, d.reason)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("opening a game's journal: %w", err)
	}
	return &RunJournal{v: v, slot: slot, app: app}, records, nil
}

// ReadRun returns the records of a run in progress without opening it, or
// ErrNotFound.
func (v *Vault) ReadRun(slot string) ([][]byte, error) {
	if err := checkID(slot); err != nil {
		return nil, err
	}
	records, err := v.store.records("run-" + slot)
	var d *damage
	if errors.As(err, &d) {
		return nil, v.spoil("run-"+slot, d.reason)
	}
	return records, err
}

// SpoilRun moves the journal of a run that its reader cannot make sense of to
// quarantine, and returns a *CorruptError.
func (v *Vault) SpoilRun(slot, reason string) error {
	if err := checkID(slot); err != nil {
		return err
	}
	return v.spoil("run-"+slot, reason)
}

// RunSlots lists the slots in which a run is in progress.
func (v *Vault) RunSlots() ([]string, error) {
	names, err := v.store.list("run-")
	for i, n := range names {
		names[i] = strings.TrimPrefix(n, "run-")
	}
	return names, err
}

// SaveRun keeps a run's log and its line in the list; saving it once more
// changes nothing.
func (v *Vault) SaveRun(info RunInfo, log []byte) error {
	if err := checkID(info.ID); err != nil {
		return err
	}
	line, err := json.Marshal(info)
	if err != nil {
		return fmt.Errorf("vault: a run's line: %w", err)
	}
	if err := v.saveBlob("runlog-", info.ID, log); err != nil {
		return err
	}
	return v.addLine("runs", line, shrinkRuns)
}

// shrinkRuns keeps the newest half of a list of runs, and of the older ones
// those that are among the best of their level.
func shrinkRuns(lines [][]byte) [][]byte {
	runs := make([]RunInfo, len(lines))
	byLevel := map[string][]int{}
	for i, l := range lines {
		if json.Unmarshal(l, &runs[i]) == nil {
			// The first byte of an attempt is the kind of its contest.
			level := runs[i].Rules + "\x00" + string(runs[i].Params) + "\x00" + string(runs[i].Attempt[:min(len(runs[i].Attempt), 1)])
			byLevel[level] = append(byLevel[level], i)
		}
	}
	var kept []int
	for _, at := range byLevel {
		slices.SortStableFunc(at, func(a, b int) int { return int(runs[b].Score) - int(runs[a].Score) })
		kept = append(kept, at[:min(len(at), BestOf)]...)
	}
	slices.Sort(kept)
	half := len(lines) / 2
	var out [][]byte
	for _, i := range kept {
		if i < half {
			out = append(out, lines[i])
		}
	}
	return append(out, lines[half:]...)
}

// SavedRuns lists the kept runs, the newest last.
func (v *Vault) SavedRuns() ([]RunInfo, error) {
	out, _, err := latest(v, "runs", func(r RunInfo) string { return r.ID })
	return out, err
}

// BestOf is how many best runs BestRuns gives.
const BestOf = 10

// BestRuns lists the best ten of the kept runs that are of a kind, the best
// first; of two with one score the earlier.
func (v *Vault) BestRuns(of func(RunInfo) bool) ([]RunInfo, error) {
	all, err := v.SavedRuns()
	if err != nil {
		return nil, err
	}
	best := slices.DeleteFunc(all, func(i RunInfo) bool { return !of(i) })
	slices.SortStableFunc(best, func(a, b RunInfo) int { return int(b.Score) - int(a.Score) })
	return best[:min(len(best), BestOf)], nil
}

// RunLog returns a kept run's log, or ErrNotFound.
func (v *Vault) RunLog(id string) ([]byte, error) { return v.blob("runlog-", id) }
