package record

import (
	"slices"
	"testing"
	"time"
)

// BenchmarkVerifyMatch reads and verifies a whole match. Beside it, in turn, so
// that both see the same machine, it checks two bare signatures, and says how
// many times as long the match took (medians); the aim is 1.3.
func BenchmarkVerifyMatch(b *testing.B) {
	m := whole(b, rated(1), 1)
	file := m.Log().Append(nil)
	message := signed(entryDomain, ID{}, 1, Head{})
	sigs := [2]Signature{host.sign(message), guest.sign(message)}
	var match, bare []time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		l, err := ParseLog(file)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Verify(l, games); err != nil {
			b.Fatal(err)
		}
		half := time.Now()
		if !host.key.Verify(message, sigs[0]) || !guest.key.Verify(message, sigs[1]) {
			b.Fatal("does not verify")
		}
		match = append(match, half.Sub(start))
		bare = append(bare, time.Since(half))
	}
	slices.Sort(match)
	slices.Sort(bare)
	middle := len(match) / 2
	b.ReportMetric(float64(match[middle]), "match-ns")
	b.ReportMetric(float64(bare[middle]), "two-signatures-ns")
	b.ReportMetric(float64(match[middle])/float64(bare[middle]), "times-two-signatures")
	b.ReportMetric(float64(m.Len()), "entries")
	b.ReportMetric(float64(len(file)), "bytes")
}

// BenchmarkParse and BenchmarkReplay are what of BenchmarkVerifyMatch is not
// signatures.
func BenchmarkParse(b *testing.B) {
	file := whole(b, rated(1), 1).Log().Append(nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseLog(file); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReplay(b *testing.B) {
	l := whole(b, rated(1), 1).Log()
	_, start, err := l.terms.start(games)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		c := chain{limits: l.terms.Limits, pos: start, links: l.terms.Anchors}
		for i := range l.entries {
			if err := c.step(uint32(i+1), &l.entries[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkHeads(b *testing.B) {
	l := whole(b, rated(1), 1).Log()
	b.ReportAllocs()
	for b.Loop() {
		var head Head
		for i := range l.entries {
			head = l.entries[i].after(&head)
		}
	}
}
