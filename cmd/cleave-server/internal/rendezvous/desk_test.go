package rendezvous

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/signal"
)

func TestPrefixOf(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.1":            "192.0.2.1/32",
		"::ffff:192.0.2.1":     "192.0.2.1/32",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"fe80::1%eth0":         "fe80::/64",
	} {
		if got := prefixOf(netip.MustParseAddr(text)); got.String() != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if prefixOf(netip.Addr{}).IsValid() {
		t.Error("no address has a prefix")
	}
}

// Who is told that the server goes hears nothing behind that: not that the other
// player left, whose socket the server closed as well.
func TestNothingIsSaidBehindTheEnd(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	d := newDesk(Limits{}.orDefaults(), func(string) []signal.ICEServer { return nil })
	var clients [2]*client
	for i := range clients {
		c, why := d.open(now, netip.MustParsePrefix("192.0.2.1/32"))
		if why != 0 {
			t.Fatal(why)
		}
		clients[i] = c
	}
	host, guest := clients[0], clients[1]
	if _, why := d.host(now, host); why != 0 {
		t.Fatal(why)
	}
	v := d.beginVisit(now, host.box, host, guest, signal.ByCode)
	v.spoken = true
	for _, c := range clients {
		for len(c.out) > 0 {
			<-c.out
		}
		c.end(signal.NoServer)
	}
	d.lost(now, host)
	if len(guest.out) != 0 {
		t.Errorf("the guest is told %s", (<-guest.out).data)
	}
}

// Numbers are spread over a hundred times the open mailboxes, and rest for a
// day.
func TestNumbers(t *testing.T) {
	n := newNumbers()
	now := time.Unix(1_000_000, 0)
	given := map[uint32]time.Time{}
	var open []*mailbox
	longest := uint32(0)
	for i := range 3000 {
		b := &mailbox{}
		if !n.assign(b) {
			t.Fatal("no number is free")
		}
		if at, ok := given[b.number]; ok && now.Sub(at) < restFor {
			t.Fatalf("%d was given again after %v", b.number, now.Sub(at))
		}
		given[b.number] = now
		longest = max(longest, b.number)
		if i < 20 && b.number > 100*20*2 {
			t.Errorf("%d is longer than it need be", b.number)
		}
		if open = append(open, b); len(open) > 20 {
			n.retire(now, open[0], signal.CodeUsed)
			open = open[1:]
		}
		now = now.Add(time.Minute)
		n.sweep(now)
	}
	if len(n.resting) > 24*60 || len(n.names) > 60 || len(n.open) != 20 {
		t.Errorf("%d numbers rest, %d names are remembered, %d are open", len(n.resting), len(n.names), len(n.open))
	}
	if longest > 100*20*64 {
		t.Errorf("the longest number is %d", longest)
	}
}

func TestRestingNumbersAreBounded(t *testing.T) {
	n := newNumbers()
	for i := range uint32(restingLimit) {
		n.resting[i] = past{}
	}
	if n.assign(&mailbox{}) {
		t.Error("another number was given")
	}
}

func TestBucketsForget(t *testing.T) {
	b := newBuckets(3, 60)
	now := time.Unix(1_000_000, 0)
	p := netip.MustParsePrefix("192.0.2.1/32")
	for i := range 5 {
		if got := b.take(now, p); got != (i < 3) {
			t.Errorf("take %d: %v", i, got)
		}
	}
	b.sweep(now.Add(time.Second))
	if len(b.by) != 1 {
		t.Error("forgotten too early")
	}
	// A clock that is set back gives and takes nothing.
	b.sweep(now.Add(-time.Hour))
	b.sweep(now.Add(10 * time.Second))
	if len(b.by) != 0 {
		t.Error("not forgotten")
	}
}

// FuzzDesk lets three clients say anything at any time: nothing panics, no
// client is in two places, and when all have left nothing remains.
func FuzzDesk(f *testing.F) {
	f.Add([]byte("0\x11{\"n\":1,\"do\":\"host\"}"))
	f.Add([]byte("\x00\x01\x00\x01\x80\x03\x01\x81\x02\x02\x02\x03\x05\x10"))
	f.Fuzz(func(t *testing.T, script []byte) {
		d := newDesk(Limits{}.orDefaults(), func(string) []signal.ICEServer { return nil })
		now := time.Unix(1_000_000, 0)
		var clients [3]*client
		var tokens []string
		next := func() byte {
			if len(script) == 0 {
				return 0
			}
			b := script[0]
			script = script[1:]
			return b
		}
		dos := []string{signal.DoHost, signal.DoRenew, signal.DoBack, signal.DoUnhost, signal.DoList, signal.DoUnlist,
			signal.DoRooms, signal.DoJoin, signal.DoMeet, signal.DoLeave, signal.DoPing, "x"}
		for len(script) > 0 {
			i := int(next() % 3)
			if clients[i] == nil {
				clients[i], _ = d.open(now, prefixOf(netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})))
			}
			c := clients[i]
			var why signal.Failure
			switch op := next(); op % 8 {
			case 0: // raw bytes
				n := min(int(next()), len(script))
				why = d.message(now, c, script[:n], op < 128)
				script = script[n:]
			case 1, 2: // a message of a visit
				message := []byte{next() % 8, next()}
				visit := uint32(next() % 4)
				why = d.message(now, c, append(binary.BigEndian.AppendUint32(nil, visit), message...), false)
			case 3: // time goes by
				now = now.Add(time.Duration(next()) * 5 * time.Second)
				d.sweep(now)
			case 4: // the socket is lost
				d.lost(now, c)
				clients[i] = nil
			default:
				r := signal.Request{N: uint32(next() % 2), Do: dos[int(next())%len(dos)], Visit: uint32(next() % 3)}
				for _, b := range clients {
					if b != nil && b.box != nil && next()%2 == 0 {
						r.Number = b.box.number
						r.Mailbox = b.box.name.String()
						if next()%2 == 0 {
							r.Instance = b.box.instance.String()
						}
					}
				}
				if r.Do == signal.DoList && c.box != nil {
					l := playerOf(1).room("x", []string{"open", "full"}[next()%2])
					l.Instance = c.box.instance
					r.Listing, _ = l.Append(nil, playerOf(1).sign)
				}
				if r.Do == signal.DoMeet {
					r.Role = []string{"host", "guest"}[next()%2]
					r.Address = "00000000000000000000000000000000000000000000000000000000000000" + []string{"00", "01"}[next()%2]
				}
				if r.Do == signal.DoBack && len(tokens) > 0 {
					r.Token = tokens[int(next())%len(tokens)]
				}
				why = d.message(now, c, signal.Marshal(r), true)
			}
			for _, c := range clients {
				if c == nil {
					continue
				}
				for len(c.out) > 0 {
					if m := <-c.out; m.text {
						r, err := signal.ParseReply(m.data)
						if err != nil {
							t.Fatalf("%q: %v", m.data, err)
						}
						if r.Token != "" {
							tokens = append(tokens, r.Token)
						}
					}
				}
			}
			if why != 0 && clients[i] != nil {
				d.lost(now, c)
				clients[i] = nil
			}
			checkDesk(t, d)
		}
		for _, c := range clients {
			if c != nil {
				d.lost(now, c)
			}
		}
		d.sweep(now.Add(hostGrace))
		checkDesk(t, d)
		if len(d.clients)+len(d.boxes)+len(d.visits)+len(d.meetings)+len(d.tokens)+len(d.listed)+d.rooms+len(d.sockets)+
			len(d.numbers.open)+len(d.numbers.byName) != 0 {
			t.Errorf("left over: %+v", d)
		}
	})
}

// checkDesk checks what must always hold.
func checkDesk(t *testing.T, d *desk) {
	t.Helper()
	for c := range d.clients {
		places := 0
		if c.box != nil {
			places++
			if c.box.host != c {
				t.Error("a client hosts a mailbox that another hosts")
			}
		}
		if c.meeting != nil {
			places++
		}
		if places > 1 {
			t.Error("a client is in two places")
		}
		if v := c.visit; v != nil {
			if _, live := d.visits[v]; !live || v.host != c && v.guest != c {
				t.Error("a client is in a visit that is none of its own")
			}
		}
	}
	for v := range d.visits {
		if v.guest == nil || v.guest.visit != v {
			t.Error("a visit without its guest")
		}
		if v.box != nil && (v.box.visit != v || v.host != nil && v.host != v.box.host) {
			t.Error("a visit at a mailbox that does not know of it")
		}
	}
	for b := range d.boxes {
		if b.number != 0 && d.numbers.open[b.number] != b || b.visit != nil && b.visit.box != b {
			t.Error("a mailbox that cannot be found")
		}
	}
	if len(d.listed) != d.rooms {
		t.Errorf("%d rooms are listed, %d counted", len(d.listed), d.rooms)
	}
}
