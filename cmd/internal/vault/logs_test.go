//go:build unix

package vault

import (
	"errors"
	"fmt"
	"os"
	"testing"
)

func TestAnIndexDoesNotGrowForEver(t *testing.T) {
	defer func(n int) { listLimit = n }(listLimit)
	listLimit = 2000
	for name, v := range map[string]*Vault{"memory": Memory("p"), "files": mustOpen(t, t.TempDir())} {
		for i := range 40 {
			must(t, v.SaveLog(LogInfo{ID: fmt.Sprintf("l%02d", i), Rules: "r"}, []byte("log")))
		}
		ls, err := v.Logs()
		must(t, err)
		if len(ls) != 40 || ls[39].ID != "l39" || ls[39].Rules != "r" || ls[0].Rules != "" {
			t.Errorf("%s: %d logs, the first %+v, the last %+v", name, len(ls), ls[0], ls[len(ls)-1])
		}
		lines, err := v.store.records("index")
		must(t, err)
		if n := journalSize(lines); n > 2500 {
			t.Errorf("%s: the index has %d bytes", name, n)
		}
	}
}

// A list of runs that is cut down still knows the best of each level.
func TestAListOfRunsDoesNotGrowForEver(t *testing.T) {
	defer func(n int) { listLimit = n }(listLimit)
	listLimit = 6000
	for name, v := range map[string]*Vault{"memory": Memory("p"), "files": mustOpen(t, t.TempDir())} {
		for i := range 200 {
			info := RunInfo{ID: fmt.Sprintf("r%03d", i), Rules: "classic/1", Params: []byte{byte(i % 2)}, Score: int32(1000 - i)}
			must(t, v.SaveRun(info, []byte("log")))
		}
		lines, err := v.store.records("runs")
		must(t, err)
		if n := journalSize(lines); n > 6500 {
			t.Errorf("%s: the list has %d bytes", name, n)
		}
		all, err := v.SavedRuns()
		must(t, err)
		if last := all[len(all)-1]; last.ID != "r199" || len(all) == 200 {
			t.Errorf("%s: %d runs, the last %+v", name, len(all), last)
		}
		for level := range 2 {
			best, err := v.BestRuns(func(r RunInfo) bool { return string(r.Params) == string([]byte{byte(level)}) })
			must(t, err)
			if len(best) != BestOf {
				t.Fatalf("%s: the best of level %d are %d", name, level, len(best))
			}
			for i, b := range best {
				if want := int32(1000 - level - 2*i); b.Score != want {
					t.Errorf("%s: place %d of level %d has %d points, not %d", name, i+1, level, b.Score, want)
				}
			}
		}
		if b, err := v.RunLog("r000"); err != nil || string(b) != "log" {
			t.Errorf("%s: the log of a run that is not listed any more: %v", name, err)
		}
	}
}

func TestLogsAndJournalsComeBack(t *testing.T) {
	dir := t.TempDir()
	v := mustOpen(t, dir)
	must(t, v.SaveLog(LogInfo{ID: "aa", Complete: true}, []byte("unsealed")))
	must(t, v.SaveLog(LogInfo{ID: "bb"}, []byte("other")))
	must(t, v.SaveLog(LogInfo{ID: "aa", Complete: true, Sealed: true}, []byte("sealed")))
	j1, err := v.CreateJournal("j1")
	must(t, err)
	j2, err := v.CreateJournal("j2", []byte("w"))
	must(t, err)
	must(t, j2.Append([]byte("x"), nil, []byte("y")))
	must(t, j1.Finish(noon))
	where, err := v.SaveBundle("aa", []byte("bundle"))
	must(t, err)
	if b, err := os.ReadFile(where); err != nil || string(b) != "bundle" {
		t.Errorf("the bundle is not where it is said to be: %v", err)
	}
	must(t, v.Close())

	v = mustOpen(t, dir)
	ls, err := v.Logs()
	must(t, err)
	if len(ls) != 2 || ls[0].ID != "aa" || !ls[0].Sealed || ls[1].ID != "bb" {
		t.Errorf("logs %+v", ls)
	}
	if b, _ := v.Log("aa"); string(b) != "sealed" {
		t.Errorf("log %q", b)
	}
	if _, err := v.Log("cc"); !errors.Is(err, ErrNotFound) {
		t.Errorf("no log: %v", err)
	}
	js, err := v.Journals()
	must(t, err)
	if len(js) != 1 || js[0] != j2.Name() {
		t.Fatalf("unfinished %v; want %s", js, j2.Name())
	}
	_, records, err := v.OpenJournal(js[0])
	must(t, err)
	if len(records) != 4 || string(records[0]) != "w" || string(records[1]) != "x" || len(records[2]) != 0 || string(records[3]) != "y" {
		t.Errorf("records %q", records)
	}
	if _, err := v.CreateJournal("j2"); err == nil {
		t.Error("a name was given twice")
	}
	must(t, v.PrunePast(noon.AddDate(0, 0, PastDays-1)))
	if past, _ := v.store.list("past-"); len(past) != 1 {
		t.Errorf("not kept long enough: %v", past)
	}
	must(t, v.PrunePast(noon.AddDate(0, 0, PastDays+1)))
	if past, _ := v.store.list("past-"); len(past) != 0 {
		t.Errorf("kept too long: %v", past)
	}
	if _, _, err := v.OpenJournal("none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("no journal: %v", err)
	}
}
