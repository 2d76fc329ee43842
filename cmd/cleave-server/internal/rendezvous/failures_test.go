package rendezvous

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

// limit is within what every failure must have shown itself.
const limit = 20 * time.Second

// within fails the test if f takes longer than the limit, in bubble time.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	begun := time.Now()
	f()
	if took := time.Since(begun); took > limit {
		t.Errorf("%s took %v", what, took)
	}
}

// meetUp joins with what the guest typed, and fetches the visitor.
func meetUp(t *testing.T, hosting *signal.Hosting, guest *signal.Client, code signal.Code) (h, g *signal.Visit) {
	t.Helper()
	g, err := guest.Join(t.Context(), code)
	if err != nil {
		t.Fatal(err)
	}
	if h, err = hosting.Visitor(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h, g
}

// ends checks what became of the code on both sides of the server.
func ends(t *testing.T, w *world, hosting *signal.Hosting, code signal.Code, want signal.Failure) {
	t.Helper()
	if _, ended := hosting.Code(); ended != want {
		t.Errorf("the host takes its code for %q, want %q", ended.Name(), want.Name())
	}
	c := w.dial(another)
	v, err := c.Join(t.Context(), code)
	if got, _ := signal.FailureOf(err); got != want {
		t.Errorf("who joins after that: %v, want %q", err, want.Name())
	}
	if v != nil {
		v.Close()
	}
}

func TestWrongWordsSpendTheCode(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		guest := w.dial(away)
		within(t, "a wrong code", func() {
			h, g := meetUp(t, hosting, guest, asTyped(code))
			_, _, hostErr, guestErr := pairUp(t, h, g, code.Secret(), "zoo-zebra")
			wantFailure(t, "host", hostErr, signal.WrongCode)
			wantFailure(t, "guest", guestErr, signal.WrongCode)
		})
		ends(t, w, hosting, asTyped(code), signal.CodeUsed)
		_, err := hosting.Visitor(t.Context())
		wantFailure(t, "waiting with a spent code", err, signal.CodeUsed)
		again, err := hosting.Renew(t.Context())
		if err != nil || again.Number == code.Number || again.Words == code.Words {
			t.Errorf("a new code: %v, %v", again, err)
		}
		h, g := meetUp(t, hosting, guest, asTyped(again))
		if _, _, hostErr, guestErr := pairUp(t, h, g, again.Secret(), again.Secret()); hostErr != nil || guestErr != nil {
			t.Error(hostErr, guestErr)
		}
		if n := w.server.Stats().Failures[signal.WrongCode]; n != 1 {
			t.Errorf("%d wrong codes counted", n)
		}
	})
}

func TestUsedCode(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		guest := w.dial(away)
		h, g := meetUp(t, hosting, guest, asTyped(code))
		if _, _, hostErr, guestErr := pairUp(t, h, g, code.Secret(), code.Secret()); hostErr != nil || guestErr != nil {
			t.Fatal(hostErr, guestErr)
		}
		third := w.dial(another)
		_, err := third.Join(t.Context(), asTyped(code))
		wantFailure(t, "while the two talk", err, signal.AlreadyTaken)
		h.Close()
		g.Close()
		ends(t, w, hosting, asTyped(code), signal.CodeUsed)
		ends(t, w, hosting, signal.Code{Mailbox: code.Mailbox, Words: code.Words}, signal.CodeUsed)
		time.Sleep(rememberFor + 2*time.Minute)
		_, err = w.dialAgain(t, third).Join(t.Context(), asTyped(code))
		wantFailure(t, "an hour later", err, signal.NoSuchCode)
	})
}

// dialAgain replaces a client whose socket may have had its time.
func (w *world) dialAgain(t *testing.T, old *signal.Client) *signal.Client {
	old.Close()
	return w.dial(another)
}

func TestExpiredCode(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		time.Sleep(codeLife - time.Second)
		guest := w.dial(away)
		v, err := guest.Join(t.Context(), asTyped(code))
		if err != nil {
			t.Fatalf("just before its end: %v", err)
		}
		v.Close()
		begun := time.Now()
		// The visitor was silent: it is none, and the host waits on.
		if v, err := hosting.Visitor(t.Context()); err == nil {
			v.Close()
			_, err = hosting.Visitor(t.Context())
			wantFailure(t, "waiting", err, signal.CodeExpired)
		} else {
			wantFailure(t, "waiting", err, signal.CodeExpired)
		}
		if waited := time.Since(begun); waited < codeLife || waited > codeLife+2*time.Second {
			t.Errorf("it expired %v after its last visitor", waited)
		}
		ends(t, w, hosting, asTyped(code), signal.CodeExpired)
		ends(t, w, hosting, signal.Code{Mailbox: code.Mailbox, Words: code.Words}, signal.CodeExpired)
		if _, err := hosting.Renew(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestUnknownCode(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		guest := w.dial(away)
		for _, code := range []signal.Code{{Number: 7}, {Mailbox: signal.Mailbox{1}}} {
			_, err := guest.Join(t.Context(), code)
			wantFailure(t, "joining", err, signal.NoSuchCode)
		}
	})
}

func TestThirdVisitorDisturbsNobody(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		guest, third := w.dial(away), w.dial(another)
		h, g := meetUp(t, hosting, guest, asTyped(code))
		_, err := third.Join(t.Context(), asTyped(code))
		wantFailure(t, "the third", err, signal.AlreadyTaken)
		if _, _, hostErr, guestErr := pairUp(t, h, g, code.Secret(), code.Secret()); hostErr != nil || guestErr != nil {
			t.Error(hostErr, guestErr)
		}
	})
}

// visitorHas is how long a visitor who sends nothing keeps its seat.
const visitorHas = 5 * time.Second

func TestSilentVisitorLosesTheSeat(t *testing.T) {
	for name, behave := range map[string]func(context.Context, *signal.Visit){
		"says nothing": func(context.Context, *signal.Visit) {},
		// A hello, and no answer to the start.
		"does not answer": func(ctx context.Context, v *signal.Visit) {
			v.Send(ctx, []byte{1, 0, 1, 0, 1, 1})
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, Config{}, func(t *testing.T, w *world) {
				_, hosting, code := w.hosting(atHome)
				mute, guest := w.dial(another), w.dial(away)
				h, m := meetUp(t, hosting, mute, asTyped(code))
				behave(t.Context(), m)
				begun := time.Now()
				_, err := signal.Pair(t.Context(), h, playerOf(1).config(signal.Host, h, code.Secret()))
				wantFailure(t, "host", err, signal.PeerLeft)
				var pe *signal.PairError
				if took := time.Since(begun); took != visitorHas || !errors.As(err, &pe) || pe.Spent {
					t.Errorf("after %v: %+v", took, pe)
				}
				h.Close()
				within(t, "the silent one's end", func() { <-m.Done() })
				for err = nil; err == nil; {
					_, err = m.Receive(t.Context())
				}
				wantFailure(t, "the silent one", err, signal.PeerLeft)
				// The code is as good as it was.
				h, g := meetUp(t, hosting, guest, asTyped(code))
				if _, _, hostErr, guestErr := pairUp(t, h, g, code.Secret(), code.Secret()); hostErr != nil || guestErr != nil {
					t.Error(hostErr, guestErr)
				}
			})
		})
	}
}

// The server frees the seat itself when the host's program does not.
func TestServerFreesTheSeatOfASilentVisitor(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, _, code := w.hosting(atHome)
		mute := w.dial(another)
		v, err := mute.Join(t.Context(), asTyped(code))
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		<-v.Done()
		if took := time.Since(begun); took < seatLimit || took > seatLimit+2*sweepEvery {
			t.Errorf("the seat was free after %v", took)
		}
	})
}

func TestGuestHangsUp(t *testing.T) {
	for _, tt := range []struct {
		name  string
		after int // messages that the guest sends
		want  signal.Failure
	}{
		{"before its version", 0, 0},
		{"before its answer", 1, 0},
		{"before its confirmation", 2, signal.CodeUsed},
		{"before its proof", 3, signal.CodeUsed},
	} {
		for _, socket := range []bool{false, true} {
			t.Run(tt.name, func(t *testing.T) {
				inWorld(t, Config{}, func(t *testing.T, w *world) {
					_, hosting, code := w.hosting(atHome)
					guest := w.dial(away)
					h, g := meetUp(t, hosting, guest, asTyped(code))
					leave := func() { g.Close() }
					if socket {
						leave = func() { guest.Close() }
					}
					within(t, "a guest who hangs up", func() {
						done := make(chan struct{})
						go func() {
							defer close(done)
							signal.Pair(t.Context(), &leaving{g, tt.after, leave}, playerOf(2).config(signal.Guest, g, code.Secret()))
						}()
						_, err := signal.Pair(t.Context(), h, playerOf(1).config(signal.Host, h, code.Secret()))
						wantFailure(t, "host", err, signal.PeerLeft)
						<-done
					})
					h.Close()
					ends(t, w, hosting, asTyped(code), tt.want)
				})
			})
		}
	}
}

// leaving leaves instead of sending one message too many.
type leaving struct {
	*signal.Visit
	sends int
	leave func()
}

func (l *leaving) Send(ctx context.Context, m []byte) error {
	if l.sends == 0 {
		l.leave()
		return signal.PeerLeft
	}
	l.sends--
	return l.Visit.Send(ctx, m)
}

func TestSilentHost(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, _, code := w.hosting(atHome)
		guest := w.dial(away)
		within(t, "a silent host", func() {
			g, err := guest.Join(t.Context(), asTyped(code))
			if err != nil {
				t.Fatal(err)
			}
			_, err = signal.Pair(t.Context(), g, playerOf(2).config(signal.Guest, g, code.Secret()))
			wantFailure(t, "guest", err, signal.PeerLeft)
			var pe *signal.PairError
			if !errors.As(err, &pe) || pe.Spent {
				t.Errorf("%+v", pe)
			}
		})
	})
}

func TestStoppedServer(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, code := w.hosting(atHome)
		guest := w.dial(away)
		h, g := meetUp(t, hosting, guest, asTyped(code))
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			w.shutDown()
		}()
		within(t, "a server that stops", func() {
			_, _, hostErr, guestErr := pairUp(t, h, g, code.Secret(), code.Secret())
			if hostErr != nil || guestErr != nil {
				t.Errorf("a pairing in progress was cut: %v, %v", hostErr, guestErr)
			}
			_, err := g.Receive(t.Context())
			wantFailure(t, "a visit", err, signal.NoServer)
		})
		<-stopped
		within(t, "a server that is not there", func() {
			_, err := signal.DialHTTP(t.Context(), serverName, w.from(away))
			wantFailure(t, "dialling", err, signal.NoServer)
			_, err = guest.Join(t.Context(), code)
			wantFailure(t, "joining", err, signal.NoServer)
		})
		begun := time.Now()
		_, err := hosting.Visitor(t.Context())
		if took := time.Since(begun); took > hostGrace+10*time.Second {
			t.Errorf("the host noticed after %v", took)
		}
		if f, _ := signal.FailureOf(err); f != signal.NoServer && f != signal.CodeUsed {
			t.Errorf("hosting: %v", err)
		}
	})
}
