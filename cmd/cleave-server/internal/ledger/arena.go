package ledger

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/lockstep/record"
)

const (
	// aiEveryMs is how often an AI player takes a seat: so that all are taken
	// when the arena closes, and until then there is room for people.
	aiEveryMs = ranking.ArenaMs / ranking.ArenaSeats
	// arenaLastMs is how long before its close an arena is no longer given to
	// who wants any.
	arenaLastMs = 3600 * 1000
	// aiPlacements is where an AI player leaves its run: an expert goes on for
	// ten times as long now and then, and each run is played again in the night.
	aiPlacements = 2_000
	// maxArenas is how many are listed for who looks for one.
	maxArenas = 100
)

// EnterArena takes a seat for the player in the arena that is asked for, or in
// the oldest that has one, or in a new one; or it returns the seat that was
// taken with the nonce before.
func (l *Ledger) EnterArena(ctx context.Context, nowMs int64, player record.Key, ask ranking.AttemptRequest) (ranking.AttemptAnswer, error) {
	nonce, err := readNonce(ask)
	if err != nil {
		return ranking.AttemptAnswer{}, err
	}
	var arena store.Arena
	var attempt ranking.Attempt
	err = l.write(ctx, nowMs, func(t *turn) error {
		if err := t.known(player, ask.Work); err != nil {
			return err
		}
		var have *store.Attempt
		if arena, have, err = t.pick(player, nonce, ask.Arena); err != nil {
			return err
		}
		if have != nil {
			attempt, err = ranking.ParseAttempt(have.Body)
			return err
		}
		n, err := t.CountAttempts(player, nowMs-ranking.ArenaMs, arena.ID)
		if err != nil {
			return err
		}
		if n >= ranking.ArenasPerDay {
			return ranking.Refuse(ranking.TooManyArenas, "")
		}
		attempt = t.seat(arena, player, nonce)
		if err := t.keepAttempt(attempt); err != nil {
			return err
		}
		arena.Entrants++
		return t.PutArena(arena)
	})
	return answerAttempt(attempt, arena.ClosesMs, nowMs), err
}

// seat is the leave to play in an arena.
func (t *turn) seat(a store.Arena, player record.Key, nonce [16]byte) ranking.Attempt {
	c, ok := ranking.ParseContest(a.ID)
	if !ok {
		panic("ledger: an arena called " + a.ID)
	}
	return ranking.Attempt{Contest: c, Server: t.l.key, Player: player, Nonce: nonce, Seed: a.Seed, Number: 1, IssuedMs: t.nowMs}.Sign(t.l.sign)
}

// pick finds the arena for a player, and the seat that he has there already
// under the nonce.
func (t *turn) pick(player record.Key, nonce [16]byte, wanted string) (store.Arena, *store.Attempt, error) {
	open, err := t.OpenArenas()
	if err != nil {
		return store.Arena{}, nil, err
	}
	var free *store.Arena
	for i, a := range open {
		mine, err := t.Attempts(a.ID, player)
		if err != nil {
			return store.Arena{}, nil, err
		}
		if len(mine) > 0 && mine[0].Nonce == nonce && (wanted == "" || wanted == a.ID) {
			return a, &mine[0], nil
		}
		if free == nil && len(mine) == 0 && a.Entrants < ranking.ArenaSeats && t.nowMs < a.ClosesMs-arenaLastMs {
			free = &open[i]
		}
	}
	switch {
	case wanted != "":
		a, err := t.wanted(player, wanted)
		return a, nil, err
	case free != nil:
		return *free, nil, nil
	}
	var id [16]byte
	rand.Read(id[:])
	return store.Arena{ID: hex.EncodeToString(id[:]), Seed: t.l.derived("cleave/arena/1", id[:]...), OpenedMs: t.nowMs, ClosesMs: t.nowMs + ranking.ArenaMs}, nil, nil
}

// wanted is the arena that a player asks for, if he may enter it.
func (t *turn) wanted(player record.Key, id string) (store.Arena, error) {
	a, known, err := t.Arena(id)
	if err != nil {
		return a, err
	}
	mine, err := t.Attempts(id, player)
	switch {
	case err != nil:
		return a, err
	case !known:
		return a, ranking.Refuse(ranking.NotFound, "")
	case len(mine) > 0:
		return a, ranking.Refuse(ranking.ArenaEntered, "")
	case t.nowMs >= a.ClosesMs:
		return a, ranking.Refuse(ranking.Closed, "")
	case a.Entrants >= ranking.ArenaSeats:
		return a, ranking.Refuse(ranking.ArenaFull, "")
	}
	return a, nil
}

// FillArenas has AI players take the seats that are theirs by now, and closes
// the arenas that are over. It returns when to look again, 0 for no idea.
func (l *Ledger) FillArenas(ctx context.Context, nowMs int64) (nextMs int64, err error) {
	var open []store.Arena
	if err := l.store.View(ctx, func(tx *store.Tx) error { open, err = tx.OpenArenas(); return err }); err != nil {
		return 0, err
	}
	for _, a := range open {
		for n := 1; n <= ranking.ArenaSeats; n++ {
			dueMs := min(a.OpenedMs+int64(n)*aiEveryMs, a.ClosesMs)
			if dueMs > nowMs {
				if nextMs == 0 || dueMs < nextMs {
					nextMs = dueMs
				}
				break
			}
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			if err := l.enterAI(ctx, nowMs, a, n); err != nil {
				return 0, err
			}
		}
		if nowMs < a.ClosesMs {
			continue
		}
		err := l.write(ctx, nowMs, func(t *turn) error {
			a, _, err := t.Arena(a.ID)
			if err != nil {
				return err
			}
			a.Closed = true
			return t.PutArena(a)
		})
		if err != nil {
			return 0, err
		}
	}
	return nextMs, nil
}

// ai is the n-th AI player of an arena: its key, and how terms name it. All of
// it follows from the server's key, so that after a crash it is the same.
func (l *Ledger) ai(arena string, n int) (ed25519.PrivateKey, *record.Bot, [16]byte) {
	about := append([]byte(arena), byte(n))
	chance := l.derived("cleave/ai-level/1", about...)
	seed := l.derived("cleave/ai/1", about...)
	// Of ten, one is an expert and three are hard: most people find somebody
	// near them.
	levels := [10]bot.Level{bot.Beginner, bot.Easy, bot.Easy, bot.Medium, bot.Medium, bot.Medium, bot.Hard, bot.Hard, bot.Hard, bot.Expert}
	return ed25519.NewKeyFromSeed(seed[:]), games.NameBot(levels[chance[0]%10], l.derived("cleave/ai-seed/1", about...)), [16]byte(chance[16:])
}

// enterAI gives the n-th AI player a seat, if there is one, and its run.
func (l *Ledger) enterAI(ctx context.Context, nowMs int64, a store.Arena, n int) error {
	private, name, nonce := l.ai(a.ID, n)
	player := record.Key(private.Public().(ed25519.PublicKey))
	free := func(tx *store.Tx) (now store.Arena, free bool, err error) {
		now, _, err = tx.Arena(a.ID)
		if err != nil {
			return now, false, err
		}
		mine, err := tx.Attempts(a.ID, player)
		return now, err == nil && len(mine) == 0 && now.Entrants < ranking.ArenaSeats && !now.Closed, err
	}
	var wanted bool
	err := l.store.View(ctx, func(tx *store.Tx) (err error) { _, wanted, err = free(tx); return err })
	if err != nil || !wanted {
		return err
	}
	// The run is played before the book is locked, for it takes a while.
	attempt := (&turn{l: l, nowMs: nowMs}).seat(a, player, nonce)
	run, err := games.PlayRun(ctx, record.RunTerms{Version: record.Protocol, Rules: judge.ContestRules, Params: judge.ContestParams(), Key: player,
		Seed: a.Seed, Nonce: nonce, Attempt: attempt.Append(nil), Bot: name}, l.aiPlacements)
	if err != nil {
		return fmt.Errorf("ledger: playing for %s: %w", name.Name, err)
	}
	log, err := run.Finish(func(m []byte) record.Signature { return record.Signature(ed25519.Sign(private, m)) })
	if err != nil {
		return fmt.Errorf("ledger: finishing the run of %s: %w", name.Name, err)
	}
	v, err := judge.ReadRun(log.Append(nil), l.games, l.key)
	if err == nil {
		v, err = v.PlayAgain(ctx)
	}
	if err != nil || v.Flag != ranking.None {
		return fmt.Errorf("ledger: the run of %s does not hold: %d, %w", name.Name, v.Flag, err)
	}
	return l.write(ctx, nowMs, func(t *turn) error {
		now, wanted, err := free(t.Tx)
		if err != nil || !wanted {
			return err
		}
		if err := t.keepAttempt(attempt); err != nil {
			return err
		}
		now.Entrants++
		if err := t.PutArena(now); err != nil {
			return err
		}
		_, err = t.addRun(v, attempt.Contest)
		return err
	})
}

// Arenas are those that can be entered, the oldest first, 100 at most.
func (l *Ledger) Arenas(ctx context.Context, nowMs int64) (ranking.Arenas, error) {
	all := ranking.Arenas{NowMs: nowMs, Arenas: []ranking.Arena{}}
	err := l.store.View(ctx, func(tx *store.Tx) error {
		open, err := tx.OpenArenas()
		for _, a := range open {
			if a.Entrants < ranking.ArenaSeats && nowMs < a.ClosesMs && len(all.Arenas) < maxArenas {
				all.Arenas = append(all.Arenas, publicArena(a, nowMs))
			}
		}
		return err
	})
	return all, err
}

func publicArena(a store.Arena, nowMs int64) ranking.Arena {
	return ranking.Arena{Arena: a.ID, OpenedMs: a.OpenedMs, ClosesMs: a.ClosesMs, NowMs: nowMs, Rules: judge.ContestRules, Params: judge.ContestParams(),
		Seats: ranking.ArenaSeats, Taken: a.Entrants, Closed: a.Closed, Entrants: []ranking.ArenaLine{}}
}

// Arena is one arena with its entrants.
func (l *Ledger) Arena(ctx context.Context, nowMs int64, id string) (ranking.Arena, error) {
	var answer ranking.Arena
	err := l.store.View(ctx, func(tx *store.Tx) error {
		a, known, err := tx.Arena(id)
		if err != nil {
			return err
		}
		if !known {
			return ranking.Refuse(ranking.NotFound, "")
		}
		answer = publicArena(a, nowMs)
		runs, err := tx.RunsIn(id)
		if err != nil {
			return err
		}
		bots := map[record.ID]string{}
		for _, r := range runs {
			bots[r.ID] = r.Bot
		}
		scores, err := tx.Page(store.Board{Name: id}, 0, ranking.ArenaSeats)
		if err != nil {
			return err
		}
		played := map[record.Key]bool{}
		rank := 0
		for i, s := range scores {
			if i == 0 || s.Score != scores[i-1].Score {
				rank = i + 1
			}
			line := publicLine(s, rank)
			line.Bot = bots[s.Run]
			answer.Entrants = append(answer.Entrants, ranking.ArenaLine{Line: line, Played: true})
			played[s.Player] = true
		}
		entrants, err := tx.Entrants(id)
		for _, e := range entrants {
			if !played[e.Player] {
				answer.Entrants = append(answer.Entrants, ranking.ArenaLine{Line: ranking.Line{Code: record.PlayerCode(e.Player), Key: e.Player.String(), TimeMs: e.IssuedMs}})
			}
		}
		return err
	})
	return answer, err
}
