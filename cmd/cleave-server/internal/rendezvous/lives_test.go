package rendezvous

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

func TestLostHostKeepsItsCodeForAMinute(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		guest := w.dial(away)
		w.cut(atHome)
		// The guest comes first; what it says waits for the host.
		g, err := guest.Join(t.Context(), asTyped(code))
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			_, err := signal.Pair(t.Context(), g, playerOf(2).config(signal.Guest, g, code.Secret()))
			done <- err
		}()
		time.Sleep(2 * time.Second)
		h, err := hosting.Visitor(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := signal.Pair(t.Context(), h, playerOf(1).config(signal.Host, h, code.Secret())); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestLostHostIsForgottenAfterAMinute(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		w.cut(atHome)
		time.Sleep(hostGrace + 2*time.Second)
		_, err := hosting.Visitor(t.Context())
		wantFailure(t, "the host", err, signal.CodeExpired)
		guest := w.dial(away)
		_, err = guest.Join(t.Context(), asTyped(code))
		wantFailure(t, "a guest", err, signal.CodeExpired)
		if n := w.server.Stats().Mailboxes; n != 0 {
			t.Errorf("%d mailboxes are left", n)
		}
	})
}

// A code that was answered is spent, even though the host's socket was lost
// before it could hear of it.
func TestCodeIsSpentWhenTheHostIsLost(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		guest := w.dial(away)
		h, g := meetUp(t, hosting, guest, asTyped(code))
		done := make(chan error, 1)
		go func() {
			_, err := signal.Pair(t.Context(), g, playerOf(2).config(signal.Guest, g, ""))
			done <- err
		}()
		// Hello and start by hand, then the line is cut unread.
		if err := h.Send(t.Context(), []byte{1, 0, 1, 0, 1, 0}); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Receive(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := h.Send(t.Context(), append([]byte{2}, bytes.Repeat([]byte{9}, 32)...)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		w.cut(atHome)
		var pe *signal.PairError
		if err := <-done; !errors.As(err, &pe) || !pe.Spent || pe.Failure != signal.PeerLeft {
			t.Errorf("guest: %v", err)
		}
		_, err := hosting.Visitor(t.Context())
		wantFailure(t, "the host, coming back", err, signal.CodeUsed)
		ends(t, w, hosting, asTyped(code), signal.CodeUsed)
	})
}

func TestClosedHost(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		guest := w.dial(away)
		_, g := meetUp(t, hosting, guest, asTyped(code))
		hosting.Close()
		_, err := g.Receive(t.Context())
		wantFailure(t, "its visitor", err, signal.PeerLeft)
		_, err = guest.Join(t.Context(), asTyped(code))
		wantFailure(t, "another try", err, signal.CodeExpired)
	})
}

func TestEndOfAContextEndsEveryWait(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		guest, other := w.dial(away), w.dial(another)
		g, err := guest.Join(t.Context(), asTyped(code))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := hosting.Visitor(t.Context()); err != nil {
			t.Fatal(err)
		}
		// Having said something it keeps its seat.
		if err := g.Send(t.Context(), []byte("x")); err != nil {
			t.Fatal(err)
		}
		for what, wait := range map[string]func(context.Context) error{
			"Visitor": func(ctx context.Context) error { _, err := hosting.Visitor(ctx); return err },
			"Receive": func(ctx context.Context) error { _, err := g.Receive(ctx); return err },
			"Resume":  func(ctx context.Context) error { _, err := other.Resume(ctx, signal.Host, [32]byte{1}); return err },
		} {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			begun := time.Now()
			if err := wait(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != 2*time.Second {
				t.Errorf("%s: %v after %v", what, err, time.Since(begun))
			}
			cancel()
		}
	})
}

func TestPartiesOfAMatchMeetAgain(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		session, match := [32]byte{1}, [32]byte{2}
		address, secret := signal.ResumeAddress(session, match), signal.ResumeSecret(session, match)
		a, b := w.dial(atHome), w.dial(away)
		resume := func(a, b *signal.Client) {
			t.Helper()
			type met struct {
				v   *signal.Visit
				err error
			}
			guest := make(chan met, 1)
			go func() {
				v, err := b.Resume(t.Context(), signal.Guest, address)
				guest <- met{v, err}
			}()
			h, err := a.Resume(t.Context(), signal.Host, address)
			g := <-guest
			if err != nil || g.err != nil {
				t.Fatal(err, g.err)
			}
			if h.By() != signal.ByMeet || h.Context() != g.v.Context() {
				t.Errorf("%q and %q", h.Context(), g.v.Context())
			}
			if _, _, hostErr, guestErr := pairUp(t, h, g.v, secret, secret); hostErr != nil || guestErr != nil {
				t.Error(hostErr, guestErr)
			}
		}
		resume(a, b)
		resume(a, b) // once more on the same sockets
		w.cut(atHome)
		again := w.dial(atHome)
		resume(again, b)
		// A socket that nobody has noticed to be dead gives way.
		third := w.dial(another)
		resume(third, b)
		a.Close()
	})
}

func TestICEServersBelongToASeat(t *testing.T) {
	seats := map[string]bool{}
	config := Config{Credentials: func(seat string) []signal.ICEServer {
		if seats[seat] {
			t.Errorf("two have the seat %s", seat)
		}
		seats[seat] = true
		return []signal.ICEServer{{URLs: []string{"turn:turn.test:3478"}, Username: seat, Credential: "x"}}
	}}
	inWorld(t, config, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		guest := w.dial(away)
		h, g := meetUp(t, hosting, guest, asTyped(code))
		for _, v := range []*signal.Visit{h, g} {
			ice := v.ICEServers()
			if len(ice) != 1 || !seats[ice[0].Username] || ice[0].URLs[0] != "turn:turn.test:3478" {
				t.Errorf("%+v", ice)
			}
		}
		if h.ICEServers()[0].Username == g.ICEServers()[0].Username {
			t.Error("both have one seat")
		}
	})
}

func TestJoinsAreLimitedByAddress(t *testing.T) {
	const here, neighbour, elsewhere = "[2001:db8:1:2::3]:1", "[2001:db8:1:2:ffff::9]:1", "[2001:db8:1:3::3]:1"
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		join := func(from string) error {
			c := w.dial(from)
			_, err := c.Join(t.Context(), signal.Code{Number: 1})
			return err
		}
		for range 20 {
			wantFailure(t, "one of the first twenty", join(here), signal.NoSuchCode)
		}
		wantFailure(t, "the next", join(here), signal.SlowDown)
		wantFailure(t, "another address of the same /64", join(neighbour), signal.SlowDown)
		wantFailure(t, "another /64", join(elsewhere), signal.NoSuchCode)
		time.Sleep(3 * time.Second)
		wantFailure(t, "3 s later", join(neighbour), signal.NoSuchCode)
		wantFailure(t, "one more", join(here), signal.SlowDown)
	})
}

func TestLimits(t *testing.T) {
	inWorld(t, Config{Limits: Limits{Mailboxes: 2, Rooms: 1, Sockets: 4, SocketsPerAddress: 3}}, func(t *testing.T, w *world) {
		var clients []*signal.Client
		var hostings []*signal.Hosting
		for range 2 {
			c, h, _ := w.hosting(atHome)
			clients, hostings = append(clients, c), append(hostings, h)
		}
		third := w.dial(atHome)
		clients = append(clients, third)
		_, err := third.Host(t.Context())
		wantFailure(t, "one mailbox too many", err, signal.ServerFull)
		if err := hostings[0].List(t.Context(), playerOf(1).room("a", signal.RoomStateOpen), playerOf(1).sign); err != nil {
			t.Error(err)
		}
		err = hostings[1].List(t.Context(), playerOf(1).room("b", signal.RoomStateOpen), playerOf(1).sign)
		wantFailure(t, "one room too many", err, signal.ServerFull)
		_, err = signal.DialHTTP(t.Context(), serverName, w.from(atHome))
		wantFailure(t, "one socket too many for an address", err, signal.SlowDown)
		clients = append(clients, w.dial(away))
		_, err = signal.DialHTTP(t.Context(), serverName, w.from(another))
		wantFailure(t, "one socket too many", err, signal.ServerFull)
		hostings[0].Close()
		if _, err := third.Host(t.Context()); err != nil {
			t.Errorf("in the place of the one that left: %v", err)
		}
		for _, c := range clients {
			c.Close()
		}
		time.Sleep(hostGrace + 2*time.Second)
		s := w.server.Stats()
		if s.Sockets != 0 || s.Mailboxes != 0 || s.Rooms != 0 || s.Visits != 0 {
			t.Errorf("left over: %+v", s)
		}
		if s.Failures[signal.ServerFull] != 3 || s.Failures[signal.SlowDown] != 1 {
			t.Errorf("counted: %v", s.Failures)
		}
	})
}

// The fullest list of rooms is an answer that a client accepts.
func TestFullestListOfRooms(t *testing.T) {
	limits := Limits{Rooms: 10_000}.orDefaults()
	room := signal.Listing{Key: playerOf(1).key, State: signal.RoomStatePlaying, Clocks: "off",
		Player: strings.Repeat("p", signal.MaxName), Name: strings.Repeat("n", signal.MaxName)}
	b, err := room.Append(nil, playerOf(1).sign)
	if err != nil {
		t.Fatal(err)
	}
	reply := signal.Reply{N: 1 << 31}
	for range limits.Rooms {
		reply.Rooms = append(reply.Rooms, b)
	}
	if got, err := signal.ParseReply(signal.Marshal(reply)); err != nil || len(got.Rooms) != limits.Rooms {
		t.Errorf("%d rooms in %d bytes: %v", len(got.Rooms), len(signal.Marshal(reply)), err)
	}
}

func TestFloodIsCut(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		guest := w.dial(away)
		h, g := meetUp(t, hosting, guest, asTyped(code))
		if err := h.Send(t.Context(), []byte("come on")); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Receive(t.Context()); err != nil {
			t.Fatal(err)
		}
		// Somebody reads, so that it is the rate which is limited.
		go func() {
			for {
				if _, err := h.Receive(t.Context()); err != nil {
					return
				}
			}
		}()
		var err error
		for range 2 * socketBurst {
			if err = g.Send(t.Context(), []byte("x")); err != nil {
				break
			}
		}
		_, err = g.Receive(t.Context())
		wantFailure(t, "who floods", err, signal.SlowDown)
		<-h.Done()
	})
}

func TestSilentSocketIsClosed(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		s, err := rawSocket(t, w)
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		for err == nil {
			_, err = s.Read(make([]byte, 100))
		}
		s.Close()
		if took := time.Since(begun); took < socketSilence || took > socketSilence+30*time.Second {
			t.Errorf("after %v", took)
		}
	})
}

// A client that pings lives on.
func TestIdleClientLives(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		c := w.dial(away)
		time.Sleep(time.Hour)
		if _, err := c.Rooms(t.Context()); err != nil {
			t.Error(err)
		}
		time.Sleep(socketLife)
		_, err := c.Rooms(t.Context())
		wantFailure(t, "after the longest life of a socket", err, signal.NoServer)
	})
}

func TestDrainLetsAPairingFinish(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		guest, late := w.dial(away), w.dial(another)
		h, g := meetUp(t, hosting, guest, asTyped(code))
		drained := make(chan struct{})
		go func() {
			defer close(drained)
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			w.server.Drain(ctx)
		}()
		time.Sleep(time.Second)
		_, err := late.Host(t.Context())
		wantFailure(t, "hosting meanwhile", err, signal.ServerFull)
		_, err = signal.DialHTTP(t.Context(), serverName, w.from(away))
		wantFailure(t, "dialling meanwhile", err, signal.ServerFull)
		if _, _, hostErr, guestErr := pairUp(t, h, g, code.Secret(), code.Secret()); hostErr != nil || guestErr != nil {
			t.Error(hostErr, guestErr)
		}
		h.Close()
		<-drained
		_, err = g.Receive(t.Context())
		if f, _ := signal.FailureOf(err); f != signal.PeerLeft && f != signal.NoServer {
			t.Error(err)
		}
	})
}

func TestDrainEndsWithItsContext(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		guest := w.dial(away)
		meetUp(t, hosting, guest, asTyped(code))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		w.server.Drain(ctx)
		if took := time.Since(begun); took > 15*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestAddressOfTheConfig(t *testing.T) {
	var asked int
	config := Config{Address: func(r *http.Request) netip.Addr {
		asked++
		return netip.MustParseAddr("192.0.2.200")
	}, Limits: Limits{SocketsPerAddress: 1}}
	inWorld(t, config, func(t *testing.T, w *world) {
		w.dial(atHome)
		_, err := signal.DialHTTP(t.Context(), serverName, w.from(away))
		wantFailure(t, "two from one address, says the proxy", err, signal.SlowDown)
		if asked != 2 {
			t.Errorf("asked %d times", asked)
		}
	})
}
