package memnet

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/conntest"
)

var key0, key1 = [32]byte{1}, [32]byte{2}

func TestConformance(t *testing.T) {
	for _, tt := range []struct {
		name string
		cond Conditions
	}{
		{"perfect", Conditions{}},
		{"slow", Conditions{Delay: 2 * time.Millisecond, Jitter: 3 * time.Millisecond}},
		{"repeats and reorders", Conditions{Delay: time.Millisecond, Duplicate: 300, Reorder: 300, Hold: 4 * time.Millisecond}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conntest.Run(t, func(t *testing.T) (a, b p2p.Conn) {
				return NewLink(1, tt.cond).Pair(key0, key1)
			})
		})
	}
}

// run sends n numbered frames a millisecond apart and returns what arrived
// within a minute, with the times in ms.
func run(t *testing.T, seed uint64, c Conditions, n int) (numbers []uint32, ms []int64) {
	a, b := NewLink(seed, c).Pair(key0, key1)
	start := time.Now()
	go func() {
		for i := range n {
			if err := a.Send(binary.BigEndian.AppendUint32(nil, uint32(i))); err != nil {
				t.Errorf("Send: %v", err)
			}
			time.Sleep(time.Millisecond)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		f, err := b.Receive(ctx)
		if err != nil {
			return numbers, ms
		}
		numbers = append(numbers, binary.BigEndian.Uint32(f))
		ms = append(ms, time.Since(start).Milliseconds())
	}
}

func TestFaultsFollowFromTheSeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 2000
		c := Conditions{Delay: 30 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 100, Duplicate: 50, Reorder: 20}
		got, ms := run(t, 7, c, n)
		again, ms2 := run(t, 7, c, n)
		other, _ := run(t, 8, c, n)
		if !equal(got, again) || !equal(ms, ms2) {
			t.Error("the same seed gave two different runs")
		}
		if equal(got, other) {
			t.Error("another seed gave the same run")
		}
		seen, back := make(map[uint32]int), 0
		for i, x := range got {
			seen[x]++
			if i > 0 && x < got[i-1] {
				back++
			}
			if early := ms[i] - int64(x); early < 30 {
				t.Fatalf("frame %d took %d ms, want 30 or more", x, early)
			}
		}
		// Expected 200 lost and 90 repeated; the seed is fixed.
		if lost := n - len(seen); lost < 150 || lost > 250 {
			t.Errorf("%d of %d frames lost, want about 200", lost, n)
		}
		if twice := len(got) - len(seen); twice < 60 || twice > 120 {
			t.Errorf("%d frames repeated, want about 90", twice)
		}
		if back == 0 {
			t.Error("no frame was overtaken")
		}
	})
}

func TestJitterKeepsTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, _ := run(t, 3, Conditions{Delay: 5 * time.Millisecond, Jitter: 50 * time.Millisecond}, 500)
		for i, x := range got {
			if x != uint32(i) {
				t.Fatalf("frame %d came as number %d", x, i)
			}
		}
		if len(got) != 500 {
			t.Errorf("%d of 500 frames came", len(got))
		}
	})
}

func equal[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestCutSwallowsAndHealDoesNotBringBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLink(1, Conditions{Delay: 10 * time.Millisecond})
		a, b := l.Pair(key0, key1)
		send := func(s string) {
			if err := a.Send([]byte(s)); err != nil {
				t.Fatalf("Send: %v", err)
			}
		}
		send("under way when it is cut")
		time.Sleep(5 * time.Millisecond)
		l.Cut()
		send("sent into the cut")
		time.Sleep(time.Second)
		l.Heal()
		send("after")
		f, err := b.Receive(t.Context())
		if string(f) != "after" || err != nil {
			t.Errorf("received %q, %v", f, err)
		}

		// A close into a cut is not heard of, but the next frame is
		// answered.
		l.Cut()
		b.Close()
		l.Heal()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if _, err := a.Receive(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Receive after a close nobody heard: %v", err)
		}
		if err := a.Send([]byte("anybody?")); !errors.Is(err, p2p.ErrClosed) {
			t.Errorf("Send to a closed end: %v", err)
		}
		if _, err := a.Receive(t.Context()); !errors.Is(err, p2p.ErrClosed) {
			t.Errorf("Receive after that: %v", err)
		}
	})
}

func TestCloseArrivesAfterTheFramesBeforeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := NewLink(1, Conditions{Delay: time.Second, Reorder: 1000, Hold: time.Minute}).Pair(key0, key1)
		for i := range 20 {
			if err := a.Send([]byte{byte(i)}); err != nil {
				t.Fatal(err)
			}
		}
		a.Close()
		var sum int
		for range 20 {
			f, err := b.Receive(t.Context())
			if err != nil {
				t.Fatalf("Receive: %v", err)
			}
			sum += int(f[0])
		}
		if sum != 190 {
			t.Errorf("received other frames than were sent (sum %d)", sum)
		}
		if _, err := b.Receive(t.Context()); !errors.Is(err, p2p.ErrClosed) {
			t.Errorf("Receive: %v", err)
		}
	})
}

func TestMeet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLink(1, Conditions{})
		l.Cut()
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := l.Meet(short, 0, [32]byte{9}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Meet alone: %v", err)
		}
		got := make(chan p2p.Conn)
		for end, key := range [][32]byte{key0, key1} {
			go func() {
				c, err := l.Meet(t.Context(), end, key)
				if err != nil {
					t.Errorf("Meet: %v", err)
				}
				got <- c
			}()
		}
		synctest.Wait()
		select {
		case <-got:
			t.Fatal("met over a cut link")
		default:
		}
		l.Heal()
		a, b := <-got, <-got
		if a.Info().Peer == b.Info().Peer || a.Info().Peer == [32]byte{9} || a.Info().Session != b.Info().Session {
			t.Errorf("met %+v and %+v", a.Info(), b.Info())
		}
		c, _ := l.Pair(key0, key1)
		if c.Info().Session == a.Info().Session {
			t.Error("two pipes have one session secret")
		}
	})
}
