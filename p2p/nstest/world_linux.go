package nstest

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// prefix begins the name of every namespace of ours; the id of the process
// that made it follows.
const prefix = "cleavetest-"

var worlds atomic.Int64

// A World is the machines and switches of one test.
type World struct {
	t    testing.TB
	name string
}

// Run calls f with an empty World, whose end is that of the test. Where
// namespaces need an unshare, f runs in a process of its own, which has the
// same environment.
func Run(t *testing.T, f func(*World)) {
	t.Helper()
	if _, err := exec.LookPath("ip"); err != nil {
		notHere(t, "the ip command (iproute2) is missing")
	}
	if os.Geteuid() != 0 {
		unshared(t)
		return
	}
	w := &World{t: t, name: fmt.Sprintf("%s%d-%d", prefix, os.Getpid(), worlds.Add(1))}
	sweep()
	if out, err := exec.Command("ip", "netns", "add", w.name).CombinedOutput(); err != nil {
		notHere(t, "ip netns add: "+strings.TrimSpace(string(out)))
	}
	t.Cleanup(func() { exec.Command("ip", "netns", "del", w.name).Run() })
	f(w)
}

// unshared runs the test again as root of a user namespace.
func unshared(t *testing.T) {
	t.Helper()
	if err := exec.Command("unshare", "-Urnm", "true").Run(); err != nil {
		notHere(t, "not root, and unshare -Urnm: "+err.Error())
	}
	// ip keeps its namespaces in /run, which is not ours to write to.
	pattern := "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$"
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("unshare", "-Urnm", "--kill-child", "sh", "-c",
		`mount -t tmpfs tmpfs /run && exec "$@"`, "sh", exe, "-test.run="+pattern, "-test.v")
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil:
		t.Fatalf("inside unshare: %v\n%s", err, out)
	case strings.Contains(string(out), "NOT RUN"):
		notHere(t, "inside unshare -Urnm too")
	}
}

// sweep removes what processes that were killed have left behind.
func sweep() {
	out, err := exec.Command("ip", "netns", "list").Output()
	if err != nil {
		return
	}
	for _, line := range strings.Split(string(out), "\n") {
		name, _, _ := strings.Cut(line, " ")
		rest, ours := strings.CutPrefix(name, prefix)
		if !ours {
			continue
		}
		id, _, _ := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(id)
		if err == nil && syscall.Kill(pid, 0) == syscall.ESRCH {
			exec.Command("ip", "netns", "del", name).Run()
		}
	}
}

// ip runs the ip command, which may not fail.
func (w *World) ip(args ...string) {
	w.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		w.t.Fatalf("nstest: ip %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// A Switch joins the machines that are plugged into it.
type Switch struct {
	w     *World
	name  string
	ports int
}

// Switch makes a switch, which lives in a namespace that has no machine.
func (w *World) Switch(name string) *Switch {
	w.t.Helper()
	// Without snooping every multicast goes everywhere, as in a simple home.
	w.ip("-n", w.name, "link", "add", name, "type", "bridge", "mcast_snooping", "0")
	w.ip("-n", w.name, "link", "set", name, "up")
	return &Switch{w: w, name: name}
}

// A Machine is a namespace with a loopback interface and what is plugged in.
type Machine struct {
	w    *World
	name string
}

// Machine makes a machine. The name is of a few letters.
func (w *World) Machine(name string) *Machine {
	w.t.Helper()
	m := &Machine{w: w, name: w.name + "-" + name}
	w.ip("netns", "add", m.name)
	w.t.Cleanup(func() { exec.Command("ip", "netns", "del", m.name).Run() })
	w.ip("-n", m.name, "link", "set", "lo", "up")
	return m
}

// Plug lays a cable to s. addrs are those of the machine's end, with the
// length of the subnet, such as "10.77.0.1/24" or "fd77::1/64".
func (m *Machine) Plug(s *Switch, iface string, addrs ...string) {
	m.w.t.Helper()
	s.ports++
	port := fmt.Sprintf("%s-%d", s.name, s.ports)
	m.w.ip("link", "add", port, "netns", m.w.name, "type", "veth", "peer", "name", iface, "netns", m.name)
	m.w.ip("-n", m.w.name, "link", "set", port, "master", s.name, "up")
	for _, a := range addrs {
		args := []string{"-n", m.name, "addr", "add", a, "dev", iface}
		if strings.Contains(a, ":") {
			args = append(args, "nodad") // usable at once
		}
		m.w.ip(args...)
	}
	m.w.ip("-n", m.name, "link", "set", iface, "up")
}

// Cut takes the switch away from all of its machines, whose links stay up:
// packets vanish. Heal undoes it.
func (s *Switch) Cut()  { s.w.t.Helper(); s.w.ip("-n", s.w.name, "link", "set", s.name, "down") }
func (s *Switch) Heal() { s.w.t.Helper(); s.w.ip("-n", s.w.name, "link", "set", s.name, "up") }

// IP runs the ip command on the machine.
func (m *Machine) IP(args ...string) {
	m.w.t.Helper()
	m.w.ip(append([]string{"-n", m.name}, args...)...)
}

// Command is a command on the machine, not yet started. Who starts it ends it.
func (m *Machine) Command(name string, args ...string) *exec.Cmd {
	return exec.Command("ip", append([]string{"netns", "exec", m.name, name}, args...)...)
}
