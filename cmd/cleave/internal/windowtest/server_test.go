package windowtest

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// server is a real server with its data in a folder.
type server struct {
	t    *testing.T
	db   string
	addr string
	cmd  *exec.Cmd
}

func newServer(t *testing.T) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, db: filepath.Join(t.TempDir(), "cleave.db"), addr: l.Addr().String()}
	l.Close()
	s.start()
	t.Cleanup(func() { s.stop() })
	return s
}

func (s *server) url() string { return "http://" + s.addr }

func (s *server) start() {
	s.t.Helper()
	s.cmd = exec.Command(filepath.Join(programs, "cleave-server"), "--listen", s.addr, "--db", s.db, "--public-url", s.url())
	out, err := s.cmd.StderrPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	go func() {
		for scan := bufio.NewScanner(out); scan.Scan(); {
		}
	}()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if r, err := http.Get(s.url() + "/healthz"); err == nil {
			r.Body.Close()
			return
		}
		if time.Now().After(end) {
			s.t.Fatal("the server does not answer")
		}
	}
}

func (s *server) stop() {
	if s.cmd != nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
		s.cmd = nil
	}
}

// players asks the ladder how many players it lists.
func (s *server) players() int {
	r, err := http.Get(s.url() + "/v1/ladder")
	if err != nil {
		return 0
	}
	defer r.Body.Close()
	var l struct{ Total int }
	if json.NewDecoder(r.Body).Decode(&l) != nil {
		return 0
	}
	return l.Total
}

func (s *server) rated(limit time.Duration) {
	s.t.Helper()
	for end := time.Now().Add(limit); s.players() != 2; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("the ladder lists %d players, want 2", s.players())
		}
	}
}

// meet brings two windows together by an invite code.
func meet(host, guest *window) {
	host.begin("Ada")
	guest.begin("Bob")
	host.press("title.internet")
	host.press("lobby.server.host")
	host.press("create.open")
	m := host.until("a code", 60*time.Second, func(m mirror) bool { return code(m) != "" })
	guest.press("title.internet")
	guest.until("the field for a code", 60*time.Second, func(m mirror) bool { _, ok := part(m, "lobby.server.field"); return ok })
	guest.say("submit lobby.server.field " + code(m))
}

// code finds the invite code that a waiting room shows.
func code(m mirror) string {
	for _, l := range m.Lines {
		for _, word := range strings.Fields(l) {
			if p := strings.Split(word, "-"); len(p) == 3 && p[0] != "" && strings.Trim(p[0], "0123456789") == "" {
				return word
			}
		}
	}
	return ""
}

func TestByCodeRatedAndConfirmed(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	host, guest := open(t, "Ada", t.TempDir(), nil, "-server", s.url()), open(t, "Bob", t.TempDir(), nil, "-server", s.url())
	meet(host, guest)
	both(t, host, guest)
	sameLogs(t, host, guest)
	s.rated(30 * time.Second)
	host.until("the verdict", 30*time.Second, func(m mirror) bool {
		return m.Scene == "result" && strings.Contains(strings.Join(m.Lines, "\n"), "onfirmed")
	})
}

// The server goes away in the middle of the match and comes back after its
// end: what was kept is handed in then.
func TestServerAwayAtTheEnd(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	host, guest := open(t, "Ada", t.TempDir(), nil, "-server", s.url()), open(t, "Bob", t.TempDir(), nil, "-server", s.url())
	meet(host, guest)
	host.press("waiting.ready")
	guest.press("waiting.ready")
	host.press("waiting.start")
	for _, w := range []*window{host, guest} {
		w.until("the match", 60*time.Second, func(m mirror) bool { return m.Scene == "match" && len(m.Parts) > 0 })
	}
	done := make(chan struct{})
	go func() { defer close(done); guest.play(3 * time.Minute) }()
	for range 3 {
		host.until("something to decide", time.Minute, func(m mirror) bool { _, ok := part(m, "match.undo"); return ok || m.Scene == "result" })
		break
	}
	s.stop()
	host.play(3 * time.Minute)
	<-done
	sameLogs(t, host, guest)
	s.start()
	s.rated(2 * time.Minute)
}
