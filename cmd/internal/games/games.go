// Package games is the one table of rulesets by name. It is given to the
// verifier, so that a ruleset is known exactly where the table says, and not by
// having been linked in.
package games

import (
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

// All returns every ruleset that this build can replay, by the name and
// version that terms carry. The caller may change the map.
func All() record.Games {
	all := record.Games{}
	for _, g := range []engine.Game{duel.Game{}, streak.Game{}, classic.Game{}} {
		all[g.Rules()] = g
	}
	return all
}
