package ledger

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/rating"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

func at(t *testing.T, text string) int64 {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.UnixMilli()
}

// meet makes a player known without the work.
func (d *desk) meet(players ...judgetest.Signer) {
	d.t.Helper()
	for _, p := range players {
		if err := d.store.Update(d.t.Context(), func(tx *store.Tx) error { _, err := tx.AddPlayer(p.Key, d.now); return err }); err != nil {
			d.t.Fatal(err)
		}
	}
}

func nonce(n int) (b [16]byte) {
	binary.BigEndian.PutUint64(b[:], uint64(n))
	return b
}

func (d *desk) ask(p judgetest.Signer, day string, n int) (ranking.AttemptAnswer, error) {
	b := nonce(n)
	return d.OpenAttempt(d.t.Context(), d.now, p.Key, ranking.AttemptRequest{Day: day, Nonce: hex.EncodeToString(b[:])})
}

func (d *desk) seedOf(a string) [32]byte {
	d.t.Helper()
	b, err := hex.DecodeString(a)
	if err != nil {
		d.t.Fatal(err)
	}
	return [32]byte(b)
}

// begun is the terms of a run under an attempt that is granted.
func (d *desk) begun(p judgetest.Signer, day string, n int) record.RunTerms {
	d.t.Helper()
	a, err := d.ask(p, day, n)
	if err != nil {
		d.t.Fatal(err)
	}
	return judgetest.RunTerms(p, d.seedOf(a.Seed), nonce(n), a.Attempt)
}

func (d *desk) hand(file []byte) (ranking.RunAnswer, error) {
	v, err := judge.ReadRun(file, d.games, d.key)
	if err == nil {
		v, err = v.PlayAgain(d.t.Context())
	}
	if err != nil {
		return ranking.RunAnswer{}, err
	}
	return d.UploadRun(d.t.Context(), d.now, v)
}

func (d *desk) handed(file []byte, state ranking.RunState, reason ranking.Reason) ranking.RunAnswer {
	d.t.Helper()
	a, err := d.hand(file)
	if err != nil || a.State != state || a.Reason != reason {
		d.t.Fatalf("%+v %v, want %s %d", a, err, state, reason)
	}
	return a
}

func (d *desk) board(kind ranking.BoardKind, of string) []ranking.Line {
	d.t.Helper()
	b, err := d.Board(d.t.Context(), d.now, BoardAsk{Kind: kind, Of: of, Limit: 100})
	if err != nil {
		d.t.Fatal(err)
	}
	return b.Players
}

func TestTheSeedsOfAYear(t *testing.T) { onEither(t, testTheSeedsOfAYear) }

func testTheSeedsOfAYear(t *testing.T, d *desk) {
	d.now = at(t, "2028-12-31T23:59:59Z")
	anchors := map[int][32]byte{}
	for _, l := range d.Anchors(d.now).Anchors {
		sig, err := base64.RawURLEncoding.DecodeString(l.Signature)
		a := ranking.YearAnchor{Year: l.Year, Anchor: d.seedOf(l.Anchor)}
		copy(a.Signature[:], sig)
		if err != nil || !a.Check(d.key) {
			t.Errorf("%+v", l)
		}
		anchors[l.Year] = a.Anchor
	}
	if len(anchors) != 3 || anchors[2029] == ([32]byte{}) {
		t.Fatal(anchors)
	}
	seen := map[string]bool{}
	for _, day := range []string{"2028-01-01", "2028-02-29", "2028-12-30", "2028-12-31", ""} {
		c, err := d.Daily(d.now, day)
		n, _ := ranking.ParseDay(c.Day)
		if err != nil || !ranking.SeedFits(anchors[2028], n, d.seedOf(c.Seed)) || c.Rules != streak.Rules || c.NowMs != d.now {
			t.Errorf("%s: %+v %v", day, c, err)
		}
		seen[c.Seed] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d deals of 4 days", len(seen))
	}
	// Tomorrow is next year; its seed is not given out before it begins.
	_, err := d.Daily(d.now, "2029-01-01")
	d.refused(err, ranking.NotBegun)
	d.now += 1000
	c, err := d.Daily(d.now, "")
	if err != nil || c.Day != "2029-01-01" || c.Layer != 1 || !ranking.SeedFits(anchors[2029], 21550, d.seedOf(c.Seed)) {
		t.Errorf("%+v %v", c, err)
	}
	_, err = d.Daily(d.now, "tomorrow")
	d.refused(err, ranking.BadRequest)
	was := c.Seed
	d.restart()
	if c, err = d.Daily(d.now, ""); err != nil || c.Seed != was {
		t.Errorf("another deal after a restart: %v", err)
	}
}

// TestTheClientsClock asks as clients do whose clock is a day off.
func TestTheClientsClock(t *testing.T) { onEither(t, testTheClientsClock) }

func testTheClientsClock(t *testing.T, d *desk) {
	d.now = at(t, "2026-11-30T23:30:00Z")
	d.meet(alice, bob)
	// A day ahead: tomorrow has not begun, and nobody has its deal.
	_, err := d.ask(alice, "2026-12-01", 1)
	d.refused(err, ranking.NotBegun)
	if r, _ := errors.AsType[*ranking.Refusal](err); r.NowMs != d.now {
		t.Error("the client does not learn the time")
	}
	guess := judgetest.RunTerms(alice, [32]byte{1}, nonce(9), nil)
	_, err = d.hand(judgetest.PlayRun(alice, guess, bot.Easy, 1, 10))
	d.refused(err, ranking.NoContest)
	// Today's run counts once, whatever day the client thinks it is.
	today := d.begun(alice, "2026-11-30", 1)
	file := judgetest.PlayRun(alice, today, bot.Medium, 1, 100)
	a := d.handed(file, ranking.RunCounted, ranking.None)
	d.now += hour // it is tomorrow
	if again := d.handed(file, ranking.RunCounted, ranking.None); again.Receipt != a.Receipt || again.Contest != "2026-11-30" {
		t.Errorf("%+v", again)
	}
	if lines := d.board(ranking.DayBoard, "2026-12-01"); len(lines) != 0 {
		t.Errorf("yesterday's run is on today's board: %+v", lines)
	}
	if lines := d.board(ranking.MonthBoard, "2026-12"); len(lines) != 0 {
		t.Errorf("November's run is on December's board: %+v", lines)
	}
	if lines := d.board(ranking.AllBoard, ""); len(lines) != 1 || lines[0].Score != int64(a.Score) || lines[0].Days != 1 {
		t.Errorf("%+v", lines)
	}
	// A day behind: yesterday is open for 14 hours, under yesterday's deal, and
	// its chances are yesterday's.
	second := d.begun(alice, "2026-11-30", 2)
	if second.Seed != today.Seed {
		t.Error("another deal for one day")
	}
	late := d.begun(bob, "2026-11-30", 1)
	d.now = at(t, "2026-12-01T13:59:59Z")
	b := d.handed(judgetest.PlayRun(bob, late, bot.Medium, 2, 100), ranking.RunCounted, ranking.None)
	if b.Contest != "2026-11-30" || b.Place.Total != 2 {
		t.Errorf("%+v", b)
	}
	d.now += 1000
	_, err = d.ask(bob, "2026-11-30", 2)
	d.refused(err, ranking.Closed)
	_, err = d.hand(judgetest.PlayRun(alice, second, bot.Easy, 1, 100))
	d.refused(err, ranking.Closed)
	_, err = d.hand(judgetest.PlayRun(bob, judgetest.RunTerms(bob, today.Seed, nonce(7), nil), bot.Easy, 1, 100))
	d.refused(err, ranking.Closed)
	if again := d.handed(file, ranking.RunCounted, ranking.None); again.Receipt != a.Receipt {
		t.Error("what was taken once is not known after the close")
	}
}

// TestKillAndRetryAtEveryMove kills the client, and the server, at every move
// of a run. The client asks again with the nonce it noted, and goes on.
func TestKillAndRetryAtEveryMove(t *testing.T) { onEither(t, testKillAndRetryAtEveryMove) }

func testKillAndRetryAtEveryMove(t *testing.T, d *desk) {
	d.meet(alice)
	tm := d.begun(alice, "", 1)
	file := judgetest.TakeApart(judgetest.PlayRun(alice, tm, bot.Medium, 3, 60))
	var pos engine.Position = streak.New(tm.Seed, streak.Counting)
	for i, m := range file.Moves {
		if i%16 == 0 {
			d.restart()
		}
		d.now += second
		again := d.begun(alice, "", 1)
		if string(again.Append(nil)) != string(tm.Append(nil)) {
			t.Fatalf("at move %d: other terms", i)
		}
		var err error
		if pos, err = pos.Apply(engine.Move{Kind: engine.Kind(m >> 12), Data: uint64(m & 0xfff)}); err != nil {
			t.Fatal(err)
		}
	}
	// A client that lost its nonce has lost the chance, and gets no fourth.
	for n, want := range []int{2, 3} {
		a, err := d.ask(alice, "", 10+n)
		if err != nil || a.Number != want || d.seedOf(a.Seed) != tm.Seed {
			t.Fatalf("%+v %v", a, err)
		}
	}
	for n := range 5 {
		_, err := d.ask(alice, "", 20+n)
		d.refused(err, ranking.AttemptsSpent)
	}
	d.restart()
	_, err := d.ask(alice, "", 30)
	d.refused(err, ranking.AttemptsSpent)
	d.handed(judgetest.PlayRun(alice, judgetest.RunTerms(alice, tm.Seed, nonce(40), nil), bot.Medium, 1, 100), ranking.RunFlagged, ranking.FourthChance)
	a := d.handed(file.Sign(alice), ranking.RunCounted, ranking.None)
	if a.Attempt != 1 || a.Place.Attempt != 1 {
		t.Errorf("%+v", a)
	}
	// Playing a run again that was handed in makes a second run of it.
	d.handed(judgetest.PlayRun(alice, tm, bot.Easy, 3, 7), ranking.RunFlagged, ranking.SecondRun)
	if r, err := d.Run(t.Context(), tm.ID()); err != nil || r.State != ranking.RunCounted || r.Score != a.Score {
		t.Errorf("%+v %v", r, err)
	}
}

func TestOfflineRunsUseUpChances(t *testing.T) { onEither(t, testOfflineRunsUseUpChances) }

func testOfflineRunsUseUpChances(t *testing.T, d *desk) {
	c, err := d.Daily(d.now, "")
	if err != nil {
		t.Fatal(err)
	}
	run := func(n int) []byte {
		return judgetest.PlayRun(alice, judgetest.RunTerms(alice, d.seedOf(c.Seed), nonce(n), nil), bot.Level(n%3), uint64(n), 100)
	}
	// Nobody knows the key: it has to work first, once.
	_, err = d.hand(run(1))
	d.refused(err, ranking.WorkNeeded)
	_, err = d.SetProfile(t.Context(), d.now, alice.Key, ranking.ProfileRequest{Country: "NP"})
	d.refused(err, ranking.WorkNeeded)
	work, _ := ranking.Work(d.key, alice.Key, ranking.WorkBits, func() bool { return false })
	if p, err := d.SetProfile(t.Context(), d.now, alice.Key, ranking.ProfileRequest{Country: "NP", Work: work}); err != nil || p.Country != "NP" {
		t.Fatal(p, err)
	}
	a := d.handed(run(1), ranking.RunCounted, ranking.None)
	if a.Attempt != 0 || a.Place.Attempt != 0 || a.Place.Country != "NP" || a.Place.Sentence != "" || a.Place.Percentile != nil {
		t.Errorf("%+v %+v", a, a.Place)
	}
	// The next is the second chance.
	if next, err := d.ask(alice, "", 2); err != nil || next.Number != 2 {
		t.Fatalf("%+v %v", next, err)
	}
	d.handed(run(3), ranking.RunCounted, ranking.None)
	_, err = d.ask(alice, "", 4)
	d.refused(err, ranking.AttemptsSpent)
	for n := 5; n < 5+maxFlagged; n++ {
		d.handed(run(n), ranking.RunFlagged, ranking.FourthChance)
	}
	_, err = d.hand(run(5 + maxFlagged))
	d.refused(err, ranking.TooManyFlagged)
	_, err = d.SetProfile(t.Context(), d.now, alice.Key, ranking.ProfileRequest{Country: "Nepal"})
	d.refused(err, ranking.BadCountry)
	if _, err := d.SetProfile(t.Context(), d.now, alice.Key, ranking.ProfileRequest{Country: "CA"}); err != nil {
		t.Fatal(err)
	}
	for country, want := range map[string]int{"NP": 0, "CA": 1, "": 1} {
		b, err := d.Board(t.Context(), d.now, BoardAsk{Kind: ranking.AllBoard, Country: country, Limit: 10, Player: strings.ToLower(record.PlayerCode(alice.Key))})
		if err != nil || b.Total != want || len(b.Players) != want || (b.Place != nil) != (want == 1) {
			t.Errorf("%q: %+v %v", country, b, err)
		}
	}
}

// TestTheAnswerToAnAttemptIsLost has the player begin without it, under the
// nonce that was asked with: one chance is used, and not two.
func TestTheAnswerToAnAttemptIsLost(t *testing.T) { onEither(t, testTheAnswerToAnAttemptIsLost) }

func testTheAnswerToAnAttemptIsLost(t *testing.T, d *desk) {
	d.meet(alice)
	tm := d.begun(alice, "", 1)
	tm.Attempt = nil
	if a := d.handed(judgetest.PlayRun(alice, tm, bot.Medium, 1, 6), ranking.RunCounted, ranking.None); a.Attempt != 1 {
		t.Errorf("%+v", a)
	}
	d.handed(judgetest.PlayRun(alice, tm, bot.Medium, 1, 7), ranking.RunFlagged, ranking.SecondRun)
	for n := 2; n <= 3; n++ {
		if a, err := d.ask(alice, "", n); err != nil || a.Number != n {
			t.Errorf("%+v %v", a, err)
		}
	}
	_, err := d.ask(alice, "", 4)
	d.refused(err, ranking.AttemptsSpent)
}

// TestTheSumGrowsByTheImprovementOnly plays three chances and a second day.
func TestTheSumGrowsByTheImprovementOnly(t *testing.T) {
	onEither(t, testTheSumGrowsByTheImprovementOnly)
}

func testTheSumGrowsByTheImprovementOnly(t *testing.T, d *desk) {
	d.now = at(t, "2027-01-31T12:00:00Z")
	d.meet(alice)
	var best, bestAttempt int
	for n, placements := range []int{9, 40, 5} {
		a := d.handed(judgetest.PlayRun(alice, d.begun(alice, "", n), bot.Medium, 5, placements), ranking.RunCounted, ranking.None)
		if int(a.Score) > best {
			best, bestAttempt = int(a.Score), n+1
		}
		if a.Attempt != n+1 || a.Place.Score != int64(best) || a.Place.Attempt != bestAttempt || a.Total.Score != int64(best) || a.Total.Days != 1 {
			t.Errorf("%+v %+v %+v", a, a.Place, a.Total)
		}
		d.now += minute
	}
	if bestAttempt != 2 {
		t.Fatalf("attempt %d was the best", bestAttempt)
	}
	d.now += day
	a := d.handed(judgetest.PlayRun(alice, d.begun(alice, "", 9), bot.Medium, 5, 9), ranking.RunCounted, ranking.None)
	if a.Total.Score != int64(best)+int64(a.Score) || a.Total.Days != 2 {
		t.Errorf("%+v", a.Total)
	}
	for month, want := range map[string]int64{"2027-01": int64(best), "2027-02": int64(a.Score), "": int64(a.Score)} {
		if lines := d.board(ranking.MonthBoard, month); len(lines) != 1 || lines[0].Score != want {
			t.Errorf("%q: %+v, want %d", month, lines, want)
		}
	}
	for _, ask := range []BoardAsk{{Kind: "year"}, {Kind: ranking.MonthBoard, Of: "2027"}, {Kind: ranking.DayBoard, Of: "x"}, {Kind: ranking.AllBoard, Of: "2027"}, {Kind: ranking.AllBoard, Offset: 1e6}, {Kind: ranking.AllBoard, Country: "XX"}, {Kind: ranking.AllBoard, Player: "x"}} {
		if _, err := d.Board(t.Context(), d.now, ask); err == nil {
			t.Errorf("%+v is a board", ask)
		}
	}
}

// TestTheEarlierOfTwoEqualsStands makes the same moves in two chances, and has
// another player do so too.
func TestTheEarlierOfTwoEqualsStands(t *testing.T) { onEither(t, testTheEarlierOfTwoEqualsStands) }

func testTheEarlierOfTwoEqualsStands(t *testing.T, d *desk) {
	d.meet(alice, bob, carol)
	for i, p := range []judgetest.Signer{carol, alice, bob} {
		for n := range 2 {
			d.now += minute
			a := d.handed(judgetest.PlayRun(p, d.begun(p, "", n), bot.Medium, 1, 25), ranking.RunCounted, ranking.None)
			if a.Place.Attempt != 1 || a.Place.Rank != 1 || a.Total.Score != int64(a.Score) || a.Place.Above != 0 || a.Place.Of != i {
				t.Errorf("%+v %+v", a.Place, a.Total)
			}
		}
	}
	lines := d.board(ranking.DayBoard, "")
	if len(lines) != 3 || lines[0].Key != carol.Key.String() || lines[1].Key != alice.Key.String() || lines[2].Rank != 1 {
		t.Errorf("%+v", lines)
	}
}

func TestBoardsAreOfPeople(t *testing.T) { onEither(t, testBoardsAreOfPeople) }

func testBoardsAreOfPeople(t *testing.T, d *desk) {
	d.meet(alice)
	tm := d.begun(alice, "", 1)
	tm.Bot = games.NameBot(bot.Medium, [32]byte{})
	a := d.handed(judgetest.PlayRun(alice, tm, bot.Medium, 0, 50), ranking.RunOfBot, ranking.PlayedByBot)
	if a.Place != nil || a.Bot != "bot:medium" || len(d.board(ranking.DayBoard, "")) != 0 || len(d.board(ranking.AllBoard, "")) != 0 {
		t.Errorf("%+v", a)
	}
}

// A run that comes moves nobody on the ladder, whose table is not computed anew
// for it.
func TestRunsLeaveTheLadderAlone(t *testing.T) {
	d := newDesk(t)
	d.meet(alice)
	table := func() *table { return d.table(rating.SeasonAt(d.now), d.now) }
	d.upload(d.sit(alice, bob, "m").PlayOut().Seal(), ranking.StateConfirmed, ranking.None)
	one := table()
	d.handed(judgetest.PlayRun(alice, d.begun(alice, "", 1), bot.Easy, 1, 10), ranking.RunCounted, ranking.None)
	if table() != one || len(one.rows) != 2 {
		t.Errorf("another table: %+v", one.rows)
	}
	d.upload(d.sit(alice, bob, "n").PlayOut().Seal(), ranking.StateConfirmed, ranking.None)
	if table() == one {
		t.Error("a match is not seen on the table")
	}
	moved := d.moved
	if d.restart(); d.moved != moved || moved != 2 {
		t.Errorf("%d leaves move somebody, %d after a restart", moved, d.moved)
	}
}

// TestTheNight replays runs again, of which one has gone bad on the disk.
func TestTheNight(t *testing.T) { onEither(t, testTheNight) }

func testTheNight(t *testing.T, d *desk) {
	d.now = at(t, "2026-11-30T10:00:00Z")
	d.meet(alice, bob)
	file := judgetest.PlayRun(alice, d.begun(alice, "", 1), bot.Medium, 1, 60)
	a := d.handed(file, ranking.RunCounted, ranking.None)
	worse := d.handed(judgetest.PlayRun(alice, d.begun(alice, "", 2), bot.Easy, 1, 8), ranking.RunCounted, ranking.None)
	b := d.handed(judgetest.PlayRun(bob, d.begun(bob, "", 1), bot.Medium, 2, 30), ranking.RunCounted, ranking.None)
	night := func(replayed, flagged int) []ranking.Run {
		t.Helper()
		n, bad, err := d.ReplayNight(t.Context(), d.now)
		if err != nil || n != replayed || len(bad) != flagged {
			t.Fatalf("%d replayed, %+v, %v", n, bad, err)
		}
		return bad
	}
	d.now += hour
	night(0, 0) // it is still day
	d.now = at(t, "2026-12-01T00:00:00Z")
	// A night that is cut off has found nothing wrong.
	over, stop := context.WithCancel(t.Context())
	stop()
	if n, bad, err := d.ReplayNight(over, d.now); err == nil || n != 0 || len(bad) != 0 {
		t.Errorf("%d replayed, %+v, %v", n, bad, err)
	}
	parts := judgetest.TakeApart(file)
	disk := d.disk()
	defer disk.Close()
	if _, err := disk.Exec(`UPDATE run_files SET file = $2 WHERE id = $1`, a.Receipt.Match[:], parts.Illegal(30).Sign(alice)); err != nil {
		t.Fatal(err)
	}
	if bad := night(3, 1); bad[0].Reason != ranking.RunIllegalMove || bad[0].Run != a.Run.Run {
		t.Errorf("%+v", bad)
	}
	night(0, 0)
	lines := d.board(ranking.DayBoard, "2026-11-30")
	if len(lines) != 2 || lines[0].Key != bob.Key.String() || lines[0].Score != int64(b.Score) || lines[1].Score != int64(worse.Score) || lines[1].Attempt != 2 {
		t.Errorf("%+v", lines)
	}
	if lines := d.board(ranking.AllBoard, ""); lines[1].Score != int64(worse.Score) || lines[1].Days != 1 {
		t.Errorf("%+v", lines)
	}
	if r, err := d.Run(t.Context(), a.Receipt.Match); err != nil || r.State != ranking.RunFlagged || r.ReplayedMs != d.now {
		t.Errorf("%+v %v", r, err)
	}
	// Moves are published when the day is closed; the hash before.
	_, err := d.RunFile(t.Context(), d.now, b.Receipt.Match)
	d.refused(err, ranking.NotPublished)
	r, err := d.Run(t.Context(), b.Receipt.Match)
	if err != nil || r.PublishedMs != at(t, "2026-12-01T14:00:00Z") || r.Hash != hex.EncodeToString(b.Receipt.Head[:]) {
		t.Errorf("%+v %v", r, err)
	}
	got, err := d.RunFile(t.Context(), r.PublishedMs, b.Receipt.Match)
	if err != nil || len(got) == 0 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	_, err = d.RunFile(t.Context(), r.PublishedMs, record.ID{1})
	d.refused(err, ranking.NotFound)
}

// TestADatabaseRestoredFromABackup has lost what was opened since. The attempt
// itself says what it is, and nobody gains a chance or another deal.
func TestADatabaseRestoredFromABackup(t *testing.T) { onEither(t, testADatabaseRestoredFromABackup) }

func testADatabaseRestoredFromABackup(t *testing.T, d *desk) {
	d.meet(alice)
	first, second := d.begun(alice, "", 1), d.begun(alice, "", 2)
	d.handed(judgetest.PlayRun(alice, first, bot.Medium, 1, 20), ranking.RunCounted, ranking.None)
	disk := d.disk()
	defer disk.Close()
	for _, table := range []string{"attempts", "runs", "run_files", "scores", "score_counts", "players"} {
		if _, err := disk.Exec(`DELETE FROM ` + table); err != nil {
			t.Fatal(err)
		}
	}
	d.restart()
	a := d.handed(judgetest.PlayRun(alice, second, bot.Medium, 1, 30), ranking.RunCounted, ranking.None)
	b := d.handed(judgetest.PlayRun(alice, first, bot.Medium, 1, 20), ranking.RunCounted, ranking.None)
	if a.Attempt != 2 || b.Attempt != 1 || b.Place.Attempt != 2 || b.Total.Score != int64(a.Score) {
		t.Errorf("%+v %+v", a, b)
	}
	if third := d.begun(alice, "", 3); third.Seed != first.Seed {
		t.Error("another deal")
	}
	_, err := d.ask(alice, "", 4)
	d.refused(err, ranking.AttemptsSpent)
}
