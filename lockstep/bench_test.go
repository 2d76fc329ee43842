package lockstep

import "testing"

// BenchmarkMatch plays whole matches over a perfect link, with real
// signatures: each entry is signed once and verified once.
func BenchmarkMatch(b *testing.B) {
	for b.Loop() {
		p := newPair(new(testing.T), nil).begin()
		p.playOut()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "matches/s")
}

// BenchmarkReceive is the cost of one entry from its frame to the answer.
func BenchmarkReceive(b *testing.B) {
	p := newPair(new(testing.T), nil)
	n := 0
	for b.Loop() {
		if n%8 == 0 || p.state().Over() {
			p = newPair(new(testing.T), nil).begin()
		}
		p.step()
		n++
	}
}
