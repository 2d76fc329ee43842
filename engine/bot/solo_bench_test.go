package bot

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/engine/classic"
	"github.com/cleavegame/cleave/engine/streak"
)

// BenchmarkHands searches the hands of a run of the Streak, over all orders, as
// the expert does.
func BenchmarkHands(b *testing.B) {
	type deal struct {
		board engine.Board
		hand  hand
		count streakCount
	}
	var deals []deal
	for s := streak.New(matchID(1), streak.Counting); s.Owes() == 0 && len(deals) < 200; {
		deals = append(deals, deal{s.Board(), hand{s.Piece(0), s.Piece(1), s.Piece(2)}, streakCount(s.Tally())})
		s, _, _ = streak.Apply(s, New(Expert, 1).Streak(s))
	}
	hands, placements := 0, 0
	counting := evaluation{worth: func(points int, board engine.Board) int { placements++; return outlook(points, board) }}
	for b.Loop() {
		d := deals[hands%len(deals)]
		searchHand(counting, d.board, d.hand, d.count, soloWidth, soloNodes)
		hands++
	}
	b.ReportMetric(float64(hands)/b.Elapsed().Seconds(), "hands/s")
	b.ReportMetric(float64(placements)/b.Elapsed().Seconds(), "placements/s")
}

// BenchmarkScoring plays placements of the Streak through Apply, each with its
// points, and none with its digest.
func BenchmarkScoring(b *testing.B) {
	player := New(Easy, 1)
	var moves []engine.Move
	first := streak.New(matchID(2), streak.Training)
	for s := first; s.Owes() == 0; {
		m := player.Streak(s)
		moves = append(moves, m)
		s, _, _ = streak.Apply(s, m)
	}
	n := 0
	for b.Loop() {
		s := first
		for _, m := range moves {
			s, _, _ = streak.Apply(s, m)
		}
		n += len(moves)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "placements/s")
}

// survival plays 200 games, on all processors, and reports the median of their
// placements; a game is left at the limit.
func survival(b *testing.B, play func(n int) int) {
	lengths := make([]int, 200)
	for b.Loop() {
		var at atomic.Int64
		var all sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			all.Go(func() {
				for n := int(at.Add(1)) - 1; n < len(lengths); n = int(at.Add(1)) - 1 {
					lengths[n] = play(n)
				}
			})
		}
		all.Wait()
	}
	b.ReportMetric(float64(median(lengths)), "median-placements")
}

// BenchmarkSurvival plays games to their end; those of the expert take minutes.
func BenchmarkSurvival(b *testing.B) {
	for _, level := range Levels() {
		b.Run("streak/"+level.String(), func(b *testing.B) {
			survival(b, func(n int) int {
				return runStreak(b, New(level, uint64(n)), 1_000_000+n, streak.Counting, 10_000).Placements()
			})
		})
	}
	for d := classic.Easy; d <= classic.Hard; d++ {
		for _, level := range []Level{Medium, Expert} {
			b.Run("classic "+d.String()+"/"+level.String(), func(b *testing.B) {
				survival(b, func(n int) int {
					return runClassic(b, New(level, uint64(n)), 1_000_000+n, d, 5_000).Placements()
				})
			})
		}
	}
}
