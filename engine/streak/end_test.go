package streak

import (
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/enginetest"
)

// TestTheEndAgreesWithHand looks at 100,000 seeded boards of 60 % fill and more
// and tries everything: whether something fits, and, where it does, whether the
// run is over after a placement. That is judged on the settled board: after the
// lines have cleared and the slot has been refilled; no other piece changes.
func TestTheEndAgreesWithHand(t *testing.T) {
	d := enginetest.Dice(1)
	stuck, over, saved, refilled := 0, 0, 0, 0
	for range 100_000 {
		s := New(seed(d.Below(1<<30)), Counting)
		s.board, s.placements = d.Crowded(), uint16(d.Below(1000))
		for i := range s.hand {
			s.hand[i] = uint8(d.Next())
		}
		board := enginetest.Of(s.board)
		if got, want := s.Stuck(), !board.Room(s.Piece(0), s.Piece(1), s.Piece(2)); got != want {
			t.Fatalf("stuck %v with %v on\n%s", got, s.hand, s.board.Text(Size))
		}
		if s.Stuck() {
			stuck++
			continue
		}
		m := randomMove(s, d.Below)
		for range 4 { // so that lines clear now and then
			if other := randomMove(s, d.Below); lines(t, s, other) > lines(t, s, m) {
				m = other
			}
		}
		slot, cell := int(m.Data>>8), int(m.Data&0xff)
		next, r := must(t, s, m)
		full, ok := board.Put(s.Piece(slot), cell/Size, cell%Size)
		hand := [Hand]engine.Piece{s.Piece(0), s.Piece(1), s.Piece(2)}
		hand[slot] = 0
		settled, _ := full.Clear()
		rest := settled.Room(hand[:]...)
		hand[slot] = DealtPiece(s.Seed(), uint32(s.placements)+Hand)
		want := !settled.Room(hand[:]...)
		if !ok || enginetest.Of(next.board) != settled || [Hand]engine.Piece{next.Piece(0), next.Piece(1), next.Piece(2)} != hand || next.over != want || r.Over != want || r.Stuck != want {
			t.Fatalf("over %v, want %v, after slot %d at %d on\n%s", next.over, want, slot, cell, s.board.Text(Size))
		}
		if want {
			over++
		} else if !full.Room(hand[:]...) {
			saved++ // by the clear
		} else if !rest {
			refilled++ // by the new piece
		}
	}
	t.Logf("%d boards on which nothing fits; %d ends, %d runs saved by the clear, %d by the refill", stuck, over, saved, refilled)
	if stuck < 5_000 || over < 1_000 || saved < 200 || refilled < 1_000 {
		t.Error("too one-sided to tell")
	}
}

func lines(t *testing.T, s State, m engine.Move) int {
	_, r := must(t, s, m)
	return r.Lines.Count()
}
