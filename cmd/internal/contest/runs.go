package contest

import (
	"encoding/hex"
	"errors"
	"slices"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
)

// A State says what became of one of one's own runs.
type State string

// The states.
const (
	Playing State = "playing" // it has begun
	Waiting State = "waiting" // it has ended, and the server has not taken it yet
	Counted State = "counted"
	Refused State = "refused" // or flagged; Text says why
	Empty   State = "empty"   // it was given up before anything was placed
)

// A Run is one of one's own runs of a day.
type Run struct {
	ID  string `json:"id"` // in hex
	Day string `json:"day"`
	// Chance is which of the day's it was, 0 for one begun offline.
	Chance int   `json:"chance,omitempty"`
	Score  int32 `json:"score"` // once it has ended
	State  State `json:"state"`
	// Reason is why the server did not take it, and Text the same in its words.
	Reason ranking.Reason `json:"reason,omitempty"`
	Text   string         `json:"text,omitempty"`
}

// maxRuns is how many runs are listed, the newest.
const maxRuns = 60

// ErrNoChance says that all chances of a day were used.
var ErrNoChance = errors.New("contest: all three chances of this day have been used")

// run is the run with an id, nil if it is not listed.
func (k *kept) run(id string) *Run {
	i := slices.IndexFunc(k.Runs, func(r Run) bool { return r.ID == id })
	if i < 0 {
		return nil
	}
	return &k.Runs[i]
}

// Runs lists one's own runs of a day, the first first.
func (d *Daily) Runs(day string) ([]Run, error) {
	k, err := d.kept()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(k.Runs, func(r Run) bool { return r.Day != day }), nil
}

// DayOf is the day of one of one's own runs, "" for one that is not listed.
func (d *Daily) DayOf(run string) (string, error) {
	k, err := d.kept()
	if o := k.run(run); o != nil {
		return o.Day, err
	}
	return "", err
}

// Fetched is the challenge that was fetched last: ErrNotFetched if none was.
func (d *Daily) Fetched() (ranking.Daily, error) {
	k, err := d.kept()
	if err != nil {
		return ranking.Daily{}, err
	}
	if k.Fetched == nil {
		return ranking.Daily{}, ErrNotFetched
	}
	return *k.Fetched, nil
}

// Anchor is the anchor of a year as it was first seen, and false for one that
// was not.
func (d *Daily) Anchor(year int) (anchor [32]byte, ok bool, err error) {
	k, err := d.kept()
	if err != nil {
		return anchor, false, err
	}
	b, err := hex.DecodeString(k.Anchors[year])
	if err != nil || len(b) != len(anchor) {
		return anchor, false, nil
	}
	return [32]byte(b), true, nil
}

// told notes what the server said of a run.
func (d *Daily) told(id string, h Handed) error {
	return d.change(func(k *kept) {
		o := k.run(id)
		if o == nil {
			return // of so long ago that it is listed no more
		}
		refusal := (*ranking.Refusal)(nil)
		switch {
		case errors.As(h.Err, &refusal):
			o.State, o.Reason, o.Text = Refused, refusal.Reason, refusal.Text
		case h.Answer.State == ranking.RunFlagged:
			o.State, o.Reason, o.Text, o.Score = Refused, h.Answer.Reason, h.Answer.Text, h.Answer.Score
		default:
			o.State, o.Score = Counted, h.Answer.Score
		}
	})
}
