package browsertest

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/nstest"
)

// far is two machines in two networks, and a server that stands in both and
// forwards nothing: they reach each other through its relay or not at all.
type far struct {
	one, other *table
}

func apart(t *testing.T, w *nstest.World, bin string) *far {
	t.Helper()
	const url = "http://10.80.1.1:8080"
	left, right := w.Switch("left"), w.Switch("right")
	server := &table{Machine: w.Machine("s"), bin: bin, data: t.TempDir(), url: url}
	server.Plug(left, "eth0", "10.80.1.1/24")
	server.Plug(right, "eth1", "10.80.2.1/24")
	if out, err := server.Command("sh", "-c", "echo 0 >/proc/sys/net/ipv4/ip_forward").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	machine := func(name string, s *nstest.Switch, net string) *table {
		m := &table{Machine: w.Machine(name), bin: bin, data: t.TempDir(), url: url}
		m.Plug(s, "eth0", net+".2/24")
		m.IP("route", "add", "default", "via", net+".1")
		return m
	}
	f := &far{one: machine("l", left, "10.80.1"), other: machine("r", right, "10.80.2")}
	server.serve(t, "--turn", ":3478", "--turn-ip", "10.80.1.1")
	return f
}

// env tells a check on the one machine that the server's address is as good as
// https, and of a browser on the other.
func (f *far) env(t *testing.T) []string {
	t.Helper()
	elsewhere := f.other.Command("CHROMIUM").Args
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "chromium")
	text := fmt.Sprintf("#!/bin/sh\nexec %s %s \"$@\"\n", strings.Join(elsewhere[:len(elsewhere)-1], " "), chromium)
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return []string{"CLEAVE_SECURE=" + f.one.url, "CLEAVE_ELSEWHERE=" + script}
}

// friends plays a browser on the one machine against one on the other.
func (f *far) friends(t *testing.T) {
	out := f.one.check(t, "friends", f.env(t)...)
	f.one.agree(t, out)
	signedOnce(t, journals(t, out))
}

// window plays a browser on the one machine, which hosts, against the game in a
// window on the other.
func (f *far) window(t *testing.T) {
	build(t, f.other.bin, "cleave")
	cmd := f.one.node("hosting", "CLEAVE_SECURE="+f.one.url)
	var all bytes.Buffer
	codes := make(chan string, 1)
	cmd.Stdout = &lines{to: &all, found: codes, prefix: "CODE "}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	late := time.After(patience)
	w := f.other.open(t)
	var err error
	for ended := false; !ended; {
		select {
		case code := <-codes:
			w.visit(code)
		case err = <-done:
			ended = true
		case <-late:
			cmd.Process.Kill()
		}
	}
	if err != nil {
		t.Logf("the window showed %s", w.last())
	}
	said(t, all.Bytes(), err)
	file := filepath.Join(w.data, "p")
	f.one.agree(t, all.String(), filesOf(t, filepath.Join(file, "log-*"))...)
	signedOnce(t, append(journals(t, all.String()), filesOf(t, filepath.Join(file, "match-*"), filepath.Join(file, "past-*"))...))
}

// lines keeps what a program prints, and tells the first line that begins so.
type lines struct {
	to     *bytes.Buffer
	found  chan string
	prefix string
	done   bool
}

func (l *lines) Write(p []byte) (int, error) {
	n, err := l.to.Write(p)
	if !l.done {
		for s := bufio.NewScanner(bytes.NewReader(l.to.Bytes())); s.Scan(); {
			if rest, ok := strings.CutPrefix(s.Text(), l.prefix); ok {
				l.found <- rest
				l.done = true
				break
			}
		}
	}
	return n, err
}
