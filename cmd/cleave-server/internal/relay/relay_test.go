package relay

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/pion/stun/v4"
	leak "github.com/pion/transport/v5/test"
	"github.com/pion/turn/v5"

	"github.com/cleavegame/cleave/p2p/signal"
)

const patience = 30 * time.Second

// serve runs a relay on loopback until the test ends.
func serve(t testing.TB, l limits) *Server {
	t.Helper()
	s, err := listen(Config{Listen: "127.0.0.1:0", IP: netip.MustParseAddr("127.0.0.1")}, l)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return s
}

// client is a TURN client over the transport, "udp" or "tcp".
func client(t testing.TB, s *Server, transport string, c signal.ICEServer) *turn.Client {
	t.Helper()
	var socket net.PacketConn
	if transport == "tcp" {
		conn, err := net.Dial("tcp4", s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		socket = turn.NewSTUNConn(conn)
	} else {
		var err error
		if socket, err = net.ListenPacket("udp4", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
	}
	out, err := turn.NewClient(&turn.ClientConfig{
		TURNServerAddr: s.Addr().String(), STUNServerAddr: s.Addr().String(),
		Username: c.Username, Password: c.Credential, Realm: realm,
		Conn: socket, LoggerFactory: logTo{discard},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Listen(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		out.Close()
		socket.Close()
	})
	return out
}

func allocate(t testing.TB, c *turn.Client) net.PacketConn {
	t.Helper()
	p, err := c.Allocate()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// until waits for what must come about.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

// refusedWith fails unless err is the TURN error of that code.
func refusedWith(t testing.TB, err error, code stun.ErrorCode) {
	t.Helper()
	var e *stun.TurnError
	if err == nil || !errors.As(err, &e) || e.ErrorCodeAttr.Code != code {
		t.Errorf("%v; want error %d", err, code)
	}
}

func TestRelaysBetweenItsClients(t *testing.T) {
	defer leak.CheckRoutines(t)()
	for _, transports := range [][2]string{{"udp", "udp"}, {"udp", "tcp"}, {"tcp", "tcp"}} {
		t.Run(transports[0]+" to "+transports[1], func(t *testing.T) {
			s := serve(t, standard)
			a := allocate(t, client(t, s, transports[0], s.Credentials("a", time.Now())))
			b := allocate(t, client(t, s, transports[1], s.Credentials("b", time.Now())))
			got := make(chan string, 1)
			go func() {
				buf := make([]byte, 2000)
				n, from, err := b.ReadFrom(buf)
				got <- fmt.Sprint(string(buf[:n]), from, err)
			}()
			// b lets nobody in before it has spoken to them itself.
			if _, err := b.WriteTo([]byte("first"), a.LocalAddr()); err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprint("hello", a.LocalAddr(), error(nil))
			deadline := time.After(patience)
			for {
				if _, err := a.WriteTo([]byte("hello"), b.LocalAddr()); err != nil {
					t.Fatal(err)
				}
				select {
				case g := <-got:
					if g != want {
						t.Errorf("got %s, want %s", g, want)
					}
				case <-time.After(20 * time.Millisecond):
					continue
				case <-deadline:
					t.Fatal("nothing arrived")
				}
				break
			}
			stats := s.Stats()
			if stats.Live != 2 || stats.Allocations != 2 || stats.Packets == 0 || stats.Bytes == 0 {
				t.Errorf("stats %+v", stats)
			}
			relayed := a.LocalAddr().(*net.UDPAddr)
			if !relayed.IP.Equal(net.IPv4(127, 0, 0, 1)) || relayed.Port < firstPort {
				t.Errorf("relayed address %v", relayed)
			}
		})
	}
}

func TestAnswersSTUN(t *testing.T) {
	s := serve(t, standard)
	c := client(t, s, "udp", s.Credentials("a", time.Now()))
	seen, err := c.SendBindingRequest()
	if err != nil || !seen.(*net.UDPAddr).IP.Equal(net.IPv4(127, 0, 0, 1)) {
		t.Errorf("seen as %v, %v", seen, err)
	}
}

func TestNowhereElse(t *testing.T) {
	s := serve(t, standard)
	c := client(t, s, "udp", s.Credentials("a", time.Now()))
	a := allocate(t, c)
	for _, ip := range []string{"127.0.0.2", "10.0.0.1", "169.254.169.254"} {
		refusedWith(t, c.CreatePermission(&net.UDPAddr{IP: net.ParseIP(ip), Port: 80}), stun.CodeForbidden)
	}
	// The relay's own address is permitted, but only its relayed ports exist
	// there: not the relay itself, nor another service of the machine.
	other, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, to := range []net.Addr{other.LocalAddr(), s.Addr(), &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: firstPort}} {
		before := s.Stats()
		if _, err := a.WriteTo([]byte("knock"), to); err != nil {
			t.Fatal(err)
		}
		until(t, "the packet is lost", func() bool { return s.Stats().Nowhere > before.Nowhere })
	}
	if p := s.Stats().Packets; p != 0 {
		t.Errorf("%d packets went somewhere", p)
	}
	other.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, _, err := other.ReadFrom(make([]byte, 100)); err == nil {
		t.Errorf("%d bytes arrived outside", n)
	}
}

func TestNoTCPRelaying(t *testing.T) {
	s := serve(t, standard)
	_, err := client(t, s, "tcp", s.Credentials("a", time.Now())).AllocateTCP()
	refusedWith(t, err, stun.CodeInsufficientCapacity)
}

func TestWrongCredentials(t *testing.T) {
	s := serve(t, standard)
	now := time.Now()
	good := s.Credentials("a", now)
	wrong, otherSeat := good, good
	wrong.Credential += "x"
	otherSeat.Username = strings.TrimSuffix(good.Username, "a") + "b"
	for name, c := range map[string]signal.ICEServer{
		"wrong":         wrong,
		"another seat":  otherSeat,
		"expired":       s.Credentials("a", now.Add(-credentialLife-2*time.Second)),
		"no expiry":     {Username: "a", Credential: password(s.secret, "a")},
		"odd expiry":    {Username: "+9999999999:a", Credential: password(s.secret, "+9999999999:a")},
		"no seat":       {Username: "9999999999:", Credential: password(s.secret, "9999999999:")},
		"two seats":     {Username: "9999999999:a:b", Credential: password(s.secret, "9999999999:a:b")},
		"another relay": serve(t, standard).Credentials("a", now),
	} {
		before := s.Stats().Refused
		_, err := client(t, s, "udp", c).Allocate()
		if err == nil {
			t.Errorf("%s: allocated", name)
			continue
		}
		refusedWith(t, err, stun.CodeUnauthorized)
		if s.Stats().Refused == before {
			t.Errorf("%s: not counted", name)
		}
	}
	if s.Stats().Live != 0 {
		t.Error("something was allocated")
	}
}

func TestCredentials(t *testing.T) {
	// HMAC-SHA-1 of the username under the secret, as any TURN server that
	// follows the draft computes it.
	const username = "1700000000:seat"
	if got := password([]byte("secret"), username); got != "ZlbFKVJvuzlXdOyVmXmYQcn52fY=" {
		t.Errorf("password %s", got)
	}
	s := serve(t, standard)
	now := time.Unix(1_700_000_000, 0)
	c := s.Credentials("seat", now)
	if want := "1700043200:seat"; c.Username != want {
		t.Errorf("username %s, want %s", c.Username, want)
	}
	at := s.Addr().String()
	if got, want := fmt.Sprint(c.URLs), fmt.Sprintf("[stun:%[1]s turn:%[1]s?transport=udp turn:%[1]s?transport=tcp]", at); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, tt := range []struct {
		at time.Time
		ok bool
	}{{now, true}, {now.Add(12 * time.Hour), true}, {now.Add(12*time.Hour + time.Second), false}} {
		if _, _, ok := s.authenticateAt(c.Username, tt.at); ok != tt.ok {
			t.Errorf("at %v: %v", tt.at, ok)
		}
	}
}

func TestQuota(t *testing.T) {
	l := standard
	l.allocations = 3
	s := serve(t, l)
	now := time.Now()
	a := s.Credentials("a", now)
	first := client(t, s, "udp", a)
	held := allocate(t, first)
	allocate(t, client(t, s, "tcp", a))
	_, err := client(t, s, "udp", a).Allocate()
	refusedWith(t, err, stun.CodeAllocQuotaReached)
	// Another seat is free to, until the relay is full.
	allocate(t, client(t, s, "udp", s.Credentials("b", now)))
	_, err = client(t, s, "udp", s.Credentials("c", now)).Allocate()
	refusedWith(t, err, stun.CodeAllocQuotaReached)
	// What is given back can be had again.
	held.Close()
	until(t, "the address is free", func() bool { return s.Stats().Live == 2 })
	allocate(t, client(t, s, "udp", a))
	if got := s.Stats().OverQuota; got != 2 {
		t.Errorf("%d refusals counted", got)
	}
}

// The quota holds where the addresses are given out, too: UDP and TCP clients of
// one seat may ask at the same moment.
func TestQuotaOfTheBoard(t *testing.T) {
	l := standard
	l.allocations = 3
	b := newSwitchboard(netip.MustParseAddr("127.0.0.1"), l)
	for _, tt := range []struct {
		seat string
		want error
	}{{"a", nil}, {"a", nil}, {"a", errQuota}, {"b", nil}, {"b", errQuota}} {
		_, _, err := b.AllocatePacketConn(turn.AllocateListenerConfig{Network: "udp4", UserID: tt.seat})
		if !errors.Is(err, tt.want) {
			t.Errorf("seat %s: %v, want %v", tt.seat, err, tt.want)
		}
	}
	for _, c := range []turn.AllocateListenerConfig{{Network: "udp6", UserID: "c"}, {Network: "udp4"}, {Network: "udp4", UserID: "c", RequestedPort: 50000}} {
		if _, _, err := b.AllocatePacketConn(c); !errors.Is(err, errUnsupported) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	b.close()
	if len(b.ports)+len(b.seats)+len(b.clients) != 0 {
		t.Error("something is left")
	}
	if _, _, err := b.AllocatePacketConn(turn.AllocateListenerConfig{Network: "udp4", UserID: "d"}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// A client that was killed frees its addresses after the lifetime, over TCP at
// once.
func TestKilledClient(t *testing.T) {
	l := standard
	l.lifetime = 400 * time.Millisecond
	s := serve(t, l)
	c := client(t, s, "tcp", s.Credentials("a", time.Now()))
	allocate(t, c)
	c.Close() // without a word
	until(t, "nothing is held", func() bool { return s.Stats().Live == 0 })

	r := newRaw(t, s, s.Credentials("a", time.Now()))
	r.allocate(t, 0)
	until(t, "the address is held", func() bool { return s.Stats().Live == 1 })
	began := time.Now()
	until(t, "nothing is held", func() bool { return s.Stats().Live == 0 })
	t.Logf("freed after %v", time.Since(began))
}

// A client may ask for an hour, but must be heard of within the lifetime.
func TestLongLifetimeIsNotGranted(t *testing.T) {
	l := standard
	l.lifetime = 400 * time.Millisecond
	s := serve(t, l)
	r := newRaw(t, s, s.Credentials("a", time.Now()))
	r.allocate(t, 50*time.Minute)
	// Refreshes keep it.
	for end := time.Now().Add(3 * l.lifetime); time.Now().Before(end); time.Sleep(l.lifetime / 8) {
		r.ask(t, stun.MethodRefresh, lifetimeAttr(50*time.Minute))
		if s.Stats().Live != 1 {
			t.Fatal("ended in spite of refreshes")
		}
	}
	until(t, "nothing is held", func() bool { return s.Stats().Live == 0 })
}

func TestRate(t *testing.T) {
	l := standard
	l.rate, l.burst = 1000, 20_000
	s := serve(t, l)
	a := allocate(t, client(t, s, "udp", s.Credentials("a", time.Now())))
	b := allocate(t, client(t, s, "udp", s.Credentials("b", time.Now())))
	for range 100 {
		if _, err := a.WriteTo(make([]byte, 1000), b.LocalAddr()); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "all hundred are counted", func() bool { n := s.Stats(); return n.Packets+n.TooFast == 100 })
	if got := s.Stats().Packets; got < 15 || got > 40 {
		t.Errorf("%d of 100 packets passed, want about 20", got)
	}
}

func TestShutdown(t *testing.T) {
	t.Cleanup(leak.CheckRoutines(t))
	s, err := Listen(Config{Listen: "127.0.0.1:0", IP: netip.MustParseAddr("127.0.0.1")})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Run(ctx) }()
	idle, err := net.Dial("tcp4", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	for _, transport := range []string{"udp", "tcp"} {
		allocate(t, client(t, s, transport, s.Credentials("a", time.Now())))
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := s.Stats(); got.Live != 0 || got.Streams != 0 {
		t.Errorf("left: %+v", got)
	}
	idle.SetReadDeadline(time.Now().Add(patience))
	if _, err := idle.Read(make([]byte, 1)); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a client was not hung up on: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func TestListenRefused(t *testing.T) {
	for _, cfg := range []Config{
		{Listen: "127.0.0.1:0"},
		{Listen: "127.0.0.1:0", IP: netip.IPv4Unspecified()},
		{Listen: "127.0.0.1", IP: netip.MustParseAddr("127.0.0.1")},
		{Listen: "192.0.2.1:0", IP: netip.MustParseAddr("127.0.0.1")},
	} {
		if s, err := Listen(cfg); err == nil {
			s.Close()
			t.Errorf("%+v: listens", cfg)
		}
	}
}

func TestBucket(t *testing.T) {
	at := time.Unix(0, 0)
	k := bucket{rate: 1000, burst: 3000, level: 3000}
	for _, step := range []struct {
		after time.Duration
		n     int
		want  bool
	}{
		{0, 3000, true}, {0, 1, false},
		{time.Second, 1001, false}, {0, 1000, true},
		{500 * time.Microsecond, 1, false}, {500 * time.Microsecond, 1, true}, // halves add up
		{time.Hour * 1e4, 3001, false}, {0, 3000, true},
		{-time.Hour, 1, false}, {time.Hour + time.Second, 1000, true},
	} {
		at = at.Add(step.after)
		if got := k.take(step.n, at); got != step.want {
			t.Errorf("after %v: take(%d) = %v", step.after, step.n, got)
		}
	}
}
