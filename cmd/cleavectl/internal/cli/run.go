package cli

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

const runLong = `
The seed decides what is dealt, and the same seed deals the same to everybody:
--seed takes 64 hexadecimal digits; any other text is hashed with SHA-256. Of
several games the first has that seed, the n-th SHA-256("cleave/game/1" || seed
|| n, four bytes). A bot's moves follow from the seed too; its game ends after
10,000 pieces at the latest. A person types on standard input.

With --out each game's log goes to FILE (the second to FILE with -2, and so on),
signed with the profile's key. Nothing is kept in the profile, and nothing
counts. For each game a line is printed, and one at the end:

  GAME n SCORE PIECES BEST-COMBO RUN-ID
  TOTAL games SCORE PIECES BEST-SCORE`

var (
	streakCommand = soloCommand("streak", streak.Rules, []string{"counting", "training"}, `
Plays a Streak: three pieces always in hand, an 8x8 board, points multiplied by
the streak. With --level training the board is emptied up to three times when
no piece fits; counting has no second chance.`)
	classicCommand = soloCommand("classic", classic.Rules, []string{"easy", "medium", "hard"}, `
Plays a Classic: a tray of three shapes, an 8x8 board, three levels.`)
)

func soloCommand(name, rules string, levels []string, about string) *command {
	return &command{
		name:  name,
		args:  "--seed S --player P [--level L] [--games N] [--out FILE]",
		short: "play a " + strings.ToUpper(name[:1]) + name[1:] + " alone",
		long:  strings.TrimSpace(about) + "\n" + runLong,
		exits: []exit{{exitPartial, "a game was not played to its end; its log holds"}},
		bind: func(fs *flag.FlagSet) func(context.Context, *call) error {
			s := soloRun{rules: rules}
			seed := fs.String("seed", "", "what is dealt, `S`: 64 hex digits, or any text")
			level := fs.String("level", levels[0], "`"+strings.Join(levels, ", ")+"`")
			fs.StringVar(&s.player, "player", "", "who plays, `P`: bot:LEVEL or human")
			fs.IntVar(&s.games, "games", 1, "how many games, `N`")
			fs.StringVar(&s.out, "out", "", "write the logs to `FILE`")
			return func(ctx context.Context, c *call) error {
				if len(c.args) != 0 {
					return usagef("%s takes no argument %q", name, c.args[0])
				}
				if *seed == "" {
					return usagef("which seed? (--seed S)")
				}
				if s.games < 1 {
					return usagef("--games must be at least 1")
				}
				params, err := soloParams(levels, *level)
				if err != nil {
					return err
				}
				if err := s.parsePlayer(); err != nil {
					return err
				}
				s.call, s.seed, s.params = c, parseSeed(*seed), params
				return s.run(ctx)
			}
		},
	}
}

// soloParams are the params of a level: its place among the levels.
func soloParams(levels []string, level string) ([]byte, error) {
	for i, l := range levels {
		if l == level {
			return []byte{byte(i)}, nil
		}
	}
	return nil, usagef("no level %q: it is %s", level, strings.Join(levels, ", "))
}

// parseSeed reads 64 hexadecimal digits, or hashes any other text.
func parseSeed(text string) [32]byte {
	if b, err := hex.DecodeString(text); err == nil && len(b) == 32 {
		return [32]byte(b)
	}
	return sha256.Sum256([]byte(text))
}

// gameSeed is the seed of game n, counted from 1.
func gameSeed(seed [32]byte, n int) [32]byte {
	if n == 1 {
		return seed
	}
	return sha256.Sum256(binary.BigEndian.AppendUint32(append([]byte("cleave/game/1"), seed[:]...), uint32(n)))
}

type soloRun struct {
	*call
	rules  string
	params []byte
	seed   [32]byte
	player string
	level  bot.Level // of a bot
	human  bool
	games  int
	out    string

	key  record.Key
	sign record.Signer
	in   *bufio.Reader

	mu      sync.Mutex
	next    int // game to be printed next
	done    map[int]string
	score   int64
	placed  int
	best    int32
	partial bool
}

func (s *soloRun) parsePlayer() error {
	kind, level, _ := strings.Cut(s.player, ":")
	switch {
	case s.player == "human":
		s.human = true
		return nil
	case kind == "bot":
		var err error
		if s.level, err = bot.ParseLevel(level); err != nil {
			return usagef("%v", err)
		}
		return nil
	case s.player == "":
		return usagef("who plays? (--player bot:LEVEL or --player human)")
	}
	return usagef("a player is bot:LEVEL or human, not %q", s.player)
}

func (s *soloRun) run(ctx context.Context) error {
	v, err := s.look()
	if err != nil {
		return err
	}
	id, err := v.Identity()
	v.Close()
	if err != nil {
		return err
	}
	s.key, s.sign = record.Key(id.Key()), func(m []byte) record.Signature { return id.Sign(m) }
	s.next, s.done = 1, map[int]string{}
	workers := runtime.GOMAXPROCS(0)
	if s.human {
		workers = 1
		s.in = bufio.NewReaderSize(s.Stdin, 4096)
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for n := 1; n <= s.games && inner.Err() == nil; n++ {
		group.Go(func() error { return s.game(inner, n) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s.json {
		s.emit(event{"event": "total", "games": s.games, "score": s.score, "placements": s.placed, "best": s.best})
	} else {
		fmt.Fprintf(s.Stdout, "TOTAL %d %d %d %d\n", s.games, s.score, s.placed, s.best)
	}
	if s.partial {
		return &exitError{code: exitPartial}
	}
	return nil
}

// errStopped says that the person wants no more.
var errStopped = errors.New("stopped")

func (s *soloRun) game(ctx context.Context, n int) error {
	terms := record.RunTerms{Version: record.Protocol, Rules: s.rules, Params: s.params, Key: s.key, Seed: gameSeed(s.seed, n)}
	rand.Read(terms.Nonce[:])
	var decide func(*record.Run) error
	if s.human {
		t := &terminal{s: s, ctx: ctx, n: n}
		decide = func(r *record.Run) error { return t.move(r) }
	} else {
		terms.Bot = games.NameBot(s.level, sha256.Sum256(append([]byte("cleave/bot/1"), terms.Seed[:]...)))
		player, err := games.Bot(*terms.Bot)
		if err != nil {
			return err
		}
		decide = func(r *record.Run) error {
			m, ok := player.Decide(r.Position())
			if !ok || r.Position().Outcome().Rounds >= games.BotPlacements {
				return errStopped
			}
			return r.Apply(m)
		}
	}
	r, err := record.BeginRun(terms, games.All())
	if err != nil {
		return err
	}
	for r.Position().Owes() == 0 && !r.Full() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := decide(r); errors.Is(err, errStopped) {
			break
		} else if err != nil {
			return err
		}
	}
	if s.human {
		fmt.Fprint(s.Stderr, drawRun(r.Position()))
	}
	if r.Len() == 0 {
		return fmt.Errorf("game %d: nothing was played", n)
	}
	log, err := r.Finish(s.sign)
	if err != nil {
		return err
	}
	if s.out != "" {
		if err := os.WriteFile(outName(s.out, n), log.Append(nil), 0o644); err != nil {
			return err
		}
	}
	s.count(n, r, log.Claim())
	return nil
}

func (s *soloRun) count(n int, r *record.Run, claim record.Claim) {
	s.mu.Lock()
	defer s.mu.Unlock()
	placed, id := r.Position().Outcome().Rounds, r.ID()
	over := r.Position().Outcome().Over
	s.score += int64(claim.Score)
	s.placed += placed
	s.best = max(s.best, claim.Score)
	s.partial = s.partial || !over
	line := fmt.Sprintf("GAME %d %d %d %d %x", n, claim.Score, placed, claim.Combo, id[:])
	if s.json {
		line = string(mustJSON(event{"event": "game", "game": n, "score": claim.Score, "placements": placed, "combo": claim.Combo,
			"run": fmt.Sprintf("%x", id[:]), "complete": over}))
	}
	// In the order of the games, whichever is over first.
	s.done[n] = line
	for {
		line, ok := s.done[s.next]
		if !ok {
			return
		}
		fmt.Fprintln(s.Stdout, line)
		delete(s.done, s.next)
		s.next++
	}
}
