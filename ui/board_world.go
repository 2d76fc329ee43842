package ui

// BoardWorld is the part of the World that is the boards of the daily
// challenges.
type BoardWorld interface {
	// Board is what is known of a board. Looking at it asks the server in the
	// background, now and then.
	Board(BoardChoice) BoardView
	// Country is the code of the country that the player wants to be listed
	// under, "" for none. SetCountry keeps it and tells the server in the
	// background; the error is of a code that is none.
	Country() string
	SetCountry(code string) error
}

// A BoardChoice is one of the boards.
type BoardChoice struct {
	Span string // "day", "month" or "all"
	Mine bool   // of one's country alone
}

// A BoardView is what is known of a board.
type BoardView struct {
	Known   bool
	Looking bool
	Trouble Notice
	Of      string // the day or the month
	Total   int    // players on it
	Lines   []DailyLine
	// Place is where one stands, and Near who stands around one, if that is
	// below the lines; with oneself among them.
	Place Place
	Near  []DailyLine
}

// A Place is where one stands on a board.
type Place struct {
	Rank  int // 0: one is not on it
	Total int // players on the board
	Above int // players with a lower score, of
	Of    int // all others
	// Percentile is how many of a hundred others one is above, -1 on a small
	// board.
	Percentile int
}

// words is the place in a sentence, "" for none.
func (p Place) words(e *Env) string {
	if p.Rank == 0 {
		return ""
	}
	text := e.T("board.place", Vars{"Rank": p.Rank, "Total": p.Total})
	if p.Of > 0 {
		text += ", " + e.T("board.above", Vars{"Above": p.Above, "N": p.Of})
	}
	if p.Percentile >= 0 {
		text += " · " + e.T("board.percentile", Vars{"Percentile": p.Percentile})
	}
	return text
}
