//go:build !js

package lan

import (
	"bytes"
	"log"
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/grandcat/zeroconf"
)

func TestOnlyTheLibrarysLinesAreHushed(t *testing.T) {
	var out bytes.Buffer
	l := log.New(quiet{&out}, "", 0)
	l.Print("[zeroconf] no suitable IPv6 interface: none")
	l.Print("[ERR] zeroconf: failed to send probe: no")
	l.Print("something else")
	if out.String() != "something else\n" {
		t.Errorf("printed %q", out.String())
	}
}

func TestWhatOthersAnnounceIsSifted(t *testing.T) {
	g := ground{prefixes: []netip.Prefix{netip.MustParsePrefix("10.77.0.2/24")}}
	ips := func(s ...string) (ips []net.IP) {
		for _, s := range s {
			ips = append(ips, net.ParseIP(s))
		}
		return ips
	}
	entry := func(port int, v4, v6 []net.IP) *zeroconf.ServiceEntry {
		return &zeroconf.ServiceEntry{Port: port, Text: txt(sample), AddrIPv4: v4, AddrIPv6: v6}
	}
	room, err := g.read(entry(7, ips("192.168.1.1", "127.0.0.1", "0.0.0.0", "224.0.0.1", "10.77.0.1", "169.254.1.1"), ips("fe80::1", "::1", "ff02::1", "fd77::1", "::ffff:10.77.0.9")))
	if got, want := strings.Join(room.Addrs, " "), "10.77.0.1:7 10.77.0.9:7 192.168.1.1:7 169.254.1.1:7 [fd77::1]:7"; err != nil || got != want {
		t.Errorf("addresses %s, %v; want %s", got, err, want)
	}
	var many []net.IP
	for i := range 100 {
		many = append(many, net.IPv4(10, 0, 0, byte(i+1)))
	}
	if room, err := g.read(entry(7, many, nil)); err != nil || len(room.Addrs) != maxAddrs {
		t.Errorf("%d addresses, %v", len(room.Addrs), err)
	}
	long := entry(7, ips("10.77.0.1"), nil)
	for range 32 {
		long.Text = append(long.Text, "x=y")
	}
	for name, e := range map[string]*zeroconf.ServiceEntry{
		"no address":                          entry(7, nil, nil),
		"only addresses that nobody can dial": entry(7, ips("127.0.0.1"), ips("fe80::1")),
		"an address of no length":             entry(7, []net.IP{{1, 2}}, nil),
		"no port":                             entry(0, ips("10.77.0.1"), nil),
		"a port too high":                     entry(65536, ips("10.77.0.1"), nil),
		"a long record":                       long,
		"a malformed record":                  {Port: 7, AddrIPv4: ips("10.77.0.1")},
	} {
		if room, err := g.read(e); err == nil {
			t.Errorf("%s: accepted as %+v", name, room)
		}
	}
}
