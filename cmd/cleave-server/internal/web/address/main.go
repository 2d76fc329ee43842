// Command address prints where the machine's own network reaches a server on
// it, as a URL and as a QR code for the phones at the table.
//
//	address [-port PORT] [-url URL]
//
// The URL is standard output, all the rest standard error. It exits with 1
// where the machine has no network.
package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"strconv"

	"github.com/skip2/go-qrcode"
)

func main() {
	port := flag.Int("port", 8080, "the server's port")
	url := flag.String("url", "", "show this `URL`, instead of looking for one")
	flag.Parse()
	if *url == "" {
		ip, err := own()
		if err != nil {
			fmt.Fprintln(os.Stderr, "address:", err)
			os.Exit(1)
		}
		*url = "http://" + net.JoinHostPort(ip.String(), strconv.Itoa(*port))
	}
	code, err := qrcode.New(*url, qrcode.Medium)
	if err != nil {
		fmt.Fprintln(os.Stderr, "address:", err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "%s\n", code.ToSmallString(false))
	fmt.Println(*url)
}

// own is this machine's address on its own network: that by which it would
// reach the rest of the world, else the first that others could reach. Nothing
// is sent to find out.
func own() (net.IP, error) {
	if c, err := net.Dial("udp4", "192.0.2.1:9"); err == nil {
		defer c.Close()
		if a, ok := c.LocalAddr().(*net.UDPAddr); ok && !a.IP.IsLoopback() {
			return a.IP, nil
		}
	}
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("listing the machine's addresses: %w", err)
	}
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() {
			return ip.IP, nil
		}
	}
	return nil, errors.New("this machine is on no network that a phone could reach it by")
}
