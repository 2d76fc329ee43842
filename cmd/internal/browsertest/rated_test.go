package browsertest

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
)

// rated plays a match that counts: a program hosts, the browser follows its
// link. Both logs are the same, and hold, and nobody has signed twice.
func (b *table) rated(t *testing.T, name string, args []string, env ...string) {
	file := filepath.Join(b.data, name+".cleave")
	host := b.start(t, "cleavectl", append([]string{"host", "--server", b.url, "--data", b.data, "--profile", name, "--name", "Robin", "--player", "bot:easy", "--out", file}, args...)...)
	links, result := b.follow(t, host)
	out := b.check(t, name, append(env, "CLEAVE_LINKS="+links)...)
	if got := <-result; !strings.Contains(got, " rated sealed") {
		t.Errorf("the program says: %s", got)
	}
	ours, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b.agree(t, out, ours)
	signedOnce(t, append(journals(t, out), filesOf(t, filepath.Join(b.data, name, "past-*"))...))
}

var code = regexp.MustCompile(`^[0-9]+-[a-z]+-[a-z]+$`)

// follow reads what a program that hosts says: the name of a file that gets each
// of its codes as a link, and its result.
func (b *table) follow(t *testing.T, host *bufio.Reader) (links string, result <-chan string) {
	t.Helper()
	links = filepath.Join(t.TempDir(), "links")
	if err := os.WriteFile(links, []byte(b.url+"/#"+line(t, host)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(links, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 1)
	go func() {
		defer close(said)
		defer f.Close()
		for s := bufio.NewScanner(host); s.Scan(); {
			if strings.HasPrefix(s.Text(), "RESULT ") {
				said <- s.Text()
				return
			}
			if code.MatchString(s.Text()) {
				fmt.Fprintf(f, "%s/#%s\n", b.url, s.Text())
			}
		}
	}()
	return links, said
}

// agree checks that all logs that a check has told are those of the others, and
// hold.
func (b *table) agree(t *testing.T, out string, others ...[]byte) {
	t.Helper()
	logs := told(t, "LOG", out)
	logs = append(logs, others...)
	if len(logs) < 2 {
		t.Fatalf("%d logs were told", len(logs))
	}
	for _, log := range logs[1:] {
		if !bytes.Equal(log, logs[0]) {
			t.Errorf("the logs differ: %d and %d bytes", len(logs[0]), len(log))
		}
	}
	file := filepath.Join(t.TempDir(), "match.cleave")
	if err := os.WriteFile(file, logs[0], 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := b.Command(filepath.Join(b.bin, "cleavectl"), "verify", file).CombinedOutput(); err != nil {
		t.Errorf("verify: %v\n%s", err, out)
	}
}

func journals(t *testing.T, out string) [][]byte { return told(t, "JOURNAL", out) }

// told are the bytes that a check has printed behind a word.
func told(t *testing.T, word, out string) (all [][]byte) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^`+word+` ([0-9a-f]+)$`).FindAllStringSubmatch(out, -1) {
		b, err := hex.DecodeString(m[1])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

// filesOf reads the files that match one of the patterns.
func filesOf(t *testing.T, patterns ...string) (all [][]byte) {
	t.Helper()
	var names []string
	for _, p := range patterns {
		some, err := filepath.Glob(p)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, some...)
	}
	if len(names) == 0 {
		t.Fatalf("no files are like %s", patterns)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

// The journal's records that carry a signature: the byte of package table, the
// kind of package lockstep, and what is signed.
const (
	entryRecord = "S\x03"
	entryAt     = 2 + 8 // behind the time
	sealRecord  = "S\x05"
	sealAt      = 2
)

// signedOnce looks through journals of one match, of both sides and of several
// moments, for two signatures of one seat at one index.
func signedOnce(t *testing.T, journals [][]byte) {
	t.Helper()
	signed := map[string]string{} // what, by seat and index
	entries := map[uint8]int{}
	for _, data := range journals {
		for _, r := range records(t, data) {
			at, what := "", ""
			switch {
			case bytes.HasPrefix(r, []byte(entryRecord)):
				e, err := record.ParseSignedEntry(r[entryAt:])
				if err != nil {
					t.Fatal(err)
				}
				at, what = fmt.Sprint("seat ", e.Entry.Move.Seat, " at ", e.Index), fmt.Sprintf("%x %x", e.Head(), e.Sig)
				if signed[at] == "" {
					entries[e.Entry.Move.Seat]++
				}
			case bytes.HasPrefix(r, []byte(sealRecord)):
				if _, err := record.ParseSeal(r[sealAt:]); err != nil {
					t.Fatal(err)
				}
				at, what = "the seal", fmt.Sprintf("%x", r[sealAt:])
			default:
				continue
			}
			if signed[at] != "" && signed[at] != what {
				t.Errorf("%s has signed two things:\n%s\n%s", at, signed[at], what)
			}
			signed[at] = what
		}
	}
	// 8 rounds of a reveal, a split or a choice, and mostly a placement each.
	if entries[0] < 16 || entries[1] < 16 {
		t.Errorf("the %d journals show only %d and %d entries", len(journals), entries[0], entries[1])
	}
}

// records reads a journal from its bytes: those of a file and those in a
// browser's database are the same.
func records(t *testing.T, data []byte) [][]byte {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "p"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "p", "match-j"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := vault.View(dir, "p")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	records, err := v.ReadJournal("j")
	if err != nil {
		t.Fatal(err)
	}
	return records
}
