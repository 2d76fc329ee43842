//go:build linux

package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cleavegame/cleave/p2p/nstest"
)

// asleep is a player who never decides.
const asleep = "exec:read x; echo ready; exec sleep 1000"

type entry struct {
	Entry   int
	Seat    int
	Kind    string
	ThinkMs int `json:"think_ms"`
	WaitMs  int `json:"wait_ms"`
}

// flags are the entries of a seat whose time ran out, and what they stood for.
func flags(t *testing.T, file string, seat int) (out []entry, awaited []string) {
	t.Helper()
	code, text, errs := ctl(t, nil, "show", "--json", file)
	if code != 0 {
		t.Fatalf("show ends with %d: %s", code, errs)
	}
	last := ""
	for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
		var e entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		next := map[string]string{"reveal": "split", "split": "choose", "choose": "place", "place": "place"}[last]
		if e.Kind == "flag" {
			if e.Seat == seat {
				out, awaited = append(out, e), append(awaited, next)
			}
			last = next
			continue
		}
		last = e.Kind
	}
	return out, awaited
}

// checkAsleep holds a match against a sleeping guest to the clocks: each of his
// decisions is flagged at its limit, and round two ends it.
func checkAsleep(t *testing.T, host, guest *program, file string) {
	t.Helper()
	play(t, host, guest)
	if !strings.Contains(host.out(), " won ") || !strings.Contains(guest.out(), " lost ") {
		t.Errorf("%s%s", host.out(), guest.out())
	}
	code, out, _ := ctl(t, nil, "verify", "--json", file)
	var s struct {
		End    string
		Rounds int
		Score  [2]int
	}
	// Two pieces not placed cost 5 points each.
	if err := json.Unmarshal([]byte(out), &s); err != nil || code != 0 || s.End != "forfeited" || s.Rounds != 2 || s.Score[1] != -10 {
		t.Errorf("verify: %d, %s", code, out)
	}
	limits := map[string]int{"split": 12_000, "choose": 6_000, "place": 10_000}
	list, awaited := flags(t, file, 1)
	// He splits in one round, chooses in the other, and places in both.
	if slices.Sort(awaited); !slices.Equal(awaited, []string{"choose", "place", "place", "split"}) {
		t.Fatalf("flags: %+v of %v", list, awaited)
	}
	_, awaited = flags(t, file, 1)
	for i, e := range list {
		limit := limits[awaited[i]]
		if e.ThinkMs < limit || e.ThinkMs > limit+1000 || e.WaitMs > limit+25_000 {
			t.Errorf("entry %d, a %s: flagged after %d ms, waited for %d ms", e.Entry, awaited[i], e.ThinkMs, e.WaitMs)
		}
	}
}

func TestASleeperOverALAN(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		m := office(w, 2)
		a, b := newPlayer(t, m[0]), newPlayer(t, m[1])
		b.bot = asleep
		host := a.start("host", "--lan")
		host.line()
		guest := b.start("join", "--lan")
		guest.says("begins")
		// Being killed and started again gives no new time.
		time.Sleep(4 * time.Second)
		guest.kill()
		guest = b.start("join", "--lan")
		if first := guest.line(); !strings.HasPrefix(first, "RESUME ") {
			t.Errorf("first line %q", first)
		}
		checkAsleep(t, host, guest, a.log())
	})
}

func TestASleeperOverACode(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		m, _, _ := alone(t, w)
		a, b := newPlayer(t, m), newPlayer(t, m)
		b.bot = asleep
		host := a.start("host", "--server", "http://"+local)
		guest := b.start("join", "--server", "http://"+local, host.line())
		checkAsleep(t, host, guest, b.log())
	})
}

// Who stays away from an opened match is claimed against after 30 s.
func TestAClaimIsFiled(t *testing.T) {
	t.Parallel()
	nstest.Run(t, func(w *nstest.World) {
		m, server, _ := alone(t, w)
		url := "http://" + local
		a, b := newPlayer(t, m, "--think", "300"), newPlayer(t, m, "--think", "300")
		host := a.start("host", "--server", url, "--json")
		var room struct{ Code string }
		if err := json.Unmarshal([]byte(host.line()), &room); err != nil {
			t.Fatal(err)
		}
		guest := b.start("join", "--server", url, room.Code)
		guest.says("begins")
		time.Sleep(time.Second)
		guest.kill()
		time.Sleep(20 * time.Second)
		host.says("stayed away")
		var told struct {
			Kind, Text string
			Receipt    struct{ Kind string }
		}
		if err := json.Unmarshal([]byte(host.lineWith(`"receipt"`)), &told); err != nil || told.Kind != "claim" || told.Receipt.Kind != "claimed" {
			t.Errorf("told %+v, %v\n%s", told, err, server.out())
		}
		// He comes back after all: it is played to its end.
		guest = b.start("join", "--server", url, room.Code)
		play(t, host, guest)
		same(t, a.log(), b.log(), true)
	})
}
