package judge_test

import (
	"testing"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/lockstep/record"
)

// BenchmarkReadRun replays a person's run of 300 placements, and a bot's, which
// is played again.
func BenchmarkReadRun(b *testing.B) {
	for name, named := range map[string]*record.Bot{"person": nil, "expert": games.NameBot(bot.Expert, [32]byte{})} {
		tm := runTerms()
		tm.Bot = named
		file := judgetest.PlayRun(runAlice, tm, bot.Expert, 0, 300)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if v, err := readRun(file); err != nil || v.Flag != 0 || v.Placements != 300 {
					b.Fatalf("%+v %v", v, err)
				}
			}
		})
	}
}
