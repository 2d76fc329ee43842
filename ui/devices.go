package ui

import (
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// Held arrows repeat after this many ticks, and then at every so many.
const (
	repeatAfter = 24
	repeatEach  = 5
)

// keys are the keys of each action. The letters are where they are on the
// keyboard, whatever is printed on them.
var keys = [actions][]ebiten.Key{
	Up:         {ebiten.KeyArrowUp, ebiten.KeyW},
	Down:       {ebiten.KeyArrowDown, ebiten.KeyS},
	LeftWard:   {ebiten.KeyArrowLeft, ebiten.KeyA},
	RightWard:  {ebiten.KeyArrowRight, ebiten.KeyD},
	Accept:     {ebiten.KeySpace},
	Confirm:    {ebiten.KeyEnter, ebiten.KeyNumpadEnter},
	Back:       {ebiten.KeyEscape},
	Turn:       {ebiten.KeyR, ebiten.KeyE},
	TurnBack:   {ebiten.KeyQ},
	Swap:       {ebiten.KeyX},
	HintKey:    {ebiten.KeyH},
	Pause:      {ebiten.KeyP},
	Mute:       {ebiten.KeyM},
	Fullscreen: {ebiten.KeyF11},
}

// buttons are the buttons of a standard gamepad for each action.
var buttons = [actions][]ebiten.StandardGamepadButton{
	Up:        {ebiten.StandardGamepadButtonLeftTop},
	Down:      {ebiten.StandardGamepadButtonLeftBottom},
	LeftWard:  {ebiten.StandardGamepadButtonLeftLeft},
	RightWard: {ebiten.StandardGamepadButtonLeftRight},
	Accept:    {ebiten.StandardGamepadButtonRightBottom},
	Back:      {ebiten.StandardGamepadButtonRightRight},
	Turn:      {ebiten.StandardGamepadButtonFrontTopRight},
	TurnBack:  {ebiten.StandardGamepadButtonFrontTopLeft},
	Swap:      {ebiten.StandardGamepadButtonRightLeft},
	Confirm:   {ebiten.StandardGamepadButtonRightTop},
	HintKey:   {ebiten.StandardGamepadButtonRightStick},
	Pause:     {ebiten.StandardGamepadButtonCenterRight},
	Mute:      {ebiten.StandardGamepadButtonCenterLeft},
	Next:      {ebiten.StandardGamepadButtonFrontBottomRight},
	Previous:  {ebiten.StandardGamepadButtonFrontBottomLeft},
}

// Devices is the Source that reads mouse, touch, keyboard and gamepads.
type Devices struct {
	// Typing says that a text field has the focus: letters and the space
	// bar are then text.
	Typing bool

	touches []ebiten.TouchID
	pads    []ebiten.GamepadID
	chars   []rune
	stick   [4]bool

	touched        bool // the last pointer was a finger
	mouseX, mouseY int
}

// Poll reads the devices.
func (d *Devices) Poll(c *Controls) {
	d.pointer(c)
	d.keyboard(c)
	d.gamepads(c)
}

// pointer follows the first finger while there is one, and the mouse from the
// moment that it moves or is pressed again; a lifted finger stays where it was.
func (d *Devices) pointer(c *Controls) {
	d.touches = ebiten.AppendTouchIDs(d.touches[:0])
	x, y := ebiten.CursorPosition()
	mouse := ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft)
	moved := x != d.mouseX || y != d.mouseY
	d.mouseX, d.mouseY = x, y
	switch {
	case len(d.touches) > 0:
		tx, ty := ebiten.TouchPosition(d.touches[0])
		d.touched = true
		c.point(float64(tx), float64(ty), true, true)
	case d.touched && !moved && !mouse:
		c.point(c.X, c.Y, false, true)
	default:
		d.touched = false
		c.point(float64(x), float64(y), mouse, false)
	}
	if c.Any {
		c.Keys, c.Pad = false, false
	}
	_, c.Wheel = ebiten.Wheel()
	c.Secondary = inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonRight)
	c.Any = c.Any || c.Wheel != 0 || c.Secondary
}

// Held says that something is held down, or may be without telling: a gamepad
// is there.
func (d *Devices) Held() bool { return len(d.touches) > 0 || len(d.pads) > 0 || anyKey() }

func repeats(ticks int) bool {
	return ticks == 1 || ticks > repeatAfter && (ticks-repeatAfter)%repeatEach == 0
}

func (d *Devices) keyboard(c *Controls) {
	d.chars = ebiten.AppendInputChars(d.chars[:0])
	if len(d.chars) > 0 {
		c.Any = true
	}
	if inpututil.IsKeyJustPressed(ebiten.KeyTab) {
		if ebiten.IsKeyPressed(ebiten.KeyShift) {
			c.Do(Previous)
		} else {
			c.Do(Next)
		}
		c.Keys, c.Pad = true, false
	}
	for a := range actions {
		for _, k := range keys[a] {
			if d.Typing && (k >= ebiten.KeyA && k <= ebiten.KeyZ || k == ebiten.KeySpace || k == ebiten.KeyArrowLeft || k == ebiten.KeyArrowRight) {
				continue
			}
			held := inpututil.KeyPressDuration(k)
			if held == 1 || held > 0 && a <= RightWard && repeats(held) {
				c.Do(a)
				c.Keys, c.Pad = true, false
			}
		}
	}
	if d.Typing && anyKey() {
		c.Any = true
	}
}

func anyKey() bool {
	for k := ebiten.Key(0); k <= ebiten.KeyMax; k++ {
		if ebiten.IsKeyPressed(k) || inpututil.IsKeyJustReleased(k) {
			return true
		}
	}
	return false
}

func (d *Devices) gamepads(c *Controls) {
	d.pads = ebiten.AppendGamepadIDs(d.pads[:0])
	for _, id := range d.pads {
		if !ebiten.IsStandardGamepadLayoutAvailable(id) {
			continue
		}
		for a := range actions {
			for _, b := range buttons[a] {
				held := inpututil.StandardGamepadButtonPressDuration(id, b)
				if held == 1 || held > 0 && a <= RightWard && repeats(held) {
					c.Do(a)
					c.Pad, c.Keys = true, false
				}
			}
		}
		h := ebiten.StandardGamepadAxisValue(id, ebiten.StandardGamepadAxisLeftStickHorizontal)
		v := ebiten.StandardGamepadAxisValue(id, ebiten.StandardGamepadAxisLeftStickVertical)
		for i, on := range [4]bool{Up: v < -0.6, Down: v > 0.6, LeftWard: h < -0.6, RightWard: h > 0.6} {
			if on && !d.stick[i] {
				c.Do(Action(i))
				c.Pad, c.Keys = true, false
			}
			d.stick[i] = on
		}
	}
}
