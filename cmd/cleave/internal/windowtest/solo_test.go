package windowtest

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// placeSolo places pieces by what the screen offers until wanted says so: each
// piece in turn, where it fits nearest to the middle.
func (w *window) placeSolo(limit time.Duration, wanted func(mirror) bool) mirror {
	w.t.Helper()
	late := time.Now().Add(limit)
	for slot := 0; ; {
		w.mu.Lock()
		m, change := w.shown, w.change
		w.mu.Unlock()
		if wanted(m) {
			return m
		}
		if time.Now().After(late) {
			w.t.Fatalf("%s: it is not so after %v", w.name, limit)
		}
		if whole, ok := part(m, "mirror.place"); ok {
			w.say("press " + whole)
		} else if m.Scene == "solo" {
			w.say(fmt.Sprintf("press mirror.piece/%d", slot))
			slot = (slot + 1) % 3
		}
		select {
		case <-change:
		case <-time.After(300 * time.Millisecond): // the press came too early
		}
	}
}

// score is the line of a game that tells the points.
func score(m mirror) string {
	for _, l := range m.Lines {
		if strings.Contains(l, " points, ") {
			return l
		}
	}
	return ""
}

// A daily challenge in a window with a real server: killed in the middle, it
// goes on where it was and uses no other chance up; played to its end it is
// taken, and counts.
func TestADailyChallenge(t *testing.T) {
	t.Parallel()
	awayFromMidnight()
	s := newServer(t)
	data := t.TempDir()
	w := open(t, "Ada", data, nil, "-server", s.url())
	w.begin("Ada")
	w.press("title.streak")
	w.press("daily.title")
	w.press("daily.play")
	w.until("the game", 2*time.Minute, func(m mirror) bool { return m.Scene == "solo" })
	kept := score(w.placeSolo(time.Minute, func(m mirror) bool { return strings.HasSuffix(score(m), " 4 pieces placed") }))
	w.close()

	w = open(t, "Ada", data, nil, "-server", s.url())
	w.press("title.streak")
	w.press("daily.title")
	w.press("solo.go_on")
	w.until("the same board", time.Minute, func(m mirror) bool { return m.Scene == "solo" && score(m) == kept })
	w.placeSolo(2*time.Minute, func(m mirror) bool { return m.Scene == "solo_result" })
	w.press("daily.back")
	m := w.until("the run that counts, on the board", 2*time.Minute, func(m mirror) bool {
		all := strings.Join(m.Lines, "\n")
		return strings.Contains(all, "Chance 1 · this one counts") && strings.Contains(all, "Place 1 of 1") && strings.Contains(all, "1 You, ")
	})
	all := strings.Join(m.Lines, "\n")
	if _, ok := part(m, "daily.play"); !ok || strings.Contains(all, "Chance 2") {
		t.Errorf("another chance was used up: %+v", m)
	}
	files, err := filepath.Glob(filepath.Join(data, "p", "runlog-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("records %v, %v", files, err)
	}
	if out, err := exec.Command(filepath.Join(programs, "cleavectl"), "verify", files[0]).CombinedOutput(); err != nil {
		t.Errorf("the record does not hold: %v\n%s", err, out)
	}
}

// ctl runs cleavectl with what a person types.
func ctl(t *testing.T, typed string, args ...string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(programs, "cleavectl"), args...)
	cmd.Stdin = strings.NewReader(typed)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("cleavectl %q: %v\n%s%s", args, err, out, errs.String())
	}
	return string(out)
}

var placed = regexp.MustCompile(`piece (\d) to row (\d), column (\d)`)

// An arena in a window with a real server: entered, played, one's place among
// the others, and the deal, which the command that is shown deals again.
func TestAnArena(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	data := t.TempDir()
	w := open(t, "Ada", data, nil, "-server", s.url())
	w.begin("Ada")
	w.press("title.streak")
	w.press("arena.title")
	w.press("arena.enter_any")
	w.until("the game", 3*time.Minute, func(m mirror) bool { return m.Scene == "solo" })
	w.placeSolo(3*time.Minute, func(m mirror) bool { return m.Scene == "solo_result" })
	w.press("solo.proof")
	m := w.until("the proof", time.Minute, func(m mirror) bool { return strings.Contains(strings.Join(m.Lines, "\n"), "cleavectl verify ") })
	var again, check []string
	for _, l := range m.Lines {
		if strings.HasPrefix(l, "cleavectl streak ") {
			again = strings.Fields(l)[1:]
		}
		if strings.HasPrefix(l, "cleavectl verify ") {
			check = strings.Fields(l)[1:]
		}
	}
	if len(again) == 0 || len(check) != 2 {
		t.Fatalf("%+v", m)
	}
	ctl(t, "", check...)
	moves, scored := "", 0
	for _, p := range placed.FindAllStringSubmatch(ctl(t, "", "show", check[1]), -1) {
		moves += strings.Join(p[1:], " ") + "\n"
		scored++
	}
	var game struct{ Score, Placements int }
	first, _, _ := strings.Cut(ctl(t, moves, append(again, "--json", "--data", t.TempDir())...), "\n")
	if err := json.Unmarshal([]byte(first), &game); err != nil || game.Placements != scored {
		t.Errorf("dealt again: %s, and %d pieces were placed", first, scored)
	}
	w.press("back")
	w.press("arena.back")
	m = w.until("the place", 2*time.Minute, func(m mirror) bool {
		return strings.Contains(strings.Join(m.Lines, "\n"), fmt.Sprintf("1 You, %d", game.Score))
	})
	id := strings.ToLower(strings.TrimPrefix(m.Heading, "Arena "))
	out := ctl(t, "", "arena", "play", "--server", s.url(), "--data", t.TempDir(), "--player", "bot:medium")
	if !strings.Contains(out, "\nARENA "+id) {
		t.Errorf("another arena than %s: %s", id, out)
	}
	w.until("the other", 2*time.Minute, func(m mirror) bool {
		all := strings.Join(m.Lines, "\n")
		return strings.Contains(all, " AI · Medium, ") && strings.Contains(all, " of 2") && strings.Contains(all, "You, ")
	})
	if _, ok := part(m, "arena.enter"); ok {
		t.Error("it can be entered twice")
	}
	w.press("back")
	w.until("the list", time.Minute, func(m mirror) bool { _, ok := part(m, "arena/"+id); return ok })
}

// awayFromMidnight waits until no midnight of UTC comes for a while: the programs
// read the clock, and a day's challenge ends there.
func awayFromMidnight() {
	const quiet = 4 * time.Minute
	now := time.Now().UTC()
	if left := now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now); left < quiet {
		time.Sleep(left + time.Second)
	}
}
