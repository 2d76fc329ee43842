package ledger

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

const (
	// neighbours is how many are shown on each side of a player.
	neighbours = 2
	// maxOffset bounds how deep a board is paged through: a player's own place
	// is found by the code.
	maxOffset = 10_000
)

func publicLine(s store.Score, rank int) ranking.Line {
	l := ranking.Line{Rank: rank, Code: record.PlayerCode(s.Player), Key: s.Player.String(), Country: s.Country, Score: s.Score, TimeMs: s.ReachedMs}
	if s.Run != (record.ID{}) {
		l.Combo, l.Attempt, l.Run = s.Combo, s.Attempt, hex.EncodeToString(s.Run[:])
	} else {
		l.Days = s.Days
	}
	return l
}

// placeOf is where a player stands on a board, nil when he is not on it.
func placeOf(tx *store.Tx, b store.Board, player record.Key) (*ranking.Place, error) {
	s, ok, err := tx.Score(b.Name, player)
	if err != nil || !ok || b.Country != "" && s.Country != b.Country {
		return nil, err
	}
	total, better, err := tx.Standing(b, s.Score)
	if err != nil {
		return nil, err
	}
	before, err := tx.Before(b, s, neighbours)
	if err != nil {
		return nil, err
	}
	after, err := tx.After(b, s, neighbours)
	if err != nil {
		return nil, err
	}
	scores := []int64{s.Score}
	for _, n := range append(slices.Clone(before), after...) {
		scores = append(scores, n.Score)
	}
	ties, err := tx.Ties(b, scores...)
	if err != nil {
		return nil, err
	}
	p := &ranking.Place{Line: publicLine(s, better+1), Total: total}
	if total > 1 {
		p.Above, p.Of = total-better-ties[s.Score], total-1
		p.Sentence = fmt.Sprintf("above %d of %d %s", p.Above, p.Of, players(p.Of))
	}
	if total >= ranking.PercentileFrom {
		percentile := 100 * p.Above / p.Of
		p.Percentile = &percentile
	}
	// Going up, a line with another score than the one before it has as many
	// more in front of it as share its own; going down, as share the last one.
	rank, last := better+1, s.Score
	for _, n := range before {
		if n.Score != last {
			rank, last = rank-ties[n.Score], n.Score
		}
		p.Neighbours = append(p.Neighbours, publicLine(n, rank))
	}
	slices.Reverse(p.Neighbours)
	rank, last = better+1, s.Score
	for _, n := range after {
		if n.Score != last {
			rank, last = rank+ties[last], n.Score
		}
		p.Neighbours = append(p.Neighbours, publicLine(n, rank))
	}
	return p, nil
}

func players(n int) string {
	if n == 1 {
		return "player"
	}
	return "players"
}

// A BoardAsk says which part of which board is wanted.
type BoardAsk struct {
	Kind          ranking.BoardKind
	Of            string // day or month; "" is the present one
	Country       string // "" is the world
	Player        string // code of whose place is wanted, "" for nobody's
	Offset, Limit int
}

// Board is one page of a board of people.
func (l *Ledger) Board(ctx context.Context, nowMs int64, ask BoardAsk) (ranking.Board, error) {
	name, err := boardName(nowMs, &ask)
	if err != nil {
		return ranking.Board{}, err
	}
	if !ranking.ValidCountry(ask.Country) {
		return ranking.Board{}, ranking.Refuse(ranking.BadCountry, "")
	}
	if ask.Offset > maxOffset {
		return ranking.Board{}, ranking.Refuse(ranking.BadRequest, "a board is shown to line 10,000")
	}
	board := store.Board{Name: name, Country: ask.Country}
	a := ranking.Board{Kind: ask.Kind, Of: ask.Of, Country: ask.Country, Offset: ask.Offset, NowMs: nowMs, Players: []ranking.Line{}}
	err = l.store.View(ctx, func(tx *store.Tx) error {
		if a.Total, err = tx.CountBoard(board); err != nil {
			return err
		}
		page, err := tx.Page(board, ask.Offset, min(ask.Limit, maxPage))
		if err != nil {
			return err
		}
		rank := 0
		for i, s := range page {
			switch {
			case i == 0 && ask.Offset == 0:
				rank = 1
			case i == 0:
				_, better, err := tx.Standing(board, s.Score)
				if err != nil {
					return err
				}
				rank = better + 1
			case s.Score != page[i-1].Score:
				rank = ask.Offset + i + 1
			}
			a.Players = append(a.Players, publicLine(s, rank))
		}
		if ask.Player == "" {
			return nil
		}
		code, err := record.ParsePlayerCode(ask.Player)
		if err != nil {
			return ranking.Refuse(ranking.BadRequest, err.Error())
		}
		keys, err := tx.PlayersWithCode(code)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if a.Place, err = placeOf(tx, board, k); err != nil || a.Place != nil {
				return err
			}
		}
		return nil
	})
	return a, err
}

// boardName is the name under which a board is kept, and fills in what was left
// to the present.
func boardName(nowMs int64, ask *BoardAsk) (string, error) {
	switch ask.Kind {
	case ranking.DayBoard:
		d, err := dayOr(nowMs, ask.Of)
		ask.Of = d.String()
		return ask.Of, err
	case ranking.MonthBoard:
		if ask.Of == "" {
			ask.Of = ranking.DayAt(nowMs).Month()
		}
		if _, err := time.Parse("2006-01", ask.Of); err != nil {
			return "", ranking.Refuse(ranking.BadRequest, "a month is YYYY-MM")
		}
		return ask.Of, nil
	case ranking.AllBoard:
		if ask.Of != "" {
			return "", ranking.Refuse(ranking.BadRequest, "there is one board of all time")
		}
		return allTime, nil
	}
	return "", ranking.Refuse(ranking.NotFound, "the boards are day, month and all")
}
