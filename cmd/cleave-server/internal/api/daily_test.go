package api

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/contest"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/solo"
	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/streak"
	"github.com/cleavegame/cleave/lockstep/record"
)

func (s *site) meet(p judgetest.Signer) {
	s.t.Helper()
	if err := s.db.Update(s.ctx(), func(tx *store.Tx) error { _, err := tx.AddPlayer(p.Key, 1); return err }); err != nil {
		s.t.Fatal(err)
	}
}

// TestADailyFromAnchorToBoard is the whole way over HTTP, by a key that nobody
// knew.
func TestADailyFromAnchorToBoard(t *testing.T) {
	s := newSite(t, plenty)
	c := s.client(alice)
	anchors, err := c.Anchors(s.ctx())
	if err != nil || len(anchors) != 3 {
		t.Fatal(anchors, err)
	}
	today, err := c.Daily(s.ctx(), "")
	if err != nil || ranking.CheckDaily(today, anchors) != nil {
		t.Fatal(today, err)
	}
	if p, err := c.MakeKnown(s.ctx(), "NP"); err != nil || p.Country != "NP" || p.Code != record.PlayerCode(alice.Key) {
		t.Fatal(p, err)
	}
	nonce := [16]byte{1}
	a, answer, err := c.OpenAttempt(s.ctx(), "", nonce)
	if err != nil || answer.Number != 1 || hex.EncodeToString(a.Seed[:]) != today.Seed {
		t.Fatal(answer, err)
	}
	file := judgetest.PlayRun(alice, judgetest.RunTerms(alice, a.Seed, nonce, a.Append(nil)), bot.Medium, 1, 200)
	got, err := c.UploadRun(s.ctx(), file)
	if err != nil || got.State != ranking.RunCounted || got.Attempt != 1 || got.Place.Rank != 1 || got.Total.Rank != 1 || got.Place.Country != "NP" {
		t.Fatalf("%+v %v", got, err)
	}
	s.restart(plenty)
	c = s.client(alice)
	if again, err := s.client(carol).UploadRun(s.ctx(), file); err != nil || again.Receipt != got.Receipt {
		t.Errorf("after a restart, by another: %+v %v", again, err)
	}
	if again, _, err := c.OpenAttempt(s.ctx(), "", nonce); err != nil || again != a {
		t.Errorf("the attempt, asked for again: %+v %v", again, err)
	}
	for _, ask := range []ranking.BoardAsk{{Kind: ranking.DayBoard}, {Kind: ranking.MonthBoard, Country: "NP", Limit: 5}, {Kind: ranking.AllBoard, Player: record.PlayerCode(alice.Key)}} {
		b, err := c.Board(s.ctx(), ask)
		if err != nil || b.Total != 1 || b.Players[0].Score != int64(got.Score) || (b.Place != nil) != (ask.Player != "") {
			t.Errorf("%+v %v", b, err)
		}
	}
	id := got.Receipt.Match
	r, err := c.Run(s.ctx(), id)
	if err != nil || r.Score != got.Score || r.PublishedMs != today.ClosesMs {
		t.Errorf("%+v %v", r, err)
	}
	_, err = c.RunLog(s.ctx(), id)
	s.refused(err, ranking.NotPublished)
	e, entered, err := c.EnterArena(s.ctx(), "", [16]byte{7})
	if err != nil || e.Contest.Kind != ranking.ArenaContest {
		t.Fatal(entered, err)
	}
	arena, err := c.Arena(s.ctx(), entered.Contest)
	if err != nil || len(arena.Entrants) != 1 || arena.Entrants[0].Played {
		t.Errorf("%+v %v", arena, err)
	}
	if all, err := s.client(bob).Arenas(s.ctx()); err != nil || len(all.Arenas) != 1 || all.Arenas[0].Arena != entered.Contest {
		t.Errorf("%+v %v", all, err)
	}
}

// TestAClientWhoseClockIsADayOff signs with nonces of another day, and asks for
// another day.
func TestAClientWhoseClockIsADayOff(t *testing.T) {
	s := newSite(t, plenty)
	s.meet(alice)
	day := int64(24 * 3600 * 1000)
	for _, off := range []int64{day, -day} {
		now := s.nowMs()
		ask, _ := json.Marshal(ranking.AttemptRequest{Nonce: strings.Repeat("00", 16)})
		_, _, body := s.send(s.signed(alice, "/v1/daily/attempts", ask, ranking.NewNonce(now+off)))
		if r := s.refusal(body); r.Reason != ranking.StaleNonce || r.NowMs < now {
			t.Errorf("%+v", r)
		}
	}
	_, _, err := s.client(alice).OpenAttempt(s.ctx(), (ranking.DayAt(s.nowMs()) + 1).String(), [16]byte{1})
	s.refused(err, ranking.NotBegun)
	_, err = s.client(alice).Daily(s.ctx(), (ranking.DayAt(s.nowMs()) + 1).String())
	s.refused(err, ranking.NotBegun)
}

// TestADayGoesBy begins a run before midnight and hands it in after. Its moves
// are published 14 hours after the day's end, and it is replayed in the night.
func TestADayGoesBy(t *testing.T) {
	s := newSite(t, plenty)
	s.meet(alice)
	c := s.client(alice)
	a, answer, err := c.OpenAttempt(s.ctx(), "", [16]byte{1})
	if err != nil || answer.Contest != "2026-11-30" {
		t.Fatal(answer, err)
	}
	file := judgetest.PlayRun(alice, judgetest.RunTerms(alice, a.Seed, [16]byte{1}, a.Append(nil)), bot.Easy, 1, 20)
	s.pass(13 * time.Hour)
	got, err := c.UploadRun(s.ctx(), file)
	if err != nil || got.Contest != "2026-11-30" || got.State != ranking.RunCounted {
		t.Fatalf("%+v %v", got, err)
	}
	for of, want := range map[string]int{"": 0, "2026-11-30": 1} {
		if b, err := c.Board(s.ctx(), ranking.BoardAsk{Kind: ranking.DayBoard, Of: of}); err != nil || b.Total != want {
			t.Errorf("%q: %+v %v", of, b, err)
		}
	}
	if tomorrow, _, err := c.OpenAttempt(s.ctx(), "", [16]byte{2}); err != nil || tomorrow.Contest.String() != "2026-12-01" || tomorrow.Number != 1 || tomorrow.Seed == a.Seed {
		t.Errorf("%+v %v", tomorrow, err)
	}
	s.pass(12 * time.Hour)
	_, err = c.RunLog(s.ctx(), got.Receipt.Match)
	s.refused(err, ranking.NotPublished)
	s.pass(time.Hour)
	if log, err := c.RunLog(s.ctx(), got.Receipt.Match); err != nil || !bytes.Equal(log, file) {
		t.Errorf("%d bytes, %v", len(log), err)
	}
	_, _, err = c.OpenAttempt(s.ctx(), "2026-11-30", [16]byte{3})
	s.refused(err, ranking.Closed)
	s.server.fillArenas(s.ctx(), s.nowMs())
	s.server.replayNight(s.ctx(), s.nowMs())
	if r, err := c.Run(s.ctx(), got.Receipt.Match); err != nil || r.ReplayedMs != 0 {
		t.Errorf("replayed on the day it came: %+v %v", r, err)
	}
	s.pass(10 * time.Hour)
	s.server.fillArenas(s.ctx(), s.nowMs())
	s.server.replayNight(s.ctx(), s.nowMs())
	if r, err := c.Run(s.ctx(), got.Receipt.Match); err != nil || r.ReplayedMs == 0 || r.State != ranking.RunCounted {
		t.Errorf("%+v %v", r, err)
	}
}

// While bots play again, which takes long, matches are judged all the same.
func TestBotsThatPlayAgainKeepNobodyWaiting(t *testing.T) {
	s := newSite(t, plenty)
	s.meet(alice)
	a, _, err := s.client(alice).OpenAttempt(s.ctx(), "", [16]byte{2})
	if err != nil {
		t.Fatal(err)
	}
	for range cap(s.server.bots) {
		s.server.bots <- struct{}{}
	}
	tm := judgetest.RunTerms(alice, a.Seed, [16]byte{2}, a.Append(nil))
	tm.Bot = games.NameBot(bot.Easy, [32]byte{})
	file := judgetest.PlayRun(alice, tm, bot.Easy, 0, 20)
	done := make(chan error, 1)
	go func() {
		got, err := s.client(alice).UploadRun(s.ctx(), file)
		if err == nil && got.State != ranking.RunOfBot {
			err = fmt.Errorf("it is %s", got.State)
		}
		done <- err
	}()
	if got, err := s.client(alice).Upload(s.ctx(), s.sit(alice, bob, "m").PlayOut().Seal().Log()); err != nil || got.State != ranking.StateConfirmed {
		t.Errorf("%+v %v", got, err)
	}
	select {
	case err := <-done:
		t.Errorf("the run was played again in no time: %v", err)
	default:
	}
	for range cap(s.server.bots) {
		<-s.server.bots
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestRefusedRuns(t *testing.T) {
	s := newSite(t, plenty)
	s.meet(alice)
	a, _, err := s.client(alice).OpenAttempt(s.ctx(), "", [16]byte{2})
	if err != nil {
		t.Fatal(err)
	}
	file := judgetest.PlayRun(alice, judgetest.RunTerms(alice, a.Seed, [16]byte{2}, a.Append(nil)), bot.Easy, 1, 100)
	bad := slices.Clone(file)
	bad[len(bad)-1] ^= 1 // of the signature; elsewhere it may be no run any more
	unknown := judgetest.PlayRun(bob, judgetest.RunTerms(bob, a.Seed, [16]byte{3}, nil), bot.Easy, 1, 100)
	for name, c := range map[string]struct {
		body   []byte
		status int
		reason ranking.Reason
	}{
		"altered":     {bad, 400, ranking.RunNotSigned},
		"nothing":     {nil, 400, ranking.NotARun},
		"too large":   {make([]byte, record.MaxRun+1), 413, ranking.TooLarge},
		"a stranger":  {unknown, 403, ranking.WorkNeeded},
		"no contest":  {judgetest.PlayRun(alice, judgetest.RunTerms(alice, [32]byte{}, [16]byte{}, nil), bot.Easy, 1, 9), 400, ranking.NoContest},
		"a large one": {append(make([]byte, 300<<10), 1), 400, ranking.NotARun},
	} {
		status, _, body := s.ask("POST", "/v1/runs", c.body)
		if r := s.refusal(body); status != c.status || r.Reason != c.reason {
			t.Errorf("%s: %d %+v", name, status, r)
		}
	}
	// A client that is told to work first does so, once.
	if got, err := s.client(bob).UploadRun(s.ctx(), unknown); err != nil || got.State != ranking.RunCounted || got.Attempt != 0 {
		t.Errorf("%+v %v", got, err)
	}
	for path, want := range map[string]ranking.Reason{
		"/v1/daily?day=x": ranking.BadRequest, "/v1/boards/year": ranking.NotFound, "/v1/boards/day?of=x": ranking.BadRequest, "/v1/boards/all?offset=-1": ranking.BadRequest,
		"/v1/runs/00": ranking.BadRequest, "/v1/runs/" + strings.Repeat("0", 64): ranking.NotFound, "/v1/arenas/" + strings.Repeat("0", 32): ranking.NotFound,
		"/v1/boards/day?country=XX": ranking.BadCountry,
	} {
		if _, _, body := s.ask("GET", path, nil); s.refusal(body).Reason != want {
			t.Errorf("%s: %s", path, body)
		}
	}
	if _, err := s.client(alice).MakeKnown(s.ctx(), "XX"); err == nil {
		t.Error("there is a country XX")
	}
}

// A profile is a player's device: each start opens the same vault again.
func (s *site) daily(t *testing.T, v *vault.Vault) *contest.Daily {
	t.Helper()
	id, err := v.Identity()
	if err != nil {
		t.Fatal(err)
	}
	c, err := ranking.NewClient(ranking.Config{URL: s.http.URL, Server: s.signer.Key, Key: id.Key(), Sign: func(m []byte) record.Signature { return id.Sign(m) }})
	if err != nil {
		t.Fatal(err)
	}
	return contest.New(v, c, s.signer.Key)
}

// TestADeviceIsKilledAtEveryMove plays three attempts on a device that is killed
// after each move, and before and after each question to the server.
func TestADeviceIsKilledAtEveryMove(t *testing.T) {
	s := newSite(t, plenty)
	dir := t.TempDir()
	var v *vault.Vault
	start := func() *contest.Daily {
		t.Helper()
		if v != nil {
			v.Close() // what is not closed by a kill is what the vault's own tests are about
		}
		var err error
		if v, err = vault.Open(dir, "p"); err != nil {
			t.Fatal(err)
		}
		return s.daily(t, v)
	}
	d := start()
	id, err := v.Identity()
	if err != nil {
		t.Fatal(err)
	}
	s.meet(judgetest.Signer{Key: id.Key()})
	player := bot.New(bot.Medium, 1)
	var seed [32]byte
	for attempt := 1; attempt <= 3; attempt++ {
		// The server answers, and the device dies before it hears it: the same
		// nonce gets the same attempt.
		deaf, stop := context.WithCancel(s.ctx())
		s.dieAfter(t, v, "/v1/daily/attempts", stop, func(d *contest.Daily) {
			if _, err := d.Begin(deaf, nil); err == nil {
				t.Error("it heard")
			}
		})
		d = start()
		r, err := d.Begin(s.ctx(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if attempt == 1 {
			seed = r.Terms().Seed
		}
		for n := 0; !r.Over() && n < 30; n++ {
			if err := r.Play(player.Streak(r.Position().(streak.State))); err != nil {
				t.Fatal(err)
			}
			was := r.Terms()
			r.Close()
			d = start()
			if r, err = d.Resume(); err != nil {
				t.Fatal(err)
			}
			if r.Terms().ID() != was.ID() || r.Terms().Seed != seed || len(r.Moves()) != n+1 {
				t.Fatalf("attempt %d, move %d: another run", attempt, n)
			}
		}
		if _, ok, err := d.Finish(r, s.now()); !ok || err != nil {
			t.Fatal(ok, err)
		}
		d = start()
		all, err := d.Hand(s.ctx())
		if err != nil || len(all) != 1 || all[0].Err != nil || all[0].Answer.State != ranking.RunCounted || all[0].Answer.Attempt != attempt {
			t.Fatalf("%+v %v", all, err)
		}
		if again, err := d.Hand(s.ctx()); err != nil || len(again) != 0 {
			t.Errorf("handed in again: %+v %v", again, err)
		}
	}
	_, err = d.Begin(s.ctx(), nil)
	s.refused(err, ranking.AttemptsSpent)
	b, err := s.client(bob).Board(s.ctx(), ranking.BoardAsk{Kind: ranking.DayBoard})
	if err != nil || b.Total != 1 {
		t.Errorf("%+v %v", b, err)
	}
	v.Close()
}

// dieAfter lets the device ask through a proxy that passes the question on, and
// then kills it.
func (s *site) dieAfter(t *testing.T, v *vault.Vault, path string, kill func(), f func(*contest.Daily)) {
	t.Helper()
	died := false
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		s.server.Handler().ServeHTTP(rec, r)
		if r.URL.Path == path && rec.Code == http.StatusOK {
			died = true
			kill()
			panic(http.ErrAbortHandler)
		}
		for k, v := range rec.Header() {
			w.Header()[k] = v
		}
		w.WriteHeader(rec.Code)
		w.Write(rec.Body.Bytes())
	}))
	defer proxy.Close()
	id, err := v.Identity()
	if err != nil {
		t.Fatal(err)
	}
	c, err := ranking.NewClient(ranking.Config{URL: proxy.URL, Server: s.signer.Key, Key: id.Key(), Sign: func(m []byte) record.Signature { return id.Sign(m) }})
	if err != nil {
		t.Fatal(err)
	}
	f(contest.New(v, c, s.signer.Key))
	if !died {
		t.Error("the server was never asked")
	}
}

// TestAFetchedDailyIsPlayedOffline plays without the server, and hands in later.
func TestAFetchedDailyIsPlayedOffline(t *testing.T) {
	s := newSite(t, plenty)
	v := vault.Memory("p")
	d := s.daily(t, v)
	day := ranking.DayAt(s.nowMs())
	if _, err := d.BeginOffline(day, nil); !errors.Is(err, contest.ErrNotFetched) {
		t.Error(err)
	}
	today, err := d.Fetch(s.ctx())
	if err != nil {
		t.Fatal(err)
	}
	day, _ = ranking.ParseDay(today.Day)
	if _, err := d.BeginOffline(day+1, nil); !errors.Is(err, contest.ErrNotFetched) {
		t.Error(err)
	}
	away := contest.New(v, nil, s.signer.Key)
	var want int32
	for range 2 {
		r, err := away.BeginOffline(day, nil)
		if err != nil {
			t.Fatal(err)
		}
		play(t, r, 20)
		info, ok, err := away.Finish(r, s.now())
		if err != nil || !ok {
			t.Fatal(err)
		}
		want = max(want, info.Score)
	}
	r, err := away.BeginOffline(day, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := away.Finish(r, s.now()); ok || err != nil {
		t.Error("a run without a move was kept:", err)
	}
	all, err := d.Hand(s.ctx())
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v %v", all, err)
	}
	if p := all[1].Answer.Place; p.Score != int64(want) || p.Attempt != 0 {
		t.Errorf("%+v, want %d", p, want)
	}
	// The third chance is the last, and has a number.
	r, err = d.Begin(s.ctx(), games.NameBot(bot.Easy, [32]byte{}))
	if err != nil {
		t.Fatal(err)
	}
	if a, err := ranking.ParseAttempt(r.Terms().Attempt); err != nil || a.Number != 3 {
		t.Errorf("%+v %v", a, err)
	}
	r.Close()
}

func play(t *testing.T, r *solo.Run, n int) {
	t.Helper()
	nonce := r.Terms().Nonce
	player := bot.New(bot.Medium, uint64(nonce[0]))
	for ; n > 0 && !r.Over(); n-- {
		if err := r.Play(player.Streak(r.Position().(streak.State))); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAServerIsHeldToItsAnchors meets a server that promises another year.
func TestAServerIsHeldToItsAnchors(t *testing.T) {
	s := newSite(t, plenty)
	v := vault.Memory("p")
	if _, err := s.daily(t, v).Fetch(s.ctx()); err != nil {
		t.Fatal(err)
	}
	year := ranking.DayAt(s.nowMs()).Year()
	liar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/daily/anchors" {
			s.server.Handler().ServeHTTP(w, r)
			return
		}
		a := ranking.YearAnchor{Year: year, Anchor: [32]byte{1}}.Sign(s.signer.Key, s.signer.Sign)
		send(w, http.StatusOK, ranking.Anchors{Anchors: []ranking.AnchorLine{{Year: year, Anchor: hex.EncodeToString(a.Anchor[:]), Signature: record64(a.Signature)}}})
	}))
	defer liar.Close()
	id, err := v.Identity()
	if err != nil {
		t.Fatal(err)
	}
	for _, fresh := range []*vault.Vault{v, vault.Memory("q")} {
		c, err := ranking.NewClient(ranking.Config{URL: liar.URL, Server: s.signer.Key, Key: id.Key(), Sign: func(m []byte) record.Signature { return id.Sign(m) }})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := contest.New(fresh, c, s.signer.Key).Fetch(s.ctx()); !errors.Is(err, ranking.ErrAnchor) {
			t.Error(err)
		}
	}
}

func record64(sig record.Signature) string {
	b, _ := json.Marshal(ranking.Receipt{Kind: ranking.Counted, Signature: sig})
	var r struct{ Signature string }
	if err := json.Unmarshal(b, &r); err != nil {
		panic(err)
	}
	return r.Signature
}
