//go:build !js

package rtc

import (
	"context"
	"net"
	"testing"

	"github.com/pion/transport/v5"

	"github.com/cleavegame/cleave/p2p/signal"
)

var _ transport.Net = (*network)(nil)

func TestNetworkHidesLinkLocal(t *testing.T) {
	list, err := (&network{ctx: t.Context()}).Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, i := range list {
		addrs, _ := i.Addrs()
		for _, a := range addrs {
			seen++
			if ip, ok := ipOf(a); !ok || ip.IsLinkLocalUnicast() {
				t.Errorf("%s has %v", i.Name, a)
			}
		}
	}
	if seen == 0 {
		t.Error("no address at all, not even of lo")
	}
}

func TestNetworkResolves(t *testing.T) {
	n := &network{ctx: t.Context()}
	for _, tt := range []struct{ network, address, want string }{
		{"udp4", "192.0.2.1:3478", "192.0.2.1:3478"},
		{"udp", "[2001:db8::1]:3478", "[2001:db8::1]:3478"},
		{"udp6", "[2001:db8::1]:3478", "[2001:db8::1]:3478"},
		{"udp4", "[2001:db8::1]:3478", ""},
		{"udp6", "192.0.2.1:3478", ""},
		{"udp4", "192.0.2.1", ""},
		{"udp4", "192.0.2.1:70000", ""},
		{"udp4", "192.0.2.1:stun", ""},
	} {
		got := ""
		if a, err := n.ResolveUDPAddr(tt.network, tt.address); err == nil {
			got = a.String()
		}
		if got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.network, tt.address, got, tt.want)
		}
	}
	if a, err := n.ResolveTCPAddr("tcp4", "127.0.0.1:80"); err != nil || a.String() != "127.0.0.1:80" {
		t.Errorf("%v, %v", a, err)
	}
}

// A link that is closed keeps no dial alive.
func TestNetworkEnds(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	to := l.Addr().(*net.TCPAddr)
	ctx, cancel := context.WithCancel(t.Context())
	n := &network{ctx: ctx}
	c, err := n.DialTCP("tcp4", nil, to)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	cancel()
	if c, err := n.DialTCP("tcp4", nil, to); err == nil {
		c.Close()
		t.Error("dials after its end")
	}
	if _, err := n.ResolveUDPAddr("udp4", "name.invalid:1"); err == nil {
		t.Error("resolves after its end")
	}
}

func TestServerHere(t *testing.T) {
	for _, tt := range []struct {
		url  string
		want bool
	}{
		{"turn:127.0.0.1:3478?transport=udp", true},
		{"stun:localhost", true},
		{"stun:[::1]:3478", true},
		{"stun:[::1]", true},
		{"turn:192.0.2.1:3478?transport=tcp", false},
		{"stun:[2001:db8::1]:3478", false},
		{"stun:relay.example:3478", false},
		{"", false},
	} {
		if got := serverHere([]signal.ICEServer{{URLs: []string{tt.url}}}); got != tt.want {
			t.Errorf("%q: %v", tt.url, got)
		}
	}
}
