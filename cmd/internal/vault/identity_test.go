//go:build unix

package vault

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
