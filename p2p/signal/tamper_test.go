package signal

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A tamperer carries the messages of two pairings at once, and loses, repeats,
// reorders, damages and exchanges them as a hostile server may.
type tamperer struct {
	mu   sync.Mutex
	r    *rand.Rand
	seen [][]byte // in this trial and those before
	rate int      // one message in so many is tampered with
}

// tamper gives what is sent in the place of a message, in order.
func (x *tamperer) tamper(message []byte) [][]byte {
	x.mu.Lock()
	defer x.mu.Unlock()
	message = append([]byte(nil), message...)
	x.seen = append(x.seen, message)
	if x.r.IntN(x.rate) != 0 {
		return [][]byte{message}
	}
	other := x.seen[x.r.IntN(len(x.seen))]
	switch x.r.IntN(9) {
	case 0:
		return nil
	case 1:
		return [][]byte{message, message}
	case 2:
		damaged := append([]byte(nil), message...)
		damaged[x.r.IntN(len(damaged))] ^= 1 << x.r.IntN(8)
		return [][]byte{damaged}
	case 3:
		return [][]byte{message[:x.r.IntN(len(message))]}
	case 4:
		return [][]byte{append(append([]byte(nil), message...), 0)}
	case 5:
		return [][]byte{other}
	case 6:
		return [][]byte{other, message}
	case 7:
		return [][]byte{message, other}
	}
	return [][]byte{appendRefusal(nil, Failure(x.r.IntN(40)))}
}

// through makes p's messages pass the tamperer; some of them go to another
// pipe than p's, and some a second later.
func (x *tamperer) through(p *pipe, elsewhere *pipe) {
	p.alter = func(_ int, message []byte) []byte {
		for _, m := range x.tamper(message) {
			x.mu.Lock()
			to, late := p.out, x.r.IntN(4*x.rate) == 0
			if x.r.IntN(4*x.rate) == 0 {
				to = elsewhere.out
			}
			x.mu.Unlock()
			put := func() {
				select {
				case to <- m:
				default:
				}
			}
			if late {
				time.AfterFunc(time.Second, put)
			} else {
				put()
			}
		}
		return nil
	}
}

// Whatever the carrier does to the messages, whoever comes to a channel has it
// with the one who was to be at its other end, and everybody comes to an end.
func TestATamperingCarrier(t *testing.T) {
	x := &tamperer{r: rand.New(rand.NewPCG(11, 12))}
	open, failed := 0, map[Failure]int{}
	for trial := range 400 {
		x.rate = 2 + trial%12
		secret := []string{"", "maple-orbit"}[trial%2]
		synctest.Test(t, func(t *testing.T) {
			var pipes [4]*pipe
			var c [4]PairConfig
			for i := 0; i < 4; i += 2 {
				pipes[i], pipes[i+1] = newPipes()
				c[i], c[i+1] = configs(secret)
				for j := i; j < i+2; j++ {
					c[j].Context = fmt.Sprint("mailbox ", i)
					c[j].Key, c[j].Sign = identity(byte(10 + j))
					c[j].Binding = fmt.Append(nil, "binding ", j)
				}
			}
			for i := range pipes {
				x.through(pipes[i], pipes[(i+2)%4])
			}
			var got [4]paired
			var both sync.WaitGroup
			for i := 0; i < 4; i += 2 {
				both.Go(func() { got[i], got[i+1] = pairBoth(t.Context(), pipes[i], pipes[i+1], c[i], c[i+1]) })
			}
			both.Wait()
			for i, g := range got {
				to := i ^ 1
				if g.took > 20*time.Second {
					t.Errorf("trial %d: %d took %v", trial, i, g.took)
				}
				if g.err != nil {
					f, ok := FailureOf(g.err)
					if !ok || g.channel != nil {
						t.Errorf("trial %d: %d: %v", trial, i, g.err)
					}
					failed[f]++
					continue
				}
				open++
				if g.channel.Peer() != c[to].Key || string(g.channel.PeerBinding()) != string(c[to].Binding) {
					t.Errorf("trial %d: %d is paired with somebody else", trial, i)
				}
				if o := got[to]; o.err == nil && o.channel.Session() != g.channel.Session() {
					t.Errorf("trial %d: the two ends have two secrets", trial)
				}
			}
			time.Sleep(2 * time.Second) // what is late
		})
	}
	if open < 100 || len(failed) < 4 {
		t.Errorf("%d channels, failures %v: the tamperer does too much, or too little", open, failed)
	}
	t.Log(open, failed)
}
