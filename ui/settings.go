package ui

// Settings are what a player chose about the screen, as they are stored.
type Settings struct {
	Theme       string `json:"theme"` // "light", "dark" or "contrast"
	ColourBlind bool   `json:"colour_blind"`
	TextPercent int    `json:"text_percent"` // 100 to 200
	LessMotion  bool   `json:"less_motion"`
	LeftHanded  bool   `json:"left_handed"`
	Confirm     bool   `json:"confirm_twice"` // a second press confirms
	Snap        int    `json:"snap"`          // how far a dragged piece snaps in the solo games, in tenths of a cell; 0: 9
	Music       int    `json:"music"`         // 0 to 100
	Effects     int    `json:"effects"`       // 0 to 100
	Warnings    bool   `json:"warnings"`      // the clock's sound
	Language    string `json:"language"`
}

// DefaultSettings are those of a first start.
func DefaultSettings() Settings {
	return Settings{Theme: "light", TextPercent: 100, Music: 40, Effects: 70, Warnings: true, Language: "en"}
}

// theme returns the colours that the settings ask for.
func (s Settings) theme() Theme {
	t := Light
	switch s.Theme {
	case "dark":
		t = Dark
	case "contrast":
		t = Contrast
	}
	if s.ColourBlind {
		t = t.colourBlind()
	}
	return t
}
