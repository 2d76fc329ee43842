package rating

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var t0 = time.Date(2026, 4, 10, 12, 0, 0, 0, time.UTC).UnixMilli()

func key(n int) Key { return Key{0: byte(n >> 8), 1: byte(n)} }

func id(n int) [32]byte { return [32]byte{31: byte(n), 30: byte(n >> 8)} }

// played adds a whole match of players a and b, and fails the test when the
// ladder refuses it.
func played(t *testing.T, l *Ladder, match int, timeMs int64, a, b, winner int) Change {
	t.Helper()
	c, err := l.Add(Result{TimeMs: timeMs, Match: id(match), Keys: [2]Key{key(a), key(b)}, Winner: winner, Rounds: 8})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// place makes each of the players placed, by five draws against a stranger
// each, an hour apart.
func place(t *testing.T, l *Ladder, now *int64, match *int, players ...int) {
	t.Helper()
	for _, p := range players {
		for range Placement {
			*match++
			*now += 3600_000
			played(t, l, *match, *now, p, 1000+*match, Nobody)
		}
	}
}

func TestNewPlayersMoveAlike(t *testing.T) {
	l := NewLadder()
	c := played(t, l, 1, t0, 1, 2, 0)
	up, down := c.After[0].Rating-Of(1500), Of(1500)-c.After[1].Rating
	if up != down || up < Of(150) || c.After[0].Deviation != c.After[1].Deviation {
		t.Errorf("winner +%v, loser -%v", up, down)
	}
	if c.Nth != 1 || c.Unmoved != [2]Why{} || c.Season.String() != "2026Q2" {
		t.Errorf("%+v", c)
	}
}

func TestNthMatchOfAPairWeighsANth(t *testing.T) {
	l := NewLadder()
	for n := 1; n <= 7; n++ {
		// The seats change; the pair does not.
		a, b := 1+n%2, 2-n%2
		c := played(t, l, n, t0+int64(n), a, b, Nobody)
		want := Moved
		if n > 5 {
			want = TooOften
		}
		if c.Nth != n || c.Unmoved != [2]Why{want, want} {
			t.Errorf("match %d: nth %d, unmoved %v", n, c.Nth, c.Unmoved)
		}
		if n > 1 && n <= 5 {
			want := c.Before[0].Update(Game{Opponent: c.Before[1], Half: 1, Weight: n, Eighths: 8})
			if c.After[0].Rating != want.Rating || c.After[0].Deviation != want.Deviation {
				t.Errorf("match %d weighs something else than 1/%d", n, n)
			}
		}
	}
	if c := played(t, l, 8, t0+1+7*dayMs, 1, 2, 0); c.Nth != 7 {
		t.Errorf("a match falls out of the window when it is exactly 7 days old: this is number %d", c.Nth)
	}
	if c := played(t, l, 9, t0+9+14*dayMs, 1, 2, 0); c.Nth != 1 {
		t.Errorf("a week after the last match the next is number %d", c.Nth)
	}
}

func TestPlacement(t *testing.T) {
	l, now, match := NewLadder(), t0, 0
	place(t, l, &now, &match, 1, 2)
	if p, _ := l.Player(key(1)); !p.Placed() || p.Counted != 5 {
		t.Fatalf("after five matches: %+v", p)
	}
	before, _ := l.Player(key(1))
	c := played(t, l, 500, now+weekMs, 1, 77, 1)
	if c.Unmoved != [2]Why{NotPlaced, Moved} {
		t.Errorf("a newcomer moved a placed player, or was not moved: %v", c.Unmoved)
	}
	if after, _ := l.Player(key(1)); after != before {
		t.Error("the placed player's idleness was reset by a match that did not count for him")
	}
	if c := played(t, l, 501, now+weekMs, 1, 2, 1); c.Unmoved != [2]Why{} {
		t.Errorf("two placed players: %v", c.Unmoved)
	}
}

func TestEarlyWinGainsByWholeRounds(t *testing.T) {
	win := func(early bool, rounds int) Change {
		l := NewLadder()
		c, err := l.Add(Result{TimeMs: t0, Match: id(1), Keys: [2]Key{key(1), key(2)}, Winner: 0, Early: early, Rounds: rounds})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	whole := win(false, 8)
	for k := 0; k <= 8; k++ {
		c := win(true, k)
		if c.After[1] != whole.After[1] {
			t.Errorf("after %d rounds the loss is not whole", k)
		}
		if (c.Unmoved[0] == NoRounds) != (k == 0) || k > 0 && c.Unmoved[0] != Moved {
			t.Errorf("after %d rounds the win was unmoved for %d", k, c.Unmoved[0])
		}
		if k == 8 && c.After[0] != whole.After[0] {
			t.Error("eight rounds are not a whole win")
		}
		if k > 0 && k < 8 && !(c.After[0].Rating > win(true, k-1).After[0].Rating && c.After[0].Rating < whole.After[0].Rating) {
			t.Errorf("after %d rounds the gain is out of order", k)
		}
	}
}

func TestTakeBack(t *testing.T) {
	l := NewLadder()
	played(t, l, 1, t0, 1, 2, 0)
	p1, _ := l.Player(key(1))
	p2, _ := l.Player(key(2))
	played(t, l, 2, t0+1000, 1, 2, 0)
	if _, err := l.TakeBack(id(2), t0+2000, nil); err != nil {
		t.Fatal(err)
	}
	for n, was := range map[int]Player{1: p1, 2: p2} {
		if p, _ := l.Player(key(n)); p.Rating != was.Rating || p.Counted != 1 {
			t.Errorf("player %d: %v (%d counted), had %v", n, p.Rating, p.Counted, was.Rating)
		}
	}
	if c := played(t, l, 3, t0+3000, 1, 2, 0); c.Nth != 3 {
		t.Errorf("a match taken back is still one of the pair's: the next is number %d", c.Nth)
	}
	c, err := l.TakeBack(id(1), t0+4000, &Correction{Winner: 1, Early: true, Rounds: 5})
	if err != nil {
		t.Fatal(err)
	}
	if c.Nth != 1 || c.After[0].Rating >= c.Before[0].Rating || c.After[1].Rating <= c.Before[1].Rating {
		t.Errorf("the reversal did not turn the result round: %+v", c)
	}
	rows, _ := l.Table(SeasonAt(t0), t0+4000)
	for _, r := range rows {
		if r.Wins+r.Draws+r.Losses != 2 || r.Player.Counted != 2 || r.Wins != 1 {
			t.Errorf("row %+v", r)
		}
	}
	if _, err := l.TakeBack(id(2), t0+5000, nil); !errors.Is(err, ErrUnknown) {
		t.Errorf("taken back twice: %v", err)
	}
	if _, err := l.TakeBack(id(1), t0+6000, nil); err != nil {
		t.Errorf("a reversal that both sides turn out to have spoilt: %v", err)
	}
}

func TestTakeBackAcrossASeasonStart(t *testing.T) {
	s := SeasonAt(t0)
	end := s.Next().StartMs()
	l := NewLadder()
	c := played(t, l, 1, end-dayMs, 1, 2, 0)
	gain := c.After[0].Rating - c.Before[0].Rating
	played(t, l, 2, end+dayMs, 1, 3, Nobody)
	was, _ := l.Player(key(1))
	if _, err := l.TakeBack(id(1), end+2*dayMs, nil); err != nil {
		t.Fatal(err)
	}
	now, _ := l.Player(key(1))
	if now.Rating != was.Rating-gain*3/4 {
		t.Errorf("took back %v of %v", was.Rating-now.Rating, gain)
	}
	if rows, _ := l.Table(s, end+2*dayMs); len(rows) != 0 {
		t.Errorf("the old season still counts the match: %+v", rows)
	}
	rows, _ := l.Table(s+1, end+2*dayMs)
	for _, r := range rows {
		if r.Key == key(1) && r.Player.Rating != now.Rating {
			t.Error("the present table shows another rating than the player has")
		}
	}
}

func TestLadderRefusesWhatIsNoLadder(t *testing.T) {
	good := Result{TimeMs: t0, Match: id(1), Keys: [2]Key{key(1), key(2)}, Winner: 0, Rounds: 8}
	for name, c := range map[string]struct {
		change func(*Result)
		want   error
	}{
		"older":         {func(r *Result) { r.TimeMs = t0 - 1 }, ErrTime},
		"year 10000":    {func(r *Result) { r.TimeMs = MaxTimeMs }, ErrTime},
		"one player":    {func(r *Result) { r.Keys[1] = r.Keys[0] }, ErrResult},
		"third seat":    {func(r *Result) { r.Winner = 2 }, ErrResult},
		"nine rounds":   {func(r *Result) { r.Rounds = 9 }, ErrResult},
		"too much late": {func(r *Result) { r.Late[1] = 1 }, ErrResult},
		"twice":         {func(r *Result) { r.Match = id(9) }, ErrTwice},
	} {
		l := NewLadder()
		played(t, l, 9, t0, 5, 6, 0)
		r := good
		c.change(&r)
		if _, err := l.Add(r); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestListing(t *testing.T) {
	// Twenty placed players; player 1 then meets some of them.
	build := func() (*Ladder, *int64, *int) {
		l, now, match := NewLadder(), t0, 0
		var all []int
		for p := 1; p <= 20; p++ {
			all = append(all, p)
		}
		place(t, l, &now, &match, all...)
		return l, &now, &match
	}
	find := func(l *Ladder, now int64) Row {
		rows, rules := l.Table(SeasonAt(now), now)
		if rules != (ListingRules{Opponents: 8, Spread: true}) {
			t.Fatalf("rules %+v", rules)
		}
		for _, r := range rows {
			if r.Key == key(1) {
				return r
			}
		}
		t.Fatal("no row")
		return Row{}
	}
	l, now, match := build()
	for o := 2; o <= 9; o++ {
		if r := find(l, *now); r.Place != Unlisted || r.Opponents != o-2 {
			t.Fatalf("with %d opponents: %+v", o-2, r)
		}
		*match++
		*now += 1000
		played(t, l, *match, *now, 1, o, Nobody)
	}
	if r := find(l, *now); r.Place != Listed || r.Rank != 1 || r.Opponents != 8 {
		t.Fatalf("with eight opponents: %+v", r)
	}
	// Three of them carry half the weight: a match a week with each.
	for range 2 {
		*now += 8 * dayMs
		for o := 2; o <= 4; o++ {
			*match++
			played(t, l, *match, *now, 1, o, Nobody)
		}
	}
	if r := find(l, *now); r.Place != Unlisted {
		t.Fatalf("three opponents carry 9 of 14: %+v", r)
	}

	l, now, match = build()
	for o := 2; o <= 11; o++ {
		*match++
		*now += 1000
		late := 0
		if o < 6 {
			late = 2
		}
		if _, err := l.Add(Result{TimeMs: *now, Match: id(*match), Keys: [2]Key{key(1), key(o)}, Winner: 0, Rounds: 8,
			Decisions: [2]int{20, 20}, Late: [2]int{late, 1}}); err != nil {
			t.Fatal(err)
		}
	}
	if r := find(l, *now); r.Place != Listed {
		t.Fatalf("four saw him late: %+v", r)
	}
	*match++
	*now += 1000
	if _, err := l.Add(Result{TimeMs: *now, Match: id(*match), Keys: [2]Key{key(12), key(1)}, Winner: 0, Rounds: 8,
		Decisions: [2]int{20, 20}, Late: [2]int{0, 2}}); err != nil {
		t.Fatal(err)
	}
	if r := find(l, *now); r.Place != Slow {
		t.Fatalf("five saw him late: %+v", r)
	}
	end := SeasonAt(*now).Next().StartMs()
	if r := find(l, *now+31*dayMs); r.Place != Listed && *now+31*dayMs < end {
		t.Fatalf("30 days later: %+v", r)
	}
}

func TestRelaxedListing(t *testing.T) {
	l, now, match := NewLadder(), t0, 0
	place(t, l, &now, &match, 1, 2, 3)
	match++
	played(t, l, match, now, 1, 2, 0)
	rows, rules := l.Table(SeasonAt(now), now)
	if rules != (ListingRules{Opponents: 1, Relaxed: true}) {
		t.Errorf("rules %+v", rules)
	}
	want := map[Key]Place{key(1): Listed, key(2): Listed, key(3): Unlisted}
	for i, r := range rows {
		w, ok := want[r.Key]
		if !ok {
			w = Provisional
		}
		if r.Place != w || (r.Place == Listed) != (r.Rank == i+1) {
			t.Errorf("row %d: %+v, want place %d", i, r, w)
		}
	}
}

func TestClosedSeasonStaysAsItWas(t *testing.T) {
	l, _ := randomFold(t, 400, dayMs/3)
	s := l.Seasons()[0]
	was, rules := l.Table(s, MaxTimeMs-1)
	now := l.LastMs()
	for n := range 300 {
		now += dayMs
		played(t, l, 10000+n, now, n%17, 17+n%5, Nobody)
	}
	is, again := l.Table(s, now)
	if !reflect.DeepEqual(was, is) || rules != again {
		t.Error("later matches changed a closed season")
	}
}

// randomFold plays n matches between 24 players, one every stepMs or so, some
// of them taken back.
func randomFold(t *testing.T, n int, stepMs int64) (*Ladder, []Change) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	l, now := NewLadder(), t0
	var changes []Change
	for m := range n {
		now += rng.Int64N(2 * stepMs)
		a, b := rng.IntN(24), rng.IntN(23)
		if b >= a {
			b++
		}
		r := Result{TimeMs: now, Match: id(m + 1), Keys: [2]Key{key(a), key(b)}, Winner: rng.IntN(3) - 1, Rounds: 8,
			Decisions: [2]int{20, 20}, Late: [2]int{rng.IntN(3), rng.IntN(2)}}
		if r.Winner != Nobody && rng.IntN(4) == 0 {
			r.Early, r.Rounds = true, rng.IntN(9)
		}
		c, err := l.Add(r)
		if err != nil {
			t.Fatal(err)
		}
		if rng.IntN(10) == 0 {
			var correction *Correction
			if w := rng.IntN(3) - 1; w != Nobody {
				correction = &Correction{Winner: w, Early: true, Rounds: r.Rounds}
			}
			if c, err = l.TakeBack(id(m+1), now, correction); err != nil {
				t.Fatal(err)
			}
		}
		changes = append(changes, c)
	}
	return l, changes
}

// randomLeaves is n leaves of 24 players, one every stepMs or so.
func randomLeaves(n int, stepMs int64) []Leaf {
	rng := rand.New(rand.NewPCG(5, 6))
	now := t0
	var leaves []Leaf
	for m := range n {
		now += rng.Int64N(2 * stepMs)
		leaf := Leaf{Kind: LeafResult, TimeMs: now, Match: id(m + 1), Keys: [2]Key{key(m % 23), key(23)}, Winner: rng.IntN(3) - 1, End: EndPlayed, Rounds: 8,
			Score: [2]int32{int32(rng.IntN(300)) - 40, int32(rng.IntN(300))}, Decisions: [2]uint16{20, 21}, Late: [2]uint16{uint16(rng.IntN(3)), 0}}
		if rng.IntN(3) > 0 {
			leaf.Keys[1] = key((m%23 + 1 + rng.IntN(22)) % 23)
		}
		if leaf.Winner != Nobody && rng.IntN(4) == 0 {
			leaf.End, leaf.Rounds = EndResigned, rng.IntN(9)
		}
		leaves = append(leaves, leaf)
		switch rng.IntN(12) {
		case 0:
			leaf.Kind, leaf.Winner = LeafVoid, Nobody
			leaves = append(leaves, leaf)
		case 1:
			leaf.Kind, leaf.Winner, leaf.End, leaf.Rounds = LeafReversal, rng.IntN(2), EndForged, rng.IntN(9)
			leaves = append(leaves, leaf)
		}
	}
	return leaves
}

// TestVectors holds the integers to what they were when they were written
// down: another implementation compares itself with the same file.
func TestVectors(t *testing.T) {
	type vector struct {
		Rating, Deviation, OpponentRating, OpponentDeviation, Half, Nth, Eighths int64
		AfterRating, AfterDeviation                                              int64
	}
	type row struct {
		Player            int
		Rating, Deviation int64
		Place, Rank       int
	}
	type file struct {
		Note    string
		Matches []vector
		// Leaves, in hex, fold to the tables of Fold, season after season,
		// each as it stands at the last leaf.
		Leaves []string
		Fold   []row
	}
	got := file{Note: "ratings and deviations are Q32.32 integers; player n has the key 00 n 00 ... 00"}
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range 60 {
		v := vector{Rating: int64(Of(800+rng.IntN(1400))) + rng.Int64N(1<<32), Deviation: int64(Of(60+rng.IntN(290))) + rng.Int64N(1<<32),
			OpponentRating: int64(Of(800+rng.IntN(1400))) + rng.Int64N(1<<32), OpponentDeviation: int64(Of(60+rng.IntN(290))) + rng.Int64N(1<<32),
			Half: int64(n % 3), Nth: int64(1 + n%5), Eighths: int64(1 + n%8)}
		p := Player{Rating: Fixed(v.Rating), Deviation: Fixed(v.Deviation)}.Update(Game{
			Opponent: Player{Rating: Fixed(v.OpponentRating), Deviation: Fixed(v.OpponentDeviation)},
			Half:     int(v.Half), Weight: int(v.Nth), Eighths: int(v.Eighths)})
		v.AfterRating, v.AfterDeviation = int64(p.Rating), int64(p.Deviation)
		got.Matches = append(got.Matches, v)
	}
	leaves := randomLeaves(150, dayMs*2/3)
	l := NewLadder()
	for _, leaf := range leaves {
		got.Leaves = append(got.Leaves, hex.EncodeToString(leaf.Append(nil)))
		if err := l.Fold(leaf); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range l.Seasons() {
		rows, _ := l.Table(s, l.LastMs())
		for _, r := range rows {
			got.Fold = append(got.Fold, row{int(r.Key[1]), int64(r.Player.Rating), int64(r.Player.Deviation), int(r.Place), r.Rank})
		}
	}
	path := filepath.Join("testdata", "matches.json")
	if *update {
		b, err := json.MarshalIndent(got, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want file
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("the numbers are not those of testdata/matches.json")
	}
}

func TestWhatIsOutOfItsWindowIsForgotten(t *testing.T) {
	l, _ := randomFold(t, 200, dayMs/3)
	if len(l.pairs) == 0 || len(l.late) == 0 || len(l.kept) == 0 {
		t.Fatal("nothing to forget")
	}
	played(t, l, 10000, l.LastMs()+200*dayMs, 1, 2, Nobody)
	if len(l.pairs) != 1 || len(l.late) != 0 || len(l.kept) != 1 {
		t.Errorf("%d pairs, %d lists of late decisions, %d results are kept", len(l.pairs), len(l.late), len(l.kept))
	}
}

func TestFoldIsAFunction(t *testing.T) {
	_, a := randomFold(t, 400, dayMs/3)
	_, b := randomFold(t, 400, dayMs/3)
	if !reflect.DeepEqual(a, b) {
		t.Error("two folds of the same results differ")
	}
}

func BenchmarkAdd(b *testing.B) {
	l := NewLadder()
	now := t0
	for i := 0; b.Loop(); i++ {
		now += 10_000
		r := Result{TimeMs: now, Keys: [2]Key{key(i % 1000), key(1000 + i%997)}, Winner: i%3 - 1, Rounds: 8}
		binary.BigEndian.PutUint64(r.Match[:], uint64(i))
		if _, err := l.Add(r); err != nil {
			b.Fatal(err)
		}
	}
}
