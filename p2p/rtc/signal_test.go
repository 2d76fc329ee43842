package rtc

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"sync"
	"testing"

	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/signal"
)

var _ Channel = (*signal.Channel)(nil)

// The whole way of two peers with a code: certificate, pairing, connection. What
// each pairing proved is what each connection says.
func TestPairThenConnect(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	hw, jw := newWire()
	var conns [2]*Conn
	var keys [2][32]byte
	var errs [2]error
	var both sync.WaitGroup
	for i, w := range []*wire{hw, jw} {
		private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{byte(i + 1)}, 32))
		keys[i] = [32]byte(private.Public().(ed25519.PublicKey))
		both.Go(func() {
			conns[i], errs[i] = pairAndConnect(ctx, w, signal.PairConfig{
				Role: signal.Host + signal.Role(i), Key: keys[i],
				Sign:   func(m []byte) [64]byte { return [64]byte(ed25519.Sign(private, m)) },
				Secret: "maple-orbit", Context: "7",
			})
		})
	}
	both.Wait()
	if errs[0] != nil || errs[1] != nil {
		t.Fatal(errs)
	}
	infos := [2]p2p.Info{conns[0].Info(), conns[1].Info()}
	if infos[0].Peer != keys[1] || infos[1].Peer != keys[0] || infos[0].Session != infos[1].Session {
		t.Errorf("%+v\n%+v", infos[0], infos[1])
	}
	if err := conns[0].Send([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	if f, err := conns[1].Receive(ctx); string(f) != "hello" || err != nil {
		t.Errorf("%q, %v", f, err)
	}
	conns[0].Close()
	conns[1].Close()
}

// pairAndConnect is what a program does that has reached the other's mailbox.
func pairAndConnect(ctx context.Context, m signal.Messages, pairing signal.PairConfig) (*Conn, error) {
	certificate, err := NewCertificate()
	if err != nil {
		return nil, err
	}
	pairing.Binding = certificate.Binding()
	channel, err := signal.Pair(ctx, m, pairing)
	if err != nil {
		return nil, err
	}
	return Connect(ctx, channel, Config{
		Certificate: certificate, PeerBinding: channel.PeerBinding(), Offerer: channel.Role() == signal.Guest,
		Peer: channel.Peer(), Session: channel.Session(), Loopback: true,
	})
}
