package relay

import (
	"testing"
	"time"
)

// There and back with 200 bytes through the relay, over UDP and over TCP.
func BenchmarkRelayedRoundTrip(b *testing.B) {
	for _, transport := range []string{"udp", "tcp"} {
		b.Run(transport, func(b *testing.B) {
			l := standard
			l.rate, l.burst = 1<<30, 1<<30
			s := serve(b, l)
			now := time.Now()
			conns, errs, _ := meet(b, paired(b, over(transport, s.Credentials("host", now)), over(transport, s.Credentials("guest", now))))
			if errs[0] != nil || errs[1] != nil {
				b.Fatal(errs)
			}
			ctx := b.Context()
			go func() {
				for {
					f, err := conns[1].Receive(ctx)
					if err != nil || conns[1].Send(f) != nil {
						return
					}
				}
			}()
			frame := make([]byte, 200)
			for b.Loop() {
				if err := conns[0].Send(frame); err != nil {
					b.Fatal(err)
				}
				if _, err := conns[0].Receive(ctx); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
