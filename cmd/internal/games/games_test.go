package games

import (
	"testing"

	"github.com/cleavegame/cleave/lockstep/record"
)

func TestEveryRulesetStandsUnderItsOwnName(t *testing.T) {
	all := All()
	// The params of a first position, by name.
	params := map[string][]byte{"duel/1": nil, "streak/1": {0}, "classic/1": {0}}
	if len(all) != len(params) {
		t.Errorf("%d rulesets, not the %d of this test", len(all), len(params))
	}
	for name, g := range all {
		if g.Rules() != name {
			t.Errorf("%q stands under %q", g.Rules(), name)
		}
		p, err := g.Start([32]byte{}, params[name])
		if err != nil {
			t.Errorf("%s does not start: %v", name, err)
			continue
		}
		if _, solo := p.(record.Solo); solo != (g.Seats() == 1) {
			t.Errorf("%s has %d seats, and its position is one of a run: %v", name, g.Seats(), solo)
		}
		if p.Outcome().Over {
			t.Errorf("%s is over when it starts", name)
		}
	}
	delete(all, "duel/1")
	if _, ok := All()["duel/1"]; !ok {
		t.Error("a caller can change the table")
	}
}
