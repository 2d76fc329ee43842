package ui

// Start is the scene that the game begins with.
func Start(w World) Scene { return newTitle(w) }
