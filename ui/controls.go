package ui

// An Action is something that a player means, whatever device said it.
type Action uint8

// The actions. Each can be reached by keys and by a gamepad; mouse and touch
// reach them through what is on the screen.
const (
	Up Action = iota
	Down
	LeftWard
	RightWard
	Accept   // press what has the focus
	Confirm  // confirm the decision; press what has the focus elsewhere
	Back     // undo, close, leave
	Next     // the next thing that can have the focus
	Previous // the one before it
	Turn     // a quarter turn clockwise
	TurnBack // a quarter turn back
	Swap     // the other of two: the other piece, the other board
	HintKey
	Pause
	Mute
	Fullscreen
	actions
)

// Controls is what a player did since the last tick. It is filled by a Source
// (the devices, or a test's script) and read by scenes.
type Controls struct {
	// X and Y are where the pointer is, in pixels; Down whether it is
	// pressed, Pressed and Released whether that began or ended now.
	X, Y                    float64
	Down, Pressed, Released bool
	Secondary               bool // the other mouse button was pressed now
	Touch                   bool // the pointer is a finger: nothing hovers
	Wheel                   float64

	// Any says that anything at all changed since the last tick.
	Any bool
	// Pad says that a gamepad spoke last, Keys that a keyboard did: what the
	// screen says of itself follows the device in use.
	Pad, Keys bool

	did [actions]bool
}

// Did reports whether an action was asked for in this tick. A held arrow
// repeats.
func (c *Controls) Did(a Action) bool { return c.did[a] }

// Do asks for an action in this tick.
func (c *Controls) Do(a Action) {
	c.did[a] = true
	c.Any = true
}

// take reports whether an action was asked for, and leaves none for others.
func (c *Controls) take(a Action) bool {
	d := c.did[a]
	c.did[a] = false
	return d
}

// A Source fills in what a player did. It is called once a tick.
type Source interface{ Poll(c *Controls) }

// A Step is one tick of a script.
type Step struct {
	X, Y    float64
	Down    bool
	Touch   bool
	Keys    bool // the actions came from a keyboard
	Pad     bool // the actions came from a gamepad
	Actions []Action
}

// A Script is a Source that plays steps, one a tick, as a test or a recorded
// session does.
type Script struct {
	Steps []Step
	prev  Step
}

// Poll plays the next step. Behind the last, the pointer stays and is up.
func (s *Script) Poll(c *Controls) {
	step := Step{X: s.prev.X, Y: s.prev.Y}
	if len(s.Steps) > 0 {
		step, s.Steps = s.Steps[0], s.Steps[1:]
	}
	c.point(step.X, step.Y, step.Down, step.Touch)
	if c.Any {
		c.Keys, c.Pad = false, false
	}
	for _, a := range step.Actions {
		c.Do(a)
		c.Keys, c.Pad = step.Keys, step.Pad
	}
	s.prev = step
}

// Click adds a press at a point to a script.
func (s *Script) Click(x, y float64) {
	s.Steps = append(s.Steps, Step{X: x, Y: y}, Step{X: x, Y: y, Down: true}, Step{X: x, Y: y, Down: true}, Step{X: x, Y: y})
}

// Press adds actions to a script, each a tick of its own.
func (s *Script) Press(do ...Action) {
	for _, a := range do {
		last := s.prev
		if n := len(s.Steps); n > 0 {
			last = s.Steps[n-1]
		}
		s.Steps = append(s.Steps, Step{X: last.X, Y: last.Y, Actions: []Action{a}}, Step{X: last.X, Y: last.Y})
	}
}

// point sets the pointer, and with it what began and ended now.
func (c *Controls) point(x, y float64, down, touch bool) {
	was, wx, wy := c.Down, c.X, c.Y
	*c = Controls{X: x, Y: y, Down: down, Touch: touch, Pad: c.Pad, Keys: c.Keys}
	c.Pressed, c.Released = down && !was, !down && was
	c.Any = x != wx || y != wy || down != was
}
