//go:build linux

package nstest

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	Main(m, map[string]Role{"echo": echo, "ask": ask})
}

// echo serves one connection at a time, and says where.
func echo(args []string) int {
	l, err := net.Listen("tcp", args[0])
	if err != nil {
		fmt.Println("ERROR", err)
		return 1
	}
	fmt.Println("READY")
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprintln(c, "from", c.RemoteAddr().(*net.TCPAddr).IP)
			c.Close()
		}
	}()
	for s := bufio.NewScanner(os.Stdin); s.Scan(); {
		fmt.Println("HEARD", s.Text())
	}
	return 0
}

func ask(args []string) int {
	c, err := net.Dial("tcp", args[0])
	if err != nil {
		fmt.Println("ERROR", err)
		return 1
	}
	s := bufio.NewScanner(c)
	s.Scan()
	fmt.Println("GOT", s.Text())
	return 0
}

func TestTwoMachinesOnASwitch(t *testing.T) {
	Run(t, func(w *World) {
		s := w.Switch("home")
		a, b, lonely := w.Machine("a"), w.Machine("b"), w.Machine("c")
		a.Plug(s, "eth0", "10.77.0.1/24", "fd77::1/64")
		b.Plug(s, "eth0", "10.77.0.2/24", "fd77::2/64")
		server := a.Start("echo", ":7777")
		server.Expect("READY")
		server.Tell("hello")
		if got := server.Expect("HEARD"); got != "hello" {
			t.Errorf("heard %q", got)
		}
		if got := b.Start("ask", "10.77.0.1:7777").Expect("GOT"); got != "from 10.77.0.2" {
			t.Errorf("got %q", got)
		}
		if got := b.Start("ask", "[fd77::1]:7777").Expect("GOT"); got != "from fd77::2" {
			t.Errorf("got %q", got)
		}
		lonely.Start("ask", "10.77.0.1:7777").Expect("ERROR")
		server.Kill()
		b.Start("ask", "10.77.0.1:7777").Expect("ERROR")
	})
}
