//go:build !js

package rtc

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pion/webrtc/v4"

	"github.com/cleavegame/cleave/p2p"
)

// What the wire may not carry ends the connection, and nothing of it is received.
func TestRuleBreakers(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(*Conn) error
	}{
		{"text", func(c *Conn) error { return c.link.channel.SendText("hello") }},
		{"long", func(c *Conn) error { return c.link.channel.Send(make([]byte, p2p.MaxFrame+1)) }},
		{"longest", func(c *Conn) error { return c.link.channel.Send(make([]byte, sctpMessage)) }},
		{"second channel", func(c *Conn) error {
			_, err := c.link.pc.CreateDataChannel("more", nil)
			return err
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			host, joiner := configs(t)
			a, b := connect(t, host, joiner)
			if err := tt.do(a); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			if f, err := b.Receive(ctx); !errors.Is(err, p2p.ErrClosed) {
				t.Errorf("received %d bytes, %v; want ErrClosed", len(f), err)
			}
		})
	}
}

// Close says goodbye after everything else, and a goodbye ends the other side.
func TestGoodbye(t *testing.T) {
	host, joiner := configs(t)
	a, b := connect(t, host, joiner)
	heard := make(chan int, 10)
	b.link.channel.OnMessage(func(m webrtc.DataChannelMessage) {
		heard <- len(m.Data)
		b.link.message(m)
	})
	if err := a.Send(make([]byte, 7)); err != nil {
		t.Fatal(err)
	}
	a.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if f, err := b.Receive(ctx); len(f) != 7 || err != nil {
		t.Errorf("%d bytes, %v", len(f), err)
	}
	if _, err := b.Receive(ctx); !errors.Is(err, p2p.ErrClosed) {
		t.Errorf("then %v", err)
	}
	if first, second := <-heard, <-heard; first != 7 || second != 0 {
		t.Errorf("messages of %d and %d bytes; want 7, and the goodbye of 0", first, second)
	}
}

// A peer that died without a word: Close of the other returns all the same, and
// in its time.
func TestCloseWithDeadPeer(t *testing.T) {
	host, joiner := configs(t)
	a, b := connect(t, host, joiner)
	// Its sockets vanish, and with them every answer.
	b.link.pc.SCTP().Transport().ICETransport().Stop()
	began := time.Now()
	a.Close()
	t.Logf("closed after %v", time.Since(began))
	if err := a.Send([]byte{1}); !errors.Is(err, p2p.ErrClosed) {
		t.Errorf("Send: %v", err)
	}
}

// A peer whose ICE says "failed" is gone: nobody waits for it for ever.
func TestFailedPathEnds(t *testing.T) {
	host, joiner := configs(t)
	a, b := connect(t, host, joiner)
	b.link.pc.SCTP().Transport().ICETransport().Stop()
	a.link.changed(webrtc.PeerConnectionStateFailed) // 30 s early
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := a.Receive(ctx); !errors.Is(err, p2p.ErrClosed) {
		t.Errorf("Receive: %v", err)
	}
	<-a.gone
}
