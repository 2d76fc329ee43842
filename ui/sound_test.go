package ui

import (
	"encoding/binary"
	"math"
	"testing"
)

// No effect is silent, too loud, or longer than it helps.
func TestEffects(t *testing.T) {
	for f := range effects {
		b := f.samples()
		peak := 0.0
		for i := 0; i+4 <= len(b); i += 4 {
			peak = max(peak, math.Abs(float64(math.Float32frombits(binary.LittleEndian.Uint32(b[i:])))))
		}
		if seconds := float64(len(b)) / 8 / sampleRate; seconds > 6 {
			t.Errorf("effect %d lasts %.1f s", f, seconds)
		}
		if peak < 0.05 || peak > 0.98 {
			t.Errorf("effect %d peaks at %.2f", f, peak)
		}
	}
}

// A note computed from sample to sample is the sine it stands for.
func TestNotes(t *testing.T) {
	for f := range effects {
		for _, n := range f.notes() {
			v := make([]float64, int((n.at+6*n.fall)*sampleRate))
			n.addTo(v)
			for i, got := range v {
				s, want := float64(i)/sampleRate-n.at, 0.0
				if s >= 0 {
					hz := n.hz
					if n.slide != 0 {
						hz *= math.Pow(n.slide, s)
					}
					phase := 2 * math.Pi * hz * s
					want = (math.Sin(phase) + n.bite*math.Sin(2*phase) + n.bite*n.bite*math.Sin(3*phase)) * min(s/0.004, 1) * math.Exp(-s/n.fall) * n.loud
				}
				if math.Abs(got-want) > 1e-6 {
					t.Fatalf("effect %d: sample %d is %f, want %f", f, i, got, want)
				}
			}
		}
	}
}

func TestTuneGoesOn(t *testing.T) {
	tune := &tune{}
	b := make([]byte, 8*sampleRate)
	for second := range 20 {
		n, err := tune.Read(b)
		if err != nil || n != len(b) {
			t.Fatal(n, err)
		}
		peak := 0.0
		for i := 0; i < n; i += 4 {
			peak = max(peak, math.Abs(float64(math.Float32frombits(binary.LittleEndian.Uint32(b[i:])))))
		}
		if peak == 0 || peak > 0.9 {
			t.Fatalf("second %d peaks at %.2f", second, peak)
		}
	}
}

func BenchmarkTune(b *testing.B) {
	tune := &tune{}
	second := make([]byte, 8*sampleRate)
	for b.Loop() {
		tune.Read(second)
	}
}
