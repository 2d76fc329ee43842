package signal

import (
	"context"
	"crypto/ed25519"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A pipe is one end of Messages in memory.
type pipe struct {
	in, out chan []byte
	done    chan struct{} // closed when either end hung up
	hang    func()
	// alter sees each message on its way out and gives what is sent instead;
	// nil drops it.
	alter func(n int, message []byte) []byte
	sent  int
}

var errHungUp = errors.New("hung up")

func newPipes() (host, guest *pipe) {
	a, b, done := make(chan []byte, 64), make(chan []byte, 64), make(chan struct{})
	var hung bool
	hang := func() {
		if !hung {
			hung = true
			close(done)
		}
	}
	return &pipe{in: a, out: b, done: done, hang: hang}, &pipe{in: b, out: a, done: done, hang: hang}
}

func (p *pipe) Send(ctx context.Context, message []byte) error {
	n := p.sent
	p.sent++
	if p.alter != nil {
		if message = p.alter(n, message); message == nil {
			return nil
		}
	}
	select {
	case <-p.done:
		return errHungUp
	default:
	}
	select {
	case p.out <- append([]byte(nil), message...):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *pipe) Receive(ctx context.Context) ([]byte, error) {
	select {
	case m := <-p.in:
		return m, nil
	default:
	}
	select {
	case m := <-p.in:
		return m, nil
	case <-p.done:
		return nil, errHungUp
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func identity(name byte) (key [32]byte, sign func([]byte) [64]byte) {
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = name
	private := ed25519.NewKeyFromSeed(seed)
	return [32]byte(private.Public().(ed25519.PublicKey)), func(m []byte) [64]byte {
		return [64]byte(ed25519.Sign(private, m))
	}
}

func configs(secret string) (host, guest PairConfig) {
	host = PairConfig{Role: Host, Secret: secret, Context: "mailbox", Binding: []byte("host's fingerprint")}
	host.Key, host.Sign = identity(1)
	guest = PairConfig{Role: Guest, Secret: secret, Context: "mailbox", Binding: []byte("guest's fingerprint")}
	guest.Key, guest.Sign = identity(2)
	return host, guest
}

type paired struct {
	channel *Channel
	err     error
	took    time.Duration
}

// pairBoth runs both ends to their end. Each hangs up when it has failed, as
// every caller of Pair does.
func pairBoth(ctx context.Context, a, b *pipe, host, guest PairConfig) (h, g paired) {
	done := make(chan struct{})
	begun := time.Now()
	go func() {
		defer close(done)
		g.channel, g.err = Pair(ctx, b, guest)
		g.took = time.Since(begun)
		if g.err != nil {
			b.hang()
		}
	}()
	h.channel, h.err = Pair(ctx, a, host)
	h.took = time.Since(begun)
	if h.err != nil {
		a.hang()
	}
	<-done
	return h, g
}

func TestPairMakesOneChannel(t *testing.T) {
	for _, secret := range []string{"maple-orbit", ""} {
		a, b := newPipes()
		hc, gc := configs(secret)
		h, g := pairBoth(t.Context(), a, b, hc, gc)
		if h.err != nil || g.err != nil {
			t.Fatalf("secret %q: host %v, guest %v", secret, h.err, g.err)
		}
		if h.channel.Peer() != gc.Key || g.channel.Peer() != hc.Key {
			t.Error("a channel names the wrong player")
		}
		if string(h.channel.PeerBinding()) != string(gc.Binding) || string(g.channel.PeerBinding()) != string(hc.Binding) {
			t.Error("a channel names the wrong binding")
		}
		if h.channel.Session() != g.channel.Session() {
			t.Error("the session secrets differ")
		}
		for i, text := range []string{"offer", "candidate", "name"} {
			for _, way := range []struct{ from, to *Channel }{{h.channel, g.channel}, {g.channel, h.channel}} {
				if err := way.from.Send(t.Context(), []byte(text)); err != nil {
					t.Fatal(err)
				}
				if got, err := way.to.Receive(t.Context()); err != nil || string(got) != text {
					t.Errorf("message %d: %q, %v", i, got, err)
				}
			}
		}
	}
}

var _ = synctest.Test
