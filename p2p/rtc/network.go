//go:build !js

package rtc

import (
	"context"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/pion/transport/v5"
	"github.com/pion/transport/v5/stdnet"

	"github.com/cleavegame/cleave/p2p/signal"
)

// dialTime bounds the TCP dial to a relay. A firewall that swallows it must not
// keep a failed attempt alive for the two minutes that the kernel would try.
const dialTime = 5 * time.Second

// network is the machine's network as pion sees it: as it is now (pion's own
// remembers the interfaces of its first look), without link-local addresses
// (nobody else can use them without knowing the interface), and with look-ups
// and dials that end with ctx.
type network struct {
	stdnet.Net
	ctx context.Context
}

var _ transport.Net = (*network)(nil)

// Interfaces lists the interfaces that are there now.
func (*network) Interfaces() ([]*transport.Interface, error) {
	now, err := stdnet.NewNet()
	if err != nil {
		return nil, err
	}
	list, err := now.Interfaces()
	if err != nil {
		return nil, err
	}
	for _, i := range list {
		addrs, err := i.Addrs()
		if err != nil {
			continue // it has none
		}
		for _, a := range append([]net.Addr(nil), addrs...) {
			if ip, ok := ipOf(a); ok && ip.IsLinkLocalUnicast() {
				i.RemoveAddress(ip.AsSlice())
			}
		}
	}
	return list, nil
}

// ResolveUDPAddr looks a host up for as long as the link lives.
func (n *network) ResolveUDPAddr(network, address string) (*net.UDPAddr, error) {
	ap, err := n.resolve(network, address)
	if err != nil {
		return nil, err
	}
	return net.UDPAddrFromAddrPort(ap), nil
}

// ResolveTCPAddr looks a host up for as long as the link lives.
func (n *network) ResolveTCPAddr(network, address string) (*net.TCPAddr, error) {
	ap, err := n.resolve(network, address)
	if err != nil {
		return nil, err
	}
	return net.TCPAddrFromAddrPort(ap), nil
}

func (n *network) resolve(network, address string) (netip.AddrPort, error) {
	host, portText, err := net.SplitHostPort(address)
	if err != nil {
		return netip.AddrPort{}, err
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return netip.AddrPort{}, &net.AddrError{Err: "port is no number", Addr: address}
	}
	family := "ip"
	switch network[len(network)-1] {
	case '4':
		family = "ip4"
	case '6':
		family = "ip6"
	}
	ips, err := net.DefaultResolver.LookupNetIP(n.ctx, family, host)
	if err != nil {
		return netip.AddrPort{}, err
	}
	if len(ips) == 0 {
		return netip.AddrPort{}, &net.AddrError{Err: "no address of this family", Addr: address}
	}
	return netip.AddrPortFrom(ips[0].Unmap(), uint16(port)), nil
}

// DialTCP dials a relay.
func (n *network) DialTCP(network string, local, remote *net.TCPAddr) (transport.TCPConn, error) {
	d := net.Dialer{Timeout: dialTime}
	if local != nil {
		d.LocalAddr = local
	}
	c, err := d.DialContext(n.ctx, network, remote.String())
	if err != nil {
		return nil, err
	}
	return c.(*net.TCPConn), nil
}

// reachable reports whether the machine has an address that another could reach
// it at.
func reachable() bool {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return true // unknown: take the usual way
	}
	for _, a := range addrs {
		if ip, ok := ipOf(a); ok && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() {
			return true
		}
	}
	return false
}

// serverHere reports whether a server is on this very machine: then so are the
// peers, and a relay's addresses.
func serverHere(servers []signal.ICEServer) bool {
	for _, s := range servers {
		for _, u := range s.URLs {
			_, rest, _ := strings.Cut(u, ":")
			rest, _, _ = strings.Cut(rest, "?")
			host, _, err := net.SplitHostPort(rest)
			if err != nil {
				host = strings.Trim(rest, "[]")
			}
			if ip, err := netip.ParseAddr(host); host == "localhost" || err == nil && ip.IsLoopback() {
				return true
			}
		}
	}
	return false
}

func ipOf(a net.Addr) (netip.Addr, bool) {
	p, ok := a.(*net.IPNet)
	if !ok {
		return netip.Addr{}, false
	}
	ip, ok := netip.AddrFromSlice(p.IP)
	return ip.Unmap(), ok
}
