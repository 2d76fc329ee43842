package lockstep

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/cleavegame/cleave/engine"
	"github.com/cleavegame/cleave/lockstep/record"
)

// halfWaitMs is how long the peer's half of a bundle is awaited.
const halfWaitMs = 10_000

// The limits of a half in a bundle.
const (
	maxHalf   = maxParts * maxPartLen
	maxFields = 128
	maxField  = 1024
)

// freeze is a disagreement of the two engines at one entry.
type freeze struct {
	index   int
	reason  Reason
	entry   record.SignedEntry // the entry about which they disagree
	halves  [2][]byte          // by seat, nil while awaited
	parts   [][]byte           // of the peer's half, as they come
	untilMs int64              // mono until which it is awaited
	done    bool
}

// A Bundle is everything that two sides have to say about a disagreement of
// their engines. Both sides write the same bytes when both halves are there.
type Bundle struct {
	Terms   record.Terms
	Sigs    [2]record.Signature
	Index   int                  // of the entry at which the engines disagree
	Entries []record.SignedEntry // 1 to Index
	Halves  [2]Half              // by seat; one without a Client is missing
}

// A Half is one side's share of a Bundle.
type Half struct {
	Client string   // program and version
	Refuse string   // why this side's engine refused the move, "" where it took it
	Digest [32]byte // of its state after the entry, or before it where refused
	Fields []engine.Field
}

const bundleMagic = "CLEAVE-DESYNC/1\n"

func (h Half) append(b []byte) []byte {
	b = appendBytes(b, []byte(h.Client))
	b = appendBytes(b, []byte(h.Refuse))
	b = append(b, h.Digest[:]...)
	b = append(b, byte(len(h.Fields)))
	for _, f := range h.Fields {
		b = appendBytes(b, []byte(f.Name))
		b = appendBytes(b, []byte(f.Value))
	}
	return b
}

func (r *reader) halfOfBundle() (h Half) {
	h.Client = string(r.bytes(maxClientLen))
	h.Refuse = string(r.bytes(maxField))
	h.Digest = r.b32()
	for range r.atMost(maxFields) {
		h.Fields = append(h.Fields, engine.Field{Name: string(r.bytes(maxField)), Value: string(r.bytes(maxField))})
		if r.bad {
			return Half{}
		}
	}
	return h
}

func parseHalf(b []byte) (Half, bool) {
	r := reader{b: b}
	h := r.halfOfBundle()
	return h, r.end() && h.Client != ""
}

// Append appends the bundle's bytes to b.
func (v Bundle) Append(b []byte) []byte {
	b = append(b, bundleMagic...)
	b = appendBytes(b, v.Terms.Append(nil))
	b = append(append(b, v.Sigs[0][:]...), v.Sigs[1][:]...)
	b = binary.BigEndian.AppendUint32(b, uint32(v.Index))
	for _, e := range v.Entries {
		b = appendBytes(b, e.Append(nil))
	}
	for _, h := range v.Halves {
		raw := []byte(nil)
		if h.Client != "" {
			raw = h.append(nil)
		}
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(raw))), raw...)
	}
	return b
}

// ErrBundle says that bytes are no bundle.
var ErrBundle = errors.New("lockstep: not a bundle of a disagreement")

// ParseBundle reads a bundle. Nothing in it is checked: it is what two sides
// said.
func ParseBundle(b []byte) (Bundle, error) {
	if !bytes.HasPrefix(b, []byte(bundleMagic)) {
		return Bundle{}, ErrBundle
	}
	r := reader{b: b[len(bundleMagic):]}
	var v Bundle
	var err error
	if v.Terms, err = record.ParseTerms(r.bytes(record.MaxObject)); err != nil {
		return Bundle{}, ErrBundle
	}
	v.Sigs = [2]record.Signature{r.b64(), r.b64()}
	n := r.index()
	if r.bad || n == 0 {
		return Bundle{}, ErrBundle
	}
	v.Index = int(n)
	for range v.Index {
		e, err := record.ParseSignedEntry(r.bytes(record.MaxObject))
		if err != nil {
			return Bundle{}, ErrBundle
		}
		v.Entries = append(v.Entries, e)
	}
	for i := range v.Halves {
		n := r.u32()
		if n == 0 {
			continue
		}
		raw := r.take(int(min(n, maxHalf+1)))
		var ok bool
		if v.Halves[i], ok = parseHalf(raw); !ok {
			return Bundle{}, ErrBundle
		}
	}
	if !r.end() {
		return Bundle{}, ErrBundle
	}
	return v, nil
}

// Differ lists the names of the fields in which the two states differ.
func (v Bundle) Differ() (names []string) {
	a, b := v.Halves[0].Fields, v.Halves[1].Fields
	for _, f := range a {
		if i := slices.IndexFunc(b, func(g engine.Field) bool { return g.Name == f.Name }); i < 0 || b[i] != f {
			names = append(names, f.Name)
		}
	}
	for _, g := range b {
		if !slices.ContainsFunc(a, func(f engine.Field) bool { return f.Name == g.Name }) {
			names = append(names, g.Name)
		}
	}
	return names
}

// disagree takes note of a signed entry of the peer that this side's engine
// refuses or leads to another state.
func (s *Session) disagree(e record.SignedEntry, reason Reason) {
	m := s.match
	if m.frozen != nil || m.over() {
		return
	}
	if m.dispute != nil && m.dispute.index == int(e.Index) {
		return // it was said once
	}
	f := &freeze{index: int(e.Index), reason: reason, entry: e, untilMs: s.now.Mono + halfWaitMs}
	f.halves[m.seat] = s.halfAfter(e)
	if m.claim != 0 && !m.terms.Rated {
		return // who is that late does not get no result for a bad entry
	}
	if m.terms.Rated {
		// The entry is none and its author still owes one; what is known is
		// evidence for a claim. The peer is told, for its own bundle.
		m.dispute, m.bundle = f, s.bundleOf(f)
		s.sendHalfOf(f)
		s.show(Desync{Index: f.index, Reason: reason, Rated: true, Bundle: m.bundle})
		return
	}
	s.freeze(f)
	s.persist(m.journal, false, frozenRecord(f.index, e.Append(nil)))
	s.sendHalf()
}

// freeze stops a friendly match: it has no result.
func (s *Session) freeze(f *freeze) {
	m := s.match
	m.frozen = f
	m.out = nil
	m.held, m.deciding, m.resign, m.claim, m.sealMs = nil, engine.None, false, 0, 0
	m.result = Result{End: Desynced, By: engine.Nobody}
}

// refreeze takes a frozen match up again from its journal.
func (s *Session) refreeze(index int, entry []byte) {
	m := s.match
	e, err := record.ParseSignedEntry(entry)
	if err != nil {
		if index > m.chain.Len() {
			return
		}
		e = m.chain.EntryAt(index)
	}
	f := &freeze{index: index, reason: BadDigest, entry: e, untilMs: s.now.Mono + halfWaitMs}
	f.halves[m.seat] = s.halfAfter(e)
	s.freeze(f)
}

// halfAfter is this side's half about an entry: its state after it.
func (s *Session) halfAfter(e record.SignedEntry) []byte {
	m := s.match
	h := Half{Client: s.cfg.Client}
	if h.Client == "" {
		h.Client = "unknown"
	}
	pos := m.positions[min(int(e.Index), len(m.positions))-1]
	if next, err := pos.Apply(e.Entry.Move); err == nil {
		pos = next
	} else {
		h.Refuse = cut(err.Error(), maxField)
	}
	h.Digest = pos.Digest()
	for i, f := range pos.Fields() {
		if i == maxFields {
			break
		}
		h.Fields = append(h.Fields, engine.Field{Name: cut(f.Name, maxField), Value: cut(f.Value, maxField)})
	}
	raw := h.append(nil)
	for len(raw) > maxHalf {
		h.Fields = h.Fields[:len(h.Fields)/2]
		raw = h.append(nil)
	}
	return raw
}

func cut(text string, n int) string {
	if len(text) > n {
		return text[:n]
	}
	return text
}

func (s *Session) sendHalf() { s.sendHalfOf(s.match.frozen) }

func (s *Session) sendHalfOf(f *freeze) {
	m := s.match
	raw := f.halves[m.seat]
	parts := slices.Collect(slices.Chunk(raw, maxPartLen))
	for i, p := range parts {
		s.send(FrameDesync, desyncFrame{m.id, uint32(f.index), uint8(i), uint8(len(parts)), p}.append(nil))
	}
}

// onDesync takes the peer's half. The peer that found the disagreement sends
// it unasked, about an entry that this side signed; the answer to this side's
// own half comes the same way.
func (s *Session) onDesync(d desyncFrame) {
	m := s.match
	if m == nil || s.phase != phaseMatch || d.id != m.id {
		s.bad(FrameDesync, BadMatch)
		return
	}
	f := m.frozen
	switch {
	case f != nil && f.index == int(d.index):
	case f != nil:
		s.bad(FrameDesync, BadIndex)
		return
	case m.dispute != nil && m.dispute.index == int(d.index):
		f = m.dispute
	default:
		if f = s.accused(int(d.index)); f == nil {
			s.bad(FrameDesync, BadPlace)
			return
		}
	}
	if f.done || f.halves[1-m.seat] != nil {
		return
	}
	if len(f.parts) != int(d.part) {
		f.parts = nil // parts come in order; anything else begins anew
		if d.part != 0 {
			s.bad(FrameDesync, BadIndex)
			return
		}
	}
	f.parts = append(f.parts, d.data)
	if len(f.parts) < int(d.parts) {
		if f != m.frozen && f != m.dispute {
			m.accused = f
		}
		return
	}
	raw := bytes.Join(f.parts, nil)
	f.parts = nil
	h, ok := parseHalf(raw)
	if !ok {
		s.bad(FrameDesync, BadFrame)
		m.accused = nil
		return
	}
	f.halves[1-m.seat] = raw
	m.accused = nil
	switch f {
	case m.frozen:
		s.frozenDone()
		return
	case m.dispute:
		m.bundle = s.bundleOf(f)
		s.show(Desync{Index: f.index, Reason: f.reason, Rated: true, Bundle: m.bundle})
		return
	}
	if own, _ := parseHalf(f.halves[m.seat]); own.Digest == h.Digest && h.Refuse == own.Refuse {
		s.bad(FrameDesync, BadPlace) // the peer disagrees with nothing
		return
	}
	s.sendHalfOf(f)
	if m.terms.Rated {
		// The replay will judge. Nothing changes here: the peer owes the next
		// entry, or says so at the endpoint.
		m.heardOf = f.index
		s.show(Desync{Index: f.index, Reason: f.reason, Rated: true, Bundle: s.bundleOf(f)})
		return
	}
	s.freeze(f)
	s.persist(m.journal, false, frozenRecord(f.index, nil))
	s.frozenDone()
}

// accused is the beginning of a disagreement that the peer has found, nil
// where there can be none: only about an entry that this side signed, before
// the peer has signed anything upon it, and not to get out of a claim.
func (s *Session) accused(index int) *freeze {
	m := s.match
	switch {
	case index > m.chain.Len() || m.claim != 0 || m.claims || m.chain.Sealed():
		return nil
	case m.over() && m.result.End != ByEngine:
		return nil
	case index == m.heardOf:
		return nil // it was said once
	case m.accused != nil && m.accused.index == index:
		return m.accused
	}
	for n := index; n <= m.chain.Len(); n++ {
		if int(m.chain.EntryAt(n).Entry.Move.Seat) != m.seat {
			return nil
		}
	}
	e := m.chain.EntryAt(index)
	f := &freeze{index: index, reason: BadDigest, entry: e, untilMs: s.now.Mono + halfWaitMs}
	f.halves[m.seat] = s.halfAfter(e)
	return f
}

// frozenDone shows the bundle, when both halves are there or the peer's does
// not come.
func (s *Session) frozenDone() {
	m := s.match
	f := m.frozen
	if f == nil || f.done || f.halves[1-m.seat] == nil && s.now.Mono < f.untilMs {
		return
	}
	f.done = true
	s.show(Desync{Index: f.index, Reason: f.reason, Bundle: s.bundleOf(f)})
	s.persist(m.journal, false, endedRecord(m.result))
	s.show(s.overNow())
}

func (s *Session) bundleOf(f *freeze) []byte {
	m := s.match
	v := Bundle{Terms: m.terms, Sigs: m.sigs, Index: f.index}
	for n := 1; n < f.index; n++ {
		v.Entries = append(v.Entries, m.chain.EntryAt(n))
	}
	v.Entries = append(v.Entries, f.entry)
	for seat, raw := range f.halves {
		if raw != nil {
			v.Halves[seat], _ = parseHalf(raw)
		}
	}
	return v.Append(nil)
}
