package world

import (
	"context"
	"strings"

	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/table"
	"github.com/cleavegame/cleave/ui"
)

// noPlace is that of who is on no board.
var noPlace = ui.Place{Percentile: -1}

// placeOf is a place as the screen shows it.
func placeOf(p *ranking.Place) ui.Place {
	if p == nil {
		return noPlace
	}
	out := ui.Place{Rank: p.Rank, Total: p.Total, Above: p.Above, Of: p.Of, Percentile: -1}
	if p.Percentile != nil {
		out.Percentile = *p.Percentile
	}
	return out
}

// Board is what is known of a board; it asks again now and then.
func (w *World) Board(c ui.BoardChoice) ui.BoardView {
	country := ""
	if c.Mine {
		if country = w.Country(); country == "" {
			return ui.BoardView{Known: true, Place: noPlace}
		}
	}
	s := look(w, glanceOf(&w.contests, &w.contests.boards, c), func(ctx context.Context, r *table.Ranking) (ranking.Board, error) {
		if err := w.handIn(ctx, r); err != nil {
			return ranking.Board{}, err
		}
		if err := w.tellCountry(ctx, r); err != nil {
			return ranking.Board{}, err
		}
		return r.Client.Board(ctx, ranking.BoardAsk{Kind: ranking.BoardKind(c.Span), Country: country, Player: w.code(), Limit: dailyLines})
	})
	v := ui.BoardView{Known: s.known, Looking: s.looking, Trouble: s.trouble, Of: s.told.Of, Total: s.told.Total, Lines: w.boardLines(s.told.Players), Place: placeOf(s.told.Place)}
	if p := s.told.Place; p != nil {
		shown := false
		for _, l := range v.Lines {
			shown = shown || l.Me
		}
		if !shown {
			v.Near = w.boardLines(nearOf(p))
		}
	}
	return v
}

// nearOf are who stands around a player, with the player among them: of equal
// scores who had it first comes first.
func nearOf(p *ranking.Place) []ranking.Line {
	var near []ranking.Line
	own := false
	for _, n := range p.Neighbours {
		if !own && (n.Score < p.Score || n.Score == p.Score && n.TimeMs > p.TimeMs) {
			near, own = append(near, p.Line), true
		}
		near = append(near, n)
	}
	if !own {
		near = append(near, p.Line)
	}
	return near
}

// The settings of the country that a player is listed under.
const (
	countrySetting = "country"
	toldSetting    = "country-told" // what each server was told, by its key
)

// Country is the code of the player's country, "" for none.
func (w *World) Country() string {
	var code string
	if _, err := w.vault.Setting(countrySetting, &code); err != nil {
		w.note("reading the country", err)
	}
	return code
}

// SetCountry keeps the player's country; the server is told of it at the next
// look at a board.
func (w *World) SetCountry(code string) error {
	code = strings.ToUpper(strings.TrimSpace(code))
	if !ranking.ValidCountry(code) {
		return ui.Notice{ID: "trouble.country"}
	}
	if err := w.vault.SetSetting(countrySetting, code); err != nil {
		return told(err)
	}
	// What is known of a country's boards is of another one.
	c := &w.contests
	c.mu.Lock()
	c.boards = nil
	c.mu.Unlock()
	return nil
}

// tellCountry tells a server the player's country, if it does not know it yet.
func (w *World) tellCountry(ctx context.Context, r *table.Ranking) error {
	told := map[string]string{}
	if _, err := w.vault.Setting(toldSetting, &told); err != nil {
		return err
	}
	country, server := w.Country(), r.Key.String()
	if told[server] == country {
		return nil
	}
	if _, err := r.Client.MakeKnown(ctx, country); err != nil {
		return err
	}
	told[server] = country
	return w.vault.SetSetting(toldSetting, told)
}
