package store_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/ledger"
	"github.com/cleavegame/cleave/cmd/cleave-server/internal/store"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/rating"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/lockstep/record"
)

// A season is a server to which people hand runs in, over some days.
type season struct {
	t      *testing.T
	s      *store.Store
	l      *ledger.Ledger
	people []judgetest.Signer
	now    int64
	rng    *rand.Rand
	nonce  uint64
	files  []received
}

// A received run is one that was taken as good, and when.
type received struct {
	file []byte
	ms   int64
}

// begin opens a server whose key is always the same, so that the deals are.
func begin(t *testing.T, s *store.Store, people int, at string) *season {
	t.Helper()
	w := &season{t: t, s: s, rng: rand.New(rand.NewPCG(1, 2))}
	start, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	w.now = start.UnixMilli()
	if err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.PutMeta("server-key", make([]byte, 32)) }); err != nil {
		t.Fatal(err)
	}
	if w.l, err = ledger.Open(t.Context(), s, games.All()); err != nil {
		t.Fatal(err)
	}
	for n := range people {
		w.people = append(w.people, w.person(fmt.Sprint("person ", n), []string{"", "NP", "CA"}[n%3]))
	}
	return w
}

// person is somebody the server knows already.
func (w *season) person(name, country string) judgetest.Signer {
	w.t.Helper()
	p := judgetest.NewSigner(name)
	if err := w.s.Update(w.t.Context(), func(tx *store.Tx) error { _, err := tx.AddPlayer(p.Key, w.now); return err }); err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.l.SetProfile(w.t.Context(), w.now, p.Key, ranking.ProfileRequest{Country: country}); err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *season) fresh() (nonce [16]byte) {
	w.nonce++
	binary.BigEndian.PutUint64(nonce[:], w.nonce)
	return nonce
}

func (w *season) attempt(p judgetest.Signer, day string, nonce [16]byte) (ranking.AttemptAnswer, error) {
	return w.l.OpenAttempt(w.t.Context(), w.now, p.Key, ranking.AttemptRequest{Day: day, Nonce: hex.EncodeToString(nonce[:])})
}

// terms opens an attempt at a day.
func (w *season) terms(p judgetest.Signer, day string) record.RunTerms {
	w.t.Helper()
	nonce := w.fresh()
	a, err := w.attempt(p, day, nonce)
	if err != nil {
		w.t.Fatal(err)
	}
	return judgetest.RunTerms(p, seedOf(w.t, a.Seed), nonce, a.Attempt)
}

func (w *season) offline(p judgetest.Signer, day string) record.RunTerms {
	w.t.Helper()
	d, err := w.l.Daily(w.now, day)
	if err != nil {
		w.t.Fatal(err)
	}
	return judgetest.RunTerms(p, seedOf(w.t, d.Seed), w.fresh(), nil)
}

func seedOf(t *testing.T, text string) [32]byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return [32]byte(b)
}

// hand uploads a file as the API does.
func (w *season) hand(file []byte) (ranking.RunAnswer, error) {
	if a, known, err := w.l.KnownRun(w.t.Context(), file); known || err != nil {
		return a, err
	}
	v, err := judge.ReadRun(file, games.All(), w.l.Key())
	if err == nil {
		v, err = v.PlayAgain(w.t.Context())
	}
	if err != nil {
		return ranking.RunAnswer{}, err
	}
	return w.l.UploadRun(w.t.Context(), w.now, v)
}

// counts hands in a run that nothing is wrong with.
func (w *season) counts(file []byte) ranking.RunAnswer {
	w.t.Helper()
	a, err := w.hand(file)
	if err != nil || a.State != ranking.RunCounted || a.Reason != ranking.None || a.Receipt.Check(w.l.Key()) != nil || a.Place == nil || a.Total == nil {
		w.t.Fatalf("%+v %v", a, err)
	}
	w.files = append(w.files, received{file, w.now})
	return a
}

func (w *season) refused(err error, least, most ranking.Reason) {
	w.t.Helper()
	if r, ok := errors.AsType[*ranking.Refusal](err); !ok || r.Reason < least || r.Reason > most {
		w.t.Fatalf("%v, want a refusal %d to %d", err, least, most)
	}
}

// play lets n runs come in, spread over the time up to an end: of today and of
// yesterday, in attempts and offline, some handed in again.
func (w *season) play(n int, end string) {
	w.t.Helper()
	last, err := time.Parse(time.RFC3339, end)
	if err != nil {
		w.t.Fatal(err)
	}
	step := (last.UnixMilli() - w.now) / int64(n)
	for i := range n {
		w.now += step
		p := w.people[w.rng.IntN(len(w.people))]
		d := ranking.DayAt(w.now)
		if w.now < (d-1).ClosesMs() && w.rng.IntN(4) == 0 {
			d--
		}
		daily, err := w.l.Daily(w.now, d.String())
		if err != nil {
			w.t.Fatal(err)
		}
		used := 0
		for _, f := range w.files {
			if log, _ := record.ParseRunLog(f.file); log.Terms().Key == p.Key && log.Terms().Seed == seedOf(w.t, daily.Seed) {
				used++
			}
		}
		var tm record.RunTerms
		switch {
		case used == ranking.DailyAttempts:
			nonce := w.fresh()
			_, err := w.attempt(p, d.String(), nonce)
			w.refused(err, ranking.AttemptsSpent, ranking.AttemptsSpent)
			p = w.person(fmt.Sprint("newcomer ", i), "DE")
			w.people = append(w.people, p)
			fallthrough
		case w.rng.IntN(5) > 0:
			tm = w.terms(p, d.String())
		default:
			tm = w.offline(p, d.String())
		}
		file := judgetest.PlayRun(p, tm, bot.Level(w.rng.IntN(3)), uint64(i), 200)
		a := w.counts(file)
		if again, err := w.hand(file); err != nil || again.Receipt != a.Receipt {
			w.t.Fatalf("handed in again: %+v %v", again, err)
		}
	}
}

// A tally is one player's line, as a recomputation from the files gives it.
type tally struct {
	key     record.Key
	country string
	score   int64
	days    int
	ms      int64
}

// recompute makes all boards from nothing but the files, in the order they
// came.
func (w *season) recompute() map[string][]tally {
	best := map[string]map[record.Key]tally{}
	sums := map[string]map[record.Key]tally{}
	for _, f := range w.files {
		log, err := record.ParseRunLog(f.file)
		if err != nil {
			w.t.Fatal(err)
		}
		v, err := record.VerifyRun(log, games.All())
		if err != nil {
			w.t.Fatal(err)
		}
		key, score := v.Terms().Key, int64(v.Claim().Score)
		day := ""
		for d := ranking.DayAt(f.ms); day == "" && d > ranking.DayAt(f.ms)-3; d-- {
			if daily, err := w.l.Daily(w.now, d.String()); err == nil && seedOf(w.t, daily.Seed) == v.Terms().Seed {
				day = d.String()
			}
		}
		if best[day] == nil {
			best[day] = map[record.Key]tally{}
		}
		was, had := best[day][key]
		if had && score <= was.score {
			continue
		}
		best[day][key] = tally{key: key, score: score, days: 1, ms: f.ms}
		for _, board := range []string{day[:7], "all"} {
			if sums[board] == nil {
				sums[board] = map[record.Key]tally{}
			}
			sum := sums[board][key]
			sum.key, sum.score, sum.ms = key, sum.score+score-was.score, f.ms
			if !had {
				sum.days++
			}
			sums[board][key] = sum
		}
	}
	all := map[string][]tally{}
	for _, boards := range []map[string]map[record.Key]tally{best, sums} {
		for name, board := range boards {
			for _, line := range board {
				all[name] = append(all[name], line)
			}
			slices.SortFunc(all[name], func(a, b tally) int {
				return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.ms, b.ms), slices.Compare(a.key[:], b.key[:]))
			})
		}
	}
	return all
}

// check holds every board, of the world and of each country, and everybody's
// place on it against the recomputation. It returns all boards as text.
func (w *season) check() string {
	w.t.Helper()
	country := map[record.Key]string{}
	if err := w.s.View(w.t.Context(), func(tx *store.Tx) error {
		for _, p := range w.people {
			c, err := tx.Country(p.Key)
			if err != nil {
				return err
			}
			country[p.Key] = c
		}
		return nil
	}); err != nil {
		w.t.Fatal(err)
	}
	boards := w.recompute()
	var names []string
	for name := range boards {
		names = append(names, name)
	}
	slices.Sort(names)
	var text []byte
	for _, name := range names {
		for _, land := range []string{"", "NP", "CA", "DE"} {
			want := slices.DeleteFunc(slices.Clone(boards[name]), func(l tally) bool { return land != "" && country[l.key] != land })
			kind := map[int]ranking.BoardKind{10: ranking.DayBoard, 7: ranking.MonthBoard, 3: ranking.AllBoard}[len(name)]
			of := name
			if kind == ranking.AllBoard {
				of = ""
			}
			ask := ledger.BoardAsk{Kind: kind, Of: of, Country: land, Limit: 500}
			got, err := w.l.Board(w.t.Context(), w.now, ask)
			if err != nil || got.Total != len(want) || len(got.Players) != min(len(want), 500) {
				w.t.Fatalf("%s %s: %d of %d lines, %v, want %d", name, land, len(got.Players), got.Total, err, len(want))
			}
			rank := func(i int) int {
				for i > 0 && want[i-1].score == want[i].score {
					i--
				}
				return i + 1
			}
			for i, l := range got.Players {
				days := l.Days
				if kind == ranking.DayBoard {
					days = 1
				}
				if l.Key != want[i].key.String() || l.Score != want[i].score || l.Rank != rank(i) || days != want[i].days || l.TimeMs != want[i].ms || l.Country != country[want[i].key] {
					w.t.Fatalf("%s %s: line %d is %+v, want %+v", name, land, i, l, want[i])
				}
			}
			for i := range want {
				if land != "" && i > 5 {
					break
				}
				ask := ask
				ask.Player, ask.Limit, ask.Offset = record.PlayerCode(want[i].key), 3, i
				page, err := w.l.Board(w.t.Context(), w.now, ask)
				if err != nil || page.Place == nil || !reflect.DeepEqual(page.Players, got.Players[i:min(i+3, len(want))]) {
					w.t.Fatalf("%s %s from %d: %+v %v", name, land, i, page, err)
				}
				w.checkPlace(*page.Place, got.Players, i)
			}
			b, err := json.Marshal(got.Players)
			if err != nil {
				w.t.Fatal(err)
			}
			text = append(append(text, b...), '\n')
		}
	}
	return string(text)
}

// leaves holds the public log to the files: one leaf for each that was kept, with
// its hash, in the order they came, and none for what was refused.
func (w *season) leaves(flagged int) {
	w.t.Helper()
	at := 0
	err := w.l.Leaves(w.t.Context(), 0, func(_ int64, body []byte) error {
		leaf, err := rating.ParseLeaf(body)
		if err != nil || leaf.Kind != rating.LeafRun {
			return fmt.Errorf("%+v is a leaf: %v", leaf, err)
		}
		if leaf.Reason != 0 {
			flagged--
			return nil
		}
		if at == len(w.files) {
			return errors.New("more runs are leaves than were handed in")
		}
		f := w.files[at]
		log, err := record.ParseRunLog(f.file)
		if leaf.Evidence != sha256.Sum256(f.file) || leaf.TimeMs != f.ms || leaf.Match != log.Terms().ID() || leaf.Player != rating.Key(log.Terms().Key) || leaf.Score[0] != log.Claim().Score {
			return fmt.Errorf("run %d: %+v", at, leaf)
		}
		at++
		return err
	})
	if err != nil || at != len(w.files) || flagged != 0 {
		w.t.Errorf("%d of %d runs are leaves, %d flagged ones are missing: %v", at, len(w.files), flagged, err)
	}
}

func (w *season) checkPlace(p ranking.Place, lines []ranking.Line, i int) {
	w.t.Helper()
	n := len(lines)
	below := 0
	for _, l := range lines {
		if l.Score < lines[i].Score {
			below++
		}
	}
	want := ranking.Place{Line: lines[i], Total: n}
	if n > 1 {
		word := "players"
		if n == 2 {
			word = "player"
		}
		want.Above, want.Of, want.Sentence = below, n-1, fmt.Sprintf("above %d of %d %s", below, n-1, word)
	}
	if n >= 20 {
		percentile := 100 * below / (n - 1)
		want.Percentile = &percentile
	}
	want.Neighbours = append(slices.Clone(lines[max(i-2, 0):i]), lines[i+1:min(i+3, n)]...)
	if len(want.Neighbours) == 0 {
		want.Neighbours = nil
	}
	if !reflect.DeepEqual(p, want) {
		w.t.Fatalf("place %d of %d:\n%+v\n%+v", i, n, p, want)
	}
}

// alter hands in runs that were altered in a byte, and runs that their player
// has altered and signed again.
func (w *season) alter() {
	w.t.Helper()
	for i := range 25 {
		bad := slices.Clone(w.files[w.rng.IntN(len(w.files))].file)
		bad[w.rng.IntN(len(bad))] ^= 1 << (i % 8)
		_, err := w.hand(bad)
		w.refused(err, 101, 199)
	}
	day := ranking.DayAt(w.now).String()
	kept := 0
	for i := range 25 {
		p := w.person(fmt.Sprint("cheat ", i), "CA")
		tm := w.terms(p, day)
		honest := judgetest.TakeApart(judgetest.PlayRun(p, tm, bot.Easy, uint64(i), 200))
		var file []byte
		var want ranking.Reason
		switch i % 7 {
		case 0:
			file, want = honest.Illegal(i).Sign(p), ranking.RunIllegalMove
		case 1:
			other := tm
			other.Seed[i] ^= 1
			file, want = judgetest.PlayRun(p, other, bot.Easy, 1, 200), ranking.RunWrongSeed
		case 2:
			honest.Score += 1000
			file, want = honest.Sign(p), ranking.RunWrongScore
		case 3:
			honest.Combo++
			file, want = honest.Sign(p), ranking.RunWrongCombo
		case 4:
			honest.Board[9] ^= 4
			file, want = honest.Sign(p), ranking.RunWrongBoard
		case 5: // a fourth chance: three are opened, one is played offline
			w.terms(p, day)
			w.terms(p, day)
			file, want = judgetest.PlayRun(p, w.offline(p, day), bot.Medium, 1, 200), ranking.FourthChance
		case 6: // a better run under an attempt that was used
			w.people = append(w.people, p)
			w.counts(judgetest.PlayRun(p, tm, bot.Beginner, 1, 3))
			file, want = honest.Sign(p), ranking.SecondRun
		}
		a, err := w.hand(file)
		if err != nil || a.State != ranking.RunFlagged || a.Reason != want || a.Text != want.Text() || a.Place != nil || a.Receipt.Kind != ranking.Flagged || a.Receipt.Check(w.l.Key()) != nil {
			w.t.Fatalf("%d: %+v %v, want %d", i, a, err, want)
		}
		again, err := w.hand(file)
		if err != nil || again.Receipt != a.Receipt {
			w.t.Fatalf("handed in again: %+v %v", again, err)
		}
		if err := w.s.View(w.t.Context(), func(tx *store.Tx) error {
			b, err := tx.RunFile(a.Receipt.Match, [32]byte(a.Receipt.Head))
			if string(b) == string(file) {
				kept++
			}
			return err
		}); err != nil {
			w.t.Fatal(err)
		}
	}
	if kept != 25 {
		w.t.Errorf("%d of 25 flagged runs are kept", kept)
	}
}

func openSQLite(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cleave.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestRunsOnEitherDatabase lets runs come in over the leap day and the end of a
// month, good ones and altered ones, and holds every board to a recomputation
// from the files. It runs in zones far from UTC, and all see the same.
func TestRunsOnEitherDatabase(t *testing.T) {
	runs, people := 90, 28
	if os.Getenv("CLEAVE_SOAK") == "1" {
		runs, people = 1000, 250
	}
	was := time.Local
	defer func() { time.Local = was }()
	var first string
	for _, c := range []struct {
		zone string
		open func(testing.TB) *store.Store
	}{{"Asia/Kathmandu", openSQLite}, {"America/St_Johns", store.OpenPostgres}} {
		t.Run(c.zone, func(t *testing.T) {
			zone, err := time.LoadLocation(c.zone)
			if err != nil {
				t.Fatal(err)
			}
			time.Local = zone
			w := begin(t, c.open(t), people, "2028-02-28T20:00:00Z")
			w.play(runs, "2028-03-01T09:00:00Z")
			w.alter()
			boards := w.check()
			w.leaves(25)
			if replayed, flagged, err := w.l.ReplayNight(t.Context(), w.now+2*24*3600*1000); err != nil || replayed != len(w.files)+25 || len(flagged) != 0 {
				t.Errorf("in the night %d runs were replayed and %d flagged: %v", replayed, len(flagged), err)
			}
			if again := w.check(); again != boards {
				t.Error("the night has changed the boards")
			}
			if first == "" {
				first = boards
			} else if boards != first {
				t.Error("two zones, and two boards")
			}
		})
	}
}
