package ranking

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"

	"github.com/cleavegame/cleave/lockstep/record"
)

// WorkBits is how many leading zero bits the proof of work for a key's first
// ticket has: about a million hashes, a fraction of a second for one player
// and dear for who wants a thousand keys.
const WorkBits = 20

// MaxWork bounds a proof, so that it is a whole number in every JSON reader.
const MaxWork = 1 << 53

func workMessage(server, player record.Key) []byte {
	b := append([]byte("cleave/work/1"), server[:]...)
	b = append(b, player[:]...)
	return append(b, make([]byte, 8)...)
}

// CheckWork reports whether SHA-256("cleave/work/1" || server key || player
// key || proof as 8 big-endian bytes) begins with so many zero bits.
func CheckWork(server, player record.Key, proof uint64, zeroBits int) bool {
	if proof >= MaxWork {
		return false
	}
	b := workMessage(server, player)
	binary.BigEndian.PutUint64(b[len(b)-8:], proof)
	return leadingZeros(sha256.Sum256(b)) >= zeroBits
}

// Work finds a proof. It asks stop every few thousand hashes whether to give
// up, and says whether it found one.
func Work(server, player record.Key, zeroBits int, stop func() bool) (proof uint64, ok bool) {
	b := workMessage(server, player)
	for ; proof < MaxWork; proof++ {
		if proof%4096 == 0 && stop() {
			return 0, false
		}
		binary.BigEndian.PutUint64(b[len(b)-8:], proof)
		if leadingZeros(sha256.Sum256(b)) >= zeroBits {
			return proof, true
		}
	}
	return 0, false
}

func leadingZeros(hash [32]byte) int {
	n := 0
	for _, b := range hash {
		n += bits.LeadingZeros8(b)
		if b != 0 {
			break
		}
	}
	return n
}
