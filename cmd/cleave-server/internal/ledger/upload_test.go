package ledger

import (
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/cleavegame/cleave/cmd/cleave-server/internal/judge/judgetest"
	"github.com/cleavegame/cleave/cmd/internal/ranking"
	"github.com/cleavegame/cleave/cmd/internal/rating"
	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

func TestCoSignedIsConfirmedAtOnce(t *testing.T) {
	d := newDesk(t)
	table := d.sit(alice, bob, "m").PlayOut().Seal()
	a := d.upload(table, ranking.StateConfirmed, ranking.None)
	if a.Receipt.Kind != ranking.Confirmed || a.Receipt.Leaf != 0 || a.Receipt.Head != table.Match.Head() || a.Receipt.TimeMs != t0 {
		t.Errorf("receipt %+v", a.Receipt)
	}
	o := table.Match.Outcome()
	m := d.state(table)
	if m.Winner != o.Winner || m.End != "played" || m.Rounds != 8 || m.Players[0].Score != o.Score[0] || m.Nth != 1 || !m.HasLog {
		t.Errorf("%+v", m)
	}
	ladder, err := d.Ladder(d.now, "", 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	if ladder.Total != 2 || ladder.Players[0].Place != "provisional" || ladder.Players[1].Note != "provisional (1 of 5)" {
		t.Errorf("%+v", ladder)
	}
	if p, err := d.Player(t.Context(), d.now, record.PlayerCode(bob.Key)); err != nil || p.Placement != 1 || len(p.Matches) != 1 {
		t.Errorf("%+v %v", p, err)
	}
}

// TestUploadedByBothTwiceAtOnce is rated once and gets one receipt.
func TestUploadedByBothTwiceAtOnce(t *testing.T) {
	d := newDesk(t)
	table := d.sit(alice, bob, "m").PlayOut().Seal()
	v := d.read(table)
	var wg sync.WaitGroup
	receipts := make([]ranking.Receipt, 4)
	for i := range receipts {
		wg.Go(func() {
			a, err := d.Upload(t.Context(), d.now+int64(i), v)
			if err != nil {
				t.Error(err)
			}
			receipts[i] = a.Receipt
		})
	}
	wg.Wait()
	for _, r := range receipts[1:] {
		if r != receipts[0] {
			t.Errorf("two receipts:\n%+v\n%+v", receipts[0], r)
		}
	}
	if kinds := d.leavesOf(); kinds[rating.LeafResult] != 1 || len(kinds) != 1 {
		t.Errorf("leaves %v", kinds)
	}
}

func TestRestartBetweenAcceptAndReceipt(t *testing.T) {
	d := newDesk(t)
	sealed, open := d.sit(alice, bob, "sealed").PlayOut().Seal(), d.sit(alice, carol, "open").PlayOut()
	was := d.upload(sealed, ranking.StateConfirmed, ranking.None)
	wasOpen := d.upload(open, ranking.StatePending, ranking.AwaitingWeek)
	key, before := d.Key(), d.rated(alice)
	d.restart() // the answers were lost
	d.now += hour
	if again := d.upload(sealed, ranking.StateConfirmed, ranking.None); again.Receipt != was.Receipt {
		t.Error("another receipt after a restart")
	}
	if again := d.upload(open, ranking.StatePending, ranking.AwaitingWeek); again.Receipt != wasOpen.Receipt || again.DueMs != wasOpen.DueMs {
		t.Error("another receipt of a pending match after a restart")
	}
	if a, known, err := d.Known(t.Context(), sealed.Log()); !known || err != nil || a.Receipt != was.Receipt {
		t.Errorf("the same bytes are not known: %v %v", known, err)
	}
	if d.Key() != key || d.rated(alice) != before {
		t.Error("the server is another one after a restart")
	}
}

func TestUnsealed(t *testing.T) {
	d := newDesk(t)
	opened, not := d.sit(alice, bob, "opened"), d.sit(alice, carol, "not")
	d.opened(opened)
	a := d.upload(opened.PlayOut(), ranking.StatePending, ranking.AwaitingSeal)
	b := d.upload(not.PlayOut(), ranking.StatePending, ranking.AwaitingWeek)
	if a.DueMs != t0+10*minute || b.DueMs != t0+7*day || a.Receipt.Kind != ranking.Accepted {
		t.Fatalf("due at +%d and +%d ms", a.DueMs-t0, b.DueMs-t0)
	}
	d.now += 10*minute - 1
	if got := d.due(); len(got) != 0 {
		t.Errorf("settled too early: %x", got)
	}
	d.now++
	if got := d.due(); !reflect.DeepEqual(got, []record.ID{opened.Terms.ID()}) {
		t.Errorf("settled %x", got)
	}
	d.upload(opened, ranking.StateConfirmed, ranking.None)
	d.upload(not, ranking.StatePending, ranking.AwaitingWeek)
	d.upload(not.Fork(not.Match.Len()).Seal(), ranking.StateConfirmed, ranking.None)
	d.now += 7 * day
	if got := d.due(); len(got) != 0 {
		t.Errorf("settled again: %x", got)
	}
	if kinds := d.leavesOf(); kinds[rating.LeafResult] != 2 || len(kinds) != 1 {
		t.Errorf("leaves %v", kinds)
	}
}

func TestUnratedOnes(t *testing.T) {
	d := newDesk(t)
	table := d.sit(alice, bob, "m").Play(20)
	d.upload(table, ranking.StateUnrated, ranking.Unfinished)
	d.upload(table.Fork(10), ranking.StateUnrated, ranking.Unfinished)
	if m := d.state(table); !m.HasLog || m.Winner != -1 || m.End != "" {
		t.Errorf("%+v", m)
	}
	log, err := d.Log(t.Context(), table.Terms.ID())
	if err != nil || string(log) != string(table.Log()) {
		t.Error("the beginning of a log stands in place of the log")
	}
	d.upload(table.PlayOut().Seal(), ranking.StateConfirmed, ranking.None)
	d.upload(table.Fork(10), ranking.StateConfirmed, ranking.None)

	idle := d.sit(alice, carol, "idle").Flag(1000)
	d.upload(idle, ranking.StateUnrated, ranking.NoResult)
	d.upload(idle.Seal(), ranking.StateVoid, ranking.NoResult)
	if kinds := d.leavesOf(); kinds[rating.LeafResult] != 1 || kinds[rating.LeafVoid] != 1 {
		t.Errorf("leaves %v", kinds)
	}

	terms, chances := judgetest.RatedTerms(judgetest.Signer{}, alice, bob, [2]record.Ticket{}, "friendly")
	terms.Rated, terms.Server = false, record.Key{}
	friendly := judgetest.Begin(alice, bob, terms, chances).PlayOut().Seal()
	one := d.upload(friendly, ranking.StateUnrated, ranking.Friendly)
	d.now += day
	if two := d.upload(friendly, ranking.StateUnrated, ranking.Friendly); two.Receipt != one.Receipt {
		t.Error("two receipts of a friendly match")
	}
	_, err = d.Match(t.Context(), terms.ID())
	d.refused(err, ranking.NotFound)
}

func TestResignations(t *testing.T) {
	d := newDesk(t)
	table := d.sit(alice, bob, "m").Play(20)
	owes := table.Match.Position().Owes()
	// The one who does not owe resigns as the other moves.
	moved, resigned := table.Fork(20).Add(table.Next()), table.Fork(20).Resign(1-owes)
	d.upload(moved, ranking.StateUnrated, ranking.Unfinished)
	d.upload(resigned, ranking.StatePending, ranking.AwaitingWeek)
	d.upload(moved, ranking.StatePending, ranking.AwaitingWeek)
	d.upload(resigned.Seal(), ranking.StateConfirmed, ranking.None)
	m := d.state(table)
	if m.Winner != owes || m.End != "resigned" {
		t.Errorf("%+v", m)
	}
	// Both resign at one index, and each hands in its own.
	both := d.sit(alice, carol, "both").Play(20)
	d.upload(both.Fork(20).Resign(0), ranking.StatePending, ranking.AwaitingWeek)
	d.upload(both.Fork(20).Resign(1), ranking.StateConfirmed, ranking.None)
	if m := d.state(both); m.Winner != -1 || m.End != "resigned" {
		t.Errorf("%+v", m)
	}
}

func TestWhyAMatchDidNotCount(t *testing.T) {
	d := newDesk(t)
	for n := range 6 {
		table := d.sit(alice, bob, "pair "+string(rune('a'+n))).PlayOut().Seal()
		d.upload(table, ranking.StateConfirmed, ranking.None)
		m := d.state(table)
		for _, p := range m.Players {
			if p.Weighed != (n < 5) || (p.Reason == ranking.PairTooOften) != (n == 5) || (p.Text == "") != (n < 5) {
				t.Errorf("match %d: %+v", n+1, p)
			}
		}
	}
	early := d.sit(alice, carol, "early").Play(3).Resign(1).Seal()
	d.upload(early, ranking.StateConfirmed, ranking.None)
	m := d.state(early)
	// Alice is placed by now, and Carol is not: that comes first.
	if m.Players[0].Reason != ranking.NotPlaced || m.Players[1].Reason != ranking.None || !m.Players[1].Weighed {
		t.Errorf("%+v", m.Players)
	}
	new1, new2 := judgetest.NewSigner("new 1"), judgetest.NewSigner("new 2")
	early = d.sit(new1, new2, "earlier").Play(3).Resign(1).Seal()
	d.upload(early, ranking.StateConfirmed, ranking.None)
	if m := d.state(early); m.Players[0].Reason != ranking.NoRounds || !m.Players[1].Weighed {
		t.Errorf("%+v", m.Players)
	}
}

// forked returns two versions of a match that part where the seat has signed
// both; only its opponent's entries before that are in both.
func forked(table *judgetest.Table) (a, b *judgetest.Table, seat int) {
	at := 20
	for table.Match.Len() < at+1 || table.Match.EntryAt(at+1).Entry.Move.Kind != engine.Split {
		if table.Match.Len() > at {
			at++
		}
		table.Play(at + 1)
	}
	seat = int(table.Match.EntryAt(at + 1).Entry.Move.Seat)
	return table, table.Fork(at).Add(engine.Move{Seat: uint8(seat), Kind: engine.Flag}), seat
}

func TestWhoSignedTwoVersionsHasLost(t *testing.T) {
	d := newDesk(t)
	a, b, seat := forked(d.sit(alice, bob, "m"))
	// The match goes on after one version, and is sealed.
	a.PlayOut().Seal()
	d.upload(a, ranking.StateConfirmed, ranking.None)
	d.now += hour
	got := d.upload(b, ranking.StateConfirmed, ranking.Forged)
	if got.Receipt.Reason != ranking.Forged || got.Receipt.Leaf != 1 {
		t.Errorf("%+v", got.Receipt)
	}
	m := d.state(a)
	if m.Winner != 1-seat || m.End != "forged" {
		t.Errorf("%+v", m)
	}
	if p, q := d.rated(a.Players[seat]), d.rated(a.Players[1-seat]); p >= 1500 || q <= 1500 {
		t.Errorf("the forger has %d, the other %d", p, q)
	}
	// Handed in again, by anybody, it changes nothing.
	if again := d.upload(b, ranking.StateConfirmed, ranking.Forged); again.Receipt != got.Receipt {
		t.Error("another receipt")
	}
	if kinds := d.leavesOf(); kinds[rating.LeafReversal] != 1 || kinds[rating.LeafResult] != 1 {
		t.Errorf("leaves %v", kinds)
	}
	if e := evidence(d, a); len(e) != 1 || string(e[0]) != string(b.Log()) {
		t.Errorf("%d pieces of evidence", len(e))
	}
}

func evidence(d *desk, table *judgetest.Table) (e [][]byte) {
	d.t.Helper()
	m, err := d.match(d.t.Context(), table.Terms.ID())
	if err != nil {
		d.t.Fatal(err)
	}
	err = d.write(d.t.Context(), d.now, func(t *turn) error { e, err = t.Evidence(m.ID); return err })
	if err != nil {
		d.t.Fatal(err)
	}
	return e
}

func TestBothSignedTwoVersions(t *testing.T) {
	d := newDesk(t)
	a, b, _ := forked(d.sit(alice, bob, "m"))
	d.upload(a.PlayOut().Seal(), ranking.StateConfirmed, ranking.None)
	d.upload(b.PlayOut().Seal(), ranking.StateVoid, ranking.BothForged)
	d.upload(a, ranking.StateVoid, ranking.BothForged)
	if d.rated(alice) != 1500 || d.rated(bob) != 1500 {
		t.Errorf("a void match left %d and %d", d.rated(alice), d.rated(bob))
	}
}

func TestReversalsEndAfterAWeek(t *testing.T) {
	d := newDesk(t)
	a, b, _ := forked(d.sit(alice, bob, "m"))
	d.upload(a.PlayOut().Seal(), ranking.StateConfirmed, ranking.None)
	v := d.read(b)
	d.now += 7*day + 1
	_, err := d.Upload(t.Context(), d.now, v)
	d.refused(err, ranking.TooLate)
	d.upload(a, ranking.StateConfirmed, ranking.None)
}

// proof is the proof that the seat signed two versions.
func proof(a, b *judgetest.Table, seat int) []byte {
	n := 1
	for a.Match.EntryAt(n) == b.Match.EntryAt(n) {
		n++
	}
	statement := func(e record.SignedEntry) record.Statement {
		return record.Statement{Index: e.Index, Prev: e.Prev, Entry: e.Entry, Sig: e.Sig}
	}
	return record.NewFraud(a.Terms, seat, statement(a.Match.EntryAt(n)), statement(b.Match.EntryAt(n))).Append(nil)
}

func TestProofOfFraud(t *testing.T) {
	d := newDesk(t)
	a, b, seat := forked(d.sit(alice, bob, "m"))
	body := proof(a, b, seat)
	_, err := d.Prove(t.Context(), d.now, body)
	d.refused(err, ranking.NotFound)
	_, err = d.Prove(t.Context(), d.now, body[:len(body)-1])
	d.refused(err, ranking.NotFraud)
	_, err = d.Prove(t.Context(), d.now, proof(a, b, 1-seat))
	d.refused(err, ranking.NotFraud)

	d.upload(a.PlayOut(), ranking.StatePending, ranking.AwaitingWeek)
	got, err := d.Prove(t.Context(), d.now, body)
	if err != nil {
		t.Fatal(err)
	}
	d.want(got, ranking.StateConfirmed, ranking.Forged)
	if got.Receipt.Kind != ranking.Proven || got.Receipt.Player != a.Players[seat].Key {
		t.Errorf("%+v", got.Receipt)
	}
	d.now += hour
	if again, err := d.Prove(t.Context(), d.now, body); err != nil || again.Receipt != got.Receipt {
		t.Errorf("another receipt, %v", err)
	}
	if m := d.state(a); m.Winner != 1-seat || m.End != "forged" {
		t.Errorf("%+v", m)
	}
	if d.due(); len(d.leavesOf()) != 1 {
		t.Errorf("leaves %v", d.leavesOf())
	}
	late := newDesk(t)
	a, b, seat = forked(late.sit(alice, bob, "m"))
	late.upload(a.PlayOut().Seal(), ranking.StateConfirmed, ranking.None)
	late.now += 7*day + 1
	_, err = late.Prove(t.Context(), late.now, proof(a, b, seat))
	late.refused(err, ranking.TooLate)
}

func TestOneTicketForTwoMatches(t *testing.T) {
	// Alice plays two matches under one ticket; who wins is decided by who
	// resigns.
	for _, c := range []struct {
		name          string
		first, second int // who resigns in each
		want          [2]ranking.State
	}{
		{"she loses both", 0, 0, [2]ranking.State{ranking.StateConfirmed, ranking.StateConfirmed}},
		{"she wins both", 1, 1, [2]ranking.State{ranking.StateVoid, ranking.StateVoid}},
		{"she wins the first", 1, 0, [2]ranking.State{ranking.StateVoid, ranking.StateConfirmed}},
		{"she wins the second", 0, 1, [2]ranking.State{ranking.StateConfirmed, ranking.StateVoid}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			k := d.ticket(alice, "twice", d.now)
			one := d.sitWith(alice, bob, "one", [2]record.Ticket{k, d.ticket(bob, "b", d.now)}).Play(30).Resign(c.first).Seal()
			two := d.sitWith(alice, carol, "two", [2]record.Ticket{k, d.ticket(carol, "c", d.now)}).Play(30).Resign(c.second).Seal()
			d.upload(one, ranking.StateConfirmed, ranking.None)
			d.now += hour
			if _, err := d.Upload(t.Context(), d.now, d.read(two)); err != nil {
				t.Fatal(err)
			}
			for i, table := range []*judgetest.Table{one, two} {
				m := d.state(table)
				if m.State != c.want[i] || (m.State == ranking.StateVoid) != (m.Reason == ranking.TicketTwice) {
					t.Errorf("match %d is %s (%d), want %s", i+1, m.State, m.Reason, c.want[i])
				}
			}
			if d.rated(alice) > 1500 {
				t.Errorf("she has gained: %d", d.rated(alice))
			}
		})
	}
}

func TestFullDisk(t *testing.T) {
	d := &desk{t: t, file: filepath.Join(tinyDisk(t, 1<<20), "cleave.db"), now: t0}
	d.open()
	t.Cleanup(func() { d.store.Close() })
	first := d.sit(alice, bob, "first").PlayOut().Seal()
	got := d.upload(first, ranking.StateConfirmed, ranking.None)
	// Something else fills the disk.
	ballast := filepath.Join(filepath.Dir(d.file), "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 512); ; {
		if _, err := f.Write(block); err != nil {
			break
		}
	}
	f.Close()
	second := d.sit(alice, carol, "second").PlayOut().Seal()
	_, err = d.Upload(t.Context(), d.now, d.read(second))
	if r := Refusal(err); err == nil || r.Reason != ranking.DiskFull || !r.Reason.Temporary() {
		t.Fatalf("uploading to a full disk: %v", err)
	}
	if err := d.Check(t.Context(), d.now); Refusal(err).Reason != ranking.DiskFull {
		t.Errorf("the check of a full disk: %v", err)
	}
	// What was confirmed can still be read.
	if a, known, err := d.Known(t.Context(), first.Log()); !known || err != nil || a.Receipt != got.Receipt {
		t.Errorf("reading on a full disk: %v %v", known, err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	d.upload(second, ranking.StateConfirmed, ranking.None)
	if err := d.Check(t.Context(), d.now); err != nil {
		t.Error(err)
	}
	if kinds := d.leavesOf(); kinds[rating.LeafResult] != 2 {
		t.Errorf("leaves %v", kinds)
	}
}

// TestTheLadderIsTheFoldOfTheLeaves plays many matches of all sorts, and
// computes the ladder from the leaves alone.
func TestTheLadderIsTheFoldOfTheLeaves(t *testing.T) {
	d := newDesk(t)
	players := []judgetest.Signer{alice, bob, carol, judgetest.NewSigner("dave"), judgetest.NewSigner("erin")}
	for n := range 24 {
		a, b := players[n%5], players[(n+1+n/5)%5]
		if a.Key == b.Key {
			continue
		}
		d.now += 7 * hour
		table := d.sit(a, b, "match "+string(rune('a'+n)))
		switch n % 4 {
		case 0:
			x, y, _ := forked(table)
			d.upload(x.PlayOut().Seal(), ranking.StateConfirmed, ranking.None)
			d.now -= minute // a clock that runs backwards moves no leaf's time
			d.upload(y, ranking.StateConfirmed, ranking.Forged)
		case 1:
			d.upload(table.Play(15+n).Resign(n/4%2).Seal(), ranking.StateConfirmed, ranking.None)
		default:
			d.upload(table.PlayOut().Seal(), ranking.StateConfirmed, ranking.None)
		}
	}
	fold := rating.NewLadder()
	err := d.Leaves(t.Context(), 0, func(_ int64, body []byte) error {
		leaf, err := rating.ParseLeaf(body)
		if err != nil {
			return err
		}
		return fold.Fold(leaf)
	})
	if err != nil {
		t.Fatal(err)
	}
	d.leavesOf()
	want, _ := fold.Table(rating.SeasonAt(d.now), d.now)
	got, _ := d.ladder.Table(rating.SeasonAt(d.now), d.now)
	if len(got) != 5 || !reflect.DeepEqual(got, want) {
		t.Errorf("the fold gives\n%+v\nthe ladder is\n%+v", want, got)
	}
	d.restart()
	got, _ = d.ladder.Table(rating.SeasonAt(d.now), d.now)
	if !reflect.DeepEqual(got, want) {
		t.Error("after a restart the ladder is another")
	}
}
