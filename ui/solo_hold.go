package ui

// A hold is the piece that the player has in hand.
type hold struct {
	slot   int // noSlot: none
	grab   grab
	fresh  bool    // it was picked by this press
	moved  bool    // since it was pressed
	px, py float64 // where it was pressed

	// aim is where the piece would lie: the top left corner of its rectangle.
	aimed  bool
	r, c   int
	fits   bool
	sure   bool // it is where the player pointed, not merely near it
	pinned bool // it stays there for a second press
	// float is where the piece is drawn while it is carried.
	carried bool
	x, y    float64
}

const noSlot = -1

// A grab is what a press has taken hold of.
type grab uint8

const (
	grabNothing grab = iota
	grabPiece        // one in the tray
	grabBoard        // the board, for the piece that is picked
)
