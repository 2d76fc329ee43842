package ledger

import (
	"fmt"
	"testing"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

// What a player is told of his place: nothing of others while there are none,
// "above 3 of 7 players" from the second player on, the percentile from the 20th.
func TestFromHowManyPlayersOnAPlaceIsTold(t *testing.T) {
	d := newDesk(t)
	for _, n := range []int{1, 2, 8, 19, 20, 21} {
		board := ranking.DayAt(d.now).String()
		for i := range n {
			p := judgetest.NewSigner(fmt.Sprint("player ", i))
			d.meet(p)
			err := d.store.Update(t.Context(), func(tx *store.Tx) error {
				return tx.PutScore(board, store.Score{Player: p.Key, Score: int64(10 * i), ReachedMs: d.now, Days: 1, Run: record.ID{1}})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, above := range []int{0, n / 2, n - 1} {
			b, err := d.Board(t.Context(), d.now, BoardAsk{Kind: ranking.DayBoard, Player: record.PlayerCode(judgetest.NewSigner(fmt.Sprint("player ", above)).Key)})
			if err != nil || b.Place == nil {
				t.Fatal(b, err)
			}
			var sentence string
			switch {
			case n == 2:
				sentence = fmt.Sprintf("above %d of 1 player", above)
			case n > 2:
				sentence = fmt.Sprintf("above %d of %d players", above, n-1)
			}
			p := b.Place
			if p.Rank != n-above || p.Total != n || p.Sentence != sentence || (p.Percentile != nil) != (n >= 20) || n >= 20 && *p.Percentile != 100*above/(n-1) {
				t.Errorf("the player above %d of %d: %+v, %q", above, n, p, p.Sentence)
			}
		}
	}
}
