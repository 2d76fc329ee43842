package world

import (
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/vault"
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
func TestTheWordsOfASunday(t *testing.T) {
	stood := standing{At: time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC), Month: "2026-11", Rank: 3, Total: 25, Sentence: "above 22 of 24 players"}
	const words = "This month you are number 3 of 25 in the daily challenge, above 22 of 24 players."
	const last = "Last month you were number 3 of 25 in the daily challenge, above 22 of 24 players."
	alone := stood
	alone.Rank, alone.Total, alone.Sentence = 1, 1, ""
	none := stood
	none.Rank = 0
	nepal := zone(t, "Asia/Kathmandu")
	for name, c := range map[string]struct {
		now      time.Time
		reminded string
		s        standing
		want     string
	}{
		"a Sunday":                     {time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC), "", stood, words},
		"the Sunday before":            {time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC), "2026-11-22", stood, words},
		"once":                         {time.Date(2026, 11, 29, 23, 59, 0, 0, time.UTC), "2026-11-29", stood, ""},
		"a Monday":                     {time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), "", stood, ""},
		"a Saturday":                   {time.Date(2026, 11, 28, 23, 59, 0, 0, time.UTC), "", stood, ""},
		"a Sunday there, Saturday UTC": {time.Date(2026, 11, 29, 1, 0, 0, 0, nepal), "", stood, words},
		"a Monday there, Sunday UTC":   {time.Date(2026, 11, 30, 1, 0, 0, 0, nepal), "", stood, ""},
		"the month has gone":           {time.Date(2026, 12, 6, 9, 0, 0, 0, time.UTC), "", stood, last},
		"long ago":                     {time.Date(2026, 12, 13, 9, 0, 0, 0, time.UTC), "", stood, ""},
		"never played":                 {time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC), "", none, ""},
		"nothing is known":             {time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC), "", standing{}, ""},
		"alone":                        {time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC), "", alone, "This month you are number 1 of 1 in the daily challenge."},
	} {
		if got := sundayWords(c.now, c.reminded, c.s); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
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
			if err := v.SetSetting(standingSetting, standing{At: now.Add(-time.Hour), Month: now.Format("2006-01"), Rank: 2, Total: 4, Sentence: "above 2 of 3 players"}); err != nil {
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
	if len(said) != 2 || !strings.Contains(said[0], "number 2 of 4") {
		t.Errorf("on three Sundays, not wanted on the third: %q", said)
	}
	if w, err := Open(v, "1", ""); err != nil || w.Sundays() {
		t.Errorf("what was chosen is forgotten: %v", err)
	}
	if w, err := Open(vault.Memory("p"), "1", ""); err != nil || !w.Sundays() {
		t.Errorf("it is off at first: %v", err)
	}
}
