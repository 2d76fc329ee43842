package relay

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/conntest"
	"github.com/cleavegame/cleave/p2p/rtc"
	"github.com/cleavegame/cleave/p2p/signal"
)

// chat is the channel between two peers that have paired. It remembers what was
// said.
type chat struct {
	out  chan<- []byte
	in   <-chan []byte
	mu   *sync.Mutex
	said *[]string
}

func newChat() (a, b chat) {
	ab, ba := make(chan []byte, 1000), make(chan []byte, 1000)
	mu, said := new(sync.Mutex), new([]string)
	return chat{ab, ba, mu, said}, chat{ba, ab, mu, said}
}

func (c chat) Send(_ context.Context, m []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	*c.said = append(*c.said, string(m))
	c.out <- append([]byte(nil), m...)
	return nil
}

func (c chat) Receive(ctx context.Context) ([]byte, error) {
	select {
	case m := <-c.in:
		return m, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// paired are two peers' configurations, the host's first, relayed paths alone.
func paired(t testing.TB, servers ...signal.ICEServer) (cfg [2]rtc.Config) {
	t.Helper()
	for i := range cfg {
		c, err := rtc.NewCertificate()
		if err != nil {
			t.Fatal(err)
		}
		cfg[i] = rtc.Config{
			Certificate: c, Offerer: i == 1, Peer: [32]byte{byte(2 - i)}, Session: [32]byte{9},
			Servers: servers[i : i+1], RelayOnly: true, Loopback: true,
		}
	}
	cfg[0].PeerBinding, cfg[1].PeerBinding = cfg[1].Certificate.Binding(), cfg[0].Certificate.Binding()
	return cfg
}

// meet connects them. The errors are those of host and joiner.
func meet(t testing.TB, cfg [2]rtc.Config) (conns [2]*rtc.Conn, errs [2]error, said []string) {
	t.Helper()
	a, b := newChat()
	var both sync.WaitGroup
	for i, c := range []chat{a, b} {
		both.Go(func() { conns[i], errs[i] = rtc.Connect(context.Background(), c, cfg[i]) })
	}
	both.Wait()
	for _, c := range conns {
		if c != nil {
			t.Cleanup(func() { c.Close() })
		}
	}
	return conns, errs, *a.said
}

// over keeps the URLs with that transport.
func over(transport string, s signal.ICEServer) signal.ICEServer {
	var urls []string
	for _, u := range s.URLs {
		if strings.HasSuffix(u, transport) {
			urls = append(urls, u)
		}
	}
	s.URLs = urls
	return s
}

func TestRelayedPair(t *testing.T) {
	for _, transport := range []string{"", "udp", "tcp"} {
		t.Run("over "+transport, func(t *testing.T) {
			s := serve(t, standard)
			now := time.Now()
			began := time.Now()
			conns, errs, said := meet(t, paired(t, over(transport, s.Credentials("host", now)), over(transport, s.Credentials("guest", now))))
			if errs[0] != nil || errs[1] != nil {
				t.Fatal(errs)
			}
			t.Logf("open after %v", time.Since(began))
			for _, c := range conns {
				if got := c.Info().Path; got != "relay" {
					t.Errorf("path %q", got)
				}
			}
			if err := conns[0].Send([]byte("hello")); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if f, err := conns[1].Receive(ctx); string(f) != "hello" || err != nil {
				t.Errorf("%q, %v", f, err)
			}
			// Relayed addresses alone were told, and not who asked for them.
			candidates := 0
			for _, m := range said {
				if strings.Contains(m, "candidate:") {
					candidates++
					if !strings.Contains(m, " typ relay raddr 0.0.0.0 rport 9 ") {
						t.Errorf("told %q", m)
					}
				}
			}
			if candidates < 2 {
				t.Errorf("%d candidates were told", candidates)
			}
		})
	}
}

func TestRelayedConn(t *testing.T) {
	s := serve(t, standard)
	n := 0
	conntest.Run(t, func(t *testing.T) (a, b p2p.Conn) {
		n++
		now := time.Now()
		seat := string(rune('A' + n))
		conns, errs, _ := meet(t, paired(t, s.Credentials(seat+"-host", now), s.Credentials(seat+"-guest", now)))
		if errs[0] != nil || errs[1] != nil {
			t.Fatal(errs)
		}
		return conns[0], conns[1]
	})
}

// A direct path is preferred to the relay.
func TestDirectIsPreferred(t *testing.T) {
	s := serve(t, standard)
	now := time.Now()
	cfg := paired(t, s.Credentials("host", now), s.Credentials("guest", now))
	cfg[0].RelayOnly, cfg[1].RelayOnly = false, false
	conns, errs, _ := meet(t, cfg)
	if errs[0] != nil || errs[1] != nil {
		t.Fatal(errs)
	}
	for _, c := range conns {
		if got := c.Info().Path; got != "direct" {
			t.Errorf("path %q", got)
		}
	}
}

// A relay that refuses is named in the reason, which comes at once.
func TestRefusedRelayIsTheReason(t *testing.T) {
	s := serve(t, standard)
	now := time.Now()
	wrong := s.Credentials("guest", now)
	wrong.Credential += "x"
	for name, c := range map[string]signal.ICEServer{
		"wrong":   wrong,
		"expired": s.Credentials("guest", now.Add(-credentialLife-2*time.Second)),
	} {
		_, errs, _ := meet(t, paired(t, s.Credentials("host", now), c))
		for i, err := range errs {
			if f, ok := signal.FailureOf(err); !ok || f != signal.NoRoute {
				t.Errorf("%s: peer %d: %v", name, i, err)
			}
		}
		if !strings.Contains(errs[1].Error(), "401") {
			t.Errorf("%s: %v; want the relay's refusal in it", name, errs[1])
		}
		t.Log(errs)
	}
}

// A relay that swallows everything does not hold up the end: the attempt is
// given up in time, and leaves nothing.
func TestSilentRelay(t *testing.T) {
	s, err := Listen(Config{Listen: "127.0.0.1:0", IP: serve(t, standard).cfg.IP})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() // it listens, but nobody runs it
	now := time.Now()
	a, _ := newChat()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := rtc.Connect(ctx, a, paired(t, s.Credentials("host", now), s.Credentials("guest", now))[0]); err == nil {
		t.Error("connected")
	}
	if took := time.Since(began); took > patience {
		t.Errorf("took %v", took)
	} else {
		t.Logf("gave up after %v", took)
	}
}
