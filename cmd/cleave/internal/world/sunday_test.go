package world

import (
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/ui"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The reminder comes on a Sunday of the player's own zone, once, and only to who
// has a standing that is not old.
func TestWhatIsToldOnASunday(t *testing.T) {
	ahead := 91
	stood := standing{At: time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC), Month: "2026-11", Rank: 3, Total: 25, Above: 22, Of: 24, Percentile: &ahead}
	this := ui.Reminder{Place: ui.Place{Rank: 3, Total: 25, Above: 22, Of: 24, Percentile: 91}}
	last, nothing := ui.Reminder{Place: this.Place, Last: true}, ui.Reminder{}
	alone := stood
	alone.Rank, alone.Total, alone.Above, alone.Of, alone.Percentile = 1, 1, 0, 0, nil
	none := stood
	none.Rank = 0
	nepal := zone(t, "Asia/Kathmandu")
	for name, c := range map[string]struct {
		now      time.Time
		reminded string
		s        standing
		want     ui.Reminder
	}{
		"a Sunday":                     {time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC), "", stood, this},
		"the Sunday before":            {time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC), "2026-11-22", stood, this},
		"once":                         {time.Date(2026, 11, 29, 23, 59, 0, 0, time.UTC), "2026-11-29", stood, nothing},
		"a Monday":                     {time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), "", stood, nothing},
		"a Saturday":                   {time.Date(2026, 11, 28, 23, 59, 0, 0, time.UTC), "", stood, nothing},
		"a Sunday there, Saturday UTC": {time.Date(2026, 11, 29, 1, 0, 0, 0, nepal), "", stood, this},
		"a Monday there, Sunday UTC":   {time.Date(2026, 11, 30, 1, 0, 0, 0, nepal), "", stood, nothing},
		"the month has gone":           {time.Date(2026, 12, 6, 9, 0, 0, 0, time.UTC), "", stood, last},
		"long ago":                     {time.Date(2026, 12, 13, 9, 0, 0, 0, time.UTC), "", stood, nothing},
		"never played":                 {time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC), "", none, nothing},
		"nothing is known":             {time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC), "", standing{}, nothing},
		"alone":                        {time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC), "", alone, ui.Reminder{Place: ui.Place{Rank: 1, Total: 1, Percentile: -1}}},
	} {
		if got, ok := sundayReminder(c.now, c.reminded, c.s); got != c.want || ok != (c.want != nothing) {
			t.Errorf("%s: %+v, %v, want %+v", name, got, ok, c.want)
		}
	}
}

// However often the program looks and is started again, one Sunday brings one
// reminder; none where it is not wanted.
func TestOneReminderASunday(t *testing.T) {
	v := vault.Memory("p")
	start := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) // a Saturday
	var said []string
	for day := range 16 {
		for hour := range 24 {
			w, err := Open(v, "1", "")
			if err != nil {
				t.Fatal(err)
			}
			w.remind = func(text string) { said = append(said, text) }
			now := start.Add(time.Duration(day*24+hour) * time.Hour)
			if err := v.SetSetting(standingSetting, standing{At: now.Add(-time.Hour), Month: now.Format("2006-01"), Rank: 2, Total: 4, Above: 2, Of: 3}); err != nil {
				t.Fatal(err)
			}
			if day == 8 && hour == 12 {
				if err := w.SetSundays(false); err != nil {
					t.Fatal(err)
				}
			}
			w.remindAt(now)
			w.remindAt(now.Add(time.Minute))
			w.Close()
		}
	}
	if len(said) != 2 || !strings.Contains(said[0], "number 2 of 4 in the daily challenge, above 2 of 3 players") {
		t.Errorf("on three Sundays, not wanted on the third: %q", said)
	}
	if w, err := Open(v, "1", ""); err != nil || w.Sundays() {
		t.Errorf("what was chosen is forgotten: %v", err)
	}
	if w, err := Open(vault.Memory("p"), "1", ""); err != nil || !w.Sundays() {
		t.Errorf("it is off at first: %v", err)
	}
}
