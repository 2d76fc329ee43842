package games

import (
	"context"
	"crypto/ed25519"
	"errors"
	"testing"

	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

var private = ed25519.NewKeyFromSeed(make([]byte, 32))

func sign(m []byte) record.Signature { return record.Signature(ed25519.Sign(private, m)) }

func terms(rules string, params []byte, b *record.Bot) record.RunTerms {
	return record.RunTerms{Version: record.Protocol, Rules: rules, Params: params, Key: record.Key(private.Public().(ed25519.PublicKey)), Seed: [32]byte{5}, Bot: b}
}

func verified(t *testing.T, r *record.Run) record.VerifiedRun {
	t.Helper()
	l, err := r.Finish(sign)
	if err != nil {
		t.Fatal(err)
	}
	v, err := record.VerifyRun(l, All())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestARunOfABotIsPlayedAgain(t *testing.T) {
	for _, level := range bot.Levels() {
		for rules, params := range map[string][]byte{streak.Rules: streak.Counting.Params(), classic.Rules: classic.Hard.Params()} {
			tm := terms(rules, params, NameBot(level, [32]byte{1}))
			r, err := PlayRun(t.Context(), tm, 40)
			if err != nil {
				t.Fatal(err)
			}
			v := verified(t, r)
			if err := CheckBot(t.Context(), v); err != nil {
				t.Errorf("%v in %s: %v", level, rules, err)
			}
			// The same moves, under the name of another.
			other := tm
			other.Bot = NameBot(bot.Beginner, [32]byte{9, 9})
			again, err := record.BeginRun(other, All())
			if err != nil {
				t.Fatal(err)
			}
			for n := 1; n <= v.Len(); n++ {
				if err := again.Apply(v.MoveAt(n)); err != nil {
					t.Fatal(err)
				}
			}
			if err := CheckBot(t.Context(), verified(t, again)); !errors.Is(err, ErrOtherMoves) {
				t.Errorf("%v in %s as a beginner: %v", level, rules, err)
			}
		}
	}
}

// Nobody waits for what has been given up.
func TestABotIsGivenUp(t *testing.T) {
	easy := terms(streak.Rules, streak.Counting.Params(), NameBot(bot.Easy, [32]byte{}))
	r, err := PlayRun(t.Context(), easy, 10)
	if err != nil {
		t.Fatal(err)
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	if _, err := PlayRun(over, easy, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("playing: %v", err)
	}
	if err := CheckBot(over, verified(t, r)); !errors.Is(err, context.Canceled) {
		t.Errorf("playing again: %v", err)
	}
}

func TestBotsThatAreNone(t *testing.T) {
	person := terms(streak.Rules, streak.Counting.Params(), nil)
	r, err := record.BeginRun(person, All())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Apply(bot.New(bot.Easy, 1).Streak(r.Position().(streak.State))); err != nil {
		t.Fatal(err)
	}
	if err := CheckBot(t.Context(), verified(t, r)); err != nil {
		t.Errorf("a person's run: %v", err)
	}
	if _, err := PlayRun(t.Context(), person, 10); !errors.Is(err, ErrUnknownBot) {
		t.Errorf("nobody plays: %v", err)
	}
	strange := terms(streak.Rules, streak.Counting.Params(), &record.Bot{Name: "deep thought", Version: 42, Nodes: 1})
	if _, err := PlayRun(t.Context(), strange, 10); !errors.Is(err, ErrUnknownBot) {
		t.Error(err)
	}
	if _, err := PlayRun(t.Context(), terms(duel.Rules, nil, NameBot(bot.Easy, [32]byte{})), 10); err == nil {
		t.Error("a bot plays a duel alone")
	}
}
