package bot

import (
	"fmt"
	"strings"
)

// SoloVersion is the version of how the levels play alone, for terms that name
// a bot: one version, level, seed and budget decide alike for ever, so that a
// run can be played again. Its history:
//
//	1  the first
//	2  the expert judges a board by more than its room
//	3  and so does medium the board of a Classic
//
// Bots of all of them can be named, and are played as they were.
const SoloVersion = 3

// SoloNodes is the budget of a decision alone that New gives, in placements
// valued. Only the expert comes near it.
const SoloNodes = soloNodes

// SoloName is the name under which terms name a level, such as "bot:expert".
func SoloName(l Level) string { return "bot:" + l.String() }

// Named returns the player that terms name: a level of a version that this
// program can play, with a seed and the budget of a decision (1 to SoloNodes).
func Named(name string, version uint16, seed uint64, nodes uint32) (*Player, error) {
	level, found := strings.CutPrefix(name, "bot:")
	if !found || version < 1 || version > SoloVersion {
		return nil, fmt.Errorf("bot: no bot %q of version %d", name, version)
	}
	l, err := ParseLevel(level)
	if err != nil {
		return nil, err
	}
	if nodes < 1 || nodes > SoloNodes {
		return nil, fmt.Errorf("bot: a budget of %d nodes: it is 1 to %d", nodes, SoloNodes)
	}
	p := New(l, seed)
	p.soloNodes = int(nodes)
	if version < 2 {
		p.judge = byRoom
	}
	if version < 3 {
		p.greedy = byRoom
	}
	return p, nil
}
