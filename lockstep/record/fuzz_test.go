package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// seed adds the vectors of an object to a fuzz target.
func seed(f *testing.F, object string) {
	f.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "vectors.jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			f.Fatal(err)
		}
		if v.Object == object && v.Zeros == 0 {
			f.Add(v.bytes())
		}
	}
}

// decodes holds what every decoder must: what parses encodes to the same
// bytes, and what does not gives a Reason.
func decodes(t *testing.T, b []byte, again func() []byte, err error) bool {
	t.Helper()
	if err != nil {
		if reasonOf(err) == 0 {
			t.Fatalf("an error without a reason: %v", err)
		}
		return false
	}
	if !bytes.Equal(again(), b) {
		t.Fatal("does not encode to what it was read from")
	}
	return true
}

func FuzzParseKey(f *testing.F) {
	seed(f, "key")
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := ParseKey(b)
		decodes(t, b, func() []byte { return k[:] }, err)
	})
}

func FuzzParsePlayerCode(f *testing.F) {
	f.Add("ZTAD-VM4K-FJ8G-K4A3")
	f.Add(" olab—OOOO illz\tYXo1")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParsePlayerCode(s)
		if err != nil {
			if !errors.Is(err, ErrPlayerCode) {
				t.Fatal(err)
			}
			return
		}
		if again, err := ParsePlayerCode(c.String()); err != nil || again != c {
			t.Fatalf("%v reads back as %v, %v", c, again, err)
		}
	})
}

func FuzzParseTicket(f *testing.F) {
	seed(f, "ticket")
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := ParseTicket(b)
		if decodes(t, b, func() []byte { return x.Append(nil) }, err) {
			x.Check(host.key, server.key, issued)
		}
	})
}

func FuzzParseTerms(f *testing.F) {
	seed(f, "terms")
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := ParseTerms(b)
		if decodes(t, b, func() []byte { return x.Append(nil) }, err) {
			if err := x.Check(games); err != nil && reasonOf(err) == 0 {
				t.Fatal(err)
			}
		}
	})
}

func FuzzParseSignedEntry(f *testing.F) {
	seed(f, "entry")
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := ParseSignedEntry(b)
		if decodes(t, b, func() []byte { return x.Append(nil) }, err) {
			x.Check(host.key)
		}
	})
}

func FuzzParseSeal(f *testing.F) {
	seed(f, "seal")
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := ParseSeal(b)
		if decodes(t, b, func() []byte { return x.Append(nil) }, err) {
			x.Check(host.key)
		}
	})
}

func FuzzParseFraud(f *testing.F) {
	seed(f, "fraud")
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := ParseFraud(b)
		if decodes(t, b, func() []byte { return x.Append(nil) }, err) {
			x.Check()
		}
	})
}

func FuzzParseLog(f *testing.F) {
	seed(f, "match")
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := ParseLog(b)
		if decodes(t, b, func() []byte { return l.Append(nil) }, err) {
			if _, err := Verify(l, games); err != nil && reasonOf(err) == 0 {
				t.Fatal(err)
			}
		}
	})
}

// FuzzReplay has both players sign whatever the log says, so that the replay
// meets it.
func FuzzReplay(f *testing.F) {
	seed(f, "match")
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := ParseLog(b)
		if err != nil || l.end == endDrawn {
			return
		}
		l.terms.Keys = [2]Key{host.key, guest.key}
		v, err := Verify(l.sealAs(), games)
		if err != nil {
			if ve, ok := err.(*VerifyError); !ok || ve.Entry > 0 && !ve.Signed {
				t.Fatal(err)
			}
			return
		}
		for i := range v.Len() + 1 {
			v.PositionAt(i)
		}
	})
}

func FuzzParseRunTerms(f *testing.F) {
	seed(f, "run terms")
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := ParseRunTerms(b)
		if decodes(t, b, func() []byte { return x.Append(nil) }, err) {
			if err := x.Check(games); err != nil && reasonOf(err) == 0 {
				t.Fatal(err)
			}
		}
	})
}

func FuzzParseRunLog(f *testing.F) {
	seed(f, "run")
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := ParseRunLog(b)
		if decodes(t, b, func() []byte { return l.Append(nil) }, err) {
			l.terms.Key = host.key
			if _, err := VerifyRun(l.resign(), games); err != nil && reasonOf(err) == 0 {
				t.Fatal(err)
			}
		}
	})
}

// FuzzAccept gives a match that is under way whatever entry comes, signed by
// whoever it names.
func FuzzAccept(f *testing.F) {
	seed(f, "entry")
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := ParseSignedEntry(b)
		if err != nil {
			return
		}
		m := begin(t, friendly(3))
		playOn(t, m, 3, 9)
		e.Match = m.id
		e.Index %= 11
		if prev, ok := m.HeadAt(int(e.Index) - 1); ok {
			e.Prev = prev
		}
		e.Sig = both[e.Entry.Move.Seat].sign(signed(entryDomain, e.Match, e.Index, e.Head()))
		if err := m.Accept(e); err != nil && reasonOf(err) == 0 {
			t.Fatal(err)
		}
		if _, err := Verify(m.Log(), games); err != nil {
			t.Fatal(err)
		}
	})
}
