//go:build linux

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/nstest"
)

// get prints what is at a URL: a role of the test binary.
func get(args []string) int {
	resp, err := http.Get(args[0])
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Printf("BODY %s\n", strings.ReplaceAll(string(b), "\n", " "))
	return 0
}

// fetch reads JSON from a URL on a machine.
func fetch(t *testing.T, on *nstest.Machine, url string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(on.Start("get", url).Expect("BODY")), into); err != nil {
		t.Fatal(err)
	}
}

// serve starts a server on a machine.
func serve(t *testing.T, on *nstest.Machine, db, addr string, args ...string) *program {
	t.Helper()
	p := start(t, on, "cleave-server", append([]string{"--listen", addr, "--db", db, "--public-url", "http://" + addr}, args...)...)
	p.lineWith("listening")
	return p
}

const local = "127.0.0.1:8080"

// alone is a machine without a network, and a server on it.
func alone(t *testing.T, w *nstest.World) (*nstest.Machine, *program, string) {
	t.Helper()
	m := w.Machine("m")
	db := filepath.Join(t.TempDir(), "db")
	return m, serve(t, m, db, local, "--turn", "127.0.0.1:3478", "--turn-ip", "127.0.0.1"), db
}

type ladder struct {
	Players []struct {
		Code, Place, Note string
		Placement, Wins   int
	}
}

func TestByCodeRatedByDefault(t *testing.T) {
	t.Parallel()
	awayFromMidnight() // a season may end then
	nstest.Run(t, func(w *nstest.World) {
		m, server, _ := alone(t, w)
		url := "http://" + local
		a, b := newPlayer(t, m), newPlayer(t, m)
		host := a.start("host", "--server", url, "--json")
		var room struct{ Event, Code, Link, Player string }
		if err := json.Unmarshal([]byte(host.line()), &room); err != nil || room.Event != "room" || !strings.Contains(room.Link, "#") {
			t.Fatalf("first line %+v, %v", room, err)
		}
		guest := b.start("join", "--server", url, room.Code)
		play(t, host, guest)
		same(t, a.log(), b.log(), false)
		if out := verified(t, a.log()); !strings.Contains(out, room.Player) {
			t.Errorf("verify: %s", out)
		}
		for _, p := range []*program{host, guest} {
			if !strings.Contains(p.err(), "log confirmed") {
				t.Errorf("not confirmed: %s", p.err())
			}
		}
		var l ladder
		fetch(t, m, url+"/v1/ladder", &l)
		if len(l.Players) != 2 || l.Players[0].Placement != 1 || !strings.Contains(l.Players[0].Note, "1 of 5") || !strings.Contains(l.Players[1].Note, "1 of 5") {
			t.Errorf("ladder %+v", l)
		}
		// Handed in once more, the receipt is the same.
		_, first, _ := ctl(t, m, "submit", a.log(), "--server", url)
		code, second, errs := ctl(t, m, "submit", b.log(), "--server", url)
		if code != 0 || first != second || !strings.Contains(first, "signature") || !strings.Contains(errs, "confirmed") {
			t.Errorf("submit: %d, %s, %s, %s", code, first, second, errs)
		}
		file := filepath.Join(t.TempDir(), "bad")
		if err := os.WriteFile(file, append([]byte("CLEAVE\x02\x01"), make([]byte, 64)...), 0o644); err != nil {
			t.Fatal(err)
		}
		if code, out, errs := ctl(t, m, "submit", file, "--server", url); code != 1 || out != "" || !strings.Contains(errs, "101") {
			t.Errorf("a bad log: %d, %s, %s", code, out, errs)
		}
		server.stop()
		if code, _, _ := ctl(t, m, "submit", a.log(), "--server", url); code != 10 {
			t.Errorf("without the server: exit code %d", code)
		}
	})
}

func TestAListedRoom(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		m, _, _ := alone(t, w)
		url := "http://" + local
		a, b := newPlayer(t, m, "--think", "400"), newPlayer(t, m, "--think", "400")
		host := a.start("host", "--server", url, "--list", "--room", "Garden", "--password", "sesame", "--name", "Ann")
		host.line()
		rooms := func() string {
			_, out, _ := ctl(t, m, "rooms", "--server", url)
			return out
		}
		if out := rooms(); !strings.HasPrefix(out, "Garden locked standard rated ") || !strings.HasSuffix(out, " Ann\n") {
			t.Errorf("rooms: %q", out)
		}
		wrong := newPlayer(t, m, "--friendly").start("join", "--server", url, "--room", "Garden", "--password", "open")
		wrong.must(21)
		none := newPlayer(t, m, "--friendly").start("join", "--server", url, "--room", "Attic", "--wait", "1s")
		none.must(25)
		guest := letIn(t, func() *program { return b.start("join", "--server", url, "--room", "Garden", "--password", "sesame") })
		eventually(t, "seen playing", func() bool { return strings.HasPrefix(rooms(), "Garden playing ") })
		late := newPlayer(t, m, "--friendly").start("join", "--server", url, "--room", "Garden", "--password", "sesame")
		late.must(24)
		play(t, host, guest)
		same(t, a.log(), b.log(), false)
		if out := rooms(); out != "" {
			t.Errorf("rooms after the host went: %q", out)
		}
	})
}

func TestCodesThatDoNotWork(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		m, server, _ := alone(t, w)
		url := "http://" + local
		a := newPlayer(t, m)
		host := a.start("host", "--server", url, "--friendly")
		code := host.line()
		number, _, _ := strings.Cut(code, "-")

		expect := func(name string, want int, args ...string) {
			t.Helper()
			p := newPlayer(t, m).start(append([]string{"join"}, args...)...)
			if got := p.wait(); got != want || p.out() != "" || p.err() == "" {
				t.Errorf("%s: exit code %d, want %d: %q %q", name, got, want, p.out(), p.err())
			}
		}
		expect("no such code", 16, "--server", url, "1-maple-orbit")
		expect("no code at all", 16, "--server", url, "maple orbit")
		own := start(t, m, "cleavectl", "join", "--server", url, code, "--player", "bot:easy", "--data", copied(t, a.dir))
		own.must(27)
		second := host.line() // it was answered, so it is spent
		if second == code {
			t.Error("a spent code is shown again")
		}
		expect("a used code", 18, "--server", url, code)
		number, _, _ = strings.Cut(second, "-")
		expect("a wrong code", 20, "--server", url, number+"-zoo-zoo")
		third := host.line()
		expect("a code tried before", 18, "--server", url, second)
		server.stop()
		expect("no server", 10, "--server", url, third)
		lost := newPlayer(t, m).start("host", "--server", url)
		lost.must(10)
		rated := newPlayer(t, m).start("host", "--lan", "--rated", "--ranking", url)
		rated.must(6)
	})
}

func TestRelayOnly(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		left, right := w.Switch("sl"), w.Switch("sr")
		server, a, b := w.Machine("srv"), w.Machine("a"), w.Machine("b")
		server.Plug(left, "eth0", "10.1.0.1/24")
		server.Plug(right, "eth1", "10.2.0.1/24")
		server.IP("addr", "add", "10.99.0.1/32", "dev", "lo")
		a.Plug(left, "eth0", "10.1.0.2/24")
		b.Plug(right, "eth0", "10.2.0.2/24")
		a.IP("route", "add", "10.99.0.1", "via", "10.1.0.1")
		b.IP("route", "add", "10.99.0.1", "via", "10.2.0.1")
		serve(t, server, filepath.Join(t.TempDir(), "db"), "10.99.0.1:8080", "--turn", "0.0.0.0:3478", "--turn-ip", "10.99.0.1")
		url := "http://10.99.0.1:8080"
		ann, bob := newPlayer(t, a, "--relay-only"), newPlayer(t, b)
		host := ann.start("host", "--server", url)
		guest := bob.start("join", "--server", url, host.line())
		play(t, host, guest)
		same(t, ann.log(), bob.log(), false)
		if !strings.Contains(host.err(), "(relay)") {
			t.Errorf("the path: %s", host.err())
		}
	})
}

// Tickets fetched before serve without the internet; what was played is handed
// in when the server is back.
func TestRatedOnALAN(t *testing.T) {
	t.Parallel()
	awayFromMidnight() // a season may end then
	nstest.Run(t, func(w *nstest.World) {
		m := office(w, 3)
		const addr = "10.77.0.3:8080"
		url, db := "http://"+addr, filepath.Join(t.TempDir(), "db")
		server := serve(t, m[2], db, addr)
		a, b := newPlayer(t, m[0]), newPlayer(t, m[1])
		for _, p := range []*player{a, b} {
			code, out, errs := ctl(t, p.on, "tickets", "--server", url, "--data", p.dir)
			if code != 0 || !strings.Contains(out, "5 tickets") {
				t.Fatalf("tickets: %d %s %s", code, out, errs)
			}
		}
		server.stop()
		host := a.start("host", "--lan", "--rated")
		host.line()
		guest := b.start("join", "--lan", "--rated")
		play(t, host, guest)
		same(t, a.log(), b.log(), false)
		if !strings.Contains(host.out(), " rated sealed") || !strings.Contains(host.err(), "it will be tried again") {
			t.Errorf("host: %s%s", host.out(), host.err())
		}
		serve(t, m[2], db, addr)
		for _, p := range []*player{a, b} {
			code, out, errs := ctl(t, p.on, "tickets", "--server", url, "--data", p.dir)
			if code != 0 || !strings.Contains(errs, "log confirmed") || !strings.Contains(out, "4 tickets") {
				t.Errorf("handed in late: %d %s", code, errs)
			}
		}
		var l ladder
		fetch(t, m[2], url+"/v1/ladder", &l)
		if len(l.Players) != 2 {
			t.Errorf("ladder %+v", l)
		}
	})
}

func TestKilledByCode(t *testing.T) {
	t.Parallel()
	for i, who := range []string{"host", "guest"} {
		t.Run(who, func(t *testing.T) {
			t.Parallel()
			nstest.Run(t, func(w *nstest.World) {
				m, _, _ := alone(t, w)
				url := "http://" + local
				a, b := newPlayer(t, m, "--think", "200"), newPlayer(t, m, "--think", "200")
				host := a.start("host", "--server", url)
				code := host.line()
				guest := b.start("join", "--server", url, code)
				victim, again := &host, func() *program { return a.start("host", "--server", url) }
				if i == 1 {
					victim, again = &guest, func() *program { return b.start("join", "--server", url, code) }
				}
				(*victim).says("begins")
				time.Sleep(1500 * time.Millisecond)
				(*victim).kill()
				*victim = again()
				if first := (*victim).line(); !strings.HasPrefix(first, "RESUME ") {
					t.Fatalf("first line %q", first)
				}
				play(t, host, guest)
				same(t, a.log(), b.log(), true)
				if !strings.Contains(host.err(), "log confirmed") {
					t.Errorf("not confirmed: %s", host.err())
				}
			})
		})
	}
}

// The signalling server may die without harming a live match.
func TestTheServerDiesInTheMiddle(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		m, server, db := alone(t, w)
		url := "http://" + local
		a, b := newPlayer(t, m, "--think", "300"), newPlayer(t, m, "--think", "300")
		host := a.start("host", "--server", url)
		guest := b.start("join", "--server", url, host.line())
		guest.says("begins")
		time.Sleep(time.Second)
		server.kill()
		time.Sleep(time.Second)
		serve(t, m, db, local)
		play(t, host, guest)
		same(t, a.log(), b.log(), false)
		if !strings.Contains(host.err(), "log confirmed") || !strings.Contains(guest.err(), "log confirmed") {
			t.Errorf("not confirmed: %s\n%s", host.err(), guest.err())
		}
	})
}
