package ui

import (
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/bot"
	"github.com/cleavegame/cleave/engine/duel"
)

// A hint is a decision that the rules take, and what it says is true of the
// boards.
func TestHintsAreLegalAndTrue(t *testing.T) {
	e := NewEnv(DefaultSettings())
	e.Resize(1280, 800, 1)
	given := map[string]int{}
	for seed := byte(1); seed <= 12; seed++ {
		s := &still{view: View{State: duel.New([32]byte{seed, 'h'}), Names: [2]string{"Ada", "Grace"}, Friendly: true}}
		player := bot.New(bot.Medium, uint64(seed))
		for !s.view.State.Over() {
			st := s.view.State
			switch {
			case st.Awaits() == engine.Reveal:
				s.apply(engine.Move{Seat: uint8(st.Owes()), Kind: engine.Reveal, Layer: [32]byte{seed, byte(len(s.view.Moves))}})
			case st.Owes() != 0:
				s.apply(player.Decide(st, st.Owes()))
			default:
				m := newMatch(nil, s)
				m.refresh(e)
				m.advise(e)
				if !m.ready() || m.advice == "" {
					t.Fatalf("seed %d, round %d: no hint: %+v", seed, st.Round(), m.step)
				}
				checkHint(t, e, m, given)
				m.confirm()
				if s.view.State == st {
					t.Fatal("the hint was not taken")
				}
			}
		}
	}
	if len(given) < 6 {
		t.Errorf("there were only these reasons: %v", given)
	}
}

// checkHint checks a reason by other means than those that found it.
func checkHint(t *testing.T, e *Env, m *match, given map[string]int) {
	t.Helper()
	st := m.view.State
	is := func(id, name string, n int) bool {
		if m.advice != e.Say(id, name, n) {
			return false
		}
		given[id]++
		return true
	}
	score := func(mv engine.Move) int {
		_, r, err := duel.Apply(st, mv)
		if err != nil {
			t.Fatal(err)
		}
		return r.Points[mv.Seat]
	}
	switch m.step.kind {
	case engine.Place:
		points := score(engine.Move{Kind: engine.Place, Data: uint64(m.step.ghost)})
		lines := is("hint.line", "", 10) || is("hint.lines", "", points)
		if lines != (points > 0) {
			t.Errorf("it says %q of a placement that makes %d points", m.advice, points)
		}
		if is("hint.no_holes", "", 0) && holes(st.Board(0)|m.step.ghost) > holes(st.Board(0)) {
			t.Errorf("it says %q, and there are more", m.advice)
		}
		is("hint.nearly", "", 0)
		is("hint.least", "", 0)
	case engine.Choose:
		other := st.Parts()[2-m.step.taken]
		fits := func(seat int, p engine.Piece) bool { turns := p.Turns(); return turns.Fits(st.Board(seat), duel.Size) }
		if is("hint.choose_only", "", 0) && fits(0, other) {
			t.Errorf("it says %q, and the other fits too", m.advice)
		}
		if is("hint.choose_blocks", "Grace", 8) && fits(1, other) {
			t.Errorf("it says %q, and it fits", m.advice)
		}
		is("hint.choose_room", "", 0)
	case engine.Split:
		best := 0
		for _, part := range [2]uint16{m.step.paint, uint16(st.Block()) &^ m.step.paint} {
			turns := duel.PartPiece(part).Turns()
			for _, cells := range turns.AppendPlacements(nil, st.Board(1), duel.Size) {
				_, lines := (st.Board(1) | cells).Clear(duel.Size)
				best = max(best, duel.LinePoints(lines.Count()))
			}
		}
		if best > 0 && !is("hint.split", "Grace", best) || best == 0 && is("hint.split", "Grace", 10) {
			t.Errorf("it says %q of a split that brings at best %d", m.advice, best)
		}
		is("hint.split_none", "Grace", 0)
	}
}

// holes counts single empty cells by looking at each with its border filled.
func holes(b engine.Board) int {
	n := 0
	for r := range duel.Size {
		for c := range duel.Size {
			alone := !b.Has(r, c)
			for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				y, x := r+d[0], c+d[1]
				if y >= 0 && y < duel.Size && x >= 0 && x < duel.Size && !b.Has(y, x) {
					alone = false
				}
			}
			if alone {
				n++
			}
		}
	}
	return n
}
