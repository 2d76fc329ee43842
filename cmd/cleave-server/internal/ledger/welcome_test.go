package ledger

import (
	"testing"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/engine/bot"
)

// welcomed asks what becomes of a file before its bot plays again.
func (d *desk) welcomed(file []byte) (known bool, flag ranking.Reason, err error) {
	d.t.Helper()
	v, err := judge.ReadRun(file, d.games, d.key)
	if err != nil {
		d.t.Fatal(err)
	}
	v, known, err = d.Welcome(d.t.Context(), d.now, v)
	return known, v.Flag, err
}

// Having a bot play again takes seconds, so nobody gets it for a run that is
// known, that is one too many, or of a player who handed in enough of those.
func TestABotPlaysAgainOnlyWhereItMayCount(t *testing.T) {
	onEither(t, testABotPlaysAgainOnlyWhereItMayCount)
}

func testABotPlaysAgainOnlyWhereItMayCount(t *testing.T, d *desk) {
	d.meet(alice)
	tm := d.begun(alice, "", 1)
	tm.Bot = games.NameBot(bot.Easy, [32]byte{})
	file := judgetest.PlayRun(alice, tm, bot.Easy, 0, 4)
	if known, flag, err := d.welcomed(file); known || flag != ranking.None || err != nil {
		t.Fatal(known, flag, err)
	}
	d.handed(file, ranking.RunOfBot, ranking.PlayedByBot)
	if known, _, err := d.welcomed(file); !known || err != nil {
		t.Error(known, err)
	}
	// A verdict on what is known needs no bot.
	v, err := judge.ReadRun(file, d.games, d.key)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := d.UploadRun(t.Context(), d.now, v); err != nil || a.State != ranking.RunOfBot {
		t.Errorf("%+v %v", a, err)
	}
	longer := judgetest.PlayRun(alice, tm, bot.Easy, 0, 5)
	if known, flag, err := d.welcomed(longer); known || flag != ranking.SecondRun || err != nil {
		t.Error(known, flag, err)
	}
	d.begun(alice, "", 2)
	d.begun(alice, "", 3)
	offline := func(n int) []byte {
		other := tm
		other.Attempt, other.Nonce = nil, nonce(n)
		return judgetest.PlayRun(alice, other, bot.Easy, 0, 4)
	}
	for n := range maxFlagged {
		if known, flag, err := d.welcomed(offline(10 + n)); known || flag != ranking.FourthChance || err != nil {
			t.Error(known, flag, err)
		}
		d.handed(offline(10+n), ranking.RunFlagged, ranking.FourthChance)
	}
	_, _, err = d.welcomed(offline(40))
	d.refused(err, ranking.TooManyFlagged)
}
