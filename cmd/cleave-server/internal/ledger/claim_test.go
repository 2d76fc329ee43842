package ledger

import (
	"bytes"
	"testing"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/rating"
	"github.com/cleavegame/cleave/lockstep/record"
)

func TestClaims(t *testing.T) {
	d := newDesk(t)
	table := d.sit(alice, bob, "m")
	claim := func(p judgetest.Signer, kind ranking.ClaimKind, table *judgetest.Table) (ranking.Receipt, error) {
		r, _, err := d.Claim(t.Context(), d.now, p.Key, kind, nil, d.read(table))
		return r, err
	}
	_, err := claim(alice, ranking.Silence, table)
	d.refused(err, ranking.NotOpened)
	d.opened(table)
	table.Play(20)
	_, err = claim(carol, ranking.Silence, table)
	d.refused(err, ranking.NotYourMatch)
	_, err = claim(alice, "boredom", table)
	d.refused(err, ranking.BadRequest)
	r, err := claim(alice, ranking.Overdue, table)
	if err != nil || r.Kind != ranking.Claimed || r.Index != 21 || r.Player != alice.Key || r.Leaf != 0 || r.Check(d.key) != nil {
		t.Fatalf("%+v %v", r, err)
	}
	d.now += minute
	if again, err := claim(alice, ranking.Overdue, table); err != nil || again != r {
		t.Errorf("another receipt: %+v %v", again, err)
	}
	if m := d.state(table); m.State != ranking.StateUnrated || m.Reason != ranking.ClaimUndecided || m.Claims != 1 {
		t.Errorf("%+v", m)
	}
	if _, err := claim(bob, ranking.Silence, table); err != nil {
		t.Error(err)
	}
	// The match is finished after all, and counts.
	table.PlayOut()
	_, err = claim(alice, ranking.Silence, table)
	d.refused(err, ranking.AlreadyDecided)
	d.upload(table.Seal(), ranking.StateConfirmed, ranking.None)
	_, err = claim(alice, ranking.CallOff, table.Fork(20))
	d.refused(err, ranking.AlreadyDecided)
}

// What was claimed can be withdrawn, by whoever claimed, as often as it was
// claimed anew; each time with a receipt.
func TestWithdrawing(t *testing.T) {
	d := newDesk(t)
	table := d.sit(alice, bob, "m")
	id := table.Terms.ID()
	claim := func(p judgetest.Signer, kind ranking.ClaimKind, table *judgetest.Table) (ranking.Receipt, error) {
		r, _, err := d.Claim(t.Context(), d.now, p.Key, kind, nil, d.read(table))
		return r, err
	}
	withdraw := func(p judgetest.Signer) (ranking.Receipt, bool, error) {
		return d.Withdraw(t.Context(), d.now, p.Key, id)
	}
	_, _, err := withdraw(alice)
	d.refused(err, ranking.NotFound)
	d.opened(table)
	_, _, err = withdraw(alice)
	d.refused(err, ranking.NotFound)
	table.Play(20)
	for _, kind := range []ranking.ClaimKind{ranking.Silence, ranking.Overdue} {
		if _, err := claim(alice, kind, table); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err = withdraw(bob)
	d.refused(err, ranking.NotFound)
	_, _, err = withdraw(carol)
	d.refused(err, ranking.NotFound)
	d.now += minute
	r, fresh, err := withdraw(alice)
	if err != nil || !fresh || r.Kind != ranking.Withdrawn || r.Index != 21 || r.Player != alice.Key || r.Match != id || r.TimeMs != d.now || r.Check(d.key) != nil {
		t.Fatalf("%+v %v %v", r, fresh, err)
	}
	if m := d.state(table); m.State != ranking.StateUnrated || m.Reason != ranking.Unfinished || m.Claims != 0 {
		t.Errorf("%+v", m)
	}
	// Who reads the public log would otherwise think that the claim stands, and
	// that what its player signs from then on proves it false.
	want := rating.Leaf{Kind: rating.LeafWithdrawal, TimeMs: d.now, Match: id, Keys: [2]rating.Key{rating.Key(alice.Key), rating.Key(bob.Key)}, Winner: rating.Nobody, Index: 21, Player: rating.Key(alice.Key)}
	if leaf, at := d.lastLeaf(); leaf != want || at != r.Leaf {
		t.Errorf("leaf %d is %+v, not %+v; the receipt names %d", at, leaf, want, r.Leaf)
	}
	d.now += minute
	d.restart()
	if again, fresh, err := withdraw(alice); err != nil || fresh || again != r {
		t.Errorf("another receipt: %+v %v %v", again, fresh, err)
	}
	// Nothing is claimed again about that entry, or one before.
	_, err = claim(alice, ranking.CallOff, table)
	d.refused(err, ranking.ClaimWithdrawn)
	// About a later one it is, and that is withdrawn by itself. The other's
	// claim is not touched.
	if _, err := claim(bob, ranking.Silence, table); err != nil {
		t.Fatal(err)
	}
	table.Play(25)
	if _, err := claim(alice, ranking.Silence, table); err != nil {
		t.Fatal(err)
	}
	if m := d.state(table); m.Claims != 2 || m.Reason != ranking.ClaimUndecided {
		t.Errorf("%+v", m)
	}
	if r, fresh, err := withdraw(alice); err != nil || !fresh || r.Index != 26 {
		t.Errorf("%+v %v %v", r, fresh, err)
	}
	if m := d.state(table); m.Claims != 1 || m.Reason != ranking.ClaimUndecided {
		t.Errorf("%+v", m)
	}
	// It is withdrawn late, when the match has been decided.
	d.upload(table.PlayOut().Seal(), ranking.StateConfirmed, ranking.None)
	before := d.state(table)
	if r, fresh, err := withdraw(bob); err != nil || !fresh || r.Index != 21 {
		t.Errorf("%+v %v %v", r, fresh, err)
	}
	after := d.state(table)
	if after.State != ranking.StateConfirmed || after.Claims != 0 || *after.Receipt != *before.Receipt {
		t.Errorf("%+v", after)
	}
	if n := d.leavesOf(); n[rating.LeafClaim] != 4 || n[rating.LeafWithdrawal] != 3 {
		t.Errorf("the log has leaves %v", n)
	}
}

// A match that both have called off is kept with both signatures.
func TestCalledOff(t *testing.T) {
	d := newDesk(t)
	table := d.sit(alice, bob, "m")
	d.opened(table)
	table.Play(20)
	v := d.read(table)
	message := record.CallOffMessage(v.Verified.ID(), uint32(v.Verified.Len()), v.Verified.Head())
	off := []record.Signature{alice.Sign(message), bob.Sign(message)}
	claim := func(kind ranking.ClaimKind, off ...record.Signature) (ranking.Receipt, error) {
		r, _, err := d.Claim(t.Context(), d.now, bob.Key, kind, off, v)
		return r, err
	}
	for name, err := range map[string]error{
		"by one":                   refusal(claim(ranking.CallOff, off[0])),
		"the seats the other way":  refusal(claim(ranking.CallOff, off[1], off[0])),
		"one signature twice":      refusal(claim(ranking.CallOff, off[0], off[0])),
		"by three":                 refusal(claim(ranking.CallOff, off[0], off[1], off[1])),
		"under another claim":      refusal(claim(ranking.Silence, off...)),
		"at another entry's index": refusal(claim(ranking.CallOff, alice.Sign(record.CallOffMessage(v.Verified.ID(), 19, v.Verified.Head())), off[1])),
	} {
		t.Log(name)
		d.refused(err, ranking.BadRequest)
	}
	r, err := claim(ranking.CallOff, off...)
	if err != nil || r.Kind != ranking.Claimed || r.Index != 21 || r.Check(d.key) != nil {
		t.Fatalf("%+v %v", r, err)
	}
	if again, err := claim(ranking.CallOff, off...); err != nil || again != r {
		t.Errorf("another receipt: %+v %v", again, err)
	}
	var kept [][]byte
	err = d.write(t.Context(), d.now, func(turn *turn) (err error) {
		kept, err = turn.Evidence(v.Verified.ID())
		return err
	})
	want := append(append(bytes.Clone(message), off[0][:]...), off[1][:]...)
	if err != nil || len(kept) != 1 || !bytes.Equal(kept[0], want) {
		t.Errorf("kept %x %v", kept, err)
	}
}

func refusal(_ ranking.Receipt, err error) error { return err }
