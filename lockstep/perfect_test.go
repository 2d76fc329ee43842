package lockstep

import (
	"bytes"
	"fmt"
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

// The worked example of the package comment.
func TestFrameOfThePackageComment(t *testing.T) {
	h := header{kind: FramePing, heard: true, number: 0x6553f10000000001, ack: 3}
	frame := append(h.append(nil), 0, 0, 3, 0xe8)
	if got, want := fmt.Sprintf("%x", frame), "0120016553f100000000010000000000000003000003e8"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	back, body, err := parseFrame(frame)
	if err != nil || back != h || len(body) != 4 {
		t.Errorf("%+v %x %v", back, body, err)
	}
}

func TestFramesThatAreNone(t *testing.T) {
	good := header{kind: FrameHello, number: 7, seq: 1}
	for name, b := range map[string][]byte{
		"nothing":                nil,
		"short":                  good.append(nil)[:headerLen-1],
		"too long":               append(good.append(nil), make([]byte, MaxFrame)...),
		"another version":        append([]byte{2}, good.append(nil)[1:]...),
		"unknown kind":           header{kind: 99, number: 7}.append(nil),
		"a flag without meaning": func() []byte { b := good.append(nil); b[2] = 2; return b }(),
		"number zero":            header{kind: FramePing}.append(nil),
		"number too high":        header{kind: FramePing, number: 1 << 63}.append(nil),
		"numbered without one":   header{kind: FrameHello, number: 7}.append(nil),
		"a number where none is": header{kind: FramePing, number: 7, seq: 1}.append(nil),
	} {
		if _, _, err := parseFrame(b); err == nil {
			t.Errorf("%s is a frame", name)
		}
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
