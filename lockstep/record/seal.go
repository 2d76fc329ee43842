package record

// A Seal is the signature of the player who did not make the last entry, on
// the final head, at the index after it. It carries that last entry, so that
// what was sealed can be seen. Seals compare with ==.
type Seal struct {
	Match ID
	Index uint32    // of the seal: one more than the last entry's
	Prev  Head      // head(Index-2), the head before the last entry
	Last  Entry     // the last entry, made by the other seat
	Sig   Signature // of "cleave/seal/1" || Match || Index || Head()
}

// Head is the final head, which the seal signs.
func (s Seal) Head() Head { return s.Last.after(&s.Prev) }

// Append appends the encoding, at most MaxObject bytes, to b.
func (s Seal) Append(b []byte) []byte {
	return s.statement().append(append(b, s.Match[:]...))
}

// ParseSeal reads the bytes of one seal, whole. The signature is not checked:
// see Check and Match.AcceptSeal.
func ParseSeal(b []byte) (Seal, error) {
	r := read(b, MaxObject)
	match := ID(r.hash())
	s := r.statement(true)
	if err := r.end(); err != nil {
		return Seal{}, err
	}
	return Seal{Match: match, Index: s.Index, Prev: s.Prev, Last: s.Entry, Sig: s.Sig}, nil
}

// Check is ErrSealSignature unless key signed the seal.
func (s Seal) Check(key Key) error { return s.statement().check(s.Match, key) }

func (s Seal) statement() Statement {
	return Statement{Sealed: true, Index: s.Index, Prev: s.Prev, Entry: s.Last, Sig: s.Sig}
}
