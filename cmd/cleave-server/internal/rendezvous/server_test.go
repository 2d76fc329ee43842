package rendezvous

import (
	"testing"

	"github.com/cleavegame/cleave/p2p/signal"
)

const (
	atHome  = "192.0.2.1:1000"
	away    = "198.51.100.7:2000"
	another = "203.0.113.9:3000"
)

// pairUp lets a host and a guest pair over their visits.
func pairUp(t *testing.T, host, guest *signal.Visit, hostSecret, guestSecret string) (h, g *signal.Channel, hostErr, guestErr error) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		g, guestErr = signal.Pair(t.Context(), guest, playerOf(2).config(signal.Guest, guest, guestSecret))
		if guestErr != nil {
			guest.Close()
		}
	}()
	h, hostErr = signal.Pair(t.Context(), host, playerOf(1).config(signal.Host, host, hostSecret))
	if hostErr != nil {
		host.Close()
	}
	<-done
	return h, g, hostErr, guestErr
}

func TestCodeAndLinkLeadToAChannel(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		for _, byLink := range []bool{false, true} {
			guest := w.dial(away)
			invited := asTyped(code)
			if byLink {
				var err error
				if invited, err = signal.ParseCode("come and play: " + code.Link()); err != nil {
					t.Fatal(err)
				}
			}
			g, err := guest.Join(t.Context(), invited)
			if err != nil {
				t.Fatal(err)
			}
			h, err := hosting.Visitor(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			hc, gc, hostErr, guestErr := pairUp(t, h, g, code.Secret(), invited.Secret())
			if hostErr != nil || guestErr != nil {
				t.Fatalf("host %v, guest %v", hostErr, guestErr)
			}
			if hc.Session() != gc.Session() || hc.Peer() != playerOf(2).key {
				t.Error("the channels do not belong together")
			}
			if err := hc.Send(t.Context(), []byte("offer")); err != nil {
				t.Fatal(err)
			}
			if m, err := gc.Receive(t.Context()); err != nil || string(m) != "offer" {
				t.Errorf("received %q, %v", m, err)
			}
			guest.Close()
			if code, err = hosting.Renew(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}
