package bot

import (
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/duel"
)

// BenchmarkBaseline is a loop that no change to this program touches: the
// other figures of a run are compared to it across machines and loads.
func BenchmarkBaseline(b *testing.B) {
	g := generator{1}
	sum := uint64(0)
	for b.Loop() {
		for range 1000 {
			sum += g.next()
		}
	}
	b.ReportMetric(float64(b.N)*1000/b.Elapsed().Seconds(), "steps/s")
	if sum == 0 {
		b.Fatal("the generator stands still")
	}
}

// BenchmarkPlacements values all placements of all shapes on a few boards.
func BenchmarkPlacements(b *testing.B) {
	var boards []engine.Board
	for _, s := range positions(2) {
		boards = append(boards, s.Board(0))
	}
	nodes, i := 0, 0
	for b.Loop() {
		s := side{board: boards[i%len(boards)], left: 4}
		for shape := range duel.Shapes {
			s.work(shape)
		}
		nodes += s.nodes
		i++
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "placements/s")
}

// BenchmarkPlayouts plays random matches through Apply, without digests.
func BenchmarkPlayouts(b *testing.B) {
	g := generator{1}
	var buf [160]engine.Board
	n := 0
	for b.Loop() {
		s := duel.New(matchID(n % 64))
		n++
		for !s.Over() {
			seat := s.Owes()
			m := engine.Move{Seat: uint8(seat), Kind: s.Awaits()}
			switch m.Kind {
			case engine.Reveal:
				m.Layer[0], m.Layer[1] = byte(g.next()), byte(g.next())
			case engine.Split:
				masks, count := s.Block().Splits()
				m.Data = uint64(masks[g.below(count)])
			case engine.Choose:
				m.Data = uint64(g.below(2))
			case engine.Place:
				turns := s.Piece(seat).Turns()
				all := turns.AppendPlacements(buf[:0], s.Board(seat), duel.Size)
				m.Data = uint64(all[g.below(len(all))])
			}
			s = apply(s, m)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "matches/s")
}

// BenchmarkRoundSearch searches one round exactly on fresh boards.
func BenchmarkRoundSearch(b *testing.B) {
	all := positions(4)
	n := 0
	for b.Loop() {
		s := all[n%len(all)]
		block := duel.BlockAt(n * 37 % duel.Blocks)
		masks, count := block.Splits()
		searchRound(block, masks[:count], &side{board: s.Board(0), left: 4}, &side{board: s.Board(1), left: 4})
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rounds/s")
}

func BenchmarkDecide(b *testing.B) {
	all := positions(4)
	for _, level := range Levels() {
		b.Run(level.String(), func(b *testing.B) {
			p := New(level, 1)
			n := 0
			for b.Loop() {
				s := all[n%len(all)]
				p.Decide(s, s.Owes())
				n++
			}
		})
	}
}
