package ui

import "testing"

// What there is to do in a waiting room changes while one waits; Enter always
// does the next of it, and never leaves.
func TestTheFocusOfAWaitingRoomFollowsWhatIsToDo(t *testing.T) {
	w := newFakeWorld()
	w.room.Phase, w.room.Ready = "opening", [2]bool{}
	table, _ := w.Host(RoomChoice{})
	s := newWaiting(w, table)
	e := NewEnv(DefaultSettings())
	e.Resize(1280, 800, 1)
	app := NewApp(e, s, &Script{})
	for _, step := range []struct {
		change func()
		want   string
	}{
		{func() { w.room.Phase, w.room.Code, w.room.Link = "waiting", "7-maple-orbit", "" }, "waiting.copy_code"},
		{func() { w.room.Phase = "room" }, "waiting.ready"},
		{func() { w.room.Ready = [2]bool{true, false} }, "waiting.not_ready"},
		{func() { w.room.Ready = [2]bool{true, true} }, "waiting.start"},
	} {
		step.change()
		for range 3 {
			if err := app.Update(); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.screen.Focused(); got != step.want {
			t.Errorf("the focus is on %q, not on %q", got, step.want)
		}
	}
}
