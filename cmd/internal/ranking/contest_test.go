package ranking

import (
	"encoding/hex"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cleavegame/cleave/lockstep/record"
)

func daily() Attempt {
	return Attempt{Contest: ContestOf(20787), Server: serverKey, Player: playerKey, Nonce: [16]byte{1, 2}, Seed: [32]byte{3, 4}, Number: 3, IssuedMs: 1_796_000_000_123}.Sign(serverSign)
}

func arena() Attempt {
	return Attempt{Contest: Contest{ArenaContest, [16]byte{9, 8, 7}}, Server: serverKey, Player: playerKey, Nonce: [16]byte{1, 2}, Seed: [32]byte{3, 4}, Number: 1, IssuedMs: 5}.Sign(serverSign)
}

func attemptVectors() []any {
	var all []any
	for _, a := range []Attempt{daily(), arena()} {
		all = append(all, map[string]any{"contest": a.Contest.String(), "number": a.Number, "attempt": hex.EncodeToString(a.Append(nil)),
			"signed": hex.EncodeToString(a.body([]byte(attemptDomain)))})
	}
	return all
}

func yearVector() any {
	chain := record.NewChance([32]byte{42}, YearDays(2028))
	a := YearAnchor{Year: 2028, Anchor: chain.Anchor()}.Sign(serverKey, serverSign)
	seeds := map[string]string{}
	for _, day := range []string{"2028-01-01", "2028-02-29", "2028-12-31"} {
		d, _ := ParseDay(day)
		seed := chain.Layer(d.YearDay())
		seeds[day] = hex.EncodeToString(seed[:])
	}
	return map[string]any{"year": a.Year, "anchor": hex.EncodeToString(a.Anchor[:]), "signature": hex.EncodeToString(a.Signature[:]),
		"signed": hex.EncodeToString(a.message(serverKey)), "seeds": seeds}
}

func TestAttempts(t *testing.T) {
	for _, want := range []Attempt{daily(), arena()} {
		b := want.Append(nil)
		got, err := ParseAttempt(b)
		if err != nil || got != want {
			t.Fatalf("%+v %v", got, err)
		}
		if len(b) > 255 { // what terms can hold
			t.Errorf("%d bytes", len(b))
		}
		if err := got.Check(serverKey, playerKey); err != nil {
			t.Error(err)
		}
		if got.Check(serverKey, serverKey) == nil || got.Check(playerKey, playerKey) == nil {
			t.Error("good for others too")
		}
		for i := range b {
			bad := slices.Clone(b)
			bad[i] ^= 1
			if a, err := ParseAttempt(bad); err == nil && a.Check(serverKey, playerKey) == nil {
				t.Errorf("byte %d may be another", i)
			}
		}
		for _, bad := range [][]byte{nil, b[1:], append(slices.Clone(b), 0)} {
			if _, err := ParseAttempt(bad); !errors.Is(err, ErrAttempt) {
				t.Errorf("%d bytes: %v", len(bad), err)
			}
		}
	}
	fourth := daily()
	fourth.Number = 4
	negative := daily()
	negative.Contest.ID[12] = 0x80
	for _, bad := range []Attempt{fourth, negative, {}, {Contest: Contest{Kind: 3}, Number: 1}} {
		if _, err := ParseAttempt(bad.Sign(serverSign).Append(nil)); !errors.Is(err, ErrAttempt) {
			t.Errorf("%+v: %v", bad.Contest, err)
		}
	}
}

func FuzzParseAttempt(f *testing.F) {
	f.Add(daily().Append(nil))
	f.Add(arena().Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := ParseAttempt(b)
		if err != nil {
			return
		}
		if string(a.Append(nil)) != string(b) {
			t.Error("does not encode to what it was read from")
		}
		if c, ok := ParseContest(a.Contest.String()); ok && c != a.Contest {
			t.Errorf("%s is read as %+v", a.Contest, c)
		}
	})
}

func TestDays(t *testing.T) {
	for _, zone := range []string{"Asia/Kathmandu", "America/St_Johns", "UTC"} {
		place, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		was := time.Local
		time.Local = place
		for _, c := range []struct {
			at, day, month string
			yearDay        int
		}{
			{"2026-11-30T23:59:59.999Z", "2026-11-30", "2026-11", 334},
			{"2026-12-01T00:00:00Z", "2026-12-01", "2026-12", 335},
			{"2028-02-29T12:00:00Z", "2028-02-29", "2028-02", 60},
			{"2028-12-31T00:00:00Z", "2028-12-31", "2028-12", 366},
			{"2100-03-01T00:00:00Z", "2100-03-01", "2100-03", 60},
		} {
			at, err := time.Parse(time.RFC3339Nano, c.at)
			if err != nil {
				t.Fatal(err)
			}
			d := DayAt(at.UnixMilli())
			parsed, ok := ParseDay(c.day)
			if d.String() != c.day || d.Month() != c.month || d.YearDay() != c.yearDay || !ok || parsed != d || d.EndMs() != (d+1).StartMs() {
				t.Errorf("in %s, %s is %s of %s, day %d; %v", zone, c.at, d, d.Month(), d.YearDay(), parsed)
			}
			if x, ok := ParseContest(d.String()); !ok || x != ContestOf(d) || x.Day() != d {
				t.Errorf("%s: contest %+v", d, x)
			}
		}
		time.Local = was
	}
	for _, bad := range []string{"", "2026-2-1", "2026-02-30", "1969-12-31", "2027-02-29", "2026-11-30T00", "20261130"} {
		if d, ok := ParseDay(bad); ok {
			t.Errorf("%q is %s", bad, d)
		}
	}
	if c, ok := ParseContest(arena().Contest.String()); !ok || c != arena().Contest {
		t.Errorf("%+v %v", c, ok)
	}
	if _, ok := ParseContest("tomorrow"); ok {
		t.Error("a contest called tomorrow")
	}
}

func TestEveryDayOfAYearFitsItsAnchor(t *testing.T) {
	for _, year := range []int{2027, 2028} {
		chain := record.NewChance([32]byte{byte(year)}, YearDays(year))
		first, _ := ParseDay(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
		for d := first; d.Year() == year; d++ {
			seed := chain.Layer(d.YearDay())
			if !SeedFits(chain.Anchor(), d, seed) || SeedFits(chain.Anchor(), d+1, seed) || SeedFits([32]byte{}, d, seed) {
				t.Fatalf("%s", d)
			}
		}
	}
	a := YearAnchor{Year: 2028, Anchor: [32]byte{1}}.Sign(serverKey, serverSign)
	other := a
	other.Year++
	if !a.Check(serverKey) || a.Check(playerKey) || other.Check(serverKey) {
		t.Error("signatures of anchors")
	}
}

func TestCountries(t *testing.T) {
	if n := len(Countries()); n != 249 || !slices.IsSorted(Countries()) {
		t.Errorf("%d countries", n)
	}
	for code, want := range map[string]bool{"": true, "NP": true, "CA": true, "ZW": true, "np": false, "XX": false, "N": false, "NPL": false, "  ": false, "D ": false} {
		if ValidCountry(code) != want {
			t.Errorf("%q", code)
		}
	}
}
