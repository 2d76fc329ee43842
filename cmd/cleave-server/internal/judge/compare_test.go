package judge

import (
	"testing"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/internal/games"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

func verified(t *testing.T, table *judgetest.Table) record.Verified {
	t.Helper()
	v, err := record.Verify(table.Match.Log(), games.All())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCompare(t *testing.T) {
	base := sit("compare").PlayOut()
	n := base.Match.Len()
	owes := func(at int) int { return base.Fork(at).Match.Position().Owes() }
	// otherwise returns a table that differs from the base at entry at.
	otherwise := func(at int) *judgetest.Table {
		f := base.Fork(at - 1)
		return f.Add(engine.Move{Seat: uint8(owes(at - 1)), Kind: engine.Flag})
	}
	// at is a split in the middle: its author owes it, and the other owes the
	// next.
	at := 1
	for at < n/2 || base.Match.EntryAt(at).Entry.Move.Kind != engine.Split {
		at++
	}
	a := owes(at - 1)
	b := 1 - a
	both := func(seat int) (s [2]bool) { s[seat] = true; return s }
	drawn := base.Fork(at)
	drawn.Resign(0)
	second := base.Fork(at).Resign(1)
	if err := drawn.Match.Apply(second.Match.EntryAt(at + 1)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		a, b    *judgetest.Table
		want    Relation
		reverse Relation
		forged  [2]bool
	}{
		{"the same", base.Fork(at), base.Fork(at), Same, Same, [2]bool{}},
		{"the same but for the seal", base, base.Fork(n).Seal(), Same, Same, [2]bool{}},
		{"a beginning", base, base.Fork(at), Shorter, Longer, [2]bool{}},
		{"the terms alone", base, base.Fork(0), Shorter, Longer, [2]bool{}},
		{"two splits", base.Fork(at), otherwise(at), Forked, Forked, both(a)},
		{"two splits, and the match went on after one", base.Fork(n).Seal(), otherwise(at), Forked, Forked, both(a)},
		{"both went on after both", base.Fork(at + 1), otherwise(at).Play(at + 1), Forked, Forked, [2]bool{true, true}},
		{"resigned as the other moved", base.Fork(at), base.Fork(at - 1).Resign(b), Drops, Dropped, [2]bool{}},
		{"resigned as the other moved, sealed", base.Fork(at), base.Fork(at - 1).Resign(b).Seal(), Drops, Dropped, [2]bool{}},
		{"resigned, and played on", base.Fork(at + 1), base.Fork(at - 1).Resign(b), Forked, Forked, both(b)},
		{"moved, and resigned instead", base.Fork(at), base.Fork(at - 1).Resign(a), Forked, Forked, both(a)},
		{"both resigned", base.Fork(at - 1).Resign(0), base.Fork(at - 1).Resign(1), Drawn, Drawn, [2]bool{}},
		{"one log has both resignations", base.Fork(at).Resign(0), drawn, Drops, Dropped, [2]bool{}},
		{"one log has both resignations, the other the second", base.Fork(at).Resign(1), drawn, Drops, Dropped, [2]bool{}},
		{"both resignations against what they dropped", base.Fork(at + 1), drawn, Drops, Dropped, both(b)},
		{"both resignations against the beginning", base.Fork(at), drawn, Drops, Dropped, [2]bool{}},
	} {
		want := c.want
		reverse := c.reverse
		if c.forged != ([2]bool{}) {
			want, reverse = Forked, Forked
		}
		if got := Compare(verified(t, c.a), verified(t, c.b)); got != (Comparison{want, c.forged}) {
			t.Errorf("%s: %+v, want %v %v", c.name, got, want, c.forged)
		}
		if got := Compare(verified(t, c.b), verified(t, c.a)); got != (Comparison{reverse, c.forged}) {
			t.Errorf("%s, the other way: %+v, want %v %v", c.name, got, reverse, c.forged)
		}
	}
	// A seal on one end, and another end: who sealed signed both.
	sealed := base.Fork(n).Seal()
	lastAuthor := int(base.Match.EntryAt(n).Entry.Move.Seat)
	end := base.Fork(n - 1).Add(engine.Move{Seat: uint8(lastAuthor), Kind: engine.Flag}).Seal()
	if got := Compare(verified(t, sealed), verified(t, end)); got != (Comparison{Forked, [2]bool{true, true}}) {
		t.Errorf("two ends, both sealed: %+v", got)
	}
}
