package classic

import (
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/enginetest"
)

// anywhere is a placement drawn from all there are.
func anywhere(pick enginetest.Pick, s State) engine.Move {
	for {
		slot := pick(Tray)
		if spots := s.Piece(slot).Fits(s.board, Size); spots != 0 {
			r, c := pick.Spot(spots)
			return engine.Move{Kind: engine.Place, Data: PlaceData(slot, r, c)}
		}
	}
}

// TestTheEndAgreesWithHand looks at 100,000 seeded boards of 60 % fill and more
// and tries everything: whether something fits, and, where it does, whether the
// game is over after a placement. That is judged on the settled board: after the
// lines have cleared, and a tray that is empty has been filled again.
func TestTheEndAgreesWithHand(t *testing.T) {
	d := enginetest.Dice(1)
	stuck, over, saved, refilled := 0, 0, 0, 0
	for i := range 100_000 {
		s := New(seed(d.Below(1<<30)), Difficulty(i%3))
		// Trays of one, two and three shapes.
		shapes := 1 + d.Below(Tray)
		s.board, s.placements = d.Crowded(), uint16(3*d.Below(300)+Tray-shapes)
		for slot := range s.tray {
			s.tray[slot] = placedSlot
		}
		for n := 0; n < shapes; {
			if slot := d.Below(Tray); s.tray[slot] == placedSlot {
				s.tray[slot] = uint8(d.Below(slots))
				n++
			}
		}
		board := enginetest.Of(s.board)
		if got, want := s.Stuck(), !board.Room(s.Piece(0), s.Piece(1), s.Piece(2)); got != want {
			t.Fatalf("stuck %v with %v on\n%s", got, s.tray, s.board.Text(Size))
		}
		if s.Stuck() {
			stuck++
			continue
		}
		m := anywhere(d.Below, s)
		for range 4 { // so that lines clear now and then
			if other := anywhere(d.Below, s); lines(t, s, other) > lines(t, s, m) {
				m = other
			}
		}
		slot, cell := int(m.Data>>8), int(m.Data&0xff)
		next, r := must(t, s, m)
		full, ok := board.Put(s.Piece(slot), cell/Size, cell%Size)
		tray := [Tray]engine.Piece{s.Piece(0), s.Piece(1), s.Piece(2)}
		tray[slot] = 0
		dealt := tray == [Tray]engine.Piece{}
		if dealt {
			for i := range tray {
				tray[i] = tables[s.difficulty][engine.Deal(s.Seed()).Draw(uint32(int(s.placements)+1+i))%slots]
			}
		}
		settled, _ := full.Clear()
		want := !settled.Room(tray[:]...)
		if !ok || enginetest.Of(next.board) != settled || [Tray]engine.Piece{next.Piece(0), next.Piece(1), next.Piece(2)} != tray ||
			r.Dealt != dealt || next.over != want || r.Over != want {
			t.Fatalf("over %v, want %v, after slot %d at %d on\n%s", next.over, want, slot, cell, s.board.Text(Size))
		}
		if want {
			over++
		} else if !full.Room(tray[:]...) {
			saved++ // by the clear
		} else if dealt {
			refilled++ // by the new set
		}
	}
	t.Logf("%d boards on which nothing fits; %d ends, %d games saved by the clear, %d by the refill", stuck, over, saved, refilled)
	if stuck < 5_000 || over < 1_000 || saved < 200 || refilled < 1_000 {
		t.Error("too one-sided to tell")
	}
}

func lines(t *testing.T, s State, m engine.Move) int {
	_, r := must(t, s, m)
	return r.Lines.Count()
}
