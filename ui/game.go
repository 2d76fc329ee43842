package ui

// Game is what the scenes need of the world beyond the screen. Whoever opens
// the window fills it in.
type Game struct {
	// Practise opens a match against the computer.
	Practise func(PracticeChoice) (Seat, error)
	// Save stores the settings.
	Save func(Settings)
}

// A PracticeChoice is how one wants to practise.
type PracticeChoice struct {
	Level  string // a level of bot.Levels
	Clocks bool
}
