package rating

import (
	"errors"
	"fmt"
)

// A Season is a quarter of a year in UTC, counted from the first quarter of
// the year 0.
type Season int

// MaxTimeMs is the first moment after the year 9999. No time reaches it.
const MaxTimeMs = 253402300800000

// SeasonAt returns the season of a time in Unix milliseconds, which is not
// before 1970.
func SeasonAt(ms int64) Season {
	// Days to civil date, as in Howard Hinnant's chrono algorithms: years
	// that begin in March, in eras of 400.
	days := ms/dayMs + 719468
	era := days / 146097
	dayOfEra := days - era*146097
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/146096) / 365
	dayOfYear := dayOfEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	monthFromMarch := (5*dayOfYear + 2) / 153
	month := monthFromMarch + 2 // from January, 0 to 13
	year := yearOfEra + era*400
	if month >= 12 {
		month -= 12
		year++
	}
	return Season(year*4 + month/3)
}

// StartMs is the first moment of the season in Unix milliseconds.
func (s Season) StartMs() int64 {
	year, month := int64(s/4), int64(s%4)*3 // month from January
	fromMarch := month - 2
	if fromMarch < 0 {
		fromMarch += 12
		year--
	}
	era := year / 400
	yearOfEra := year - era*400
	dayOfYear := (153*fromMarch + 2) / 5
	dayOfEra := yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear
	return (era*146097 + dayOfEra - 719468) * dayMs
}

// Next is the season after s.
func (s Season) Next() Season { return s + 1 }

// String writes the season as in "2026Q1".
func (s Season) String() string { return fmt.Sprintf("%04dQ%d", int(s)/4, int(s)%4+1) }

// ErrSeason is the error of a text that names no season.
var ErrSeason = errors.New("rating: a season is written as in 2026Q1")

// ParseSeason reads what String writes, from 1970Q1 to 9999Q4.
func ParseSeason(text string) (Season, error) {
	if len(text) != 6 || text[4] != 'Q' || text[5] < '1' || text[5] > '4' {
		return 0, ErrSeason
	}
	year := 0
	for _, c := range []byte(text[:4]) {
		if c < '0' || c > '9' {
			return 0, ErrSeason
		}
		year = year*10 + int(c-'0')
	}
	if year < 1970 {
		return 0, ErrSeason
	}
	return Season(year*4 + int(text[5]-'1')), nil
}
