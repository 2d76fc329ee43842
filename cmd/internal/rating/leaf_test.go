package rating

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

func leafOf(r Result, kind LeafKind) Leaf {
	l := Leaf{Kind: kind, TimeMs: r.TimeMs, Match: r.Match, Keys: r.Keys, Winner: r.Winner, End: EndPlayed, Rounds: r.Rounds, Score: [2]int32{-8, 120}}
	if r.Early {
		l.End = EndResigned
	}
	return l
}

func TestLeafRoundTrip(t *testing.T) {
	l := Leaf{Kind: LeafReversal, TimeMs: t0, Match: id(3), Keys: [2]Key{key(1), key(2)}, Winner: Nobody, End: EndForged, Rounds: 8, Score: [2]int32{-24, 300},
		Decisions: [2]uint16{20, 21}, Late: [2]uint16{1, 2}, Reason: 308, Index: 77, Player: key(2), Evidence: [32]byte{31: 9}}
	b := l.Append(nil)
	if len(b) != LeafSize {
		t.Fatalf("%d bytes", len(b))
	}
	if got, err := ParseLeaf(b); err != nil || got != l {
		t.Fatalf("%+v, %v", got, err)
	}
	for name, change := range map[string]func([]byte) []byte{
		"short":        func(b []byte) []byte { return b[:LeafSize-1] },
		"trailing":     func(b []byte) []byte { return append(b, 0) },
		"version":      func(b []byte) []byte { b[0] = 2; return b },
		"kind 0":       func(b []byte) []byte { b[1] = 0; return b },
		"kind 8":       func(b []byte) []byte { b[1] = 8; return b },
		"before 1970":  func(b []byte) []byte { b[2] = 255; return b },
		"winner 2":     func(b []byte) []byte { b[106] = 2; return b },
		"winner 254":   func(b []byte) []byte { b[106] = 254; return b },
		"end 7":        func(b []byte) []byte { b[107] = 7; return b },
		"nine rounds":  func(b []byte) []byte { b[108] = 9; return b },
		"nothing":      func([]byte) []byte { return nil },
		"year 100,000": func(b []byte) []byte { b[3] = 0x10; return b },
	} {
		if _, err := ParseLeaf(change(bytes.Clone(b))); !errors.Is(err, ErrLeaf) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFoldOfLeaves(t *testing.T) {
	result := func(n int, timeMs int64, winner int) Result {
		return Result{TimeMs: timeMs, Match: id(n), Keys: [2]Key{key(1), key(2)}, Winner: winner, Rounds: 8}
	}
	fold := func(leaves ...Leaf) *Ladder {
		t.Helper()
		l := NewLadder()
		for _, leaf := range leaves {
			if err := l.Fold(leaf); err != nil {
				t.Fatal(err)
			}
		}
		return l
	}
	first, second := leafOf(result(1, t0, 0), LeafResult), leafOf(result(2, t0+5, 1), LeafResult)
	want := NewLadder()
	played(t, want, 1, t0, 1, 2, 0)
	played(t, want, 2, t0+5, 1, 2, 1)
	if got := fold(first, leafOf(result(9, t0+1, 0), LeafClaim), leafOf(result(9, t0+2, 0), LeafWithdrawal), second); !reflect.DeepEqual(got.players, want.players) {
		t.Error("a claim or its withdrawal moved somebody, or a result did not")
	}
	voided := fold(first, leafOf(result(1, t0+1, 0), LeafVoid))
	if p, _ := voided.Player(key(1)); p.Rating != Of(1500) {
		t.Errorf("after a void: %v", p.Rating)
	}
	reversed := fold(first, leafOf(result(1, t0+1, 1), LeafReversal))
	if p, _ := reversed.Player(key(1)); p.Rating >= Of(1500) {
		t.Errorf("after a reversal: %v", p.Rating)
	}
	// A reversal of what never counted enters the corrected result.
	if got := fold(leafOf(result(1, t0, 1), LeafVoid), leafOf(result(1, t0+1, 1), LeafReversal)); func() bool { p, _ := got.Player(key(2)); return p.Rating <= Of(1500) }() {
		t.Error("a reversal after a void did nothing")
	}
	if err := fold(first).Fold(leafOf(result(2, t0-1, 0), LeafClaim)); !errors.Is(err, ErrTime) {
		t.Errorf("time ran backwards: %v", err)
	}
}

// A run stands in the log and moves nobody.
func TestARunIsALeafOfNoLadder(t *testing.T) {
	match := leafOf(Result{TimeMs: t0, Match: id(1), Keys: [2]Key{key(1), key(2)}, Rounds: 8}, LeafResult)
	l := NewLadder()
	for _, leaf := range []Leaf{match, {Kind: LeafRun, TimeMs: t0 + 5, Match: id(7), Winner: Nobody, Score: [2]int32{31_000, 0}, Index: 2, Player: key(1), Evidence: [32]byte{9}}} {
		b := leaf.Append(nil)
		if got, err := ParseLeaf(b); err != nil || got != leaf {
			t.Fatalf("%+v %v", got, err)
		}
		if err := l.Fold(leaf); err != nil {
			t.Fatal(err)
		}
	}
	alone := NewLadder()
	if err := alone.Fold(match); err != nil {
		t.Fatal(err)
	}
	a, _ := l.Player(key(1))
	b, _ := alone.Player(key(1))
	if a != b || l.LastMs() != t0+5 {
		t.Errorf("%+v, without the run %+v; the last leaf is of %d", a, b, l.LastMs())
	}
}

func FuzzParseLeaf(f *testing.F) {
	f.Add(leafOf(Result{TimeMs: t0, Winner: Nobody, Rounds: 8}, LeafResult).Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if l, err := ParseLeaf(b); err == nil && !bytes.Equal(l.Append(nil), b) {
			t.Error("does not encode back")
		}
	})
}
