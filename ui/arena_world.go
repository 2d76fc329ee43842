package ui

// ArenaWorld is the part of the World that is the server's arenas.
type ArenaWorld interface {
	// Arenas is what is known of the arenas, and Arena of one of them. Looking
	// at them asks the server in the background, now and then.
	Arenas() ArenasView
	Arena(id string) ArenaView
	// PlayArena goes on with the run in progress in an arena, or takes a seat
	// and begins one; "" is any arena that has a seat. The server is asked in
	// the background: until it has answered the seat is nil, and it is called
	// again.
	PlayArena(id string) (SoloSeat, error)
	// Published fetches a run that the server has published, and checks it. It
	// is nil until it is here, and is called again.
	Published(run string) (*SoloReplay, error)
}

// An ArenasView is what is known of a server's arenas.
type ArenasView struct {
	Known   bool
	Looking bool
	Trouble Notice
	Open    []ArenaLine // those that can be entered
	Mine    []ArenaLine // those that one has entered, the newest first
}

// An ArenaLine is one arena in a list.
type ArenaLine struct {
	ID     string // in hexadecimal
	Closed bool
	Left   int // minutes until it closes
	Taken  int // of its seats
	Seats  int
	// Status is that of one's own run there, as DailyLine has it; "" where one
	// has not entered.
	Status string
	Why    Notice // it was refused
	Score  int    // of that run
	Rank   int    // its place, 0 while it has none
}

// An ArenaView is what is known of one arena.
type ArenaView struct {
	ArenaLine
	Known   bool
	Looking bool
	Trouble Notice
	Board   []DailyLine // by rank, then those who have not played yet, with rank 0
}
