package rendezvous

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

// scripted serves sockets by hand, as a hostile server would.
func scripted(t *testing.T, serve func(s *signal.Socket), f func(t *testing.T, w *world)) {
	synctest.Test(t, func(t *testing.T) {
		l := newListener()
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s, err := signal.Accept(w, r)
			if err != nil {
				return
			}
			defer s.Drop()
			serve(s)
		})}
		served := make(chan struct{})
		go func() { defer close(served); server.Serve(l) }()
		f(t, &world{t: t, clients: l})
		server.Close()
		l.Close()
		<-served
	})
}

func untilGone(s *signal.Socket) {
	for {
		if _, _, err := s.Read(context.Background()); err != nil {
			return
		}
	}
}

// A server that sends one visitor after the other by one code, to guess at
// its words, gets one answer from the host and no second visitor.
func TestServerCannotGuessTwice(t *testing.T) {
	box, other := signal.Mailbox{1}, signal.Mailbox{2}
	tell := func(s *signal.Socket, r signal.Reply) { s.Write(signal.Marshal(r), true) }
	scripted(t, func(s *signal.Socket) {
		s.Read(context.Background())
		tell(s, signal.Reply{N: 1, Number: 7, Mailbox: box.String(), Instance: other.String(), Token: "x"})
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			for {
				data, text, err := s.Read(context.Background())
				if err != nil {
					return
				}
				if r, err := signal.ParseRequest(data); text && err == nil && r.N != 0 {
					tell(s, signal.Reply{N: r.N})
				}
			}
		}()
		// By a room that is not listed yet, and by no code of this host's.
		tell(s, signal.Reply{Event: signal.EventVisit, Visit: 1, By: signal.ByRoom, Mailbox: box.String()})
		time.Sleep(time.Second)
		tell(s, signal.Reply{Event: signal.EventVisit, Visit: 2, By: signal.ByCode, Mailbox: other.String()})
		time.Sleep(time.Second)
		tell(s, signal.Reply{Event: signal.EventVisit, Visit: 3, By: signal.ByCode, Mailbox: box.String()})
		answer := append([]byte{3}, make([]byte, 32)...)
		s.Write(signal.AppendRelayed(nil, 3, []byte{1, 0, 1, 0, 1, 1}), false)
		s.Write(signal.AppendRelayed(nil, 3, answer), false)
		time.Sleep(10 * time.Second)
		tell(s, signal.Reply{Event: signal.EventVisit, Visit: 4, By: signal.ByCode, Mailbox: box.String()})
		<-gone
	}, func(t *testing.T, w *world) {
		c := w.dial(away)
		defer c.Close()
		h, err := c.Host(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		v, err := h.Visitor(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		code, _ := h.Code()
		_, err = signal.Pair(t.Context(), v, playerOf(1).config(signal.Host, v, code.Secret()))
		var pe *signal.PairError
		if !errors.As(err, &pe) || !pe.Spent {
			t.Fatalf("the guess: %v", err)
		}
		v.Close()
		_, err = h.Visitor(t.Context())
		wantFailure(t, "waiting on", err, signal.CodeUsed)
		// Nor while it waits on for visitors of its room.
		if err := h.List(t.Context(), playerOf(1).room("Friday", signal.RoomStateOpen), playerOf(1).sign); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if v, err := h.Visitor(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a second visitor by the same code: %v, %v", v, err)
		}
	})
}

// A link names its mailbox; a server that answers with another is found out.
func TestServerCannotExchangeTheMailbox(t *testing.T) {
	scripted(t, func(s *signal.Socket) {
		s.Read(context.Background())
		s.Write(signal.Marshal(signal.Reply{N: 1, Visit: 1, By: signal.ByCode, Mailbox: signal.Mailbox{9}.String()}), true)
		untilGone(s)
	}, func(t *testing.T, w *world) {
		c := w.dial(away)
		defer c.Close()
		_, err := c.Join(t.Context(), signal.Code{Mailbox: signal.Mailbox{1}})
		wantFailure(t, "joining", err, signal.ProtocolError)
	})
}

// What a hostile server lists under somebody's key without the signature is
// not shown.
func TestForgedRoomsAreNotShown(t *testing.T) {
	genuine, err := playerOf(1).room("genuine", signal.RoomStateOpen).Append(nil, playerOf(1).sign)
	if err != nil {
		t.Fatal(err)
	}
	forged, err := playerOf(1).room("forged", signal.RoomStateOpen).Append(nil, playerOf(2).sign)
	if err != nil {
		t.Fatal(err)
	}
	scripted(t, func(s *signal.Socket) {
		s.Read(context.Background())
		s.Write(signal.Marshal(signal.Reply{N: 1, Rooms: [][]byte{forged, genuine, []byte("x"), nil}}), true)
		untilGone(s)
	}, func(t *testing.T, w *world) {
		c := w.dial(away)
		defer c.Close()
		rooms, err := c.Rooms(t.Context())
		if err != nil || len(rooms) != 1 || rooms[0].Name != "genuine" {
			t.Errorf("%+v, %v", rooms, err)
		}
	})
}

// A server that answers no more delays a goodbye by a second at most.
func TestClientLeavesADeadServer(t *testing.T) {
	scripted(t, func(s *signal.Socket) {
		time.Sleep(time.Minute) // reads nothing
	}, func(t *testing.T, w *world) {
		c := w.dial(away)
		begun := time.Now()
		c.Close()
		if took := time.Since(begun); took > 6*time.Second {
			t.Errorf("it took %v", took)
		}
		time.Sleep(time.Minute)
	})
}
