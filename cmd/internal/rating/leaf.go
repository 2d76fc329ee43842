package rating

import (
	"encoding/binary"
	"errors"
)

// LeafSize is the size of a leaf in bytes.
const LeafSize = 195

// A LeafKind says what a leaf of the public log tells.
type LeafKind uint8

// The kinds of leaves.
const (
	LeafResult   LeafKind = 1
	LeafClaim    LeafKind = 2
	LeafAnswer   LeafKind = 3
	LeafVoid     LeafKind = 4
	LeafReversal LeafKind = 5
	// LeafRun is of no ladder: a solo run was received, or found not to hold
	// when it was replayed again.
	LeafRun LeafKind = 6
	// LeafWithdrawal takes the claims of a player in a match back.
	LeafWithdrawal LeafKind = 7
)

// Moves reports whether a leaf of the kind may move somebody on the ladder.
func (k LeafKind) Moves() bool { return k == LeafResult || k == LeafVoid || k == LeafReversal }

// An End says how a match ended.
type End uint8

// The ends, 0 for a match that is not over. The first four have the numbers
// that the engine gives them.
const (
	EndPlayed    End = 1
	EndForfeited End = 2
	EndResigned  End = 3
	EndNoResult  End = 4
	EndForged    End = 5
	EndClaimed   End = 6
)

// Early reports whether a win by this end gains only by whole rounds.
func (e End) Early() bool {
	return e == EndForfeited || e == EndResigned || e == EndForged || e == EndClaimed
}

// A Leaf is one line of the public log. Leaves compare with ==.
type Leaf struct {
	Kind            LeafKind
	TimeMs          int64
	Match           [32]byte
	Keys            [2]Key
	Winner          int // seat, or Nobody
	End             End
	Rounds          int
	Score           [2]int32
	Decisions, Late [2]uint16
	Reason          uint16
	Index           uint32
	Player          Key
	Evidence        [32]byte
}

const leafVersion = 1

// ErrLeaf is the error of bytes that are no leaf.
var ErrLeaf = errors.New("rating: not a leaf")

// Append appends the leaf's bytes to b.
func (l Leaf) Append(b []byte) []byte {
	b = append(b, leafVersion, byte(l.Kind))
	b = binary.BigEndian.AppendUint64(b, uint64(l.TimeMs))
	b = append(b, l.Match[:]...)
	b = append(b, l.Keys[0][:]...)
	b = append(b, l.Keys[1][:]...)
	b = append(b, byte(l.Winner), byte(l.End), byte(l.Rounds))
	for _, n := range l.Score {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	for _, n := range [4]uint16{l.Decisions[0], l.Decisions[1], l.Late[0], l.Late[1]} {
		b = binary.BigEndian.AppendUint16(b, n)
	}
	b = binary.BigEndian.AppendUint16(b, l.Reason)
	b = binary.BigEndian.AppendUint32(b, l.Index)
	b = append(b, l.Player[:]...)
	return append(b, l.Evidence[:]...)
}

// ParseLeaf reads the bytes of one leaf, whole. What it returns encodes to the
// same bytes.
func ParseLeaf(b []byte) (Leaf, error) {
	if len(b) != LeafSize || b[0] != leafVersion {
		return Leaf{}, ErrLeaf
	}
	l := Leaf{Kind: LeafKind(b[1]), TimeMs: int64(binary.BigEndian.Uint64(b[2:])), Winner: int(int8(b[106])), End: End(b[107]), Rounds: int(b[108]),
		Reason: binary.BigEndian.Uint16(b[125:]), Index: binary.BigEndian.Uint32(b[127:])}
	copy(l.Match[:], b[10:])
	copy(l.Keys[0][:], b[42:])
	copy(l.Keys[1][:], b[74:])
	for seat := range 2 {
		l.Score[seat] = int32(binary.BigEndian.Uint32(b[109+4*seat:]))
		l.Decisions[seat] = binary.BigEndian.Uint16(b[117+2*seat:])
		l.Late[seat] = binary.BigEndian.Uint16(b[121+2*seat:])
	}
	copy(l.Player[:], b[131:])
	copy(l.Evidence[:], b[163:])
	if l.Kind < LeafResult || l.Kind > LeafWithdrawal || l.TimeMs < 0 || l.TimeMs >= MaxTimeMs ||
		l.Winner < Nobody || l.Winner > 1 || l.End > EndClaimed || l.Rounds > WholeMatch {
		return Leaf{}, ErrLeaf
	}
	return l, nil
}

// Fold enters the next leaf into the ladder.
func (l *Ladder) Fold(leaf Leaf) error {
	if leaf.TimeMs < l.lastMs || leaf.TimeMs >= MaxTimeMs {
		return ErrTime
	}
	_, known := l.kept[leaf.Match]
	var err error
	switch leaf.Kind {
	case LeafVoid:
		if known {
			_, err = l.TakeBack(leaf.Match, leaf.TimeMs, nil)
		}
	case LeafReversal:
		if known {
			_, err = l.TakeBack(leaf.Match, leaf.TimeMs, &Correction{Winner: leaf.Winner, Early: leaf.End.Early(), Rounds: leaf.Rounds})
			break
		}
		fallthrough
	case LeafResult:
		_, err = l.Add(leaf.result())
	}
	if err == nil {
		l.advance(leaf.TimeMs)
	}
	return err
}

func (l Leaf) result() Result {
	return Result{TimeMs: l.TimeMs, Match: l.Match, Keys: l.Keys, Winner: l.Winner, Early: l.End.Early(), Rounds: l.Rounds,
		Decisions: [2]int{int(l.Decisions[0]), int(l.Decisions[1])}, Late: [2]int{int(l.Late[0]), int(l.Late[1])}}
}
