package world

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
	"github.com/cleavegame/cleave/ui"
)

// An account comes back from its words, from its file, and from what is in the
// file even where a field has made one line of it; the one before is kept.
func TestAnAccountIsBroughtFromElsewhere(t *testing.T) {
	defer func(work int) { vault.ExportWork = work }(vault.ExportWork)
	vault.ExportWork = 10
	id := vault.FromSeed([32]byte{9})
	file, err := id.Encrypt("open")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "account.age")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	line := strings.ReplaceAll(string(file), "\n", "")
	for _, c := range []struct{ from, phrase, fault string }{
		{id.Words(), "", ""},
		{"  " + strings.ToUpper(id.Words()) + "\n", "", ""},
		{path, "open", ""},
		{string(file), "open", ""},
		{line, "open", ""},
		{strings.ReplaceAll(string(file), "\n", " "), "open", ""},
		{path, "shut", "problem.passphrase"},
		{line[:len(line)/2], "open", "problem.key_file"},
		{strings.Replace(id.Words(), " ", " zebra ", 1), "", "problem.words"},
		{filepath.Dir(path), "open", "problem.key_file"},
		{path + "x", "open", "problem.no_file"},
	} {
		dir := t.TempDir()
		v, err := vault.Open(dir, "p")
		if err != nil {
			t.Fatal(err)
		}
		w, err := Open(v, "test", "")
		if err != nil {
			t.Fatal(err)
		}
		before := w.Account().Code
		if err := v.AddTickets(time.Now(), vault.Ticket{Expires: time.Now().Add(time.Hour), Bytes: []byte("old")}); err != nil {
			t.Fatal(err)
		}
		code, err := w.Recover(c.from, c.phrase)
		if n, _ := err.(ui.Notice); n.ID != c.fault {
			t.Errorf("%.30q: %v", c.from, err)
		}
		if err := w.Adopt(); (err == nil) != (c.fault == "") {
			t.Errorf("%.30q: adopting: %v", c.from, err)
		}
		w.Close()
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		if v, err = vault.Open(dir, "p"); err != nil {
			t.Fatal(err)
		}
		now, err := v.Identity()
		if err != nil {
			t.Fatal(err)
		}
		want := before
		if c.fault == "" {
			want = record.PlayerCode(id.Key())
			if code != want {
				t.Errorf("%.30q: %s was found", c.from, code)
			}
			if old, _ := filepath.Glob(filepath.Join(v.Where(), "key.old-*")); len(old) != 1 {
				t.Errorf("the key before is kept %d times", len(old))
			}
			if left, err := v.Tickets([32]byte{}, time.Now()); err != nil || len(left) != 0 {
				t.Errorf("%d tickets of the account before are left, %v", len(left), err)
			}
		}
		if got := record.PlayerCode(now.Key()); got != want {
			t.Errorf("%.30q: the profile is %s, not %s", c.from, got, want)
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// One's own account is no other one.
func TestOnesOwnAccountIsNotReplaced(t *testing.T) {
	w, err := Open(vault.Memory("p"), "test", "")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	words, err := w.Words()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Recover(strings.Join(words, " "), ""); err != (ui.Notice{ID: "problem.same_account"}) {
		t.Error(err)
	}
}
