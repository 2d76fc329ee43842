//go:build linux

package lan

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p"
	"github.com/cleavegame/cleave/p2p/nstest"
)

func TestMain(m *testing.M) {
	// The programs that a test starts know the same players as the test.
	if s, ok := os.LookupEnv("CLEAVE_LAN_SALT"); ok {
		salt = s
	} else {
		os.Setenv("CLEAVE_LAN_SALT", salt)
	}
	nstest.Main(m, map[string]nstest.Role{"host": hostRole, "guest": guestRole, "watch": watchRole})
}

func say(line ...any) { fmt.Println(line...) }

// hostRole hosts a room, in a match with a guest if it is given one, and
// sends back what it receives.
func hostRole(args []string) int {
	flags := flag.NewFlagSet("host", flag.ExitOnError)
	match := flags.String("match", "", "player with whom to go on with a match")
	flags.Parse(args)
	n, err := New(player("host"), Options{})
	if err != nil {
		say("ERROR", err)
		return 1
	}
	defer n.Close()
	info := RoomInfo{State: p2p.RoomOpen, Clocks: "off"}
	if *match != "" {
		info.State, info.Resume, info.Peer = p2p.RoomPlaying, "secret", player(*match).Key
	}
	if err := n.Announce(info); err != nil {
		say("ERROR", err)
		return 1
	}
	say("PORT", n.Port())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go n.Run(ctx)
	go func() {
		for {
			c, err := n.Accept(ctx)
			if err != nil {
				return
			}
			say("GUEST", c.Info().Path, c.Info().Remote)
			go func() {
				for {
					f, err := c.Receive(ctx)
					if err != nil {
						say("OVER", err)
						return
					}
					c.Send(f)
				}
			}()
		}
	}()
	bufio.NewReader(os.Stdin).ReadString(0)
	return 0
}

// guestRole does what it is told, a word a line, and answers each.
func guestRole(args []string) int {
	flags := flag.NewFlagSet("guest", flag.ExitOnError)
	addr := flags.String("addr", "", "address of the host, which is looked for if there is none")
	match := flags.Bool("match", false, "go on with a match")
	flags.Parse(args)
	n, err := New(player("guest"), Options{})
	if err != nil {
		say("ERROR", err)
		return 1
	}
	defer n.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var c p2p.Conn
	for words := bufio.NewScanner(os.Stdin); words.Scan(); {
		start := time.Now()
		switch words.Text() {
		case "join":
			room := p2p.Room{Addrs: []string{*addr}}
			if *addr == "" {
				if room, err = n.Find(ctx, func(r p2p.Room) bool { return r.Key == player("host").Key }); err != nil {
					break
				}
				say("FOUND", room.Addrs)
			}
			pass := Pass{}
			if *match {
				pass.Resume = "secret"
			}
			if c, err = n.Dial(ctx, room, pass); err == nil {
				say("JOINED", c.Info().Path, c.Info().Remote)
			}
		case "talk":
			frame := bytes.Repeat([]byte("x"), 200)
			if err = c.Send(frame); err != nil {
				break
			}
			var f []byte
			if f, err = c.Receive(ctx); err == nil && bytes.Equal(f, frame) {
				say("TALKED")
			}
		case "flood":
			for err = nil; err == nil; err = c.Send(make([]byte, p2p.MaxFrame)) {
			}
			if errors.Is(err, p2p.ErrBusy) {
				err = nil
				say("FLOODED")
			}
		case "close":
			if err = c.Close(); err == nil {
				say("CLOSED", time.Since(start).Milliseconds())
			}
		}
		if err != nil {
			say("ERROR", err)
			return 1
		}
	}
	return 0
}

// watchRole says how many rooms of the host it sees, whenever that changes.
func watchRole([]string) int {
	n, err := New(player("watcher"), Options{})
	if err != nil {
		say("ERROR", err)
		return 1
	}
	defer n.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	last := ""
	go n.Browse(ctx, func(rooms []p2p.Room, trouble error) {
		count := 0
		for _, r := range rooms {
			if r.Key == player("host").Key {
				count++
			}
		}
		now := fmt.Sprint(count)
		if trouble != nil {
			now = "none: " + trouble.Error()
		}
		if now != last {
			say("ROOMS", now)
		}
		last = now
	})
	bufio.NewReader(os.Stdin).ReadString(0)
	return 0
}

// joined lets guest join and talk, and returns how it travels and where to.
func joined(guest *nstest.Program) (path, remote string) {
	guest.Tell("join")
	path, remote, _ = strings.Cut(guest.Expect("JOINED"), " ")
	guest.Tell("talk")
	guest.Expect("TALKED")
	return path, remote
}

func TestTwoMachinesEitherFirst(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"host", "guest"} {
		t.Run(first+" first", func(t *testing.T) {
			nstest.Run(t, func(w *nstest.World) {
				home := w.Switch("home")
				a, b := w.Machine("a"), w.Machine("b")
				a.Plug(home, "eth0", "10.77.0.1/24", "fd77::1/64")
				b.Plug(home, "eth0", "10.77.0.2/24", "fd77::2/64")
				var host, guest *nstest.Program
				if first == "host" {
					host = a.Start("host")
					host.Expect("PORT")
				}
				guest = b.Start("guest")
				guest.Tell("join")
				if first == "guest" {
					host = a.Start("host")
				}
				path, _, _ := strings.Cut(guest.Expect("JOINED"), " ")
				if path != "quic" {
					t.Errorf("travels by %s, want quic", path)
				}
				guest.Tell("talk")
				guest.Expect("TALKED")
				host.Expect("GUEST")
			})
		})
	}
}

func TestOneInterfaceOfThreeShared(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		shared := w.Switch("shared")
		a, b := w.Machine("a"), w.Machine("b")
		for i := 1; i <= 2; i++ {
			a.Plug(w.Switch(fmt.Sprint("ofa", i)), fmt.Sprint("eth", i), fmt.Sprintf("10.%d.0.1/24", i))
			// The same subnets as the other's, and another machine in them.
			b.Plug(w.Switch(fmt.Sprint("ofb", i)), fmt.Sprint("eth", i), fmt.Sprintf("10.%d.0.2/24", i))
		}
		a.Plug(shared, "eth9", "10.9.0.1/24")
		b.Plug(shared, "eth9", "10.9.0.2/24")
		a.Start("host").Expect("PORT")
		if _, remote := joined(b.Start("guest")); !strings.HasPrefix(remote, "10.9.0.1:") {
			t.Errorf("met at %s, want 10.9.0.1", remote)
		}
	})
}

func TestIPv6Only(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		home := w.Switch("home")
		a, b := w.Machine("a"), w.Machine("b")
		a.Plug(home, "eth0", "fd77::1/64")
		b.Plug(home, "eth0", "fd77::2/64")
		a.Start("host").Expect("PORT")
		if _, remote := joined(b.Start("guest")); !strings.HasPrefix(remote, "[fd77::1]:") {
			t.Errorf("met at %s, want fd77::1", remote)
		}
	})
}

func TestTwoProgramsOnOneMachine(t *testing.T) {
	t.Parallel()
	for _, network := range []string{"none", "IPv4", "IPv6"} {
		t.Run(network, func(t *testing.T) {
			nstest.Run(t, func(w *nstest.World) {
				m := w.Machine("a")
				switch network {
				case "IPv4":
					m.Plug(w.Switch("home"), "eth0", "10.77.0.1/24")
				case "IPv6":
					m.Plug(w.Switch("home"), "eth0", "fd77::1/64")
				}
				m.Start("host").Expect("PORT")
				joined(m.Start("guest"))
			})
		})
	}
}

func TestCrashedHostLeavesAndComesBackElsewhere(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		home := w.Switch("home")
		a, b := w.Machine("a"), w.Machine("b")
		a.Plug(home, "eth0", "10.77.0.1/24", "fd77::1/64")
		b.Plug(home, "eth0", "10.77.0.2/24", "fd77::2/64")
		host := a.Start("host", "-match", "guest")
		port := host.Expect("PORT")
		watch := b.Start("watch")
		for watch.Expect("ROOMS") != "1" {
		}
		guest := b.Start("guest", "-match")
		joined(guest)
		host.Kill()
		for watch.Expect("ROOMS") != "0" {
		}
		again := a.Start("host", "-match", "guest")
		if again.Expect("PORT") == port {
			t.Error("the host came back on its old port, which proves nothing")
		}
		for watch.Expect("ROOMS") != "1" {
		}
		joined(guest)
	})
}

func TestLinksThatComeLate(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		home := w.Switch("home")
		a, b := w.Machine("a"), w.Machine("b")
		a.IP("link", "set", "lo", "down")
		b.IP("link", "set", "lo", "down")
		a.Start("host").Expect("PORT")
		watch := b.Start("watch")
		if got := watch.Expect("ROOMS"); got != "0" {
			t.Errorf("begins with %s rooms", got)
		}
		if got := watch.Expect("ROOMS"); !strings.HasPrefix(got, "none: LAN play unavailable: ") {
			t.Errorf("without an interface: %s", got)
		}
		a.Plug(home, "eth0", "10.77.0.1/24")
		b.Plug(home, "eth0", "10.77.0.2/24")
		for watch.Expect("ROOMS") != "1" {
		}
		joined(b.Start("guest"))
	})
}

func TestPulledCableHangsNothing(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		home := w.Switch("home")
		a, b := w.Machine("a"), w.Machine("b")
		a.Plug(home, "eth0", "10.77.0.1/24")
		b.Plug(home, "eth0", "10.77.0.2/24")
		a.IP("link", "set", "eth0", "multicast", "off")
		host := a.Start("host")
		guest := b.Start("guest", "-addr", net.JoinHostPort("10.77.0.1", host.Expect("PORT")))
		joined(guest) // with no multicast, by its address
		home.Cut()
		guest.Tell("flood")
		guest.Expect("FLOODED")
		guest.Tell("close")
		t.Logf("closed after %s ms", guest.Expect("CLOSED"))
		home.Heal()
		// The host has heard nothing of all this, and takes us for who we are.
		joined(guest)
		host.Expect("OVER")
	})
}
