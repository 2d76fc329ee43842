package ui

import (
	"fmt"
	"strings"
	"testing"
)

// A contest is the way into a game that counts: the menu of Streak, and a server
// that answers when it likes.
type contest struct {
	world  *fakeWorld
	app    *App
	run    func(ticks int)
	answer SoloSeat
	fault  error
}

// newContest presses an entry of the menu.
func newContest(entry string) *contest {
	c := &contest{world: newFakeWorld()}
	c.world.solo.opened = func() (SoloSeat, error) { return c.answer, c.fault }
	c.app, c.run = mirroredApp(newSoloMenu(c.world, "streak"))
	c.run(2)
	c.press(entry)
	return c
}

// press presses one part after another.
func (c *contest) press(ids ...string) {
	for _, id := range ids {
		c.app.Press(id)
		c.run(2)
	}
}

// enter presses a button, which waits for the server, says what is wrong, and
// leads into the game once there is a seat.
func (c *contest) enter(t *testing.T, button string, fault error, said string, seat *soloRun) {
	t.Helper()
	c.press(button)
	c.run(30)
	if !c.app.Mirror().part(t, "daily.opening").Disabled {
		t.Error("it does not wait")
	}
	c.fault = fault
	c.run(2)
	if got := fmt.Sprint(c.app.Mirror().Lines); !strings.Contains(got, said) {
		t.Errorf("it does not say what is wrong: %s", got)
	}
	c.answer, c.fault = seat, nil
	c.press(button)
	c.run(2)
	if s, ok := c.app.Scene().(*solo); !ok || s.choice != seat.choice {
		t.Fatalf("scene %T", c.app.Scene())
	}
}

// askToGiveUp places a piece and asks for a new game: there is none, and the
// question says what this one is worth.
func (c *contest) askToGiveUp(t *testing.T, question string) {
	t.Helper()
	c.press("mirror.piece/0", "mirror.place", "solo.restart")
	if got := c.app.Mirror().Heading; got != c.app.Env.T(question) {
		t.Errorf("it asks %q", got)
	}
}
