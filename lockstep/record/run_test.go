package record

import (
	"bytes"
	"errors"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"pgregory.net/rapid"
)

func beginRun(tb testing.TB, t RunTerms) *Run {
	tb.Helper()
	r, err := BeginRun(t, games)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// finish signs the run and returns its file.
func finish(tb testing.TB, r *Run) RunLog {
	tb.Helper()
	l, err := r.Finish(host.sign)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// toyRun is a run of so many entries: it fills row after row, so it may go on
// for ever.
func toyRun(tb testing.TB, t RunTerms, entries int) *Run {
	tb.Helper()
	r := beginRun(tb, t)
	for i := range entries {
		if err := r.Apply(spot(i%3, i%8)); err != nil {
			tb.Fatal(err)
		}
	}
	return r
}

func reverifyRun(b []byte) (VerifiedRun, error) {
	l, err := ParseRunLog(b)
	if err != nil {
		return VerifiedRun{}, err
	}
	return VerifyRun(l, games)
}

// botTerms are terms with everything in them.
func botTerms() RunTerms {
	t := toyTerms()
	t.Params = []byte{1}
	t.Attempt = []byte("leave")
	t.Bot = &Bot{Name: "bot:expert", Version: 3, Seed: fill(4), Nodes: 20_000}
	return t
}

func TestRunsOfEveryLengthVerify(t *testing.T) {
	for _, entries := range []int{1, 2, 63, 64, 65, 127, 128, 129, 1000} {
		r := toyRun(t, botTerms(), entries)
		file := finish(t, r).Append(nil)
		v, err := reverifyRun(file)
		if err != nil {
			t.Fatalf("%d entries: %v", entries, err)
		}
		if !bytes.Equal(v.Log().Append(nil), file) {
			t.Errorf("%d entries: does not encode to what it was read from", entries)
		}
		if v.Len() != entries || v.Placements() != entries || v.ID() != r.ID() || v.Complete() || v.Claim() != ClaimOf(r.Position()) || v.MoveAt(1) != spot(0, 0) {
			t.Errorf("%d entries: %d, %d placements, claim %+v", entries, v.Len(), v.Placements(), v.Claim())
		}
		if v.Position().Digest() != r.Position().Digest() {
			t.Errorf("%d entries: another state", entries)
		}
		// Two bytes an entry, a digest for each 64 and for the rest.
		if n := len(file) - len(botTerms().Append(nil)); n != 6+2+2+4+2*entries+32*((entries+63)/64)+38+64 {
			t.Errorf("%d entries: %d bytes", entries, n)
		}
	}
}

func TestARunMayTakeChancesAndHintsAndEnd(t *testing.T) {
	r := beginRun(t, toyTerms())
	for _, m := range []engine.Move{spot(0, 1), {Kind: engine.Hint}, spot(2, 63), {Kind: engine.Chance}, spot(1, 1)} {
		if err := r.Apply(m); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range []engine.Move{{Kind: engine.Resign}, {Seat: 1, Kind: engine.Hint}, {Kind: engine.Place, Data: 1 << 12}, {Kind: engine.Chance, Data: 1},
		{Kind: engine.Place, Layer: fill(1)}, {Kind: 20}, spot(3, 0)} {
		err := r.Apply(m)
		if ill, ok := errors.AsType[*engine.IllegalMove](err); !errors.Is(err, ErrIllegal) || !ok || ill.Move != m {
			t.Errorf("%+v: %v", m, err)
		}
	}
	if _, err := beginRun(t, toyTerms()).Finish(host.sign); !errors.Is(err, ErrEntryCount) {
		t.Error(err)
	}
	// To its end by the rules: the first column stays empty, so no row
	// clears.
	r = beginRun(t, toyTerms())
	for cell := range 64 {
		if cell%8 != 0 {
			if err := r.Apply(spot(0, cell)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.Apply(spot(0, 0)); !errors.Is(err, ErrIllegal) {
		t.Error(err)
	}
	v, err := reverifyRun(finish(t, r).Append(nil))
	if err != nil || !v.Complete() {
		t.Errorf("complete %v, %v", v.Complete(), err)
	}
}

func TestARunEndsAtItsLimit(t *testing.T) {
	r := toyRun(t, botTerms(), MaxPlacements-1)
	if r.Full() {
		t.Error("full too early")
	}
	if err := r.Apply(spot(0, (MaxPlacements-1)%8)); err != nil {
		t.Fatal(err)
	}
	if !r.Full() {
		t.Error("not full")
	}
	for _, m := range []engine.Move{spot(0, 9), {Kind: engine.Chance}} {
		if err := r.Apply(m); !errors.Is(err, ErrFull) {
			t.Error(err)
		}
	}
	file := finish(t, r).Append(nil)
	v, err := reverifyRun(file)
	if err != nil {
		t.Fatal(err)
	}
	if !v.Complete() || v.Placements() != MaxPlacements || len(file) > MaxRun {
		t.Errorf("complete %v, %d placements, %d bytes", v.Complete(), v.Placements(), len(file))
	}
	over := v.Log()
	over.moves = append(over.moves[:len(over.moves):len(over.moves)], over.moves[0])
	if _, err := reverifyRun(over.Append(nil)); !errors.Is(err, ErrEntryCount) {
		t.Errorf("65,536 placements: %v", err)
	}
	if _, err := ParseRunLog(make([]byte, MaxRun+1)); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}

// resigned signs a run afresh, whatever it says.
func (l RunLog) resign() RunLog {
	id := l.terms.ID()
	l.sig = host.sign(l.message(id, l.head(id)))
	return l
}

// runCases are runs that their player signed, or seems to have, and what
// VerifyRun says of them; the vectors are made from them.
var runCases = []struct {
	name   string
	want   Reason
	entry  int
	signed bool
	change func(l *RunLog) // of a run of 70 entries
}{
	{"as it was", 0, 0, false, func(l *RunLog) {}},
	{"signed afresh", 0, 0, false, func(l *RunLog) { *l = l.resign() }},
	{"unknown rules", ErrUnknownRules, 0, false, func(l *RunLog) { l.terms.Rules = "toy/2"; *l = l.resign() }},
	{"a ruleset for two", ErrRulesSeats, 0, false, func(l *RunLog) { l.terms.Rules = "duel/1"; l.terms.Params = nil; *l = l.resign() }},
	{"unknown parameters", ErrUnknownParams, 0, false, func(l *RunLog) { l.terms.Params = []byte{7}; *l = l.resign() }},
	{"another signature", ErrSignature, 71, false, func(l *RunLog) { l.sig[0] ^= 1 }},
	{"a move changed", ErrSignature, 71, false, func(l *RunLog) { l.moves[3] ^= 1 }},
	{"another seed", ErrSignature, 71, false, func(l *RunLog) { l.terms.Seed[0] ^= 1 }},
	{"an illegal move", ErrIllegal, 4, true, func(l *RunLog) { l.moves[3] = l.moves[2]; *l = l.resign() }},
	{"another digest after 64", ErrDigest, 64, true, func(l *RunLog) { l.digests[0][0] ^= 1; *l = l.resign() }},
	{"another digest at the end", ErrDigest, 70, true, func(l *RunLog) { l.digests[1][0] ^= 1; *l = l.resign() }},
	{"another move", ErrDigest, 64, true, func(l *RunLog) { l.moves[0] ^= 0x100; *l = l.resign() }},
	{"more points claimed", ErrClaimScore, 71, true, func(l *RunLog) { l.claim.Score++; *l = l.resign() }},
	{"a better combo claimed", ErrClaimCombo, 71, true, func(l *RunLog) { l.claim.Combo++; *l = l.resign() }},
	{"another board claimed", ErrClaimBoard, 71, true, func(l *RunLog) { l.claim.Board[0]++; *l = l.resign() }},
}

// shortRun is a run of 70 entries, as runCases want it.
func shortRun(tb testing.TB) RunLog {
	l := finish(tb, toyRun(tb, botTerms(), 70))
	l.moves, l.digests = bytesOf(l.moves), bytesOf(l.digests)
	return l
}

func bytesOf[T any](s []T) []T { return append([]T(nil), s...) }

func TestVerifyRunRefuses(t *testing.T) {
	for _, c := range runCases {
		t.Run(c.name, func(t *testing.T) {
			l := shortRun(t)
			c.change(&l)
			_, err := reverifyRun(l.Append(nil))
			if c.want == 0 {
				if err != nil {
					t.Error(err)
				}
				return
			}
			ve, ok := errors.AsType[*VerifyError](err)
			if !ok || reasonOf(err) != c.want || ve.Signed != c.signed || ve.Entry != c.entry {
				t.Fatalf("got %+v, want %v at %d, signed %v", err, c.want, c.entry, c.signed)
			}
		})
	}
}

func TestRunTermsAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		want   Reason
		change func(t *RunTerms)
	}{
		{"good", 0, func(t *RunTerms) {}},
		{"another protocol", ErrProtocol, func(t *RunTerms) { t.Version = 0 }},
		{"a key of small order", ErrKeySmallOrder, func(t *RunTerms) { t.Key = Key{} }},
		{"parameters too long", ErrUnknownParams, func(t *RunTerms) { t.Params = make([]byte, 256) }},
		{"an attempt too long", ErrTooLarge, func(t *RunTerms) { t.Attempt = make([]byte, 256) }},
		{"a bot without a name", ErrBotName, func(t *RunTerms) { t.Bot.Name = "" }},
		{"a bot with a newline", ErrBotName, func(t *RunTerms) { t.Bot.Name = "a\nb" }},
		{"rules for two", ErrRulesSeats, func(t *RunTerms) { t.Rules = "duel/1" }},
	} {
		terms := botTerms()
		c.change(&terms)
		if err := terms.Check(games); reasonOf(err) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	b := botTerms().Append(nil)
	for n := range b {
		if _, err := ParseRunTerms(b[:n]); !errors.Is(err, ErrShort) {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
	}
	if _, err := ParseRunTerms(append(b[:len(b):len(b)], 0)); !errors.Is(err, ErrTrailing) {
		t.Error(err)
	}
}

func TestAChangedRunNeverVerifies(t *testing.T) {
	good := shortRun(t).Append(nil)
	for i := range good {
		b := bytes.Clone(good)
		b[i] ^= 1 << (i % 8)
		if _, err := reverifyRun(b); err == nil {
			t.Fatalf("byte %d can be changed", i)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		b := bytes.Clone(good)
		i := rapid.IntRange(0, len(b)-1).Draw(t, "at")
		switch rapid.IntRange(0, 2).Draw(t, "how") {
		case 0:
			b = b[:i]
		case 1:
			b = append(b[:i], b[i+1:]...)
		case 2:
			b = append(b[:i:i], append([]byte{rapid.Byte().Draw(t, "byte")}, b[i:]...)...)
		}
		if _, err := reverifyRun(b); err == nil {
			t.Fatal("verifies")
		}
	})
}

func TestAMatchIsNoRunAndARunNoMatch(t *testing.T) {
	run, match := shortRun(t).Append(nil), shortLog(t).Append(nil)
	if _, err := ParseLog(run); !errors.Is(err, ErrSeats) {
		t.Error(err)
	}
	if _, err := ParseRunLog(match); !errors.Is(err, ErrSeats) {
		t.Error(err)
	}
}
