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
