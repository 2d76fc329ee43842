package rendezvous

import (
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

func (p player) room(name, state string) signal.Listing {
	return signal.Listing{Key: p.key, Player: "Ada", Name: name, State: state, Clocks: "standard", Rated: true, Version: 1}
}

func TestListedRoomIsJoinedByItsName(t *testing.T) {
	for _, secret := range []string{"", "open sesame"} {
		inWorld(t, Config{}, func(t *testing.T, w *world) {
			_, hosting, _ := w.hosting(atHome)
			state := signal.RoomStateOpen
			if secret != "" {
				state = signal.RoomStateLocked
			}
			if err := hosting.List(t.Context(), playerOf(1).room("Friday", state), playerOf(1).sign); err != nil {
				t.Fatal(err)
			}
			guest := w.dial(away)
			room, err := guest.FindRoom(t.Context(), "Friday")
			if err != nil || room.Key != playerOf(1).key || room.State != state || room.Instance != hosting.Instance() {
				t.Fatalf("%+v, %v", room, err)
			}
			for _, tt := range []struct {
				secret string
				want   signal.Failure
			}{{"guess", signal.WrongPassword}, {secret, 0}} {
				if secret == "" && tt.want != 0 {
					continue
				}
				g, err := guest.JoinRoom(t.Context(), room)
				if err != nil {
					t.Fatal(err)
				}
				h, err := hosting.Visitor(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if h.By() != signal.ByRoom || g.Expect() != room.Key {
					t.Errorf("by %q, expecting %x", h.By(), g.Expect())
				}
				_, _, hostErr, guestErr := pairUp(t, h, g, secret, tt.secret)
				wantFailure(t, "host", hostErr, tt.want)
				wantFailure(t, "guest", guestErr, tt.want)
				h.Close()
			}
			// A room is not spent by who came.
			if _, ended := hosting.Code(); ended != 0 {
				t.Errorf("the code has ended: %s", ended.Name())
			}
		})
	}
}

func TestStateOfARoomIsSeenAtOnce(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, _ := w.hosting(atHome)
		guest := w.dial(away)
		for _, tt := range []struct {
			state string
			want  signal.Failure
		}{
			{signal.RoomStateOpen, 0}, {signal.RoomStateFull, signal.RoomFull},
			{signal.RoomStatePlaying, signal.RoomInMatch}, {signal.RoomStateLocked, 0},
		} {
			if err := hosting.List(t.Context(), playerOf(1).room("Friday", tt.state), playerOf(1).sign); err != nil {
				t.Fatal(err)
			}
			rooms, err := guest.Rooms(t.Context())
			if err != nil || len(rooms) != 1 || rooms[0].State != tt.state {
				t.Fatalf("%+v, %v", rooms, err)
			}
			v, err := guest.JoinRoom(t.Context(), rooms[0])
			wantFailure(t, "joining a room that is "+tt.state, err, tt.want)
			if v != nil {
				v.Close()
			}
		}
		room := playerOf(1).room("Friday", signal.RoomStateOpen)
		room.Instance = hosting.Instance()
		if err := hosting.Unlist(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, err := guest.JoinRoom(t.Context(), room)
		wantFailure(t, "joining a room that is not listed", err, signal.NoSuchRoom)
		_, err = guest.FindRoom(t.Context(), "Friday")
		wantFailure(t, "looking for it", err, signal.NoSuchRoom)
	})
}

func TestSeatOfARoomIsOne(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, _ := w.hosting(atHome)
		if err := hosting.List(t.Context(), playerOf(1).room("Friday", signal.RoomStateOpen), playerOf(1).sign); err != nil {
			t.Fatal(err)
		}
		guest, third := w.dial(away), w.dial(another)
		room, err := guest.FindRoom(t.Context(), hosting.Instance().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := guest.JoinRoom(t.Context(), room); err != nil {
			t.Fatal(err)
		}
		_, err = third.JoinRoom(t.Context(), room)
		wantFailure(t, "the third", err, signal.RoomFull)
	})
}

func TestRoomsWithOneName(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		guest := w.dial(away)
		var hostings []*signal.Hosting
		for range 2 {
			_, hosting, _ := w.hosting(atHome)
			if err := hosting.List(t.Context(), playerOf(1).room("Friday", signal.RoomStateOpen), playerOf(1).sign); err != nil {
				t.Fatal(err)
			}
			hostings = append(hostings, hosting)
		}
		_, err := guest.FindRoom(t.Context(), "Friday")
		wantFailure(t, "by a name that two have", err, signal.NoSuchRoom)
		if err := hostings[0].List(t.Context(), playerOf(1).room("Friday", signal.RoomStateFull), playerOf(1).sign); err != nil {
			t.Fatal(err)
		}
		if room, err := guest.FindRoom(t.Context(), "Friday"); err != nil || room.Instance != hostings[1].Instance() {
			t.Errorf("%+v, %v", room, err)
		}
	})
}

func TestListingMustBeTheHosts(t *testing.T) {
	for name, listing := range map[string]func(signal.Mailbox) []byte{
		"another instance": func(signal.Mailbox) []byte {
			b, _ := playerOf(1).room("x", signal.RoomStateOpen).Append(nil, playerOf(1).sign)
			return b
		},
		"another's signature": func(m signal.Mailbox) []byte {
			l := playerOf(1).room("x", signal.RoomStateOpen)
			l.Instance = m
			b, _ := l.Append(nil, playerOf(2).sign)
			return b
		},
		"no listing": func(signal.Mailbox) []byte { return []byte("x") },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(Limits{}.orDefaults(), func(string) []signal.ICEServer { return nil })
			now := time.Unix(1_000_000, 0)
			c, _ := d.open(now, prefixOf(remote(atHome).Addr()))
			if why := d.request(now, c, signal.Request{N: 1, Do: signal.DoHost}); why != 0 {
				t.Fatal(why)
			}
			if why := d.request(now, c, signal.Request{N: 2, Do: signal.DoList, Listing: listing(c.box.instance)}); why != signal.ProtocolError {
				t.Errorf("the server says %q", why.Name())
			}
			if d.rooms != 0 {
				t.Error("it is listed")
			}
		})
	}
}

// A room whose host is lost is not shown; one that comes back is.
func TestRoomOfALostHost(t *testing.T) {
	inWorld(t, Config{}, func(t *testing.T, w *world) {
		_, hosting, _ := w.hosting(atHome)
		if err := hosting.List(t.Context(), playerOf(1).room("Friday", signal.RoomStateOpen), playerOf(1).sign); err != nil {
			t.Fatal(err)
		}
		guest := w.dial(away)
		w.cut(atHome)
		time.Sleep(time.Second)
		if rooms, err := guest.Rooms(t.Context()); err != nil || len(rooms) != 0 {
			t.Errorf("%v, %v", rooms, err)
		}
		if err := hosting.List(t.Context(), playerOf(1).room("Friday", signal.RoomStateLocked), playerOf(1).sign); err != nil {
			t.Fatal(err)
		}
		if rooms, err := guest.Rooms(t.Context()); err != nil || len(rooms) != 1 {
			t.Errorf("%v, %v", rooms, err)
		}
	})
}
