package ui

// lookTicks is how often a scene asks the world what is known now, in ticks.
const lookTicks = 20

// A watch tells when it is time to look again, also while the game rests and
// ticks are skipped.
type watch struct{ last int64 }

func (w *watch) due(e *Env) bool {
	if e.Now-w.last < lookTicks {
		return false
	}
	w.last = e.Now
	return true
}
