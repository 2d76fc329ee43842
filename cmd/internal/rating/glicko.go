package rating

// The numbers of the rating, in points.
const (
	startRating    = 1500
	startDeviation = 350
	floorDeviation = 60
	seasonFloor    = 150
	growth         = 35 // a week of idleness
	// Placement is how many matches a player plays before being placed.
	Placement = 5
	// WholeMatch is the number of rounds of a whole match, in which the gain
	// of a win by resignation, forfeit, claim or proof is counted.
	WholeMatch = 8
)

const (
	dayMs  = 24 * 60 * 60 * 1000
	weekMs = 7 * dayMs
)

// A Player is what the rating knows of one player.
type Player struct {
	Rating    Fixed
	Deviation Fixed
	// SinceMs is when Deviation held: the time of the last match that moved
	// the player, or of the season start applied since.
	SinceMs int64
	// Counted is how many matches weighed something for this player.
	Counted int
}

// NewPlayer returns a player before the first match, at the time of it.
func NewPlayer(nowMs int64) Player {
	return Player{Rating: Of(startRating), Deviation: Of(startDeviation), SinceMs: nowMs}
}

// Placed reports whether the placement matches are behind the player.
func (p Player) Placed() bool { return p.Counted >= Placement }

// At returns the player at a later time: grown by idleness, and carried over
// every season start in between. A time before SinceMs changes nothing.
func (p Player) At(nowMs int64) Player {
	for {
		next := SeasonAt(p.SinceMs).Next().StartMs()
		if next > nowMs {
			return p.idle(nowMs)
		}
		p = p.idle(next)
		p.Rating = Of(startRating) + (p.Rating-Of(startRating))*3/4
		p.Deviation = max(p.Deviation, Of(seasonFloor))
	}
}

func (p Player) idle(untilMs int64) Player {
	idleMs := untilMs - p.SinceMs
	if idleMs <= 0 {
		return p
	}
	p.SinceMs = untilMs
	// After 100 weeks from the floor the deviation is at its largest anyway.
	if idleMs >= 100*weekMs {
		p.Deviation = Of(startDeviation)
		return p
	}
	square := mul(p.Deviation, p.Deviation) + mulDiv(Of(growth*growth), Fixed(idleMs), weekMs)
	p.Deviation = min(Of(startDeviation), sqrt(square))
	return p
}

// A Game is one result of a rating period, seen from one side.
type Game struct {
	Opponent Player // at the time of the match
	Half     int    // twice the score: 2 for a win, 1 for a draw, 0 for a loss
	Weight   int    // the match weighs 1/Weight
	Eighths  int    // how much of the change a winner gains, in eighths
}

// impact is g(x) of the opponent's deviation.
func impact(opponent Player) Fixed {
	x := scaled(opponent.Deviation)
	return div(One, sqrt(One+mul(threePi2, mul(x, x))))
}

// scaled is D ln(10) / 400.
func scaled(deviation Fixed) Fixed { return mul(deviation, ln10) / 400 }

// expected is E, the score that p expects against an opponent of impact g.
func expected(p, opponent Player, g Fixed) Fixed {
	return div(One, One+pow10(mul(g, opponent.Rating-p.Rating)/400))
}

// Update returns the player after one rating period. The ladder makes each
// match a period of its own.
func (p Player) Update(games ...Game) Player {
	x := scaled(p.Deviation)
	var v, sum Fixed
	for _, m := range games {
		g := impact(m.Opponent)
		e := expected(p, m.Opponent, g)
		xg := mul(x, g)
		part := mul(mul(xg, xg), mul(e, One-e)) / Fixed(m.Weight)
		gain := mul(g, Fixed(m.Half)*One/2-e) / Fixed(m.Weight)
		if m.Half == 2 {
			part = part * Fixed(m.Eighths) / WholeMatch
			gain = gain * Fixed(m.Eighths) / WholeMatch
		}
		v += part
		sum += gain
	}
	p.Rating += div(mul(mul(p.Deviation, x), sum), One+v)
	p.Deviation = max(Of(floorDeviation), div(p.Deviation, sqrt(One+v)))
	return p
}
