package judge_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

var (
	runServer, runAlice, runBob = judgetest.NewSigner("server"), judgetest.NewSigner("alice"), judgetest.NewSigner("bob")
	runSeed                     = [32]byte{1, 2, 3}
	runNonce                    = [16]byte{4, 5}
)

func leave(p judgetest.Signer) ranking.Attempt {
	return ranking.Attempt{Contest: ranking.ContestOf(20787), Server: runServer.Key, Player: p.Key, Nonce: runNonce, Seed: runSeed, Number: 2, IssuedMs: 1}.Sign(runServer.Sign)
}

func runTerms() record.RunTerms {
	return judgetest.RunTerms(runAlice, runSeed, runNonce, leave(runAlice).Append(nil))
}

func readRun(file []byte) (judge.RunVerdict, error) {
	v, err := judge.ReadRun(file, games.All(), runServer.Key)
	if err != nil {
		return v, err
	}
	return v.PlayAgain(context.Background())
}

func TestAnHonestRun(t *testing.T) {
	for _, attempt := range [][]byte{nil, leave(runAlice).Append(nil)} {
		file := judgetest.PlayRun(runAlice, judgetest.RunTerms(runAlice, runSeed, runNonce, attempt), bot.Medium, 1, 1000)
		v, err := readRun(file)
		if err != nil || v.Flag != ranking.None || v.Claim.Score <= 0 || v.Placements == 0 || v.Head == (record.Head{}) {
			t.Fatalf("%+v %v", v, err)
		}
		if (v.Attempt != nil) != (attempt != nil) || attempt != nil && v.Attempt.Number != 2 {
			t.Errorf("attempt %+v", v.Attempt)
		}
		if again := judgetest.TakeApart(file).Sign(runAlice); !slices.Equal(again, file) {
			t.Error("the file is not put together as it was")
		}
	}
}

// TestAByteIsChanged changes every byte of a file: nobody signed that.
func TestAByteIsChanged(t *testing.T) {
	file := judgetest.PlayRun(runAlice, runTerms(), bot.Easy, 1, 1000)
	for i := range file {
		bad := slices.Clone(file)
		bad[i] ^= 1 << (i % 8)
		_, err := readRun(bad)
		refusal, ok := errors.AsType[*ranking.Refusal](err)
		if !ok || refusal.Reason < 101 || refusal.Reason > 199 {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	for _, n := range []int{0, 1, 7, 100, len(file) - 1} {
		if _, err := readRun(file[:n]); err == nil {
			t.Errorf("%d bytes are a run", n)
		}
	}
}

func TestWhatIsFlaggedAndWhatIsRefused(t *testing.T) {
	honest := judgetest.TakeApart(judgetest.PlayRun(runAlice, runTerms(), bot.Medium, 1, 1000))
	parts := func(change func(*judgetest.RunParts)) []byte {
		p := honest
		p.Digests = slices.Clone(p.Digests)
		change(&p)
		return p.Sign(runAlice)
	}
	play := func(change func(*record.RunTerms)) []byte {
		tm := runTerms()
		change(&tm)
		return judgetest.PlayRun(runAlice, tm, bot.Easy, 1, 1000)
	}
	tree := record.RunTerms{Version: record.Protocol, Rules: classic.Rules, Params: classic.Easy.Params(), Key: runAlice.Key, Seed: runSeed, Nonce: runNonce,
		Attempt: leave(runAlice).Append(nil), Bot: games.NameBot(bot.Easy, [32]byte{})}
	run, err := games.PlayRun(t.Context(), tree, 20)
	if err != nil {
		t.Fatal(err)
	}
	classicLog, err := run.Finish(runAlice.Sign)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file []byte
		want ranking.Reason
	}{
		"illegal move":  {honest.Illegal(20).Sign(runAlice), ranking.RunIllegalMove},
		"first move":    {honest.Illegal(0).Sign(runAlice), ranking.RunIllegalMove},
		"after the end": {parts(func(p *judgetest.RunParts) { p.Moves = append(slices.Clone(p.Moves), p.Moves[0]) }), ranking.RunIllegalMove},
		"digest":        {parts(func(p *judgetest.RunParts) { p.Digests[0][3]++ }), ranking.RunWrongDigest},
		"score":         {parts(func(p *judgetest.RunParts) { p.Score++ }), ranking.RunWrongScore},
		"combo":         {parts(func(p *judgetest.RunParts) { p.Combo++ }), ranking.RunWrongCombo},
		"board":         {parts(func(p *judgetest.RunParts) { p.Board[0]++ }), ranking.RunWrongBoard},
		"another deal":  {play(func(t *record.RunTerms) { t.Seed[0]++ }), ranking.RunWrongSeed},
		"another run":   {play(func(t *record.RunTerms) { t.Nonce[0]++ }), ranking.SecondRun},
		"training":      {play(func(t *record.RunTerms) { t.Params = streak.Training.Params() }), ranking.RunWrongRules},
		"classic":       {classicLog.Append(nil), ranking.RunWrongRules},
		"not that bot":  {play(func(t *record.RunTerms) { t.Bot = games.NameBot(bot.Beginner, [32]byte{1}) }), ranking.RunNotOfThatBot},
		"no such bot":   {play(func(t *record.RunTerms) { t.Bot = &record.Bot{Name: "hal", Version: 9000, Nodes: 1} }), ranking.UnknownBot},
		"no attempt":    {play(func(t *record.RunTerms) { t.Attempt = []byte("leave") }), ranking.AttemptNotGenuine},
		"another's":     {play(func(t *record.RunTerms) { t.Attempt = leave(runBob).Append(nil) }), ranking.AttemptNotGenuine},
		"another server": {play(func(t *record.RunTerms) {
			a := leave(runAlice)
			a.Server = runBob.Key
			t.Attempt = a.Sign(runBob.Sign).Append(nil)
		}), ranking.AttemptNotGenuine},
		"made up":           {play(func(t *record.RunTerms) { a := leave(runAlice); a.Number = 1; t.Attempt = a.Append(nil) }), ranking.AttemptNotGenuine},
		"by another":        {honest.Sign(runBob), ranking.RunNotSigned},
		"illegal, no leave": {func() []byte { p := honest; p.Terms.Attempt = []byte("x"); return p.Illegal(3).Sign(runAlice) }(), ranking.AttemptNotGenuine},
		"a match":           {judgetest.Sit(runServer, runAlice, runBob, 1, "m").PlayOut().Seal().Log(), ranking.NotSolo},
		"nothing":           {nil, ranking.NotARun},
		"too much":          {make([]byte, record.MaxRun+1), ranking.RunTooLarge},
	} {
		v, err := readRun(c.file)
		got := v.Flag
		if refusal, ok := errors.AsType[*ranking.Refusal](err); ok {
			got = refusal.Reason
		}
		if got != c.want || err == nil == (c.want < 200) {
			t.Errorf("%s: %d (%v), want %d", name, got, err, c.want)
		}
	}
}

// A bot that plays again is given up with who waits for it, and its run is not
// flagged for that.
func TestABotThatPlaysAgainIsGivenUp(t *testing.T) {
	tm := runTerms()
	tm.Bot = games.NameBot(bot.Easy, [32]byte{})
	v, err := judge.ReadRun(judgetest.PlayRun(runAlice, tm, bot.Easy, 0, 20), games.All(), runServer.Key)
	if err != nil {
		t.Fatal(err)
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	if v, err := v.PlayAgain(over); !errors.Is(err, context.Canceled) || v.Flag != ranking.None {
		t.Errorf("%d %v", v.Flag, err)
	}
}

func TestARunOfABot(t *testing.T) {
	tm := runTerms()
	tm.Bot = games.NameBot(bot.Medium, [32]byte{0, 0, 0, 0, 0, 0, 0, 7})
	file := judgetest.PlayRun(runAlice, tm, bot.Medium, 7, 1000)
	if v, err := judge.ReadRun(file, games.All(), runServer.Key); err != nil || v.Judged() {
		t.Errorf("judged without having it play again: %v", err)
	}
	v, err := readRun(file)
	if !v.Judged() {
		t.Error("not judged")
	}
	if err != nil || v.Flag != ranking.None || v.Terms.Bot == nil {
		t.Errorf("%+v %v", v.Flag, err)
	}
}

func FuzzReadRun(f *testing.F) {
	f.Add(judgetest.PlayRun(runAlice, runTerms(), bot.Easy, 1, 10))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := readRun(b); err != nil {
			if _, ok := errors.AsType[*ranking.Refusal](err); !ok {
				t.Errorf("%v is no refusal", err)
			}
		}
	})
}
