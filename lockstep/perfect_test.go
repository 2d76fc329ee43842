package lockstep

import (
	"bytes"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
	"github.com/cleavegame/cleave/lockstep/record"
)

func bothSealed(w *world) func() bool {
	return func() bool { return w.nodes[0].sealed != nil && w.nodes[1].sealed != nil }
}

// dump writes what both sides were shown.
func dump(t *testing.T, w *world) {
	t.Helper()
	for _, n := range w.nodes {
		for _, e := range n.events {
			if a, ok := e.(Applied); ok {
				t.Logf("node %d: Applied %d seat %d kind %d", n.id, a.Index, a.Entry.Move.Seat, a.Entry.Move.Kind)
				continue
			}
			if o, ok := e.(Over); ok {
				t.Logf("node %d: Over %+v sealed %v", n.id, o.Result, o.Sealed)
				continue
			}
			switch e.(type) {
			case Started, ClaimDue, Met, Desync, RoomChanged:
				t.Logf("node %d: %T", n.id, e)
			default:
				t.Logf("node %d: %T %.200v", n.id, e, e)
			}
		}
	}
	for _, x := range w.wrong {
		t.Log(x)
	}
}

func TestWholeMatchOverAPerfectLink(t *testing.T) {
	w := newWorld(1)
	w.open()
	if !w.run(w.now+3_600_000, bothSealed(w)) {
		dump(t, w)
		t.Fatal("the match did not end")
	}
	a, b := w.nodes[0].sealed, w.nodes[1].sealed
	if !bytes.Equal(a, b) {
		t.Fatal("the logs differ")
	}
	log, err := record.ParseLog(a)
	if err != nil {
		t.Fatal(err)
	}
	v, err := record.Verify(log, record.Games{duel.Rules: duel.Game{}})
	if err != nil {
		t.Fatal(err)
	}
	if !v.Complete() || !v.Sealed() || v.Outcome().End != engine.Played {
		t.Fatalf("complete %v, sealed %v, %+v", v.Complete(), v.Sealed(), v.Outcome())
	}
	for _, n := range w.nodes {
		for _, e := range n.events {
			switch e.(type) {
			case Bad, Refused, Trouble, Dropped, Fraud:
				t.Errorf("node %d: %T %+v", n.id, e, e)
			}
		}
	}
}
