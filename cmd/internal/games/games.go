// Package games is the one table of rulesets by name. It is given to the
// verifier, so that a ruleset is known exactly where this table says, and not
// by having been linked in.
package games

import "github.com/cleavegame/cleave/lockstep/record"

// All returns every ruleset that this build can replay, by the name and
// version that terms carry. The caller may change the map.
func All() record.Games {
	return record.Games{}
}
