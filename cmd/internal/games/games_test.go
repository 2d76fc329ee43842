package games

import "testing"

func TestEveryRulesetStandsUnderItsOwnName(t *testing.T) {
	all := All()
	if len(all) == 0 {
		t.Fatal("no rulesets")
	}
	for name, g := range all {
		if g.Rules() != name {
			t.Errorf("%q stands under %q", g.Rules(), name)
		}
		p, err := g.Start([32]byte{}, nil)
		if err != nil {
			t.Errorf("%s does not start: %v", name, err)
			continue
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
