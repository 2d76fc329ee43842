//go:build unix

package vault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// TestMain lets the test binary be the process that is killed or that holds
// the lock.
func TestMain(m *testing.M) {
	ExportWork = 4
	switch os.Getenv("VAULT_CHILD") {
	case "":
		os.Exit(m.Run())
	case "hold":
		v, err := Open(os.Getenv("VAULT_DIR"), "p")
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		os.Stdin.Read(make([]byte, 1)) // until the parent closes it
		v.Close()
	case "die":
		dieAt(os.Getenv("VAULT_STEP"))
	}
	os.Exit(0)
}

// dieAt stores new values over old ones and is killed at the given step.
func dieAt(step string) {
	v, err := Open(os.Getenv("VAULT_DIR"), "p")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	j, _, err := v.OpenJournal("m")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	v.store.(*files).step = func(s, name string) error {
		if s == step {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	}
	if err := v.SetName("new"); err != nil {
		os.Exit(1)
	}
	if err := j.Append([]byte("two"), []byte("three")); err != nil {
		os.Exit(1)
	}
}

func child(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe)
	c.Env = append(os.Environ(), env...)
	return c
}

func mustOpen(t *testing.T, dir string) *Vault {
	t.Helper()
	v, err := Open(dir, "p")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestKilledAtEachStepLeavesOldOrNew(t *testing.T) {
	for _, tc := range []struct {
		step, name string
		records    int
	}{
		{"write", "old", 1},
		{"sync", "old", 1},
		{"rename", "old", 1},
		{"syncdir", "new", 1},
		{"append", "new", 1},
		{"fsync", "new", 3},
	} {
		t.Run(tc.step, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			v := mustOpen(t, dir)
			must(t, v.SetName("old"))
			app, _, err := v.store.journal("match-m")
			must(t, err)
			must(t, app.append([][]byte{[]byte("one")}))
			must(t, v.Close())

			out, err := child(t, "VAULT_CHILD=die", "VAULT_DIR="+dir, "VAULT_STEP="+tc.step).CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("the child was to be killed: %v\n%s", err, out)
			}

			v = mustOpen(t, dir)
			if name, err := v.Name(); err != nil || name != tc.name {
				t.Errorf("name %q, %v; want %q", name, err, tc.name)
			}
			j, records, err := v.OpenJournal("m")
			must(t, err)
			if len(records) != tc.records {
				t.Errorf("%d records %q; want %d", len(records), records, tc.records)
			}
			must(t, j.Append([]byte("four")))
			if left, _ := filepath.Glob(filepath.Join(dir, "p", "tmp-*")); len(left) != 0 {
				t.Errorf("left over: %v", left)
			}
			if p := v.Problems(); len(p) != 0 {
				t.Errorf("problems: %v", p)
			}
		})
	}
}

func TestSecondProcessIsRefusedWithThePid(t *testing.T) {
	dir := t.TempDir()
	c := child(t, "VAULT_CHILD=hold", "VAULT_DIR="+dir)
	in, err := c.StdinPipe()
	must(t, err)
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	buf := make([]byte, 5)
	if _, err := out.Read(buf); err != nil || string(buf[:4]) != "held" {
		t.Fatalf("child: %q %v", buf, err)
	}
	_, err = Open(dir, "p")
	var locked *LockedError
	if !errors.As(err, &locked) || locked.PID != c.Process.Pid {
		t.Fatalf("got %v; want a LockedError of process %d", err, c.Process.Pid)
	}
	if !strings.Contains(err.Error(), strconv.Itoa(c.Process.Pid)) {
		t.Errorf("the sentence does not say which process: %v", err)
	}
	view, err := View(dir, "p")
	must(t, err)
	if err := view.SetName("x"); !errors.Is(err, ErrReadOnly) {
		t.Errorf("a view stored: %v", err)
	}
	if _, err := Open(dir, "other"); err != nil {
		t.Errorf("another profile: %v", err)
	}
	in.Close()
	must(t, c.Wait())
	must(t, mustOpen(t, dir).SetName("x"))
}

func TestProfileNames(t *testing.T) {
	for _, bad := range []string{"..", "a/b", "a b", ".x", strings.Repeat("a", 33), "é", "a\\b", "a:b"} {
		var pe *ProfileError
		if _, err := Open(t.TempDir(), bad); !errors.As(err, &pe) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	dir := t.TempDir()
	v, err := Open(dir, "")
	must(t, err)
	defer v.Close()
	if v.Where() != filepath.Join(dir, "default") {
		t.Errorf("the default profile is in %s", v.Where())
	}
}

func TestFullDiskKeepsWhatWasThere(t *testing.T) {
	for _, step := range []string{"write", "sync", "append", "fsync"} {
		t.Run(step, func(t *testing.T) {
			dir := t.TempDir()
			v := mustOpen(t, dir)
			must(t, v.SetName("old"))
			j, err := v.CreateJournal("m1")
			must(t, err)
			must(t, j.Append([]byte("one")))
			full := true
			v.store.(*files).step = func(s, _ string) error {
				if full && s == step {
					return &fs.PathError{Op: s, Path: "x", Err: syscall.ENOSPC}
				}
				return nil
			}
			onBlob := step == "write" || step == "sync"
			if err := v.SetName("new"); errors.Is(err, ErrDiskFull) != onBlob {
				t.Errorf("SetName: %v", err)
			}
			if err := j.Append([]byte("two")); errors.Is(err, ErrDiskFull) == onBlob {
				t.Errorf("Append: %v", err)
			}
			full = false
			if name, _ := v.Name(); onBlob != (name == "old") {
				t.Errorf("name is %q", name)
			}
			err = j.Append([]byte("three"))
			if step == "fsync" {
				if !errors.Is(err, ErrBroken) {
					t.Errorf("after a failed sync: %v", err)
				}
				return
			}
			must(t, err)
			must(t, v.Close())
			_, records, err := mustOpen(t, dir).OpenJournal(j.Name())
			must(t, err)
			want := "one three"
			if onBlob {
				want = "one two three"
			}
			if got := string(bytes.Join(records, []byte(" "))); got != want {
				t.Errorf("journal %q; want %q", got, want)
			}
		})
	}
}

// A real file system that is full, where the machine lets the test mount one.
func TestFullFileSystem(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "none", dir).CombinedOutput(); err != nil {
		t.Skipf("not run: no leave to mount a small file system: %v %s", err, out)
	}
	defer exec.Command("umount", "-l", dir).Run()
	v, err := Open(dir, "p")
	must(t, err)
	j, err := v.CreateJournal("m1")
	must(t, err)
	n := 0
	for ; n < 1000; n++ {
		if err = j.Append(bytes.Repeat([]byte{byte(n)}, 3000)); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrDiskFull) {
		t.Fatalf("after %d records: %v", n, err)
	}
	if err := v.SaveReceipt("a", make([]byte, 30_000)); !errors.Is(err, ErrDiskFull) {
		t.Errorf("a blob: %v", err)
	}
	must(t, v.Close())
	v, err = Open(dir, "p")
	must(t, err)
	defer v.Close()
	_, records, err := v.OpenJournal(j.Name())
	must(t, err)
	if len(records) != n {
		t.Errorf("%d records are whole; want %d", len(records), n)
	}
}

func TestDamagedFilesAreQuarantinedNeverLost(t *testing.T) {
	dir := t.TempDir()
	v := mustOpen(t, dir)
	must(t, v.SetName("a"))
	must(t, v.AddTickets(noon, Ticket{Serial: [16]byte{1}, Expires: noon.Add(time.Hour)}))
	must(t, v.PutParcel(Parcel{ID: "p1", Created: noon}))
	must(t, v.SaveLog(LogInfo{ID: "l1", Result: "won"}, []byte("log")))
	must(t, v.SaveLog(LogInfo{ID: "l1", Result: "won", Sealed: true}, []byte("log")))
	j, err := v.CreateJournal("m1")
	must(t, err)
	must(t, j.Append([]byte("one"), []byte("two"), []byte("three")))
	must(t, v.Close())

	path := func(n string) string { return filepath.Join(dir, "p", n) }
	names := []string{"settings", "tickets", "outbox-p1", "index", "match-" + j.Name()}
	kept := map[string][]byte{}
	for _, n := range names {
		b, err := os.ReadFile(path(n))
		must(t, err)
		clear(b[len(b)/3 : len(b)/2]) // a lost sector
		must(t, os.WriteFile(path(n), b, 0o600))
		kept[n] = b
	}

	v = mustOpen(t, dir)
	if name, err := v.Name(); name != "" || err != nil {
		t.Errorf("name %q, %v", name, err)
	}
	if ts, err := v.Tickets([32]byte{}, noon); len(ts) != 0 || err != nil {
		t.Errorf("tickets %v, %v", ts, err)
	}
	if ps, err := v.Parcels(noon); len(ps) != 0 || err != nil {
		t.Errorf("parcels %v, %v", ps, err)
	}
	if ls, err := v.Logs(); len(ls) != 1 || ls[0].ID != "l1" || err != nil {
		t.Errorf("logs %v, %v", ls, err)
	}
	var c *CorruptError
	if _, _, err := v.OpenJournal(j.Name()); !errors.As(err, &c) {
		t.Errorf("a damaged journal: %v", err)
	}
	if js, err := v.Journals(); len(js) != 0 || err != nil {
		t.Errorf("journals %v, %v", js, err)
	}
	if p := v.Problems(); len(p) != len(names) {
		t.Errorf("%d problems, want %d: %v", len(p), len(names), p)
	}
	for _, n := range names {
		found, _ := filepath.Glob(path("quarantine/" + n + ".*"))
		if len(found) != 1 {
			t.Errorf("%s: in quarantine %v", n, found)
			continue
		}
		if b, _ := os.ReadFile(found[0]); !bytes.Equal(b, kept[n]) {
			t.Errorf("%s changed on its way to quarantine", n)
		}
	}
	// And everything works again.
	must(t, v.SetName("b"))
	must(t, v.SaveLog(LogInfo{ID: "l2"}, []byte("log")))
	if ls, _ := v.Logs(); len(ls) != 2 {
		t.Errorf("logs %v", ls)
	}
}

func TestDamagedKeyIsNeverReplacedInSilence(t *testing.T) {
	dir := t.TempDir()
	v := mustOpen(t, dir)
	_, err := v.Identity()
	must(t, err)
	must(t, v.Close())
	path := filepath.Join(dir, "p", "key")
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the key's mode is %v", info.Mode())
	}
	b, err := os.ReadFile(path)
	must(t, err)
	b[20] ^= 1
	must(t, os.WriteFile(path, b, 0o600))

	v = mustOpen(t, dir)
	var c *CorruptError
	if _, err := v.Identity(); !errors.As(err, &c) {
		t.Fatalf("a damaged key: %v", err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, b) {
		t.Fatal("the damaged key was touched")
	}
	other := newIdentity(bytes.Repeat([]byte{7}, 32))
	if err := v.Import(other, false); !errors.As(err, &c) {
		t.Errorf("import over a damaged key: %v", err)
	}
	must(t, v.Import(other, true))
	id, err := v.Identity()
	must(t, err)
	if id.Key() != other.Key() {
		t.Error("another key than the imported")
	}
	if found, _ := filepath.Glob(filepath.Join(dir, "p", "quarantine", "key.*")); len(found) != 1 {
		t.Errorf("quarantine: %v", found)
	}
}

func TestIdentityExports(t *testing.T) {
	v := Memory("p")
	if has, err := v.HasKey(); has || err != nil {
		t.Fatalf("a fresh profile: %v %v", has, err)
	}
	id, err := v.Identity()
	must(t, err)
	again, err := v.Identity()
	must(t, err)
	if id.Key() != again.Key() {
		t.Fatal("two first uses, two keys")
	}
	back, err := ParseWords("  " + strings.ToUpper(strings.ReplaceAll(id.Words(), " ", "\n ")))
	must(t, err)
	if back.Key() != id.Key() {
		t.Error("the words give another key")
	}
	file, err := id.Encrypt("horse")
	must(t, err)
	back, err = Decrypt(file, "horse")
	must(t, err)
	if back.Key() != id.Key() || back.Sign([]byte("m")) != id.Sign([]byte("m")) {
		t.Error("the file gives another key")
	}
	if bytes.Contains(file, []byte(fmt.Sprintf("%x", id.private.Seed()))) {
		t.Error("the file shows the secret")
	}
	// Of one key in 256 the checksum would take the swapped words too.
	w := strings.Fields(newIdentity(bytes.Repeat([]byte{1, 2}, 16)).Words())
	w[0], w[1] = w[1], w[0]
	for name, tc := range map[string]struct {
		f    func() error
		want error
	}{
		"wrong passphrase": {func() error { _, err := Decrypt(file, "house"); return err }, ErrPassphrase},
		"no file":          {func() error { _, err := Decrypt([]byte("hello"), "horse"); return err }, ErrKeyFile},
		"cut file":         {func() error { _, err := Decrypt(file[:len(file)/2], "horse"); return err }, ErrKeyFile},
		"words swapped":    {func() error { _, err := ParseWords(strings.Join(w, " ")); return err }, ErrWords},
		"a word missing":   {func() error { _, err := ParseWords(strings.Join(w[:23], " ")); return err }, ErrWords},
		"no word":          {func() error { _, err := ParseWords(strings.Repeat("cleave ", 24)); return err }, ErrWords},
		"other key":        {func() error { return v.Import(newIdentity(make([]byte, 32)), false) }, ErrHasKey},
		"same key":         {func() error { return v.Import(id, false) }, nil},
	} {
		if err := tc.f(); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v; want %v", name, err, tc.want)
		}
	}
	must(t, v.Import(newIdentity(make([]byte, 32)), true))
	k := id.Key()
	if b, err := v.store.get(fmt.Sprintf("key.old-%x", k)); err != nil || !bytes.Equal(b, id.line()) {
		t.Errorf("the replaced key is not kept: %v", err)
	}
}

// The published BIP-39 vector for 256 bits of zeros.
func TestWordsOfAKnownSeed(t *testing.T) {
	const want = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon " +
		"abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon art"
	if got := newIdentity(make([]byte, 32)).Words(); got != want {
		t.Errorf("got %s", got)
	}
}

func TestSettingsKeepUnknownFields(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "p"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "p", "settings"), []byte(`{"from_the_future":{"a":[1,2.50]},"name":"Ann"}`), 0o600))
	v := mustOpen(t, dir)
	must(t, v.SetSetting("server", "https://a.example"))
	must(t, v.SetSetting("name", nil))
	b, err := os.ReadFile(filepath.Join(dir, "p", "settings"))
	must(t, err)
	var buf bytes.Buffer
	must(t, json.Compact(&buf, b))
	if want := `{"from_the_future":{"a":[1,2.50]},"server":"https://a.example"}`; buf.String() != want {
		t.Errorf("got %s", buf.String())
	}
	var n int
	if _, err := v.Setting("server", &n); err == nil {
		t.Error("a text read as a number")
	}
}

func TestATicketIsUsedOnce(t *testing.T) {
	for name, v := range map[string]*Vault{"memory": Memory("p"), "files": mustOpen(t, t.TempDir())} {
		t.Run(name, func(t *testing.T) {
			srv := [32]byte{9}
			mk := func(n byte, d time.Duration) Ticket {
				return Ticket{Server: srv, Serial: [16]byte{n}, Expires: noon.Add(d), Bytes: []byte{n}}
			}
			must(t, v.AddTickets(noon, mk(1, 48*time.Hour), mk(2, 30*time.Hour), mk(3, time.Hour), mk(4, -time.Hour)))
			must(t, v.AddTickets(noon, mk(2, 30*time.Hour)))
			ts, err := v.Tickets(srv, noon.Add(24*time.Hour))
			must(t, err)
			if len(ts) != 2 || ts[0].Serial[0] != 2 || ts[1].Serial[0] != 1 || ts[0].Bytes[0] != 2 {
				t.Fatalf("got %v", ts)
			}
			must(t, v.SpendTicket(srv, ts[0].Serial))
			if err := v.SpendTicket(srv, ts[0].Serial); !errors.Is(err, ErrNotFound) {
				t.Errorf("spent twice: %v", err)
			}
			must(t, v.AddTickets(noon, ts[0])) // the server thinks it unused
			if ts, _ := v.Tickets(srv, noon.Add(24*time.Hour)); len(ts) != 1 || ts[0].Serial[0] != 1 {
				t.Errorf("a spent ticket came back: %v", ts)
			}
			if ts, _ := v.Tickets([32]byte{8}, noon); len(ts) != 0 {
				t.Errorf("another server's: %v", ts)
			}
		})
	}
}

func TestOutbox(t *testing.T) {
	v := mustOpen(t, t.TempDir())
	must(t, v.PutParcel(Parcel{ID: "b", Kind: "log", Created: noon, Next: noon.Add(2 * time.Minute), Body: []byte{0, 255}}))
	must(t, v.PutParcel(Parcel{ID: "a", Created: noon, Next: noon.Add(3 * time.Minute)}))
	must(t, v.PutParcel(Parcel{ID: "old", Created: noon.AddDate(0, 0, -15)}))
	ps, err := v.Parcels(noon)
	must(t, err)
	if len(ps) != 2 || ps[0].ID != "b" || !bytes.Equal(ps[0].Body, []byte{0, 255}) {
		t.Fatalf("got %+v", ps)
	}
	must(t, v.RemoveParcel("b"))
	must(t, v.RemoveParcel("b"))
	if ps, _ := v.Parcels(noon); len(ps) != 1 {
		t.Errorf("got %+v", ps)
	}
	if err := v.PutParcel(Parcel{ID: "../x"}); err == nil {
		t.Error("an ID that leaves the folder was taken")
	}
}

func TestAParcelThatWasReplacedMeanwhileStays(t *testing.T) {
	v := Memory("p")
	old := Parcel{ID: "a", Created: noon, Body: []byte("unsealed")}
	must(t, v.PutParcel(old))
	retry := old
	retry.Tries = 1
	must(t, v.ReplaceParcel(old, &retry))
	if ps, _ := v.Parcels(noon); len(ps) != 1 || ps[0].Tries != 1 {
		t.Errorf("got %+v", ps)
	}
	must(t, v.PutParcel(Parcel{ID: "a", Created: noon, Body: []byte("sealed")}))
	must(t, v.ReplaceParcel(old, nil))
	must(t, v.ReplaceParcel(old, &retry))
	if ps, _ := v.Parcels(noon); len(ps) != 1 || string(ps[0].Body) != "sealed" || ps[0].Tries != 0 {
		t.Errorf("got %+v", ps)
	}
	must(t, v.ReplaceParcel(Parcel{ID: "a", Body: []byte("sealed")}, nil))
	must(t, v.ReplaceParcel(old, &retry))
	if ps, _ := v.Parcels(noon); len(ps) != 0 {
		t.Errorf("got %+v", ps)
	}
}

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

func TestManyAtOnce(t *testing.T) {
	v := mustOpen(t, t.TempDir())
	var wg sync.WaitGroup
	keys := make([][32]byte, 8)
	for i := range keys {
		wg.Go(func() {
			id, err := v.Identity()
			if err != nil {
				t.Error(err)
				return
			}
			keys[i] = id.Key()
			if err := v.SetSetting(fmt.Sprint("k", i), i); err != nil {
				t.Error(err)
			}
			if err := v.SaveLog(LogInfo{ID: fmt.Sprint("l", i)}, []byte{1}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range keys {
		var got int
		if ok, err := v.Setting(fmt.Sprint("k", i), &got); !ok || got != i || err != nil {
			t.Errorf("setting %d: %v %v %v", i, ok, got, err)
		}
		if keys[i] != keys[0] {
			t.Error("two keys")
		}
	}
	if ls, _ := v.Logs(); len(ls) != len(keys) {
		t.Errorf("%d logs", len(ls))
	}
}

func TestALimitedMemoryIsAFullDisk(t *testing.T) {
	v := Memory("p")
	j, err := v.CreateJournal("j", []byte("one"))
	must(t, err)
	v.Limit(200)
	must(t, j.Append([]byte("two")))
	if err := j.Append(make([]byte, 200)); !errors.Is(err, ErrDiskFull) {
		t.Errorf("Append: %v", err)
	}
	if err := v.SaveReceipt("r", make([]byte, 200)); !errors.Is(err, ErrDiskFull) {
		t.Errorf("SaveReceipt: %v", err)
	}
	v.Limit(-1)
	must(t, j.Append([]byte("three")))
	records, err := v.ReadJournal("j")
	must(t, err)
	if got := string(bytes.Join(records, []byte(" "))); got != "one two three" {
		t.Errorf("journal %q", got)
	}
}

func FuzzKeyLine(f *testing.F) {
	f.Add(newIdentity(make([]byte, 32)).line())
	f.Add([]byte("cleave-key-1 00 00\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		id, err := parseKeyLine(data)
		if err == nil && !bytes.Equal(bytes.TrimSuffix(id.line(), []byte("\n")), bytes.TrimSuffix(bytes.ToLower(data), []byte("\n"))) {
			t.Fatalf("%q reads as %q", data, id.line())
		}
	})
}

func FuzzImports(f *testing.F) {
	id := newIdentity(make([]byte, 32))
	file, err := id.Encrypt("p")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add([]byte(id.Words()))
	f.Fuzz(func(t *testing.T, data []byte) {
		if id, err := ParseWords(string(data)); err == nil {
			if again, err := ParseWords(id.Words()); err != nil || again.Key() != id.Key() {
				t.Fatal("the words of a key do not give it back")
			}
		}
		if len(data) < 4096 && !bytes.Contains(data, []byte("scrypt")) {
			// One that names its work would take its time.
			Decrypt(data, "p")
		}
	})
}

// A program that is being started has, for a moment, copies of all that this
// process has open. The lock of a closed profile must not live on in them.
func TestACopyOfTheLockHoldsNothing(t *testing.T) {
	dir := t.TempDir()
	v := mustOpen(t, dir)
	twin, err := syscall.Dup(int(v.store.(*files).lock.Fd()))
	must(t, err)
	defer syscall.Close(twin)
	must(t, v.Close())
	must(t, mustOpen(t, dir).Close())
}
