//go:build !js

package lan

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
)

// maxAddrs is how many addresses of one room are announced and tried. More
// would not fit into one packet, and machines with more have them for their
// containers.
const maxAddrs = 16

// ground is where multicast DNS is spoken at this moment: it changes as links
// come and go, and the library freezes it at each construction.
type ground struct {
	interfaces []net.Interface
	prefixes   []netip.Prefix // their addresses, with the subnets they are in
	loopback   bool           // this machine has no network but itself
}

var errNoInterface = errors.New("no network interface that can multicast")

// survey looks at the machine's interfaces. If only names them, no other is
// used. A machine with none but loopback talks to itself there.
func survey(only []string) (ground, error) {
	all, err := net.Interfaces()
	if err != nil {
		return ground{}, fmt.Errorf("listing the network interfaces: %w", err)
	}
	var g ground
	var lo *net.Interface
	var loAddrs []netip.Prefix
	for _, i := range all {
		if i.Flags&net.FlagUp == 0 || len(only) > 0 && !slices.Contains(only, i.Name) {
			continue
		}
		prefixes := usable(i)
		switch {
		case len(prefixes) == 0:
		case i.Flags&net.FlagLoopback != 0:
			lo, loAddrs = &i, prefixes
		case i.Flags&net.FlagMulticast != 0:
			g.interfaces = append(g.interfaces, i)
			g.prefixes = append(g.prefixes, prefixes...)
		}
	}
	if len(g.interfaces) == 0 && lo != nil {
		g = ground{interfaces: []net.Interface{*lo}, prefixes: loAddrs, loopback: true}
	}
	if len(g.interfaces) == 0 {
		return ground{}, errNoInterface
	}
	return g, nil
}

// usable lists the addresses of i that somebody else can dial: IPv6 link-local
// ones are announced without their zone and so cannot be. On loopback only
// IPv4 carries multicast.
func usable(i net.Interface) []netip.Prefix {
	addrs, err := i.Addrs()
	if err != nil {
		return nil
	}
	var usable []netip.Prefix
	for _, a := range addrs {
		n, ok := a.(*net.IPNet)
		if !ok {
			continue
		}
		ip, ok := netip.AddrFromSlice(n.IP)
		if !ok {
			continue
		}
		ip = ip.Unmap()
		bits, _ := n.Mask.Size()
		if dialable(ip, i.Flags&net.FlagLoopback != 0) {
			usable = append(usable, netip.PrefixFrom(ip, bits))
		}
	}
	return usable
}

// dialable reports whether a room can be at ip.
func dialable(ip netip.Addr, loopback bool) bool {
	if loopback {
		return ip.IsLoopback() && ip.Is4()
	}
	return ip.IsGlobalUnicast() || ip.IsLinkLocalUnicast() && ip.Is4()
}

// addrs are the own addresses, as many as are announced.
func (g ground) addrs() []string {
	var addrs []string
	for _, p := range g.prefixes {
		if len(addrs) < maxAddrs {
			addrs = append(addrs, p.Addr().String())
		}
	}
	return addrs
}

// near reports whether ip is in a subnet of this machine.
func (g ground) near(ip netip.Addr) bool {
	return slices.ContainsFunc(g.prefixes, func(p netip.Prefix) bool { return p.Masked().Contains(ip) })
}

// sameAs reports whether nothing has changed that an announcement says.
func (g ground) sameAs(h ground) bool {
	return slices.Equal(g.prefixes, h.prefixes) && slices.EqualFunc(g.interfaces, h.interfaces, func(a, b net.Interface) bool {
		return a.Index == b.Index && a.Name == b.Name && a.Flags == b.Flags
	})
}
