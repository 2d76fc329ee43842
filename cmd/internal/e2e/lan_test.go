//go:build linux

package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/nstest"
)

// office makes n machines on one switch.
func office(w *nstest.World, n int) []*nstest.Machine {
	s := w.Switch("sw")
	var out []*nstest.Machine
	for i := range n {
		m := w.Machine(fmt.Sprintf("m%d", i))
		m.Plug(s, "eth0", fmt.Sprintf("10.77.0.%d/24", i+1))
		out = append(out, m)
	}
	return out
}

// The first thing anybody tries: two terminals on one machine.
func TestTwoProgramsOnOneMachine(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		here := office(w, 1)[0]
		a, b := newPlayer(t, here), newPlayer(t, here)
		host := a.start("host", "--lan")
		first := strings.Fields(host.line())
		if len(first) < 4 || first[0] != "LAN" {
			t.Errorf("the host's first line is %q", first)
		}
		guest := b.start("join", "--lan")
		play(t, host, guest)
		same(t, a.log(), b.log(), false)
		if text := verified(t, a.log()); !strings.Contains(text, first[len(first)-1]) {
			t.Errorf("the host announced as %s: %s", first[len(first)-1], text)
		}
	})
}

func TestTwoMachinesEitherSideFirst(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		guest bool // comes first
		peer  bool // by address, where no multicast gets through
	}{
		{"host first", false, false}, {"guest first", true, false},
		{"by address", false, true}, {"by address, guest first", true, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			nstest.Run(t, func(w *nstest.World) {
				m := office(w, 2)
				a, b := newPlayer(t, m[0]), newPlayer(t, m[1])
				hostArgs, guestArgs := []string{"host", "--lan", "--room", "Attic"}, []string{"join", "--lan", "Attic", "--wait", "20s"}
				if tc.peer {
					m[0].IP("link", "set", "dev", "eth0", "multicast", "off")
					m[1].IP("link", "set", "dev", "eth0", "multicast", "off")
					hostArgs = append(hostArgs, "--listen", ":4700")
					guestArgs = []string{"join", "--peer", "10.77.0.1:4700", "--wait", "20s"}
				}
				var host, guest *program
				if tc.guest {
					guest = b.start(guestArgs...)
					time.Sleep(500 * time.Millisecond)
				}
				host = a.start(hostArgs...)
				if first := host.line(); !strings.HasPrefix(first, "LAN Attic ") {
					t.Errorf("first line %q", first)
				}
				if !tc.guest {
					guest = b.start(guestArgs...)
				}
				play(t, host, guest)
				same(t, a.log(), b.log(), false)
				verified(t, b.log())
			})
		})
	}
}

func TestRoomsOnALAN(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		m := office(w, 3)
		a := newPlayer(t, m[0], "--think", "300")
		host := a.start("host", "--lan", "--room", "Den", "--password", "sesame", "--name", "Ann")
		host.line()

		watch := start(t, m[2], "cleavectl", "lan", "--for", "80s", "--data", t.TempDir())
		if l := watch.lineWith("Den"); !strings.HasPrefix(l, "seen Den locked standard") || !strings.Contains(l, " Ann ") {
			t.Errorf("seen as %q", l)
		}
		b := newPlayer(t, m[1], "--think", "300")
		wrong := b.start("join", "--lan", "Den", "--password", "open")
		wrong.must(21)
		if wrong.out() != "" || !strings.Contains(wrong.err(), "password") {
			t.Errorf("with a wrong password: %q %q", wrong.out(), wrong.err())
		}
		own := start(t, m[1], "cleavectl", "join", "--lan", "Den", "--password", "sesame", "--player", "bot:easy", "--data", copied(t, a.dir))
		own.must(27)

		// One try in ten seconds is answered.
		guest := letIn(t, func() *program { return b.start("join", "--lan", "Den", "--password", "sesame") })
		watch.lineWith("Den playing")
		late := newPlayer(t, m[2]).start("join", "--lan", "Den", "--password", "sesame", "--wait", "1s")
		late.must(24)
		nobody := newPlayer(t, m[2]).start("join", "--lan", "Attic", "--wait", "1s")
		nobody.must(25)
		play(t, host, guest)
		same(t, a.log(), b.log(), false)
		watch.lineWith("gone Den")
		watch.stop()

		closed := newPlayer(t, m[2]).start("join", "--peer", "10.77.0.1:9", "--wait", "1s")
		closed.must(30)
	})
}

// letIn has a guest try until its match begins, however often it is told to
// slow down or that there is no such room yet.
func letIn(t *testing.T, try func() *program) (guest *program) {
	t.Helper()
	eventually(t, "a try that is let in", func() bool {
		guest = try()
		for !strings.Contains(guest.err(), "begins") {
			select {
			case <-guest.grown:
			case <-guest.done:
				if code := guest.wait(); code != 12 && code != 25 {
					t.Fatalf("exit code %d", code)
				}
				time.Sleep(time.Second)
				return false
			}
		}
		return true
	})
	return guest
}

// copied is another folder with the same profile, as on a second device.
func copied(t *testing.T, dir string) string {
	t.Helper()
	code, words, errs := ctl(t, nil, "id", "export", "--data", dir)
	if code != 0 {
		t.Fatal(errs)
	}
	other := t.TempDir()
	importKey(t, other, words)
	return other
}

func TestRematches(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		m := office(w, 2)
		a, b := newPlayer(t, m[0]), newPlayer(t, m[1])
		host := a.start("host", "--lan", "--matches", "5")
		host.line()
		guest := b.start("join", "--lan", "--matches", "4")
		play(t, host, guest)
		if !strings.Contains(host.err(), "no rematch") && !strings.Contains(host.err(), "has left") {
			t.Errorf("the fourth rematch was not refused: %s", host.err())
		}
		seats := []string{}
		for _, l := range strings.Split(host.err(), "\n") {
			if strings.Contains(l, "you are ") {
				seats = append(seats, l[len(l)-1:])
			}
		}
		if got := strings.Join(seats, ""); got != "ABAB" {
			t.Errorf("the host's seats: %s", got)
		}
		for _, n := range []string{"", "-2", "-3", "-4"} {
			same(t, strings.Replace(a.log(), ".cleave", n+".cleave", 1), strings.Replace(b.log(), ".cleave", n+".cleave", 1), false)
		}
	})
}

// kill -9 of either side at any moment between START and the seal: started
// again with the same profile the match ends, with one log.
func TestKilledAndStartedAgain(t *testing.T) {
	t.Parallel()
	kills := 12
	if os.Getenv("CLEAVE_SOAK") == "1" {
		kills = 50
	}
	nstest.Run(t, func(w *nstest.World) {
		m := office(w, 2)
		var wg sync.WaitGroup
		crowd := make(chan struct{}, 12)
		for i := range kills {
			crowd <- struct{}{}
			wg.Go(func() {
				t.Run(fmt.Sprint(i), func(t *testing.T) { killOnce(t, m, i) })
				<-crowd
			})
		}
		wg.Wait()
	})
}

func killOnce(t *testing.T, m []*nstest.Machine, i int) {
	room := fmt.Sprintf("kill-%d", i)
	a, b := newPlayer(t, m[0], "--think", "150"), newPlayer(t, m[1], "--think", "150")
	a.t, b.t = t, t
	hostArgs, guestArgs := []string{"host", "--lan", "--room", room}, []string{"join", "--lan", room, "--wait", "25s"}
	host := a.start(hostArgs...)
	host.line()
	guest := b.start(guestArgs...)
	victim, again, who := &host, func() *program { return a.start(hostArgs...) }, "host"
	if i%2 == 1 {
		victim, again, who = &guest, func() *program { return b.start(guestArgs...) }, "guest"
	}
	(*victim).says("begins")
	moment := time.Duration(rand.Int64N(int64(3500 * time.Millisecond)))
	select {
	case <-time.After(moment):
	case <-(*victim).done:
		t.Fatalf("the match was over before %v", moment)
	}
	(*victim).kill()
	*victim = again()
	if first := (*victim).line(); !strings.HasPrefix(first, "RESUME ") {
		t.Fatalf("the %s, killed %v after the beginning, says %q", who, moment, first)
	}
	play(t, host, guest)
	same(t, a.log(), b.log(), true)
}

func TestInterruptedAMatchGoesOn(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		m := office(w, 2)
		a, b := newPlayer(t, m[0], "--think", "150"), newPlayer(t, m[1], "--think", "150")
		host := a.start("host", "--lan")
		host.line()
		guest := b.start("join", "--lan")
		guest.says("begins")
		time.Sleep(time.Second)
		guest.stop()
		if code := guest.wait(); code != 130 {
			t.Errorf("interrupted: exit code %d", code)
		}
		// Another profile of the same folder is not in the way, the same is.
		guest = b.start("join", "--lan", "Nowhere")
		guest.line()
		second := b.start("join", "--lan")
		second.must(4)
		if pid := fmt.Sprint("process ", guest.cmd.Process.Pid); !strings.Contains(second.err(), pid) {
			t.Errorf("a second process is not told of %s: %s", pid, second.err())
		}
		play(t, host, guest)
		same(t, a.log(), b.log(), true)
	})
}
