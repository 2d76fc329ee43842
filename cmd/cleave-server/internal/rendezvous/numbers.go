package rendezvous

import (
	"crypto/rand"
	"math/big"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

const (
	// rememberFor is how long used and expired codes differ from those that
	// never were.
	rememberFor = time.Hour
	// restFor is how long a number is not given again: a friend who types
	// yesterday's code must not meet a stranger.
	restFor = 24 * time.Hour
	// spread is how many numbers there are for each open mailbox: a guessed
	// number seldom hits one.
	spread = 100
	// restingLimit bounds the memory of numbers.
	restingLimit = 500_000
)

// past is what became of a code.
type past struct {
	at  time.Time
	why signal.Failure // CodeUsed or CodeExpired
}

// numbers draws the numbers of codes, and knows which are open.
type numbers struct {
	open    map[uint32]*mailbox
	byName  map[signal.Mailbox]*mailbox
	resting map[uint32]past
	names   map[signal.Mailbox]past
}

func newNumbers() numbers {
	return numbers{map[uint32]*mailbox{}, map[signal.Mailbox]*mailbox{}, map[uint32]past{}, map[signal.Mailbox]past{}}
}

// assign gives the mailbox a number and a name; false if none is free.
func (n *numbers) assign(b *mailbox) bool {
	if len(n.resting) >= restingLimit {
		return false
	}
	top := int64(spread * (len(n.open) + 1))
	for try := 1; ; try++ {
		k := uint32(random(top)) + 1
		_, resting := n.resting[k]
		if n.open[k] == nil && !resting {
			b.number = k
			break
		}
		if try%8 == 0 {
			// Most numbers of this length are resting: draw longer ones.
			top *= 2
		}
	}
	rand.Read(b.name[:])
	n.open[b.number], n.byName[b.name] = b, b
	return true
}

// random returns a number from 0 to below top.
func random(top int64) int64 {
	k, err := rand.Int(rand.Reader, big.NewInt(top))
	if err != nil {
		panic("rendezvous: " + err.Error())
	}
	return k.Int64()
}

// retire ends the mailbox's code.
func (n *numbers) retire(now time.Time, b *mailbox, why signal.Failure) {
	if b.number == 0 {
		return
	}
	delete(n.open, b.number)
	delete(n.byName, b.name)
	n.resting[b.number] = past{now, why}
	n.names[b.name] = past{now, why}
	b.number, b.name = 0, signal.Mailbox{}
}

// find returns the mailbox of a number, or the name's if number is 0.
func (n *numbers) find(now time.Time, number uint32, name signal.Mailbox) (*mailbox, signal.Failure) {
	b, p := n.open[number], n.resting[number]
	if number == 0 {
		b, p = n.byName[name], n.names[name]
	}
	switch {
	case b != nil:
		return b, 0
	case p.why != 0 && now.Sub(p.at) < rememberFor:
		return nil, p.why
	}
	return nil, signal.NoSuchCode
}

func (n *numbers) sweep(now time.Time) {
	for k, p := range n.resting {
		if now.Sub(p.at) >= restFor {
			delete(n.resting, k)
		}
	}
	for k, p := range n.names {
		if now.Sub(p.at) >= rememberFor {
			delete(n.names, k)
		}
	}
}
