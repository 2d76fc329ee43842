package record

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/cleavegame/cleave/engine"
)

// A runMove is one entry of a run as it is encoded: kind<<12 | slot<<8 | cell.
type runMove uint16

func (m runMove) kind() engine.Kind { return engine.Kind(m >> 12) }

// move is the engine's move.
func (m runMove) move() engine.Move {
	return engine.Move{Kind: m.kind(), Data: uint64(m & 0xfff)}
}

// fits reports whether the entry is one of those that runs have.
func (m runMove) fits() bool {
	switch m.kind() {
	case engine.Place:
		return true
	case engine.Chance, engine.Hint:
		return m&0xfff == 0
	}
	return false
}

// packMove is the entry of a move, false if none can hold it.
func packMove(m engine.Move) (runMove, bool) {
	if m.Seat != 0 || m.Layer != [32]byte{} || m.Kind > 15 || m.Data > 0xfff {
		return 0, false
	}
	p := runMove(m.Kind)<<12 | runMove(m.Data)
	return p, p.fits()
}

// A RunLog is the content of the .cleave file of a run. It is well formed, no
// more: only a VerifiedRun is believed.
type RunLog struct {
	terms   RunTerms
	moves   []runMove
	digests [][32]byte // after every 64th entry and at the end
	claim   Claim
	sig     Signature
}

// Terms are what the run was played under.
func (l RunLog) Terms() RunTerms { return l.terms }

// Claim is what the player says the run came to.
func (l RunLog) Claim() Claim { return l.claim }

// Append appends the bytes of the file to b.
func (l RunLog) Append(b []byte) []byte {
	b = append(append(b, magic...), seatsRun, logFormat)
	at := len(b)
	b = l.terms.Append(append(b, 0, 0))
	binary.BigEndian.PutUint16(b[at:], uint16(len(b)-at-2))
	b = binary.BigEndian.AppendUint32(b, uint32(len(l.moves)))
	for i := range l.digests {
		b = l.appendStretch(b, i)
	}
	return append(l.claim.append(b), l.sig[:]...)
}

// appendStretch appends up to 64 entries and the digest after them.
func (l *RunLog) appendStretch(b []byte, i int) []byte {
	for _, m := range l.moves[i*stretchLen : min((i+1)*stretchLen, len(l.moves))] {
		b = binary.BigEndian.AppendUint16(b, uint16(m))
	}
	return append(b, l.digests[i][:]...)
}

// ParseRunLog reads a .cleave file of a run, whole. It refuses a match's with
// ErrSeats.
func ParseRunLog(b []byte) (RunLog, error) {
	r := read(b, MaxRun)
	if r.form() == seatsMatch {
		r.refuse(ErrSeats)
	}
	t := r.take(int(r.uint16()))
	if r.err != nil {
		return RunLog{}, r.err
	}
	inner := read(t, MaxObject)
	l := RunLog{terms: inner.runTerms()}
	if err := inner.end(); err != nil {
		return RunLog{}, err
	}
	count := r.uint32()
	if r.err == nil && (count == 0 || count > maxRunEntries || int(count) > len(r.b)/2) {
		r.refuse(ErrEntryCount)
	}
	if r.err != nil {
		return RunLog{}, r.err
	}
	l.moves = make([]runMove, count)
	placed := 0
	for i := range l.moves {
		m := runMove(r.uint16())
		if r.err == nil && !m.fits() {
			r.refuse(ErrKind)
		}
		if m.kind() == engine.Place {
			placed++
		}
		l.moves[i] = m
		if (i+1)%stretchLen == 0 || i+1 == len(l.moves) {
			l.digests = append(l.digests, r.hash())
		}
		if r.err != nil {
			return RunLog{}, r.err
		}
	}
	if placed > MaxPlacements {
		r.refuse(ErrEntryCount)
	}
	l.claim = r.claim()
	l.sig = r.signature()
	if err := r.end(); err != nil {
		return RunLog{}, err
	}
	return l, nil
}

// head is the final head, which covers the claim.
func (l *RunLog) head(id ID) Head {
	var buf [len(stretchDomain) + 32 + 2*stretchLen + 32]byte
	head := Head(sha256.Sum256(append(append(buf[:0], runHeadDomain...), id[:]...)))
	for i := range l.digests {
		b := append(append(buf[:0], stretchDomain...), head[:]...)
		head = sha256.Sum256(l.appendStretch(b, i))
	}
	b := append(append(buf[:0], claimDomain...), head[:]...)
	return sha256.Sum256(l.claim.append(b))
}

// message is what the player signs.
func (l *RunLog) message(id ID, head Head) []byte {
	return append(append([]byte(runSealDomain), id[:]...), head[:]...)
}

// A VerifiedRun is a run that holds: signed by its player, and the engine of
// exactly its rules gave every digest and the claim. It is made by VerifyRun
// alone.
type VerifiedRun struct {
	log    RunLog
	id     ID
	head   Head
	pos    Solo
	placed int
}

// VerifyRun checks the log against the games. Its signature is checked first,
// so that of a *VerifyError with Signed set the player answers for what is
// wrong: an illegal move, a digest, or a claim that the replay does not give.
// A run that is not complete holds too; see Complete.
func VerifyRun(l RunLog, games Games) (VerifiedRun, error) {
	id, pos, err := l.terms.start(games)
	if err != nil {
		return VerifiedRun{}, &VerifyError{Reason: err}
	}
	v := VerifiedRun{log: l, id: id, head: l.head(id), pos: pos}
	if !l.terms.Key.Verify(l.message(id, v.head), l.sig) {
		return VerifiedRun{}, &VerifyError{Entry: len(l.moves) + 1, Reason: ErrSignature}
	}
	for i, m := range l.moves {
		n := i + 1
		if v.pos, err = soloStep(v.pos, n, m); err != nil {
			return VerifiedRun{}, &VerifyError{Entry: n, Reason: err, Signed: true}
		}
		if m.kind() == engine.Place {
			v.placed++
		}
		if n%stretchLen == 0 || n == len(l.moves) {
			want, got := v.pos.Digest(), l.digests[i/stretchLen]
			if want != got {
				err := &DigestError{Index: uint32(n), Want: want, Got: got}
				return VerifiedRun{}, &VerifyError{Entry: n, Reason: err, Signed: true}
			}
		}
	}
	if reason := l.claim.compare(ClaimOf(v.pos)); reason != 0 {
		return VerifiedRun{}, &VerifyError{Entry: len(l.moves) + 1, Reason: reason, Signed: true}
	}
	return v, nil
}

// compare is what the claim says otherwise than the replay, 0 for nothing.
func (c Claim) compare(replay Claim) Reason {
	switch {
	case c.Score != replay.Score:
		return ErrClaimScore
	case c.Combo != replay.Combo:
		return ErrClaimCombo
	case c.Board != replay.Board:
		return ErrClaimBoard
	}
	return 0
}

// Log is the log that was verified.
func (v VerifiedRun) Log() RunLog { return v.log }

// Terms are what the run was played under.
func (v VerifiedRun) Terms() RunTerms { return v.log.terms }

// ID is the run's id.
func (v VerifiedRun) ID() ID { return v.id }

// Head is the final head, which the player signed.
func (v VerifiedRun) Head() Head { return v.head }

// Claim is what the run came to; the replay gives the same.
func (v VerifiedRun) Claim() Claim { return v.log.claim }

// Complete reports whether the run ended by its rules, or at its limit.
func (v VerifiedRun) Complete() bool {
	return v.pos.Outcome().Over || v.placed == MaxPlacements || len(v.log.moves) == maxRunEntries
}

// Len is how many entries the run has.
func (v VerifiedRun) Len() int { return len(v.log.moves) }

// Placements is how many of them placed a piece.
func (v VerifiedRun) Placements() int { return v.placed }

// MoveAt is entry n, 1 <= n <= Len. It panics otherwise.
func (v VerifiedRun) MoveAt(n int) engine.Move { return v.log.moves[n-1].move() }

// Position is the state after the last entry.
func (v VerifiedRun) Position() Solo { return v.pos }
