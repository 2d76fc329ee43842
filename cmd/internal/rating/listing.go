package rating

import (
	"bytes"
	"cmp"
	"slices"
)

const (
	lateWindowMs = 30 * dayMs
	// lateOpponents is how many placed opponents must have seen a player's
	// decisions come late before he is left out of the table.
	lateOpponents = 5
	// relaxedBelow is how many placed players a season needs before the
	// whole of the listing rule holds.
	relaxedBelow = 16
	// heavy is how many opponents must not carry half the weight.
	heavy = 3
)

// ListingRules says what a placed player needs to stand in a season's table.
type ListingRules struct {
	// Opponents is how many placed opponents he must have met.
	Opponents int
	// Spread says that no 3 of them may carry half the weight.
	Spread bool
	// Relaxed says that there are too few players for the whole rule.
	Relaxed bool
}

// RulesFor returns the listing rules of a season with so many placed players:
// 8 opponents, well spread, or while there are fewer than 16 half of the
// others, at least one, however spread.
func RulesFor(placed int) ListingRules {
	if placed >= relaxedBelow {
		return ListingRules{Opponents: 8, Spread: true}
	}
	return ListingRules{Opponents: max(1, (placed-1)/2), Relaxed: true}
}

// A Place is where a player stands in a season.
type Place uint8

// The places, in the order in which a table shows them.
const (
	// Listed stands in the table.
	Listed Place = iota
	// Unlisted is placed, but has met too few opponents this season, or
	// nearly always the same.
	Unlisted
	// Slow is placed, but too many opponents saw him decide too late.
	Slow
	// Provisional is not placed yet.
	Provisional
)

// A Row is one player's line of a season's table.
type Row struct {
	Key                 Key
	Player              Player // as of the last match counted in the season
	Wins, Draws, Losses int
	Opponents           int // placed ones met in the season
	Place               Place
	Rank                int // from 1, of a listed player; else 0
}

// Table returns the season's players as they stand at a time (at the season's
// end, when that is over), listed ones first by rating, then the others by
// Place and rating, and the rules that were applied.
func (l *Ladder) Table(s Season, nowMs int64) ([]Row, ListingRules) {
	nowMs = min(nowMs, s.Next().StartMs()-1)
	table := l.seasons[s]
	placed := 0
	for _, st := range table {
		if st.played() && st.player.Placed() {
			placed++
		}
	}
	rules := RulesFor(placed)
	rows := make([]Row, 0, len(table))
	for k, st := range table {
		if !st.played() {
			continue
		}
		r := Row{Key: k, Player: st.player, Wins: st.wins, Draws: st.draws, Losses: st.losses}
		slow := st.slow
		if s >= SeasonAt(l.lastMs) {
			slow = l.slow(k, nowMs)
		}
		r.Opponents, r.Place = st.place(table, rules, slow)
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(b.Player.Rating, a.Player.Rating), bytes.Compare(a.Key[:], b.Key[:]))
	})
	for i := range rows {
		if rows[i].Place == Listed {
			rows[i].Rank = i + 1
		}
	}
	return rows, rules
}

// Seasons returns the seasons that have a table, oldest first.
func (l *Ladder) Seasons() []Season {
	all := make([]Season, 0, len(l.seasons))
	for s := range l.seasons {
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}

func (s *standing) played() bool { return s.wins+s.draws+s.losses > 0 }

func (s *standing) place(table map[Key]*standing, rules ListingRules, slow bool) (opponents int, _ Place) {
	var weights []int
	total := 0
	for o, w := range s.opponents {
		if table[o].player.Placed() {
			weights = append(weights, w)
			total += w
		}
	}
	slices.SortFunc(weights, func(a, b int) int { return b - a })
	top := 0
	for _, w := range weights[:min(heavy, len(weights))] {
		top += w
	}
	switch {
	case !s.player.Placed():
		return len(weights), Provisional
	case slow:
		return len(weights), Slow
	case len(weights) < rules.Opponents, rules.Spread && top*2 >= total:
		return len(weights), Unlisted
	}
	return len(weights), Listed
}

// noteLate books what the other seat saw of this seat's decisions.
func (l *Ladder) noteLate(r Result, seat int) {
	k := r.Keys[seat]
	list := l.late[k]
	for len(list) > 0 && list[0].timeMs <= r.TimeMs-lateWindowMs {
		list = list[1:]
	}
	if r.Decisions[seat] > 0 {
		list = append(list, lateness{r.TimeMs, r.Keys[1-seat], r.Decisions[seat], r.Late[seat]})
	}
	if len(list) == 0 {
		delete(l.late, k)
		return
	}
	l.late[k] = list
}

// slow reports whether at least five placed opponents saw more than 5 % of
// the player's decisions come late.
func (l *Ladder) slow(k Key, nowMs int64) bool {
	type seen struct{ decisions, late int }
	by := map[Key]seen{}
	for _, n := range l.late[k] {
		if n.timeMs > nowMs-lateWindowMs && n.timeMs <= nowMs {
			s := by[n.opponent]
			by[n.opponent] = seen{s.decisions + n.decisions, s.late + n.late}
		}
	}
	complain := 0
	for o, s := range by {
		if p, ok := l.players[o]; ok && p.Placed() && s.late*20 > s.decisions {
			complain++
		}
	}
	return complain >= lateOpponents
}
