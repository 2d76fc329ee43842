//go:build !js

package rtc

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	leak "github.com/pion/transport/v5/test"

	"github.com/cleavegame/cleave/p2p/signal"
)

// tap is a wire whose messages are changed on the way out. change returns what
// is sent instead of m.
type tap struct {
	*wire
	change func(m []byte) [][]byte
}

func (p tap) Send(ctx context.Context, m []byte) error {
	for _, m := range p.change(m) {
		if err := p.wire.Send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

func keep(m []byte) [][]byte { return [][]byte{m} }

func dropCandidates(m []byte) [][]byte {
	if kind(m[0]) == candidate {
		return nil
	}
	return keep(m)
}

// both runs two peers over taps and returns how it ended for each.
func both(t *testing.T, limit time.Duration, host, joiner Config, fromHost, fromJoiner func([]byte) [][]byte) (h, j end) {
	t.Helper()
	hw, jw := newWire()
	hc := startWithin(t.Context(), limit, tap{hw, fromHost}, host)
	jc := startWithin(t.Context(), limit, tap{jw, fromJoiner}, joiner)
	h, j = <-hc, <-jc
	for _, e := range []end{h, j} {
		if e.conn != nil {
			t.Cleanup(func() { e.conn.Close() })
		}
	}
	return h, j
}

// fails fails unless e ended for the reason.
func fails(t *testing.T, who string, e end, reason signal.Failure) {
	t.Helper()
	if e.conn != nil {
		t.Errorf("%s connected; want %s", who, reason.Name())
		return
	}
	if f, ok := signal.FailureOf(e.err); !ok || f != reason {
		t.Errorf("%s: %v; want %s", who, e.err, reason.Name())
	}
}

func TestPatience(t *testing.T) {
	if Patience != 15*time.Second {
		t.Errorf("Patience is %v", Patience)
	}
	const limit = 200 * time.Millisecond
	t.Run("a silent peer has left", func(t *testing.T) {
		defer leak.CheckRoutines(t)()
		host, joiner := configs(t)
		hw, jw := newWire()
		hc := startWithin(t.Context(), limit, hw, host)
		fails(t, "host", <-hc, signal.PeerLeft)
		jc := startWithin(t.Context(), limit, tap{jw, keep}, joiner)
		fails(t, "joiner", <-jc, signal.PeerLeft)
	})
	t.Run("no address answers", func(t *testing.T) {
		defer leak.CheckRoutines(t)()
		host, joiner := configs(t)
		// Time enough for a busy machine to exchange the descriptions.
		h, j := both(t, 6*time.Second, host, joiner, dropCandidates, dropCandidates)
		fails(t, "host", h, signal.NoRoute)
		fails(t, "joiner", j, signal.NoRoute)
	})
	t.Run("a channel that takes nothing", func(t *testing.T) {
		defer leak.CheckRoutines(t)()
		_, joiner := configs(t)
		out, in := make(chan []byte), make(chan []byte)
		jc := startWithin(t.Context(), limit, &wire{out, in, make(chan struct{}), nil}, joiner)
		e := <-jc
		fails(t, "joiner", e, signal.PeerLeft)
		if e.took > limit+2*partingTime+patience/2 {
			t.Errorf("took %v", e.took)
		}
	})
}

func TestPeerVanishes(t *testing.T) {
	t.Run("before it said anything", func(t *testing.T) {
		host, _ := configs(t)
		hw, jw := newWire()
		hc := start(t.Context(), hw, host)
		jw.hangUp()
		fails(t, "host", <-hc, signal.PeerLeft)
	})
	t.Run("after the descriptions", func(t *testing.T) {
		host, joiner := configs(t)
		hw, jw := newWire()
		hc := startWithin(t.Context(), 2*patience, tap{hw, dropCandidates}, host)
		ctx, kill := context.WithCancel(t.Context())
		jc := start(ctx, tap{jw, func(m []byte) [][]byte {
			switch kind(m[0]) {
			case candidate, bye: // killed: it says no goodbye
				return nil
			case gathered:
				jw.hangUp()
			}
			return keep(m)
		}}, joiner)
		h := <-hc
		fails(t, "host", h, signal.PeerLeft)
		if h.took > patience {
			t.Errorf("took %v, as if nobody had hung up", h.took)
		}
		kill()
		<-jc
	})
	t.Run("by giving up", func(t *testing.T) {
		host, joiner := configs(t)
		hw, jw := newWire()
		hc := start(t.Context(), tap{hw, dropCandidates}, host)
		ctx, giveUp := context.WithCancel(t.Context())
		jc := start(ctx, tap{jw, func(m []byte) [][]byte {
			if kind(m[0]) == gathered {
				giveUp()
			}
			return dropCandidates(m)
		}}, joiner)
		if j := <-jc; !errors.Is(j.err, context.Canceled) {
			t.Errorf("joiner: %v", j.err)
		}
		h := <-hc
		fails(t, "host", h, signal.PeerLeft)
		if !strings.Contains(h.err.Error(), "gave up") {
			t.Errorf("host: %v; want the goodbye", h.err)
		}
	})
	t.Run("at once when its own channel is open", func(t *testing.T) {
		for range 10 {
			host, joiner := configs(t)
			hw, jw := newWire()
			hc, jc := start(t.Context(), hw, host), start(t.Context(), jw, joiner)
			var h, j end
			select {
			case h = <-hc:
				hw.hangUp()
				j = <-jc
			case j = <-jc:
				jw.hangUp()
				h = <-hc
			}
			if h.err != nil || j.err != nil {
				t.Fatalf("host: %v, joiner: %v", h.err, j.err)
			}
			h.conn.Close()
			j.conn.Close()
		}
	})
}

func TestFingerprint(t *testing.T) {
	defer leak.CheckRoutines(t)()
	t.Run("description of another certificate", func(t *testing.T) {
		host, joiner := configs(t)
		joiner.PeerBinding = certificate(t).Binding()
		h, j := both(t, Patience, host, joiner, keep, keep)
		fails(t, "joiner", j, signal.ProtocolError)
		fails(t, "host", h, signal.ProtocolError) // it is told
		if !errors.Is(j.err, errFingerprint) {
			t.Errorf("joiner: %v", j.err)
		}
	})
	t.Run("certificate of another description", func(t *testing.T) {
		host, joiner := configs(t)
		bound := certificate(t).Binding()
		joiner.PeerBinding = bound
		own := colons(host.Certificate.Binding())
		h, j := both(t, Patience, host, joiner, func(m []byte) [][]byte {
			return keep(bytes.ReplaceAll(m, []byte(own), []byte(colons(bound))))
		}, keep)
		fails(t, "joiner", j, signal.ProtocolError)
		fails(t, "host", h, signal.ProtocolError)
	})
}

func colons(sum []byte) string {
	var parts []string
	for _, b := range sum {
		parts = append(parts, strings.ToUpper(hex.EncodeToString([]byte{b})))
	}
	return strings.Join(parts, ":")
}

func TestCandidatesBeforeTheDescription(t *testing.T) {
	host, joiner := configs(t)
	reorder := func() func([]byte) [][]byte {
		var held [][]byte
		return func(m []byte) [][]byte {
			if k := kind(m[0]); k == offer || k == answer {
				held = append(held, m)
				return nil
			}
			if kind(m[0]) == gathered && held != nil {
				out := append(held, m)
				held = nil
				return out
			}
			return keep(m)
		}
	}
	h, j := both(t, patience, host, joiner, reorder(), reorder())
	if h.err != nil || j.err != nil {
		t.Fatalf("host: %v, joiner: %v", h.err, j.err)
	}
}

// Whatever nonsense the peer sends, the attempt ends with ProtocolError.
func TestNonsense(t *testing.T) {
	defer leak.CheckRoutines(t)()
	spare := certificate(t)
	sound := func(sum []byte) string {
		return "v=0\r\no=- 1 2 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\na=fingerprint:sha-256 " + colons(sum) +
			"\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\nc=IN IP4 0.0.0.0\r\n"
	}
	for _, tt := range []struct {
		name string
		send []byte
	}{
		{"nothing", []byte{}},
		{"unknown kind", []byte{9}},
		{"answer to no offer", message{kind: answer, text: sound(spare.Binding())}.encode()},
		{"offer that pion cannot read", message{kind: offer, text: "a=fingerprint:sha-256 " + colons(spare.Binding()) + "\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n"}.encode()},
		{"offer without credentials", message{kind: offer, text: sound(spare.Binding())}.encode()},
		{"candidate that is none", []byte("\x03hello")},
		{"gathered with a tail", []byte{4, 0}},
		{"bye without a reason", []byte{5}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			host, _ := configs(t)
			host.PeerBinding = spare.Binding()
			hw, jw := newWire()
			hc := start(t.Context(), hw, host)
			if err := jw.Send(t.Context(), tt.send); err != nil {
				t.Fatal(err)
			}
			fails(t, "host", <-hc, signal.ProtocolError)
			// The peer is told so.
			for {
				b, err := jw.Receive(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if m, err := parseMessage(b); err != nil || m.kind == bye {
					if err != nil || m.reason != signal.ProtocolError {
						t.Errorf("told %+v, %v", m, err)
					}
					break
				}
			}
		})
	}
}

func TestSecondOffer(t *testing.T) {
	host, joiner := configs(t)
	h, _ := both(t, Patience, host, joiner, dropCandidates, func(m []byte) [][]byte {
		if kind(m[0]) == offer {
			return [][]byte{m, m}
		}
		return dropCandidates(m)
	})
	fails(t, "host", h, signal.ProtocolError)
}

// Candidates that no version knows, and a flood of them, do no harm.
func TestOddCandidates(t *testing.T) {
	host, joiner := configs(t)
	h, j := both(t, Patience, host, joiner, keep, func(m []byte) [][]byte {
		if kind(m[0]) != offer {
			return keep(m)
		}
		out := [][]byte{
			message{kind: candidate, text: "candidate:1 1 quic 1 192.0.2.1 1 typ future"}.encode(),
			m,
			message{kind: candidate, text: "candidate:"}.encode(),
			message{kind: candidate, text: "candidate:1 1 udp 2130706431 0.0.0.0 9 typ host"}.encode(),
		}
		return out
	})
	if h.err != nil || j.err != nil {
		t.Fatalf("host: %v, joiner: %v", h.err, j.err)
	}
}

func TestCandidateFlood(t *testing.T) {
	s := &setup{}
	m := message{kind: candidate, text: "candidate:1 1 udp 1 192.0.2.1 1 typ host"}.encode()
	for range 100 * maxCandidates {
		if err := s.heard(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.pending) != maxCandidates {
		t.Errorf("%d candidates are kept, want %d", len(s.pending), maxCandidates)
	}
}

func TestRelayOnlyWithoutRelay(t *testing.T) {
	defer leak.CheckRoutines(t)()
	host, joiner := configs(t)
	joiner.RelayOnly = true
	said := 0
	h, j := both(t, Patience, host, joiner, keep, func(m []byte) [][]byte {
		if kind(m[0]) == candidate {
			said++
		}
		return keep(m)
	})
	fails(t, "joiner", j, signal.NoRoute)
	fails(t, "host", h, signal.NoRoute)
	if !strings.Contains(j.err.Error(), "no relay gave an address") {
		t.Errorf("joiner: %v; want what was missing", j.err)
	}
	if said != 0 {
		t.Errorf("%d addresses were told though relayed ones alone may be", said)
	}
}

func TestPeerBoundSomethingElse(t *testing.T) {
	host, _ := configs(t)
	host.PeerBinding = []byte("a libp2p id")
	hw, _ := newWire()
	fails(t, "host", <-start(t.Context(), hw, host), signal.ProtocolError)
}

func TestUnusableServers(t *testing.T) {
	host, _ := configs(t)
	host.Servers = []signal.ICEServer{{URLs: []string{"gopher://x"}}}
	hw, jw := newWire()
	fails(t, "host", <-start(t.Context(), hw, host), signal.WebRTCUnavailable)
	if b, err := jw.Receive(t.Context()); err != nil || !bytes.Equal(b, []byte{5, byte(signal.WebRTCUnavailable)}) {
		t.Errorf("the peer was told %x, %v", b, err)
	}
}
