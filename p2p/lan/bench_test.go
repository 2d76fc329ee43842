//go:build !js

package lan

import (
	"context"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p"
)

// quantiles reports the median and the 99th percentile of ds.
func quantiles(b *testing.B, ds []time.Duration) {
	slices.Sort(ds)
	b.ReportMetric(0, "ns/op") // says nothing here
	b.ReportMetric(float64(ds[len(ds)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(ds[len(ds)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkAnnouncedToSeen is from Announce in one program to the room's sight
// in another that was browsing already.
func BenchmarkAnnouncedToSeen(b *testing.B) {
	var took []time.Duration
	for b.Loop() {
		h, g := node(b, "host", Options{}), node(b, "guest", Options{})
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		go h.Run(ctx)
		found := make(chan error)
		go func() {
			_, err := g.Find(ctx, func(r p2p.Room) bool { return r.Instance == h.Instance() })
			found <- err
		}()
		time.Sleep(50 * time.Millisecond) // both are at it
		start := time.Now()
		announce(b, h, RoomInfo{})
		if err := <-found; err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
		cancel()
		h.Close()
		g.Close()
	}
	quantiles(b, took)
}

// BenchmarkLookedToSeen is from the beginning of a browse to the sight of a
// room that was announced before.
func BenchmarkLookedToSeen(b *testing.B) {
	h := host(b, "host", Options{}, RoomInfo{})
	background(b, h)
	g := node(b, "guest", Options{})
	find := func() {
		if _, err := g.Find(wait(b), func(r p2p.Room) bool { return r.Instance == h.Instance() }); err != nil {
			b.Fatal(err)
		}
	}
	find()
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		find()
		took = append(took, time.Since(start))
	}
	quantiles(b, took)
}

// BenchmarkSeenToConnected is from a room in hand to a Conn in hand, pairing
// included.
func BenchmarkSeenToConnected(b *testing.B) {
	for _, way := range []carriage{overQUIC, overTCP} {
		for _, password := range []string{"", "password"} {
			name := string(way)
			if password != "" {
				name += "-password"
			}
			b.Run(name, func(b *testing.B) {
				h := host(b, "host", Options{}, RoomInfo{Password: password})
				g := node(b, "guest", Options{only: way})
				room := at(h)
				room.Key, room.Instance = player("host").Key, h.Instance()
				var took []time.Duration
				for b.Loop() {
					start := time.Now()
					c, err := g.Dial(wait(b), room, Pass{Password: password})
					if err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(start))
					there, err := h.Accept(wait(b))
					if err != nil {
						b.Fatal(err)
					}
					c.Close()
					there.Close()
				}
				quantiles(b, took)
			})
		}
	}
}

// BenchmarkRoundTrip sends frames of 200 bytes there and back: over a Conn,
// and as the baseline over a bare stream of the same transport.
func BenchmarkRoundTrip(b *testing.B) {
	for _, way := range []carriage{overQUIC, overTCP} {
		b.Run(string(way)+"/conn", func(b *testing.B) {
			h := host(b, "host", Options{}, RoomInfo{})
			here, there := join(b, node(b, "guest", Options{only: way}), h, at(h), Pass{})
			go func() {
				for {
					f, err := there.Receive(context.Background())
					if err != nil {
						return
					}
					there.Send(f)
				}
			}()
			frame := make([]byte, 200)
			roundTrips(b, func() error {
				if err := here.Send(frame); err != nil {
					return err
				}
				_, err := here.Receive(context.Background())
				return err
			})
		})
		b.Run(string(way)+"/bare", func(b *testing.B) {
			listening, dialling := bare(b), bare(b)
			e, err := listening.listen(0)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(e.close)
			for _, l := range e.listeners {
				go func() {
					for {
						link, err := l.Accept()
						if err != nil {
							return
						}
						if s, err := link.AcceptStream(); err == nil {
							go io.Copy(s, s)
						}
					}
				}()
			}
			to, err := resolve(wait(b), at(&Node{ear: e}).Addrs)
			if err != nil {
				b.Fatal(err)
			}
			link, err := dialling.by(way).Dial(wait(b), way.multiaddr(to[0]), listening.self)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { link.Close() })
			s, err := link.OpenStream(wait(b))
			if err != nil {
				b.Fatal(err)
			}
			frame := make([]byte, 200)
			roundTrips(b, func() error {
				if _, err := s.Write(frame); err != nil {
					return err
				}
				_, err := io.ReadFull(s, frame)
				return err
			})
		})
	}
}

func bare(b *testing.B) *carriers {
	c, err := newCarriers()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.close)
	return c
}

func roundTrips(b *testing.B, once func() error) {
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		if err := once(); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	quantiles(b, took)
}
