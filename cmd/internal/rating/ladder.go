package rating

import (
	"errors"
	"fmt"
)

const (
	// pairWindowMs is how long a match of a pair makes the next weigh less.
	pairWindowMs = 7 * dayMs
	// mostInWindow is the last match of a pair that weighs anything.
	mostInWindow = 5
	// keptMs is how long the ladder remembers what one match changed. A
	// result can be taken back within that time: the longest a ticket and
	// the log under it can live is two weeks.
	keptMs = 30 * dayMs
)

// Nobody is the winner of a draw.
const Nobody = -1

// A Key is a player's public key.
type Key = [32]byte

// A Result is one confirmed, rated match, as a leaf of the public log states
// it.
type Result struct {
	TimeMs int64    // of the leaf
	Match  [32]byte // match id
	Keys   [2]Key   // by seat
	Winner int      // seat, or Nobody for a draw
	// Early says that the match ended by resignation, forfeit, claim or
	// proof of fraud, after Rounds whole rounds.
	Early  bool
	Rounds int
	// Decisions is how many timed decisions each seat made that the other
	// timed, and Late how many of them the other saw come later than the
	// limit and 3 s.
	Decisions, Late [2]int
}

// A Change is what one result did to its two players.
type Change struct {
	Season Season
	// Nth counts the match among those of its pair within 7 days.
	Nth int
	// Unmoved is why the match did not count for the seat, Moved if it did;
	// Before and After differ only then.
	Unmoved       [2]Why
	Before, After [2]Player
}

// Why says why a result did not move a player.
type Why uint8

const (
	// Moved: it did.
	Moved Why = iota
	// TooOften: the pair has played five matches within 7 days.
	TooOften
	// NotPlaced: the player is placed and the opponent is not.
	NotPlaced
	// NoRounds: a win by resignation, forfeit, claim or proof before the
	// first round was over.
	NoRounds
)

// Errors of a fold: the leaves are not a ladder's.
var (
	ErrTime    = errors.New("rating: a leaf is older than the one before it, or out of range")
	ErrResult  = errors.New("rating: not a result of two players")
	ErrTwice   = errors.New("rating: the match has a result already")
	ErrUnknown = errors.New("rating: no result of this match can be taken back")
)

// A Ladder is the fold of results in their order. It is not safe for use by
// several goroutines at once.
type Ladder struct {
	lastMs  int64
	players map[Key]*Player
	pairs   map[[2]Key][]int64 // times within the window, ascending
	seasons map[Season]map[Key]*standing
	late    map[Key][]lateness // of the last 30 days, ascending
	kept    map[[32]byte]kept
	order   []keptAt // of kept, ascending, to forget by
}

type keptAt struct {
	match  [32]byte
	timeMs int64
}

type kept struct {
	result Result
	change Change
}

// A standing is one player's season. Who met somebody without being moved has
// one too, with no matches: it says whether he was placed.
type standing struct {
	player              Player
	wins, draws, losses int
	opponents           map[Key]int // weight in sixtieths
	slow                bool        // when the season ended
}

type lateness struct {
	timeMs          int64
	opponent        Key
	decisions, late int
}

// NewLadder returns the ladder of no results.
func NewLadder() *Ladder {
	return &Ladder{
		players: map[Key]*Player{},
		pairs:   map[[2]Key][]int64{},
		seasons: map[Season]map[Key]*standing{},
		late:    map[Key][]lateness{},
		kept:    map[[32]byte]kept{},
	}
}

// LastMs is the time of the last leaf.
func (l *Ladder) LastMs() int64 { return l.lastMs }

// Player returns a player as of the last match that moved him, and whether
// the ladder knows him.
func (l *Ladder) Player(k Key) (Player, bool) {
	p, ok := l.players[k]
	if !ok {
		return Player{}, false
	}
	return *p, true
}

// Add enters a result and returns what it changed.
func (l *Ladder) Add(r Result) (Change, error) {
	if err := l.check(r); err != nil {
		return Change{}, err
	}
	l.advance(r.TimeMs)
	pair := pairOf(r.Keys)
	nth := l.meet(pair, r.TimeMs)
	return l.enter(r, nth), nil
}

// A Correction is the result that a match has after its first one was taken
// back.
type Correction struct {
	Winner int // seat, or Nobody for a draw
	Early  bool
	Rounds int
}

// TakeBack takes the result of a match back at the given time, and enters the
// corrected one, at the weight that the first had; nil if the match is void.
// It returns what the corrected result changed.
func (l *Ladder) TakeBack(match [32]byte, timeMs int64, c *Correction) (Change, error) {
	if timeMs < l.lastMs || timeMs >= MaxTimeMs {
		return Change{}, ErrTime
	}
	old, ok := l.kept[match]
	if !ok {
		return Change{}, fmt.Errorf("%w: %x", ErrUnknown, match[:8])
	}
	if c != nil && (c.Winner < Nobody || c.Winner > 1 || c.Rounds < 0 || c.Rounds > WholeMatch) {
		return Change{}, ErrResult
	}
	l.advance(timeMs)
	delete(l.kept, match)
	for seat, k := range old.result.Keys {
		l.undo(old, seat, k)
	}
	if c == nil {
		return Change{}, nil
	}
	again := old.result
	again.TimeMs, again.Winner, again.Early, again.Rounds = timeMs, c.Winner, c.Early, c.Rounds
	again.Decisions, again.Late = [2]int{}, [2]int{} // they are in the list already
	return l.enter(again, old.change.Nth), nil
}

// ChangeOf returns what the present result of a match changed, for 30 days
// after it.
func (l *Ladder) ChangeOf(match [32]byte) (Change, bool) {
	k, ok := l.kept[match]
	return k.change, ok
}

func (l *Ladder) check(r Result) error {
	if r.TimeMs < l.lastMs || r.TimeMs >= MaxTimeMs {
		return ErrTime
	}
	if r.Keys[0] == r.Keys[1] || r.Winner < Nobody || r.Winner > 1 || r.Rounds < 0 || r.Rounds > WholeMatch {
		return ErrResult
	}
	for seat := range 2 {
		if r.Late[seat] < 0 || r.Decisions[seat] < r.Late[seat] {
			return ErrResult
		}
	}
	if _, ok := l.kept[r.Match]; ok {
		return ErrTwice
	}
	return nil
}

// advance closes the season that ends before now, and forgets what no later
// leaf can need.
func (l *Ladder) advance(nowMs int64) {
	if was := SeasonAt(l.lastMs); was < SeasonAt(nowMs) {
		for k, s := range l.seasons[was] {
			s.slow = l.slow(k, was.Next().StartMs()-1)
		}
		l.sweep(nowMs)
	}
	l.lastMs = nowMs
	for len(l.order) > 0 && l.order[0].timeMs <= nowMs-keptMs {
		// A reversal keeps the match again under a later time of its own.
		if old, ok := l.kept[l.order[0].match]; ok && old.result.TimeMs == l.order[0].timeMs {
			delete(l.kept, l.order[0].match)
		}
		l.order = l.order[1:]
	}
}

// sweep forgets the pairs and the late decisions that are out of their
// windows, of players who may never come back.
func (l *Ladder) sweep(nowMs int64) {
	for pair, times := range l.pairs {
		if times[len(times)-1] <= nowMs-pairWindowMs {
			delete(l.pairs, pair)
		}
	}
	for k, list := range l.late {
		if list[len(list)-1].timeMs <= nowMs-lateWindowMs {
			delete(l.late, k)
		}
	}
}

func pairOf(keys [2]Key) [2]Key {
	if string(keys[0][:]) > string(keys[1][:]) {
		keys[0], keys[1] = keys[1], keys[0]
	}
	return keys
}

// meet notes one more match of the pair and returns which it is within the
// window.
func (l *Ladder) meet(pair [2]Key, nowMs int64) int {
	times := l.pairs[pair]
	for len(times) > 0 && times[0] <= nowMs-pairWindowMs {
		times = times[1:]
	}
	times = append(times, nowMs)
	l.pairs[pair] = times
	return len(times)
}

// enter computes and books a result that is the nth of its pair.
func (l *Ladder) enter(r Result, nth int) Change {
	c := Change{Season: SeasonAt(r.TimeMs), Nth: nth}
	for seat, k := range r.Keys {
		if p, ok := l.players[k]; ok {
			c.Before[seat] = p.At(r.TimeMs)
		} else {
			c.Before[seat] = NewPlayer(r.TimeMs)
		}
	}
	c.After = c.Before
	for seat, k := range r.Keys {
		l.noteLate(r, seat)
		s := l.standing(c.Season, k, c.Before[seat])
		g := Game{Opponent: c.Before[1-seat], Half: 1, Weight: nth, Eighths: WholeMatch}
		if r.Winner != Nobody {
			g.Half = 0
		}
		if r.Winner == seat {
			g.Half = 2
			if r.Early {
				g.Eighths = r.Rounds
			}
		}
		switch {
		case nth > mostInWindow:
			c.Unmoved[seat] = TooOften
		case c.Before[seat].Placed() && !c.Before[1-seat].Placed():
			c.Unmoved[seat] = NotPlaced
		case g.Half == 2 && g.Eighths == 0:
			c.Unmoved[seat] = NoRounds
		}
		if c.Unmoved[seat] != Moved {
			continue
		}
		after := c.Before[seat].Update(g)
		after.Counted++
		c.After[seat] = after
		l.players[k] = &after
		s.player = after
		s.count(r.Winner, seat, 1)
		s.opponents[r.Keys[1-seat]] += 60 / nth
	}
	l.kept[r.Match] = kept{r, c}
	l.order = append(l.order, keptAt{r.Match, r.TimeMs})
	return c
}

// standing returns a player's line in the season's table, made as p if there
// is none yet.
func (l *Ladder) standing(season Season, k Key, p Player) *standing {
	table := l.seasons[season]
	if table == nil {
		table = map[Key]*standing{}
		l.seasons[season] = table
	}
	s := table[k]
	if s == nil {
		s = &standing{player: p, opponents: map[Key]int{}}
		table[k] = s
	}
	return s
}

func (s *standing) count(winner, seat, by int) {
	switch winner {
	case Nobody:
		s.draws += by
	case seat:
		s.wins += by
	default:
		s.losses += by
	}
}

// undo takes one seat's part of a result back.
func (l *Ladder) undo(old kept, seat int, k Key) {
	if old.change.Unmoved[seat] != Moved {
		return
	}
	gained := old.change.After[seat].Rating - old.change.Before[seat].Rating
	s := l.seasons[old.change.Season][k]
	s.player.Rating -= gained
	s.player.Counted--
	s.count(old.result.Winner, seat, -1)
	opponent := old.result.Keys[1-seat]
	if s.opponents[opponent] -= 60 / old.change.Nth; s.opponents[opponent] == 0 {
		delete(s.opponents, opponent)
	}
	// The player may have come over season starts since, in a match or not
	// yet; only those that his present rating has passed pull the gain in.
	p := l.players[k]
	for at := old.change.Season; at < SeasonAt(p.SinceMs); at++ {
		gained = gained * 3 / 4
	}
	p.Rating -= gained
	p.Counted--
	if now := SeasonAt(p.SinceMs); now != old.change.Season {
		if s := l.seasons[now][k]; s != nil {
			s.player.Rating, s.player.Counted = p.Rating, p.Counted
		}
	}
}
