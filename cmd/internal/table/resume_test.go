package table

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cleavegame/cleave/p2p/memnet"
)

var update = flag.Bool("update", false, "rewrite the files of testdata")

// journalFile is the journal of a match that was broken off, as JSON.
const journalFile = "testdata/journal.json"

// broken plays a match for ten seconds and returns one seat's journal.
func broken(t *testing.T) (records [][]byte) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		link := memnet.NewLink(1, memnet.Conditions{Delay: time.Millisecond})
		a, b := newSeat(t, link, 0), newSeat(t, link, 1)
		short, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		both(short, a, b, Sitting{Player: easy(1, time.Second)}, Sitting{Player: easy(2, time.Second)})
		names, err := a.vault.Journals()
		if err != nil || len(names) != 1 {
			t.Fatal(names, err)
		}
		if records, err = a.vault.ReadJournal(names[0]); err != nil {
			t.Fatal(err)
		}
	})
	return records
}

func TestAJournalTellsOfItsMatchOnceTheTermsAreSigned(t *testing.T) {
	records := broken(t)
	if *update {
		data, err := json.Marshal(records)
		if err == nil {
			err = os.WriteFile(journalFile, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // of a bubble
	const signed = 3                                     // records: the table's, the secret, the terms
	for n := range len(records) + 1 {
		u, ok := readUnfinished("j", records[:n], begun.Add(time.Minute))
		if ok != (n >= signed) {
			t.Errorf("after %d records: %v", n, ok)
		}
		if ok && (u.PeerName != "P1" || u.Name != "P0" || !u.Path.Host || u.Path.Kind != "memory") {
			t.Errorf("got %+v", u)
		}
	}
	if _, ok := readUnfinished("j", records, begun.Add(ResumableFor+time.Minute)); ok {
		t.Error("to be gone on with after a day")
	}
	if _, ok := readUnfinished("j", records[1:], begun); ok {
		t.Error("a journal without the table's record")
	}
}

// Whatever a journal holds, nothing panics, and what does not begin as one is
// no match.
func FuzzUnfinished(f *testing.F) {
	data, err := os.ReadFile(journalFile)
	if err != nil {
		f.Fatal(err)
	}
	var whole [][]byte
	if err := json.Unmarshal(data, &whole); err != nil {
		f.Fatal(err)
	}
	for i, r := range whole {
		f.Add(r, whole[(i+1)%len(whole)], byte(i))
	}
	f.Fuzz(func(t *testing.T, a, b []byte, n byte) {
		mixed := slices.Concat(whole[:min(int(n), len(whole))], [][]byte{a, b})
		for _, records := range [][][]byte{{a, b}, {b}, mixed} {
			u, ok := readUnfinished("j", records, time.Unix(0, 0))
			if ok && (len(records) < 2 || len(records[0]) == 0 || records[0][0] != recordTable) {
				t.Fatalf("a match without a beginning: %+v", u)
			}
		}
	})
}
