//go:build linux

package relay

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/nstest"
	"github.com/cleavegame/cleave/p2p/rtc"
	"github.com/cleavegame/cleave/p2p/signal"
)

// Addresses of TestBetweenNetworks.
const (
	relayIP  = "10.91.0.1"
	hostIP   = "10.91.1.2"
	guestIP  = "10.91.2.2"
	deskPort = "9000" // where the relay's machine passes the setup messages on
	greeting = "hello from the other network"
)

func TestMain(m *testing.M) {
	nstest.Main(m, map[string]nstest.Role{"relay": relayRole, "peer": peerRole})
}

// relayRole runs a relay and, in place of the rendezvous server, a desk that
// joins two TCP connections. It says everything that the desk passed on.
func relayRole([]string) int {
	s, err := Listen(Config{Listen: relayIP + ":3478", IP: netip.MustParseAddr(relayIP)})
	if err != nil {
		fmt.Println("ERROR", err)
		return 1
	}
	desk, err := net.Listen("tcp", relayIP+":"+deskPort)
	if err != nil {
		fmt.Println("ERROR", err)
		return 1
	}
	now := time.Now()
	servers, _ := json.Marshal([]signal.ICEServer{s.Credentials("host", now), s.Credentials("guest", now)})
	fmt.Println("SERVERS", string(servers))
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, os.Stdin) // until the test closes it
		stop()
	}()
	go func() {
		var ends [2]net.Conn
		for i := range ends {
			if ends[i], err = desk.Accept(); err != nil {
				return
			}
		}
		var both sync.WaitGroup
		var said [2]bytes.Buffer
		for i := range ends {
			both.Go(func() {
				io.Copy(ends[1-i], io.TeeReader(ends[i], &said[i]))
				ends[1-i].(*net.TCPConn).CloseWrite()
			})
		}
		both.Wait()
		fmt.Println("SAID", hex.EncodeToString(append(said[0].Bytes(), said[1].Bytes()...)))
	}()
	if err := s.Run(ctx); err != nil {
		return 1
	}
	return 0
}

// A report is what a peer tells at the end.
type report struct {
	Path, Remote, Got, Err string
	Took                   time.Duration
}

// peerRole connects as host or guest, and exchanges one frame.
func peerRole(args []string) int {
	var server signal.ICEServer
	if err := json.Unmarshal([]byte(args[2]), &server); err != nil {
		panic(err)
	}
	r := meetAtDesk(args[0] == "guest", args[1] == "true", server)
	b, _ := json.Marshal(r)
	fmt.Println("REPORT", string(b))
	return 0
}

func meetAtDesk(guest, relayOnly bool, server signal.ICEServer) (r report) {
	fail := func(err error) report { r.Err = err.Error(); return r }
	certificate, err := rtc.NewCertificate()
	if err != nil {
		return fail(err)
	}
	desk, err := net.Dial("tcp", relayIP+":"+deskPort)
	if err != nil {
		return fail(err)
	}
	defer desk.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	channel := newStreamChannel(desk)
	if err := channel.Send(ctx, certificate.Binding()); err != nil {
		return fail(err)
	}
	binding, err := channel.Receive(ctx)
	if err != nil {
		return fail(err)
	}
	began := time.Now()
	c, err := rtc.Connect(ctx, channel, rtc.Config{
		Certificate: certificate, PeerBinding: binding, Offerer: guest,
		Servers: []signal.ICEServer{server}, RelayOnly: relayOnly,
	})
	r.Took = time.Since(began)
	if err != nil {
		return fail(err)
	}
	defer c.Close()
	info := c.Info()
	r.Path, r.Remote = info.Path, info.Remote
	if err := c.Send([]byte(greeting)); err != nil {
		return fail(err)
	}
	frame, err := c.Receive(ctx)
	if err != nil {
		return fail(err)
	}
	r.Got = string(frame)
	return r
}

// streamChannel carries messages over a stream, each with its length before it.
type streamChannel struct {
	out io.Writer
	in  chan []byte
}

func newStreamChannel(c net.Conn) streamChannel {
	s := streamChannel{c, make(chan []byte, 100)}
	go func() {
		defer close(s.in)
		for {
			var size [2]byte
			if _, err := io.ReadFull(c, size[:]); err != nil {
				return
			}
			m := make([]byte, int(size[0])<<8|int(size[1]))
			if _, err := io.ReadFull(c, m); err != nil {
				return
			}
			s.in <- m
		}
	}()
	return s
}

func (s streamChannel) Send(_ context.Context, m []byte) error {
	_, err := s.out.Write(append([]byte{byte(len(m) >> 8), byte(len(m))}, m...))
	return err
}

func (s streamChannel) Receive(ctx context.Context) ([]byte, error) {
	select {
	case m, ok := <-s.in:
		if !ok {
			return nil, signal.PeerLeft
		}
		return m, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Three machines: the relay's has a link to each of the peers', and passes no
// packet from one to the other.
func TestBetweenNetworks(t *testing.T) {
	nstest.Run(t, func(w *nstest.World) {
		relay, host, guest := w.Machine("r"), w.Machine("h"), w.Machine("g")
		relay.IP("addr", "add", relayIP+"/32", "dev", "lo")
		for i, peer := range []*nstest.Machine{host, guest} {
			link := w.Switch(fmt.Sprintf("s%d", i))
			gateway := fmt.Sprintf("10.91.%d.1", i+1)
			relay.Plug(link, fmt.Sprintf("eth%d", i), gateway+"/24")
			peer.Plug(link, "eth0", fmt.Sprintf("10.91.%d.2/24", i+1))
			peer.IP("route", "add", "default", "via", gateway)
		}
		for _, relayOnly := range []bool{true, false} {
			server := relay.Start("relay")
			var servers []json.RawMessage
			if err := json.Unmarshal([]byte(server.Expect("SERVERS")), &servers); err != nil {
				t.Fatal(err)
			}
			only := fmt.Sprint(relayOnly)
			peers := map[string]*nstest.Program{
				"host":  host.Start("peer", "host", only, string(servers[0])),
				"guest": guest.Start("peer", "guest", only, string(servers[1])),
			}
			for who, peer := range peers {
				var r report
				if err := json.Unmarshal([]byte(peer.Expect("REPORT")), &r); err != nil {
					t.Fatal(err)
				}
				t.Logf("relayed paths alone: %v: %s open after %v at %s", relayOnly, who, r.Took, r.Remote)
				if r.Err != "" || r.Path != "relay" || r.Got != greeting {
					t.Errorf("%s: %+v", who, r)
				}
				if other, _, _ := net.SplitHostPort(r.Remote); other != relayIP {
					t.Errorf("%s sees the other at %s", who, r.Remote)
				}
			}
			said, err := hex.DecodeString(server.Expect("SAID"))
			if err != nil {
				t.Fatal(err)
			}
			told := bytes.Contains(said, []byte(hostIP)) || bytes.Contains(said, []byte(guestIP))
			if told == relayOnly {
				t.Errorf("relayed paths alone: %v, own addresses told: %v", relayOnly, told)
			}
			server.Stop()
		}
	})
}
