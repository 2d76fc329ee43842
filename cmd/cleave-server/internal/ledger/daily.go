package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/lockstep/record"
)

// derived is a secret of the server's for one use. It follows from the server's
// key, so that a database restored from a backup keeps every promise.
func (l *Ledger) derived(domain string, about ...byte) [32]byte {
	b := append([]byte(domain), l.secret...)
	return sha256.Sum256(append(b, about...))
}

// chain is the hash chain of a year's seeds.
func (l *Ledger) chain(year int) record.Chance {
	secret := l.derived("cleave/year/1", binary.BigEndian.AppendUint32(nil, uint32(year))...)
	return record.NewChance(secret, ranking.YearDays(year))
}

// seed is the deal of a day. Nobody may be told before the day begins.
func (l *Ledger) seed(d ranking.Day) [32]byte { return l.chain(d.Year()).Layer(d.YearDay()) }

// Anchors are those of the last year, of this and of the next.
func (l *Ledger) Anchors(nowMs int64) ranking.Anchors {
	var all ranking.Anchors
	now := ranking.DayAt(nowMs).Year()
	for year := now - 1; year <= now+1; year++ {
		a := ranking.YearAnchor{Year: year, Anchor: l.chain(year).Anchor()}.Sign(l.key, l.sign)
		all.Anchors = append(all.Anchors, ranking.AnchorLine{Year: year, Anchor: hex.EncodeToString(a.Anchor[:]), Signature: base64.RawURLEncoding.EncodeToString(a.Signature[:])})
	}
	return all
}

// Daily is the challenge of a day that has begun; "" is today.
func (l *Ledger) Daily(nowMs int64, text string) (ranking.Daily, error) {
	d, err := dayOr(nowMs, text)
	if err != nil {
		return ranking.Daily{}, err
	}
	if nowMs < d.StartMs() {
		return ranking.Daily{}, notYet(nowMs)
	}
	seed, anchor := l.seed(d), l.chain(d.Year()).Anchor()
	return ranking.Daily{Day: d.String(), Seed: hex.EncodeToString(seed[:]), Anchor: hex.EncodeToString(anchor[:]), Layer: d.YearDay(),
		Rules: judge.ContestRules, Params: judge.ContestParams(), StartMs: d.StartMs(), EndMs: d.EndMs(), ClosesMs: d.ClosesMs(),
		NowMs: nowMs, Attempts: ranking.DailyAttempts}, nil
}

func dayOr(nowMs int64, text string) (ranking.Day, error) {
	if text == "" {
		return ranking.DayAt(nowMs), nil
	}
	d, ok := ranking.ParseDay(text)
	if !ok {
		return 0, ranking.Refuse(ranking.BadRequest, "a day is YYYY-MM-DD")
	}
	return d, nil
}

// notYet refuses, and tells the time to a client whose clock is wrong.
func notYet(nowMs int64) error {
	r := ranking.Refuse(ranking.NotBegun, "")
	r.NowMs = nowMs
	return r
}

// known is since when a player is known; a new one must bring a proof of work.
func (t *turn) known(player record.Key, work uint64) error {
	_, known, err := t.Player(player)
	if known || err != nil {
		return err
	}
	if !ranking.CheckWork(t.l.key, player, work, ranking.WorkBits) {
		return ranking.Refuse(ranking.WorkNeeded, "")
	}
	_, err = t.AddPlayer(player, t.nowMs)
	return err
}

// SetProfile makes a player known, and keeps the country to be listed under.
func (l *Ledger) SetProfile(ctx context.Context, nowMs int64, player record.Key, ask ranking.ProfileRequest) (ranking.Profile, error) {
	if !ranking.ValidCountry(ask.Country) {
		return ranking.Profile{}, ranking.Refuse(ranking.BadCountry, "")
	}
	err := l.write(ctx, nowMs, func(t *turn) error {
		if err := t.known(player, ask.Work); err != nil {
			return err
		}
		return t.SetCountry(player, ask.Country)
	})
	return ranking.Profile{Code: record.PlayerCode(player), Country: ask.Country}, err
}

// OpenAttempt opens one of the player's attempts at a day's challenge, or
// returns the one that was opened with the nonce before.
func (l *Ledger) OpenAttempt(ctx context.Context, nowMs int64, player record.Key, ask ranking.AttemptRequest) (ranking.AttemptAnswer, error) {
	nonce, err := readNonce(ask)
	if err != nil {
		return ranking.AttemptAnswer{}, err
	}
	d, err := dayOr(nowMs, ask.Day)
	if err != nil {
		return ranking.AttemptAnswer{}, err
	}
	if nowMs < d.StartMs() {
		return ranking.AttemptAnswer{}, notYet(nowMs)
	}
	if nowMs >= d.ClosesMs() {
		return ranking.AttemptAnswer{}, ranking.Refuse(ranking.Closed, "")
	}
	contest := ranking.ContestOf(d)
	var a ranking.Attempt
	err = l.write(ctx, nowMs, func(t *turn) error {
		if err := t.known(player, ask.Work); err != nil {
			return err
		}
		opened, err := t.Attempts(contest.String(), player)
		if err != nil {
			return err
		}
		for _, o := range opened {
			if o.Nonce == nonce {
				a, err = ranking.ParseAttempt(o.Body)
				return err
			}
		}
		offline, err := t.offline(contest.String(), player)
		if err != nil {
			return err
		}
		number := 1
		if len(opened) > 0 {
			number = opened[len(opened)-1].Number + 1
		}
		number = max(number, len(opened)+offline+1)
		if len(opened)+offline >= ranking.DailyAttempts || number > ranking.DailyAttempts {
			return ranking.Refuse(ranking.AttemptsSpent, "")
		}
		a = ranking.Attempt{Contest: contest, Server: l.key, Player: player, Nonce: nonce, Seed: l.seed(d), Number: uint8(number), IssuedMs: nowMs}.Sign(l.sign)
		return t.keepAttempt(a)
	})
	return answerAttempt(a, d.ClosesMs(), nowMs), err
}

// keepAttempt notes an attempt that is good; one that is known stays.
func (t *turn) keepAttempt(a ranking.Attempt) error {
	return t.AddAttempt(store.Attempt{Contest: a.Contest.String(), Player: a.Player, Number: int(a.Number), Nonce: a.Nonce, IssuedMs: a.IssuedMs, Body: a.Append(nil)})
}

// offline counts the chances that a player used without an attempt.
func (t *turn) offline(contest string, player record.Key) (n int, err error) {
	runs, err := t.RunsOf(contest, player)
	for _, r := range runs {
		if r.Attempt == 0 && r.Reason != ranking.FourthChance {
			n++
		}
	}
	return n, err
}

func readNonce(ask ranking.AttemptRequest) (nonce [16]byte, err error) {
	if len(ask.Nonce) != 2*len(nonce) {
		return nonce, ranking.Refuse(ranking.BadRequest, "a nonce is 32 hexadecimal digits")
	}
	if _, err := hex.Decode(nonce[:], []byte(ask.Nonce)); err != nil {
		return nonce, ranking.Refuse(ranking.BadRequest, "a nonce is 32 hexadecimal digits")
	}
	return nonce, nil
}

func answerAttempt(a ranking.Attempt, closesMs, nowMs int64) ranking.AttemptAnswer {
	return ranking.AttemptAnswer{Contest: a.Contest.String(), Number: int(a.Number), Attempt: a.Append(nil), Seed: hex.EncodeToString(a.Seed[:]),
		Rules: judge.ContestRules, Params: judge.ContestParams(), ClosesMs: closesMs, NowMs: nowMs}
}
