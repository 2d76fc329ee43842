package ledger

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/rating"
	"github.com/cleavegame/cleave/lockstep/record"
)

// Match is what is known of a match.
func (l *Ledger) Match(ctx context.Context, id record.ID) (ranking.Match, error) {
	m, err := l.match(ctx, id)
	if err != nil {
		return ranking.Match{}, err
	}
	terms, err := record.ParseTerms(m.Terms)
	if err != nil {
		return ranking.Match{}, fmt.Errorf("ledger: reading terms: %w", err)
	}
	a := ranking.Match{ID: hex.EncodeToString(id[:]), State: m.State, Reason: m.Reason, Rules: terms.Rules, OpenedMs: m.OpenedMs, DueMs: m.DueMs,
		Winner: m.Winner, End: endNames[rating.End(m.End)], Rounds: m.Rounds, Claims: m.Claims, HasLog: len(m.Log) > 0}
	if m.Reason != ranking.None {
		a.Text = m.Reason.Text()
	}
	if len(m.Receipt) > 0 {
		r, err := readReceipt(m.Receipt)
		if err != nil {
			return ranking.Match{}, err
		}
		a.Receipt = &r
	}
	for seat, k := range m.Players {
		a.Players[seat] = ranking.Seat{Key: k.String(), Code: record.PlayerCode(k), Score: m.Score[seat],
			Decisions: int(m.Decisions[seat]), Late: int(m.Late[seat])}
	}
	l.fold.RLock()
	change, ok := l.ladder.ChangeOf(id)
	l.fold.RUnlock()
	if ok && m.Counts {
		a.Nth = change.Nth
		for seat := range 2 {
			a.Players[seat].Weighed = change.Unmoved[seat] == rating.Moved
			if why := unmoved[change.Unmoved[seat]]; why != ranking.None {
				a.Players[seat].Reason, a.Players[seat].Text = why, why.Text()
			}
			a.Players[seat].Before = change.Before[seat].Rating.Round()
			a.Players[seat].After = change.After[seat].Rating.Round()
		}
	}
	return a, nil
}

var unmoved = map[rating.Why]ranking.Reason{
	rating.TooOften:  ranking.PairTooOften,
	rating.NotPlaced: ranking.NotPlaced,
	rating.NoRounds:  ranking.NoRounds,
}

var endNames = map[rating.End]string{
	rating.EndPlayed:    "played",
	rating.EndForfeited: "forfeited",
	rating.EndResigned:  "resigned",
	rating.EndNoResult:  "no result",
	rating.EndForged:    "forged",
	rating.EndClaimed:   "claimed",
}

func (l *Ledger) match(ctx context.Context, id record.ID) (m store.Match, err error) {
	var known bool
	err = l.store.View(ctx, func(tx *store.Tx) error {
		m, known, err = tx.Match(id)
		return err
	})
	if err == nil && !known {
		err = ranking.Refuse(ranking.NotFound, "")
	}
	return m, err
}

// Log is the bytes of the log that stands for a match.
func (l *Ledger) Log(ctx context.Context, id record.ID) ([]byte, error) {
	m, err := l.match(ctx, id)
	if err == nil && len(m.Log) == 0 {
		err = ranking.Refuse(ranking.NotFound, "")
	}
	return m.Log, err
}

// Leaves calls f with every leaf from a number on, in order.
func (l *Ledger) Leaves(ctx context.Context, from int64, f func(number int64, body []byte) error) error {
	return l.store.View(ctx, func(tx *store.Tx) error { return tx.Leaves(from, f) })
}

// maxPage is how many lines of a table one answer has at most.
const maxPage = 500

// Ladder is a page of a season's table as it stands at a time. Season "" is
// the present one.
func (l *Ledger) Ladder(nowMs int64, season string, offset, limit int) (ranking.Ladder, error) {
	s, err := seasonOf(nowMs, season)
	if err != nil {
		return ranking.Ladder{}, err
	}
	t := l.table(s, nowMs)
	l.fold.RLock()
	seasons := l.ladder.Seasons()
	l.fold.RUnlock()
	offset = min(max(offset, 0), len(t.rows))
	end := min(offset+min(max(limit, 0), maxPage), len(t.rows))
	a := ranking.Ladder{Season: s.String(), NowMs: nowMs, Rule: ruleText(t.rules), Relaxed: t.rules.Relaxed, Total: len(t.rows),
		Offset: offset, Seasons: []string{}, Players: []ranking.Standing{}}
	for _, each := range seasons {
		a.Seasons = append(a.Seasons, each.String())
	}
	for _, r := range t.rows[offset:end] {
		a.Players = append(a.Players, standing(r, t.rules))
	}
	return a, nil
}

func seasonOf(nowMs int64, season string) (rating.Season, error) {
	if season == "" {
		return rating.SeasonAt(nowMs), nil
	}
	s, err := rating.ParseSeason(season)
	if err != nil {
		return 0, ranking.Refuse(ranking.BadRequest, err.Error())
	}
	return s, nil
}

func ruleText(r rating.ListingRules) string {
	s := fmt.Sprintf("listed are placed players who met at least %d placed opponents this season", r.Opponents)
	if r.Opponents == 1 {
		s = "listed are placed players who met at least one placed opponent this season"
	}
	if r.Spread {
		s += ", no 3 of whom carry half the weight"
	}
	if r.Relaxed {
		s += "; this is a weaker rule than usual, because few players are placed"
	}
	return s
}

func standing(r rating.Row, rules rating.ListingRules) ranking.Standing {
	k := record.Key(r.Key)
	s := ranking.Standing{Rank: r.Rank, Code: record.PlayerCode(k), Key: k.String(), Rating: r.Player.Rating.Round(), Deviation: r.Player.Deviation.Round(),
		Wins: r.Wins, Draws: r.Draws, Losses: r.Losses, Opponents: r.Opponents}
	switch r.Place {
	case rating.Listed:
		s.Place, s.Note = "listed", fmt.Sprintf("number %d", r.Rank)
	case rating.Unlisted:
		s.Place, s.Note = "unlisted", fmt.Sprintf("placed; has met %d of %d opponents, or too often the same ones", r.Opponents, rules.Opponents)
	case rating.Slow:
		s.Place, s.Note = "slow", "placed; too many opponents saw decisions come after the time was up"
	default:
		s.Place, s.Placement = "provisional", r.Player.Counted
		s.Note = fmt.Sprintf("provisional (%d of %d)", r.Player.Counted, rating.Placement)
	}
	return s
}

// Player is what is known of the player with a code.
func (l *Ledger) Player(ctx context.Context, nowMs int64, text string) (ranking.Player, error) {
	code, err := record.ParsePlayerCode(text)
	if err != nil {
		return ranking.Player{}, ranking.Refuse(ranking.BadRequest, err.Error())
	}
	var key record.Key
	var matches []store.Match
	err = l.store.View(ctx, func(tx *store.Tx) error {
		keys, err := tx.PlayersWithCode(code)
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			return ranking.Refuse(ranking.NotFound, "")
		}
		key = keys[0]
		matches, err = tx.MatchesOf(key, 50)
		return err
	})
	if err != nil {
		return ranking.Player{}, err
	}
	season := rating.SeasonAt(nowMs)
	p := ranking.Player{Season: season.String(), Matches: []ranking.PlayerMatch{}}
	table := l.table(season, nowMs)
	l.fold.RLock()
	known, played := l.ladder.Player(rating.Key(key))
	l.fold.RUnlock()
	if at, ok := table.at[rating.Key(key)]; ok {
		p.Standing = standing(table.rows[at], table.rules)
	} else {
		if !played {
			known = rating.NewPlayer(nowMs)
		}
		p.Standing = standing(rating.Row{Key: rating.Key(key), Player: known.At(nowMs), Place: rating.Provisional}, table.rules)
		if known.Placed() {
			p.Standing.Place, p.Standing.Placement, p.Standing.Note = "unlisted", 0, "placed; has not played this season"
		}
	}
	for _, m := range matches {
		p.Matches = append(p.Matches, playerMatch(m, key))
	}
	return p, nil
}

func playerMatch(m store.Match, player record.Key) ranking.PlayerMatch {
	seat := seatOf(m, player)
	p := ranking.PlayerMatch{ID: hex.EncodeToString(m.ID[:]), State: m.State, Reason: m.Reason, Code: record.PlayerCode(m.Players[1-seat]), TimeMs: m.FirstMs}
	if m.State == ranking.StateConfirmed {
		switch m.Winner {
		case rating.Nobody:
			p.Result = "draw"
		case seat:
			p.Result = "win"
		default:
			p.Result = "loss"
		}
	}
	return p
}

// A table is a season's rows, and where each player's is.
type table struct {
	moved int64
	atMs  int64
	rows  []rating.Row
	rules rating.ListingRules
	at    map[rating.Key]int
}

// tableMs is how long a table is good for when no leaf has come that moves
// somebody.
const tableMs = 60_000

// table computes a season's table, or finds the one computed last.
func (l *Ledger) table(s rating.Season, nowMs int64) *table {
	l.tablesMu.Lock()
	defer l.tablesMu.Unlock()
	l.fold.RLock()
	defer l.fold.RUnlock()
	if t := l.tables[s]; t != nil && t.moved == l.moved && nowMs-t.atMs < tableMs {
		return t
	}
	t := &table{moved: l.moved, atMs: nowMs, at: map[rating.Key]int{}}
	t.rows, t.rules = l.ladder.Table(s, nowMs)
	for i, r := range t.rows {
		t.at[r.Key] = i
	}
	if len(t.rows) > 0 {
		l.tables[s] = t
	}
	return t
}
