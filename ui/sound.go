package ui

import (
	"encoding/binary"
	"math"

	"github.com/hajimehoshi/ebiten/v2/audio"
)

// Effect is a sound of the game.
type Effect uint8

// The effects.
const (
	SoundDab     Effect = iota // a cell was painted
	SoundTurn                  // a piece was turned
	SoundSplit                 // a block was split
	SoundPlace                 // a piece was placed
	SoundClear                 // lines cleared
	SoundBlocked               // a piece fitted nowhere, or the time ran out
	SoundTick                  // one of the last three seconds
	SoundYours                 // it is one's turn, or a friend joined
	SoundWon
	SoundLost
	effects
)

// sampleRate is in frames a second, two channels of 32-bit floats each.
const sampleRate = 48000

// A Sound plays the effects and the music. A nil Sound is silent: a machine
// without a sound device plays all the same.
type Sound struct {
	ctx     *audio.Context
	effects [effects][]byte
	music   *audio.Player
}

// OpenSound makes the sounds. It must be called only where a sound device was
// found to work: the game loop ends with an error as soon as a device that
// does not is opened.
func OpenSound() (*Sound, error) {
	s := &Sound{ctx: audio.NewContext(sampleRate)}
	for f := range effects {
		s.effects[f] = f.samples()
	}
	music, err := s.ctx.NewPlayerF32(&tune{})
	if err != nil {
		return nil, err
	}
	s.music = music
	return s, nil
}

// Play plays an effect at a volume of 0 to 100.
func (s *Sound) Play(f Effect, percent int) {
	if s == nil || percent <= 0 {
		return
	}
	p := s.ctx.NewPlayerF32FromBytes(s.effects[f])
	p.SetVolume(float64(percent) / 100)
	p.Play()
}

// Music sets the volume of the music, 0 to 100; at 0 it is not computed at
// all.
func (s *Sound) Music(percent int) {
	if s == nil {
		return
	}
	if percent <= 0 {
		s.music.Pause()
		return
	}
	s.music.SetVolume(float64(percent) / 100)
	s.music.Play()
}

// A note is one struck tone: a sine with a little of its octaves that dies
// away.
type note struct {
	hz    float64
	at    float64 // seconds after the start
	fall  float64 // seconds in which it falls to a third
	loud  float64 // 0 to 1
	bite  float64 // how much of the upper octaves
	slide float64 // factor that the pitch has reached after one second
}

// addTo adds the note to the samples of an effect.
func (n note) addTo(v []float64) {
	from := int(math.Ceil(n.at * sampleRate))
	if n.slide == 0 {
		t := newTone(n.hz)
		t.loud, t.fall, t.bite = n.loud, math.Exp(-1/(n.fall*sampleRate)), n.bite
		// It starts between two samples.
		since := float64(from) - n.at*sampleRate
		t.sin, t.cos = math.Sincos(2 * math.Pi * n.hz * since / sampleRate)
		t.rise, t.loud = since/(0.004*sampleRate), t.loud*math.Pow(t.fall, since)
		for i := from; i < len(v) && t.loud > 0; i++ {
			v[i] += t.sample()
		}
		return
	}
	for i := from; i < len(v); i++ {
		t := float64(i)/sampleRate - n.at
		phase := 2 * math.Pi * n.hz * math.Pow(n.slide, t) * t
		tone := math.Sin(phase) + n.bite*math.Sin(2*phase) + n.bite*n.bite*math.Sin(3*phase)
		v[i] += tone * min(t/0.004, 1) * math.Exp(-t/n.fall) * n.loud
	}
}

// semitone returns the pitch n semitones above A3.
func semitone(n int) float64 { return 220 * math.Pow(2, float64(n)/12) }

// notes are what each effect is made of: soft, wooden, in one key.
func (f Effect) notes() []note {
	switch f {
	case SoundDab:
		return []note{{hz: semitone(15), fall: 0.02, loud: 0.18, bite: 0.3}}
	case SoundTurn:
		return []note{{hz: semitone(10), fall: 0.03, loud: 0.2, bite: 0.4, slide: 3}}
	case SoundSplit:
		return []note{{hz: semitone(3), fall: 0.06, loud: 0.3, bite: 0.5}, {hz: semitone(10), at: 0.05, fall: 0.08, loud: 0.25, bite: 0.4}}
	case SoundPlace:
		return []note{{hz: semitone(-9), fall: 0.05, loud: 0.5, bite: 0.5}, {hz: semitone(3), fall: 0.03, loud: 0.2, bite: 0.6}}
	case SoundClear:
		return []note{{hz: semitone(3), fall: 0.25, loud: 0.22, bite: 0.2}, {hz: semitone(7), at: 0.06, fall: 0.25, loud: 0.22, bite: 0.2},
			{hz: semitone(10), at: 0.12, fall: 0.3, loud: 0.22, bite: 0.2}, {hz: semitone(15), at: 0.18, fall: 0.4, loud: 0.2, bite: 0.2}}
	case SoundBlocked:
		return []note{{hz: semitone(-6), fall: 0.12, loud: 0.35, bite: 0.5}, {hz: semitone(-12), at: 0.1, fall: 0.2, loud: 0.35, bite: 0.5}}
	case SoundTick:
		return []note{{hz: semitone(22), fall: 0.03, loud: 0.25, bite: 0.1}}
	case SoundYours:
		return []note{{hz: semitone(10), fall: 0.2, loud: 0.22, bite: 0.2}, {hz: semitone(15), at: 0.12, fall: 0.3, loud: 0.22, bite: 0.2}}
	case SoundWon:
		return []note{{hz: semitone(3), fall: 0.3, loud: 0.2, bite: 0.3}, {hz: semitone(7), at: 0.14, fall: 0.3, loud: 0.2, bite: 0.3},
			{hz: semitone(10), at: 0.28, fall: 0.3, loud: 0.2, bite: 0.3}, {hz: semitone(15), at: 0.42, fall: 0.8, loud: 0.25, bite: 0.3}}
	case SoundLost:
		return []note{{hz: semitone(10), fall: 0.3, loud: 0.2, bite: 0.2}, {hz: semitone(6), at: 0.18, fall: 0.3, loud: 0.2, bite: 0.2},
			{hz: semitone(3), at: 0.36, fall: 0.6, loud: 0.22, bite: 0.2}}
	}
	return nil
}

// samples computes an effect until it has died away.
func (f Effect) samples() []byte {
	notes := f.notes()
	end := 0.0
	for _, n := range notes {
		end = max(end, n.at+6*n.fall)
	}
	v := make([]float64, int(end*sampleRate))
	for _, n := range notes {
		n.addTo(v)
	}
	b := make([]byte, 0, len(v)*8)
	for _, one := range v {
		b = appendFrame(b, one, one)
	}
	return b
}

func appendFrame(b []byte, left, right float64) []byte {
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(min(max(left, -1), 1))))
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(min(max(right, -1), 1))))
}
