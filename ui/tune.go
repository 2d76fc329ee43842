package ui

import "math"

// tune is the music: slow single tones of a pentatonic scale, chosen by a
// small generator, so that it never quite repeats. It is an endless
// io.Reader of samples.
type tune struct {
	frame  int64
	next   int64
	random uint32
	tones  [6]tone
	turn   int
}

var pentatonic = [...]int{-9, -5, -2, 3, 5, 7, 10, 15}

// A tone is a note that goes on from sample to sample by multiplying: the
// music plays all the time, and shall cost nearly nothing; the effects are made
// while a page is being opened.
type tone struct {
	sin, cos   float64 // of the phase
	turn, keep float64 // sine and cosine of what the phase grows by
	loud, fall float64 // how loud it is, and what is left of that a sample later
	rise       float64 // how much of the attack is over, 0 to 1
	bite       float64 // how much of the upper octaves
}

// toneEnd is what cannot be heard any more.
const toneEnd = 1e-4

func newTone(hz float64) tone {
	t := tone{cos: 1, loud: 0.07, bite: 0.15, fall: math.Exp(-1 / (1.8 * sampleRate))}
	t.turn, t.keep = math.Sincos(2 * math.Pi * hz / sampleRate)
	return t
}

// sample returns the next sample.
func (t *tone) sample() float64 {
	s, c := t.sin, t.cos
	// The octave and the twelfth follow from the phase.
	v := s + t.bite*2*s*c + t.bite*t.bite*s*(3-4*s*s)
	v *= t.rise * t.loud
	t.sin, t.cos = s*t.keep+c*t.turn, c*t.keep-s*t.turn
	t.loud *= t.fall
	t.rise = min(t.rise+1/(0.004*sampleRate), 1)
	if t.loud < toneEnd {
		t.loud = 0
	}
	return v
}

// Read computes the next samples.
func (t *tune) Read(b []byte) (int, error) {
	n := len(b) / 8 * 8
	out := b[:0]
	for len(out) < n {
		if t.frame >= t.next {
			t.random = t.random*1664525 + 1013904223
			t.tones[t.turn] = newTone(semitone(pentatonic[t.random>>28&7]))
			t.turn = (t.turn + 1) % len(t.tones)
			beats := 1 + int64(t.random>>20&3)
			t.next = t.frame + beats*sampleRate*6/10
		}
		left, right := 0.0, 0.0
		for i := range t.tones {
			if t.tones[i].loud == 0 {
				continue
			}
			v := t.tones[i].sample()
			pan := float64(i) / float64(len(t.tones)-1)
			left += v * (1 - 0.5*pan)
			right += v * (0.5 + 0.5*pan)
		}
		out = appendFrame(out, left, right)
		t.frame++
	}
	return n, nil
}
