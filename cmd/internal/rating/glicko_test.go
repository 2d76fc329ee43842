package rating

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func float(f Fixed) float64 { return float64(f) / (1 << 32) }

func fixed(x float64) Fixed { return Fixed(math.Round(x * (1 << 32))) }

type floatGame struct{ rating, deviation, score, weight float64 }

// glicko1 is Glickman's text, in float64.
func glicko1(r, rd float64, games []floatGame) (float64, float64) {
	q := math.Ln10 / 400
	var d2, sum float64
	for _, m := range games {
		g := 1 / math.Sqrt(1+3*q*q*m.deviation*m.deviation/(math.Pi*math.Pi))
		e := 1 / (1 + math.Pow(10, -g*(r-m.rating)/400))
		d2 += m.weight * q * q * g * g * e * (1 - e)
		sum += m.weight * g * (m.score - e)
	}
	r += q / (1/(rd*rd) + d2) * sum
	return r, math.Max(60, math.Sqrt(1/(1/(rd*rd)+d2)))
}

func near(t interface{ Errorf(string, ...any) }, what string, got Fixed, want, tolerance float64) {
	if math.Abs(float(got)-want) > tolerance {
		t.Errorf("%s: got %v, want %v", what, float(got), want)
	}
}

func player(rating, deviation float64) Player {
	return Player{Rating: fixed(rating), Deviation: fixed(deviation)}
}

func TestGlickmansExample(t *testing.T) {
	p := player(1500, 200)
	opponents := []struct {
		p    Player
		half int
		g, e float64
	}{
		{player(1400, 30), 2, 0.9955, 0.639},
		{player(1550, 100), 0, 0.9531, 0.432},
		{player(1700, 300), 0, 0.7242, 0.303},
	}
	var games []Game
	for _, o := range opponents {
		g := impact(o.p)
		near(t, "g", g, o.g, 0.00005)
		near(t, "E", expected(p, o.p, g), o.e, 0.0005)
		games = append(games, Game{Opponent: o.p, Half: o.half, Weight: 1, Eighths: 8})
	}
	after := p.Update(games...)
	near(t, "rating", after.Rating, 1464, 0.5)
	near(t, "deviation", after.Deviation, 151.4, 0.05)
	r, rd := glicko1(1500, 200, []floatGame{{1400, 30, 1, 1}, {1550, 100, 0, 1}, {1700, 300, 0, 1}})
	near(t, "rating against float64", after.Rating, r, 1e-5)
	near(t, "deviation against float64", after.Deviation, rd, 1e-5)
}

func TestUpdateIsGlicko1(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(lo, hi int, name string) float64 {
			return float64(rapid.IntRange(lo*1000, hi*1000).Draw(t, name)) / 1000
		}
		r, rd := draw(0, 3500, "rating"), draw(60, 350, "deviation")
		or, ord := draw(0, 3500, "opponent"), draw(60, 350, "opponent's deviation")
		half, n := rapid.IntRange(0, 2).Draw(t, "half"), rapid.IntRange(1, 5).Draw(t, "nth")
		got := player(r, rd).Update(Game{Opponent: player(or, ord), Half: half, Weight: n, Eighths: 8})
		wr, wrd := glicko1(r, rd, []floatGame{{or, ord, float64(half) / 2, 1 / float64(n)}})
		near(t, "rating", got.Rating, wr, 1e-4)
		near(t, "deviation", got.Deviation, wrd, 1e-4)
		if half == 2 && got.Rating < fixed(r) || half == 0 && got.Rating > fixed(r) {
			t.Errorf("half %d moved %v to %v", half, r, float(got.Rating))
		}
	})
}

func TestIdleGrowth(t *testing.T) {
	p := player(1600, 60)
	start := SeasonAt(1_800_000_000_000).StartMs()
	p.SinceMs = start
	for _, c := range []struct {
		weeks int64
		want  float64
	}{{0, 60}, {1, math.Sqrt(3600 + 1225)}, {4, math.Sqrt(3600 + 4*1225)}, {12, math.Sqrt(3600 + 12*1225)}} {
		near(t, "deviation", p.At(start+c.weeks*weekMs).Deviation, c.want, 1e-6)
	}
	if got := p.At(start + 10*365*dayMs).Deviation; got != Of(350) {
		t.Errorf("after ten years the deviation is %v", got)
	}
	if p.At(start-weekMs) != p {
		t.Error("an earlier time changed the player")
	}
	// Growth in two steps is growth in one, but for the rounding.
	near(t, "two steps", p.At(start+weekMs).At(start+4*weekMs).Deviation, float(p.At(start+4*weekMs).Deviation), 1e-8)
}

func TestSeasonStart(t *testing.T) {
	s := SeasonAt(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC).UnixMilli())
	end := s.Next().StartMs()
	p := player(1900, 60)
	p.SinceMs = end - 1
	if got := p.At(end - 1); got.Rating != Of(1900) || got.Deviation != Of(60) {
		t.Errorf("before the season start: %v %v", got.Rating, got.Deviation)
	}
	got := p.At(end)
	if got.Rating != Of(1800) || got.Deviation != Of(150) || got.SinceMs != end {
		t.Errorf("at the season start: %v %v", got.Rating, got.Deviation)
	}
	if got := p.At(s.Next().Next().StartMs()); got.Rating != Of(1725) {
		t.Errorf("after two season starts: %v", got.Rating)
	}
	low := player(1100, 200)
	low.SinceMs = end - 1
	if got := low.At(end).Rating; got != Of(1200) {
		t.Errorf("from below: %v", got)
	}
}

func TestSeasonsAreQuartersInUTC(t *testing.T) {
	day := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	for ; day.Year() < 2400; day = day.AddDate(0, 0, 1) {
		s := SeasonAt(day.UnixMilli())
		if want := Season(day.Year()*4 + int(day.Month()-1)/3); s != want {
			t.Fatalf("%v is in %v, want %v", day, s, want)
		}
		if day.Day() == 1 && day.Month()%3 == 1 {
			if s.StartMs() != day.UnixMilli() {
				t.Fatalf("%v starts at %d, want %d", s, s.StartMs(), day.UnixMilli())
			}
			if SeasonAt(day.UnixMilli()-1) != s-1 && day.Year() > 1970 {
				t.Fatalf("the millisecond before %v is not in the season before", day)
			}
			if got, err := ParseSeason(s.String()); err != nil || got != s {
				t.Fatalf("%v reads back as %v, %v", s, got, err)
			}
		}
	}
	for _, bad := range []string{"", "2026", "2026Q0", "2026Q5", "2026q1", "202xQ1", "1969Q4", "2026Q11"} {
		if _, err := ParseSeason(bad); err == nil {
			t.Errorf("%q was read as a season", bad)
		}
	}
}

func TestArithmetic(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{{0, 1}, {1, 10}, {-1, 0.1}, {0.5, math.Sqrt(10)}, {2.25, math.Pow(10, 2.25)}, {-2.25, math.Pow(10, -2.25)}} {
		near(t, "10^", pow10(fixed(c.x)), c.want, 1e-7*math.Max(1, c.want))
	}
	if pow10(Of(100)) != 1<<62 || pow10(Of(-100)) != 4 {
		t.Errorf("10^100 and 10^-100: %d %d", pow10(Of(100)), pow10(Of(-100)))
	}
	if mul(-One, 3) != -3 || mul(-One/2, 3) != -1 || div(-One, Of(3)) != -div(One, Of(3)) {
		t.Error("products and quotients are not cut off towards zero")
	}
	rapid.Check(t, func(t *rapid.T) {
		n := Fixed(rapid.Int64Range(0, math.MaxInt64).Draw(t, "n"))
		near(t, "sqrt", sqrt(n), math.Sqrt(float(n)), 1e-3)
		z := fixed(float64(rapid.IntRange(-20000, 20000).Draw(t, "z")) / 10000)
		want := math.Pow(10, float(z))
		near(t, "10^", pow10(z), want, 1e-7*math.Max(1, want))
	})
	for f, want := range map[Fixed]string{Of(-3) / 2: "-1.5000", 0: "0.0000", 1: "0.0000", Of(1500): "1500.0000", One / 16: "0.0625"} {
		if f.String() != want {
			t.Errorf("%d is written %s, want %s", f, f, want)
		}
	}
	if (Of(3)/2).Round() != 2 || (Of(3)/2-1).Round() != 1 || (-Of(3)/2).Round() != -1 {
		t.Error("halves do not round upwards")
	}
}
