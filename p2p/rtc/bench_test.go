//go:build !js

package rtc

import (
	"context"
	"sync"
	"testing"

	"github.com/pion/webrtc/v4"
)

// From the sealed channel to an open data channel at both ends, on loopback.
func BenchmarkConnect(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		host, joiner := configs(b)
		hw, jw := newWire()
		b.StartTimer()
		hc, jc := start(context.Background(), hw, host), start(context.Background(), jw, joiner)
		h, j := <-hc, <-jc
		b.StopTimer()
		if h.err != nil || j.err != nil {
			b.Fatalf("host: %v, joiner: %v", h.err, j.err)
		}
		h.conn.Close()
		j.conn.Close()
		b.StartTimer()
	}
}

func BenchmarkCertificate(b *testing.B) {
	for b.Loop() {
		if _, err := NewCertificate(); err != nil {
			b.Fatal(err)
		}
	}
}

// There and back with 200 bytes, over a Conn and over a data channel of pion's
// as it comes.
func BenchmarkRoundTrip(b *testing.B) {
	frame := make([]byte, 200)
	b.Run("Conn", func(b *testing.B) {
		host, joiner := configs(b)
		here, there := connect(b, host, joiner)
		ctx := b.Context()
		go func() {
			for {
				f, err := there.Receive(ctx)
				if err != nil || there.Send(f) != nil {
					return
				}
			}
		}()
		for b.Loop() {
			if err := here.Send(frame); err != nil {
				b.Fatal(err)
			}
			if _, err := here.Receive(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		here, there := bare(b)
		back := make(chan struct{}, 1)
		there.OnMessage(func(m webrtc.DataChannelMessage) { there.Send(m.Data) })
		here.OnMessage(func(webrtc.DataChannelMessage) { back <- struct{}{} })
		for b.Loop() {
			if err := here.Send(frame); err != nil {
				b.Fatal(err)
			}
			<-back
		}
	})
}

// bare is a pair of pion's data channels with nothing around them.
func bare(b *testing.B) (here, there *webrtc.DataChannel) {
	b.Helper()
	var e webrtc.SettingEngine
	e.SetIncludeLoopbackCandidate(true)
	api := webrtc.NewAPI(webrtc.WithSettingEngine(e))
	var pcs [2]*webrtc.PeerConnection
	var channels [2]*webrtc.DataChannel
	var open sync.WaitGroup
	negotiated, id := true, uint16(0)
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	for i := range pcs {
		var err error
		pcs[i], err = api.NewPeerConnection(webrtc.Configuration{})
		must(err)
		b.Cleanup(func() { pcs[i].Close() })
		channels[i], err = pcs[i].CreateDataChannel("bare", &webrtc.DataChannelInit{Negotiated: &negotiated, ID: &id})
		must(err)
		open.Add(1)
		channels[i].OnOpen(open.Done)
	}
	described := func(pc *webrtc.PeerConnection, d webrtc.SessionDescription, err error) webrtc.SessionDescription {
		must(err)
		all := webrtc.GatheringCompletePromise(pc)
		must(pc.SetLocalDescription(d))
		<-all
		return *pc.LocalDescription()
	}
	o, err := pcs[0].CreateOffer(nil)
	must(pcs[1].SetRemoteDescription(described(pcs[0], o, err)))
	a, err := pcs[1].CreateAnswer(nil)
	must(pcs[0].SetRemoteDescription(described(pcs[1], a, err)))
	open.Wait()
	return channels[0], channels[1]
}
