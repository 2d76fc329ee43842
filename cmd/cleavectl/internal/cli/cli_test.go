package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/cmd/internal/vault"
	"github.com/cleavegame/cleave/lockstep/record"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) {
	vault.ExportWork = 4
	os.Exit(m.Run())
}

// run carries out a command line and returns its exit code and what it wrote.
func run(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(t.Context(), Env{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs}, args)
	return code, out.String(), errs.String()
}

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

const wholeMatch = "testdata/match.cleave"

// spoilt writes a log that f has changed.
func spoilt(t *testing.T, f func([]byte) []byte) string {
	t.Helper()
	b, err := os.ReadFile(wholeMatch)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "spoilt.cleave")
	if err := os.WriteFile(path, f(b), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestVerifyExitCodes(t *testing.T) {
	flipped := spoilt(t, func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
	cut := spoilt(t, func(b []byte) []byte { return b[:len(b)-1] })
	other := spoilt(t, func([]byte) []byte { return []byte("hello") })
	huge := spoilt(t, func([]byte) []byte { return make([]byte, record.MaxMatch+1) })
	for name, tc := range map[string]struct {
		args []string
		code int
		out  string
	}{
		"whole":             {[]string{wholeMatch}, 0, "complete and sealed"},
		"two":               {[]string{wholeMatch, wholeMatch}, 0, "complete and sealed"},
		"a bit changed":     {[]string{flipped}, 1, "does not hold"},
		"one bad of two":    {[]string{flipped, wholeMatch}, 1, "complete and sealed"},
		"cut":               {[]string{cut}, 1, "does not hold"},
		"another file":      {[]string{other}, 1, "does not hold"},
		"too large":         {[]string{huge}, 1, "does not hold"},
		"no such file":      {[]string{"testdata/none.cleave"}, 1, "cannot be read"},
		"unfinished":        {[]string{"testdata/unfinished.cleave"}, 3, "holds, unfinished"},
		"unsealed":          {[]string{"testdata/unsealed.cleave"}, 3, "without a seal"},
		"unsealed and good": {[]string{"testdata/unsealed.cleave", wholeMatch}, 3, "complete and sealed"},
		"unsealed and bad":  {[]string{"testdata/unsealed.cleave", flipped}, 1, "does not hold"},
		"nothing":           {nil, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, _ := run(t, "", append([]string{"verify"}, tc.args...)...)
			if code != tc.code || !strings.Contains(out, tc.out) {
				t.Errorf("exit code %d, want %d; output %q", code, tc.code, out)
			}
		})
	}
}

func TestVerifyTellsWhichEntryAndWhy(t *testing.T) {
	path := spoilt(t, func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
	_, out, _ := run(t, "", "verify", "--json", path, wholeMatch)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 2 {
		t.Fatalf("got %q", out)
	}
	var bad, good judged
	for i, to := range []*judged{&bad, &good} {
		to.summary = new(summary)
		if err := json.Unmarshal([]byte(lines[i]), to); err != nil {
			t.Fatal(err)
		}
	}
	if bad.Holds || bad.Entry == nil || *bad.Entry < 1 || bad.Reason == "" || bad.Error == "" {
		t.Errorf("the bad one: %s", lines[0])
	}
	if !good.Holds || !good.Sealed || !good.Complete || good.Rounds != 8 || good.Winner == nil || good.Rules != "duel/1" {
		t.Errorf("the good one: %s", lines[1])
	}
}

func TestShow(t *testing.T) {
	for _, name := range []string{"match", "unfinished", "flags"} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := run(t, "", "show", "testdata/"+name+".cleave")
			want := exitOK
			if name == "unfinished" {
				want = exitPartial
			}
			if code != want || errs != "" {
				t.Errorf("exit code %d, %q", code, errs)
			}
			golden(t, name+".txt", out)
		})
	}
	if code, out, errs := run(t, "", "show", spoilt(t, func(b []byte) []byte { b[200] ^= 1; return b })); code != 1 || out != "" || !strings.Contains(errs, "does not hold") {
		t.Errorf("a bad log: %d %q %q", code, out, errs)
	}
	_, out, _ := run(t, "", "show", "--json", wholeMatch)
	for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		if i > 0 && v["entry"] != float64(i) {
			t.Errorf("line %d: %s", i, line)
		}
	}
}

func TestID(t *testing.T) {
	data := t.TempDir()
	at := func(args ...string) []string { return append(args, "--data", data) }
	code, out, _ := run(t, "", at("id", "show", "--json")...)
	if code != 0 {
		t.Fatal(out)
	}
	var id struct{ Player, Key, Profile, Data string }
	if err := json.Unmarshal([]byte(out), &id); err != nil {
		t.Fatal(err)
	}
	if _, err := record.ParsePlayerCode(id.Player); err != nil || id.Profile != "default" {
		t.Errorf("got %s", out)
	}
	if _, text, _ := run(t, "", at("id", "show")...); !strings.Contains(text, id.Player) {
		t.Errorf("another player the second time: %s", text)
	}

	_, words, _ := run(t, "", at("id", "export")...)
	if n := len(strings.Fields(words)); n != 24 {
		t.Fatalf("%d words", n)
	}
	file := filepath.Join(t.TempDir(), "key.age")
	if code, _, errs := run(t, "correct horse\n", at("id", "export", file, "--passphrase-file", "-")...); code != 0 {
		t.Fatal(errs)
	}
	if code, _, _ := run(t, "x\n", at("id", "export", file, "--passphrase-file", "-")...); code != 1 {
		t.Errorf("exported over a file: exit code %d", code)
	}

	for _, tc := range []struct {
		name, stdin string
		args        []string
		code        int
		says        string
	}{
		{"words into a fresh profile", words, at("id", "import", "--profile", "b"), 0, id.Player},
		{"the same again", words, at("id", "import", "--profile", "b"), 0, id.Player},
		{"file into a fresh profile", "correct horse\n", at("id", "import", file, "--profile", "c", "--passphrase-file", "-"), 0, id.Player},
		{"wrong passphrase", "wrong horse\n", at("id", "import", file, "--profile", "d", "--passphrase-file", "-"), 1, "passphrase"},
		{"wrong words", "zoo " + words, at("id", "import", "--profile", "d"), 1, "words"},
		{"no terminal for a passphrase", "", at("id", "import", file, "--profile", "d"), 2, "terminal"},
		{"a fresh key", "", at("id", "show", "--profile", "e"), 0, "player code"},
		{"over another key", words, at("id", "import", "--profile", "e"), 1, "--replace"},
		{"replacing another key", words, at("id", "import", "--profile", "e", "--replace"), 0, id.Player},
		{"a bad profile", "", at("id", "show", "--profile", "../x"), 2, "profile"},
		{"no word", "", at("id"), 2, "usage"},
		{"a wrong word", "", at("id", "destroy"), 2, "usage"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, out, errs := run(t, tc.stdin, tc.args...)
			if code != tc.code || !strings.Contains(out+errs, tc.says) {
				t.Errorf("exit code %d, want %d: %q %q", code, tc.code, out, errs)
			}
		})
	}
	if code, out, _ := run(t, "", at("id", "show", "--profile", "d", "--json")...); code != 0 || strings.Contains(out, id.Player) {
		t.Errorf("a failed import left something: %s", out)
	}
}

func TestALockedProfile(t *testing.T) {
	data := t.TempDir()
	v, err := vault.Open(data, "p")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if _, err := v.Identity(); err != nil {
		t.Fatal(err)
	}
	// Who only looks may look; who plays may not.
	if code, _, errs := run(t, "", "id", "show", "--data", data, "--profile", "p"); code != 0 {
		t.Errorf("id show: %d %s", code, errs)
	}
	for _, args := range [][]string{
		{"host", "--lan", "--player", "bot:easy"},
		{"join", "--lan", "--player", "bot:easy"},
		{"tickets", "--server", "http://127.0.0.1:1"},
	} {
		code, out, errs := run(t, "", append(args, "--data", data, "--profile", "p")...)
		if code != exitLocked || !strings.Contains(errs, fmt.Sprint("process ", os.Getpid())) || out != "" {
			t.Errorf("%v: exit code %d, %q %q", args, code, out, errs)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, line := range []string{
		"", "play", "host", "host --lan --server x", "host --lan extra", "host --lan --list", "host --lan --relay-only",
		"host --server u --list", "host --server u --listen :1", "host --server u --password p", "host --lan --player nobody", "host --lan --player bot:best",
		"host --lan --clocks fast", "host --lan --rated --friendly", "host --lan --rated --clocks off", "host --lan --matches 0",
		"host --lan --think -1", "host --lan --listen x", "host --lan --listen :70000", "host --lan --name", "host --lan --nonsense",
		"join", "join --server u", "join --lan a b", "join --lan --server u", "join --peer nowhere", "join --peer h:1 --lan",
		"join --lan --expect code", "join --lan --wait 0", "join --lan --wait soon",
		"duel", "duel --players bot:easy", "duel --players bot:easy,bot:best", "duel --players bot:easy,bot:easy --games 0",
		"duel --players bot:easy,bot:easy --clocks x", "duel x --players bot:easy,bot:easy",
		"verify", "show", "show a b", "submit", "submit f", "submit --server u", "tickets", "tickets x --server u", "rooms", "rooms x --server u",
		"lan x", "lan --for 0", "help nothing", "id show x", "id import a b",
	} {
		args := strings.Fields(line)
		if len(args) > 0 && args[0] != "help" {
			args = append(args, "--data", t.TempDir())
		}
		code, out, errs := run(t, "", args...)
		if code != exitUsage || errs == "" || out != "" {
			t.Errorf("%q: exit code %d, %q, %q", line, code, out, errs)
		}
	}
}

// A file that cannot be read says nothing about a match.
func TestFilesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("Dear diary"), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing.cleave")
	for _, tc := range []struct {
		args      []string
		says, not string
		inErr     bool
	}{
		{[]string{"verify", missing}, "cannot be read", "does not hold", false},
		{[]string{"verify", dir}, "cannot be read", "does not hold", false},
		{[]string{"verify", other}, "does not hold", "cannot be read", false},
		{[]string{"show", missing}, "cannot be read", "does not hold", true},
		{[]string{"show", other}, "does not hold", "cannot be read", true},
		{[]string{"submit", missing, "--server", "http://127.0.0.1:1"}, "cannot be read", "reached", true},
		{[]string{"submit", other, "--server", "http://127.0.0.1:1"}, "not a .cleave file", "reached", true},
	} {
		code, out, errs := run(t, "", append(tc.args, "--data", t.TempDir())...)
		said := out
		if tc.inErr {
			said = errs
		}
		if code != exitFailed || !strings.Contains(said, tc.says) || strings.Contains(out+errs, tc.not) {
			t.Errorf("%v: exit code %d: %q %q", tc.args, code, out, errs)
		}
	}
	code, out, _ := run(t, "", "verify", "--json", missing)
	var j struct {
		Holds  bool   `json:"holds"`
		Reason string `json:"reason"`
		Error  string `json:"error"`
	}
	if err := json.Unmarshal([]byte(out), &j); code != exitFailed || err != nil || j.Holds || j.Reason != "unreadable" || j.Error == "" {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// A server that takes the call and says nothing is one that is not there.
func TestAServerThatSaysNothing(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() // the kernel takes calls that nobody answers
	defer func(d time.Duration) { submitLimit = d }(submitLimit)
	submitLimit = 100 * time.Millisecond
	code, out, errs := run(t, "", "submit", wholeMatch, "--json", "--server", "http://"+l.Addr().String(), "--data", t.TempDir())
	var told struct{ Error, Failure, Detail string }
	if err := json.Unmarshal([]byte(out), &told); err != nil || code != 10 || told.Failure != "no-server" || told.Detail == "" ||
		strings.Contains(told.Error, "deadline") || strings.Contains(errs, "deadline") {
		t.Errorf("exit code %d: %q %q", code, out, errs)
	}
}

// With --json a command line that makes no sense is answered in JSON too,
// wherever --json stands.
func TestUsageInJSON(t *testing.T) {
	for _, line := range []string{"verify --json", "verify --bogus --json", "host --json --lan --think x", "join --think x --lan --json", "duel --json=true --games z"} {
		code, out, _ := run(t, "", strings.Fields(line)...)
		var told struct {
			Error string `json:"error"`
			Exit  int    `json:"exit"`
		}
		if err := json.Unmarshal([]byte(out), &told); err != nil || code != exitUsage || told.Exit != exitUsage || told.Error == "" {
			t.Errorf("%q: exit code %d: %q", line, code, out)
		}
	}
	if code, out, _ := run(t, "", "verify", "--bogus", "--", "--json"); code != exitUsage || out != "" {
		t.Errorf("behind --: exit code %d: %q", code, out)
	}
}

func TestAMistypedCodeIsNeverTried(t *testing.T) {
	code, _, errs := run(t, "", "join", "--server", "http://127.0.0.1:1", "not a code", "--player", "bot:easy", "--data", t.TempDir())
	if code != 16 || errs == "" {
		t.Errorf("exit code %d: %s", code, errs)
	}
	// A code that was typed with spaces, as a person reads it out, is one.
	code, _, errs = run(t, "", "join", "--server", "http://127.0.0.1:1", "7", "Maple", "orbit", "--player", "bot:easy", "--data", t.TempDir())
	if code != 10 || strings.Contains(errs, "usage") {
		t.Errorf("with spaces: exit code %d: %s", code, errs)
	}
}

func TestHelp(t *testing.T) {
	_, all, _ := run(t, "", "help")
	for _, cmd := range commands() {
		if !strings.Contains(all, "  "+cmd.name+" ") {
			t.Errorf("%s is not in the list", cmd.name)
		}
		code, text, _ := run(t, "", "help", cmd.name)
		if code != 0 {
			t.Errorf("help %s: exit code %d", cmd.name, code)
		}
		if _, same, _ := run(t, "", cmd.name, "--help"); same != text {
			t.Errorf("%s --help says something else", cmd.name)
		}
		for _, want := range []string{"--profile", "--data", "--json", "Exit codes:", "usage: cleavectl " + cmd.name} {
			if !strings.Contains(text, want) {
				t.Errorf("help %s lacks %q", cmd.name, want)
			}
		}
		for _, e := range cmd.exits {
			if !strings.Contains(text, fmt.Sprintf("  %-4d %s", e.code, e.when)) {
				t.Errorf("help %s lacks exit code %d", cmd.name, e.code)
			}
		}
	}
}

func TestFlagsStandAnywhere(t *testing.T) {
	for _, tc := range []struct{ line, rest string }{
		{"a --x 1 b --y", "a b"},
		{"--x 1 a", "a"},
		{"a -- --x b", "a --x b"},
		{"--y a --x=3", "a"},
		{"", ""},
	} {
		fs := flag.NewFlagSet("t", flag.ContinueOnError)
		x := fs.Int("x", 0, "")
		y := fs.Bool("y", false, "")
		rest, err := parse(fs, strings.Fields(tc.line))
		if err != nil || strings.Join(rest, " ") != tc.rest {
			t.Errorf("%q: %v, %v (x %d, y %v)", tc.line, rest, err, *x, *y)
		}
	}
}

func TestDuelPlaysVerifiesAndRepeats(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	play := func(dir string) string {
		code, out, errs := run(t, "", "duel", "--games", "6", "--players", "bot:hard,bot:beginner", "--seed", "5", "--out", dir)
		if code != 0 {
			t.Fatal(errs)
		}
		return out
	}
	out := play(first)
	if again := play(second); again != out {
		t.Errorf("one seed, two stories:\n%s\n%s", out, again)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 7 || !strings.HasPrefix(lines[6], "TOTAL 6 ") {
		t.Fatalf("got %q", out)
	}
	files, _ := filepath.Glob(filepath.Join(first, "*.cleave"))
	if len(files) != 6 {
		t.Fatalf("logs: %v", files)
	}
	if code, text, _ := run(t, "", append([]string{"verify"}, files...)...); code != 0 {
		t.Error(text)
	}
}

func TestDuelEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	code := Main(ctx, Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}, []string{"duel", "--players", "bot:easy,bot:easy", "--games", "3"})
	if code != exitInterrupted || strings.Contains(errs.String(), "context") || !strings.Contains(errs.String(), "interrupted") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
}

func TestSplitPlayers(t *testing.T) {
	for _, tc := range []struct {
		in, a, b string
		ok       bool
	}{
		{"bot:hard,bot:easy", "bot:hard", "bot:easy", true},
		{"exec:a b,c,human", "exec:a b,c", "human", true},
		{"human,exec:a,b", "human", "exec:a,b", true},
		{"human", "", "", false},
	} {
		a, b, ok := splitPlayers(tc.in)
		if ok != tc.ok || ok && (a != tc.a || b != tc.b) {
			t.Errorf("%q: %q, %q, %v", tc.in, a, b, ok)
		}
	}
}

func TestOutNames(t *testing.T) {
	got := []string{outName("a/m.cleave", 1), outName("a/m.cleave", 2), outName("m", 3)}
	if want := []string{"a/m.cleave", "a/m-2.cleave", "m-3"}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}
