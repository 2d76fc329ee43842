package ranking

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"time"

	"github.com/cleavegame/cleave/lockstep/record"
)

// What a daily challenge is.
const (
	// DailyAttempts is how many runs of a day's deal one key may make.
	DailyAttempts = 3
	// DailyCloseMs is how long after its end a day still takes attempts and
	// runs: by then it has ended in every time zone.
	DailyCloseMs = 14 * 3600 * 1000
	// ArenaSeats is how many enter an arena at most.
	ArenaSeats = 20
	// ArenaMs is how long an arena lasts.
	ArenaMs = dayMs
	// ArenasPerDay is how many arenas one key may enter within 24 hours.
	ArenasPerDay = 10
	// PercentileFrom is the number of players on a board from which a
	// percentile says something.
	PercentileFrom = 20

	dayMs = 24 * 3600 * 1000
)

// A Day is a day in UTC, counted from 1970-01-01. No time zone but UTC is ever
// asked.
type Day int32

// DayAt is the day of a time in Unix milliseconds, 0 or later.
func DayAt(ms int64) Day { return Day(ms / dayMs) }

// ParseDay reads a day as String writes it, from 1970 to 9999.
func ParseDay(s string) (Day, bool) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || t.Year() < 1970 {
		return 0, false
	}
	return DayAt(t.UnixMilli()), true
}

func (d Day) date() time.Time { return time.UnixMilli(d.StartMs()).UTC() }

// String is the day as YYYY-MM-DD.
func (d Day) String() string { return d.date().Format(time.DateOnly) }

// Month is its month as YYYY-MM.
func (d Day) Month() string { return d.date().Format("2006-01") }

// Year is its year.
func (d Day) Year() int { return d.date().Year() }

// YearDay is its number in the year, 1 to 366.
func (d Day) YearDay() int { return d.date().YearDay() }

// StartMs, EndMs and ClosesMs are, in Unix milliseconds, when the day begins,
// when it ends, and from when on nobody can enter any more.
func (d Day) StartMs() int64  { return int64(d) * dayMs }
func (d Day) EndMs() int64    { return d.StartMs() + dayMs }
func (d Day) ClosesMs() int64 { return d.EndMs() + DailyCloseMs }

// A ContestKind says what a run takes part in.
type ContestKind uint8

// The kinds of contests.
const (
	DailyContest ContestKind = 1
	ArenaContest ContestKind = 2
)

// A Contest is one day's challenge, or one arena. Contests compare with ==.
type Contest struct {
	Kind ContestKind
	// ID is that of an arena, drawn by the server; of a day, its number in the
	// last four bytes, big-endian.
	ID [16]byte
}

// ContestOf is the challenge of a day.
func ContestOf(d Day) Contest {
	c := Contest{Kind: DailyContest}
	binary.BigEndian.PutUint32(c.ID[12:], uint32(d))
	return c
}

// Day is the day of a daily challenge.
func (c Contest) Day() Day { return Day(binary.BigEndian.Uint32(c.ID[12:])) }

// String is the day as YYYY-MM-DD, or the arena's id in hex.
func (c Contest) String() string {
	if c.Kind == DailyContest {
		return c.Day().String()
	}
	return hex.EncodeToString(c.ID[:])
}

// ParseContest reads what String writes.
func ParseContest(s string) (Contest, bool) {
	if d, ok := ParseDay(s); ok {
		return ContestOf(d), true
	}
	c := Contest{Kind: ArenaContest}
	return c, readHex(s, c.ID[:])
}

// An Attempt is the server's leave to play one run that counts. Its bytes
// stand in the run's terms (record.RunTerms.Attempt).
type Attempt struct {
	Contest Contest
	Server  record.Key
	Player  record.Key
	// Nonce is that of the run's terms: the attempt is for that run and no
	// other.
	Nonce [16]byte
	Seed  [32]byte // of the deal
	// Number is which of the day's attempts it is, 1 to DailyAttempts; of an
	// arena 1.
	Number    uint8
	IssuedMs  int64
	Signature record.Signature
}

const (
	attemptDomain = "cleave/attempt/1"
	attemptLen    = 1 + 16 + 32 + 32 + 16 + 32 + 1 + 8 + 64
)

func (a Attempt) body(b []byte) []byte {
	b = append(b, byte(a.Contest.Kind))
	b = append(b, a.Contest.ID[:]...)
	b = append(b, a.Server[:]...)
	b = append(b, a.Player[:]...)
	b = append(b, a.Nonce[:]...)
	b = append(b, a.Seed[:]...)
	b = append(b, a.Number)
	return binary.BigEndian.AppendUint64(b, uint64(a.IssuedMs))
}

// Append appends the attempt's 202 bytes to b.
func (a Attempt) Append(b []byte) []byte { return append(a.body(b), a.Signature[:]...) }

// Sign returns the attempt with the server's signature.
func (a Attempt) Sign(sign record.Signer) Attempt {
	a.Signature = sign(a.body([]byte(attemptDomain)))
	return a
}

// ErrAttempt is the error of an attempt that is none.
var ErrAttempt = errors.New("ranking: not an attempt that its server has opened")

// ParseAttempt reads the bytes of one attempt, whole. It does not check the
// signature: see Check.
func ParseAttempt(b []byte) (Attempt, error) {
	var a Attempt
	if len(b) != attemptLen {
		return a, ErrAttempt
	}
	take := func(n int) []byte {
		part := b[:n]
		b = b[n:]
		return part
	}
	a.Contest.Kind = ContestKind(take(1)[0])
	copy(a.Contest.ID[:], take(16))
	copy(a.Server[:], take(32))
	copy(a.Player[:], take(32))
	copy(a.Nonce[:], take(16))
	copy(a.Seed[:], take(32))
	a.Number = take(1)[0]
	a.IssuedMs = int64(binary.BigEndian.Uint64(take(8)))
	copy(a.Signature[:], b)
	daily := a.Contest.Kind == DailyContest && a.Number <= DailyAttempts && a.Contest == ContestOf(a.Contest.Day())
	arena := a.Contest.Kind == ArenaContest && a.Number == 1
	if a.Number < 1 || !daily && !arena || a.Contest.Day() < 0 && daily {
		return Attempt{}, ErrAttempt
	}
	return a, nil
}

// Check is ErrAttempt unless that server opened the attempt for the player.
func (a Attempt) Check(server, player record.Key) error {
	if a.Server != server || a.Player != player || !server.Verify(a.body([]byte(attemptDomain)), a.Signature) {
		return ErrAttempt
	}
	return nil
}

// SeedFits reports whether a day's seed is what the year's anchor promised:
// seeds are the layers of a hash chain (record.Chance), the first of January
// being layer 1.
func SeedFits(anchor [32]byte, d Day, seed [32]byte) bool {
	return record.NewChance(seed, d.YearDay()).Anchor() == anchor
}

// YearDays is how many layers a year's chain has.
func YearDays(year int) int {
	return time.Date(year, time.December, 31, 0, 0, 0, 0, time.UTC).YearDay()
}

// A YearAnchor promises the seeds of a year.
type YearAnchor struct {
	Year      int
	Anchor    [32]byte
	Signature record.Signature
}

func (a YearAnchor) message(server record.Key) []byte {
	b := append([]byte("cleave/anchor/1"), server[:]...)
	b = binary.BigEndian.AppendUint16(b, uint16(a.Year))
	return append(b, a.Anchor[:]...)
}

// Sign returns the anchor with the server's signature.
func (a YearAnchor) Sign(server record.Key, sign record.Signer) YearAnchor {
	a.Signature = sign(a.message(server))
	return a
}

// Check reports whether the server has signed the anchor.
func (a YearAnchor) Check(server record.Key) bool {
	return a.Year >= 1970 && a.Year <= 9999 && server.Verify(a.message(server), a.Signature)
}
