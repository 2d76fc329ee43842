package world

import (
	"testing"

	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/lockstep"
	"github.com/cleavegame/cleave/ui"
)

// A match that has begun, or goes on after a restart, is what there is to see,
// whatever comes before the screen has looked: a resumed one begins before its
// players have met again, and may end before a slow page draws for the first
// time.
func TestAMatchThatBeganIsNotHiddenByItsRoom(t *testing.T) {
	session := func(e lockstep.Event) table.Event { return table.FromSession{Event: e} }
	for name, events := range map[string][]table.Event{
		"they meet":           {session(lockstep.Started{}), table.Joined{}},
		"they meet again":     {session(lockstep.Started{}), table.Joined{Again: true}},
		"a code is given":     {session(lockstep.Started{}), table.Invited{Code: "7-otter-anvil"}},
		"the other one left":  {session(lockstep.Started{}), table.Joined{}, session(lockstep.PeerLeft{})},
		"the table has ended": {session(lockstep.Started{}), nil},
	} {
		for _, host := range []bool{true, false} {
			r := &room{seat: &seat{}, world: &World{}, host: host, wait: ui.Waiting{Host: host, Phase: "meeting"}}
			for _, e := range events {
				if e == nil {
					r.over()
				} else {
					r.take(e)
				}
			}
			if r.wait.Phase != "match" {
				t.Errorf("%s, host %v: the room shows %q", name, host, r.wait.Phase)
			}
		}
	}
}

// Before a match, the room shows what happens in it.
func TestARoomShowsWhoComesAndGoes(t *testing.T) {
	r := &room{seat: &seat{}, world: &World{}, host: true, wait: ui.Waiting{Host: true, Phase: "opening"}}
	for _, step := range []struct {
		e    table.Event
		want string
	}{
		{table.Invited{Code: "7-otter-anvil"}, "waiting"},
		{table.Joined{}, "room"},
		{table.FromSession{Event: lockstep.PeerLeft{}}, "waiting"},
		{table.Joined{}, "room"},
		{table.FromSession{Event: lockstep.Started{}}, "match"},
	} {
		if r.take(step.e); r.wait.Phase != step.want {
			t.Errorf("after %T the room shows %q, want %q", step.e, r.wait.Phase, step.want)
		}
	}
}
