package ui

// A Reminder is where the player stands in the daily challenges of a month, to
// be told on a Sunday.
type Reminder struct {
	Place Place
	Last  bool // it is of the month before
}

// Words are what to say, "" to who is on no board. They are asked for by
// whoever shows notifications, in any goroutine.
func (r Reminder) Words(language string) string {
	if r.Place.Rank == 0 {
		return ""
	}
	id := "sunday.this_month"
	if r.Last {
		id = "sunday.last_month"
	}
	switch {
	case r.Place.Percentile >= 0:
		id += "_ahead"
	case r.Place.Of > 0:
		id += "_above"
	}
	return NewTexts(language).T(id, Vars{"Rank": r.Place.Rank, "Total": r.Place.Total, "Above": r.Place.Above, "N": r.Place.Of, "Percentile": r.Place.Percentile})
}
