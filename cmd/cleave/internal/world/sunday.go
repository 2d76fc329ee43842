package world

import (
	"context"
	"runtime"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/ui"
)

// The settings of the reminder.
const (
	sundaysSetting  = "sundays"  // whether it is wanted
	remindedSetting = "reminded" // the Sunday on which it came last
	standingSetting = "standing"
)

// standingFor is how long a standing that was told is worth a word.
const standingFor = 14 * 24 * time.Hour

// A standing is where the player stood in the daily challenges when a server
// told it last.
type standing struct {
	At         time.Time `json:"at"`
	Month      string    `json:"month"` // YYYY-MM
	Rank       int       `json:"rank"`
	Total      int       `json:"total"` // players
	Above      int       `json:"above,omitempty"`
	Of         int       `json:"of,omitempty"`         // others
	Percentile *int      `json:"percentile,omitempty"` // nil on a small board
}

// Sundays says whether the player wants to be reminded: yes, but in a browser.
func (w *World) Sundays() bool {
	on := runtime.GOOS != "js"
	if _, err := w.vault.Setting(sundaysSetting, &on); err != nil {
		w.note("reading whether to remind", err)
	}
	return on
}

// SetSundays keeps whether the player wants to be reminded.
func (w *World) SetSundays(on bool) error {
	if on {
		askToNotify()
	}
	return told(w.vault.SetSetting(sundaysSetting, on))
}

// keepStanding keeps where the player stands this month, for the reminder. Who
// has not played this month has no standing.
func (w *World) keepStanding(ctx context.Context, r *table.Ranking) error {
	b, err := r.Client.Board(ctx, ranking.BoardAsk{Kind: ranking.MonthBoard, Player: w.code(), Limit: 1})
	if err != nil || b.Place == nil {
		return err
	}
	return w.vault.SetSetting(standingSetting, standing{At: time.Now(), Month: b.Of, Rank: b.Place.Rank, Total: b.Place.Total,
		Above: b.Place.Above, Of: b.Place.Of, Percentile: b.Place.Percentile})
}

// sundayReminder is what to say at a time, in the player's own zone, false for
// nothing: on a Sunday, once, to who has a standing that is not old.
func sundayReminder(now time.Time, reminded string, s standing) (ui.Reminder, bool) {
	if now.Weekday() != time.Sunday || now.Format(time.DateOnly) == reminded || s.Rank == 0 || now.Sub(s.At) > standingFor {
		return ui.Reminder{}, false
	}
	place := ui.Place{Rank: s.Rank, Total: s.Total, Above: s.Above, Of: s.Of, Percentile: -1}
	if s.Percentile != nil {
		place.Percentile = *s.Percentile
	}
	return ui.Reminder{Place: place, Last: s.Month != now.UTC().Format("2006-01")}, true
}

// remindAt reminds the player, if it is time.
func (w *World) remindAt(now time.Time) {
	if !w.Sundays() {
		return
	}
	var reminded string
	var s standing
	_, err := w.vault.Setting(remindedSetting, &reminded)
	if err == nil {
		_, err = w.vault.Setting(standingSetting, &s)
	}
	if err != nil {
		w.note("reading where the player stands", err)
		return
	}
	r, ok := sundayReminder(now, reminded, s)
	if !ok {
		return
	}
	// It is kept first: better none than a second.
	if err := w.vault.SetSetting(remindedSetting, now.Format(time.DateOnly)); err != nil {
		w.note("keeping that the player was reminded", err)
		return
	}
	w.remind(r.Words(w.Settings().Language))
}

// sundayEach is how often it is looked whether it is time to remind.
const sundayEach = 10 * time.Minute

// sundays reminds while the program runs, not at once: nobody is to be greeted
// by it.
func (w *World) sundays() {
	wait := time.NewTimer(20 * time.Second)
	defer wait.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-wait.C:
		}
		w.remindAt(time.Now())
		wait.Reset(sundayEach)
	}
}
