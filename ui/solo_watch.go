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

// arrived asks for the widgets to be built again, now that there is more to be
// seen: the first of them takes the focus, if that still waits at the way back.
func (m *menu) arrived() {
	if m.screen.Focused() == "back" {
		m.screen.Ask()
		return
	}
	m.screen.Stale()
}
