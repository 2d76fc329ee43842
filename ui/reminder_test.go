package ui

import (
	"strings"
	"testing"
)

// The reminder of a Sunday is a whole sentence of the catalogue for each case.
func TestTheWordsOfAReminder(t *testing.T) {
	for _, c := range []struct {
		r    Reminder
		want string
	}{
		{Reminder{Place: Place{Rank: 1, Total: 1, Percentile: -1}}, "This month you are number 1 of 1 in the daily challenge."},
		{Reminder{Place: Place{Rank: 1, Total: 2, Above: 1, Of: 1, Percentile: -1}}, "This month you are number 1 of 2 in the daily challenge, above 1 of 1 player."},
		{Reminder{Place: Place{Rank: 3, Total: 8, Above: 3, Of: 7, Percentile: -1}}, "This month you are number 3 of 8 in the daily challenge, above 3 of 7 players."},
		{Reminder{Place: Place{Rank: 3, Total: 8, Above: 3, Of: 7, Percentile: -1}, Last: true}, "Last month you were number 3 of 8 in the daily challenge, above 3 of 7 players."},
		{Reminder{Place: Place{Rank: 3, Total: 25, Above: 22, Of: 24, Percentile: 91}}, "This month you are number 3 of 25 in the daily challenge, ahead of 91 % of the others."},
		{Reminder{Place: Place{Rank: 3, Total: 25, Above: 22, Of: 24, Percentile: 91}, Last: true}, "Last month you were number 3 of 25 in the daily challenge, ahead of 91 % of the others."},
		{Reminder{Place: Place{Rank: 1, Total: 1, Percentile: -1}, Last: true}, "Last month you were number 1 of 1 in the daily challenge."},
		{Reminder{Place: Place{Percentile: -1}}, ""},
	} {
		if got := c.r.Words("en"); got != c.want {
			t.Errorf("%+v: %q, want %q", c.r, got, c.want)
		}
		if got := c.r.Words(Pseudo); c.want != "" && (!strings.Contains(got, "~") || got == c.want) {
			t.Errorf("%+v in another language: %q", c.r, got)
		}
	}
}
