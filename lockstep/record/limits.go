package record

import (
	"encoding/binary"

	"github.com/cleavegame/cleave/engine"
)

// Limits are the times for the decisions of a match, in ms. 0 means no limit:
// then that decision can never be flagged. RevealMs is when a reveal is
// overdue; no flag stands for it.
type Limits struct{ SplitMs, ChooseMs, PlaceMs, RevealMs uint32 }

// The published limits. A rated match has the standard ones, a friendly one
// any of the three. Reveals are made by the program, so their limit is the
// same in all.
var (
	StandardLimits = Limits{SplitMs: 12_000, ChooseMs: 6_000, PlaceMs: 10_000, RevealMs: 3_000}
	DoubleLimits   = Limits{SplitMs: 24_000, ChooseMs: 12_000, PlaceMs: 20_000, RevealMs: 3_000}
	NoLimits       = Limits{RevealMs: 3_000}
)

// For is the limit in ms for an entry of the kind, 0 for none.
func (l Limits) For(kind engine.Kind) uint32 {
	switch kind {
	case engine.Split:
		return l.SplitMs
	case engine.Choose:
		return l.ChooseMs
	case engine.Place:
		return l.PlaceMs
	case engine.Reveal:
		return l.RevealMs
	}
	return 0
}

func (l Limits) append(b []byte) []byte {
	for _, ms := range [4]uint32{l.SplitMs, l.ChooseMs, l.PlaceMs, l.RevealMs} {
		b = binary.BigEndian.AppendUint32(b, ms)
	}
	return b
}

func (r *reader) limits() Limits {
	return Limits{SplitMs: r.uint32(), ChooseMs: r.uint32(), PlaceMs: r.uint32(), RevealMs: r.uint32()}
}
