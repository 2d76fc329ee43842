package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/rating"
	"github.com/cleavegame/cleave/lockstep/record"
)

const (
	// maxFlagged is how many runs that do not hold are kept of one player in
	// one contest: they are evidence, and three chances give little of it.
	maxFlagged = 8
	// lookBack is for how many days a run without an attempt is told that its
	// day is over, rather than that it has none.
	lookBack = 31
)

// contest is what a run was played for, or a refusal: nothing, or what is
// closed.
func (t *turn) contest(v judge.RunVerdict) (c ranking.Contest, err error) {
	var closesMs int64
	switch {
	case v.Attempt == nil:
		today := ranking.DayAt(t.nowMs)
		for d := today; d >= 0 && d > today-lookBack; d-- {
			if t.l.seed(d) == v.Terms.Seed {
				c, closesMs = ranking.ContestOf(d), d.ClosesMs()
				break
			}
		}
	case v.Attempt.Contest.Kind == ranking.DailyContest:
		c = v.Attempt.Contest
		closesMs = c.Day().ClosesMs()
	default:
		a, known, err := t.Arena(v.Attempt.Contest.String())
		if err != nil {
			return c, err
		}
		if known {
			c, closesMs = v.Attempt.Contest, a.ClosesMs
		}
	}
	switch {
	case closesMs == 0:
		return c, ranking.Refuse(ranking.NoContest, "")
	case t.nowMs >= closesMs:
		return c, ranking.Refuse(ranking.Closed, "")
	}
	return c, nil
}

// KnownRun answers an upload of a file that has been received before, without
// replaying it.
func (l *Ledger) KnownRun(ctx context.Context, file []byte) (a ranking.RunAnswer, known bool, err error) {
	log, err := record.ParseRunLog(file)
	if err != nil {
		return a, false, nil
	}
	hash := sha256.Sum256(file)
	err = l.store.View(ctx, func(tx *store.Tx) error {
		runs, err := tx.Runs(log.Terms().ID())
		if err != nil {
			return err
		}
		for _, r := range runs {
			if r.Hash == hash {
				known = true
				a, err = answerRun(tx, r)
			}
		}
		return err
	})
	return a, known && err == nil, err
}

// Welcome is asked before a bot plays again, which is costly. It refuses a run
// that is for nothing that is open here, by a player who is not known, or by one
// who handed in too many that do not hold; it flags one that is one too many,
// whatever its bot plays; and it says whether the run is known, so that UploadRun
// answers as it did.
func (l *Ledger) Welcome(ctx context.Context, nowMs int64, v judge.RunVerdict) (_ judge.RunVerdict, known bool, err error) {
	err = l.store.View(ctx, func(tx *store.Tx) error {
		t := &turn{Tx: tx, l: l, nowMs: nowMs}
		if _, known, err = t.received(v); known || err != nil {
			return err
		}
		c, err := t.welcome(v)
		if err != nil {
			return err
		}
		r, err := t.entry(v, c)
		v.Flag = r.Reason
		return err
	})
	return v, known, err
}

// welcome returns what a run is for.
func (t *turn) welcome(v judge.RunVerdict) (ranking.Contest, error) {
	c, err := t.contest(v)
	if err != nil || v.Attempt != nil {
		return c, err
	}
	// Whoever made up a key has not worked for it yet.
	_, known, err := t.Player(v.Terms.Key)
	if err == nil && !known {
		err = ranking.Refuse(ranking.WorkNeeded, "")
	}
	return c, err
}

// UploadRun takes a run that was judged whole, or that is known.
func (l *Ledger) UploadRun(ctx context.Context, nowMs int64, v judge.RunVerdict) (ranking.RunAnswer, error) {
	var a ranking.RunAnswer
	err := l.write(ctx, nowMs, func(t *turn) error {
		r, err := t.uploadRun(v)
		if err != nil {
			return err
		}
		a, err = answerRun(t.Tx, r)
		return err
	})
	return a, err
}

// received finds what was kept of a run before: the same file, or one that says
// the same and is signed again.
func (t *turn) received(v judge.RunVerdict) (store.Run, bool, error) {
	earlier, err := t.Runs(v.ID)
	for _, r := range earlier {
		if r.Hash == v.Hash || v.Flag == ranking.None && r.Head == v.Head {
			return r, true, nil
		}
	}
	return store.Run{}, false, err
}

func (t *turn) uploadRun(v judge.RunVerdict) (store.Run, error) {
	r, known, err := t.received(v)
	if known || err != nil {
		return r, err
	}
	if !v.Judged() {
		panic("ledger: a run whose bot did not play again")
	}
	c, err := t.welcome(v)
	if err != nil {
		return store.Run{}, err
	}
	if v.Attempt != nil { // which a restored database may lack
		if _, err := t.AddPlayer(v.Terms.Key, t.nowMs); err != nil {
			return store.Run{}, err
		}
		if err := t.keepAttempt(*v.Attempt); err != nil {
			return store.Run{}, err
		}
	}
	return t.addRun(v, c)
}

// entry is a run as it is going to be kept: which of the chances it takes, and
// why it is flagged, if it is. It is refused when its player has handed in too
// many of those.
func (t *turn) entry(v judge.RunVerdict, c ranking.Contest) (store.Run, error) {
	r := store.Run{ID: v.ID, Hash: v.Hash, Head: v.Head, Contest: c.String(), Player: v.Terms.Key, State: ranking.RunCounted, Reason: v.Flag,
		Score: v.Claim.Score, Combo: int(v.Claim.Combo), Placements: v.Placements, ReceivedMs: t.nowMs}
	if v.Attempt != nil {
		r.Attempt = int(v.Attempt.Number)
	}
	if v.Terms.Bot != nil {
		r.Bot = v.Terms.Bot.Name
	}
	had, err := t.RunsOf(r.Contest, r.Player)
	if err != nil {
		return r, err
	}
	if v.Attempt == nil {
		// The answer to its attempt may have been lost on the way, and the run
		// begun without: it is that attempt's all the same.
		opened, err := t.Attempts(r.Contest, r.Player)
		if err != nil {
			return r, err
		}
		for _, o := range opened {
			if o.Nonce == v.Terms.Nonce {
				r.Attempt = o.Number
			}
		}
	}
	if r.Reason == ranking.None {
		if r.Reason, err = t.chances(r, had); err != nil {
			return r, err
		}
	}
	if r.Reason == ranking.None {
		return r, nil
	}
	r.State = ranking.RunFlagged
	flagged := 0
	for _, h := range had {
		if h.State == ranking.RunFlagged {
			flagged++
		}
	}
	if flagged >= maxFlagged {
		return r, ranking.Refuse(ranking.TooManyFlagged, r.Reason.Text())
	}
	return r, nil
}

// addRun keeps a run and lets it count for what it is worth.
func (t *turn) addRun(v judge.RunVerdict, c ranking.Contest) (store.Run, error) {
	r, err := t.entry(v, c)
	if err != nil {
		return r, err
	}
	if r.State == ranking.RunCounted && r.Bot != "" {
		r.State, r.Reason = ranking.RunOfBot, ranking.PlayedByBot
	}
	if r.Receipt, err = t.runReceipt(r); err != nil {
		return r, err
	}
	if err := t.AddRun(r, v.File); err != nil {
		return r, err
	}
	return r, t.recount(c, r.Player)
}

// chances flags a run that holds and is one too many.
func (t *turn) chances(r store.Run, had []store.Run) (ranking.Reason, error) {
	if r.Attempt > 0 {
		for _, h := range had {
			if h.Attempt == r.Attempt {
				return ranking.SecondRun, nil
			}
		}
		return ranking.None, nil
	}
	for _, h := range had {
		if h.ID == r.ID {
			return ranking.SecondRun, nil
		}
	}
	opened, err := t.Attempts(r.Contest, r.Player)
	if err != nil {
		return 0, err
	}
	offline, err := t.offline(r.Contest, r.Player)
	if len(opened)+offline >= ranking.DailyAttempts {
		return ranking.FourthChance, err
	}
	return ranking.None, err
}

// runReceipt enters a run, or what has become of it, in the public log, and is the
// receipt. The leaf holds the hash of the file; the moves are published when its
// contest is closed.
func (t *turn) runReceipt(r store.Run) ([]byte, error) {
	kind := ranking.Counted
	if r.State == ranking.RunFlagged {
		kind = ranking.Flagged
	}
	number, err := t.leaf(rating.Leaf{Kind: rating.LeafRun, Match: r.ID, Winner: rating.Nobody, Score: [2]int32{r.Score, 0}, Reason: uint16(r.Reason),
		Index: uint32(r.Attempt), Player: rating.Key(r.Player), Evidence: r.Hash})
	if err != nil {
		return nil, err
	}
	return ranking.Receipt{Kind: kind, Server: t.l.key, Match: r.ID, Head: r.Hash, TimeMs: t.nowMs, Reason: r.Reason, Leaf: number,
		Player: r.Player, Index: uint32(r.Attempt)}.Sign(t.l.sign).MarshalJSON()
}

func publicRun(r store.Run, publishedMs int64) ranking.Run {
	a := ranking.Run{Run: hex.EncodeToString(r.ID[:]), Contest: r.Contest, State: r.State, Reason: r.Reason, Code: record.PlayerCode(r.Player), Key: r.Player.String(),
		Bot: r.Bot, Attempt: r.Attempt, Score: r.Score, Combo: r.Combo, Placements: r.Placements, ReceivedMs: r.ReceivedMs, ReplayedMs: r.ReplayedMs,
		Hash: hex.EncodeToString(r.Hash[:]), PublishedMs: publishedMs}
	if r.Reason != ranking.None {
		a.Text = r.Reason.Text()
	}
	return a
}

// closes is when a contest closes.
func closes(tx *store.Tx, contest string) (int64, error) {
	c, ok := ranking.ParseContest(contest)
	if !ok {
		panic("ledger: a contest called " + contest)
	}
	if c.Kind == ranking.DailyContest {
		return c.Day().ClosesMs(), nil
	}
	a, _, err := tx.Arena(contest)
	return a.ClosesMs, err
}

func answerRun(tx *store.Tx, r store.Run) (ranking.RunAnswer, error) {
	closesMs, err := closes(tx, r.Contest)
	if err != nil {
		return ranking.RunAnswer{}, err
	}
	a := ranking.RunAnswer{Run: publicRun(r, closesMs)}
	if a.Receipt, err = readReceipt(r.Receipt); err != nil || r.State == ranking.RunFlagged {
		return a, err
	}
	if a.Place, err = placeOf(tx, store.Board{Name: r.Contest}, r.Player); err != nil {
		return a, err
	}
	if c, _ := ranking.ParseContest(r.Contest); c.Kind == ranking.DailyContest {
		a.Total, err = placeOf(tx, store.Board{Name: allTime}, r.Player)
	}
	return a, err
}

// Run is what is known of a run: of several under one id, the one that counts.
func (l *Ledger) Run(ctx context.Context, id record.ID) (ranking.Run, error) {
	var a ranking.Run
	err := l.store.View(ctx, func(tx *store.Tx) error {
		r, closesMs, err := runOf(tx, id)
		a = publicRun(r, closesMs)
		return err
	})
	return a, err
}

// RunFile is the file of a run, once nobody can enter its contest any more.
func (l *Ledger) RunFile(ctx context.Context, nowMs int64, id record.ID) ([]byte, error) {
	var file []byte
	err := l.store.View(ctx, func(tx *store.Tx) error {
		r, closesMs, err := runOf(tx, id)
		if err != nil {
			return err
		}
		if nowMs < closesMs {
			return ranking.Refuse(ranking.NotPublished, "")
		}
		file, err = tx.RunFile(id, r.Hash)
		return err
	})
	return file, err
}

// runOf is the run of an id that counts, or else the first that came.
func runOf(tx *store.Tx, id record.ID) (store.Run, int64, error) {
	runs, err := tx.Runs(id)
	if err == nil && len(runs) == 0 {
		err = ranking.Refuse(ranking.NotFound, "")
	}
	if err != nil {
		return store.Run{}, 0, err
	}
	r := runs[0]
	for _, other := range runs {
		if other.State != ranking.RunFlagged {
			r = other // there is one at most
		}
	}
	closesMs, err := closes(tx, r.Contest)
	return r, closesMs, err
}
